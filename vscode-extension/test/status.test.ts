import assert from "node:assert/strict";
import { test } from "node:test";
import type * as module from "../src/status";
import { editorOn, Window } from "./window";

test("the status stays in sight while the panel has the focus, and goes with other files", () => {
  const window = new Window();
  const status = new (window.load("status") as typeof module).Status();
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
