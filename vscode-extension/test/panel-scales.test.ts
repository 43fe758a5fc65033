import assert from "node:assert/strict";
import { test } from "node:test";
import { across, type Frame, logarithmic } from "../panel/view/scales";

const FRAME: Frame = { width: 440, left: 46, right: 428, top: 14, bottom: 172 };

function ticks(low: number, high: number): number[] {
  return logarithmic(low, high, FRAME.left, FRAME.right).ticks.map(({ value }) => value);
}

test("a logarithmic axis has its powers of ten, the last one, too", () => {
  assert.deepEqual(ticks(0.01, 100), [0.01, 0.1, 1, 10, 100]);
  assert.deepEqual(ticks(0.02, 500), [0.1, 1, 10, 100]);
});

test("a logarithmic axis over few powers of ten is marked to its end", () => {
  assert.deepEqual(ticks(1, 10), [1, 2, 5, 10]);
  assert.deepEqual(ticks(0.5, 30), [0.5, 1, 2, 5, 10, 20]);
  assert.deepEqual(ticks(6, 9), [6, 7, 8, 9]);
});

test("a logarithmic axis over many powers of ten has a few of them, the last one among these", () => {
  const found = ticks(1e-12, 1e12);
  assert.equal(found.at(-1), 1e12);
  assert.ok(found.length <= 8 && found.length >= 5);
});

test("what stands below the ends of an axis lies within the picture", () => {
  const drawn = across(logarithmic(0.00001, 1e5, FRAME.left, FRAME.right), FRAME, "x");
  const texts = JSON.stringify(drawn).matchAll(/"x":"([\d.]+)"/g);
  const middles = [...texts].map(([, x]) => Number(x));
  assert.ok(middles.length >= 5);
  assert.ok(Math.max(...middles) + "100000".length * 3 < FRAME.width);
});
