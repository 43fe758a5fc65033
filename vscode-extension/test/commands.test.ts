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

test("where another server runs, a set-up is made only if it is wanted nevertheless", async () => {
  const window = new Window();
  const commands = window.load("commands") as typeof module;
  let made = 0;
  const setUp = (): Promise<void> => {
    made += 1;
    return Promise.resolve();
  };
  const of = (origin: string, connection?: object): never =>
    ({ connection, server: { command: "/p/.venv/bin/seepage-lsp", origin }, setUp }) as never;
  await commands.setUp(of("workspace", {}));
  assert.equal(made, 0);
  assert.match(window.said[0]?.text ?? "", /set up already.*\/p\/\.venv\/bin\/seepage-lsp/);
  window.press = "Set Up Anyway";
  await commands.setUp(of("workspace", {}));
  assert.equal(made, 1);
  await commands.setUp(of("installed", {}));
  await commands.setUp(of("workspace"));
  assert.equal(made, 3);
  assert.equal(window.said.length, 2);
});
