import assert from "node:assert/strict";
import { test } from "node:test";
import type { Point } from "../panel/contract";
import { axisOf } from "../panel/model";
import { find, textOf } from "../panel/tree";
import { update } from "../panel/update";
import { curvePicture } from "../panel/view/curve";
import { page } from "../panel/view/page";
import { CURVE, CURVE_POINTS } from "../panel/wants";
import {
  CURVE_OF_EPS,
  RESULTS,
  answer,
  asked,
  failure,
  full,
  point,
  tagged,
  withClass,
  withResults,
} from "./panel-fixture";

test("a curve of few points shows them, says so, and offers more", () => {
  const values = Array.from({ length: CURVE_POINTS[0] }, (_, index) => index / 8);
  const plot = { ...CURVE_OF_EPS, axes: [{ parameter: "eps", values }], points: values.map(point) };
  const model = withResults();
  const slow = update(model, answer(model, CURVE, plot, 100)).model;
  const drawn = find(page(slow), withClass("pictures"))[0] ?? page(slow);
  assert.equal(find(drawn, withClass("computed")).length, CURVE_POINTS[0]);
  assert.ok(textOf(drawn).includes("finer ones are on their way"), "the first curve takes its time to get started");
  // That turned out to be too much: the coarse one is there to stay.
  const coarsened = update(slow, failure(slow, CURVE)).model;
  const again = update(coarsened, answer(coarsened, CURVE, plot, 100)).model;
  const figure = find(page(again), withClass("pictures"))[0] ?? page(again);
  assert.ok(textOf(figure).includes("computed at the 9 points only"));
  const more = find(figure, tagged("button")).find((each) => textOf(each) === "draw 33 points");
  const message = more?.on["click"]?.({} as never);
  assert.deepEqual(message, { is: "finer", slot: CURVE });
  const wanted = asked(again, message).find((want) => want.slot === CURVE);
  assert.equal((wanted?.params["over"] as { points: number }[])[0]?.points, CURVE_POINTS[1]);
});

test("the curve is over the last parameter that the measure depends on, until another is chosen", () => {
  const [p, eps] = RESULTS.parameters;
  assert.ok(p !== undefined && eps !== undefined);
  const parameters = [
    { ...p, measures: ["I(r; o)"] },
    { ...eps, measures: [] },
  ];
  const model = withResults({ ...RESULTS, parameters });
  assert.equal(axisOf(model)?.name, "p");
  assert.equal(axisOf(update(model, { is: "axis", name: "eps" }).model)?.name, "eps");
  assert.equal(axisOf(withResults())?.name, "eps", "the last where that is not known");
});

test("a curve that is infinite everywhere is said in words, not drawn in a frame", () => {
  const infinite = { ...point(0), value: "inf", upper: "inf" };
  const curves = (points: unknown) => {
    const model = withResults();
    const tree = page(update(model, answer(model, CURVE, { ...CURVE_OF_EPS, points })).model);
    const plots = find(tree, withClass("plots"))[0] ?? tree;
    return [textOf(plots), find(plots, withClass("curve")).length] as const;
  };
  const [all, none] = curves([infinite, infinite, infinite]);
  assert.ok(all.includes("infinite at every point"));
  assert.equal(none, 0);
  const [some, one] = curves([infinite, point(0.2), point(0.3)]);
  assert.ok(some.includes("infinite at 1 of 3 points"));
  assert.equal(one, 1);
});

