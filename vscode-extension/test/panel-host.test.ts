import assert from "node:assert/strict";
import { test } from "node:test";
import type * as module from "../src/panel";
import type * as programs from "../src/programs";
import { editorOn, EventEmitter, settled, Uri, Webview, Window } from "./window";

const A = "file:///p/a.seep";
const B = "file:///p/b.seep";

const READY = { kind: "ready", command: "" };

function begin(
  connection?: object,
  server: { state: object } = { state: READY },
): { window: Window; panel: module.Panel; page: () => Webview; changed: EventEmitter } {
  const window = new Window();
  const { Panel } = window.load("panel") as typeof module;
  const changed = new EventEmitter();
  const client = {
    onResultsChanged: changed.event,
    get state(): object {
      return server.state;
    },
    connection,
    log: { warn: () => undefined },
  };
  const { Programs } = window.load("programs") as typeof programs;
  const panel = new Panel(client as never, new Programs(), Uri.parse("file:///extension") as never);
  const page = (): Webview => window.pages.at(-1) ?? assert.fail("no panel is open");
  return { window, panel, page, changed };
}

/** What the page was told last of what to look at. */
function last(page: Webview): unknown {
  return page.told.filter((one) => /panel\/(document|focus|ask)/.test(one.method ?? "")).at(-1);
}

function focus(uri: string, line: number): module.Wish {
  return { kind: "focus", uri, at: { line, character: 0 } };
}

test("the panel opens on the program that it was opened from", async () => {
  const { window, panel, page } = begin();
  window.focus(editorOn("a.seep"));
  panel.open();
  page().load();
  await settled();
  assert.deepEqual(page().toldOf("panel/document"), [A]);
});

test("a lens is told with its program, to a page that was hidden and is loaded again too", async () => {
  const { window, panel, page } = begin();
  const [a, b] = [editorOn("a.seep", 1), editorOn("b.seep", 2)];
  window.focus(a);
  panel.open();
  page().load();
  await settled();
  window.groups = [1, 2];
  page().viewColumn = 2;
  page().show(false); // b comes to the front in the group of the panel
  window.focus(b, [a, b]);
  panel.open(focus(B, 3));
  assert.deepEqual(page().revealed, [1], "beside b, not over it, and in no third group");
  page().load(A);
  await settled();
  assert.deepEqual(last(page()), {
    kind: "notification",
    method: "panel/focus",
    params: { kind: "focus", uri: B, name: "b.seep", at: { line: 3, character: 0 } },
  });
});

test("a panel in sight stays where it is, and hears of a lens at once", async () => {
  const { window, panel, page } = begin();
  window.focus(editorOn("a.seep"));
  panel.open();
  page().load();
  await settled();
  panel.open(focus(A, 3));
  assert.deepEqual(page().revealed, [undefined]);
  assert.deepEqual(page().toldOf("panel/focus"), [A]);
});

test("in one group, the panel shows the program that it covers, not the one it showed before", async () => {
  const { window, panel, page } = begin();
  window.focus(editorOn("a.seep"));
  panel.open();
  page().load();
  await settled();
  page().viewColumn = 1; // the user drags it there
  window.focus(undefined, []);
  page().show(false);
  window.focus(editorOn("b.seep"));
  window.focus(undefined, []); // the user clicks on the tab of the panel
  page().show(true);
  page().load(A);
  await settled();
  assert.equal(page().toldOf("panel/document").at(-1), B);
});

test("of two programs in sight, the panel shows the one with the cursor", async () => {
  const { window, panel, page } = begin();
  const [a, b] = [editorOn("a.seep", 1), editorOn("b.seep", 2)];
  window.focus(b, [a, b]);
  panel.open();
  window.focus(undefined, [a, b]);
  page().load();
  await settled();
  assert.deepEqual(page().toldOf("panel/document"), [B]);
  page().load(A);
  await settled();
  assert.equal(page().toldOf("panel/document").at(-1), B);
});

test("a page that is loaded again hears nothing of what the one before it asked under the same number", async () => {
  const waiting: ((error: Error) => void)[] = [];
  const connection = { sendRequest: () => new Promise((_, reject) => waiting.push(reject)) };
  const { panel, page } = begin(connection);
  panel.open();
  const ask = { kind: "request", id: 1, method: "seepage/results", params: {} };
  page().load();
  page().received.fire(ask);
  await settled();
  page().load();
  page().received.fire(ask);
  await settled();
  waiting[0]?.(new Error("cancelled"));
  await settled();
  assert.equal(page().told.filter((one) => one.kind === "error").length, 0);
  waiting[1]?.(new Error("too much"));
  await settled();
  assert.equal(page().told.filter((one) => one.kind === "error").length, 1);
});

test("what the panel could not do is said", async () => {
  const { window, panel, page } = begin();
  panel.open();
  page().load();
  page().received.fire({ kind: "copy", text: "1 bit" });
  await settled();
  page().received.fire({ kind: "reveal", uri: "file:///p/gone.seep", range: {} });
  await settled();
  assert.deepEqual(
    window.said.map(({ text }) => text),
    ["Seepage: no clipboard", "Seepage: no such file"],
  );
});

test("the panel says that the server is starting, or being set up, and not that it does not run", async () => {
  const server = { state: { kind: "starting", command: "" } as object };
  const { panel, page, changed } = begin(undefined, server);
  panel.open();
  page().load();
  await settled();
  const health = (): unknown =>
    page()
      .told.filter(({ method }) => method === "panel/server")
      .at(-1)?.params;
  assert.deepEqual(health(), { health: "starting", message: "the language server is starting …", action: null });
  server.state = { kind: "settingUp" };
  changed.fire("");
  assert.deepEqual(health(), { health: "starting", message: "the analysis is being set up …", action: null });
  server.state = { kind: "stopped" };
  changed.fire("");
  assert.deepEqual(health(), { health: "error", message: "the language server does not run", action: "Restart" });
});

test("the panel opens to the right of the program, else to its left, and in a new group only where there is no other", () => {
  for (const [own, groups, column] of [
    [1, [1], -2],
    [1, [1, 2], 2],
    [2, [1, 2], 1],
    [2, [1, 2, 3], 3],
    [3, [1, 2, 3], 2],
  ] as const) {
    const { window, panel, page } = begin();
    window.groups = [...groups];
    window.focus(editorOn("a.seep", own));
    panel.open();
    assert.equal(page().viewColumn, column);
  }
});

test("the panel says that it shows, opened by whatever way or restored, once its page is there", async () => {
  const { window, panel, page } = begin();
  let shown = 0;
  panel.onDidShow(() => {
    shown += 1;
  });
  window.focus(editorOn("a.seep"));
  panel.open(focus(A, 1));
  assert.equal(shown, 0);
  page().load();
  await settled();
  assert.equal(shown, 1);
  const restored = new Webview();
  await panel.deserializeWebviewPanel(restored as never);
  restored.load(A);
  await settled();
  assert.equal(shown, 2);
});
