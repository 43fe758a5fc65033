/** The words of the status: what stands in the status bar, and behind it. Nothing here imports `vscode`. */

import type { Results } from "../panel/contract";
import { advise, type Problem } from "./problems";

export type ServerState =
  | { readonly kind: "starting"; readonly command: string }
  | { readonly kind: "settingUp" }
  | { readonly kind: "ready"; readonly command: string }
  | { readonly kind: "stopped" }
  | { readonly kind: "missing"; readonly problem: Problem };

export interface Presentation {
  /** One word or two, after the extension's name. */
  readonly text: string;
  readonly detail: string;
  readonly icon: string;
  readonly severity: "information" | "warning" | "error";
  readonly busy: boolean;
}

export interface Told {
  readonly health: string;
  readonly message: string | null;
}

/** What to show of the server and of the document in the active editor. */
export function present(
  server: ServerState,
  computing: boolean,
  results: Pick<Results, "state" | "engine" | "certainty" | "seconds" | "message" | "answers"> | undefined,
  told: Told = { health: "ok", message: null },
): Presentation {
  switch (server.kind) {
    case "starting":
      return busy("starting", server.command);
    case "settingUp":
      return busy("setting up", "the log shows each step");
    case "stopped":
      return { text: "stopped", detail: "the server has stopped", icon: "error", severity: "error", busy: false };
    case "missing": {
      const { message } = advise(server.problem);
      return { text: "no analysis", detail: message, icon: "warning", severity: "warning", busy: false };
    }
    case "ready":
      break;
  }
  if (results !== undefined) {
    return ofResults(results); // another program may be computed meanwhile, or may have failed
  }
  if (told.health === "error" || told.health === "warning") {
    return { text: told.health, detail: told.message ?? "", icon: "warning", severity: told.health, busy: false };
  }
  return computing ? busy("computing", "an analysis is running") : calm("ready", server.command, "beaker");
}

function ofResults(results: NonNullable<Parameters<typeof present>[2]>): Presentation {
  const by = [results.engine, `${results.seconds.toFixed(1)} s`].filter((part) => part !== null).join(" · ");
  const certainty = results.certainty ?? "no numbers";
  switch (results.state) {
    case "current": {
      const violated = results.answers.filter((answer) => answer.verdict === "violated").length;
      const budgets =
        violated === 0 ? "" : ` · ${violated === 1 ? "a budget is" : `${String(violated)} budgets are`} violated`;
      const lacking = results.answers.filter((answer) => answer.result === null && answer.error !== null).length;
      const without = lacking === 0 ? "" : ` · ${String(lacking)} without a number`;
      return calm(`${certainty}${without}`, `${by}${budgets}`, "beaker");
    }
    case "stale":
      return calm("stale", results.message ?? `${certainty} for an earlier text; save to analyse`, "history");
    case "errors":
      return calm("errors in the program", results.message ?? "no numbers until they are mended", "circle-slash");
    case "none":
      return calm("not analysed", results.message ?? "no analysis has run yet", "circle-outline");
    case "failed":
    case "timed out":
      return { text: results.state, detail: results.message ?? by, icon: "warning", severity: "warning", busy: false };
    case "computing":
      return busy("computing", "an analysis is running");
  }
}

function busy(text: string, detail: string): Presentation {
  return { text, detail, icon: "loading~spin", severity: "information", busy: true };
}

function calm(text: string, detail: string, icon: string): Presentation {
  return { text, detail, icon, severity: "information", busy: false };
}
