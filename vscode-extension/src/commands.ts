/** What a user can ask for, apart from what the language server offers: one function a command. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { Parameter } from "../panel/contract";
import { analyseIn } from "./analysing";
import type { Client } from "./client";
import type { Documents } from "./documents";
import { functionsOf, programAt, PYTHON } from "./functions";
import type { Panel } from "./panel";
import type { Programs } from "./programs";
import { SECTION } from "./settings";
import { findParameter, wrongValue } from "./parameters";
import { setUpReport } from "./report";
import { templatesOf } from "./templates";

/** Have the server analyse the active program now, whatever the setting `seepage.run`. */
export async function analyse(client: Client, programs: Programs): Promise<void> {
  const { document, connection } = await asked(client, programs);
  if (document !== undefined && connection !== undefined) {
    await analyseIn(connection, connection.code2ProtocolConverter.asUri(document.uri));
  }
}

/** What a command is about: the program that the user looks at, and the server. What is missing is said. */
async function asked(
  client: Client,
  programs: Programs,
): Promise<{ document?: vscode.TextDocument; line: number; connection?: LanguageClient }> {
  const program = programs.current;
  if (program === undefined) {
    void vscode.window.showInformationMessage("Seepage: no program is open; open a '.seep' file first.");
    return { line: -1 };
  }
  const connection = await client.connected();
  const found = { document: program.document, line: program.selection.active.line };
  return connection === undefined ? found : { ...found, connection };
}

/** Write a mark above the Python function at the cursor, with the laws that the server guesses. */
export async function markFunction(client: Client): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== PYTHON || (await client.connected()) === undefined) {
    return;
  }
  const { document, selection } = editor;
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    document.uri,
    selection,
    vscode.CodeActionKind.Refactor.append("add").value,
  );
  const action = actions.find(({ title, edit }) => edit !== undefined && /^mark '.*' for Seepage/.test(title));
  if (action?.edit === undefined) {
    void vscode.window.showInformationMessage("Seepage: no function without a mark stands at the cursor.");
    return;
  }
  await vscode.workspace.applyEdit(action.edit);
}

/** Set up the analysis; where a server runs that is not the extension's own, and stays in use, only if that is wanted. */
export async function setUp(client: Client): Promise<void> {
  const server = client.connection === undefined ? undefined : client.server;
  if (server !== undefined && server.origin !== "installed") {
    const anyway = "Set Up Anyway";
    const message = `Seepage: the analysis is set up already, and runs: ${server.command}`;
    if ((await vscode.window.showInformationMessage(message, anyway)) !== anyway) {
      return;
    }
  }
  await client.setUp();
}

/** Stop the analyses that run, of whatever program, and those that no progress tells of yet. */
export async function cancel(client: Client): Promise<void> {
  const connection = await client.connected();
  if (connection === undefined) {
    return;
  }
  for (const document of vscode.workspace.textDocuments.filter(({ languageId }) => languageId === "seep")) {
    await connection.sendRequest("workspace/executeCommand", {
      command: "seepage.cancel",
      arguments: [connection.code2ProtocolConverter.asUri(document.uri)],
    });
  }
}

/** Choose a measure and look at it in the panel: where it comes from, or how it is drawn over its parameters. */
export async function look(kind: "ask" | "explain", client: Client, programs: Programs, panel: Panel): Promise<void> {
  const { document, line, connection } = await asked(client, programs);
  if (document === undefined || connection === undefined) {
    return;
  }
  const uri = uriOf(connection, document);
  const measure = await chooseMeasure(client, uri, line);
  if (measure !== undefined) {
    panel.open({ kind, uri, measure });
  }
}

/** The URI of the program that a command is about: of a Python file, that of the function at the cursor. */
function uriOf(connection: LanguageClient, document: vscode.TextDocument): string {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  const marked = editor !== undefined && functionsOf(document).length > 0;
  return marked ? programAt(editor) : connection.code2ProtocolConverter.asUri(document.uri);
}

/** The measure at the cursor first, then the others that the program asks for, then any. */
export async function chooseMeasure(client: Client, uri: string, line: number): Promise<string | undefined> {
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
export async function setParameters(client: Client, programs: Programs): Promise<void> {
  const { document, connection } = await asked(client, programs);
  if (document === undefined || connection === undefined) {
    return;
  }
  const results = await client.resultsOf(uriOf(connection, document));
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
    const { connection } = client;
    if (connection !== undefined) {
      // Nothing is saved yet, and so nothing else would start it.
      await analyseIn(connection, connection.code2ProtocolConverter.asUri(editor.document.uri));
    }
  }
}

/** Show where everything comes from: for people who wonder, and for reports of faults. */
export async function showSetUp(context: vscode.ExtensionContext, client: Client, documents: Documents): Promise<void> {
  await documents.show("Seepage set-up.md", await setUpReport(context, client));
}
