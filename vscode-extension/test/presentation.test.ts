import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Answer, Results, State } from "../panel/contract";
import { present } from "../src/presentation";
import { advise, type Problem } from "../src/problems";

const READY = { kind: "ready", command: "/bin/seepage-lsp" } as const;

function results(
  state: State,
  change: Partial<Results> = {},
): Pick<Results, "state" | "engine" | "certainty" | "seconds" | "message" | "answers"> {
  return { state, engine: "discrete", certainty: "exact", seconds: 0.25, message: null, answers: [], ...change };
}

suite("the status", () => {
  test("names certainty and engine of present results", () => {
    const shown = present(READY, false, results("current"));
    assert.equal(shown.text, "exact");
    assert.equal(shown.detail, "discrete · 0.3 s");
    assert.equal(shown.busy, false);
  });
  test("never shows an old certainty as the present one", () => {
    const states: State[] = ["stale", "computing", "failed", "timed out", "none", "errors"];
    assert.deepEqual(
      states.map((state) => present(READY, false, results(state)).text),
      ["stale", "computing", "failed", "timed out", "not analysed", "errors in the program"],
    );
  });
  test("does not call a program exact of which a measure has no number", () => {
    const without = { verdict: null, result: null, error: "out of time" } as Answer;
    assert.equal(present(READY, false, results("current", { answers: [without] })).text, "exact · 1 without a number");
  });
  test("says why results are not those of the text, where the server knows", () => {
    assert.match(present(READY, false, results("stale")).detail, /for an earlier text/);
    assert.equal(present(READY, false, results("stale", { message: "cancelled" })).detail, "cancelled");
  });
  test("is busy while an analysis runs, and while the server starts or is set up", () => {
    assert.ok(present(READY, true, undefined).busy);
    assert.ok(present(READY, false, results("computing")).busy);
    assert.ok(!present(READY, true, results("current")).busy, "another program is computed");
    assert.ok(present({ kind: "starting", command: "s" }, false, undefined).busy);
    assert.ok(present({ kind: "settingUp" }, false, undefined).busy);
  });
  test("counts violated budgets", () => {
    const violated = { verdict: "violated" } as Answer;
    assert.match(present(READY, false, results("current", { answers: [violated] })).detail, /a budget is violated/);
    assert.match(present(READY, false, results("current", { answers: [violated, violated] })).detail, /2 budgets are/);
  });
  test("says nothing of the troubles of another program beside one that has its numbers", () => {
    const trouble = { health: "warning", message: "other.seep: the time limit of 30 s was reached" };
    const shown = present(READY, false, results("current"), trouble);
    assert.equal(shown.severity, "information");
    assert.ok(!shown.detail.includes("other.seep"));
  });
  test("says what the server says of its health where no program is in sight", () => {
    const shown = present(READY, false, undefined, { health: "error", message: "a worker is gone" });
    assert.equal(shown.severity, "error");
    assert.equal(shown.detail, "a worker is gone");
  });
  test("says what is in the way", () => {
    const shown = present({ kind: "missing", problem: { kind: "noPython" } }, false, undefined);
    assert.equal(shown.severity, "warning");
    assert.match(shown.detail, /3\.11/);
  });
});

suite("messages", () => {
  const problems: Problem[] = [
    { kind: "notSetUp", virtual: false, untrusted: false },
    { kind: "notSetUp", virtual: true, untrusted: false },
    { kind: "notSetUp", virtual: false, untrusted: true },
    { kind: "wrongSetting", path: "/gone" },
    { kind: "noPython" },
    { kind: "oldPython", command: "/usr/bin/python3", version: "3.9" },
    { kind: "noWheel" },
    { kind: "setUpFailed", failure: "network" },
    { kind: "setUpFailed", failure: "venv" },
    { kind: "setUpFailed", failure: "pip" },
    { kind: "setUpFailed", failure: "space" },
    { kind: "setUpFailed", failure: "doctor" },
    { kind: "notStarted", command: "/bin/seepage-lsp" },
    { kind: "keepsStopping", command: "/bin/seepage-lsp" },
  ];
  test("each obstacle has its own message", () => {
    const messages = problems.map((problem) => advise(problem).message);
    assert.equal(new Set(messages).size, problems.length);
  });
  test("an old Python is named with its place and version", () => {
    const { message, button } = advise({ kind: "oldPython", command: "/usr/bin/python3", version: "3.9" });
    assert.match(message, /3\.9.*\/usr\/bin\/python3.*3\.11/);
    assert.equal(button, "Choose Python");
  });
});
