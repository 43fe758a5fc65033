import assert from "node:assert/strict";
import { test } from "node:test";
import { copied, csv, fileName, picture } from "../panel/exports";
import { update } from "../panel/update";
import { CURVE, MAP } from "../panel/wants";
import { answer, CURVE_OF_EPS, MAP_OF_BOTH, place, result, RESULTS, URI, withResults } from "./panel-fixture";

function drawn() {
  const first = withResults();
  const second = update(first, answer(first, CURVE, CURVE_OF_EPS)).model;
  return update(second, answer(second, MAP, MAP_OF_BOTH)).model;
}

test("a curve is exported with its bounds, and its gaps as notes", () => {
  assert.equal(
    csv(drawn(), "curve"),
    "eps,lower (bits),value (bits),upper (bits),note\r\n0,-0.01,0,0.01,\r\n5,,,,no run passes\r\n10,0.89,0.9,0.91,\r\n",
  );
});

test("a map is exported with both coordinates in each line", () => {
  const lines = csv(drawn(), "map")?.trimEnd().split("\r\n") ?? [];
  assert.equal(lines[0], "p,eps,lower (bits),value (bits),upper (bits),note");
  assert.equal(lines.length, 7);
  assert.equal(lines[6], "1,10,0.99,1,1.01,");
});

test("cells with commas are quoted", () => {
  const results = { ...RESULTS, table: RESULTS.table.map((row) => ({ ...row, output: 'o, "q"' })) };
  assert.ok(csv(withResults(results), "table")?.includes('r,"o, ""q""",0.16 bits,16 %,exact'));
});

test("nothing is exported that is not current", () => {
  const stale = update(drawn(), {
    is: "results",
    uri: URI,
    results: { ...RESULTS, current: false, state: "stale" },
  }).model;
  assert.deepEqual([csv(stale, "curve"), csv(stale, "table"), picture(stale, "map", "")], [null, null, null]);
  assert.ok(!copied(stale, "markdown").includes("0.16"));
});

test("a picture is a document by itself, with title, style and ground", () => {
  const svg = picture(drawn(), "curve", ".curve { stroke: #123456; }") ?? "";
  assert.ok(svg.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg"'));
  assert.match(svg, /width="440" height="214"/);
  assert.match(svg, /<title>I\(r; o\) over eps/);
  assert.match(svg, /<style>\.curve \{ stroke: #123456; \}<\/style>/);
  assert.equal(svg.match(/<svg/g)?.length, 1);
});

test("a command prints the number at the panel's values", () => {
  assert.equal(copied(withResults(), "command"), "seepage measure '/work/a b/poll.seep' 'I(r; o)' --unit bits");
  const moved = withResults(RESULTS, { is: "enter", name: "p", text: "1/4" });
  assert.equal(copied(moved, "command"), "seepage measure '/work/a b/poll.seep' 'I(r; o)' --set p=1/4 --unit bits");
});

test("LaTeX has the formula, and the number as a comment", () => {
  const text = copied(withResults(), "latex");
  assert.equal(text, "\\[ \\mathrm{I(r; o)} = h(p) - h(q) \\]\n% 0.16 bits, exact, at p = 1/2, eps = 1\n");
});

test("Markdown has number, certainty, formula and table", () => {
  const text = copied(withResults(), "markdown");
  for (const part of [
    "**poll.seep** at p = 1/2, eps = 1",
    "`I(r; o)` = 0.16 bits · exact",
    "| r | o | 0.16 bits | 16 % | exact |",
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
});

test("a number that is being computed is not copied", () => {
  const moved = withResults(RESULTS, { is: "slide", name: "eps", part: 0.3 });
  assert.ok(!copied(moved, "markdown").includes("0.16"));
  const slot = place("I(r; o)");
  const arrived = update(moved, answer(moved, slot, { version: 3, result: result("I(r; o)", 0.51) })).model;
  assert.ok(copied(arrived, "markdown").includes("0.51 bits"));
});

test("files are named after program and measure", () => {
  assert.equal(fileName(withResults(), "curve", "svg"), "poll-i-r-o-curve.svg");
});
