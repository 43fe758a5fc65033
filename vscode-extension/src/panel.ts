/** The Leakage panel in VS Code: a webview that survives reloads. Its page knows no editor; here is what it needs of this one. */

import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Position, Range } from "../panel/contract";
import { type File, isMethod, type RequestError, type ServerTold } from "../panel/host";
import { analyseIn } from "./analysing";
import type { Client } from "./client";
import type { ServerState } from "./presentation";
import { advise, NOT_RUNNING } from "./problems";
import { functionsOf, onDidLearn, partsOf, programAt } from "./functions";
import { isProgram, type Programs } from "./programs";

export const OPEN_PANEL = "seepage.openPanel";
const VIEW = "seepage.leakage";
const METHOD_NOT_FOUND = -32601;
const NO_SERVER: RequestError = { code: -32803, message: NOT_RUNNING.message };

/** What to look at: a program, the measure at a place in one, one that is named, or where that comes from. */
export type Wish =
  | { readonly kind: "document"; readonly uri: string }
  | { readonly kind: "focus"; readonly uri: string; readonly at: Position }
  | { readonly kind: "ask" | "explain"; readonly uri: string; readonly measure: string };

type FromPage =
  | { readonly kind: "request"; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "notification"; readonly method: string; readonly params: { name: string; uri: string | null } }
  | { readonly kind: "copy"; readonly text: string }
  | { readonly kind: "save"; readonly file: File }
  | { readonly kind: "reveal"; readonly uri: string; readonly range: Range };

