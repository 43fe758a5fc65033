import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "../src/run";

const NODE = process.execPath;

test("lines come as they are printed, and the exit code at the end", async () => {
  const lines: string[] = [];
  const ended = await run(NODE, ["-e", "console.log('one\\ntwo'); process.exit(3)"], {
    onLine: (line) => lines.push(line),
  });
  assert.equal(ended.code, 3);
  assert.deepEqual(lines, ["one", "two"]);
});

test("a program that is not there has no exit code", async () => {
  assert.equal((await run("/nowhere/python", [])).code, undefined);
});

test("stopping takes along what was started", { skip: process.platform === "win32" }, async () => {
  const stop = new AbortController();
  let child = 0;
  const script = `const c = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"]);
    console.log(c.pid); setInterval(() => 0, 1000)`;
  const onLine = (line: string): void => {
    child = Number(line);
    stop.abort();
  };
  assert.equal((await run(NODE, ["-e", script], { signal: stop.signal, onLine })).code, undefined);
  assert.ok(child > 0);
  await gone(child);
});

test("a time-out stops it", async () => {
  assert.equal((await run(NODE, ["-e", "setInterval(() => 0, 1000)"], { timeout: 50 })).code, undefined);
});

/** Wait until a process has ended; the runner's own time limit ends a wait in vain. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
