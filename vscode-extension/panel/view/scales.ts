/** Scales and axes of pictures, with the ticks of d3-scale. */

import { scaleLinear, scaleLog } from "d3-scale";
import { decimalText } from "../domain";
import { h, type Node } from "../tree";

/** A scale from values to places in the picture. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
}

export function linear(low: number, high: number, from: number, to: number, count: number): Scale {
  const scale = scaleLinear([low, high], [from, to]);
  const format = scale.tickFormat(count);
  return {
    at: (value) => scale(value),
    ticks: scale.ticks(count).map((value) => ({ value, text: plain(value, format(value)) })),
  };
}

export function logarithmic(low: number, high: number, from: number, to: number): Scale {
  const scale = scaleLog([low, high], [from, to]);
  const decades = scale.ticks().filter((value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9);
  const ticks = decades.length >= 2 ? decades : scale.ticks(4).slice(0, 6);
  return {
    at: (value) => scale(value),
    ticks: ticks.map((value) => ({ value, text: plain(value, decimalText(value)) })),
  };
}

function plain(value: number, text: string): string {
  const short = decimalText(value);
  return text.includes("e") || short.length > 7 ? value.toExponential(0).replace("e+", "e") : short;
}

/** The place of a picture's frame. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function across(scale: Scale, frame: Frame, name: string): Node[] {
  return [
    ...scale.ticks.map(({ value, text }) =>
      h(
        "g",
        { key: `x ${text}` },
        h("line", {
          class: "axis",
          x1: fixed(scale.at(value)),
          x2: fixed(scale.at(value)),
          y1: frame.bottom,
          y2: frame.bottom + 4,
        }),
        h("text", { class: "tick", x: fixed(scale.at(value)), y: frame.bottom + 16, "text-anchor": "middle" }, text),
      ),
    ),
    h(
      "text",
      { key: "x", class: "name", x: (frame.left + frame.right) / 2, y: frame.bottom + 31, "text-anchor": "middle" },
      name,
    ),
  ];
}

export function up(scale: Scale, frame: Frame, lines: boolean): Node[] {
  return scale.ticks.map(({ value, text }) =>
    h(
      "g",
      { key: `y ${text}` },
      lines
        ? h("line", {
            class: "grid",
            x1: frame.left,
            x2: frame.right,
            y1: fixed(scale.at(value)),
            y2: fixed(scale.at(value)),
          })
        : h("line", {
            class: "axis",
            x1: frame.left - 4,
            x2: frame.left,
            y1: fixed(scale.at(value)),
            y2: fixed(scale.at(value)),
          }),
      h("text", { class: "tick", x: frame.left - 7, y: fixed(scale.at(value) + 3.5), "text-anchor": "end" }, text),
    ),
  );
}

export function fixed(value: number): string {
  return value.toFixed(2);
}
