/** The extension where nothing can be run: in a browser without a machine behind it. Highlighting works without this. */

import * as vscode from "vscode";

const REASON =
  "programs are highlighted but not analysed here: the analysis runs Python on a machine, and this window has none.";
const WHERE = "Where It Works";
const DOCUMENTATION =
  "https://code.visualstudio.com/docs/setup/vscode-web#_continue-working-in-a-different-environment";

export function activate(context: vscode.ExtensionContext): void {
  const status = vscode.languages.createLanguageStatusItem("seepage.status", { language: "seep" });
  status.name = "Seepage";
  status.text = "Seepage: no analysis";
  status.detail = REASON;
  status.severity = vscode.LanguageStatusSeverity.Warning;
  context.subscriptions.push(status);
  // The palette offers the commands here too, and each of them answers.
  const { contributes } = context.extension.packageJSON as {
    contributes: { commands: readonly { command: string }[] };
  };
  for (const { command } of contributes.commands) {
    context.subscriptions.push(vscode.commands.registerCommand(command, say));
  }
  void say();
}

async function say(): Promise<void> {
  if ((await vscode.window.showInformationMessage(`Seepage: ${REASON}`, WHERE)) === WHERE) {
    await vscode.env.openExternal(vscode.Uri.parse(DOCUMENTATION));
  }
}
