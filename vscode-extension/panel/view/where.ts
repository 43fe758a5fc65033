/** Where a measure comes from: what it is without each statement, beside what it is with all. */

import { real, type StatementTold, type Where } from "../contract";
import { focusOf, type Model } from "../model";
import { drawable } from "../slots";
import { type Child, h, type Node } from "../tree";
import { WHERE } from "../wants";
import { foldable, jump, quiet, shownIn } from "./parts";

export function where(model: Model): Node | null {
  const focus = focusOf(model);
  if (focus === null) {
    return null;
  }
  const found = shownIn<Where>(model, WHERE);
  const drawn = drawable(found);
  return foldable(
    model,
    "where",
    `Where ${focus.label} comes from`,
    found.kind === "failed"
      ? quiet(found.message)
      : drawn === null
        ? quiet("computing …")
        : table(drawn.value, drawn.current),
  );
}

const LEGEND =
  "Filled: the number with the statement changed; the mark: with all as it is. Left of the mark it is less without the statement; right of it, the statement holds back. The lines do not add up.";

function table({ result, statements }: Where, current: boolean): Child[] {
  const ends = statements.flatMap(({ without }) => (without === null ? [] : [real(without.upper)]));
  const most = Math.max(real(result.upper), ...ends.filter(Number.isFinite), Number.MIN_VALUE);
  return [
    quiet(LEGEND),
    h(
      "table",
      { class: current ? "lines" : "lines previous" },
      h(
        "thead",
        { class: "unseen" },
        h("tr", {}, ...["statement", "without it", "told"].map((text) => h("th", { scope: "col" }, text))),
      ),
      h("tbody", {}, ...statements.map((each, index) => row(each, index, real(result.upper), most))),
    ),
  ];
}

function row(statement: StatementTold, index: number, whole: number, most: number): Node {
  const { text, told, range, note, without } = statement;
  return h(
    "tr",
    { key: String(index) },
    h("th", { scope: "row" }, jump(text, range)),
    h("td", {}, without !== null && bar(real(without.lower), real(without.upper), whole, most)),
    h("td", {}, told === "" ? h("span", { class: "aside" }, note ?? "not known") : told),
  );
}

/** The least as a bar, up to the greatest lighter, and the number with all as a mark. */
function bar(low: number, high: number, whole: number, most: number): Node {
  const share = (value: number): string => (100 * Math.min(1, Math.max(0, value / most))).toFixed(2);
  return h(
    "span",
    { class: "bar", "aria-hidden": "true" },
    h(
      "svg",
      { viewBox: "0 0 100 1", preserveAspectRatio: "none" },
      h("rect", { class: "perhaps", width: share(high), height: 1 }),
      h("rect", { width: share(low), height: 1 }),
      h("rect", { class: "tick", x: Math.min(98, Number(share(whole))), width: 2, height: 1 }),
    ),
  );
}
