import assert from "node:assert/strict";
import { test } from "node:test";
import { across, type Frame, linear, logarithmic, shortened } from "../panel/view/scales";

const FRAME: Frame = { width: 440, left: 54, right: 428, top: 14, bottom: 172 };

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
  const drawn = across(linear(123400, 123800, FRAME.left, FRAME.right, 4), FRAME, "x");
  const texts = JSON.stringify(drawn).matchAll(/"x":"([\d.]+)"/g);
  const middles = [...texts].map(([, x]) => Number(x));
  assert.ok(middles.length >= 5);
  assert.ok(Math.max(...middles) + "123800".length * 3 < FRAME.width);
});

test("a tick says its own value, in the way that takes less room", () => {
  const texts = (low: number, high: number): string[] => linear(low, high, 0, 1, 4).ticks.map(({ text }) => text);
  assert.deepEqual(texts(0, 0.00006), ["0", "2e-5", "4e-5", "6e-5"]);
  assert.deepEqual(texts(0, 0.000015), ["0", "5e-6", "1e-5", "1.5e-5"]);
  assert.deepEqual(texts(0, 0.02), ["0", "0.005", "0.01", "0.015", "0.02"]);
  assert.deepEqual(texts(0, 1e6), ["0", "2e5", "4e5", "6e5", "8e5", "1e6"]);
  assert.deepEqual(texts(12340, 12380), ["12340", "12350", "12360", "12370", "12380"]);
});

test("a long name is cut where an axis ends", () => {
  assert.equal(shortened("eps", 3), "eps");
  assert.equal(shortened("epsilon", 4), "eps…");
});
