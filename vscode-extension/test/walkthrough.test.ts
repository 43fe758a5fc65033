import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type * as module from "../src/walkthrough";
import { Window } from "./window";

type Key = [name: string, value: unknown];

/** Stands for the editor: reads the steps when a walkthrough is shown, as VS Code does, and says which have completed since. */
class Editor {
  private readonly past = new Set<string>();
  private from = Infinity;
  constructor(private readonly window: Window) {}
  show(): void {
    this.from = this.window.keys.length;
    for (const [name, value] of new Map(this.window.keys)) {
      if (value === true) {
        this.past.add(name); // what is true already is no event, now or later
      }
    }
    this.window.tabs.fire({ opened: [{}] });
  }
  get completed(): readonly string[] {
    const since = this.window.keys
      .slice(this.from)
      .filter(([name, value]: Key) => value === true && !this.past.has(name));
    return [...new Set(since.map(([name]) => name))].sort();
  }
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

function begin(): { editor: Editor; walkthrough: module.Walkthrough; window: Window } {
  const window = new Window();
  const walkthrough = new (window.load("walkthrough") as typeof module).Walkthrough(2);
  return { editor: new Editor(window), walkthrough, window };
}

test("what happened before the walkthrough is opened completes its steps, and what happens after", async () => {
  const { editor, walkthrough } = begin();
  walkthrough.complete("setUp");
  walkthrough.complete("read");
  await later();
  editor.show();
  assert.deepEqual(editor.completed, []);
  await later();
  assert.deepEqual(editor.completed, ["seepage.done.read", "seepage.done.setUp"]);
  walkthrough.complete("panel");
  assert.deepEqual(editor.completed, ["seepage.done.panel", "seepage.done.read", "seepage.done.setUp"]);
  await later();
  walkthrough.dispose();
});

test("a step that is done again is not told again, and a tab that closes tells nothing", async () => {
  const { walkthrough, window } = begin();
  walkthrough.complete("read");
  await later();
  const told = window.keys.length;
  walkthrough.complete("read");
  window.tabs.fire({ opened: [] });
  await later();
  assert.equal(window.keys.length, told);
  walkthrough.dispose();
});

test("the steps wait for the keys that are told", () => {
  const manifest = readFileSync("package.json", "utf8");
  const keys = [...manifest.matchAll(/onContext:([\w.]+)/g)].map(([, key]) => key);
  assert.deepEqual(keys, ["seepage.done.setUp", "seepage.done.read", "seepage.done.panel"]);
});
