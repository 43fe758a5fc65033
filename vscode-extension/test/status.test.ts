import assert from "node:assert/strict";
import { test } from "node:test";
import type * as module from "../src/status";
import { editorOn, Window } from "./window";

test("the status stays in sight while the panel has the focus, and goes with other files", () => {
  const window = new Window();
  const status = new (window.load("status") as typeof module).Status({ complete: () => undefined });
  window.focus(editorOn("a.seep"));
  assert.equal(window.item.shown, true);
  window.focus(undefined, []);
  status.panel(true);
  assert.equal(window.item.shown, true);
  status.panel(false);
  assert.equal(window.item.shown, false);
  window.focus(editorOn("README.md", 1, 0, "markdown"));
  assert.equal(window.item.shown, false);
});

const results = (state: string, certainty: string | null): never =>
  ({ state, certainty, engine: "exact", seconds: 0, answers: [], message: null }) as never;

test("a server that is ready and numbers that are current complete their steps of the walkthrough, and nothing else does", () => {
  const window = new Window();
  const steps: string[] = [];
  const status = new (window.load("status") as typeof module).Status({ complete: (step) => steps.push(step) });
  status.server({ kind: "starting", command: "" });
  status.server({ kind: "settingUp" });
  assert.deepEqual(steps, []);
  status.server({ kind: "ready", command: "" });
  status.show(results("current", null));
  status.show(results("stale", "exact"));
  assert.deepEqual(steps, ["setUp"]);
  status.show(results("current", "exact"));
  assert.deepEqual(steps, ["setUp", "read"]);
});
