import assert from "node:assert/strict";
import { test } from "node:test";
import type * as module from "../src/commands";
import { editorOn, Window } from "./window";

function begin(window: Window): { run: Record<string, () => Promise<void>>; asked: () => number } {
  const commands = window.load("commands") as typeof module;
  let count = 0;
  const client = {
    connected: (): Promise<undefined> => {
      count += 1;
      return Promise.resolve(undefined);
    },
  } as never;
  const programs = { current: window.active } as never;
  const none = {} as never;
  return {
    run: {
      analyse: () => commands.analyse(client, programs),
      explain: () => commands.look("explain", client, programs, none),
      plot: () => commands.look("ask", client, programs, none),
      setParameters: () => commands.setParameters(client, programs),
      cancel: () => commands.cancel(client),
    },
    asked: () => count,
  };
}

test("no command ends silently where there is no server: each asks the client, which says why", async () => {
  const window = new Window();
  window.focus(editorOn("a.seep"));
  const { run, asked } = begin(window);
  for (const [index, command] of Object.values(run).entries()) {
    await command();
    assert.equal(asked(), index + 1);
  }
});

test("no command ends silently where no program is open", async () => {
  const window = new Window();
  const { run } = begin(window);
  for (const name of ["analyse", "explain", "plot", "setParameters"]) {
    window.said.length = 0;
    await run[name]?.();
    assert.match(window.said[0]?.text ?? "", /no program is open/, name);
  }
});
