/** Budgets in the Test Explorer: each `require` is a test of its file, run by an analysis. */

import * as vscode from "vscode";
import { analyseIn } from "./analysing";
import { type Budget, budgetsOf } from "./budgets";
import type { Client } from "./client";
import type { Results } from "../panel/contract";
import { functionsOf, PYTHON } from "./functions";
import type { Watching } from "./watching";

const MOST_FILES = 500; // that are listed before they are opened
const PATIENCE = 300_000; // milliseconds for the analysis of one file
const NOT_CURRENT = "there are no results of the text as it is: see the problems of the file";

export class Testing implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("seepage", "Leak budgets");
  private readonly disposables: readonly { dispose(): unknown }[];

  constructor(
    private readonly client: Client,
    private readonly watching: Watching,
  ) {
    this.controller.resolveHandler = (item) => (item === undefined ? this.discover() : undefined);
    this.controller.refreshHandler = () => this.discover();
    this.disposables = [
      this.controller,
      this.controller.createRunProfile(
        "Check Budgets",
        vscode.TestRunProfileKind.Run,
        async (request, cancelled) => {
          if (request.continuous === true) {
            this.follow(request, cancelled);
          } else {
            await this.run(request, cancelled);
          }
        },
        true,
        undefined,
        true,
      ),
      watching.onDidLearn(({ uri, results }) => {
        this.show(uri, results);
      }),
    ];
  }

  dispose(): void {
    this.disposables.forEach((one) => {
      one.dispose();
    });
  }

  /** The programs of the workspace; what budgets a file has is known once it is analysed. */
  private async discover(): Promise<void> {
    for (const uri of await vscode.workspace.findFiles("**/*.seep", "**/node_modules/**", MOST_FILES)) {
      this.fileOf(uri);
    }
  }

  private fileOf(uri: vscode.Uri): vscode.TestItem {
    const id = uri.toString();
    const known = this.controller.items.get(id);
    const item = known ?? this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    if (known === undefined) {
      this.controller.items.add(item);
    }
    return item;
  }

  /** Take over the budgets of a file, which what was run before says nothing of if its text has changed. */
  private show(uri: vscode.Uri, results: Results): readonly Budget[] {
    const isCurrent = results.current && results.state === "current";
    const budgets = isCurrent ? budgetsOf(results) : [];
    if (budgets.length > 0 || (isCurrent && this.controller.items.get(uri.toString()) !== undefined)) {
      const file = this.fileOf(uri);
      file.children.replace(budgets.map((budget, index) => this.testOf(file, budget, index)));
    } else if (!isCurrent) {
      this.controller.invalidateTestResults(this.controller.items.get(uri.toString()));
    }
    return budgets;
  }

  /** Without a range: the arrow that runs a test would take the place of the mark that tells how the budget stands. */
  private testOf(file: vscode.TestItem, { id, label }: Budget, index: number): vscode.TestItem {
    const item = file.children.get(id) ?? this.controller.createTestItem(id, label, file.uri);
    item.sortText = String(index).padStart(4, "0");
    return item;
  }

  private async run(request: vscode.TestRunRequest, cancelled: vscode.CancellationToken): Promise<void> {
    if (request.include === undefined) {
      await this.discover();
    }
    const run = this.controller.createTestRun(request);
    for (const file of this.filesOf(request)) {
      if (cancelled.isCancellationRequested) {
        break;
      }
      await this.check(run, request, file, cancelled);
    }
    run.end();
  }

  /** Tell how budgets stand whenever a program has been analysed, until that is called off. */
  private follow(request: vscode.TestRunRequest, cancelled: vscode.CancellationToken): void {
    const listener = this.watching.onDidLearn(({ uri, results }) => {
      const file = this.controller.items.get(uri.toString());
      if (
        file !== undefined &&
        this.filesOf(request).includes(file) &&
        results.current &&
        results.state === "current"
      ) {
        const run = this.controller.createTestRun(request);
        report(run, request, file, budgetsOf(results));
        run.end();
      }
    });
    cancelled.onCancellationRequested(() => {
      listener.dispose();
    });
  }

  private filesOf({ include }: vscode.TestRunRequest): readonly vscode.TestItem[] {
    const all = include ?? [...this.controller.items].map(([, item]) => item);
    return [...new Set(all.map((item) => item.parent ?? item))];
  }

  private async check(
    run: vscode.TestRun,
    request: vscode.TestRunRequest,
    file: vscode.TestItem,
    cancelled: vscode.CancellationToken,
  ): Promise<void> {
    const connection = await this.client.connected();
    if (file.uri === undefined || connection === undefined) {
      return;
    }
    run.started(file);
    const document = await vscode.workspace.openTextDocument(file.uri);
    const own = connection.code2ProtocolConverter.asUri(file.uri);
    const uris = document.languageId === PYTHON ? functionsOf(document).map(({ uri }) => uri) : [own];
    for (const uri of uris) {
      await analyseIn(connection, uri);
    }
    const results = await this.settled(document, cancelled);
    if (results?.state !== "current") {
      run.errored(file, new vscode.TestMessage(results?.message ?? NOT_CURRENT));
      return;
    }
    report(run, request, file, this.show(file.uri, results));
  }

  /** The results of a file, once its analysis has ended: one of a file that was just opened may wait for others. */
  private async settled(
    document: vscode.TextDocument,
    cancelled: vscode.CancellationToken,
  ): Promise<Results | undefined> {
    const until = Date.now() + PATIENCE;
    let results = await this.watching.resultsOf(document);
    while (isAwaited(results) && Date.now() < until && !cancelled.isCancellationRequested) {
      await this.somethingHappens(cancelled);
      results = await this.watching.resultsOf(document);
    }
    return results;
  }

  private somethingHappens(cancelled: vscode.CancellationToken): Promise<void> {
    return new Promise((resolve) => {
      const listeners = [this.client.onResultsChanged(done), cancelled.onCancellationRequested(done)];
      const timer = setTimeout(done, PATIENCE);
      function done(): void {
        clearTimeout(timer);
        listeners.forEach((each) => {
          each.dispose();
        });
        resolve();
      }
    });
  }
}

/** Whether an analysis is on its way, or waits for those of other files. */
function isAwaited(results: Results | undefined): boolean {
  return results === undefined || ["computing", "stale", "none"].includes(results.state);
}

/** Tell how the budgets that are asked for came out. */
function report(
  run: vscode.TestRun,
  { include, exclude = [] }: vscode.TestRunRequest,
  file: vscode.TestItem,
  budgets: readonly Budget[],
): void {
  const whole = include === undefined || include.includes(file);
  for (const { id, range, outcome, message } of budgets) {
    const item = file.children.get(id);
    if (
      item === undefined ||
      exclude.includes(item) ||
      !(whole || include.some((each) => each.id === id && each.parent === file))
    ) {
      continue;
    }
    if (outcome === "passed") {
      run.passed(item);
      continue;
    }
    const told = new vscode.TestMessage(message);
    if (file.uri !== undefined) {
      told.location = new vscode.Location(file.uri, new vscode.Position(range.start.line, range.start.character));
    }
    run[outcome](item, told);
  }
}
