/** The choices behind the status. */

import * as vscode from "vscode";

const CHOICES = [
  { label: "$(graph) Open the Leakage panel", command: "seepage.openPanel" },
  { label: "$(play) Analyse this program", command: "seepage.analyseNow" },
  { label: "$(stop-circle) Cancel the analysis", command: "seepage.cancelAnalysis" },
  { label: "$(settings) Set parameters…", command: "seepage.setParameters" },
  { label: "$(list-tree) Explain a measure…", command: "seepage.explainMeasure" },
  { label: "$(flame) Show or hide where it leaks", command: "seepage.toggleHeat" },
  { label: "$(debug-restart) Restart the language server", command: "seepage.restartServer" },
  { label: "$(info) Show set-up information", command: "seepage.showSetUp" },
  { label: "$(output) Show the log", command: "seepage.showLog" },
  { label: "$(gear) Open the settings", command: "seepage.openSettings" },
  { label: "$(cloud-download) Set up the analysis", command: "seepage.setUp" },
] as const;

export async function showMenu(): Promise<void> {
  const choice = await vscode.window.showQuickPick(CHOICES, { placeHolder: "Seepage" });
  if (choice !== undefined) {
    await vscode.commands.executeCommand(choice.command);
  }
}
