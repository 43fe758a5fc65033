/** The two plots side by side, what the pointer is at, and their numbers as tables. */

import { type Parameter, type Plot, type Point, real, type Result } from "../contract";
import { STEPS, positionOf } from "../domain";
import type { Message, Pointed } from "../message";
import {
  axesOf,
  axisOf,
  digitsOf,
  focusOf,
  isCurrent,
  isLeftOut,
  isOpen,
  type Model,
  movable,
  spanOf,
  valueOf,
} from "../model";
import { enclosed, FEW_DIGITS, numberText, rounded } from "../numbers";
import { drawable, type Shown } from "../slots";
import { type Child, h, type Node, remembered, type Told } from "../tree";
import { CURVE, CURVE_POINTS, level, MAP } from "../wants";
import { type Budget, curvePicture, isCoarse, FRAME, HEIGHT, WIDTH } from "./curve";
import { MAP_FRAME, mapPicture } from "./heatmap";
import { button, foldable, numberAt, quiet, select, shownIn, valuesText } from "./parts";

export function plots(model: Model): Node | null {
  const axis = axisOf(model);
  const focus = focusOf(model);
  if (axis === null || focus === null) {
    return null;
  }
  return foldable(
    model,
    "plots",
    `${focus.label} over its parameters`,
    h("div", { class: axesOf(model) === null ? "pictures single" : "pictures" }, curve(model, axis), heatmap(model)),
  );
}

// --- one parameter --------------------------------------------------------------------------------------------------

function curve(model: Model, axis: Parameter): Node {
  const found = shownIn<Plot>(model, CURVE);
  const drawn = drawable(found);
  const names = movable(model).map((each) => each.name);
  const rest = valuesText(model, axis.name);
  const heading = h(
    "h3",
    { id: "curve-heading" },
    "over ",
    names.length > 1
      ? select("parameter of the curve", axis.name, names, (name) => ({ is: "axis", name }))
      : h("code", {}, axis.name),
    rest === "" ? "" : `, at ${rest}`,
  );
  // A curve over a parameter that is no longer asked for says nothing here.
  if (drawn === null || drawn.value.axes[0]?.parameter !== axis.name) {
    return empty(model, heading, CURVE, found);
  }
  const { plot, pictured } = { plot: drawn.value, pictured: curveOf(model, axis, drawn.value) };
  const pointed = pictured.pointed;
  return h(
    "figure",
    { class: drawn.current ? "" : "previous", "aria-labelledby": "curve-heading" },
    heading,
    isDrawable(plot) && h("div", { class: "picture", on: pointing("curve", plot, model) }, curvePicture(pictured)),
    h(
      "span",
      { class: "readout", "aria-hidden": "true" },
      pointed === null ? "" : readout([[axis.name, plot.axes[0]?.values[pointed]]], plot.points?.[pointed], plot.unit),
    ),
    coarse(model, plot),
    infinite(plot.points ?? []),
    faults(plot.points ?? []),
    guesses(plot.points ?? []),
    numbers(model, "curve", plot),
  );
}

/** The picture of a curve as the panel has it now; exports draw the same. */
export function curveOf(model: Model, axis: Parameter, plot: Plot): Parameters<typeof curvePicture>[0] {
  const focus = focusOf(model);
  const present = focus === null ? null : drawable(numberAt(model, focus.text, focus.unit, focus.result));
  const here: Result | null = present?.current === true ? present.value : null;
  return {
    plot,
    label: focus?.label ?? "",
    logarithmic: spanOf(model, axis).logarithmic,
    budgets: budgetsOf(model, plot.unit),
    marker: {
      at: valueOf(model, axis).value,
      value: here === null || here.unit !== plot.unit ? null : real(here.value),
      text: here === null ? "" : numberText(here, digitsOf(model, FEW_DIGITS)),
    },
    pointed: model.pointed?.plot === "curve" ? model.pointed.first : null,
  };
}

const LN2 = Math.LN2;

/** The budgets on the measure in focus, in the unit of the plot. */
function budgetsOf(model: Model, unit: string): readonly Budget[] {
  const text = focusOf(model)?.text;
  return (model.results?.answers ?? [])
    .filter((answer) => answer.kind === "require" && answer.budget !== null && answer.measure === text)
    .map((answer) => {
      const [value, own] = [real(answer.budget), answer.unit ?? unit];
      const factor =
        own === unit ? 1 : own === "nats" && unit === "bits" ? 1 / LN2 : own === "bits" && unit === "nats" ? LN2 : NaN;
      return { value: value * factor, text: `budget ${rounded(value, FEW_DIGITS)} ${own}`.trim() };
    })
    .filter((budget) => Number.isFinite(budget.value));
}

// --- two parameters -------------------------------------------------------------------------------------------------

