/** The line at the top: which program, how far it can be trusted, and what to do with the panel. */

import type { Message } from "../message";
import type { Model } from "../model";
import { axesOf, axisOf, isAnswering, isOpen } from "../model";
import { secondsText } from "../numbers";
import { h, type Node } from "../tree";
import { DERIVATION } from "../wants";
import { button, certaintyKind, chip } from "./parts";

const STATES: Readonly<Record<string, readonly [string, string]>> = {
  stale: ["stale", "warn"],
  computing: ["computing", "busy"],
  failed: ["failed", "bad"],
  "timed out": ["timed out", "bad"],
  errors: ["errors", "bad"],
  none: ["not analysed", "warn"],
};

export function header(model: Model): Node {
  const { results, document } = model;
  const chips: Node[] = [];
  if (results?.engine != null) {
    chips.push(chip(results.engine, "", results.engineSentence ?? ""));
  }
  if (results?.certainty != null) {
    chips.push(chip(results.certainty, certaintyKind(results.certainty), "the least certain of the numbers"));
  }
  if (results !== null && results.seconds > 0) {
    chips.push(chip(secondsText(results.seconds), "", "time of the analysis"));
  }
  const state = stateOf(model);
  if (state !== "current") {
    const [text, kind] = STATES[state] ?? [state, "warn"];
    chips.push(chip(text, kind));
  }
  return h(
    "header",
    // Escape closes a menu from wherever the focus is by then.
    { class: "top", on: { keydown: (told) => (told.key === "Escape" && model.menu !== null ? CLOSE : null) } },
    h("h1", { title: document?.uri }, document?.name ?? "Leakage"),
    ...chips,
    h("span", { class: "space" }),
    h(
      "div",
      { class: "tools", role: "group", "aria-label": "panel" },
      ...(results?.kept === true ? [] : staying(model)),
      menu(model, "copy", "Copy", copies(model)),
      menu(model, "export", "Export", exports(model)),
    ),
  );
}

/** Where the text may change, and the cursor may move. */
function staying(model: Model): readonly Node[] {
  return [
    button(
      "Pin",
      { is: "pin" },
      { "aria-pressed": String(model.pinned), title: "stay with this program and this measure" },
    ),
    button(
      "Pause",
      { is: "pause" },
      { "aria-pressed": String(model.paused), title: "keep these results while the text changes" },
    ),
  ];
}

/** What the numbers are, in one word: those of a text that changed while paused are stale. */
export function stateOf(model: Model): string {
  const { results } = model;
  if (results === null) {
    return "current";
  }
  if (results.state === "computing" && !isAnswering(model)) {
    return "stale"; // nobody computes
  }
  return (model.behind || !results.current) && (results.state === "current" || results.state === "stale")
    ? "stale"
    : results.state;
}

const CLOSE: Message = { is: "menu", which: null };

type Item = readonly [string, Message];

function copies(model: Model): readonly Item[] {
  const derived: readonly Item[] =
    model.slots[DERIVATION]?.phase === "answered"
      ? [
          ["Derivation as Markdown", { is: "copy", form: "derivation in markdown" }],
          ["Derivation as LaTeX", { is: "copy", form: "derivation in latex" }],
        ]
      : [];
  return [
    ["as Markdown", { is: "copy", form: "markdown" }],
    ["as LaTeX", { is: "copy", form: "latex" }],
    ["as a command", { is: "copy", form: "command" }],
    ...derived,
  ];
}

function exports(model: Model): readonly Item[] {
  const pictures = [
    ...(axisOf(model) === null ? [] : [["curve", "Curve"] as const]),
    ...(axesOf(model) === null ? [] : [["map", "Map"] as const]),
  ];
  return [
    ...pictures.flatMap(([what, name]) =>
      (["png", "svg", "csv"] as const).map((as): Item => [
        `${name} as ${as.toUpperCase()}`,
        { is: "export", file: { what, as } },
      ]),
    ),
    ["Table as CSV", { is: "export", file: { what: "table", as: "csv" } }],
    ...(isOpen(model, "posterior")
      ? [["Posteriors as CSV", { is: "export", file: { what: "posteriors", as: "csv" } }] as const]
      : []),
  ];
}

/** A button with a list of buttons behind it: opened and left by keyboard as well. */
function menu(model: Model, id: string, label: string, items: readonly Item[]): Node {
  const open = model.menu === id;
  return h(
    "div",
    { class: "menu" },
    button(
      [label, h("span", { class: "caret", "aria-hidden": "true" }, "▾")],
      open ? CLOSE : { is: "menu", which: id },
      {
        "aria-expanded": String(open),
        "aria-controls": `${id}-items`,
        disabled: model.results === null,
      },
    ),
    open && h("div", { class: "backdrop", on: { click: () => CLOSE } }),
    h(
      "ul",
      { id: `${id}-items`, hidden: !open, "aria-label": label },
      ...items.map(([text, message]) => h("li", { key: text }, button(text, message))),
    ),
  );
}
