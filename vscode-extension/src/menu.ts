/** The choices behind the status bar item. */

import * as vscode from "vscode";

const CHOICES = [
  { label: "$(play) Analyse this program", command: "seepage.analyse" },
  { label: "$(debug-restart) Restart language server", command: "seepage.restart" },
  { label: "$(output) Show output", command: "seepage.showOutput" },
  { label: "$(gear) Open settings", command: "seepage.openSettings" },
  { label: "$(cloud-download) Install language server", command: "seepage.install" },
] as const;

export async function showMenu(): Promise<void> {
  const choice = await vscode.window.showQuickPick(CHOICES, { placeHolder: "Seepage" });
  if (choice !== undefined) {
    await vscode.commands.executeCommand(choice.command);
  }
}
