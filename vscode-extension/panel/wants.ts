/** What the panel asks the server for, given what it shows: a pure function, in the order of importance. */

import type { Parameter, Row } from "./contract";
import { textAt } from "./domain";
import { axesOf, axisOf, channelOf, focusOf, isCurrent, isOpen, type Model, overrides, spanOf } from "./model";

export interface Want {
  /** The place where the answer is shown. */
  readonly slot: string;
  readonly key: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Milliseconds to wait whether the wish stays: a slider that moves changes it again. */
  readonly after: number;
}

const SOON = 60;
const LATER = 150;
/** Points on the axis of a curve, and on each axis of a map: the finer the faster the measure is. */
export const CURVE_POINTS = [17, 65, 129] as const;
export const MAP_POINTS = [8, 24, 40] as const;
const MOST_LOSSES = 8; // rows whose privacy loss is asked for
const MOST_ANSWERS = 12; // that follow the sliders

export const CURVE = "curve";
export const MAP = "map";
export const POSTERIOR = "posterior";
export const DERIVATION = "derivation";

export function numberSlot(measure: string): string {
  return `number ${measure}`;
}

/** The privacy loss of a row, as a measure. */
export function lossOf(row: Row): string {
  return `DP(${row.secret} -> ${row.output})`;
}

export function wants(model: Model): readonly Want[] {
  const results = model.results;
  const focus = focusOf(model);
  if (results === null || !isCurrent(model)) {
    return [];
  }
  const given = overrides(model);
  const moved = Object.keys(given).length > 0;
  const want = (slot: string, method: string, asked: Readonly<Record<string, unknown>>, after: number): Want => {
    const params = { textDocument: { uri: results.uri }, ...asked };
    return { slot, key: `${String(model.epoch)} ${method} ${JSON.stringify(asked)}`, method, params, after };
  };
  const number = (measure: string): Want =>
    want(numberSlot(measure), "seepage/measure", { measure, parameters: given }, moved ? SOON : 0);

  const measures: string[] = [];
  if (focus !== null && (moved || focus.result === null) && focus.error === null) {
    measures.push(focus.text);
  }
  const losses: string[] = [];
  for (const row of results.table) {
    measures.push(...cells(row, moved));
    if (row.headline && losses.length < MOST_LOSSES) {
      losses.push(lossOf(row));
    }
  }
  if (moved) {
    const asked = results.answers.filter((answer) => answer.kind === "show" && answer.result !== null);
    measures.push(...asked.slice(0, MOST_ANSWERS).map((answer) => answer.source));
  }
  const found = [...new Set(measures)].map(number);
  if (focus !== null) {
    found.push(...curve(model, focus.text, given, want));
  }
  const channel = channelOf(model);
  if (channel !== null && isOpen(model, "posterior")) {
    const asked = { secret: channel.secret, output: channel.output, parameters: given };
    found.push(want(POSTERIOR, "seepage/posterior", asked, moved ? LATER : 0));
  }
  if (focus !== null && isOpen(model, "derivation")) {
    // The derivation is in the parameters; it stays where they move.
    found.push(want(DERIVATION, "seepage/explain", { measure: focus.label }, 0));
  }
  found.push(...losses.filter((loss) => !measures.includes(loss)).map(number));
  if (focus !== null) {
    found.push(...map(model, focus.text, given, want));
  }
  return found;
}

/** The numbers of a row to ask for: how much there is to leak, and all of them where a slider has moved. */
function cells(row: Row, moved: boolean): string[] {
  const found = row.percent === null ? [] : [`H(${row.secret})`];
  if (moved) {
    for (const each of [row.information, row.percent, row.guess_before, row.guess_after]) {
      if (each !== null) {
        found.push(each.measure);
      }
    }
  }
  return found;
}

type Wanting = (slot: string, method: string, asked: Readonly<Record<string, unknown>>, after: number) => Want;

function curve(model: Model, measure: string, given: Readonly<Record<string, string>>, want: Wanting): Want[] {
  const axis = axisOf(model);
  if (axis === null || !isOpen(model, "plots")) {
    return [];
  }
  const points = CURVE_POINTS[level(model, CURVE, CURVE_POINTS)] ?? CURVE_POINTS[0];
  const asked = { measure, parameters: without(given, axis.name), over: [range(model, axis, points)] };
  return [want(CURVE, "seepage/plot", asked, Object.keys(given).length > 0 ? LATER : 0)];
}

function map(model: Model, measure: string, given: Readonly<Record<string, string>>, want: Wanting): Want[] {
  const axes = axesOf(model);
  if (axes === null || !isOpen(model, "plots")) {
    return [];
  }
  const points = MAP_POINTS[level(model, MAP, MAP_POINTS)] ?? MAP_POINTS[0];
  const asked = {
    measure,
    parameters: without(given, axes[0].name, axes[1].name),
    over: axes.map((axis) => range(model, axis, points)),
  };
  return [want(MAP, "seepage/plot", asked, LATER)];
}

/** How finely a plot is drawn; a measure that was never plotted starts coarsely. */
export function level(model: Model, slot: string, points: readonly number[]): number {
  return Math.min(points.length - 1, model.levels[levelKey(model, slot)] ?? 0);
}

export function levelKey(model: Model, slot: string): string {
  return `${slot} ${focusOf(model)?.text ?? ""} ${model.results?.uri ?? ""}`;
}

function range(model: Model, axis: Parameter, points: number): Readonly<Record<string, unknown>> {
  const span = spanOf(model, axis);
  const [low, high] = [textAt(axis, span, 0), textAt(axis, span, 1)];
  const whole = axis.integer ? Math.min(points, Number(high) - Number(low) + 1) : points;
  return { parameter: axis.name, low, high, points: whole, ...(span.logarithmic ? { scale: "log" } : {}) };
}

function without(
  given: Readonly<Record<string, string>>,
  ...names: readonly string[]
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
}
