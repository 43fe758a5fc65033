import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { suite, test } from "node:test";
import { blameOfPip, build, type Built, isHealthy, readInstalled, removeOthers, wheelId } from "../src/environment";
import type { Run } from "../src/run";

/** What pip prints where there is no network, and elsewhere: kept from real runs. */
const NO_NETWORK = `WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/lark/
ERROR: Could not find a version that satisfies the requirement lark<2,>=1.2 (from versions: none)
ERROR: No matching distribution found for lark<2,>=1.2`;
const NO_WHEEL = `ERROR: Could not find a version that satisfies the requirement python-flint>=0.8 (from versions: none)
ERROR: No matching distribution found for python-flint>=0.8`;
const NO_SPACE = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device";

interface Machine {
  readonly storage: string;
  readonly wheel: string;
  readonly reported: string[];
  readonly logged: string[];
}

function machine(): Machine {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "seepage-test-"));
  const wheel = path.join(folder, "seepage-1.0.0-py3-none-any.whl");
  fs.writeFileSync(wheel, "one");
  return { storage: path.join(folder, "storage"), wheel, reported: [], logged: [] };
}

/** Runs nothing: makes the folder as `venv` would, and fails at the command that has `failing` in it. */
function pretend(failing = "nothing", output = ""): Run {
  return (command, args, options) => {
    const line = [command, ...args].join(" ");
    if (args.includes("venv")) {
      fs.mkdirSync(args.at(-1) ?? "", { recursive: true });
    }
    options?.onLine?.(line);
    return Promise.resolve(line.includes(failing) ? { code: 1, output } : { code: 0, output: "" });
  };
}

function make(on: Machine, run: Run, signal = new AbortController().signal): Promise<Built> {
  const python = { command: "/usr/bin/python3", args: [], version: [3, 12] as const };
  const { storage, wheel, logged, reported } = on;
  const note = (to: string[]) => (line: string) => void to.push(line);
  return build({ python, wheel, storage, run, signal, platform: "linux", log: note(logged), report: note(reported) });
}

suite("the extension's own environment", () => {
  test("is in use once it has been made and examined, and tells its wheel", async () => {
    const on = machine();
    assert.equal(readInstalled(on.storage), undefined);
    assert.equal((await make(on, pretend())).kind, "built");
    assert.equal(readInstalled(on.storage)?.wheel, wheelId(on.wheel));
    assert.deepEqual(on.reported, ["making an environment", "installing the analysis", "examining it"]);
    assert.ok(on.logged.some((line) => line.includes("-I -m pip install")));
    assert.ok(on.logged.some((line) => line.includes("bin/seepage doctor --format json")));
  });
  test("another build of one version is another wheel", () => {
    const on = machine();
    const before = wheelId(on.wheel);
    fs.writeFileSync(on.wheel, "two");
    assert.notEqual(wheelId(on.wheel), before);
  });
  test("a failure is told by its cause, and leaves what was in use", async () => {
    const on = machine();
    await make(on, pretend());
    const before = readInstalled(on.storage);
    const failures: [string, string, string][] = [
      ["venv", "Error: ensurepip is not available", "venv"],
      ["pip install", NO_NETWORK, "network"],
      ["pip install", NO_WHEEL, "pip"],
      ["pip install", NO_SPACE, "space"],
      ["seepage doctor", "{}", "doctor"],
    ];
    for (const [step, output, failure] of failures) {
      assert.deepEqual(await make(on, pretend(step, output)), { kind: "failed", failure });
    }
    assert.deepEqual(readInstalled(on.storage), before);
    assert.deepEqual(
      fs.readdirSync(on.storage).sort(),
      [before?.folder, "server.json"].sort(),
      "nothing half-made stays",
    );
  });
  test("cancelling leaves nothing behind", async () => {
    const on = machine();
    const stop = new AbortController();
    const run: Run = (...call) => {
      stop.abort();
      return pretend()(...call);
    };
    assert.deepEqual(await make(on, run, stop.signal), { kind: "failed", failure: "cancelled" });
    assert.deepEqual(fs.readdirSync(on.storage), []);
  });
  test("earlier ones go after a day, not before", async () => {
    const on = machine();
    await make(on, pretend());
    const first = path.join(on.storage, readInstalled(on.storage)?.folder ?? "");
    await make(on, pretend());
    removeOthers(on.storage);
    assert.ok(fs.existsSync(first));
    fs.utimesSync(first, 0, 0);
    removeOthers(on.storage);
    assert.ok(!fs.existsSync(first));
    assert.ok(fs.existsSync(path.join(on.storage, readInstalled(on.storage)?.folder ?? "")));
  });
  test("a pointer that leads elsewhere is not followed", () => {
    const on = machine();
    fs.mkdirSync(on.storage);
    for (const text of ['{"folder": "../evil", "wheel": "w"}', '{"folder": 1}', "[]", "null", "{"]) {
      fs.writeFileSync(path.join(on.storage, "server.json"), text);
      assert.equal(readInstalled(on.storage), undefined);
    }
  });
});

test("a refused connection is no network, whatever pip says last", () => {
  assert.equal(blameOfPip({ code: 1, output: NO_NETWORK }), "network");
  assert.equal(blameOfPip({ code: 1, output: NO_WHEEL }), "pip");
});

test("a server without an examination has passed by starting", () => {
  assert.ok(isHealthy({ code: 0, output: "{}" }));
  assert.ok(isHealthy({ code: 2, output: "Error: No such command 'doctor'." }));
  assert.ok(!isHealthy({ code: 1, output: "{}" }));
  assert.ok(!isHealthy({ code: 2, output: "ModuleNotFoundError" }));
});
