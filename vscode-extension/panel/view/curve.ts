/** A measure over one parameter: the curve in its certified band, budgets, and the place where the panel is. */

import { area, line } from "d3-shape";
import { type Plot, type Point, real } from "../contract";
import { h, type Node } from "../tree";
import { CURVE_POINTS } from "../wants";
import { across, fixed, type Frame, linear, logarithmic, type Scale, up } from "./scales";

export interface Budget {
  readonly value: number;
  readonly text: string;
}

export interface CurvePicture {
  readonly plot: Plot;
  readonly label: string;
  readonly logarithmic: boolean;
  readonly budgets: readonly Budget[];
  /** The present value of the parameter, and the number there if it is current. */
  readonly marker: { readonly at: number; readonly value: number | null; readonly text: string };
  readonly pointed: number | null;
}

export const WIDTH = 440;
export const HEIGHT = 214;
export const FRAME: Frame = { width: WIDTH, left: 54, right: 428, top: 14, bottom: 172 };

interface Place {
  readonly x: number;
  readonly lower: number;
  readonly value: number;
  readonly upper: number;
  /** Nothing bounds how far the number is off. */
  readonly guessed: boolean;
}

export function curvePicture(given: CurvePicture): Node {
  const axis = given.plot.axes[0] ?? { parameter: "", values: [] };
  const places = placesOf(axis.values, given.plot.points ?? []);
  const x = acrossScale(axis.values, given.logarithmic);
  const y = upScale(places, given.budgets);
  const defined = (place: Place): boolean => Number.isFinite(place.value);
  const bounded = (place: Place): boolean => Number.isFinite(place.lower) && Number.isFinite(place.upper);
  const top = y.ticks.at(-1)?.value ?? 1;
  const clamp = (value: number): number => y.at(Math.min(value, top * 1.1));
  const band = area<Place>(
    (each) => x.at(each.x),
    (each) => clamp(each.lower),
    (each) => clamp(each.upper),
  ).defined(bounded);
  const path = line<Place>(
    (each) => x.at(each.x),
    (each) => clamp(each.value),
  );
  const certain = path.defined((each) => defined(each) && !each.guessed)(places) ?? "";
  // Dashed from the last certain point to the next one.
  const guessed = path.defined(
    (each, index) => defined(each) && [-1, 0, 1].some((step) => places[index + step]?.guessed === true),
  );
  return h(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${String(WIDTH)} ${String(HEIGHT)}`,
      role: "img",
      "aria-label": summary(given, places),
    },
    ...up(y, FRAME, true),
    ...across(x, FRAME, axis.parameter),
    h("path", { key: "band", class: "band", d: band(places) ?? "" }),
    h("path", { key: "curve", class: "curve", d: certain }),
    places.some((each) => each.guessed) && h("path", { key: "guess", class: "curve guess", d: guessed(places) ?? "" }),
    ...(isCoarse(given.plot) ? dots(places, x, clamp) : []),
    ...given.budgets.filter(({ value }) => value <= top).map((budget, index) => budgetLine(budget, y, index)),
    ...marker(given, places, x, clamp),
    given.pointed !== null && pointer(places[given.pointed], x, clamp),
  );
}

/** A curve so coarse that what lies between its points is not to be read off it: the points are shown. */
export function isCoarse(plot: Plot): boolean {
  return (plot.points?.length ?? 0) < CURVE_POINTS[1];
}

function dots(places: readonly Place[], x: Scale, clamp: (value: number) => number): Node[] {
  return places
    .filter((place) => Number.isFinite(place.value))
    .map((place, index) =>
      h("circle", {
        key: `point ${String(index)}`,
        class: "computed",
        cx: fixed(x.at(place.x)),
        cy: fixed(clamp(place.value)),
        r: 2.5,
      }),
    );
}

function placesOf(values: readonly number[], points: readonly Point[]): Place[] {
  return points.map((point, index) => ({
    x: values[index] ?? NaN,
    lower: point.fault === null ? real(point.lower) : NaN,
    value: point.fault === null ? real(point.value) : NaN,
    upper: point.fault === null ? real(point.upper) : NaN,
    guessed: point.certainty === "approximate",
  }));
}

export function acrossScale(values: readonly number[], log: boolean): Scale {
  const [low, high] = [values[0] ?? 0, values.at(-1) ?? 1];
  return log && low > 0
    ? logarithmic(low, high, FRAME.left, FRAME.right)
    : linear(low, high, FRAME.left, FRAME.right, 6);
}

/** From 0, where nothing is below, to what the numbers and the budgets near them need. */
function upScale(places: readonly Place[], budgets: readonly Budget[]): Scale {
  const numbers = places.flatMap((place) => [place.lower, place.value, place.upper]).filter(Number.isFinite);
  const most = Math.max(...numbers, 0);
  const least = Math.min(...numbers, 0);
  const near = budgets.map(({ value }) => value).filter((value) => value <= 2.5 * most);
  const high = Math.max(most, ...near.map((value) => 1.05 * value));
  const top = high > least ? high : least + 1;
  const scale = linear(least, top, FRAME.bottom, FRAME.top, 4);
  const last = scale.ticks.at(-1)?.value ?? top;
  const step = (scale.ticks[1]?.value ?? last) - (scale.ticks[0]?.value ?? 0);
  // The highest tick stands at or above the highest number.
  return last >= top || step <= 0 ? scale : linear(least, last + step, FRAME.bottom, FRAME.top, 4);
}

function budgetLine({ value, text }: Budget, y: Scale, index: number): Node {
  return h(
    "g",
    { key: `budget ${String(index)}` },
    h("line", { class: "budget", x1: FRAME.left, x2: FRAME.right, y1: fixed(y.at(value)), y2: fixed(y.at(value)) }),
    h("text", { class: "budget-text", x: FRAME.right, y: fixed(y.at(value) - 4), "text-anchor": "end" }, text),
  );
}

function marker(
  { marker: { at, value, text } }: CurvePicture,
  places: readonly Place[],
  x: Scale,
  clamp: (value: number) => number,
): Node[] {
  const place = x.at(at);
  if (!(place >= FRAME.left - 1 && place <= FRAME.right + 1)) {
    return [];
  }
  const line = h("line", {
    key: "here",
    class: "here",
    x1: fixed(place),
    x2: fixed(place),
    y1: FRAME.bottom,
    y2: FRAME.top,
  });
  if (value === null || !Number.isFinite(value)) {
    return [line];
  }
  const { right, gap, height } = besides(text, place, clamp(value), places, x, clamp);
  return [
    line,
    h(
      "text",
      {
        key: "label",
        class: "label",
        x: fixed(place + (right ? gap : -gap)),
        y: fixed(height),
        "text-anchor": right ? "start" : "end",
      },
      text,
    ),
    h("circle", { key: "dot", class: "dot", cx: fixed(place), cy: fixed(clamp(value)), r: 4.5 }),
  ];
}

/** What a letter of a label takes, about, in units of the picture. */
const LETTER = { width: 6.6, height: 11 };
/** How far a label may stand above or below its dot, and beside it, to the right or to the left; the nearest first. */
const DISTANCES = [-8, 15, -22, 29, -36, 43, -50, 57];
const GAPS = [9, 24, 48];

/** Where the label of a dot stands: the nearest place at which the curve does not run through it, within the frame. */
function besides(
  text: string,
  place: number,
  dot: number,
  places: readonly Place[],
  x: Scale,
  clamp: (value: number) => number,
): { readonly right: boolean; readonly gap: number; readonly height: number } {
  const width = LETTER.width * text.length;
  const nearer = place < (FRAME.left + FRAME.right) / 2;
  const curve = places.filter((each) => Number.isFinite(each.value)).map((each) => [x.at(each.x), clamp(each.value)]);
  const spots = GAPS.flatMap((gap) =>
    DISTANCES.flatMap((distance) =>
      [nearer, !nearer].map((right) => ({
        right,
        gap,
        height: dot + distance,
        from: place + (right ? gap : -gap - width),
      })),
    ),
  ).filter(
    ({ height, from }) =>
      height - LETTER.height >= FRAME.top && height < FRAME.bottom && from >= FRAME.left && from + width <= FRAME.right,
  );
  const free = spots.find(
    ({ height, from }) => !crosses(curve, from, from + width, height - LETTER.height, height + 3),
  );
  return free ?? spots[0] ?? { right: nearer, gap: 9, height: Math.max(FRAME.top + LETTER.height, dot - 8) };
}

/** Whether a curve of straight pieces runs through a rectangle. */
function crosses(
  curve: readonly (readonly number[])[],
  left: number,
  right: number,
  top: number,
  bottom: number,
): boolean {
  return curve.some(([x1 = NaN, y1 = NaN], index) => {
    const [x2 = x1, y2 = y1] = curve[index + 1] ?? [x1, y1];
    if (x2 < left || x1 > right) {
      return false;
    }
    const at = (x: number): number => (x2 === x1 ? y1 : y1 + ((y2 - y1) * (x - x1)) / (x2 - x1));
    const [a, b] = [at(Math.max(x1, left)), at(Math.min(x2, right))];
    return Math.max(a, b) >= top && Math.min(a, b) <= bottom;
  });
}

function pointer(place: Place | undefined, x: Scale, clamp: (value: number) => number): Node | null {
  return place === undefined || !Number.isFinite(place.value)
    ? null
    : h("circle", {
        key: "pointer",
        class: "pointer",
        cx: fixed(x.at(place.x)),
        cy: fixed(clamp(place.value)),
        r: 3.5,
      });
}

function summary({ label, plot, marker: { text } }: CurvePicture, places: readonly Place[]): string {
  const numbers = places.map((place) => place.value).filter(Number.isFinite);
  const axis = plot.axes[0];
  const range =
    numbers.length === 0
      ? "no numbers"
      : `between ${Math.min(...numbers).toPrecision(3)} and ${Math.max(...numbers).toPrecision(3)} ${plot.unit}`;
  return `${label} over ${axis?.parameter ?? ""} from ${String(axis?.values[0])} to ${String(axis?.values.at(-1))}: ${range}; here ${text}`;
}