function heatmap(model: Model): Node | null {
  const axes = axesOf(model);
  if (axes === null) {
    return null;
  }
  const [across, up] = axes;
  const found = shownIn<Plot>(model, MAP);
  const drawn = drawable(found);
  const names = movable(model).map((each) => each.name);
  const rest = valuesText(model, across.name, up.name);
  const choice = (label: string, value: string, message: (name: string) => Message): Child =>
    names.length > 2 ? select(label, value, names, message) : h("code", {}, value);
  const heading = h(
    "h3",
    { id: "map-heading" },
    "over ",
    choice("parameter across", across.name, (name) => ({
      is: "axes",
      first: name,
      second: name === up.name ? across.name : up.name,
    })),
    " and ",
    choice("parameter upward", up.name, (name) => ({
      is: "axes",
      first: name === across.name ? up.name : across.name,
      second: name,
    })),
    rest === "" ? "" : `, at ${rest}`,
  );
  if (drawn === null || drawn.value.axes[0]?.parameter !== across.name || drawn.value.axes[1]?.parameter !== up.name) {
    return empty(model, heading, MAP, found);
  }
  const plot = drawn.value;
  const pictured = mapOf(model, axes, plot);
  const pointed = pictured.pointed;
  return h(
    "figure",
    { class: drawn.current ? "" : "previous", "aria-labelledby": "map-heading" },
    heading,
    h(
      "div",
      { class: "picture", on: pointing("map", plot, model) },
      drawMap(plot, pictured.label, ...pictured.logarithmic, ...pictured.marker, ...(pointed ?? [-1, -1])),
    ),
    h(
      "span",
      { class: "readout", "aria-hidden": "true" },
      pointed === null
        ? ""
        : readout(
            [
              [across.name, plot.axes[0]?.values[pointed[0]]],
              [up.name, plot.axes[1]?.values[pointed[1]]],
            ],
            plot.rows?.[pointed[0]]?.[pointed[1]],
            plot.unit,
          ),
    ),
    infinite((plot.rows ?? []).flat()),
    faults((plot.rows ?? []).flat()),
    guesses((plot.rows ?? []).flat()),
    numbers(model, "map", plot),
  );
}

export function mapOf(
  model: Model,
  [across, up]: readonly [Parameter, Parameter],
  plot: Plot,
): Parameters<typeof mapPicture>[0] {
  return {
    plot,
    label: focusOf(model)?.label ?? "",
    logarithmic: [spanOf(model, across).logarithmic, spanOf(model, up).logarithmic],
    marker: [valueOf(model, across).value, valueOf(model, up).value],
    pointed: model.pointed?.plot === "map" ? [model.pointed.first, model.pointed.second] : null,
  };
}

/** A map has hundreds of cells: they are drawn again only where something of the picture differs. */
const drawMap = remembered(
  (
    plot: Plot,
    label: string,
    logX: boolean,
    logY: boolean,
    x: number,
    y: number,
    first: number,
    second: number,
  ): Node =>
    mapPicture({ plot, label, logarithmic: [logX, logY], marker: [x, y], pointed: first < 0 ? null : [first, second] }),
);

// --- pointing -------------------------------------------------------------------------------------------------------

type Handlers = Readonly<Record<string, (told: Told) => Message | null>>;

/** Read a value under the pointer, and go there by a click; keys do the same on the sliders. */
function pointing(which: Pointed["plot"], plot: Plot, model: Model): Handlers {
  return {
    pointermove: (told) => ({ is: "point", at: pointedAt(which, plot, told, model) }),
    pointerleave: () => ({ is: "point", at: null }),
    click: (told) => {
      const at = pointedAt(which, plot, told, model);
      const [first, second] = plot.axes;
      if (at === null || first === undefined) {
        return null;
      }
      const values = {
        [first.parameter]: first.values[at.first] ?? NaN,
        ...(which === "map" && second !== undefined ? { [second.parameter]: second.values[at.second] ?? NaN } : {}),
      };
      return Object.values(values).every(Number.isFinite) ? { is: "set", values } : null;
    },
  };
}

/** The grid point nearest to a place in the picture; null outside of the frame. */
function pointedAt(which: Pointed["plot"], plot: Plot, told: Told, model: Model): Pointed | null {
  const frame = which === "curve" ? FRAME : MAP_FRAME;
  const x = (told.x * WIDTH - frame.left) / (frame.right - frame.left);
  const y = (frame.bottom - told.y * HEIGHT) / (frame.bottom - frame.top);
  if (x < -0.02 || x > 1.02 || y < -0.05 || y > 1.05) {
    return null;
  }
  const [first, second] = plot.axes;
  return {
    plot: which,
    first: nearest(first?.values ?? [], x, isLogarithmic(model, first?.parameter)),
    second: which === "curve" ? 0 : nearest(second?.values ?? [], y, isLogarithmic(model, second?.parameter)),
  };
}

function isLogarithmic(model: Model, name: string | undefined): boolean {
  const parameter = model.results?.parameters.find((each) => each.name === name);
  return parameter !== undefined && spanOf(model, parameter).logarithmic;
}

function nearest(values: readonly number[], part: number, logarithmic: boolean): number {
  const span = { low: values[0] ?? 0, high: values.at(-1) ?? 1, logarithmic: logarithmic && (values[0] ?? 0) > 0 };
  const distances = values.map((value) => Math.abs(positionOf(span, value) / STEPS - part));
  return distances.indexOf(Math.min(...distances));
}

