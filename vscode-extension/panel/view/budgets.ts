/** Budgets with their verdicts, and the answers to `show`. */

import type { Answer, Because } from "../contract";
import { digitsOf, focusOf, type Model, overrides, questionOf } from "../model";
import { FEW_DIGITS, numberText } from "../numbers";
import { drawable } from "../slots";
import { type Child, h, type Node } from "../tree";
import { button, certaintyKind, chip, jump, number, numberAt, reasons, section } from "./parts";

const SIGNS = { holds: "✓", violated: "✗", "cannot tell": "?" } as const;
const KINDS = { holds: "good", violated: "bad", "cannot tell": "warn" } as const;

export function budgets(model: Model): Node | null {
  const all = (model.results?.answers ?? []).filter((answer) => answer.kind === "require");
  if (all.length === 0) {
    return null;
  }
  const moved = Object.keys(overrides(model)).length > 0;
  return section(
    "budgets",
    ["Budgets", moved && h("span", { class: "aside" }, "as the text has them; they do not follow the sliders")],
    h(
      "table",
      {},
      h(
        "thead",
        { class: "unseen" },
        h("tr", {}, ...["verdict", "budget", "number"].map((text) => h("th", { scope: "col" }, text))),
      ),
      h(
        "tbody",
        {},
        ...all.map((answer, index) => budget(model, answer, index, toldAbove(model, all.slice(0, index)))),
      ),
    ),
  );
}

/** The reasons that stand at the measure in focus and in earlier rows. */
function toldAbove(model: Model, before: readonly Answer[]): readonly Because[] {
  return [focusOf(model)?.result, ...before.map((answer) => answer.result)].flatMap((result) => result?.because ?? []);
}

/** Whether what is missing is still being computed. */
function awaited(model: Model): boolean {
  return model.results?.state === "computing";
}

function budget(model: Model, answer: Answer, index: number, told: readonly Because[]): Node {
  const { verdict } = answer;
  return h(
    "tr",
    { key: String(index) },
    verdict === null
      ? h("td", { class: "verdict none" }, awaited(model) ? "computing" : "no verdict")
      : h(
          "td",
          { class: `verdict ${KINDS[verdict]}` },
          h("span", { "aria-hidden": "true" }, `${SIGNS[verdict]} `),
          verdict,
        ),
    h("td", {}, jump(`require ${answer.source}`, answer.range)),
    h("td", {}, outcome(model, answer), reasons(answer.result?.because ?? [], told)),
  );
}

function outcome(model: Model, answer: Answer): Child {
  const told: string[] = [];
  if (answer.result !== null) {
    told.push(numberText(answer.result, digitsOf(model, FEW_DIGITS)));
  }
  if (answer.worst !== null && answer.worst !== "") {
    told.push(answer.result !== null && !/^at\b/.test(answer.worst) ? `at ${answer.worst}` : answer.worst);
  }
  if (told.length === 0 && answer.error !== null) {
    return h("span", { class: "aside" }, answer.error);
  }
  return h("span", {}, told.join(" "));
}

export function answers(model: Model): Node | null {
  const all = (model.results?.answers ?? []).filter((answer) => answer.kind === "show");
  if (all.length === 0) {
    return null;
  }
  return section(
    "answers",
    "Answers",
    h(
      "table",
      {},
      h(
        "thead",
        { class: "unseen" },
        h("tr", {}, ...["measure", "value", "certainty", "line"].map((text) => h("th", { scope: "col" }, text))),
      ),
      h(
        "tbody",
        {},
        ...all.map((answer, index) => shownAnswer(model, answer, index, toldAbove(model, all.slice(0, index)))),
      ),
    ),
  );
}

function shownAnswer(model: Model, answer: Answer, index: number, told: readonly Because[]): Node {
  const question = questionOf(answer);
  const found = answer.result === null ? null : numberAt(model, question.text, question.unit, answer.result);
  // What is said of a number is said only beside it: not beside a dash, nor beside one that is on its way.
  const drawn = found === null ? null : drawable(found);
  const result = drawn?.current === true ? drawn.value : null;
  return h(
    "tr",
    { key: String(index) },
    h(
      "th",
      { scope: "row" },
      button(
        h("code", {}, question.label),
        { is: "choose", measure: question.id },
        { class: "link code", title: `look at ${question.label}` },
      ),
    ),
    h(
      "td",
      {},
      found === null
        ? h("span", { class: "aside" }, answer.error ?? (awaited(model) ? "computing" : "no result"))
        : number(found, (each) => numberText(each, digitsOf(model, 6))),
      reasons(result?.because ?? [], told),
    ),
    h("td", {}, result !== null && chip(result.certainty, certaintyKind(result.certainty))),
    h("td", {}, jump(`line ${String(answer.range.start.line + 1)}`, answer.range, "go to line")),
  );
}
