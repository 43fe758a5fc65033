/** The table of secrets and outputs. */

import { type Result, real, type Row } from "../contract";
import { digitsOf, idOf, type Model } from "../model";
import { BOUND_DIGITS, FEW_DIGITS, inPercent, numberText, percentText, rounded } from "../numbers";
import { drawable, type Shown } from "../slots";
import { type Child, h, type Node } from "../tree";
import { lossOf, numberSlot } from "../wants";
import { button, type Measured, moved, number, quiet, section, shownIn, valuesText, worstAt } from "./parts";

const MOST_ROWS = 60;

export function leaks(model: Model): Node | null {
  const table = model.results?.table ?? [];
  if (table.length === 0) {
    return null;
  }
  const values = valuesText(model);
  return section(
    "leaks",
    ["What leaks", values !== "" && h("span", { class: "aside" }, ` at ${values}`)],
    h(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": "What leaks" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...HEADINGS.map(([text, title]) => h("th", { scope: "col", title }, text)))),
        h("tbody", {}, ...table.slice(0, MOST_ROWS).map((each) => row(model, each))),
      ),
    ),
    table.length > MOST_ROWS &&
      quiet(`${String(table.length - MOST_ROWS)} more rows; “seepage check” prints all of them`),
  );
}

const HEADINGS: readonly (readonly [string, string])[] = [
  ["Secret", "what the attacker wants to know"],
  ["through", "what the attacker sees"],
  ["of its entropy", "the share of the secret's entropy that leaks on average"],
  ["leak", "the mutual information of secret and output"],
  ["worst output", "the output that tells most, by divergence of the posterior from the prior"],
  ["guess in one try", "how likely the attacker guesses the secret: before → after seeing the output"],
  ["ε-DP", "the privacy loss of the output in the secret, everything else drawn as the program says"],
];

function row(model: Model, row: Row): Node {
  return h(
    "tr",
    { key: `${row.secret} ${row.output}`, class: row.headline ? "" : "minor" },
    h("th", { scope: "row", "data-name": HEADINGS[0]?.[0] }, h("code", {}, row.secret)),
    ...[h("code", {}, row.output), share(model, row), leak(model, row), worst(model, row), guesses(model, row)].map(
      (cell, index) => h("td", { "data-name": HEADINGS[index + 1]?.[0] }, cell),
    ),
    h("td", { "data-name": HEADINGS.at(-1)?.[0] }, loss(model, row)),
  );
}

function share(model: Model, row: Row): Child {
  if (row.percent === null) {
    return h("span", { class: "none", title: row.note }, "—");
  }
  const found = moved(model, row.percent);
  const drawn = drawable(found);
  const width = drawn === null ? 0 : Math.min(100, Math.max(0, real(drawn.value.value ?? drawn.value.lower)));
  const entropy = drawable(shownIn<Measured>(model, numberSlot(`H(${row.secret})`, row.information?.unit ?? "")));
  return h(
    "span",
    {},
    h(
      "span",
      { class: drawn?.current === true ? "bar" : "bar previous", "aria-hidden": "true" },
      h(
        "svg",
        { viewBox: "0 0 100 1", preserveAspectRatio: "none" },
        h("rect", { width: width.toFixed(2), height: 1 }),
      ),
    ),
    number(found, (result) => percentText(result, digitsOf(model, BOUND_DIGITS))),
    entropy?.current === true &&
      h("span", { class: "aside" }, ` of ${numberText(entropy.value.result, digitsOf(model, FEW_DIGITS))}`),
  );
}

function leak(model: Model, row: Row): Child {
  if (row.information === null) {
    return h("span", { class: "none" }, "—", row.note !== "" && h("span", { class: "aside" }, ` ${row.note}`));
  }
  const found = moved(model, row.information);
  const drawn = drawable(found);
  return h(
    "span",
    {},
    button(
      number(found, (result) => numberText(result, digitsOf(model, FEW_DIGITS))),
      { is: "choose", measure: idOf(row.information.measure, row.information.unit) },
      { class: "link strong", title: `look at ${row.information.measure}` },
    ),
    drawn?.current === true && h("span", { class: "aside" }, ` ${drawn.value.certainty}`),
  );
}

function worst(model: Model, row: Row): Child {
  if (row.worst === null) {
    return h("span", { class: "none", title: row.note }, "—");
  }
  const found = worstAt(model, row);
  if (found.kind === "failed") {
    return number(found);
  }
  const drawn = drawable(found) ?? { value: row, current: false };
  const { worst: told, least_left: left, note } = drawn.value;
  // Of rows far down the table nothing is asked.
  const previous =
    found.kind === "nothing" ? { title: "at the values of the text" } : { "aria-busy": "true", title: "computing" };
  if (told === null) {
    return h("span", { class: "none", title: note }, "—");
  }
  const leaves =
    left === null ? undefined : `leaves ${numberText(left.entropy, digitsOf(model, FEW_DIGITS))} at ${left.output}`;
  return h(
    "span",
    drawn.current ? { title: leaves } : { class: "previous", ...previous },
    h("code", {}, told.output),
    `: ${numberText(told.divergence, digitsOf(model, FEW_DIGITS))}`,
  );
}

function guesses(model: Model, row: Row): Child {
  if (row.guess_before === null || row.guess_after === null) {
    return h("span", { class: "none", title: row.note }, "—");
  }
  const percent = (result: Result): string => percentText(inPercent(result), digitsOf(model, BOUND_DIGITS));
  const before = moved(model, row.guess_before);
  const after = moved(model, row.guess_after);
  const guessed = [before, after].some((each) => {
    const drawn = drawable(each);
    return drawn?.current === true && drawn.value.certainty === "approximate";
  });
  return h(
    "span",
    { class: "guesses" },
    number(before, percent),
    " → ",
    number(after, percent),
    guessed && h("span", { class: "aside" }, " approximate"),
  );
}

function loss(model: Model, row: Row): Child {
  const measure = lossOf(row);
  if (!row.headline || measure === null) {
    return "";
  }
  const text = (result: Result): string => lossText(result, digitsOf(model, FEW_DIGITS));
  const found: Shown<Measured> = shownIn<Measured>(model, numberSlot(measure, ""));
  switch (found.kind) {
    case "nothing":
      return h("span", { class: "none" }, "—");
    case "failed":
      return number(found);
    case "waiting":
      return number({ kind: "waiting", previous: found.previous?.result ?? null }, text);
    case "current":
      return h(
        "span",
        { title: [...found.value.result.notes, found.value.result.witness].filter(Boolean).join("; ") || undefined },
        number({ kind: "current", value: found.value.result }, text),
      );
  }
}

function lossText(result: Result, digits: number): string {
  const [lower, upper] = [real(result.lower), real(result.upper)];
  if (lower === Infinity) {
    return "∞";
  }
  return upper === Infinity && !result.estimated
    ? `≥ ${rounded(lower, 3, "down")}`
    : numberText({ ...result, unit: "" }, digits);
}
