/** What an attacker does who chooses: the strategy that the measure in focus belongs to, as a tree of what is seen and chosen next. */

import type { Chosen, Result, Seen, Strategy } from "../contract";
import { digitsOf, focusOf, isOpen, type Model } from "../model";
import { BOUND_DIGITS, FEW_DIGITS, numberText, percentText, inPercent, rounded } from "../numbers";
import { drawable } from "../slots";
import { type Child, h, type Node } from "../tree";
import { button, foldable, numberAt, quiet } from "./parts";

/** Lines that are drawn, and those up to which a tree is open as a whole at first. */
const MOST_LINES = 200;
const SHORT = 40;
/** Moves that a larger tree shows at first. */
const OPEN_DEPTH = 2;

export function strategy(model: Model): Node | null {
  const question = focusOf(model);
  if (question === null) {
    return null;
  }
  const drawn = drawable(numberAt(model, question.text, question.unit, question.result));
  const told = drawn === null ? [] : strategiesOf(drawn.value, question.label);
  const [first] = told;
  if (drawn === null || first === undefined) {
    return null;
  }
  return foldable(
    model,
    "strategy",
    told.length === 1 ? first.title : `Strategies for ${question.label}`,
    h(
      "div",
      { class: drawn.current ? "" : "previous" },
      ...told.flatMap((one) => [told.length > 1 && h("h3", {}, one.title), ...tree(model, one)]),
    ),
  );
}

interface Told {
  readonly title: string;
  readonly result: Result;
  readonly strategy: Strategy;
}

/** The best strategy, or of a measure without a direction those for its ends. */
function strategiesOf(result: Result, label: string): readonly Told[] {
  const found = result.strategy?.onlyBounds === "" ? "Best strategy" : "Best strategy that was found";
  const each: readonly (readonly [string, Result | undefined])[] = [
    [`${found} for ${label}`, result],
    [`Strategy for the least ${label}`, result.minimum],
    [`Strategy for the largest ${label}`, result.maximum],
  ];
  return each.flatMap(([title, of]) =>
    of?.strategy === undefined ? [] : [{ title, result: of, strategy: of.strategy }],
  );
}

function tree(model: Model, { title, result, strategy: played }: Told): Child[] {
  const lines = [...linesOf(model, title, played)];
  const kept = lines.slice(0, MOST_LINES);
  const weighed = kept.some(({ seen }) => seen.left !== null);
  const heads = ["seen, and chosen then", "happens", ...(weighed ? ["bits left", "guess"] : [])];
  return [
    lead(model, result, played),
    h(
      "div",
      { class: "wide", key: title, tabindex: 0, role: "region", "aria-label": title },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, ...kept.map((line) => row(model, line, weighed))),
      ),
    ),
    lines.length > kept.length &&
      quiet(`${String(lines.length - kept.length)} more lines; “seepage explain --how” prints all of them`),
    quiet(
      `A line tells what is left when it is reached. How it was found: ${played.how}`,
      played.decided ? "." : "; another strategy may be as good.",
      played.onlyBounds === "" ? "" : ` ${played.onlyBounds}`,
    ),
  ];
}

/** How much all of it tells of the secret, from what is left at the ends. */
function lead(model: Model, result: Result, played: Strategy): Child {
  const [before, after] = [average(played.start), average(ends(played.start))];
  if (before === null || after === null) {
    return h("p", {}, numberText(result, digitsOf(model, FEW_DIGITS)));
  }
  return h(
    "p",
    {},
    `Of ${bits(before.bits)} bits about the secret, `,
    h("strong", {}, `${bits(after.bits)} are left`),
    `. A guess in one try is then right with ${percent(after.guess)}, before with ${percent(before.guess)}.`,
  );
}

function ends(seen: readonly Seen[]): readonly Seen[] {
  return seen.flatMap((one) => (one.then === null || one.then.answers.length === 0 ? [one] : ends(one.then.answers)));
}

function average(seen: readonly Seen[]): { readonly bits: number; readonly guess: number } | null {
  let [mass, left, guess] = [0, 0, 0];
  for (const one of seen) {
    if (one.left === null) {
      return null;
    }
    mass += one.chance;
    left += one.chance * one.left.bits;
    guess += one.chance * one.left.guess;
  }
  return mass > 0 ? { bits: left / mass, guess: guess / mass } : null;
}

interface Line {
  readonly id: string;
  readonly depth: number;
  readonly seen: Seen;
  readonly open: boolean;
}

/** The lines of a tree that are open, in the order in which they are read. */
function* linesOf(model: Model, title: string, played: Strategy): Generator<Line> {
  const short = count(played.start, SHORT + 1) <= SHORT;
  function* under(all: readonly Seen[], depth: number, path: string): Generator<Line> {
    for (const [index, seen] of all.entries()) {
      const id = `${path} ${String(index)}`;
      const open = isOpen(model, id, short || depth < OPEN_DEPTH);
      yield { id, depth, seen, open };
      if (open && seen.then !== null) {
        yield* under(seen.then.answers, depth + 1, id);
      }
    }
  }
  yield* under(played.start, 0, `strategy ${title}`);
}

/** How many lines there are, counted to `most`. */
function count(seen: readonly Seen[], most: number): number {
  let found = 0;
  for (const one of seen) {
    found += 1 + (one.then === null || found >= most ? 0 : count(one.then.answers, most - found));
    if (found >= most) {
      break;
    }
  }
  return found;
}

function row(model: Model, { id, depth, seen, open }: Line, weighed: boolean): Node {
  const folds = seen.then !== null && seen.then.answers.length > 0;
  const name = [seen.text, seen.then === null ? "" : chosen(seen.then)].filter((text) => text !== "").join(": ");
  return h(
    "tr",
    { key: id },
    h(
      "th",
      { scope: "row" },
      ...Array.from({ length: depth }, () => h("span", { class: "indent", "aria-hidden": "true" })),
      folds
        ? button(
            open ? "▾" : "▸",
            { is: "open", what: id, open: !open },
            { class: "fold", "aria-expanded": String(open), "aria-label": `what follows ${name}` },
          )
        : h("span", { class: "indent", "aria-hidden": "true" }),
      seen.text !== "" && h("code", {}, seen.text),
      seen.then !== null && [
        h("span", { class: "aside" }, seen.text === "" ? "choose " : " choose "),
        h("code", { class: "chosen" }, chosen(seen.then)),
      ],
    ),
    h("td", {}, percent(seen.chance)),
    ...(weighed ? left(model, seen) : []),
  );
}

function left(model: Model, { left: rest }: Seen): Node[] {
  if (rest === null) {
    return [h("td", {}), h("td", {})];
  }
  const known =
    rest.value === "" ? bits(rest.bits, digitsOf(model, FEW_DIGITS)) : h("code", { class: "known" }, rest.value);
  return [h("td", {}, known), h("td", {}, percent(rest.guess))];
}

function chosen({ choose }: Chosen): string {
  return Object.entries(choose)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");
}

function bits(value: number, digits: number = FEW_DIGITS): string {
  return rounded(value, digits);
}

function percent(chance: number): string {
  return percentText(inPercent({ lower: chance, value: chance, upper: chance }), BOUND_DIGITS);
}
