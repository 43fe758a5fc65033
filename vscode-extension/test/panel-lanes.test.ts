import assert from "node:assert/strict";
import { test } from "node:test";
import { lanes } from "../panel/lanes";
import type { Want } from "../panel/wants";

/** A clock that is set by hand, and a server that answers when told. */
function stage() {
  let now = 0;
  let timers: { at: number; call: () => void }[] = [];
  const calls: {
    want: Want;
    answer: (value: unknown) => void;
    refuse: (error: unknown) => void;
    cancelled: boolean;
  }[] = [];
  const outcomes: string[] = [];
  const ask = lanes(
    (want, signal) =>
      new Promise((answer, refuse) => {
        const call = { want, answer, refuse, cancelled: false };
        calls.push(call);
        signal.addEventListener("abort", () => {
          call.cancelled = true;
          refuse(new Error("cancelled"));
        });
      }),
    {
      answered: (want, value) => outcomes.push(`${want.slot} ${want.key} ${String(value)}`),
      failed: (want, error) => outcomes.push(`${want.slot} ${want.key} ${String(error)}`),
    },
    {
      now: () => now,
      later: (milliseconds, call) => {
        const timer = { at: now + milliseconds, call };
        timers.push(timer);
        return () => {
          timers = timers.filter((each) => each !== timer);
        };
      },
    },
  );
  const pass = async (milliseconds: number): Promise<void> => {
    const end = now + milliseconds;
    for (;;) {
      const next = timers.filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at)[0];
      if (next === undefined) {
        break;
      }
      timers = timers.filter((each) => each !== next);
      now = next.at;
      next.call();
      await Promise.resolve();
    }
    now = end;
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, calls, outcomes, pass };
}

function want(slot: string, key: string, after = 0): Want {
  return { slot, key, base: key, subject: "", method: "seepage/measure", params: {}, after };
}

test("a wish is asked once it has stayed for its moment", async () => {
  const { ask, calls, pass } = stage();
  ask([want("n", "1", 60)]);
  await pass(40);
  ask([want("n", "2", 60)]);
  await pass(40);
  assert.equal(calls.length, 0);
  await pass(40);
  assert.deepEqual(
    calls.map((call) => call.want.key),
    ["2"],
  );
});

test("other events do not make a wish wait longer", async () => {
  const { ask, calls, pass } = stage();
  ask([want("n", "1", 60)]);
  await pass(40);
  ask([want("n", "1", 60)]);
  await pass(20);
  assert.equal(calls.length, 1);
});

test("the first wishes go first, of each method one at a time", async () => {
  const { ask, calls, pass } = stage();
  ask([want("a", "1"), want("b", "1"), { ...want("c", "1"), method: "seepage/plot" }, want("d", "1")]);
  const slots = (): string[] => calls.map((call) => call.want.slot);
  assert.deepEqual(slots(), ["a", "c"]);
  calls[0]?.answer(7);
  await pass(0);
  assert.deepEqual(slots(), ["a", "c", "b"]);
});

test("what matters less makes way after a moment, and comes back", async () => {
  const { ask, calls, outcomes, pass } = stage();
  ask([want("low", "1")]);
  await pass(10);
  ask([want("high", "1"), want("low", "1")]);
  await pass(200);
  assert.equal(calls.length, 1);
  await pass(200);
  assert.deepEqual([calls[0]?.cancelled, calls[1]?.want.slot], [true, "high"]);
  calls[1]?.answer("high");
  await pass(0);
  assert.deepEqual([calls[2]?.want.slot, outcomes], ["low", ["high 1 high"]]);
});

test("a question that another one superseded is put again", async () => {
  const { ask, calls, outcomes, pass } = stage();
  ask([want("a", "1")]);
  calls[0]?.refuse({ code: -32800, message: "a newer question came" });
  await pass(100);
  assert.deepEqual([calls.length, outcomes], [1, []]);
  await pass(600);
  assert.equal(calls.length, 2);
});

test("what is no longer wanted is cancelled at once and never told", async () => {
  const { ask, calls, outcomes, pass } = stage();
  ask([want("a", "1")]);
  ask([]);
  await pass(0);
  assert.equal(calls[0]?.cancelled, true);
  assert.deepEqual(outcomes, []);
});

test("a newer wish for the same place lets the older end, but not for long", async () => {
  const { ask, calls, outcomes, pass } = stage();
  ask([want("a", "1")]);
  await pass(10);
  ask([want("a", "2")]);
  assert.equal(calls[0]?.cancelled, false);
  calls[0].answer("old");
  await pass(0);
  assert.deepEqual(outcomes, ["a 1 old"]);
  assert.deepEqual(
    calls.map((call) => call.want.key),
    ["1", "2"],
  );
  ask([want("a", "3")]);
  await pass(400);
  assert.equal(calls[1]?.cancelled, true);
  assert.deepEqual(
    calls.map((call) => call.want.key),
    ["1", "2", "3"],
  );
});

test("a failure is told, and the next wish goes on", async () => {
  const { ask, calls, outcomes, pass } = stage();
  ask([want("a", "1")]);
  calls[0]?.refuse("out of time");
  await pass(0);
  assert.deepEqual(outcomes, ["a 1 out of time"]);
});
