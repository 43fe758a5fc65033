/** Values of parameters: the range that a slider covers, its scale, and decimal text that lies in the domain. */

import { type Parameter, real } from "./contract";

/** What a slider and a plot cover. */
export interface Span {
  readonly low: number;
  readonly high: number;
  readonly logarithmic: boolean;
}

/** Places on a scale, for plots and clicks, go from 0 to this. */
export const STEPS = 1000;
const LOGARITHMIC_STEPS = 200; // positions of a slider on a logarithmic scale
/** A range that is open at 0 and this wide is shown on a logarithmic scale at first: its lower end is where things happen. */
const WIDE = 100;
const DECADES = 4; // of a logarithmic scale that has to choose its lower end

/** The range to show at first: the domain where it is finite, else some room around the value in force. */
export function defaultSpan(parameter: Parameter): Span {
  const [low, high] = [real(parameter.low), real(parameter.high)];
  const value = Number.isFinite(real(parameter.value)) ? real(parameter.value) : 1;
  if (low >= 0 && parameter.lowOpen && !parameter.integer && (high >= WIDE || !Number.isFinite(high))) {
    const top = Number.isFinite(high) ? high : nice(100 * Math.max(Math.abs(value), low, 1e-9));
    return { low: low > 0 ? low : top / 10 ** DECADES, high: top, logarithmic: true };
  }
  const reach = nice(Math.max(4 * Math.abs(value), 1));
  const bottom = Number.isFinite(low) ? low : Math.min(-reach, Number.isFinite(high) ? high - 2 * reach : -reach);
  const top = Number.isFinite(high) ? high : Math.max(reach, bottom + reach);
  return { low: bottom, high: top, logarithmic: false };
}

/** The next of 1, 2, 5, 10, 20, …: a round number for the end of a scale. */
function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5].find((each) => each * power >= value * (1 - 1e-12)) ?? 10;
  return Number((factor * power).toPrecision(1));
}

export function canBeLogarithmic(parameter: Parameter): boolean {
  return real(parameter.low) >= 0 && !parameter.integer;
}

/** The same range on the other scale; a logarithmic one needs a lower end above 0. */
export function rescaled(span: Span, parameter: Parameter): Span {
  if (span.logarithmic) {
    const low = real(parameter.low);
    return { ...span, low: Number.isFinite(low) ? low : span.low, logarithmic: false };
  }
  return { ...span, low: span.low > 0 ? span.low : span.high / 10 ** DECADES, logarithmic: true };
}

/** Whether a parameter can move: a domain of one point leaves nothing to slide or to plot over. */
export function isFixed(parameter: Parameter): boolean {
  return real(parameter.low) === real(parameter.high);
}

/** Positions of the slider go from 0 to this, each a value of its own, both ends of the range among them. */
export function stepsOf(parameter: Parameter, span: Span): number {
  if (parameter.stops !== undefined) {
    return Math.max(1, parameter.stops.length - 1);
  }
  const most = parameter.integer ? STEPS : Infinity;
  const count = span.logarithmic
    ? LOGARITHMIC_STEPS
    : Math.floor((span.high - span.low) / stepOf(parameter, span) + 1e-9);
  return Math.min(most, Math.max(1, count));
}

/** Where a value stands, in {@link STEPS}. */
export function positionOf(span: Span, value: number): number {
  return Math.round(STEPS * partOf(span, value));
}

/** Which part of the range (0 to 1) lies below a value. */
export function partOf(span: Span, value: number): number {
  const part = span.logarithmic
    ? Math.log(Math.max(value, span.low) / span.low) / Math.log(span.high / span.low)
    : (value - span.low) / (span.high - span.low);
  return Number.isNaN(part) ? 0 : Math.min(1, Math.max(0, part));
}

