import assert from "node:assert/strict";
import { test } from "node:test";
import type { Posterior } from "../panel/contract";
import type { Message } from "../panel/message";
import { pageOf, SEARCH } from "../panel/posteriors";
import { find, textOf } from "../panel/tree";
import { update } from "../panel/update";
import { page } from "../panel/view/page";
import { answer, chance, full, withClass, tagged } from "./panel-fixture";

test("steps of a derivation fold, and statements lead to their lines", () => {
  const open = find(page(full()), withClass("derivation"))[0] ?? "";
  assert.ok(textOf(open).includes("o := r"));
  const fold = find(open, (node) => withClass("fold")(node) && node.tag === "button")[0];
  const message = fold?.on["click"]?.({ value: "", key: "", open: false, x: 0, y: 0 });
  assert.ok(message != null);
  const closed = find(page(full(message)), withClass("derivation"))[0] ?? "";
  assert.ok(!textOf(closed).includes("o := r"));
  assert.ok(textOf(closed).includes("2 lines") && textOf(closed).includes("the end"));
});

/** A hundred secrets of which each of fifty outputs leaves two. */
const LONG: Posterior = {
  prior: Array.from({ length: 100 }, (_, at) => chance(`p${String(at)}`, 0.01)),
  outputs: Array.from({ length: 50 }, (_, at) => ({
    ...chance(String(at), 0.02),
    posterior: [chance(`p${String(2 * at)}`, 0.75), chance(`p${String(2 * at + 1)}`, 0.25)],
  })),
  note: null,
  version: 3,
};

function paged(...messages: readonly Message[]): string[] {
  const known = full();
  const long = update(known, answer(known, "posterior", LONG)).model;
  const model = messages.reduce((before, message) => update(before, message).model, long);
  return find(page(model), withClass("posterior")).flatMap((each) => find(each, tagged("tr", "p")).map(textOf));
}

test("posteriors of many values are paged and searched", () => {
  const first = paged();
  assert.equal(first.length, 1 + 1 + 25 + 1);
  assert.equal(first[2], "o = 02 %2p0 75 %");
  assert.equal(first.at(-1), "1 to 25 of 50 values of o ");
  const next = paged({ is: "type", name: pageOf(""), text: "25" });
  assert.equal(next[2], "o = 252 %2p50 75 %");
  assert.equal(next.at(-1), "26 to 50 of 50 values of o ");
  // A search starts at its first page, and finds secrets that are not the likeliest.
  assert.deepEqual(
    paged({ is: "type", name: pageOf(""), text: "25" }, { is: "type", name: SEARCH, text: "P77" }).slice(2),
    ["o = 382 %2p77 25 %", "1 to 1 of 1 values of o "],
  );
  assert.equal(paged({ is: "type", name: SEARCH, text: "nobody" }).at(-1), "nothing is called so");
});

test("posteriors stand beside the prior", () => {
  const posterior = find(page(full()), withClass("posterior"))[0] ?? "";
  for (const part of ["before", "o = 1", "40 %", "25 %", "75 %"]) {
    assert.ok(textOf(posterior).includes(part), part);
  }
});