function readout(
  values: readonly (readonly [string, number | undefined])[],
  point: Point | undefined,
  unit: string,
): string {
  const where = values.map(([name, value]) => `${name} = ${rounded(value ?? NaN, FEW_DIGITS)}`).join(", ");
  return point === undefined ? where : `${where}: ${pointText(point)}${point.fault === null ? ` ${unit}` : ""}`;
}

function pointText(point: Point): string {
  return point.fault ?? enclosed(point);
}

// --- besides --------------------------------------------------------------------------------------------------------

function empty(model: Model, heading: Node, slot: string, found: Shown<Plot>): Node {
  return h(
    "figure",
    { class: "empty" },
    heading,
    found.kind === "failed"
      ? h(
          "p",
          { class: "quiet" },
          found.message,
          isCurrent(model) && " ",
          isCurrent(model) && button("try again", { is: "again", slot }, { class: "link" }),
        )
      : h("p", { class: "picture quiet" }, "computing …"),
  );
}

/** What a curve of few points does not say, and how it gets more. */
function coarse(model: Model, plot: Plot): Node | null {
  const count = plot.points?.length ?? 0;
  if (!isCoarse(plot)) {
    return null;
  }
  const waiting = model.slots[CURVE]?.phase === "waiting";
  const now = level(model, CURVE, CURVE_POINTS);
  const more = CURVE_POINTS[now + 1];
  const whole = plot.axes[0]?.values.every(Number.isInteger) === true && count < CURVE_POINTS[0];
  const said = `computed at the ${String(count)} points only, and joined between them`;
  if (waiting && now > 0) {
    return quiet(isLeftOut(model) === "" ? `${said}; finer ones are on their way` : said);
  }
  const offer = isCurrent(model) && !waiting && !whole && more !== undefined;
  return quiet(
    said,
    offer && " ",
    offer && button(`draw ${String(more)} points`, { is: "finer", slot: CURVE }, { class: "link" }),
  );
}

function faults(points: readonly Point[]): Node | null {
  const missing = points.filter((point) => point.fault !== null);
  const first = missing[0];
  return first === undefined
    ? null
    : quiet(`no number at ${String(missing.length)} of ${String(points.length)} points: ${first.fault}`);
}

/** Whether a curve has a number, or bounds of one, that can be drawn. */
function isDrawable(plot: Plot): boolean {
  return (plot.points ?? []).some(({ lower, upper }) => Number.isFinite(real(lower)) && Number.isFinite(real(upper)));
}

/** What lies beyond every axis. */
function infinite(points: readonly Point[]): Node | null {
  const count = points.filter((point) => Math.abs(real(point.value)) === Infinity).length;
  return count === 0
    ? null
    : quiet(
        count === points.length
          ? "infinite at every point"
          : `infinite at ${String(count)} of ${String(points.length)} points`,
      );
}

/** How much of a plot is drawn through numbers that nothing bounds. */
function guesses(points: readonly Point[]): Node | null {
  const count = points.filter((point) => point.certainty === "approximate").length;
  return count === 0
    ? null
    : quiet(
        count === points.length ? "approximate" : `approximate at ${String(count)} of ${String(points.length)} points`,
      );
}

/** The numbers of a plot as a table, for those who do not see the picture. */
function numbers(model: Model, which: "curve" | "map", plot: Plot): Node {
  const id = `numbers ${which}`;
  const open = isOpen(model, id, false);
  return h(
    "details",
    {
      class: "numbers",
      open,
      on: { toggle: (told) => (told.open === open ? null : { is: "open", what: id, open: told.open }) },
    },
    h("summary", {}, "as a table"),
    open &&
      h(
        "div",
        { class: "wide tall", tabindex: 0, role: "region", "aria-label": `numbers of the ${which}` },
        which === "curve" ? curveTable(plot) : mapTable(plot),
      ),
  );
}

function curveTable(plot: Plot): Node {
  const axis = plot.axes[0];
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...[axis?.parameter ?? "", "at least", "value", "at most"].map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    h(
      "tbody",
      {},
      ...(plot.points ?? []).map((point, index) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, rounded(axis?.values[index] ?? NaN, 6)),
          ...(point.fault === null
            ? [
                h("td", {}, rounded(real(point.lower), 6, "down")),
                h("td", {}, rounded(real(point.value), 6)),
                h("td", {}, `${rounded(real(point.upper), 6, "up")} ${plot.unit}`),
              ]
            : [h("td", { colspan: 3 }, point.fault)]),
        ),
      ),
    ),
  );
}

function mapTable(plot: Plot): Node {
  const [first, second] = plot.axes;
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, `${first?.parameter ?? ""} \\ ${second?.parameter ?? ""}`),
        ...(second?.values ?? []).map((value) => h("th", { scope: "col" }, rounded(value, 4))),
      ),
    ),
    h(
      "tbody",
      {},
      ...(plot.rows ?? []).map((row, index) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, rounded(first?.values[index] ?? NaN, 4)),
          ...row.map((point) =>
            h("td", { title: point.fault ?? undefined }, point.fault === null ? enclosed(point, 3) : "—"),
          ),
        ),
      ),
    ),
  );
}
