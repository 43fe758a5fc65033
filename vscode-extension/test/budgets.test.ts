import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetsOf } from "../src/budgets";
import { line, result, SHOW } from "./panel-fixture";

const BUDGET = {
  ...SHOW,
  kind: "require" as const,
  source: "I(r; o) <= 0.1 bits",
  measure: "I(r; o)",
  range: line(4),
  verdict: "violated" as const,
  result: result("I(r; o)", 0.16),
};

test("a budget is passed where it holds, failed where it is violated or undecided, and errored without a verdict", () => {
  const verdicts = ["holds", "violated", "cannot tell", null] as const;
  const budgets = budgetsOf({ answers: verdicts.map((verdict) => ({ ...BUDGET, verdict })) });
  assert.deepEqual(
    budgets.map(({ outcome }) => outcome),
    ["passed", "failed", "failed", "errored"],
  );
});

test("what is asked by show is no test", () => {
  assert.deepEqual(budgetsOf({ answers: [SHOW] }), []);
});

test("a failure tells the number and where the worst is", () => {
  const [budget] = budgetsOf({ answers: [{ ...BUDGET, worst: "at eps = 3" }] });
  assert.equal(budget?.message, "violated; I(r; o) is 0.16 bits; at eps = 3");
  assert.deepEqual(budget.range, line(4));
});

test("budgets of the same text are told apart", () => {
  const ids = budgetsOf({ answers: [BUDGET, BUDGET, { ...BUDGET, source: "H(r) >= 1" }] }).map(({ id }) => id);
  assert.equal(new Set(ids).size, 3);
  assert.equal(ids[0], BUDGET.source);
});
