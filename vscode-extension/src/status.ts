/** Shows how the analysis of the active program stands: beside the language's name, and in the status bar. */

import * as vscode from "vscode";
import type { Results } from "../panel/contract";
import { isProgram } from "./programs";
import { present, type ServerState, type Told } from "./presentation";
import type { Walkthrough } from "./walkthrough";

const SEVERITY = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
};

export class Status implements vscode.Disposable {
  private readonly language = vscode.languages.createLanguageStatusItem("seepage.status", { language: "seep" });
  private readonly bar = vscode.window.createStatusBarItem("seepage.status", vscode.StatusBarAlignment.Right, 100);
  private readonly running = new Set<number | string>();
  private readonly listener: vscode.Disposable;
  private state: ServerState = { kind: "starting", command: "" };
  private told: Told = { health: "ok", message: null };
  private results: Results | undefined;
  /** The panel has the focus, and no text editor. */
  private inPanel = false;

  constructor(private readonly walkthrough: Pick<Walkthrough, "complete">) {
    this.language.name = "Seepage";
    this.language.command = { command: "seepage.showMenu", title: "Actions" };
    this.bar.name = "Seepage";
    this.bar.command = "seepage.showMenu";
    this.listener = vscode.window.onDidChangeActiveTextEditor(() => {
      this.render();
    });
    this.render();
  }

  server(state: ServerState): void {
    this.state = state;
    if (state.kind !== "ready") {
      this.running.clear();
      this.results = undefined;
      this.told = { health: "ok", message: null };
    }
    if (state.kind === "ready") {
      this.walkthrough.complete("setUp");
    }
    this.render();
  }

  /** The panel has the focus, or has it no longer. */
  panel(focused: boolean): void {
    this.inPanel = focused;
    this.render();
  }

  /** What the server says of itself. */
  health(health: string, message: string | null): void {
    this.told = { health, message };
    this.render();
  }

  /** The results of the program that the user looks at. */
  show(results: Results | undefined): void {
    this.results = results;
    if (results?.state === "current" && results.certainty !== null) {
      this.walkthrough.complete("read");
    }
    this.render();
  }

  /** Follow the server's work-done progress: an analysis begins, reports, ends. */
  progress(token: number | string, kind: "begin" | "report" | "end"): void {
    if (kind === "end") {
      this.running.delete(token);
    } else {
      this.running.add(token);
    }
    this.render();
  }

  dispose(): void {
    this.listener.dispose();
    this.language.dispose();
    this.bar.dispose();
  }

  private render(): void {
    const shown = present(this.state, this.running.size > 0, this.results, this.told);
    this.language.text = `Seepage: ${shown.text}`;
    this.language.detail = shown.detail;
    this.language.busy = shown.busy;
    this.language.severity = SEVERITY[shown.severity];
    this.bar.text = `$(${shown.icon}) Seepage: ${shown.text}`;
    this.bar.tooltip = shown.detail;
    const warn = shown.severity !== "information";
    this.bar.backgroundColor = warn ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    if (this.inPanel || isProgram(vscode.window.activeTextEditor)) {
      this.bar.show();
    } else {
      this.bar.hide();
    }
  }
}