export class Panel implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private panel: vscode.WebviewPanel | undefined;
  private readonly focus = new vscode.EventEmitter<boolean>();
  /** Whether the panel has become what the user works in, or is no longer. */
  readonly onDidChangeFocus = this.focus.event;
  private readonly shown = new vscode.EventEmitter<void>();
  /** The page has been loaded: opened by whatever way, or restored. */
  readonly onDidShow = this.shown.event;
  private ready = false;
  /** The program that the page was told of last. */
  private about = "";
  /** What is told once the page listens. */
  private pending: Wish | undefined;
  /** How often the page was loaded. Each time it counts its requests anew, and an answer to an earlier one is none of its own. */
  private loads = 0;
  private readonly running = new Map<number, vscode.CancellationTokenSource>();
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: Client,
    private readonly programs: Programs,
    private readonly extension: vscode.Uri,
  ) {
    this.disposables = [
      vscode.window.registerWebviewPanelSerializer(VIEW, this),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        this.tellDocument(editor);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        this.tellCursor(textEditor);
      }),
      onDidLearn(() => {
        this.tellDocument(vscode.window.activeTextEditor);
      }),
      client.onResultsChanged((uri) => {
        if (uri === "") {
          this.tellServer();
        } else {
          this.tell("seepage/resultsChanged", { uri });
        }
      }),
    ];
  }

  /** Show the panel beside the program, and what is wished for in it. */
  open(wish?: Wish): void {
    const program = this.programs.current;
    this.pending = wish ?? (program && { kind: "document", uri: programAt(program) });
    if (this.panel === undefined) {
      const column = { viewColumn: beside(program), preserveFocus: true };
      this.adopt(vscode.window.createWebviewPanel(VIEW, "Leakage", column, this.options()));
    } else {
      // In the group of the program, the panel would cover what it is about.
      const covers = !this.panel.visible && this.panel.viewColumn === program?.viewColumn;
      this.panel.reveal(covers ? beside(program) : undefined, true);
    }
    this.tellWish();
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.panel?.dispose();
    panel.webview.options = this.options();
    this.adopt(panel);
    return Promise.resolve();
  }

  dispose(): void {
    this.panel?.dispose();
    this.focus.dispose();
    this.shown.dispose();
    for (const one of this.disposables) {
      one.dispose();
    }
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.panel = panel;
    this.ready = false;
    panel.iconPath = vscode.Uri.joinPath(this.extension, "images", "icon.png");
    panel.onDidDispose(() => {
      this.cancelAll();
      if (this.panel === panel) {
        this.panel = undefined;
        this.focus.fire(false);
      }
    });
    panel.onDidChangeViewState(() => {
      // A page that is hidden is forgotten, and tells when it is there again.
      this.ready &&= panel.visible;
      this.focus.fire(panel.active);
    });
    panel.webview.onDidReceiveMessage((message: FromPage) =>
      this.receive(message).catch((error: unknown) => {
        // A file that is gone, a disk that is full: what the user asked for did not happen.
        this.client.log.warn(`'${message.kind}' of the panel: ${String(error)}`);
        void vscode.window.showWarningMessage(`Seepage: ${error instanceof Error ? error.message : String(error)}`);
      }),
    );
    panel.webview.html = this.html(panel.webview);
  }

  private options(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, "out", "panel")] };
  }

  private html(webview: vscode.Webview): string {
    const nonce = randomBytes(16).toString("base64");
    const file = (name: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "out", "panel", name)).toString();
    const policy = `default-src 'none'; img-src data:; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Leakage</title>
<link rel="stylesheet" href="${file("panel.css")}">
</head>
<body>
<div id="panel"></div>
<script type="module" nonce="${nonce}" src="${file("panel.js")}"></script>
</body>
</html>`;
  }

  // --- from the page ------------------------------------------------------------------------------------------------

  private async receive(message: FromPage): Promise<void> {
    switch (message.kind) {
      case "request":
        return this.relay(message.id, message.method, message.params);
      case "cancel":
        this.running.get(message.id)?.cancel();
        return;
      case "notification":
        if (message.method === "panel/ready") {
          return this.started(message.params.uri);
        }
        return this.carryOut(message.params.name, message.params.uri);
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        vscode.window.setStatusBarMessage("Seepage: copied", 2000);
        return;
      case "save":
        return save(message.file, this.programs.current?.document.uri);
      case "reveal":
        return reveal(message.uri, message.range);
    }
  }

  private async relay(id: number, method: string, params: unknown): Promise<void> {
    if (!isMethod(method)) {
      const error: RequestError = { code: METHOD_NOT_FOUND, message: `'${method}' is nothing that the panel asks for` };
      await this.post({ kind: "error", id, error });
      return;
    }
    const connection = this.client.connection;
    if (connection === undefined) {
      // Once there is one, the page is told and asks again.
      await this.post({ kind: "error", id, error: NO_SERVER });
      return;
    }
    const load = this.loads;
    const source = new vscode.CancellationTokenSource();
    this.running.set(id, source);
    let reply: unknown;
    try {
      reply = { kind: "answer", id, result: await connection.sendRequest(method, params, source.token) };
    } catch (error) {
      const { code = NO_SERVER.code, message = NO_SERVER.message } = error as Partial<RequestError>;
      reply = { kind: "error", id, error: { code, message } };
    }
    source.dispose();
    if (load === this.loads) {
      this.running.delete(id);
      await this.post(reply);
    }
  }

  /** The page listens: tell it where the user is. After a reload its program may not be open yet. */
  private async started(uri: string | null): Promise<void> {
    this.ready = true;
    this.loads += 1;
    this.shown.fire();
    this.cancelAll();
    if (uri !== null) {
      await Promise.resolve(vscode.workspace.openTextDocument(partsOf(uri).file)).catch(() => undefined); // it may be gone
    }
    this.tellServer();
    if (this.pending === undefined) {
      this.tellDocument(this.programs.current);
    } else {
      this.tellWish();
    }
  }

  private async carryOut(name: string, uri: string | null): Promise<void> {
    switch (name) {
      case "analyse":
        await this.analyse(uri);
        return;
      case "help": {
        const obstacle = this.client.obstacle;
        await (obstacle === undefined ? this.client.restart() : this.client.help(advise(obstacle).button));
        return;
      }
      case "problems":
        await vscode.commands.executeCommand("workbench.actions.view.problems");
        return;
      case "output":
        this.client.log.show(true);
        return;
      case "new":
        await vscode.commands.executeCommand("seepage.newFile");
    }
  }

  private async analyse(uri: string | null): Promise<void> {
    const connection = uri === null ? undefined : await this.client.connected();
    if (connection === undefined || uri === null) {
      return;
    }
    try {
      await analyseIn(connection, uri);
    } catch (error) {
      this.client.log.warn(`analysing from the panel: ${String(error)}`);
    }
  }

  private cancelAll(): void {
    for (const source of this.running.values()) {
      source.cancel();
    }
    this.running.clear();
  }

  // --- to the page --------------------------------------------------------------------------------------------------

  private post(message: unknown): Thenable<boolean> {
    return this.panel?.webview.postMessage(message) ?? Promise.resolve(false);
  }

  private tell(method: string, params: unknown): void {
    if (this.ready) {
      void this.post({ kind: "notification", method, params });
    }
  }

  private tellDocument(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && isProgram(editor)) {
      this.about = programAt(editor);
      this.tell("panel/document", named(this.about));
      this.tellCursor(editor);
    }
  }

  /** In another function of a Python file, the cursor is in another program. */
  private tellCursor(editor: vscode.TextEditor): void {
    if (!isProgram(editor)) {
      return;
    }
    const uri = programAt(editor);
    if (uri !== this.about && functionsOf(editor.document).length > 0) {
      this.about = uri;
      this.tell("panel/document", named(uri));
    }
    const { line, character } = editor.selection.active;
    this.tell("panel/cursor", { uri, at: { line, character } });
  }

  private tellWish(): void {
    const wish = this.pending;
    if (wish !== undefined && this.ready) {
      this.pending = undefined;
      this.about = wish.uri;
      this.tell(`panel/${wish.kind}`, { ...wish, ...named(wish.uri) });
    }
  }

  private tellServer(): void {
    this.tell("panel/server", told(this.client.state));
  }
}

