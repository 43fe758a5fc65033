/** The panel as a whole, for each state that it can be in. */

import type { Results } from "../contract";
import type { Message } from "../message";
import { isAnswering, type Model } from "../model";
import { type Child, h, type Node } from "../tree";
import { answers, budgets } from "./budgets";
import { changes } from "./changes";
import { derivation } from "./derivation";
import { focus } from "./focus";
import { header, stateOf } from "./header";
import { leaks } from "./leaks";
import { parameters } from "./parameters";
import { button } from "./parts";
import { plots } from "./plots";
import { posterior } from "./posterior";
import { strategy } from "./strategy";
import { where } from "./where";

/** What the panel is in its page, which has one main part at most. */
export type Landmark = "main" | "div";

export function page(model: Model, as: Landmark = "main"): Node {
  return h(
    as,
    { class: isDim(model) ? "whole dim" : "whole" },
    header(model),
    notice(model),
    ...(model.results === null ? [] : sections(model)),
    h("p", { key: "live", class: "unseen", role: "status", "aria-live": "polite" }, model.announcement),
  );
}

function sections(model: Model): Child[] {
  return [
    budgets(model),
    leaks(model),
    changes(model),
    parameters(model),
    focus(model),
    strategy(model),
    plots(model),
    answers(model),
    posterior(model),
    where(model),
    derivation(model),
  ];
}

/** Whether the numbers on the page are not those of the text as it is. */
function isDim(model: Model): boolean {
  return stateOf(model) !== "current" || !isAnswering(model);
}

const CHANGED = "the text has changed since these numbers were computed; save it or analyse it now";
const START = { line: 0, character: 0 };
const OPEN: readonly [string, Message] = ["Open the program", { is: "jump", range: { start: START, end: START } }];
const UNPIN: readonly [string, Message] = ["Unpin", { is: "pin" }];
const ANALYSE: readonly [string, Message] = ["Analyse now", { is: "command", name: "analyse" }];

/** What is not as it should be, and what to do about it. */
function notice(model: Model): Node | null {
  const { results, server, document } = model;
  if (!isAnswering(model)) {
    const last = results === null ? "" : "; the numbers below are the last ones it gave";
    const why = server.message ?? "the language server does not run";
    const text = last === "" ? why : `${why.replace(/( …|\.)$/, "")}${last}`;
    if (server.health === "starting") {
      return told("busy", text, []);
    }
    return told("bad", text, [
      [server.action ?? "Restart", { is: "command", name: "help" }],
      ["Show log", { is: "command", name: "output" }],
    ]);
  }
  if (document === null) {
    return told("", "Open a .seep program to see what it leaks.", [
      ["New program from a template", { is: "command", name: "new" }],
    ]);
  }
  if (results === null) {
    return told(
      model.problem === "" ? "" : "bad",
      model.problem === "" ? "waiting for the language server …" : model.problem,
      // The program may be gone for good: a panel that is pinned to it is let go.
      model.problem === "" ? [] : model.pinned ? [OPEN, UNPIN] : [OPEN],
    );
  }
  const nothing = results.table.length === 0 && results.answers.length === 0;
  switch (stateOf(model)) {
    case "stale":
      return model.paused
        ? told("warn", "paused: the text has changed since", [["Go on", { is: "pause" }]])
        : told("warn", `stale: ${results.message ?? CHANGED}`, [ANALYSE]);
    case "computing":
      return told("busy", computing(results), []);
    case "errors":
      return told("bad", results.message ?? "the program has errors, so nothing is computed", [
        ["Show problems", { is: "command", name: "problems" }],
      ]);
    case "failed":
      return told("bad", results.message ?? "the analysis failed", [
        ANALYSE,
        ["Show log", { is: "command", name: "output" }],
      ]);
    case "timed out":
      return told(
        "bad",
        results.message ?? "the analysis ran out of time; a larger time limit, a smaller range or fewer outputs help",
        [ANALYSE],
      );
    case "none":
      return told("warn", results.message ?? "not analysed yet; save the program or analyse it now", [ANALYSE]);
    default:
      break;
  }
  if (nothing) {
    return told("", "Nothing to measure: declare a secret and an output, or ask with show.", []);
  }
  return model.paused ? told("", "paused: the panel keeps these results", [["Go on", { is: "pause" }]]) : null;
}

/** What is said while an analysis runs: which numbers there are depends on whether one ran before, and on what is known so far. */
function computing({ version, current }: Results): string {
  if (version === null) {
    return "computing …";
  }
  return current ? "computing the rest …" : "computing: these numbers are of the text before";
}

function told(kind: string, text: string, buttons: readonly (readonly [string, Message])[]): Node {
  return h(
    "div",
    { key: "notice", class: `notice ${kind}`.trim(), role: kind === "bad" ? "alert" : "status" },
    h("span", {}, text),
    ...buttons.map(([label, message]) => button(label, message)),
  );
}
