/** What keeps the server from running, and for each: one message, and one button that helps. Nothing here imports `vscode`. */

import type { Failure } from "./environment";
import { OLDEST } from "./python";

export type Problem =
  | { readonly kind: "notSetUp"; readonly virtual: boolean; readonly untrusted: boolean }
  | { readonly kind: "wrongSetting"; readonly path: string }
  | { readonly kind: "noPython" }
  | { readonly kind: "oldPython"; readonly command: string; readonly version: string }
  | { readonly kind: "noWheel" }
  | { readonly kind: "setUpFailed"; readonly failure: Exclude<Failure, "cancelled"> }
  | { readonly kind: "notStarted"; readonly command: string }
  | { readonly kind: "keepsStopping"; readonly command: string };

export type Button = "Set Up" | "Open Settings" | "Get Python" | "Choose Python" | "Try Again" | "Show Log" | "Restart";

export interface Advice {
  /** Without the name of the extension, which the editor shows or the caller puts before it. */
  readonly message: string;
  readonly button: Button;
}

/** Nothing is known to be in the way. */
export const NOT_RUNNING: Advice = { message: "the language server does not run", button: "Restart" };
const NEEDED = `Python ${OLDEST.join(".")} or newer`;

export function advise(problem: Problem): Advice {
  switch (problem.kind) {
    case "notSetUp":
      return { message: notSetUp(problem.virtual, problem.untrusted), button: "Set Up" };
    case "wrongSetting":
      return {
        message: `the setting 'seepage.server.path' names '${problem.path}', which is no program that can be run.`,
        button: "Open Settings",
      };
    case "noPython":
      return {
        message: `no Python was found on this machine, and the analysis needs ${NEEDED}.`,
        button: "Get Python",
      };
    case "oldPython":
      return {
        message: `found Python ${problem.version} ('${problem.command}'), and the analysis needs ${NEEDED}.`,
        button: "Choose Python",
      };
    case "noWheel":
      return {
        message: "this build of the extension carries no analysis: name an installed 'seepage-lsp' in the settings.",
        button: "Open Settings",
      };
    case "setUpFailed":
      return setUpFailed(problem.failure);
    case "notStarted":
      return { message: `'${problem.command}' did not start.`, button: "Show Log" };
    case "keepsStopping":
      return { message: `'${problem.command}' has stopped several times within minutes.`, button: "Restart" };
  }
}

function notSetUp(virtual: boolean, untrusted: boolean): string {
  const setUp = "The set-up makes an environment of the extension's own, and takes about a minute.";
  if (virtual) {
    return `this folder is not on this machine, so its programs are highlighted but not analysed until the analysis is set up here. ${setUp}`;
  }
  if (untrusted) {
    return `this folder is not trusted, so nothing in it is run: trust it if it brings a server, or set one up of your own. ${setUp}`;
  }
  return `programs are highlighted but not analysed yet. ${setUp}`;
}

function setUpFailed(failure: Exclude<Failure, "cancelled">): Advice {
  switch (failure) {
    case "network":
      return { message: "the set-up could not reach the package index; is there a network?", button: "Try Again" };
    case "space":
      return { message: "the set-up found no space left on the disk.", button: "Try Again" };
    case "venv":
      return {
        message:
          "this Python could not make an environment; on Debian and Ubuntu it needs the package 'python3-venv' for that.",
        button: "Show Log",
      };
    case "pip":
      return { message: "pip could not install the analysis; the log shows what it said.", button: "Show Log" };
    case "doctor":
      return { message: "the analysis was installed, but does not work here; the log shows why.", button: "Show Log" };
  }
}
