/** Wiring only: what the window tells, and who listens. */

import * as vscode from "vscode";
import { Client } from "./client";
import { installServer } from "./install";
import { changesServer } from "./settings";
import { showMenu } from "./menu";
import { SHOW_RESULT, showResult } from "./results";
import { StatusBar } from "./statusBar";

let client: Client | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const status = new StatusBar();
  const active = new Client(context, status);
  client = active;
  context.subscriptions.push(
    status,
    active,
    vscode.commands.registerCommand("seepage.analyse", () => active.analyse()),
    vscode.commands.registerCommand("seepage.restart", () => active.restart()),
    vscode.commands.registerCommand("seepage.install", async () => {
      if (await installServer(context)) {
        await active.restart();
      }
    }),
    vscode.commands.registerCommand("seepage.showOutput", () => {
      active.output.show(true);
    }),
    vscode.commands.registerCommand("seepage.openSettings", () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "@ext:seepage.seepage"),
    ),
    vscode.commands.registerCommand("seepage.showMenu", showMenu),
    vscode.commands.registerCommand(SHOW_RESULT, showResult),
    vscode.workspace.onDidChangeConfiguration((event) => (changesServer(event) ? active.restart() : undefined)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => active.refresh()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => active.refresh()),
  );
  await active.restart();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
