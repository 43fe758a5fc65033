/** What differs from the last commit: nothing where nothing does. */

import type { Changes } from "../contract";
import { isCurrent, type Model } from "../model";
import { type Child, h, type Node } from "../tree";
import { section } from "./parts";

export function changes(model: Model): Node | null {
  const found = model.results?.changes;
  if (found == null || !isCurrent(model)) {
    return null;
  }
  const { revision, commit, orders } = found;
  return section(
    "changes",
    [`Since ${revision}`, h("span", { class: "aside" }, commit)],
    h("ul", { class: "told" }, ...lines(found)),
    ...orders.map(({ told, shown }, index) =>
      shown.length === 0
        ? h("p", { key: `order ${String(index)}` }, told)
        : h(
            "details",
            { key: `order ${String(index)}`, class: "shown" },
            h("summary", {}, told),
            h("ul", {}, ...shown.map((line) => h("li", {}, line))),
          ),
    ),
  );
}

function lines({ measures, budgets, errors }: Changes): Child[] {
  const changed = measures.filter(({ direction }) => direction !== "unchanged");
  const judged = budgets.filter(({ before, after, measure }) => before !== after || measure.direction !== "unchanged");
  return [
    ...changed.map(({ measure, told, worse }) => line(measure, told, worse)),
    ...judged.map(({ budget, told, worse }) => line(`require ${budget}`, told, worse)),
    ...errors.map((error) => line("new error", error, true)),
  ];
}

function line(name: string, told: string, worse: boolean): Node {
  return h(
    "li",
    { key: name, class: worse ? "verdict bad" : "" },
    worse && [h("span", { "aria-hidden": "true" }, "▲ "), h("span", { class: "unseen" }, "worse: ")],
    h("code", {}, name),
    `: ${told}`,
  );
}
