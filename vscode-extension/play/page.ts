/** The page of `seepage play`: gallery, editor and panel, each of which knows the others through this file alone. */

import { EditorView, type ViewUpdate } from "@codemirror/view";
import { forEachDiagnostic, nextDiagnostic, openLintPanel } from "@codemirror/lint";
import type { RequestError, ServerTold } from "../panel/host";
import plotStyle from "../panel/plots.css";
import { run } from "../panel/run";
import { openMenu } from "./actions";
import { asking } from "./asking";
import { Connection, type Line } from "./connection";
import { goTo } from "./decorations";
import { choose, paragraph } from "./dialogs";
import { Documents, type Open, openIn } from "./documents";
import { hoverAtCursor, type Key, states } from "./editor";
import { actionsAt, showFindings } from "./findings";
import { element, Frame } from "./frame";
import { Gallery, same } from "./gallery";
import { panelHost } from "./host";
import { changes, position } from "./places";
import {
  CAPABILITIES,
  type Finding,
  type Initialized,
  type Listing,
  type Place,
  SCRATCH,
  type Stored,
  type TextEdit,
} from "./protocol";
import { Saving } from "./saving";
import { Shown } from "./shown";

const LAST = "seepage.last";
const MOST_LOGGED = 200;

class Play {
  private readonly connection: Connection;
  private readonly documents: Documents;
  private readonly view: EditorView;
  private readonly gallery: Gallery;
  private readonly tell: ReturnType<typeof panelHost>["tell"];
  private readonly ask: ReturnType<typeof asking>;
  private readonly findings = new Map<string, readonly Finding[]>();
  private readonly shown: Shown;
  private readonly saving: Saving;
  private readonly frame: Frame;
  private readonly log: string[] = [];
  private server: ServerTold = { health: "starting", message: "the language server is starting …", action: null };
  private listing: Listing | undefined;

  constructor() {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    this.connection = new Connection(address.href, {
      opened: (line) => this.shakeHands(line),
      notified: (method, params) => {
        this.heard(method, params as Record<string, unknown>);
      },
      told: (state) => {
        this.server = state;
        this.tell("panel/server", state);
        this.drawStatus();
        if (state.health === "ok") {
          void this.begin();
        }
      },
    });
    this.ask = asking(this.connection);
    const nonce = document.querySelector<HTMLMetaElement>("meta[name=nonce]")?.content ?? "";
    const updated = (update: ViewUpdate): void => {
      this.updated(update);
    };
    const keys = this.keys();
    const stateOf = states({ ask: this.ask, nonce, keys, updated });
    this.documents = new Documents(this.connection, stateOf);
    this.view = new EditorView({ parent: element("text"), extensions: EditorView.cspNonce.of(nonce) });
    this.gallery = new Gallery(
      element("gallery"),
      (place) => {
        this.frame.closeGallery();
        void this.open(place);
      },
      () => {
        this.frame.closeGallery();
        void this.saving.make();
      },
    );
    this.shown = new Shown(this.view, this.ask, {
      drawn: () => {
        this.drawStatus();
      },
      clicked: (open, at) => {
        this.tell("panel/focus", { ...named(open), at });
      },
    });
    this.saving = new Saving(this.connection, this.documents, this.view, {
      say: (text) => {
        this.frame.say(text);
      },
      made: (open, listing) => {
        this.show(open);
        this.list(listing);
      },
      changed: () => {
        this.frame.drawName(this.current);
      },
    });
    this.frame = new Frame(this.view, this.gallery, this.documents, keys, {
      save: () => {
        void this.saving.save(this.current);
      },
      heat: () => {
        this.shown.toggleHeat();
      },
      retry: () => {
        this.connection.retry();
      },
    });
    const panel = panelHost(
      this.connection,
      (method, params) => {
        this.panelSaid(method, params as { readonly name: string; readonly uri: string | null });
      },
      (_, range) => {
        goTo(this.view, range);
      },
    );
    this.tell = panel.tell;
    run(panel.host, element("panel"), plotStyle);
    this.frame.listen();
    this.connection.open();
  }

  private get current(): Open | undefined {
    return this.view.state.facet(openIn);
  }

  // --- the connection -----------------------------------------------------------------------------------------------

  private async shakeHands(line: Line): Promise<void> {
    const initializationOptions = { panel: true, commands: ["seepage.showResult"] };
    const answer = await line.request("initialize", { capabilities: CAPABILITIES, initializationOptions });
    this.shown.legend = (answer as Initialized).capabilities.semanticTokensProvider?.legend;
    line.notify("initialized", {});
    // Numbers follow what is typed, without a save.
    line.notify("workspace/didChangeConfiguration", { settings: { seepage: { run: "onType" } } });
    this.list((await line.request("play/list", {})) as Listing);
    this.documents.introduceAll(line);
  }

  private list(listing: Listing): void {
    this.listing = listing;
    this.gallery.show(listing);
  }

  /** The line is ready: open what was open last, or what there is to begin with. */
  private async begin(): Promise<void> {
    const open = this.current;
    if (open !== undefined) {
      this.shown.refresh();
      return;
    }
    const { first = null, names = [], examples = [] } = this.listing ?? {};
    const last = JSON.parse(sessionStorage.getItem(LAST) ?? "null") as Place | null;
    const own = names[0] === undefined ? null : ({ shelf: "folder", name: names[0] } as const);
    const example = examples[0] === undefined ? SCRATCH : ({ shelf: "examples", name: examples[0].name } as const);
    if (last === null || !(await this.open(last))) {
      await this.open(first ?? own ?? example);
    }
  }

