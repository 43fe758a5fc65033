/** Wiring only: what the window tells, and who listens. */

import * as vscode from "vscode";
import { Client } from "./client";
import * as commands from "./commands";
import { Documents } from "./documents";
import { onDidLearn, PYTHON } from "./functions";
import { toggleHeat } from "./heating";
import { needsServer } from "./marks";
import { showMenu } from "./menu";
import { OPEN_PANEL, Panel } from "./panel";
import { isProgram, Programs } from "./programs";
import { SHOW_RESULT, SHOW_SIGNATURE, showResult } from "./results";
import { changesServer } from "./settings";
import { Status } from "./status";
import { onInterpreterChosen } from "./surroundings";
import { Tasks } from "./tasks";
import { Testing } from "./testing";
import { Walkthrough } from "./walkthrough";
import { Watching } from "./watching";

const WALKTHROUGH = "seepage.seepage#start";

let client: Client | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const walkthrough = new Walkthrough();
  const status = new Status(walkthrough);
  const documents = new Documents();
  const active = new Client(context, status);
  const programs = new Programs();
  const panel = new Panel(active, programs, context.extensionUri);
  const watching = new Watching(active, programs, status, context.extensionUri);
  client = active;
  const register = vscode.commands.registerCommand;
  context.subscriptions.push(
    walkthrough,
    status,
    documents,
    active,
    programs,
    watching,
    new Testing(active, watching),
    panel,
    register(OPEN_PANEL, () => {
      panel.open();
    }),
    register("seepage.plotMeasure", () => commands.look("ask", active, programs, panel)),
    register("seepage.analyseNow", () => commands.analyse(active, programs)),
    register("seepage.cancelAnalysis", () => commands.cancel(active)),
    register("seepage.explainMeasure", () => commands.look("explain", active, programs, panel)),
    register("seepage.toggleHeat", toggleHeat),
    register("seepage.setParameters", () => commands.setParameters(active, programs)),
    register("seepage.newFile", () => commands.newFile(context, active)),
    register("seepage.markFunction", () => commands.markFunction(active)),
    register("seepage.restartServer", () => active.restart()),
    register("seepage.setUp", () => commands.setUp(active)),
    register("seepage.showSetUp", () => commands.showSetUp(context, active, documents)),
    register("seepage.openWalkthrough", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false),
    ),
    register("seepage.showLog", () => {
      active.log.show(true);
    }),
    register("seepage.openSettings", () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "@ext:seepage.seepage"),
    ),
    register("seepage.showMenu", showMenu),
    panel.onDidChangeFocus((focused) => {
      status.panel(focused);
    }),
    panel.onDidShow(() => {
      void active.need();
      walkthrough.complete("panel");
    }),
    register(SHOW_SIGNATURE, () => vscode.commands.executeCommand("editor.action.triggerParameterHints")),
    register(SHOW_RESULT, (...args: readonly unknown[]) => showResult(panel, args)),
    vscode.tasks.registerTaskProvider("seepage", new Tasks(active)),
    vscode.workspace.onDidChangeConfiguration((event) => (changesServer(event) ? active.refresh() : undefined)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => active.again()),
    vscode.workspace.onDidOpenTextDocument((document) => startFor(active, document)),
    vscode.workspace.onDidSaveTextDocument((document) => startFor(active, document)),
    onDidLearn(() =>
      vscode.commands.executeCommand("setContext", "seepage.marked", isProgram(vscode.window.activeTextEditor)),
    ),
    vscode.window.onDidChangeActiveTextEditor((editor) =>
      vscode.commands.executeCommand("setContext", "seepage.marked", isProgram(editor)),
    ),
    vscode.workspace.onDidChangeWorkspaceFolders(() => active.refresh()),
    // Who comes back from installing Python, or a server, need not restart the editor.
    vscode.window.onDidChangeWindowState(({ focused }) =>
      focused && active.obstacle !== undefined ? active.refresh() : undefined,
    ),
  );
  void onInterpreterChosen(() => active.refresh()).then((listening) => {
    context.subscriptions.push(...(listening === undefined ? [] : [listening]));
  });
  // The window does not wait for Python, and a file of Python without marks starts none.
  const { textDocuments } = vscode.workspace;
  if (textDocuments.every(({ languageId }) => languageId !== PYTHON)) {
    void active.restart();
  } else {
    textDocuments.forEach((document) => void startFor(active, document));
  }
}

/** Start the server for a file that needs it. */
async function startFor(active: Client, document: vscode.TextDocument): Promise<void> {
  if (await needsServer(document)) {
    await active.need();
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
