// A language server as a child, and the few messages of the protocol that a panel's editor needs.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const HEADER_END = "\r\n\r\n";

/** Start the server; `told` hears its notifications. */
export async function start(command, told) {
  const server = spawn(command, [], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let last = 0;
  let rest = Buffer.alloc(0);
  server.stdout.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const end = rest.indexOf(HEADER_END);
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(rest.toString("ascii", 0, end))[1]);
      const from = end + HEADER_END.length;
      if (rest.length < from + length) return;
      const message = JSON.parse(rest.toString("utf8", from, from + length));
      rest = rest.subarray(from + length);
      receive(message);
    }
  });

  function receive(message) {
    if (message.method === undefined) {
      const call = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) call?.refuse(message.error);
      else call?.answer(message.result);
    } else if (message.id !== undefined) {
      send({ id: message.id, result: null });
    } else {
      told(message.method, message.params);
    }
  }

  function send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    server.stdin.write(`Content-Length: ${body.length}${HEADER_END}`);
    server.stdin.write(body);
  }

  const notify = (method, params) => send({ method, params });
  const request = (method, params, signal) =>
    new Promise((answer, refuse) => {
      const id = ++last;
      waiting.set(id, { answer, refuse });
      signal?.addEventListener("abort", () => notify("$/cancelRequest", { id }));
      send({ id, method, params });
    });

  const { capabilities } = await request("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    initializationOptions: { panel: true },
  });
  notify("initialized", {});
  return {
    capabilities,
    request,
    notify,
    open: (uri, file, version = 1) =>
      notify("textDocument/didOpen", {
        textDocument: { uri, languageId: "seep", version, text: readFileSync(file, "utf8") },
      }),
    change: (uri, version, text) =>
      notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] }),
    save: (uri) => notify("textDocument/didSave", { textDocument: { uri } }),
    kill: () => server.kill("SIGKILL"),
    end: async () => {
      const ended = new Promise((resolve) => server.on("exit", resolve));
      await request("shutdown", null);
      notify("exit", null);
      await ended;
    },
  };
}
