import assert from "node:assert/strict";
import { test } from "node:test";
import {
  enclosed,
  inPercent,
  justified,
  numberText,
  percentText,
  rounded,
  secondsText,
  symbolOf,
} from "../panel/numbers";
import type { Certainty, Wire } from "../panel/contract";
import { result } from "./panel-fixture";
import reports from "./panel-digits.json";
import texts from "./panel-number-texts.json";

type Case = readonly [number, number, number, number, string | null, string, string];

test("numbers have the digits that reports give them", () => {
  // The cases were written by the reports of the library, which round decimals of Python.
  const plain = (text: string | null): string | null => text?.replaceAll("−", "-") ?? null;
  for (const [lower, value, upper, most, shown, down, up] of reports as unknown as readonly Case[]) {
    const written = [justified(lower, value, upper, most), rounded(lower, 3, "down"), rounded(upper, 3, "up")];
    assert.deepEqual(written.map(plain), [shown, down, up], `${String(lower)} ≤ ${String(value)} ≤ ${String(upper)}`);
  }
});

test("numbers are written as reports write them, with the estimate where it is one", () => {
  type Text = readonly [Wire, Wire | null, Wire, boolean, Certainty, string, number, string];
  for (const [lower, value, upper, estimated, certainty, unit, most, text] of texts as unknown as readonly Text[]) {
    const written = numberText(result("I(r; o)", 0, { lower, value, upper, estimated, certainty, unit }), most);
    assert.equal(written.replaceAll("−", "-"), text);
  }
});

test("a number whose bounds differ in the second digit is written as its bounds, rounded outward", () => {
  const wide = result("I(inc; out)", 1.408, { lower: 1.06356, upper: 1.75265, certainty: "certified" });
  assert.equal(numberText(wide), "1.06 ≤ I ≤ 1.76 bits");
  assert.equal(numberText({ ...wide, value: null }), "1.06 ≤ I ≤ 1.76 bits");
  assert.equal(numberText({ ...wide, estimated: true }), "1.06 ≤ I ≤ 1.76 bits, estimate 1.41");
  assert.equal(enclosed(wide), "1.06 to 1.76");
});

test("a number without bounds says so", () => {
  const estimated = true;
  const free = result("H(x)", 2.5, { lower: "-inf", upper: "inf", estimated });
  assert.equal(numberText(free), "estimate 2.5 bits, no bounds known");
  assert.equal(numberText(result("H(x)", 2.5, { lower: "-inf", upper: 3, estimated })), "H ≤ 3 bits, estimate 2.5");
});

test("infinities and what is no number are never written as finite numbers", () => {
  assert.deepEqual(
    [Infinity, -Infinity, NaN].map((each) => rounded(each, 4)),
    ["∞", "−∞", "—"],
  );
});

test("one bit is singular", () => {
  assert.equal(numberText(result("H(x)", 1)), "1 bit");
});

test("probabilities in percent stay enclosures", () => {
  const bounds = inPercent({ lower: 0.1 + 0.2, value: 0.30000000000000004, upper: 0.31 });
  assert.ok(Number(bounds.lower) <= 100 * 0.30000000000000004 && Number(bounds.upper) >= 31);
  assert.equal(percentText(inPercent({ lower: 0.25, value: 0.25, upper: 0.25 })), "25 %");
  assert.equal(percentText(inPercent({ lower: 0.25, value: 0.5, upper: 1 })), "25 % to 100 %");
  assert.equal(percentText(inPercent({ lower: 3e-9, value: 3e-9, upper: 3e-9 })), "3e−7 %");
  assert.equal(percentText({ lower: 0, value: 7, upper: 14.55 }), "0 % to 14.6 %");
});

test("the letter of bounds is the measure's name, or M for arithmetic", () => {
  assert.deepEqual(["I(r; o)", "H(r | f(o))", "100 * I(r; o) / H(r)", "H(x) - H(y)"].map(symbolOf), [
    "I",
    "H",
    "M",
    "M",
  ]);
});

test("times are short", () => {
  assert.deepEqual([0.0004, 0.0381, 1.26, 12].map(secondsText), ["1 ms", "38 ms", "1.3 s", "12 s"]);
});
