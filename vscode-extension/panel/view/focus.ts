/** The measure in focus: its number, and its formula typeset. */

import type { Result, Results } from "../contract";
import { ASKING, digitsOf, focusOf, isCurrent, isLeftOut, type Model, type Question, questions } from "../model";
import { boundsText, MOST_DIGITS, numberText, symbolOf } from "../numbers";
import { drawable } from "../slots";
import { type Child, h, math, type Node } from "../tree";
import { certaintyKind, chip, number, numberAt, quiet, reasons, select } from "./parts";

export function focus(model: Model): Node | null {
  const question = focusOf(model);
  if (question === null || model.results === null) {
    return null;
  }
  const choices = questions(model.results, model.asked).map(({ id, label }) => [id, label] as const);
  const found = numberAt(model, question.text, question.unit, question.result);
  const drawn = drawable(found);
  return h(
    "section",
    { key: "focus", class: "focus", "aria-labelledby": "focus-heading" },
    h(
      "div",
      { class: "figure" },
      h(
        "h2",
        { id: "focus-heading" },
        choices.length > 1
          ? select("Measure", question.id, choices, (measure) => ({ is: "choose", measure }))
          : h("code", {}, question.label),
      ),
      number(
        question.error !== null && question.result === null ? { kind: "failed", message: question.error } : found,
        (result) => numberText(result, digitsOf(model, MOST_DIGITS)),
      ),
      drawn?.current === true && chip(drawn.value.certainty, certaintyKind(drawn.value.certainty)),
      drawn?.current === true && isCurrent(model) && sure(drawn.value),
      h("span", { class: "space" }),
      model.results.kept !== true && asking(model, model.results),
    ),
    found.kind === "failed" && h("p", { class: isLeftOut(model) === "" ? "why" : "quiet" }, found.message),
    question.error !== null && question.result === null && h("p", { class: "why" }, question.error),
    drawn !== null && formula(model, question, drawn.value),
    drawn !== null && beside(model, drawn.value),
  );
}

/** The field for a measure that the program does not ask for. */
function asking(model: Model, results: Results): Node {
  return h("input", {
    type: "text",
    class: "ask",
    spellcheck: "false",
    autocomplete: "off",
    value: model.drafts[ASKING] ?? "",
    placeholder: "another measure",
    title: `any measure, such as H(${results.table[0]?.secret ?? "x"})`,
    "aria-label": "another measure",
    on: {
      input: (told) => ({ is: "type", name: ASKING, text: told.value }),
      keydown: (told) => (told.key === "Enter" ? { is: "ask", measure: told.value } : null),
    },
  });
}

/** The bounds, where the number's digits do not already tell all of them. */
function sure(result: Result): Child {
  const bounds = boundsText(result, symbolOf(result.measure), "");
  return result.certainty === "exact" || bounds === "" || numberText(result).includes("≤")
    ? null
    : h("span", { class: "aside" }, ` ${bounds}`);
}

function formula(model: Model, question: Question, result: Result): Node | null {
  if (result.formula === null) {
    // Where the reason is known, it is among the notes.
    const told = model.results?.parameters.length === 0 || result.notes.some((note) => note.startsWith("no formula"));
    return told ? null : quiet("no closed form in the parameters");
  }
  const parts = [...(result.mathml === null ? result.definitions : []), ...result.conditions];
  return h(
    "div",
    { class: "formula", tabindex: 0, role: "region", "aria-label": `formula of ${question.label}: ${result.formula}` },
    result.mathml === null
      ? h("code", {}, `${question.label} = ${result.formula}`)
      : math(result.mathml, result.formula),
    parts.length > 0 && h("p", { class: "aside" }, `where ${parts.join(", ")}`),
  );
}

function beside(model: Model, result: Result): Node | null {
  const most = digitsOf(model, 6);
  const lines = [
    ...(result.witness === "" ? [] : [`reached at ${result.witness}`]),
    ...result.companions.map((each) => `${each.name} ${numberText({ ...result, ...each, measure: each.name }, most)}`),
    ...result.notes,
  ];
  if (lines.length === 0 && result.because.length === 0) {
    return null;
  }
  return h("div", { class: "beside" }, reasons(result.because), ...lines.map((line) => quiet(line)));
}
