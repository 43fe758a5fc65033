/** A window without VS Code: as much of its interface as the extension's own modules touch, and what they have said and done with it. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { runInThisContext } from "node:vm";

type Listener = (event: never) => unknown;

export class EventEmitter {
  private readonly listeners: Listener[] = [];
  readonly event = (listener: Listener): { dispose(): void } => {
    this.listeners.push(listener);
    return {
      dispose: () => {
        this.listeners.splice(this.listeners.indexOf(listener), 1);
      },
    };
  };
  fire(event: unknown): void {
    for (const listener of [...this.listeners]) {
      listener(event as never);
    }
  }
  dispose(): void {
    this.listeners.length = 0;
  }
}

export class Uri {
  private constructor(
    readonly scheme: string,
    readonly path: string,
  ) {}
  static parse(text: string): Uri {
    const [scheme = "", rest = ""] = text.split(/:(.*)/s);
    return new Uri(scheme, decodeURIComponent(rest.replace(/^\/\//, "")));
  }
  static joinPath(base: Uri, ...parts: string[]): Uri {
    return new Uri(base.scheme, path.posix.join(base.path, ...parts));
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `${this.scheme}:${this.path.startsWith("/") ? "//" : ""}${encodeURI(this.path)}`;
  }
}

/** What is only made, and handed on. */
class Thing {
  constructor(readonly of: unknown) {}
}

export interface Editor {
  readonly document: { readonly languageId: string; readonly uri: Uri; readonly isClosed: boolean };
  readonly selection: { readonly active: { readonly line: number; readonly character: number } };
  readonly viewColumn: number;
}

/** An editor on a program of the folder /p. */
export function editorOn(name: string, viewColumn = 1, line = 0, languageId = "seep"): Editor {
  const uri = Uri.parse(`file:///p/${name}`);
  return { document: { languageId, uri, isClosed: false }, selection: { active: { line, character: 0 } }, viewColumn };
}

/** A page of the extension, and what it was told. */
export class Webview {
  readonly told: { kind: string; method?: string; params?: Record<string, unknown> }[] = [];
  readonly revealed: (number | undefined)[] = [];
  readonly received = new EventEmitter();
  readonly disposed = new EventEmitter();
  readonly changed = new EventEmitter();
  visible = true;
  viewColumn: number | undefined = 2;
  iconPath: unknown;
  readonly onDidDispose = this.disposed.event;
  readonly onDidChangeViewState = this.changed.event;
  readonly webview = {
    html: "",
    options: {},
    cspSource: "",
    asWebviewUri: (uri: Uri) => uri,
    onDidReceiveMessage: this.received.event,
    // What is sent to a page that is hidden is lost.
    postMessage: (message: { kind: string }): Promise<boolean> => {
      if (this.visible) {
        this.told.push(message);
      }
      return Promise.resolve(this.visible);
    },
  };
  reveal(column: number | undefined): void {
    this.revealed.push(column);
    this.show(true);
  }
  show(visible: boolean): void {
    this.visible = visible;
    this.changed.fire({ webviewPanel: this });
  }
  /** The page has been loaded, anew or for the first time, and remembers a program. */
  load(uri: string | null = null): void {
    this.received.fire({ kind: "notification", method: "panel/ready", params: { name: "", uri } });
  }
  dispose(): void {
    this.disposed.fire(undefined);
  }
  /** The programs that notifications were about, in order. */
  toldOf(method: string): readonly unknown[] {
    return this.told.filter((one) => one.method === method).map((one) => one.params?.["uri"]);
  }
}

/** What a test looks at and changes. */
export class Window {
  readonly said: { readonly text: string; readonly buttons: readonly string[] }[] = [];
  readonly settings = new Map<string, unknown>();
  readonly pages: Webview[] = [];
  readonly activeEditor = new EventEmitter();
  readonly selection = new EventEmitter();
  readonly tabs = new EventEmitter();
  /** The context keys that were set, in order. */
  readonly keys: [name: string, value: unknown][] = [];
  readonly item = { text: "", shown: false };
  /** The button that is pressed on the next message. */
  press: string | undefined;
  active: Editor | undefined;
  visible: Editor[] = [];
  /** The columns of groups. */
  groups = [1];
  input: unknown;

