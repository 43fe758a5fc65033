/** What an attacker does who chooses: the strategy that the measure in focus belongs to, as a tree of what is seen and chosen next. */

import type { Chosen, Left, Result, Seen, Strategy } from "../contract";
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
const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
/** Bits from which on three decimals tell enough, so that a column of them can be read down. */
const MUCH = 0.01;

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
    [`${found} for ${result.strategy?.measure || label}`, result],
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
  const asks = kept.every(({ seen }) => seen.then === null || seen.then.asks !== "");
  const heads = [
    asks ? "question and answer" : "seen, and chosen then",
    "happens",
    ...(weighed ? ["bits left", "guess"] : []),
  ];
  return [
    lead(model, result, played, asks),
    beside(played, asks),
    h(
      "table",
      { key: title, class: "tree", "aria-label": title },
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...kept.map((line) => row(line, weighed))),
    ),
    lines.length > kept.length &&
      quiet(`${String(lines.length - kept.length)} more lines; “seepage explain --how” prints all of them`),
    quiet(
      "A line tells what is left when it is reached. Of equal trees, the one whose choices come first in the domain. ",
      `What cannot happen is left out. How it was found: ${played.how}`,
      played.decided ? "." : "; another strategy may be as good.",
      played.onlyBounds === "" ? "" : ` ${played.onlyBounds}`,
    ),
    played.statements.length > 0 && written(model, title, played.statements),
  ];
}

/** How much all of it tells of the secret, from what is left at the ends. */
function lead(model: Model, result: Result, played: Strategy, asks: boolean): Child {
  const [before, after] = [average(played.start), average(ends(played.start))];
  if (before === null || after === null) {
    return h("p", {}, numberText(result, digitsOf(model, FEW_DIGITS)));
  }
  const told = before.bits - after.bits;
  return h(
    "p",
    {},
    `${many(rounds(played.start), asks)} `,
    h("strong", {}, `${bits(told)} of ${bits(before.bits)} bits`),
    " about ",
    played.secret === "" ? "the secret" : h("code", {}, played.secret),
    `. A guess in one try is then right with ${together(after.guess)}, before with ${together(before.guess)}.`,
  );
}

function many(count: number, asks: boolean): string {
  if (count <= 1) {
    return asks ? "One question tells" : "One choice tells";
  }
  const number = NUMBERS[count] ?? String(count);
  return asks
    ? `${number} questions, each chosen after the answers before, tell`
    : `${number} choices, each made after what was seen before, tell`;
}

/** How many choices a run meets, one after the other. */
function rounds(seen: readonly Seen[]): number {
  return Math.max(0, ...seen.map(({ then }) => (then === null ? 0 : 1 + rounds(then.answers))));
}

/** The attacker who chooses all at once beside this one, where that is known. */
function beside({ start, beforehand }: Strategy, asks: boolean): Child {
  const [before, after] = [average(start), average(ends(start))];
  if (beforehand?.left == null || before === null || after === null) {
    return false;
  }
  const line = (who: readonly Child[], left: Average): Node =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, ...who),
      h("td", {}, bits(before.bits - left.bits)),
      h("td", {}, before.bits > 0 ? percent((before.bits - left.bits) / before.bits) : ""),
      h("td", {}, percent(left.guess)),
    );
  const heads = [asks ? "who asks" : "who chooses", "leak, bits", "share", "guess"];
  return h(
    "table",
    { class: "others" },
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h(
      "tbody",
      {},
      line([h("strong", {}, "adaptive, this one")], after),
      line(
        ["all chosen beforehand ", h("span", { class: "aside" }, Object.values(beforehand.choose).join(", "))],
        beforehand.left,
      ),
    ),
  );
}

/** The choices as assignments that can stand in their place. */
function written(model: Model, title: string, statements: readonly string[]): Node {
  const id = `statements ${title}`;
  const open = isOpen(model, id, false);
  return h(
    "div",
    { class: "written" },
    button(
      `${open ? "▾" : "▸"} As statements, in place of the choices`,
      { is: "open", what: id, open: !open },
      { class: "fold", "aria-expanded": String(open) },
    ),
    open && h("pre", { tabindex: 0 }, statements.join("\n")),
  );
}

