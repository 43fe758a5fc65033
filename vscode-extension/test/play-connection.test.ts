import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerTold } from "../panel/host";
import { Connection } from "../play/connection";

interface Sent {
  readonly id?: number;
  readonly method?: string;
}

/** A socket whose other end is the test. */
class Socket {
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = 0;
  sent: Sent[] = [];
  onopen: () => void = () => undefined;
  onmessage: (message: { data: string }) => void = () => undefined;
  onclose: (told: { code: number; reason: string }) => void = () => undefined;

  constructor() {
    Socket.made.push(this);
  }

  send(text: string): void {
    assert.equal(this.readyState, Socket.OPEN, "a browser complains in its console");
    this.sent.push(JSON.parse(text) as Sent);
  }

  /** The close begins; in a browser it takes a while. */
  close(): void {
    this.readyState = 2;
  }

  opens(): void {
    this.readyState = Socket.OPEN;
    this.onopen();
  }

  closes(code = 1006): void {
    this.readyState = 3;
    this.onclose({ code, reason: "" });
  }

  answers(id: number | undefined, result: unknown): void {
    this.onmessage({ data: JSON.stringify({ jsonrpc: "2.0", id, result }) });
  }

  get methods(): (string | undefined)[] {
    return this.sent.map(({ method }) => method);
  }
}

Object.assign(globalThis, { WebSocket: Socket });

/** An open line, whose handshake is done, and what it told. */
async function opened() {
  Socket.made = [];
  const states: ServerTold["health"][] = [];
  const connection = new Connection("ws://127.0.0.1/socket", {
    opened: () => Promise.resolve(),
    notified: () => undefined,
    told: ({ health }) => states.push(health),
  });
  connection.open();
  const [first] = Socket.made;
  assert.ok(first !== undefined);
  first.opens();
  await settled();
  return { connection, first, states };
}

/** The socket that was opened last; the one before it is gone. */
async function again(connection: Connection): Promise<Socket> {
  connection.retry();
  const last = Socket.made.at(-1);
  assert.ok(last !== undefined);
  last.opens();
  await settled();
  return last;
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await Promise.resolve();
  }
}

test("nothing is sent on a line that is being closed, and what was asked on it is rejected once it is", async () => {
  const { connection, first, states } = await opened();
  const before = connection.request("seepage/results", {});
  first.close();

  connection.notify("textDocument/didChange", {});
  const during = connection.request("seepage/where", {});
  const aborted = new AbortController();
  const given = connection.request("seepage/plot", {}, aborted.signal);
  aborted.abort();
  assert.deepEqual(first.methods, ["seepage/results"]);

  first.closes();
  await assert.rejects(before, { code: -32803 });
  await assert.rejects(during, { code: -32803 });
  await assert.rejects(given, { name: "AbortError" });
  const next = await again(connection);
  assert.deepEqual(next.methods, []);
  assert.deepEqual(states, ["ok", "error", "ok"]);
});

test("what is asked while there is no line waits for the next one", async () => {
  const { connection, first } = await opened();
  first.closes(4001);
  assert.equal(connection.isReady, false);
  connection.notify("textDocument/didChange", {}); // texts are sent anew, so this is not kept
  const asked = connection.request("seepage/results", {});

  const next = await again(connection);
  assert.deepEqual(next.methods, ["seepage/results"]);
  next.answers(next.sent[0]?.id, "an answer");
  assert.equal(await asked, "an answer");
});

test("what arrives on an old line is not taken for an answer on the new one", async () => {
  const { connection, first } = await opened();
  first.closes();
  const next = await again(connection);
  const asked = connection.request("seepage/results", {});
  const id = next.sent[0]?.id;
  first.answers(id, "of the line before");
  next.answers(id, "of this line");
  assert.equal(await asked, "of this line");
});

test("what is given up is cancelled at the server, once", async () => {
  const { connection, first } = await opened();
  const aborted = new AbortController();
  const asked = connection.request("seepage/plot", {}, aborted.signal);
  aborted.abort();
  await assert.rejects(asked, { name: "AbortError" });
  assert.deepEqual(first.methods, ["seepage/plot", "$/cancelRequest"]);
});
