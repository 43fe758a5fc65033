import assert from "node:assert/strict";
import { test } from "node:test";
import type * as module from "../src/client";
import { EventEmitter, Window } from "./window";

/** Stands for the client of the library: it runs at once. */
class LanguageClient {
  state = 1;
  private readonly changed = new EventEmitter();
  readonly onDidChangeState = this.changed.event;
  onNotification(): void {
    // nothing is told
  }
  async start(): Promise<void> {
    await Promise.resolve();
    this.state = 2;
    this.changed.fire({ newState: 2 });
    // Start-up goes on for a while after the state has changed.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
const LIBRARY = { LanguageClient, State: { Stopped: 1, Running: 2, Starting: 3 }, CloseAction: {}, ErrorAction: {} };

function begin(): { window: Window; client: module.Client; heard: string[] } {
  const window = new Window();
  const { Client } = window.load("client", { "vscode-languageclient/node": LIBRARY }) as typeof module;
  const status = { server: () => undefined, progress: () => undefined, health: () => undefined };
  const context = { globalStorageUri: { fsPath: "/nowhere/storage" }, extensionPath: "/nowhere/extension" };
  const client = new Client(context as never, status as never);
  const heard: string[] = [];
  client.onResultsChanged(() => {
    heard.push(client.state.kind === "missing" ? client.state.problem.kind : client.state.kind);
  });
  return { window, client, heard };
}

test("a command that needs the server says what is in the way, with the button that helps, each time it is asked", async () => {
  const { window, client } = begin();
  window.settings.set("server.path", "/nowhere/seepage-lsp");
  await client.restart();
  window.said.length = 0;
  assert.equal(await client.connected(), undefined);
  assert.equal(await client.connected(), undefined);
  assert.equal(window.said.length, 2);
  assert.match(window.said[1]?.text ?? "", /'\/nowhere\/seepage-lsp'/);
  assert.deepEqual(window.said[1]?.buttons, ["Open Settings"]);
});

test("who asks for the set-up hears what is in the way, each time", async () => {
  const { window, client } = begin();
  await client.setUp();
  await client.setUp();
  const said = window.said.map(({ text }) => text);
  assert.equal(said.length, 2);
  assert.equal(said[0], said[1]);
  assert.equal(client.obstacle?.kind, "noWheel");
});

test("a command waits for a server that is starting", async () => {
  const { window, client } = begin();
  window.settings.set("server.path", process.execPath);
  void client.restart();
  assert.ok((await client.connected()) !== undefined);
  await client.stop();
  assert.equal(await client.connected(), undefined);
  assert.deepEqual(window.said.at(-1), { text: "Seepage: the language server does not run", buttons: ["Restart"] });
});

test("who listens hears what is in the way, and then that nothing is any more", async () => {
  const { window, client, heard } = begin();
  window.settings.set("server.path", "/nowhere/seepage-lsp");
  await client.restart();
  assert.deepEqual(heard, ["starting", "wrongSetting"]);
  window.settings.set("server.path", process.execPath);
  await client.refresh();
  assert.equal(client.server?.command, process.execPath);
  assert.deepEqual(heard.slice(2), ["starting", "starting", "ready"]);
});
