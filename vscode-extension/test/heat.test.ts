import assert from "node:assert/strict";
import { test } from "node:test";
import type { StatementTold, Where } from "../panel/contract";
import { heated, heatOf, Origins } from "../src/heat";
import { line, result, RESULTS, ROW } from "./panel-fixture";

function statement(at: number, falls: number): StatementTold {
  return { text: "", told: "", without: null, falls, rises: 0, note: null, range: line(at) };
}

function where(whole: number, ...statements: readonly StatementTold[]): Where {
  return { version: 1, measure: "I(s; o)", result: result("I(s; o)", whole), note: "", statements };
}

test("statements are marked by the share of the leak that is gone without them", () => {
  const heat = heatOf([
    where(2, statement(1, 2), statement(2, 1), statement(3, 0.1), statement(4, 0.01), statement(5, 0)),
  ]);
  assert.deepEqual(heat, { high: [line(1)], middle: [line(2)], low: [line(3)] });
});

test("of several secrets the largest share counts", () => {
  const heat = heatOf([where(1, statement(1, 0.1)), where(4, statement(1, 4))]);
  assert.deepEqual(heat, { high: [line(1)], middle: [], low: [] });
});

test("where nothing leaks nothing is marked", () => {
  assert.deepEqual(heatOf([where(0, statement(1, 0))]), { high: [], middle: [], low: [] });
});

test("only results of the present text are asked about", () => {
  assert.deepEqual(heated({ ...RESULTS, table: [ROW, { ...ROW, headline: false }] }), ["I(r; o)"]);
  assert.deepEqual(heated({ ...RESULTS, current: false }), []);
  assert.deepEqual(heated(undefined), []);
});

test("a text is asked about once, and another one anew", async () => {
  const asked: string[] = [];
  let told = 0;
  const origins = new Origins(
    (_, measure) => {
      asked.push(measure);
      return Promise.resolve(where(1, statement(1, 1)));
    },
    () => {
      told += 1;
    },
  );
  assert.deepEqual(origins.of(RESULTS), []);
  await new Promise(setImmediate);
  assert.equal(told, asked.length);
  assert.equal(origins.of(RESULTS).length, asked.length);
  assert.ok(asked.length > 0);
  const before = asked.length;
  origins.of({ ...RESULTS, version: 99 });
  assert.equal(asked.length, before + 1); // one after the other
  assert.deepEqual(origins.of({ ...RESULTS, current: false }), []);
});