interface Average {
  readonly bits: number;
  readonly guess: number;
}

function ends(seen: readonly Seen[]): readonly Seen[] {
  return seen.flatMap((one) => (one.then === null || one.then.answers.length === 0 ? [one] : ends(one.then.answers)));
}

function average(seen: readonly Seen[]): Average | null {
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
  /** The question that this answers with yes or no; empty where what is seen says it itself. */
  readonly asked: string;
  readonly seen: Seen;
  readonly open: boolean;
}

/** The lines of a tree that are open, in the order in which they are read; below a secret that is known they are closed at first. */
function* linesOf(model: Model, title: string, played: Strategy): Generator<Line> {
  const short = count(played.start, SHORT + 1) <= SHORT;
  function* under(all: readonly Seen[], depth: number, path: string, asked: string): Generator<Line> {
    for (const [index, seen] of all.entries()) {
      const id = `${path} ${String(index)}`;
      const open = isOpen(model, id, !isKnown(seen) && (short || depth < OPEN_DEPTH));
      yield { id, depth, asked, seen, open };
      if (open && seen.then !== null) {
        yield* under(seen.then.answers, depth + 1, id, seen.then.asks);
      }
    }
  }
  yield* under(played.start, 0, `strategy ${title}`, "");
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

function row({ id, depth, asked, seen, open }: Line, weighed: boolean): Node {
  const folds = seen.then !== null && seen.then.answers.length > 0;
  const answer = asked === "" ? seen.text : Object.values(seen.seen)[0] === "1" ? "yes" : "no";
  const [verb, what] =
    seen.then === null ? ["", ""] : seen.then.asks === "" ? ["choose", chosen(seen.then)] : ["ask", seen.then.asks];
  const name = [answer, verb, what].filter((text) => text !== "").join(" ");
  return h(
    "tr",
    { key: id },
    h(
      "th",
      { scope: "row" },
      h(
        "div",
        { class: "line" },
        ...Array.from({ length: depth }, () => h("span", { class: "indent", "aria-hidden": "true" })),
        folds
          ? button(
              open ? "▾" : "▸",
              { is: "open", what: id, open: !open },
              { class: "fold", "aria-expanded": String(open), "aria-label": `what follows ${name}` },
            )
          : h("span", { class: "leaf", "aria-hidden": "true" }),
        h(
          "span",
          { class: "words" },
          answer !== "" && (asked === "" ? h("code", {}, answer) : h("span", { class: "aside answer" }, answer)),
          ...(seen.left === null ? [] : known(seen.left, seen.then === null, answer !== "")),
          // Where the secret is known, what is asked then counts for little.
          what !== "" &&
            (open || !isKnown(seen)) && [
              h("span", { class: "aside verb" }, ` ${verb} `),
              h("code", { class: "chosen" }, what),
            ],
        ),
      ),
    ),
    h("td", {}, percent(seen.chance)),
    ...(weighed ? left(seen) : []),
  );
}

function isKnown({ left: rest }: Seen): boolean {
  return rest !== null && rest.value !== "";
}

/** What the secret is, or at an end what it is among, apart from what stands before. */
function known({ value, among }: Left, ends: boolean, apart: boolean): Child[] {
  const what = value !== "" ? value : ends ? among : "";
  return what === "" ? [] : [apart && " ", h("code", { class: value === "" ? "chosen" : "known" }, what)];
}

function left({ left: rest }: Seen): Node[] {
  return rest === null
    ? [h("td", {}), h("td", {})]
    : [h("td", {}, rest.bits >= MUCH ? rest.bits.toFixed(3) : bits(rest.bits)), h("td", {}, percent(rest.guess))];
}

function chosen({ choose }: Chosen): string {
  return Object.entries(choose)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");
}

function bits(value: number): string {
  return rounded(value, FEW_DIGITS);
}

/** A share in a sentence, which no line breaks. */
function together(chance: number): string {
  return percent(chance).replace(" ", "\u00a0");
}

function percent(chance: number): string {
  return percentText(inPercent({ lower: chance, value: chance, upper: chance }), BOUND_DIGITS);
}
