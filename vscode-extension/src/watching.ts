/** Keeps the results of the programs in sight, and hands them on: to the status, to the gutter, and to what marks where it leaks. */

import * as vscode from "vscode";
import type { Results } from "../panel/contract";
import type { Client } from "./client";
import { learn, partsOf, PYTHON } from "./functions";
import { Gutter } from "./gutter";
import { changesHeat, Heating } from "./heating";
import { isProgram, type Programs } from "./programs";
import type { Status } from "./status";

export class Watching implements vscode.Disposable {
  private readonly results = new Map<string, Results>();
  private readonly gutter: Gutter;
  private readonly heating: Heating;
  private readonly learned = new vscode.EventEmitter<{ readonly uri: vscode.Uri; readonly results: Results }>();
  /** The results of a file in sight are others. */
  readonly onDidLearn = this.learned.event;
  private readonly disposables: readonly { dispose(): unknown }[];

  constructor(
    private readonly client: Client,
    private readonly programs: Programs,
    private readonly status: Status,
    extension: vscode.Uri,
  ) {
    this.gutter = new Gutter(extension);
    this.heating = new Heating(client, extension, () => {
      this.render();
    });
    this.disposables = [
      this.gutter,
      this.heating,
      this.learned,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (changesHeat(event)) {
          this.render();
        }
      }),
      client.onResultsChanged((uri) => {
        void this.update(uri);
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        void this.update("");
      }),
      vscode.window.onDidChangeActiveTextEditor(() => {
        this.render();
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.results.delete(uri.toString());
        learn(uri.toString(), []);
      }),
    ];
  }

  dispose(): void {
    this.disposables.forEach((one) => {
      one.dispose();
    });
  }

  /** Ask again for the results of one document, or of all in sight. */
  private async update(uri: string): Promise<void> {
    const { current } = this.programs; // the panel may cover it
    const documents = new Set([...inSight(), ...(current ? [current] : [])].map(({ document }) => document));
    const named = uri === "" ? "" : partsOf(uri).file.toString();
    const files = vscode.window.visibleTextEditors.filter(({ document }) => document.languageId === PYTHON);
    files.forEach(({ document }) => documents.add(document));
    for (const document of documents) {
      const own = document.uri.toString();
      if (named !== "" && named !== own) {
        continue;
      }
      const results = await this.resultsOf(document);
      if (results === undefined) {
        this.results.delete(own);
      } else {
        this.results.set(own, results);
        this.learned.fire({ uri: document.uri, results });
      }
    }
    this.render();
  }

  /** The results of a file: of one of Python, those of all of its functions. */
  async resultsOf(document: vscode.TextDocument): Promise<Results | undefined> {
    const uri = this.client.connection?.code2ProtocolConverter.asUri(document.uri) ?? document.uri.toString();
    if (document.languageId !== PYTHON) {
      return this.client.resultsOf(uri);
    }
    const functions = await this.client.functionsOf(uri);
    learn(document.uri.toString(), functions);
    const found = await Promise.all(functions.map((one) => this.client.resultsOf(one.uri)));
    const results = found.filter((one) => one !== undefined);
    // The state of the file is that of what is not current in it.
    const whole = results.find(({ state }) => state !== "current") ?? results[0];
    return whole && { ...whole, answers: results.flatMap(({ answers }) => answers) };
  }

  private render(): void {
    for (const editor of inSight()) {
      const results = this.results.get(editor.document.uri.toString());
      this.gutter.show(editor, results);
      if (editor.document.languageId !== PYTHON) {
        this.heating.show(editor, results);
      }
    }
    this.status.show(this.results.get(this.programs.current?.document.uri.toString() ?? ""));
  }
}

function inSight(): readonly vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter(isProgram);
}
