/** What the panel asks the server for, given what it shows: a pure function, in the order of importance. */

import type { Parameter, Results, Row } from "./contract";
import { textAt } from "./domain";
import type { Method } from "./host";
import {
  axesOf,
  axisOf,
  channelOf,
  focusOf,
  idOf,
  isCurrent,
  isOpen,
  type Model,
  movable,
  overrides,
  questionOf,
  spanOf,
} from "./model";

export interface Want {
  /** The place where the answer is shown. */
  readonly slot: string;
  readonly key: string;
  /** The key without how finely a plot is drawn. */
  readonly base: string;
  readonly subject: string;
  readonly method: Method;
  readonly params: Readonly<Record<string, unknown>>;
  /** Milliseconds to wait whether the wish stays: a slider that moves changes it again. */
  readonly after: number;
}

const SOON = 60;
const LATER = 150;
/** Points on the axis of a curve, and on each axis of a map: the finer the faster the measure is. */
export const CURVE_POINTS = [9, 33, 129] as const;
export const MAP_POINTS = [8, 24, 40] as const;
const MOST_LOSSES = 8; // rows whose privacy loss is asked for, of those that are open
const MOST_ANSWERS = 12; // that follow the sliders

export const CURVE = "curve";
export const MAP = "map";
export const POSTERIOR = "posterior";
export const DERIVATION = "derivation";
export const WHERE = "where";
const MOST_RANGES = 6; // parameters whose values are parted by budgets

export function rangeSlot(parameter: Parameter): string {
  return `range ${parameter.name}`;
}

/** The budgets that depend on a parameter: those over ranges are about all of its values. */
export function budgetsOf(results: Results, parameter: Parameter): readonly string[] {
  return results.answers
    .filter(({ kind, over, measure }) => kind === "require" && over === null && parameter.measures?.includes(measure))
    .map(({ source }) => source);
}

export function numberSlot(measure: string, unit: string): string {
  return `number ${measure} in ${unit}`;
}

export function worstSlot(row: Row): string {
  return `worst ${row.secret} through ${row.output}`;
}

/** A line of the table, which can be opened. */
export function pairOf(row: Row): string {
  return `pair ${row.secret} through ${row.output}`;
}

/** The privacy loss of a row, as a measure; null where the row tells no variables. */
export function lossOf(row: Row): string | null {
  const [, secret, output] = /^I\(([^;|]+); ([^;|]+)\)$/.exec(row.information?.measure ?? "") ?? [];
  return secret === undefined || output === undefined ? null : `DP(${secret} -> ${output})`;
}

/** What is to be asked now: nothing unless the results are those of the text as it is. */
export function wants(model: Model): readonly Want[] {
  return isCurrent(model) ? wishes(model) : [];
}

/** What the panel shows beyond the results, whether it can be asked for now or not. */
export function wishes(model: Model): readonly Want[] {
  const results = model.results;
  const focus = focusOf(model);
  if (results === null) {
    return [];
  }
  const given = overrides(model);
  const moved = Object.keys(given).length > 0;
  const want: Wanting = (slot, method, asked, after, subject = "") => {
    const params = { textDocument: { uri: results.uri }, ...asked };
    const key = (given: unknown): string => `${String(model.epoch)} ${method} ${JSON.stringify(given)}`;
    const coarse = { ...asked, over: asked.over?.map((range) => ({ ...range, points: 0 })) };
    return { slot, key: key(asked), base: key(coarse), subject, method, params, after };
  };
  const number = ({ text, unit }: Asked): Want =>
    want(
      numberSlot(text, unit),
      "seepage/measure",
      { measure: text, ...inUnit(unit), parameters: given },
      moved ? SOON : 0,
    );

  const numbers: Asked[] = [];
  if (focus !== null && (moved || focus.result === null) && focus.error === null) {
    numbers.push(focus);
  }
  for (const row of results.table) {
    numbers.push(...cells(row, moved));
  }
  if (moved) {
    const shown = results.answers.filter((answer) => answer.kind === "show" && answer.result !== null);
    numbers.push(...shown.slice(0, MOST_ANSWERS).map(questionOf));
  }
  const found = numbers.map(number);
  if (focus !== null) {
    found.push(...curve(model, focus, given, want));
  }
  const channel = channelOf(model);
  if (channel !== null && isOpen(model, "posterior")) {
    const asked = { secret: channel.secret, output: channel.output, parameters: given };
    found.push(
      want(POSTERIOR, "seepage/posterior", asked, moved ? LATER : 0, `${asked.secret} through ${asked.output}`),
    );
  }
  if (focus !== null && isOpen(model, "derivation")) {
    // The derivation is in the parameters; it stays where they move.
    found.push(want(DERIVATION, "seepage/explain", { measure: focus.text, ...inUnit(focus.unit) }, 0));
  }
  const losses = results.table.filter((row) => isOpen(model, pairOf(row), false)).slice(0, MOST_LOSSES);
  if (moved) {
    // The outputs that tell most may be others elsewhere.
    const worst = results.table.filter((row) => row.worst !== null).slice(0, MOST_LOSSES);
    for (const row of worst) {
      const asked = { secret: row.secret, output: row.output, ...inUnit(row.worst?.divergence.unit ?? "") };
      found.push(want(worstSlot(row), "seepage/worst", { ...asked, parameters: given }, LATER));
    }
  }
  found.push(...losses.flatMap((row) => lossOf(row) ?? []).map((text) => number({ text, unit: "" })));
  if (focus !== null) {
    found.push(...map(model, focus, given, want));
  }
  for (const parameter of movable(model).slice(0, MOST_RANGES)) {
    const budgets = budgetsOf(results, parameter);
    if (budgets.length > 0) {
      const { low, high } = range(model, parameter, 2);
      const asked = { parameter: parameter.name, budgets, low, high, parameters: without(given, parameter.name) };
      found.push(want(rangeSlot(parameter), "seepage/range", asked, LATER));
    }
  }
  if (focus !== null && isOpen(model, "where")) {
    const asked = { measure: focus.text, ...inUnit(focus.unit), parameters: given };
    found.push(want(WHERE, "seepage/where", asked, moved ? LATER : 0, focus.id));
  }
  return found.filter(({ slot }, index) => found.findIndex((other) => other.slot === slot) === index);
}

