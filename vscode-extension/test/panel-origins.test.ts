import assert from "node:assert/strict";
import { test } from "node:test";
import type { Changes, Segment, Where } from "../panel/contract";
import { find, type Node, textOf } from "../panel/tree";
import { WHERE } from "../panel/wants";
import { page } from "../panel/view/page";
import { after, answer, asked, line, parameter, REQUIRE, result, RESULTS, URI, withResults } from "./panel-fixture";
import { update } from "../panel/update";

const EPS = parameter("eps", { measures: ["I(r; o)"] });
const BUDGET = { ...REQUIRE, over: null, source: "I(r; o) <= 0.3 bits" };
const WITH_BUDGET = { ...RESULTS, parameters: [EPS, parameter("p", { measures: [] })], answers: [BUDGET] };

function segment(low: number, high: number, told: Segment["told"]): Segment {
  return { low, high, lowText: String(low), highText: String(high), told };
}

function classed(node: Node, name: string): Node[] {
  return find(node, ({ attributes }) =>
    String(attributes["class"] ?? "")
      .split(" ")
      .includes(name),
  );
}

test("where budgets hold is asked of the parameters that they depend on, at the values of the others", () => {
  const wants = asked(withResults(WITH_BUDGET), { is: "slide", name: "p", part: 0.3 });
  const ranges = wants.filter(({ method }) => method === "seepage/range");
  assert.deepEqual(
    ranges.map(({ params }) => params),
    [
      {
        textDocument: { uri: URI },
        parameter: "eps",
        budgets: ["I(r; o) <= 0.3 bits"],
        low: "0",
        high: "10",
        parameters: { p: "3" },
      },
    ],
  );
  const own = asked(withResults(WITH_BUDGET), { is: "slide", name: "eps", part: 0.3 });
  assert.deepEqual(own.find(({ method }) => method === "seepage/range")?.params["parameters"], {});
});

test("a budget over ranges says nothing of the slider", () => {
  const wants = asked(withResults({ ...WITH_BUDGET, answers: [REQUIRE] }), { is: "slide", name: "p", part: 0.3 });
  assert.equal(wants.filter(({ method }) => method === "seepage/range").length, 0);
});

test("the band has what is proved at its place, and a click leads to the end", () => {
  const model = withResults(WITH_BUDGET);
  const segments = [segment(0, 2.5, "holds"), segment(2.5, 2.6, "not told"), segment(2.6, 10, "violated")];
  const told = answer(model, "range eps", { version: 3, parameter: "eps", segments });
  const drawn = update(model, told).model;
  const band = classed(page(drawn), "holding")[0];
  assert.ok(band !== undefined);
  const [holds, violated] = [classed(band, "holds")[0], classed(band, "violated")[0]];
  assert.deepEqual([holds?.attributes["x"], holds?.attributes["width"]], ["0.00%", "25.00%"]);
  assert.deepEqual([violated?.attributes["x"], violated?.attributes["width"]], ["26.00%", "74.00%"]);
  const marks = classed(band, "mark");
  assert.equal(marks.length, 1);
  const click = marks[0]?.on["click"]?.({ value: "", key: "", open: false, x: 0, y: 0 }) ?? { is: "repaint" as const };
  assert.deepEqual(click, { is: "enter", name: "eps", text: "2.5" });
  assert.equal(update(drawn, click).model.values["eps"], "2.5");
  assert.match(textOf(page(drawn)), /the budgets hold for eps in \[0, 2\.5\] · set 2\.5/);
});

test("where nothing is proved there is no band, and no words", () => {
  const model = withResults(WITH_BUDGET);
  const told = answer(model, "range eps", { version: 3, parameter: "eps", segments: [segment(0, 10, "not told")] });
  assert.equal(classed(page(update(model, told).model), "holding").length, 0);
});

test("two ranges in which budgets hold have an end each", () => {
  const model = withResults(WITH_BUDGET);
  const segments = [segment(0, 1, "holds"), segment(1, 9, "violated"), segment(9, 10, "holds")];
  const text = textOf(page(update(model, answer(model, "range eps", { version: 3, segments })).model));
  assert.match(text, /in \[0, 1\] and \[9, 10\] · set 1 · set 9/);
});

const FOUND: Where = {
  version: 3,
  measure: "I(r; o)",
  result: result("I(r; o)", 0.5),
  note: "",
  statements: [
    {
      text: "o := r",
      told: "without it 0 bits (▼ 0.5 bits)",
      without: { lower: 0, upper: 0 },
      falls: 0.5,
      rises: 0,
      note: null,
      range: line(4),
    },
    {
      text: "k ~ bernoulli(1/2)",
      told: "without it 1 bit (▲ 0.5 bits)",
      without: { lower: 1, upper: 1 },
      falls: 0,
      rises: 0.5,
      note: null,
      range: line(3),
    },
    {
      text: "r ~ bernoulli(1/2)",
      told: "",
      without: null,
      falls: 0,
      rises: 0,
      note: "it is the secret that is asked about",
      range: line(2),
    },
  ],
};

test("where it leaks is asked once it is opened, and drawn with a mark at the number with all", () => {
  assert.equal(withResults().slots[WHERE], undefined);
  const model = after(
    { is: "document", uri: URI, name: "poll.seep" },
    { is: "results", uri: URI, results: RESULTS },
    { is: "open", what: "where", open: true },
  );
  const drawn = page(update(model, answer(model, WHERE, FOUND)).model);
  const section = classed(drawn, "where")[0];
  assert.ok(section !== undefined);
  const widths = classed(section, "bar").map((bar) => find(bar, ({ tag }) => tag === "rect"));
  assert.deepEqual(
    widths.map((rects) => [rects[1]?.attributes["width"], rects[2]?.attributes["x"]]),
    [
      ["0.00", 50],
      ["100.00", 50],
    ],
  );
  assert.match(textOf(section), /o := rwithout it 0 bits/);
  assert.match(textOf(section), /it is the secret that is asked about/);
});

const CHANGES: Changes = {
  revision: "HEAD",
  commit: "0123456789",
  worse: true,
  measures: [
    { measure: "r -> o", told: "0.1 bits → 0.16 bits, grew by 0.06 bits", direction: "grew", worse: true },
    { measure: "H(r)", told: "1 bit → 1 bit, unchanged", direction: "unchanged", worse: false },
  ],
  budgets: [],
  errors: [],
  orders: [{ told: "r -> o: tells at least as much as before, and more", order: "leakier", shown: ["more: …"] }],
};

test("what changed since the last commit is told, and asks nothing anew", () => {
  const before = withResults();
  const results = { ...RESULTS, changes: CHANGES };
  const model = update(before, { is: "results", uri: URI, results }).model;
  assert.equal(model.epoch, before.epoch);
  const section = classed(page(model), "changes")[0];
  assert.ok(section !== undefined);
  assert.match(textOf(section), /Since HEAD0123456789▲ worse: r -> o: 0\.1 bits → 0\.16 bits/);
  assert.doesNotMatch(textOf(section), /unchanged/);
  assert.equal(classed(page(before), "changes").length, 0);
  const stale = update(model, { is: "results", uri: URI, results: { ...results, current: false, state: "stale" } });
  assert.equal(classed(page(stale.model), "changes").length, 0);
});
