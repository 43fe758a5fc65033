/** Scales and axes of pictures, with the ticks of d3-scale. */

import { scaleLinear, scaleLog } from "d3-scale";
import { decimalText } from "../domain";
import { h, type Node } from "../tree";

/** What a letter of a tick takes, about, in units of the picture. */
const LETTER = 6;
/** And one of the name of an axis, where letters are large. */
export const NAME = 9;
const MOST_DECADES = 8;

/** A scale from values to places in the picture. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
}

export function linear(low: number, high: number, from: number, to: number, count: number): Scale {
  const scale = scaleLinear([low, high], [from, to]);
  return {
    at: (value) => scale(value),
    ticks: scale.ticks(count).map((value) => ({ value, text: plain(value) })),
  };
}

export function logarithmic(low: number, high: number, from: number, to: number): Scale {
  const scale = scaleLog([low, high], [from, to]);
  return {
    at: (value) => scale(value),
    ticks: logarithmicTicks(low, high).map((value) => ({ value, text: plain(value) })),
  };
}

/** Powers of ten where there are several, a few of them where there are many; else 1, 2 and 5 times these, or as on a linear axis. */
function logarithmicTicks(low: number, high: number): readonly number[] {
  const decades = multiples([1], low, high);
  if (decades.length >= 3) {
    const step = Math.ceil(decades.length / MOST_DECADES);
    return decades.filter((_, index) => (decades.length - 1 - index) % step === 0);
  }
  const few = multiples([1, 2, 5], low, high);
  return few.length >= 3 ? few : scaleLinear([low, high], [0, 1]).ticks(4);
}

/** The products of some numbers with powers of ten, as they are spelled, between two values that may be rounded. */
function multiples(leading: readonly number[], low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low));
  return Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, step) => first + step)
    .flatMap((power) => leading.map((each) => Number(`${String(each)}e${String(power)}`)))
    .filter((value) => low <= value * (1 + 1e-9) && value <= high * (1 + 1e-9));
}

/** A tick in the way that takes less room, since a frame leaves some for six letters. */
function plain(value: number): string {
  const short = decimalText(value);
  const power = Number(value.toPrecision(12)).toExponential().replace("e+", "e");
  return short.length > 5 && power.length < short.length ? power : short;
}

/** A name as far as there is room for it beside an axis; above the picture it stands whole. */
export function shortened(name: string, letters: number): string {
  return name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
}

/** The place of a picture's frame, and how wide the picture is around it. */
export interface Frame {
  readonly width: number;
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
        h(
          "text",
          {
            class: "tick",
            x: fixed(within(scale.at(value), text, frame)),
            y: frame.bottom + 16,
            "text-anchor": "middle",
          },
          text,
        ),
      ),
    ),
    h(
      "text",
      { key: "x", class: "name", x: (frame.left + frame.right) / 2, y: frame.bottom + 31, "text-anchor": "middle" },
      shortened(name, Math.floor((frame.right - frame.left) / NAME)),
    ),
  ];
}

/** The middle of a text below its tick, or as near as leaves all of it in the picture. */
function within(middle: number, text: string, frame: Frame): number {
  return Math.min(middle, frame.width - 1 - (text.length * LETTER) / 2);
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