interface Asked {
  readonly text: string;
  readonly unit: string;
}

function inUnit(unit: string): { readonly unit?: string } {
  return unit === "bits" || unit === "nats" ? { unit } : {};
}

/** The numbers of a row to ask for: how much there is to leak, and all of them where a slider has moved. */
function cells(row: Row, moved: boolean): Asked[] {
  const found: Asked[] = [];
  if (row.percent !== null && row.information !== null) {
    found.push({ text: `H(${row.secret})`, unit: row.information.unit });
  }
  if (moved) {
    for (const each of [row.information, row.percent, row.guess_before, row.guess_after]) {
      if (each !== null) {
        found.push({ text: each.measure, unit: each.unit });
      }
    }
  }
  return found;
}

type Asking = Readonly<Record<string, unknown>> & { readonly over?: readonly Covered[] };
type Wanting = (slot: string, method: Method, asked: Asking, after: number, subject?: string) => Want;

/** The range of an axis, as the server takes it. */
interface Covered {
  readonly parameter: string;
  readonly low: string;
  readonly high: string;
  readonly points: number;
  readonly scale?: "log";
}

function curve(model: Model, { text, unit }: Asked, given: Readonly<Record<string, string>>, want: Wanting): Want[] {
  const axis = axisOf(model);
  if (axis === null || !isOpen(model, "plots")) {
    return [];
  }
  const points = CURVE_POINTS[level(model, CURVE, CURVE_POINTS)] ?? CURVE_POINTS[0];
  const asked = {
    measure: text,
    ...inUnit(unit),
    parameters: without(given, axis.name),
    over: [range(model, axis, points)],
  };
  return [want(CURVE, "seepage/plot", asked, Object.keys(given).length > 0 ? LATER : 0, idOf(text, unit))];
}

function map(model: Model, { text, unit }: Asked, given: Readonly<Record<string, string>>, want: Wanting): Want[] {
  const axes = axesOf(model);
  if (axes === null || !isOpen(model, "plots")) {
    return [];
  }
  const points = MAP_POINTS[level(model, MAP, MAP_POINTS)] ?? MAP_POINTS[0];
  const asked = {
    measure: text,
    ...inUnit(unit),
    parameters: without(given, axes[0].name, axes[1].name),
    over: axes.map((axis) => range(model, axis, points)),
  };
  return [want(MAP, "seepage/plot", asked, LATER, idOf(text, unit))];
}

/** How finely a plot is drawn; a measure that was never plotted starts coarsely. */
export function level(model: Model, slot: string, points: readonly number[]): number {
  return Math.min(points.length - 1, model.levels[levelKey(model, slot)] ?? 0);
}

export function levelKey(model: Model, slot: string): string {
  return `${slot} ${focusOf(model)?.id ?? ""} ${model.results?.uri ?? ""}`;
}

function range(model: Model, axis: Parameter, points: number): Covered {
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
