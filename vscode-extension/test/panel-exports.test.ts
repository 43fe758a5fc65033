import assert from "node:assert/strict";
import { test } from "node:test";
import { copied, csv, fileName, picture } from "../panel/exports";
import type { Model } from "../panel/model";
import { update } from "../panel/update";
import { CURVE, MAP, numberSlot, POSTERIOR } from "../panel/wants";
import {
  answer,
  CURVE_OF_EPS,
  MAP_OF_BOTH,
  place,
  result,
  RESULTS,
  ROW,
  UNFOLD,
  URI,
  withResults,
} from "./panel-fixture";

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

test("posteriors are exported with a line for each value of the secret that is possible", () => {
  const model = withResults(RESULTS, { is: "open", what: "posterior", open: true });
  const chance = (value: string, probability: number) => ({
    value,
    probability: { lower: probability, value: probability, upper: probability },
  });
  const posterior = {
    prior: [chance("0", 0.25), chance("1", 0.75)],
    outputs: [{ ...chance("1, yes", 0.5), posterior: [chance("1", 1)] }],
    note: null,
    version: 3,
  };
  assert.equal(csv(model, "posteriors"), null);
  assert.equal(
    csv(update(model, answer(model, POSTERIOR, posterior)).model, "posteriors"),
    'o,happens,r,lower,value,upper\r\n,,0,0.25,0.25,0.25\r\n,,1,0.75,0.75,0.75\r\n"1, yes",0.5,1,1,1,1\r\n',
  );
});

test("cells with commas are quoted", () => {
  const results = { ...RESULTS, table: RESULTS.table.map((row) => ({ ...row, output: 'o, "q"' })) };
  assert.ok(csv(withResults(results), "table")?.includes('r,"o, ""q""",bits,0.16,0.16,0.16,exact,16,16,16,exact,'));
});

/** The table as a record a row. */
function records(model: Model): Record<string, string>[] {
  const [head = [], ...lines] = (csv(model, "table") ?? "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  for (const line of lines) {
    assert.equal(line.length, head.length);
  }
  return lines.map((line) => Object.fromEntries(head.map((name, index) => [name, line[index] ?? ""])));
}

test("the table is exported as numbers in full precision, with bounds, the worst output, guesses and the privacy loss", () => {
  const bounds = { lower: 0.0481234567890123, upper: 0.0491, unit: "nats", certainty: "certified" } as const;
  const row = {
    ...ROW,
    information: result("I(r; o)", 0.0486, bounds),
    least_left: { output: "o = 0", entropy: result("H(r | o == 0)", 0.3) },
  };
  const first = withResults({ ...RESULTS, table: [row] }, ...UNFOLD);
  const loss = { version: 3, result: result("DP(r -> o)", 1, { upper: "inf", unit: "nats", certainty: "certified" }) };
  const [found] = records(update(first, answer(first, place("DP(r -> o)"), loss)).model);
  assert.deepEqual(found, {
    ...{ secret: "r", output: "o", unit: "nats" },
    ...{ "leak lower": "0.0481234567890123", leak: "0.0486", "leak upper": "0.0491", "leak certainty": "certified" },
    ...four("share of entropy (%)", "16"),
    ...{ "worst output": "o = 1", ...four("divergence", "0.16") },
    ...{ "output that leaves least": "o = 0", ...four("entropy left", "0.3") },
    ...{ ...four("guess before", "0.5"), ...four("guess after", "0.73") },
    ...{ "privacy loss lower": "1", "privacy loss": "1", "privacy loss upper": "Infinity" },
    ...{ "privacy loss certainty": "certified", note: "" },
  });
});

function four(name: string, value: string): Record<string, string> {
  return { [`${name} lower`]: value, [name]: value, [`${name} upper`]: value, [`${name} certainty`]: "exact" };
}

test("a number of the table that is being computed is empty, with a note", () => {
  const [found] = records(withResults(RESULTS, { is: "slide", name: "eps", part: 0.3 }));
  const names = ["leak", "leak upper", "worst output", "divergence", "guess after", "privacy loss", "leak certainty"];
  assert.deepEqual(
    names.map((name) => found?.[name]),
    names.map(() => ""),
  );
  assert.match(found?.["note"] ?? "", /^leak: not computed yet; .*privacy loss: not computed yet$/);
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
  assert.equal(text, "\\[ \\texttt{I(r; o)} = h(p) - h(q) \\]\n% 0.16 bits, exact, at p = 1/2, eps = 1\n");
});

test("a measure stands in LaTeX as it is written", () => {
  const measure = "KL(a_1 | o^2 == 1 || a_1)";
  const model = withResults(RESULTS, { is: "ask", measure });
  assert.ok(copied(model, "latex").includes("\\texttt{KL(a\\_1 | o\\textasciicircum{}2 == 1 || a\\_1)}"));
});

test("a command for a measure that was asked for names the unit of its number", () => {
  const measure = "KL(r | o == 1 || r)";
  const asking = withResults(RESULTS, { is: "ask", measure });
  const value = { version: 3, result: result(measure, 0.69, { unit: "nats" }) };
  const model = update(asking, answer(asking, numberSlot(measure, ""), value)).model;
  assert.equal(copied(model, "command"), `seepage measure '/work/a b/poll.seep' '${measure}' --unit nats`);
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
