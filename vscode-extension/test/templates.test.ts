import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { templatesOf } from "../src/templates";

test("templates are the snippets that are whole programs", () => {
  const names = templatesOf(JSON.parse(readFileSync("snippets/seep.json", "utf8"))).map(({ name }) => name);
  assert.ok(names.includes("Crowds"));
  assert.ok(!names.includes("For loop"));
});

test("a file that holds something else has none", () => {
  assert.deepEqual(templatesOf(null), []);
  assert.deepEqual(templatesOf({ odd: { body: "secret" } }), []);
});