  /** Bring an editor to the front; nothing but `visible` stays in sight. */
  focus(editor: Editor | undefined, visible: Editor[] = editor === undefined ? [] : [editor]): void {
    this.active = editor;
    this.visible = visible;
    this.activeEditor.fire(editor);
  }

  /** The module `vscode`, for modules that ask for it. */
  api(): Record<string, unknown> {
    const nothing = (): { dispose(): void } => ({ dispose: () => undefined });
    const say = (text: string, ...buttons: string[]): Promise<string | undefined> => {
      this.said.push({ text, buttons });
      const pressed = buttons.find((one) => one === this.press);
      this.press = undefined;
      return Promise.resolve(pressed);
    };
    const log = { debug: nothing, info: nothing, warn: nothing, error: nothing, show: nothing, dispose: nothing };
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- getters of the module below look at this window
    const window = this;
    return {
      EventEmitter,
      Uri,
      Range: Thing,
      Position: Thing,
      ThemeColor: Thing,
      CancellationTokenSource: class {
        readonly token = {};
        cancel = nothing;
        dispose = nothing;
      },
      ViewColumn: { Beside: -2, Active: -1, One: 1, Two: 2 },
      StatusBarAlignment: { Right: 2 },
      LanguageStatusSeverity: { Information: 0, Warning: 1, Error: 2 },
      ConfigurationTarget: { Global: 1, Workspace: 2 },
      ProgressLocation: { Notification: 15 },
      window: {
        get activeTextEditor() {
          return window.active;
        },
        get visibleTextEditors() {
          return window.visible;
        },
        get tabGroups() {
          const all = window.groups.map((viewColumn) => ({ viewColumn }));
          return { all, onDidChangeTabs: window.tabs.event, activeTabGroup: { activeTab: { input: window.input } } };
        },
        onDidChangeActiveTextEditor: this.activeEditor.event,
        onDidChangeTextEditorSelection: this.selection.event,
        createOutputChannel: () => log,
        createStatusBarItem: () =>
          Object.assign(this.item, {
            show: () => (this.item.shown = true),
            hide: () => (this.item.shown = false),
            dispose: nothing,
          }),
        createWebviewPanel: (_view: string, _title: string, { viewColumn }: { viewColumn: number }) => {
          const page = new Webview();
          page.viewColumn = viewColumn;
          this.pages.push(page);
          return page;
        },
        registerWebviewPanelSerializer: nothing,
        setStatusBarMessage: nothing,
        showWarningMessage: say,
        showInformationMessage: say,
      },
      languages: { createLanguageStatusItem: () => ({ dispose: nothing }) },
      commands: {
        executeCommand: (command: string, name: string, value: unknown) => {
          if (command === "setContext") {
            this.keys.push([name, value]);
          }
          return Promise.resolve();
        },
      },
      env: { clipboard: { writeText: () => Promise.reject(new Error("no clipboard")) } },
      extensions: { getExtension: () => undefined },
      workspace: {
        isTrusted: true,
        workspaceFolders: undefined,
        textDocuments: [],
        openTextDocument: () => Promise.reject(new Error("no such file")),
        getWorkspaceFolder: () => undefined,
        getConfiguration: () => ({
          get: (name: string, otherwise: unknown) => this.settings.get(name) ?? otherwise,
          inspect: (name: string) => ({ globalValue: this.settings.get(name) }),
        }),
      },
    };
  }

  /** A module of the extension in this window; `more` are the other modules that it finds. */
  load(name: string, more: Readonly<Record<string, unknown>> = {}): unknown {
    const file = path.resolve("out", "host", `${name}.js`);
    const module = { exports: {} };
    const others: Readonly<Record<string, unknown>> = { vscode: this.api(), ...more };
    const find = createRequire(file);
    const require = (wanted: string): unknown => others[wanted] ?? find(wanted);
    const load = runInThisContext(`(function (module, exports, require) {${readFileSync(file, "utf8")}\n})`, {
      filename: file,
    }) as (module: object, exports: object, require: (wanted: string) => unknown) => void;
    load(module, module.exports, require);
    return module.exports;
  }
}

/** Wait until all that is on its way has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