/** How the server is, as the page knows it. */
function told(state: ServerState): ServerTold {
  switch (state.kind) {
    case "ready":
      return { health: "ok", message: null, action: null };
    case "starting":
      return { health: "starting", message: "the language server is starting …", action: null };
    case "settingUp":
      return { health: "starting", message: "the analysis is being set up …", action: null };
    case "stopped":
      return { health: "error", message: NOT_RUNNING.message, action: NOT_RUNNING.button };
    case "missing": {
      const { message, button } = advise(state.problem);
      return { health: "error", message, action: button };
    }
  }
}

/** The group for the panel: to the right of the program, else to its left; a new one only where there is no other. */
function beside(program: vscode.TextEditor | undefined): vscode.ViewColumn {
  const columns = vscode.window.tabGroups.all.map(({ viewColumn }) => viewColumn);
  const own = columns.findIndex((column) => column === program?.viewColumn);
  return (own < 0 ? undefined : (columns[own + 1] ?? columns[own - 1])) ?? vscode.ViewColumn.Beside;
}

/** A program as the page knows it. */
function named(uri: string): { readonly uri: string; readonly name: string } {
  const { file, name } = partsOf(uri);
  const base = path.posix.basename(file.path);
  return name === ""
    ? { uri: file.toString(), name: base }
    : { uri: `${file.toString()}#${name}`, name: `${base} · ${name}` };
}

async function reveal(uri: string, range: Range): Promise<void> {
  const document = await vscode.workspace.openTextDocument(partsOf(uri).file);
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const { start, end } = range;
  await vscode.window.showTextDocument(document, {
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
    selection: new vscode.Range(start.line, start.character, end.line, end.character),
  });
}

async function save({ name, data }: File, program: vscode.Uri | undefined): Promise<void> {
  const folder =
    program?.scheme === "file"
      ? vscode.Uri.joinPath(program, "..")
      : (vscode.workspace.workspaceFolders?.[0]?.uri ?? undefined);
  const to = await vscode.window.showSaveDialog(
    folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) },
  );
  if (to !== undefined) {
    await vscode.workspace.fs.writeFile(to, Buffer.from(data, "base64"));
    vscode.window.setStatusBarMessage(`Seepage: saved ${path.posix.basename(to.path)}`, 4000);
  }
}
