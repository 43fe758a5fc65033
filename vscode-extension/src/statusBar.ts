/** The item in the status bar: is there a server, and is it computing? Shown while a Seep program is open. */

import * as vscode from "vscode";

export type ServerState = "starting" | "ready" | "stopped" | "missing";

const ICONS: Record<ServerState, string> = {
  starting: "$(loading~spin)",
  ready: "$(beaker)",
  stopped: "$(error)",
  missing: "$(warning)",
};

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("seepage.status", vscode.StatusBarAlignment.Right, 100);
  private readonly running = new Set<number | string>();
  private readonly listener: vscode.Disposable;
  private state: ServerState = "starting";
  private detail = "";

  constructor() {
    this.item.name = "Seepage";
    this.item.command = "seepage.showMenu";
    this.listener = vscode.window.onDidChangeActiveTextEditor(() => {
      this.render();
    });
    this.render();
  }

  set(state: ServerState, detail: string): void {
    this.state = state;
    this.detail = detail;
    if (state !== "ready") {
      this.running.clear();
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
    this.item.dispose();
  }

  private render(): void {
    const computing = this.state === "ready" && this.running.size > 0;
    this.item.text = computing ? "$(loading~spin) Seepage: computing" : `${ICONS[this.state]} Seepage`;
    this.item.tooltip = computing ? "an analysis is running" : this.detail;
    const warn = this.state === "missing" || this.state === "stopped";
    this.item.backgroundColor = warn ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    if (vscode.window.activeTextEditor?.document.languageId === "seep") {
      this.item.show();
    } else {
      this.item.hide();
    }
  }
}
