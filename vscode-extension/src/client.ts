/** The connection to the language server: start, stop, restart, and what the server tells about its work. */

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, State, TransportKind } from "vscode-languageclient/node";
import { installServer } from "./install";
import { type Finding, findServer } from "./server";
import { SHOW_RESULT } from "./results";
import { SECTION } from "./settings";
import type { StatusBar } from "./statusBar";
import { localFolders, lookAround } from "./surroundings";

const INSTALL = "Install";
const OPEN_SETTINGS = "Open Settings";
const SHOW_OUTPUT = "Show Output";
const MANAGE_TRUST = "Manage Trust";

export class Client implements vscode.Disposable {
  readonly output = vscode.window.createOutputChannel("Seepage");
  private readonly trace = vscode.window.createOutputChannel("Seepage Trace");
  private client: LanguageClient | undefined;
  private command = "";
  /** Starts and stops happen one after the other, whatever the order in which they are asked for. */
  private queue: Promise<void> = Promise.resolve();
  private told = "";

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly status: StatusBar,
  ) {}

  /** Stop the server, if one runs, and start the one that is found now. */
  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  /** Have the server analyse the active program now, whatever the setting `seepage.run`. */
  async analyse(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId === "seep" && this.client?.state === State.Running) {
      await vscode.commands.executeCommand("seepage.server.analyse", document.uri.toString());
    }
  }

  /** Start again only if another server would be found (a folder was trusted, an interpreter chosen). */
  refresh(): Promise<void> {
    return this.enqueue(async () => {
      const finding = findServer(await lookAround(this.context));
      if (finding.kind !== "found" || finding.command !== this.command || this.client === undefined) {
        await this.stopNow();
        await this.startNow();
      }
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  dispose(): void {
    this.output.dispose();
    this.trace.dispose();
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step, step);
    return this.queue;
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.command = "";
    if (client !== undefined) {
      await client.dispose().catch((error: unknown) => {
        this.output.appendLine(`the server did not stop in order: ${String(error)}`);
      });
    }
  }

  private async startNow(): Promise<void> {
    const finding = findServer(await lookAround(this.context));
    if (finding.kind !== "found") {
      this.status.set("missing", "no language server");
      void this.tellOnce(finding);
      return;
    }
    this.status.set("starting", `starting ${finding.command}`);
    this.output.appendLine(`language server: ${finding.command} (${finding.origin})`);
    const client = new LanguageClient(SECTION, "Seepage", serverOptions(finding.command), this.clientOptions());
    client.onDidChangeState((event) => {
      if (this.client === client && event.newState === State.Stopped) {
        this.status.set("stopped", "the language server has stopped");
      } else if (this.client === client && event.newState === State.Running) {
        this.status.set("ready", finding.command);
      }
    });
    this.client = client;
    this.command = finding.command;
    try {
      await client.start();
      this.told = "";
    } catch (error) {
      this.status.set("stopped", "the language server did not start");
      this.output.appendLine(`the server did not start: ${String(error)}`);
      void this.offer(`Seepage: the language server ${finding.command} did not start.`, [SHOW_OUTPUT, INSTALL]);
    }
  }

  private clientOptions(): LanguageClientOptions {
    return {
      // The server puts these behind code lenses, since this client has them.
      initializationOptions: { commands: [SHOW_RESULT] },
      // All schemes: the text comes from the editor, so unsaved and remote documents are analysed as well.
      documentSelector: [{ language: "seep" }],
      outputChannel: this.output,
      traceOutputChannel: this.trace,
      middleware: {
        handleWorkDoneProgress: (token, params, next) => {
          this.status.progress(token, params.kind);
          next(token, params);
        },
      },
    };
  }

  /** Say what is wrong and what to do: once, until something about it changes. */
  private async tellOnce(finding: Exclude<Finding, { kind: "found" }>): Promise<void> {
    const [message, buttons] = explain(finding);
    this.output.appendLine(message);
    if (this.told !== message) {
      this.told = message;
      await this.offer(message, buttons);
    }
  }

  private async offer(message: string, buttons: readonly string[]): Promise<void> {
    switch (await vscode.window.showWarningMessage(message, ...buttons)) {
      case INSTALL:
        if (await installServer(this.context)) {
          await this.restart();
        }
        break;
      case OPEN_SETTINGS:
        await vscode.commands.executeCommand("workbench.action.openSettings", "seepage.server.path");
        break;
      case MANAGE_TRUST:
        await vscode.commands.executeCommand("workbench.trust.manage");
        break;
      case SHOW_OUTPUT:
        this.output.show(true);
        break;
      case undefined:
        break;
    }
  }
}

/** The message for a server that was not found, and the buttons that help. */
function explain(finding: Exclude<Finding, { kind: "found" }>): readonly [string, readonly string[]] {
  switch (finding.kind) {
    case "wrongSetting":
      return [
        `Seepage: the setting 'seepage.server.path' names '${finding.path}', which is no program that can be run.`,
        [OPEN_SETTINGS],
      ];
    case "missing":
      if (vscode.workspace.workspaceFolders !== undefined && localFolders().length === 0) {
        return [
          "Seepage: this folder is not on this machine; programs are analysed once the language server is installed here.",
          [INSTALL],
        ];
      }
      if (finding.ignoredWorkspace) {
        return [
          "Seepage: no language server outside this folder, and the folder is not trusted, so nothing in it is run.",
          [INSTALL, MANAGE_TRUST],
        ];
      }
      return [
        "Seepage: no language server found, so programs are highlighted but not analysed. Install it, or name it in the settings.",
        [INSTALL, OPEN_SETTINGS],
      ];
  }
}

function serverOptions(command: string): { command: string; transport: TransportKind } {
  return { command, transport: TransportKind.stdio };
}
