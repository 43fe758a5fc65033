import assert from "node:assert/strict";
import { test } from "node:test";
import type { Result, Results, Seen, Strategy } from "../panel/contract";
import type { Message } from "../panel/message";
import { find, textOf } from "../panel/tree";
import { page } from "../panel/view/page";
import { RESULTS, ROW, SHOW, result, tagged, withClass, withResults } from "./panel-fixture";

const known = (text: string, yes: boolean, chance: number, value: string): Seen => ({
  text,
  seen: { answer: yes ? "1" : "0" },
  chance,
  left: { bits: 0, guess: 1, value, among: "" },
  then: null,
});
const unsure = (text: string, yes: boolean, chance: number, among: string, then: Seen["then"]): Seen => ({
  text,
  seen: { answer: yes ? "1" : "0" },
  chance,
  left: { bits: 1, guess: 0.5, value: "", among },
  then,
});
/** Ask for 1 first: of four grades with equal chances, one answer tells one bit, two tell all. */
const PLAYED: Strategy = {
  text: "q[1] = 1; …",
  how: "backward induction",
  decided: true,
  onlyBounds: "",
  secret: "grade",
  statements: ["q[1] := 1", "q[2] := if yes[1] == 1 then 0 else 2"],
  measure: "",
  beforehand: {
    choose: { "q[1]": "0", "q[2]": "1" },
    value: 1.5,
    unit: "bits",
    left: { bits: 0.5, guess: 0.75, value: "", among: "" },
  },
  start: [
    {
      text: "",
      seen: {},
      chance: 1,
      left: { bits: 2, guess: 0.25, value: "", among: "" },
      then: {
        choose: { "q[1]": "1" },
        asks: "grade <= 1",
        answers: [
          unsure("yes[1]", true, 0.5, "grade <= 1", {
            choose: { "q[2]": "0" },
            asks: "grade <= 0",
            answers: [known("yes[2]", true, 0.25, "grade = 0"), known("not yes[2]", false, 0.25, "grade = 1")],
          }),
          unsure("not yes[1]", false, 0.5, "grade >= 2", null),
        ],
      },
    },
  ],
};

function attacked(more: Partial<Result>, ...messages: readonly Message[]): string[] {
  const results: Results = {
    ...RESULTS,
    answers: [{ ...SHOW, measure: "I(r; o)", result: result("I(r; o)", 2, more) }],
    // A row of the table that was found before its strategy does not tell it.
    table: [{ ...ROW, information: result("I(r; o)", 2) }],
  };
  return drawnOf(results, ...messages);
}

function drawnOf(results: Results, ...messages: readonly Message[]): string[] {
  const tree = page(withResults(results, ...messages));
  const [drawn] = find(tree, withClass("strategy"));
  return drawn === undefined ? [] : find(drawn, tagged("summary", "h3", "p", "tr", "pre")).map(textOf);
}

test("a strategy is a tree of questions and answers, with what each leaves, and who asks all at once stands beside", () => {
  assert.deepEqual(attacked({ strategy: PLAYED }), [
    "Best strategy for I(r; o)",
    // Half of the runs know the grade in the end, the other half are between two.
    "Two questions, each chosen after the answers before, tell 1.5 of 2 bits about grade. A guess in one try is then right with 75\u00a0%, before with 25\u00a0%.",
    "who asksleak, bitsshareguess",
    "adaptive, this one1.575 %75 %",
    "all chosen beforehand 0, 11.575 %75 %",
    "question and answerhappensbits leftguess",
    "▾ ask grade <= 1100 %2.00025 %",
    "▾yes ask grade <= 050 %1.00050 %",
    "yes grade = 025 %0100 %",
    "no grade = 125 %0100 %",
    "no grade >= 250 %1.00050 %",
    "A line tells what is left when it is reached. Of equal trees, the one whose choices come first in the domain. What cannot happen is left out. How it was found: backward induction.",
  ]);
  assert.deepEqual(attacked({}), []);
});

test("what all outputs tell has its strategy where no measure is written", () => {
  const row = { ...ROW, information: result("I(r; o)", 2, { strategy: PLAYED }) };
  const other = { ...ROW, information: result("I(r; o)", 2, { strategy: { ...PLAYED, measure: "I(r, s; o)" } }) };
  const [own, of] = [row, other].map((one) => drawnOf({ ...RESULTS, answers: [], table: [one] }));

  assert.equal(own?.[0], "Best strategy for I(r; o)");
  assert.ok(own.some((line) => line.includes("ask grade <= 1")));
  assert.equal(of?.[0], "Best strategy for I(r, s; o)");
});

test("a strategy of which nothing is left to weigh names what is seen and chosen", () => {
  const [start] = PLAYED.start;
  const then = { choose: { g: "3" }, asks: "", answers: [] };
  const plain: Strategy = {
    ...PLAYED,
    start: start === undefined ? [] : [{ ...start, left: null, then }],
    beforehand: null,
  };
  assert.deepEqual(attacked({ strategy: plain }).slice(2, 4), ["seen, and chosen thenhappens", " choose g = 3100 %"]);
});

test("a strategy as statements unfolds", () => {
  const told = attacked({ strategy: PLAYED }, { is: "open", what: "statements Best strategy for I(r; o)", open: true });
  assert.equal(told.at(-1), "q[1] := 1\nq[2] := if yes[1] == 1 then 0 else 2");
});

test("lines of a strategy close, and a measure without a direction has two", () => {
  const closed = attacked(
    { strategy: PLAYED },
    { is: "open", what: "strategy Best strategy for I(r; o) 0 0", open: false },
  );
  assert.equal(closed.length, 10);
  const ends = { minimum: result("E(n)", 1, { strategy: PLAYED }), maximum: result("E(n)", 2, { strategy: PLAYED }) };
  assert.deepEqual(
    attacked(ends).filter((text) => text.startsWith("Strateg")),
    ["Strategies for I(r; o)", "Strategy for the least I(r; o)", "Strategy for the largest I(r; o)"],
  );
});
