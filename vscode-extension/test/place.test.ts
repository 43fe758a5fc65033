import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf } from "../src/place";

test("a position is a place", () => {
  assert.deepEqual(placeOf(["file:///a.seep", { line: 3, character: 7 }]), {
    uri: "file:///a.seep",
    line: 3,
    character: 7,
  });
});

test("a range is the place where it starts", () => {
  const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 9 } };
  assert.deepEqual(placeOf(["untitled:x", range]), { uri: "untitled:x", line: 1, character: 2 });
});

test("anything else is no place", () => {
  const wrong = [[], ["u"], [1, { line: 0, character: 0 }], ["u", null], ["u", { line: -1, character: 0 }], ["u", {}]];
  assert.deepEqual(
    wrong.map(placeOf),
    wrong.map(() => undefined),
  );
});