  private heard(method: string, params: Record<string, unknown>): void {
    switch (method) {
      case "textDocument/publishDiagnostics": {
        const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Finding[] };
        this.findings.set(uri, diagnostics);
        if (uri === this.current?.uri) {
          void showFindings(this.view, diagnostics, this.ask);
        }
        break;
      }
      case "seepage/resultsChanged":
        this.tell(method, params);
        if (params.uri === this.current?.uri) {
          this.shown.refresh();
        }
        break;
      case "workspace/codeLens/refresh":
      case "workspace/inlayHint/refresh":
        this.shown.refresh();
        break;
      case "window/logMessage":
        this.log.push(String(params.message));
        this.log.splice(0, this.log.length - MOST_LOGGED);
        break;
    }
  }

  // --- texts --------------------------------------------------------------------------------------------------------

  private async open(place: Place): Promise<boolean> {
    if (same(place, this.current?.place)) {
      this.view.focus();
      return true;
    }
    this.frame.say(""); // of another program
    let open = this.documents.at(place);
    try {
      open ??= this.documents.add((await this.connection.request("play/read", { place })) as Stored);
    } catch (error) {
      this.frame.say(`${place.name} cannot be opened: ${(error as RequestError).message}`);
      return false;
    }
    this.show(open);
    return true;
  }

  private show(open: Open): void {
    const before = this.current;
    if (before !== undefined) {
      before.state = this.view.state;
      this.documents.leave(before);
    }
    this.view.setState(open.state);
    sessionStorage.setItem(LAST, JSON.stringify(open.place));
    document.title = `${open.place.name} · Seepage`;
    this.tell("panel/document", named(open));
    void showFindings(this.view, this.findings.get(open.uri) ?? [], this.ask);
    this.shown.refresh();
    this.frame.drawName(this.current);
    this.drawStatus();
    this.view.focus();
  }

  private updated({ docChanged, selectionSet, startState, changes: made, state }: ViewUpdate): void {
    const open = state.facet(openIn);
    if (open === undefined || startState.facet(openIn) !== open) {
      return;
    }
    open.state = state;
    if (docChanged) {
      this.documents.edited(open, startState.doc, made);
      this.shown.refresh();
      this.frame.drawName(this.current);
    }
    if (docChanged || selectionSet) {
      this.tell("panel/cursor", { uri: open.uri, at: position(state.doc, state.selection.main.head) });
      this.drawStatus();
    }
  }

  // --- what the user asks for ---------------------------------------------------------------------------------------

  private keys(): readonly Key[] {
    const view = (run: (view: EditorView) => unknown) => (of: EditorView) => {
      void run(of);
    };
    return [
      { keys: "Mod-s", shown: "Ctrl+S", does: "save", run: view(() => this.saving.save(this.current)) },
      { keys: "Mod-Enter", shown: "Ctrl+Enter", does: "analyse now", run: view(() => this.analyse()) },
      { keys: "Mod-.", shown: "Ctrl+.", does: "fixes and other actions at the cursor", run: view(() => this.act()) },
      {
        keys: "F8",
        shown: "F8",
        does: "go to the next finding",
        run: view(() => {
          this.nextFinding();
        }),
      },
      { keys: "Alt-h", shown: "Alt+H", does: "tell what stands at the cursor", run: hoverAtCursor },
      {
        keys: "Alt-w",
        shown: "Alt+W",
        does: "mark where it leaks, or mark it no more",
        run: view(() => {
          this.shown.toggleHeat();
        }),
      },
      {
        keys: "Shift-Alt-f",
        shown: "Shift+Alt+F",
        does: "bring the program into the one style",
        run: view(() => this.format()),
      },
    ];
  }

  private async analyse(): Promise<void> {
    await this.ask(this.view, "workspace/executeCommand", {
      command: "seepage.analyze",
      arguments: [this.current?.uri],
    });
  }

  private async act(): Promise<void> {
    openMenu(this.view, await actionsAt(this.view, this.ask));
  }

  /** Go to a finding, show it, and say it. */
  private nextFinding(): void {
    if (!nextDiagnostic(this.view)) {
      this.frame.say("no findings");
      return;
    }
    const { from, to } = this.view.state.selection.main;
    forEachDiagnostic(this.view.state, ({ severity, message }, start, end) => {
      if (start === from && end === to) {
        this.frame.say(`${severity}: ${message}`);
      }
    });
    hoverAtCursor(this.view);
  }

  private async format(): Promise<void> {
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await this.ask<readonly TextEdit[]>(this.view, "textDocument/formatting", { options });
    if (edits === null) {
      this.frame.say("not formatted: the program has errors");
    } else {
      this.view.dispatch({ changes: changes(this.view.state.doc, edits), userEvent: "input.format" });
    }
  }

  private panelSaid(method: string, { name }: { readonly name: string }): void {
    if (method === "panel/ready") {
      queueMicrotask(() => {
        this.tell("panel/server", this.server);
      });
      return;
    }
    switch (name) {
      case "analyse":
        void this.analyse();
        break;
      case "help":
        this.connection.retry();
        break;
      case "problems":
        openLintPanel(this.view);
        break;
      case "output":
        void choose({
          title: "Log",
          body: [paragraph(this.log.join("\n") || "nothing yet")],
          buttons: [["Close", true]],
        });
        break;
      case "new":
        void this.saving.make();
        break;
    }
  }

  private drawStatus(): void {
    this.frame.drawStatus(this.server, this.current, this.shown.resultsOf(this.current));
  }
}

function named({ uri, place }: Open): { readonly uri: string; readonly name: string } {
  return { uri, name: place.name };
}

new Play();