/** The value at a part (0 to 1) of the range, as short decimal text in the domain. */
export function textAt(parameter: Parameter, span: Span, part: number): string {
  if (parameter.stops !== undefined) {
    return nearest(parameter.stops, span, part);
  }
  const bounded = isFixed(parameter) ? 0 : Math.min(1, Math.max(0, part));
  const end = bounded === 0 ? "low" : bounded === 1 ? "high" : null;
  if (end !== null && span[end] === real(parameter[end]) && !parameter[`${end}Open`]) {
    return endText(parameter, end);
  }
  if (span.logarithmic) {
    return inDomain(parameter, Number((span.low * (span.high / span.low) ** bounded).toPrecision(3)), 1e-3 * span.low);
  }
  const step = stepOf(parameter, span);
  const value = span.low + bounded * (span.high - span.low);
  // The ends are where the user put them, on the grid or not.
  return inDomain(parameter, end !== null ? span[end] : Math.round(value / step) * step, step);
}

function nearest(stops: readonly string[], span: Span, part: number): string {
  const away = (text: string): number => Math.abs(partOf(span, parsed(text)) - part);
  return stops.reduce((best, each) => (away(each) < away(best) ? each : best), stops[0] ?? "");
}

/** An end of the domain as the program has it: a double may lie outside of `[1/3, 2/3]`. */
function endText(parameter: Parameter, end: "low" | "high"): string {
  const [, low = "", high = ""] = /^.(.*), (.*).$/.exec(parameter.domain) ?? [];
  const text = end === "low" ? low : high;
  const value = real(parameter[end]);
  // What is no decimal is cut to one on the inner side.
  const inward = (end === "low" ? 2e-12 : -2e-12) * Math.abs(value);
  return parsed(text) === value ? text : decimalText(value + inward);
}

/** A round step that parts the range into some hundred. */
export function stepOf(parameter: Parameter, span: Span): number {
  return parameter.integer || span.low === span.high
    ? 1
    : 10 ** Math.floor(Math.log10((span.high - span.low) / 100) + 1e-9);
}

function inDomain(parameter: Parameter, value: number, step: number): string {
  const [low, high] = [real(parameter.low), real(parameter.high)];
  let inside = Math.min(high, Math.max(low, value));
  if (parameter.lowOpen && inside <= low) {
    inside = low + step;
  }
  if (parameter.highOpen && inside >= high) {
    inside = high - step;
  }
  return decimalText(parameter.integer ? Math.round(inside) : inside);
}

/** Shortest decimal text without the noise of binary fractions, in the form that programs are written in. */
export function decimalText(value: number): string {
  const short = Number(value.toPrecision(12));
  return Math.abs(short) < 1e-6 ? short.toFixed(20).replace(/\.?0+$/, "") : String(short);
}

/** The number that a person wrote: a decimal or a fraction of two; NaN for anything else. */
export function parsed(text: string): number {
  const parts = text.trim().split("/");
  const numbers = parts.map((part) => (/^\s*-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i.test(part) ? Number(part) : NaN));
  const [first = NaN, second = 1] = numbers;
  return parts.length > 2 ? NaN : first / second;
}

/** Why a text is no value of a parameter, in words; empty if it is one. */
export function wrong(parameter: Parameter, text: string): string {
  const value = parsed(text);
  if (!Number.isFinite(value)) {
    return "expected a number, such as 0.5 or 1/2";
  }
  if (parameter.integer && !Number.isInteger(value)) {
    return "expected a whole number";
  }
  const [low, high] = [real(parameter.low), real(parameter.high)];
  const below = value < low || (parameter.lowOpen && value === low);
  const above = value > high || (parameter.highOpen && value === high);
  if (below || above) {
    return `expected a value in ${parameter.domain}`;
  }
  const { stops } = parameter;
  const isKept = stops === undefined || value === real(parameter.value) || stops.some((each) => parsed(each) === value);
  return isKept ? "" : `here are numbers for ${String(stops.length)} values, ${stops.slice(0, 3).join(", ")}, …`;
}

/** Values for which answers can be kept: at most so many, evenly over the range that is shown at first, each a step of its slider. */
export function stopsOf(parameter: Parameter, most: number): readonly string[] {
  const span = defaultSpan(parameter);
  const steps = stepsOf(parameter, span);
  const counts = Array.from({ length: Math.min(most, steps) }, (_, index) => index + 1);
  const count = Math.max(...counts.filter((each) => steps % each === 0));
  const parts = Array.from({ length: count + 1 }, (_, index) => index / count);
  return [...new Set(parts.map((part) => textAt(parameter, span, part)))];
}