test("a chance to guess that is approximate is called so, and so is a curve", () => {
  const row = RESULTS.table[0];
  assert.ok(row?.guess_after != null);
  const after = { ...row.guess_after, certainty: "approximate" as const };
  const model = withResults({ ...RESULTS, table: [{ ...row, guess_after: after }] });
  assert.ok(textOf(find(page(model), withClass("guesses"))[0] ?? "").endsWith("approximate"));
  const certain = find(page(full()), withClass("guesses"))[0] ?? "";
  assert.ok(!textOf(certain).includes("approximate"));
  const points = [0.1, 0.2, 0.3].map((value, index) => ({ ...point(value), certainty: guessed[index] })) as Point[];
  const answered = update(model, answer(model, CURVE, { ...CURVE_OF_EPS, points })).model;
  const plots = find(page(answered), withClass("plots"))[0] ?? "";
  assert.ok(textOf(plots).includes("approximate at 1 of 3 points"));
  assert.equal(find(plots, withClass("guess")).length, 1);
  assert.equal(find(find(page(full()), withClass("plots"))[0] ?? "", withClass("guess")).length, 0);
});
const guessed = ["certified", "certified", "approximate"] as const;

test("a gap in a curve is said, and its points are told apart", () => {
  const plots = find(page(full()), withClass("plots"))[0] ?? "";
  assert.ok(textOf(plots).includes("no number at 1 of 3 points: no run passes"));
  const curve = find(plots, withClass("curve"))[0];
  assert.equal(String(curve?.attributes["d"]).match(/M/g)?.length, 2);
});

test("a budget is drawn at its height and named", () => {
  const plots = find(page(full()), withClass("plots"))[0] ?? "";
  assert.equal(find(plots, withClass("budget-text")).map(textOf).join(), "budget 0.3 bits");
});

test("the map has a cell for each pair of values, and a bar of colours", () => {
  const svg = find(
    page(full()),
    (node) => node.tag === "svg" && String(node.attributes["aria-label"]).includes("p and eps"),
  )[0];
  const cells = find(svg ?? "", (node) => node.key === "cells")[0];
  assert.equal(cells?.children.length, 6);
});

const SHAPES: Readonly<Record<string, (x: number) => number>> = {
  rising: (x) => x,
  falling: (x) => 1 - x,
  valley: (x) => (2 * x - 1) ** 2,
  hill: (x) => 1 - (2 * x - 1) ** 2,
  steep: (x) => 1 / (1 + Math.exp(-40 * (x - 0.5))),
  flat: () => 0.5,
  low: () => 0,
};

for (const [name, shape] of Object.entries(SHAPES)) {
  for (const at of [0, 0.1, 0.25, 0.45, 0.5, 0.55, 0.75, 0.9, 1]) {
    test(`the label at ${String(at)} of a curve that is ${name} does not lie across it`, () => {
      const values = Array.from({ length: 65 }, (_, index) => index / 64);
      const points = values.map((x) => point(shape(x)));
      const picture = curvePicture({
        plot: { ...CURVE_OF_EPS, axes: [{ parameter: "eps", values }], points },
        label: "I(r; o)",
        logarithmic: false,
        budgets: [],
        marker: { at, value: shape(at), text: "0.1887 bits" },
        pointed: null,
      });
      const label = find(picture, withClass("label"))[0];
      const path = find(picture, withClass("curve"))[0];
      assert.ok(label !== undefined && path !== undefined);
      const [x, y] = [Number(label.attributes["x"]), Number(label.attributes["y"])];
      const width = 6 * "0.1887 bits".length;
      const left = label.attributes["text-anchor"] === "end" ? x - width : x;
      const ends = [...String(path.attributes["d"]).matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map((each) => [
        Number(each[1]),
        Number(each[2]),
      ]);
      // Along each straight piece of the curve, closely.
      for (const [index, [x1 = NaN, y1 = NaN]] of ends.entries()) {
        const [x2 = x1, y2 = y1] = ends[index + 1] ?? [x1, y1];
        for (let part = 0; part <= 1; part += 1 / 32) {
          const [px, py] = [x1 + part * (x2 - x1), y1 + part * (y2 - y1)];
          assert.ok(!(px > left && px < left + width && py > y - 10 && py < y + 2), `${String(px)}, ${String(py)}`);
        }
      }
    });
  }
}
