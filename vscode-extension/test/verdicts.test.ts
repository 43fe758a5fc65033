import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../panel/contract";
import { verdictLines } from "../src/verdicts";

function answer(kind: Answer["kind"], line: number, verdict: Answer["verdict"]): Answer {
  const range = { start: { line, character: 0 }, end: { line, character: 9 } };
  return {
    kind,
    range,
    verdict,
    text: "",
    source: "",
    measure: "",
    unit: null,
    budget: null,
    over: null,
    worst: null,
    result: null,
    error: null,
  };
}

const ANSWERS = [
  answer("show", 1, null),
  answer("require", 2, "holds"),
  answer("require", 3, "violated"),
  answer("require", 4, "cannot tell"),
  answer("require", 5, null),
];

test("budgets are marked by their verdict; one without a verdict cannot be told", () => {
  const lines = verdictLines({ current: true, state: "current", answers: ANSWERS });
  assert.deepEqual(lines, { holds: [2], violated: [3], unknown: [4, 5] });
});

test("results of another text, or of a run that failed, mark nothing", () => {
  const nothing = { holds: [], violated: [], unknown: [] };
  assert.deepEqual(verdictLines({ current: false, state: "stale", answers: ANSWERS }), nothing);
  assert.deepEqual(verdictLines({ current: true, state: "timed out", answers: ANSWERS }), nothing);
  assert.deepEqual(verdictLines(undefined), nothing);
});
