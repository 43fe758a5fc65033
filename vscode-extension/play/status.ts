/** The words of the last line: how the numbers stand, and whether budgets hold. */

import type { Results } from "../panel/contract";
import type { ServerTold } from "../panel/host";

export interface Word {
  readonly text: string;
  readonly kind: "good" | "bad" | "warn" | "plain";
}

const STATES: Readonly<Record<Exclude<Results["state"], "current">, Word>> = {
  stale: { text: "of the text before", kind: "warn" },
  computing: { text: "computing …", kind: "plain" },
  failed: { text: "failed", kind: "bad" },
  "timed out": { text: "timed out", kind: "warn" },
  none: { text: "not analysed", kind: "plain" },
  errors: { text: "errors in the program", kind: "bad" },
};

export function statusOf(server: ServerTold, results: Results | undefined): Word[] {
  if (server.health !== "ok") {
    return [{ text: server.message ?? "", kind: server.health === "error" ? "bad" : "plain" }];
  }
  if (results === undefined) {
    return [];
  }
  if (results.state !== "current") {
    return [STATES[results.state]];
  }
  const certainty = results.certainty ?? "no numbers";
  const words: Word[] = [{ text: certainty, kind: certainty === "approximate" ? "warn" : "good" }, ...budgets(results)];
  return [...words, { text: `${results.seconds.toFixed(2)} s`, kind: "plain" }];
}

function budgets({ answers }: Results): Word[] {
  const asked = answers.filter(({ kind }) => kind === "require");
  const violated = asked.filter(({ verdict }) => verdict === "violated").length;
  const open = asked.filter(({ verdict }) => verdict !== "violated" && verdict !== "holds").length;
  const of = `of ${String(asked.length)} ${asked.length === 1 ? "budget" : "budgets"}`;
  if (asked.length === 0) {
    return [];
  }
  if (violated > 0) {
    return [{ text: `${String(violated)} ${of} violated`, kind: "bad" }];
  }
  return open > 0
    ? [{ text: `${String(open)} ${of} cannot be told`, kind: "warn" }]
    : [{ text: asked.length === 1 ? "the budget holds" : "all budgets hold", kind: "good" }];
}
