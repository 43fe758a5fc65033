import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameter } from "../panel/contract";
import { wrongValue } from "../src/parameters";

const EPS: Parameter = {
  name: "eps",
  documentation: null,
  domain: "(0, 10]",
  low: 0,
  high: 10,
  lowOpen: true,
  highOpen: false,
  integer: false,
  default: "1",
  value: 1,
  overridden: false,
  measures: null,
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } },
};

test("numbers and fractions are held to the domain, open ends included", () => {
  assert.equal(wrongValue("1/2", EPS), undefined);
  assert.equal(wrongValue(" 10 ", EPS), undefined);
  assert.match(wrongValue("0", EPS) ?? "", /outside/);
  assert.match(wrongValue("21/2", EPS) ?? "", /outside/);
  assert.match(wrongValue("-1", EPS) ?? "", /outside/);
});

test("an unbounded domain bounds nothing", () => {
  assert.equal(wrongValue("1e9", { ...EPS, high: "inf" }), undefined);
});

test("whole numbers are asked for where the parameter is one", () => {
  assert.match(wrongValue("1/2", { ...EPS, integer: true }) ?? "", /whole number/);
  assert.equal(wrongValue("4/2", { ...EPS, integer: true }), undefined);
});

test("what only the server can read passes, and so does nothing, which is the default", () => {
  assert.equal(wrongValue("log(2)", EPS), undefined);
  assert.equal(wrongValue("", EPS), undefined);
});
