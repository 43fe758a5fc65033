/** A measure over two parameters: a map in colours with its bar, and the place where the panel is. */

import { interpolateViridis } from "d3-scale-chromatic";
import { type Plot, type Point, real } from "../contract";
import { h, type Node } from "../tree";
import { across, fixed, type Frame, linear, logarithmic, NAME, type Scale, shortened, up } from "./scales";

export interface MapPicture {
  readonly plot: Plot;
  readonly label: string;
  readonly logarithmic: readonly [boolean, boolean];
  readonly marker: readonly [number, number];
  readonly pointed: readonly [number, number] | null;
}

export const MAP_FRAME: Frame = { width: 440, left: 54, right: 368, top: 14, bottom: 172 };
const BAR: Frame = { width: 440, left: 378, right: 388, top: 14, bottom: 172 };
const SHADES = 32;

export function mapPicture(given: MapPicture): Node {
  const [first, second] = given.plot.axes;
  const rows = given.plot.rows ?? [];
  const x = axisScale(first?.values ?? [], given.logarithmic[0], MAP_FRAME.left, MAP_FRAME.right);
  const y = axisScale(second?.values ?? [], given.logarithmic[1], MAP_FRAME.bottom, MAP_FRAME.top);
  const { low, high } = extremes(rows);
  const bar = linear(low, high, BAR.bottom, BAR.top, 4);
  return h(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: "0 0 440 214",
      role: "img",
      "aria-label": summary(given, low, high),
    },
    h("rect", {
      key: "ground",
      class: "ground",
      x: MAP_FRAME.left,
      y: MAP_FRAME.top,
      width: MAP_FRAME.right - MAP_FRAME.left,
      height: MAP_FRAME.bottom - MAP_FRAME.top,
    }),
    h(
      "g",
      { key: "cells", "shape-rendering": "crispEdges" },
      ...cells(rows, first?.values ?? [], second?.values ?? [], x, y, low, high),
    ),
    ...up(y, MAP_FRAME, false),
    ...across(x, MAP_FRAME, first?.parameter ?? ""),
    h(
      "text",
      { key: "y", class: "name", x: 11, y: 93, "text-anchor": "middle", transform: "rotate(-90 11 93)" },
      shortened(second?.parameter ?? "", Math.floor((MAP_FRAME.bottom - MAP_FRAME.top) / NAME)),
    ),
    h("g", { key: "bar", "shape-rendering": "crispEdges" }, ...shades()),
    ...bar.ticks.map(({ value, text }) =>
      h("text", { key: `bar ${text}`, class: "tick", x: BAR.right + 5, y: fixed(bar.at(value) + 3.5) }, text),
    ),
    h("text", { key: "unit", class: "name", x: BAR.left, y: BAR.bottom + 31 }, given.plot.unit),
    place(given.marker, x, y, "dot"),
    given.pointed !== null &&
      place([first?.values[given.pointed[0]] ?? NaN, second?.values[given.pointed[1]] ?? NaN], x, y, "pointer"),
  );
}

function axisScale(values: readonly number[], log: boolean, from: number, to: number): Scale {
  const [low, high] = [values[0] ?? 0, values.at(-1) ?? 1];
  return log && low > 0 ? logarithmic(low, high, from, to) : linear(low, high, from, to, 5);
}

function extremes(rows: readonly (readonly Point[])[]): { readonly low: number; readonly high: number } {
  const numbers = rows
    .flat()
    .filter((point) => point.fault === null)
    .map((point) => real(point.value))
    .filter(Number.isFinite);
  const low = Math.min(...numbers, 0);
  const high = Math.max(...numbers, low);
  return { low, high: high > low ? high : low + 1 };
}

/** One rectangle around each point, half a cell at the ends, so that the axes go from the first point to the last. */
function cells(
  rows: readonly (readonly Point[])[],
  first: readonly number[],
  second: readonly number[],
  x: Scale,
  y: Scale,
  low: number,
  high: number,
): Node[] {
  const [columns, lines] = [borders(first, x), borders(second, y)];
  return rows.flatMap((row, i) =>
    row.flatMap((point, j) => {
      const value = real(point.value);
      const [left, right, bottom, top] = [columns[i], columns[i + 1], lines[j], lines[j + 1]];
      if (
        point.fault !== null ||
        Number.isNaN(value) ||
        left === undefined ||
        right === undefined ||
        bottom === undefined ||
        top === undefined
      ) {
        return [];
      }
      const part = Math.min(1, (value - low) / (high - low));
      return [
        h("rect", {
          x: fixed(left),
          y: fixed(top),
          // Of the rounded places, or a gap is left between two.
          width: fixed(Number(fixed(right)) - Number(fixed(left))),
          height: fixed(Number(fixed(bottom)) - Number(fixed(top))),
          fill: interpolateViridis(part),
        }),
      ];
    }),
  );
}

function borders(values: readonly number[], scale: Scale): number[] {
  const places = values.map((value) => scale.at(value));
  const middle = places.slice(1).map((place, index) => ((places[index] ?? place) + place) / 2);
  return [places[0] ?? 0, ...middle, places.at(-1) ?? 0];
}

function shades(): Node[] {
  const height = (BAR.bottom - BAR.top) / SHADES;
  return Array.from({ length: SHADES }, (_, index) =>
    h("rect", {
      x: BAR.left,
      width: BAR.right - BAR.left,
      y: fixed(BAR.bottom - (index + 1) * height),
      height: fixed(height),
      fill: interpolateViridis(index / (SHADES - 1)),
    }),
  );
}

function place([first, second]: readonly [number, number], x: Scale, y: Scale, kind: "dot" | "pointer"): Node | null {
  const [left, top] = [x.at(first), y.at(second)];
  const inside =
    left >= MAP_FRAME.left - 1 &&
    left <= MAP_FRAME.right + 1 &&
    top >= MAP_FRAME.top - 1 &&
    top <= MAP_FRAME.bottom + 1;
  return inside ? h("circle", { key: kind, class: `${kind} on-map`, cx: fixed(left), cy: fixed(top), r: 5 }) : null;
}

function summary({ label, plot, marker }: MapPicture, low: number, high: number): string {
  const [first, second] = plot.axes.map((axis) => axis.parameter);
  return `${label} over ${first ?? ""} and ${second ?? ""}: between ${low.toPrecision(3)} and ${high.toPrecision(3)} ${plot.unit}; here ${first ?? ""} = ${String(marker[0])}, ${second ?? ""} = ${String(marker[1])}`;
}
