/** Small pieces that several sections share. */

import type { Because, Range, Result, Row, Worst } from "../contract";
import type { Message } from "../message";
import { isLeftOut, isOpen, type Model, overrides, valueOf } from "../model";
import { FEW_DIGITS, numberText } from "../numbers";
import { drawable, type Shown, shown } from "../slots";
import { type Child, h, type Node } from "../tree";
import { numberSlot, worstSlot } from "../wants";

export type Measured = { readonly result: Result };

/** The number of a measure at the panel's values: the one of the analysis where nothing was moved, else one asked for. */
export function numberAt(model: Model, measure: string, unit: string, ofAnalysis: Result | null): Shown<Result> {
  if (ofAnalysis !== null && Object.keys(overrides(model)).length === 0) {
    return { kind: "current", value: ofAnalysis };
  }
  const found = shownIn<Measured>(model, numberSlot(measure, unit));
  switch (found.kind) {
    case "current":
      return { kind: "current", value: found.value.result };
    case "waiting":
      return { kind: "waiting", previous: found.previous?.result ?? ofAnalysis };
    case "nothing":
      return { kind: "waiting", previous: ofAnalysis };
    case "failed":
      return found;
  }
}

/** What a place shows: of a wish that gets no answer as things stand, why, and no earlier one. */
export function shownIn<T>(model: Model, slot: string): Shown<T> {
  const found = shown<T>(model.slots[slot]);
  const leftOut = isLeftOut(model);
  return leftOut !== "" && (found.kind === "waiting" || found.kind === "nothing")
    ? { kind: "failed", message: leftOut }
    : found;
}

/** The same for a result of the analysis. */
export function moved(model: Model, result: Result): Shown<Result> {
  return numberAt(model, result.measure, result.unit, result);
}

/** The outputs of a row that tell most; after a slider moved they may be others, which are asked for. */
export function worstAt(model: Model, row: Row): Shown<Worst> {
  const isMoved = Object.keys(overrides(model)).length > 0;
  return isMoved ? shownIn<Worst>(model, worstSlot(row)) : { kind: "current", value: row };
}

/** A number in its place: grey and marked busy while a newer one is on its way, a dash with the reason where there is none. */
export function number(
  found: Shown<Result>,
  write: (result: Result) => string = (result) => numberText(result, FEW_DIGITS),
): Node {
  const drawn = drawable(found);
  if (drawn !== null) {
    return drawn.current
      ? h("span", { class: "number" }, write(drawn.value))
      : h("span", { class: "number previous", "aria-busy": "true", title: "computing" }, write(drawn.value));
  }
  if (found.kind === "failed") {
    return h(
      "span",
      { class: "none", title: found.message },
      "—",
      h("span", { class: "unseen" }, ` (${found.message})`),
    );
  }
  return h("span", { class: "number previous", "aria-busy": "true", title: "computing" }, "…");
}

export function section(
  id: string,
  heading: Child | readonly Child[],
  ...children: readonly (Child | readonly Child[])[]
): Node {
  return h(
    "section",
    { key: id, class: id, "aria-labelledby": `${id}-heading` },
    h("h2", { id: `${id}-heading` }, ...[heading].flat()),
    ...children,
  );
}

/** A section that can be closed; what is closed is not computed. */
export function foldable(
  model: Model,
  id: string,
  title: string,
  ...children: readonly (Child | readonly Child[])[]
): Node {
  const open = isOpen(model, id);
  return h(
    "details",
    {
      key: id,
      class: id,
      open,
      on: { toggle: (told) => (told.open === open ? null : { is: "open", what: id, open: told.open }) },
    },
    // A click is told at once: the page tells of what it opened later, and an answer that is drawn before would close it again.
    h("summary", { on: { click: () => ({ is: "open", what: id, open: !open }) } }, h("h2", {}, title)),
    ...(open ? children : []),
  );
}

export function button(
  label: Child | readonly Child[],
  message: Message,
  given: Readonly<Record<string, string | boolean | undefined>> = {},
): Node {
  return h("button", { type: "button", ...given, on: { click: () => message } }, ...[label].flat());
}

/** Text that leads to its place in the program. */
export function jump(label: Child, range: Range | null, title = "go to the line"): Node {
  return range === null
    ? h("code", {}, label)
    : button(label, { is: "jump", range }, { class: "link code", title: `${title} ${String(range.start.line + 1)}` });
}

/** Why a number is not exact, one line each, leading to the statement; of what was told above only the line. */
export function reasons(because: readonly Because[], told: readonly Because[] = []): Node | null {
  const isTold = (one: Because): boolean => told.some((other) => isSame(one, other));
  // Of what was told above, only the lines are named, each once.
  const each = because.filter(
    (one, index) =>
      !because
        .slice(0, index)
        .some((other) => isSame(one, other) || (other.line === one.line && isTold(one) && isTold(other))),
  );
  if (each.length === 0) {
    return null;
  }
  return h(
    "ul",
    { class: "because" },
    ...each.map((one) => {
      const { line, column, message } = one;
      const at = { line: line - 1, character: column - 1 };
      const place = jump(`line ${String(line)}`, { start: at, end: at }, "go to line");
      return isTold(one) ? h("li", { title: message }, "because of ", place) : h("li", {}, place, ` ${message}`);
    }),
  );
}

function isSame(one: Because, other: Because): boolean {
  return one.line === other.line && one.message === other.message;
}

export function chip(text: string, kind = "", title?: string): Node {
  return h("span", { class: `chip ${kind}`.trim(), title }, text);
}

export function certaintyKind(certainty: string): string {
  return certainty === "exact" ? "good" : certainty === "approximate" ? "warn" : "";
}

export function select(
  label: string,
  value: string,
  options: readonly (string | readonly [string, string])[],
  choose: (value: string) => Message,
): Node {
  return h(
    "select",
    { "aria-label": label, value, on: { change: (told) => choose(told.value) } },
    ...options.map((option) => {
      const [own, text] = typeof option === "string" ? [option, option] : option;
      return h("option", { key: own, value: own, selected: own === value }, text);
    }),
  );
}

/** `p = 1/2, eps = 1`, as the panel has them, but for some. */
export function valuesText(model: Model, ...but: readonly string[]): string {
  return (model.results?.parameters ?? [])
    .filter((parameter) => !but.includes(parameter.name))
    .map((parameter) => `${parameter.name} = ${valueOf(model, parameter).text}`)
    .join(", ");
}

/** What a section says where there is nothing to show. */
export function quiet(...text: readonly Child[]): Node {
  return h("p", { class: "quiet" }, ...text);
}
