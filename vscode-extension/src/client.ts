/** The connection to the language server: start, stop, restart, and what stands in the way of that. */

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  State,
} from "vscode-languageclient/node";
import type { Results, Where } from "../panel/contract";
import { readInstalled, removeOthers } from "./environment";
import type { ServerState } from "./presentation";
import type { Marked } from "./functions";
import { looksAtPython } from "./marks";
import { advise, type Advice, type Button, NOT_RUNNING, type Problem } from "./problems";
import { findPython } from "./python";
import { SHOW_RESULT, SHOW_SIGNATURE } from "./results";
import { run } from "./run";
import { findServer, startIn, type Origin } from "./server";
import { SECTION } from "./settings";
import { isOutdated, setUp } from "./setup";
import type { Status } from "./status";
import { localFolders, lookAround, storage } from "./surroundings";

/** Of a server that ends by itself: how often it is started again within how many milliseconds. */
const RESTARTS = 4;
const WITHIN = 180_000;
/** Milliseconds after which a text that was typed into is known to be unsaved: a little later than the text itself. */
const UNTIL_DIRTY = 150;
const NOT_UPDATED = "the analysis could not be updated, so the earlier one stays in use: ";

export interface Server {
  readonly command: string;
  readonly origin: Origin;
}

export class Client implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("Seepage", { log: true });
  private readonly trace = vscode.window.createOutputChannel("Seepage Trace");
  private readonly changed = new vscode.EventEmitter<string>();
  /** A document's results changed: its URI as the server knows it. Empty: those of all. */
  readonly onResultsChanged = this.changed.event;
  private client: Quiet | undefined;
  private running: Server | undefined;
  /** Starts and stops happen one after the other, whatever the order in which they are asked for. */
  private queue: Promise<void> = Promise.resolve();
  private told = "";
  private now: ServerState = { kind: "starting", command: "" };
  /** What the search for a server found last. */
  private found = "";
  private updating = false;
  /** Whether anything has needed the server yet. */
  private needed = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly status: Status,
  ) {}

  /** The server that is in use. */
  get server(): Server | undefined {
    return this.running;
  }

  /** How the server is. */
  get state(): ServerState {
    return this.now;
  }

  /** What keeps the server from running. */
  get obstacle(): Problem | undefined {
    return this.now.kind === "missing" ? this.now.problem : undefined;
  }

  /** The connection, while there is one. */
  get connection(): LanguageClient | undefined {
    return this.client?.state === State.Running ? this.client : undefined;
  }

  /** The connection, once what is under way has ended; without one, say why, with the button that helps. */
  async connected(): Promise<LanguageClient | undefined> {
    await this.need();
    await this.queue;
    if (this.connection === undefined) {
      this.told = ""; // who asks for something hears the same again
      this.offerHelp(this.obstacle === undefined ? NOT_RUNNING : advise(this.obstacle));
    }
    return this.connection;
  }

  /** Stop the server, if one runs, and start the one that is found now. */
  restart(): Promise<void> {
    this.needed = true;
    return this.enqueue(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  /** Start again only if another server would be found, or another obstacle (a folder was trusted, an interpreter chosen, Python installed). */
  refresh(): Promise<void> {
    if (!this.needed) {
      return Promise.resolve();
    }
    return this.enqueue(async () => {
      const around = await lookAround(this.context);
      const lacksPython = this.obstacle?.kind === "noPython" || this.obstacle?.kind === "oldPython";
      if (
        JSON.stringify(findServer(around)) !== this.found ||
        (lacksPython && (await findPython(around, run)).kind === "python")
      ) {
        await this.stopNow();
        await this.startNow();
      } else if (this.running?.origin === "installed") {
        this.keepUpToDate();
      }
    });
  }

  /** Set up the server that the extension carries, and start it. */
  setUp(): Promise<void> {
    this.needed = true;
    return this.enqueue(async () => {
      this.turn({ kind: "settingUp" });
      const obstacle = await setUp(this.context, this.log);
      if (obstacle !== "cancelled") {
        this.told = ""; // who asks for it hears what is in the way, each time
      }
      if (obstacle === undefined || obstacle === "cancelled" || this.client !== undefined) {
        await this.stopNow();
        await this.startNow();
      }
      if (obstacle !== undefined && obstacle !== "cancelled") {
        if (this.connection === undefined) {
          this.tell(obstacle);
        } else {
          this.offer(obstacle, NOT_UPDATED);
        }
      }
    });
  }

  /** What the server knows of a document, or undefined if it does not tell or knows nothing. */
  async resultsOf(uri: string): Promise<Results | undefined> {
    const connection = this.connection;
    if (connection === undefined || !tellsResults(connection)) {
      return undefined;
    }
    try {
      return await connection.sendRequest<Results>("seepage/results", { textDocument: { uri } });
    } catch {
      return undefined; // closed or changed meanwhile
    }
  }

  /** Where a measure of a program comes from; undefined where that is not known. */
  async whereOf(uri: string, measure: string): Promise<Where | undefined> {
    try {
      return await this.connection?.sendRequest<Where>("seepage/where", { textDocument: { uri }, measure });
    } catch {
      return undefined; // changed meanwhile, no number, or a server that does not know of it
    }
  }

  /** The marked functions of a Python file, in the order of the text. */
  async functionsOf(uri: string): Promise<readonly Marked[]> {
    const connection = this.connection;
    if (connection === undefined || !tellsResults(connection)) {
      return [];
    }
    try {
      const asked = { textDocument: { uri } };
      return (await connection.sendRequest<{ functions: readonly Marked[] }>("seepage/functions", asked)).functions;
    } catch {
      return []; // closed meanwhile, or a server that does not know of such files
    }
  }

  /** Start again, if anything has needed the server. */
  async again(): Promise<void> {
    if (this.needed) {
      await this.restart();
    }
  }

  /** Start the server unless that was asked for already: until something needs it, none runs. */
  async need(): Promise<void> {
    if (!this.needed) {
      await this.restart();
    }
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  dispose(): void {
    this.changed.dispose();
    this.log.dispose();
    this.trace.dispose();
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step, step);
    return this.queue;
  }

  /** Who listens asks how the server is: it is told first. */
  private turn(state: ServerState): void {
    this.now = state;
    this.status.server(state);
    this.changed.fire("");
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.running = undefined;
    if (client !== undefined) {
      await client.dispose().catch((error: unknown) => {
        this.log.debug(`the server did not stop in order: ${String(error)}`);
      });
      this.turn({ kind: "stopped" });
    }
  }

  private async startNow(): Promise<void> {
    this.turn({ kind: "starting", command: "" });
    const around = await lookAround(this.context);
    const finding = findServer(around);
    this.found = JSON.stringify(finding);
    switch (finding.kind) {
      case "wrongSetting":
        this.tell({ kind: "wrongSetting", path: finding.path });
        return;
      case "missing":
        this.tell({ kind: "notSetUp", virtual: isVirtual(), untrusted: finding.ignoredWorkspace });
        return;
      case "found":
        await this.start(finding, startIn(finding.command, process.env, around));
    }
    if (this.running?.origin === "installed") {
      this.keepUpToDate();
    }
  }

  private async start(server: Server, options: ReturnType<typeof startIn>): Promise<void> {
    this.turn({ kind: "starting", command: server.command });
    this.log.info(`language server: ${server.command} (${server.origin})`);
    const client = new Quiet(SECTION, "Seepage", { command: server.command, options }, this.clientOptions(server));
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) {
        return;
      }
      switch (newState) {
        case State.Stopped:
          this.turn({ kind: "stopped" });
          break;
        case State.Starting:
          this.turn({ kind: "starting", command: server.command });
          break;
        case State.Running:
          this.told = "";
          this.turn({ kind: "ready", command: server.command });
      }
    });
    client.onNotification("seepage/resultsChanged", ({ uri }: { uri: string }) => {
      this.changed.fire(uri);
    });
    client.onNotification("seepage/serverStatus", ({ health, message }: { health: string; message: string | null }) => {
      this.status.health(health, message);
    });
    this.client = client;
    this.running = server;
    try {
      await client.start();
    } catch (error) {
      this.log.error(`the server did not start: ${String(error)}`);
      this.tell({ kind: "notStarted", command: server.command });
    }
  }

  private clientOptions(server: Server): LanguageClientOptions {
    const stops: number[] = [];
    return {
      // The server puts these behind code lenses and completions, since this client has them, and tells of results.
      // Files that programs name are read only where the user trusts the folder.
      initializationOptions: {
        commands: [SHOW_RESULT, SHOW_SIGNATURE],
        panel: true,
        untrusted: !vscode.workspace.isTrusted,
        // The server registers itself for these, with nothing that other servers of the language do.
        python: looksAtPython(),
      },
      // All schemes: the text comes from the editor, so unsaved and remote documents are analysed as well.
      documentSelector: [{ language: "seep" }],
      outputChannel: this.log,
      traceOutputChannel: this.trace,
      initializationFailedHandler: () => false, // told by start()
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          stops.push(Date.now());
          const recent = stops.filter((time) => Date.now() - time < WITHIN);
          if (recent.length <= RESTARTS) {
            this.log.warn("the server has stopped and is started again");
            return { action: CloseAction.Restart, handled: true };
          }
          this.tell({ kind: "keepsStopping", command: server.command });
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: {
        didChange: async (event, next) => {
          await next(event);
          void this.tellReloaded(event.document);
        },
        handleWorkDoneProgress: (token, params, next) => {
          this.status.progress(token, params.kind);
          next(token, params);
        },
      },
    };
  }

  /** A text that was changed on disk is read anew by the editor without a word; to the server it is as good as saved. */
  private async tellReloaded(document: vscode.TextDocument): Promise<void> {
    const { version, uri } = document;
    await new Promise((resolve) => setTimeout(resolve, UNTIL_DIRTY));
    const connection = this.connection;
    if (connection !== undefined && !document.isDirty && !document.isClosed && document.version === version) {
      const textDocument = { uri: connection.code2ProtocolConverter.asUri(uri) };
      await connection.sendNotification("textDocument/didSave", { textDocument }).catch(() => undefined); // it has stopped
    }
  }

  /** Replace the extension's own server by the one that came with a new version, in the background; the old one works until then. */
  private keepUpToDate(): void {
    if (!isOutdated(this.context)) {
      removeOthers(storage(this.context));
      return;
    }
    if (!this.updating) {
      this.updating = true;
      void this.update().finally(() => {
        this.updating = false;
      });
    }
  }

  private async update(): Promise<void> {
    const before = readInstalled(storage(this.context))?.wheel ?? "";
    const obstacle = await setUp(this.context, this.log, "Seepage: updating the analysis");
    if (obstacle === undefined) {
      await this.restart();
    } else if (obstacle !== "cancelled") {
      this.log.warn(`still in use: ${before}`);
      this.offer(obstacle, NOT_UPDATED);
    }
  }

  /** Say what is wrong and what to do: once, until something about it changes. */
  private tell(problem: Problem): void {
    this.turn({ kind: "missing", problem });
    this.offer(problem);
  }

  private offer(problem: Problem, before = ""): void {
    const { message, button } = advise(problem);
    this.offerHelp({ message: before + message, button });
  }

  private offerHelp({ message, button }: Advice): void {
    this.log.warn(message);
    if (this.told === message) {
      return;
    }
    this.told = message;
    void vscode.window.showWarningMessage(`Seepage: ${message}`, button).then((pressed) => {
      if (pressed !== undefined) {
        void this.help(button);
      }
    });
  }

  /** Do what a button says. */
  async help(button: Button): Promise<void> {
    this.told = ""; // whoever acts on a message wants to hear of the next obstacle, even of the same one
    switch (button) {
      case "Set Up":
      case "Try Again":
        return this.setUp();
      case "Restart":
        return this.restart();
      case "Show Log":
        this.log.show(true);
        return;
      case "Open Settings":
        await vscode.commands.executeCommand("workbench.action.openSettings", "seepage.server");
        return;
      case "Get Python":
        await vscode.env.openExternal(vscode.Uri.parse("https://www.python.org/downloads/"));
        return;
      case "Choose Python": {
        const [chosen] = (await vscode.window.showOpenDialog({ title: "Python 3.11 or newer" })) ?? [];
        if (chosen !== undefined) {
          const settings = vscode.workspace.getConfiguration(SECTION);
          await settings.update("server.python", chosen.fsPath, vscode.ConfigurationTarget.Global);
          await this.setUp();
        }
      }
    }
  }
}

/** A client that writes into the log what it would otherwise say in pop-ups of its own: the extension says it once. */
class Quiet extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export function tellsResults(connection: LanguageClient): boolean {
  const experimental: unknown = connection.initializeResult?.capabilities.experimental;
  return typeof experimental === "object" && experimental !== null && "seepage" in experimental;
}

function isVirtual(): boolean {
  return vscode.workspace.workspaceFolders !== undefined && localFolders().length === 0;
}
