/** What a user can ask for, apart from what the language server offers: one function a command. */

import * as vscode from "vscode";
import type { Parameter } from "../panel/contract";
import type { Client } from "./client";
import type { Documents } from "./documents";
import type { Panel } from "./panel";
import { SECTION } from "./settings";
import { findParameter, wrongValue } from "./parameters";
import { setUpReport } from "./report";
import { templatesOf } from "./templates";

/** Have the server analyse the active program now, whatever the setting `seepage.run`. */
export async function analyse(client: Client): Promise<void> {
  const document = activeProgram();
  const connection = client.connection;
  if (document === undefined || connection === undefined) {
    return;
  }
  await connection.sendRequest("workspace/executeCommand", {
    command: analyseCommand(connection.initializeResult?.capabilities.executeCommandProvider?.commands ?? []),
    arguments: [connection.code2ProtocolConverter.asUri(document.uri)],
  });
}

function analyseCommand(offered: readonly string[]): string {
  return offered.find((command) => command === "seepage.analyze") ?? "seepage.server.analyse";
}

/** Stop the analyses that run, of whatever program, and those that no progress tells of yet. */
export async function cancel(client: Client): Promise<void> {
  const connection = client.connection;
  const programs = vscode.workspace.textDocuments.filter(({ languageId }) => languageId === "seep");
  for (const document of connection === undefined ? [] : programs) {
    await connection?.sendRequest("workspace/executeCommand", {
      command: "seepage.cancel",
      arguments: [connection.code2ProtocolConverter.asUri(document.uri)],
    });
  }
}

/** Derive the measure at the cursor, or one that is asked for, and show it beside the program. */
export async function explain(client: Client, documents: Documents): Promise<void> {
  const document = activeProgram();
  const connection = client.connection;
  if (document === undefined || connection === undefined) {
    return;
  }
  const uri = connection.code2ProtocolConverter.asUri(document.uri);
  const measure = await chooseMeasure(client, uri);
  if (measure === undefined) {
    return;
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: `Seepage: deriving ${measure}`,
    cancellable: true,
  };
  await vscode.window.withProgress(options, async (_, token) => {
    try {
      const params = { textDocument: { uri }, measure };
      const { markdown } = await connection.sendRequest<{ markdown: string }>("seepage/explain", params, token);
      await documents.preview(`${measure}.md`, markdown);
    } catch (error) {
      if (!token.isCancellationRequested) {
        void vscode.window.showWarningMessage(`Seepage: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  });
}

/** Choose a measure and look at it in the panel, where it is drawn over its parameters. */
export async function plot(client: Client, panel: Panel): Promise<void> {
  const document = activeProgram();
  const connection = client.connection;
  if (document === undefined || connection === undefined) {
    return;
  }
  const uri = connection.code2ProtocolConverter.asUri(document.uri);
  const measure = await chooseMeasure(client, uri);
  if (measure !== undefined) {
    panel.open({ kind: "ask", uri, measure });
  }
}

/** The measure at the cursor first, then the others that the program asks for, then any. */
export async function chooseMeasure(client: Client, uri: string): Promise<string | undefined> {
  const line = vscode.window.activeTextEditor?.selection.active.line ?? -1;
  const answers = (await client.resultsOf(uri))?.answers ?? [];
  const nearest = [...answers].sort(
    (one, other) => Math.abs(one.range.start.line - line) - Math.abs(other.range.start.line - line),
  );
  const measures = [...new Set(nearest.map(({ measure }) => measure))];
  const other = "Another measure…";
  const chosen = await vscode.window.showQuickPick([...measures, other], { title: "Which measure?" });
  return chosen !== other
    ? chosen
    : vscode.window.showInputBox({ title: "Which measure?", prompt: "As after 'show', for example I(secret; output)" });
}

/** Give a parameter of the active program another value, for this workspace or, without one, for the user. */
export async function setParameters(client: Client): Promise<void> {
  const document = activeProgram();
  const connection = client.connection;
  if (document === undefined || connection === undefined) {
    return;
  }
  const results = await client.resultsOf(connection.code2ProtocolConverter.asUri(document.uri));
  const parameters = results?.parameters ?? [];
  if (parameters.length === 0) {
    void vscode.window.showInformationMessage(
      "Seepage: this program has no parameters; 'param eps in [0, 10] = 1' declares one.",
    );
    return;
  }
  const settings = vscode.workspace.getConfiguration(SECTION, document.uri);
  const set = settings.get<Record<string, string | number>>("parameters") ?? {};
  const reset = { label: "$(discard) Defaults for all", description: "", name: undefined };
  const items = parameters.map((one) => ({ ...labelOf(one), name: one.name }));
  const anySet = Object.keys(set).length > 0;
  const chosen = await vscode.window.showQuickPick(anySet ? [...items, reset] : items, { title: "Which parameter?" });
  if (chosen === undefined) {
    return;
  }
  const target =
    vscode.workspace.workspaceFolders === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  const parameter = findParameter(parameters, chosen.name);
  if (parameter === undefined) {
    await settings.update("parameters", undefined, target);
    return;
  }
  const value = await vscode.window.showInputBox({
    title: `${parameter.name} in ${parameter.domain}`,
    prompt: parameter.default === null ? "It has no default." : `Empty: the default, ${parameter.default}`,
    value: String(set[parameter.name] ?? parameter.default ?? ""),
    validateInput: (text) => wrongValue(text, parameter),
  });
  if (value !== undefined) {
    const others = Object.fromEntries(Object.entries(set).filter(([name]) => name !== parameter.name));
    await settings.update(
      "parameters",
      value.trim() === "" ? others : { ...others, [parameter.name]: value.trim() },
      target,
    );
  }
}

function labelOf(parameter: Parameter): { label: string; description: string } {
  const now = parameter.overridden ? `${String(parameter.value)}, set in the settings` : (parameter.default ?? "unset");
  return { label: parameter.name, description: `in ${parameter.domain} = ${now}` };
}

/** Open a new program made from one of the templates; its names can be typed over one after the other. */
export async function newFile(context: vscode.ExtensionContext, client: Client): Promise<void> {
  const file = vscode.Uri.joinPath(context.extensionUri, "snippets", "seep.json");
  const snippets: unknown = JSON.parse(Buffer.from(await vscode.workspace.fs.readFile(file)).toString("utf8"));
  const items = templatesOf(snippets).map((template) => ({
    label: template.name,
    detail: template.description,
    body: template.body,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: "New Seep program", matchOnDetail: true });
  if (chosen !== undefined) {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "seep" }));
    await editor.insertSnippet(new vscode.SnippetString(chosen.body));
    await analyse(client); // nothing is saved yet, and so nothing else would start it
  }
}

/** Show where everything comes from: for people who wonder, and for reports of faults. */
export async function showSetUp(context: vscode.ExtensionContext, client: Client, documents: Documents): Promise<void> {
  await documents.show("Seepage set-up.md", await setUpReport(context, client));
}

function activeProgram(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === "seep" ? document : undefined;
}
