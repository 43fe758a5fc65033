/** At which values of a parameter the budgets hold: a band below its slider, marks at the ends, and the same in words. */

import type { Parameter, Segment, Segments } from "../contract";
import { partOf } from "../domain";
import { type Model, spanOf } from "../model";
import { drawable } from "../slots";
import { h, type Node } from "../tree";
import { rangeSlot } from "../wants";
import { button, shownIn } from "./parts";

export interface Holding {
  /** Below the slider. */
  readonly band: Node;
  /** The same in words, with what leads to the ends. */
  readonly words: Node;
}

const MOST_TOLD = 3; // ranges in words

/** Null where no budget depends on the parameter, or nothing is proved. */
export function holding(model: Model, parameter: Parameter): Holding | null {
  const drawn = drawable(shownIn<Segments>(model, rangeSlot(parameter)));
  const told = drawn?.value.segments.filter((each) => each.told !== "not told") ?? [];
  if (drawn === null || told.length === 0) {
    return null;
  }
  const previous = drawn.current ? "" : " previous";
  const ends = endsOf(drawn.value.segments);
  return {
    band: band(model, parameter, told, ends, previous),
    words: words(parameter, told, ends, previous),
  };
}

/** The last values at which the budgets hold, where others follow. */
function endsOf(segments: readonly Segment[]): readonly Pick<Segment, "low" | "lowText">[] {
  return segments.flatMap(({ told, low, high, lowText, highText }, index) =>
    told !== "holds"
      ? []
      : [
          ...(index > 0 ? [{ low, lowText }] : []),
          ...(index < segments.length - 1 ? [{ low: high, lowText: highText }] : []),
        ],
  );
}

function band(
  model: Model,
  parameter: Parameter,
  told: readonly Segment[],
  ends: ReturnType<typeof endsOf>,
  previous: string,
): Node {
  const span = spanOf(model, parameter);
  const at = (value: number): number => 100 * partOf(span, value);
  const hatch = `hatch-${parameter.name}`;
  return h(
    "svg",
    { class: `holding${previous}`, "aria-hidden": "true" },
    h(
      "defs",
      {},
      h(
        "pattern",
        { id: hatch, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        h("rect", { class: "stripe", width: 2, height: 5 }),
      ),
    ),
    ...told.map((each) =>
      h("rect", {
        class: each.told,
        x: `${at(each.low).toFixed(2)}%`,
        width: `${(at(each.high) - at(each.low)).toFixed(2)}%`,
        y: 9,
        height: 5,
        ...(each.told === "violated" ? { fill: `url(#${hatch})` } : {}),
      }),
    ),
    ...ends.map(({ low, lowText }) =>
      h(
        "svg",
        { x: `${at(low).toFixed(2)}%`, overflow: "visible" },
        h(
          "path",
          {
            class: "mark",
            d: "M0 8 L-5 0 L5 0 Z",
            on: { click: () => ({ is: "enter", name: parameter.name, text: lowText }) },
          },
          h("title", {}, `${parameter.name} = ${lowText}: the last value at which the budgets hold`),
        ),
      ),
    ),
  );
}

function words(
  parameter: Parameter,
  told: readonly Segment[],
  ends: ReturnType<typeof endsOf>,
  previous: string,
): Node {
  const { name } = parameter;
  const holds = told.filter((each) => each.told === "holds");
  const listed = holds.slice(0, MOST_TOLD).map(({ lowText, highText }) => `[${lowText}, ${highText}]`);
  const text =
    holds.length === 0
      ? "no value is known at which the budgets hold"
      : `the budgets hold for ${name} in ${listed.join(" and ")}${holds.length > MOST_TOLD ? " and elsewhere" : ""}`;
  return h(
    "p",
    { key: `holding ${name}`, class: `row aside${previous}` },
    text,
    ...ends
      .slice(0, 2 * MOST_TOLD)
      .flatMap(({ lowText }) => [
        " · ",
        button(`set ${lowText}`, { is: "enter", name, text: lowText }, { class: "link", title: `set ${name} to it` }),
      ]),
  );
}
