/** The page of `seepage play`: gallery, editor and panel, each of which knows the others through this file alone. */

import { EditorView, type ViewUpdate } from "@codemirror/view";
import { forEachDiagnostic, nextDiagnostic, openLintPanel } from "@codemirror/lint";
import type { Range, Results, Where } from "../panel/contract";
import type { RequestError, ServerTold } from "../panel/host";
import plotStyle from "../panel/plots.css";
import { run } from "../panel/run";
import { openMenu } from "./actions";
import { Origins } from "../src/heat";
import { asking } from "./asking";
import { changes, position } from "./places";
import { Connection, type Line } from "./connection";
import { goTo, heatsOf, hintsOf, lensesOf, meaningsOf, signsOf } from "./decorations";
import { askName, choose, keyTable, paragraph } from "./dialogs";
import { contentOf, Documents, isChanged, type Open, openIn, textOf } from "./documents";
import { hoverAtCursor, type Key, states } from "./editor";
import { actionsAt, showFindings } from "./findings";
import { Gallery, same } from "./gallery";
import { panelHost } from "./host";
import {
  CAPABILITIES,
  CONFLICT,
  type Finding,
  type Hint,
  type Initialized,
  type Lens,
  type Listing,
  type Place,
  SCRATCH,
  type Stored,
  type TextEdit,
} from "./protocol";
import { statusOf } from "./status";

const LAST = "seepage.last";
const KNOWN = "seepage.knows";
const HEAT = "seepage.heat";
const SOON = 120;
const MOST_LOGGED = 200;
const START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no '${id}'`);
  }
  return found;
}

class Play {
  private readonly connection: Connection;
  private readonly documents: Documents;
  private readonly view: EditorView;
  private readonly gallery: Gallery;
  private readonly tell: ReturnType<typeof panelHost>["tell"];
  private readonly ask: ReturnType<typeof asking>;
  private readonly findings = new Map<string, readonly Finding[]>();
  private readonly results = new Map<string, Results>();
  private readonly origins: Origins;
  private readonly log: string[] = [];
  private legend: NonNullable<Initialized["capabilities"]["semanticTokensProvider"]>["legend"] | undefined;
  private server: ServerTold = { health: "starting", message: "the language server is starting …", action: null };
  private listing: Listing | undefined;
  private refreshing: ReturnType<typeof setTimeout> | undefined;

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
    this.origins = new Origins(
      (_, measure) => this.ask<Where>(this.view, "seepage/where", { measure }),
      () => {
        this.drawHeat();
      },
    );
    const nonce = document.querySelector<HTMLMetaElement>("meta[name=nonce]")?.content ?? "";
    const updated = (update: ViewUpdate): void => {
      this.updated(update);
    };
    const stateOf = states({ ask: this.ask, nonce, keys: this.keys(), updated });
    this.documents = new Documents(this.connection, stateOf);
    this.view = new EditorView({ parent: element("text"), extensions: EditorView.cspNonce.of(nonce) });
    this.gallery = new Gallery(
      element("gallery"),
      (place) => {
        this.closeGallery();
        void this.open(place);
      },
      () => {
        this.closeGallery();
        void this.make();
      },
    );
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
    this.listen();
    this.connection.open();
  }

  private get current(): Open | undefined {
    return this.view.state.facet(openIn);
  }

  // --- the connection -----------------------------------------------------------------------------------------------

  private async shakeHands(line: Line): Promise<void> {
    const initializationOptions = { panel: true, commands: ["seepage.showResult"] };
    const answer = await line.request("initialize", { capabilities: CAPABILITIES, initializationOptions });
    this.legend = (answer as Initialized).capabilities.semanticTokensProvider?.legend;
    line.notify("initialized", {});
    // Numbers follow what is typed, without a save.
    line.notify("workspace/didChangeConfiguration", { settings: { seepage: { run: "onType" } } });
    this.listing = (await line.request("play/list", {})) as Listing;
    this.gallery.show(this.listing);
    this.documents.introduceAll(line);
  }

  /** The line is ready: open what was open last, or what there is to begin with. */
  private async begin(): Promise<void> {
    const open = this.current;
    if (open !== undefined) {
      this.refresh();
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
          this.refresh();
        }
        break;
      case "workspace/codeLens/refresh":
      case "workspace/inlayHint/refresh":
        this.refresh();
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
    this.say(""); // of another program
    let open = this.documents.at(place);
    try {
      open ??= this.documents.add((await this.connection.request("play/read", { place })) as Stored);
    } catch (error) {
      this.say(`${place.name} cannot be opened: ${(error as RequestError).message}`);
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
    this.refresh();
    this.drawName();
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
      this.refresh();
      this.drawName();
    }
    if (docChanged || selectionSet) {
      this.tell("panel/cursor", { uri: open.uri, at: position(state.doc, state.selection.main.head) });
      this.drawStatus();
    }
  }

  private async save(insists = false): Promise<void> {
    const open = this.current;
    if (open === undefined) {
      return;
    }
    if (open.place.shelf === "examples") {
      await this.saveAs(open);
      return;
    }
    const { doc } = open.state;
    try {
      const asked = { place: open.place, text: contentOf(open), stamp: open.stamp, insists };
      const { stamp } = (await this.connection.request("play/save", asked)) as Stored;
      this.documents.stored(open, doc, stamp);
      this.drawName();
      this.say(`saved ${open.place.name}`);
    } catch (error) {
      const { code, message } = error as RequestError;
      await (code === CONFLICT ? this.settle(open, message) : this.fail("Not saved", message));
    }
  }

  /** Others wrote the file, too: ask whose text is to stand. */
  private async settle(open: Open, why: string): Promise<void> {
    const chosen = await choose({
      title: "Not saved",
      body: [paragraph(`${why}.`)],
      buttons: [
        ["Keep editing", "keep"],
        ["Overwrite it", "overwrite"],
        ["Take the text of the file", "take"],
      ] as const,
    });
    if (chosen === "overwrite") {
      await this.save(true);
    } else if (chosen === "take") {
      const { text, stamp } = (await this.connection.request("play/read", { place: open.place })) as Stored;
      const insert = textOf(text);
      this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert } });
      this.documents.stored(open, insert, stamp);
      this.drawName();
    }
  }

  private async saveAs(open: Open): Promise<void> {
    const name = await askName("Save as a program of the folder", open.place.name);
    if (name !== null && (await this.create(name, contentOf(open)))) {
      this.documents.forget(open);
    }
  }

  private async make(): Promise<void> {
    const name = await askName("New program", "");
    if (name !== null) {
      await this.create(name, "secret x\noutput y\n\nx ~ flip(1/2)\ny := x\n\nshow I(x; y)\n");
    }
  }

  private async create(name: string, text: string): Promise<boolean> {
    try {
      const asked = { place: { shelf: "folder", name }, text, stamp: "" };
      const stored = (await this.connection.request("play/save", asked)) as Stored;
      this.show(this.documents.add(stored));
      this.listing = (await this.connection.request("play/list", {})) as Listing;
      this.gallery.show(this.listing);
      this.say(`saved ${name}`);
      return true;
    } catch (error) {
      await this.fail("Not saved", (error as RequestError).message);
      return false;
    }
  }

  // --- what the server shows in the text ----------------------------------------------------------------------------

  private refresh(): void {
    this.refreshing ??= setTimeout(() => {
      this.refreshing = undefined;
      void this.showAll();
    }, SOON);
  }

  private async showAll(): Promise<void> {
    const open = this.current;
    if (open === undefined) {
      return;
    }
    const { view, ask } = this;
    const whole = { start: START.start, end: position(view.state.doc, view.state.doc.length) };
    const [results, lenses, tokens, hints] = await Promise.all([
      ask<Results>(view, "seepage/results"),
      ask<readonly Lens[]>(view, "textDocument/codeLens"),
      ask<{ readonly data: readonly number[] }>(view, "textDocument/semanticTokens/full"),
      ask<readonly Hint[]>(view, "textDocument/inlayHint", { range: whole }),
    ]);
    if (this.current !== open || results === null || lenses === null) {
      return; // of a text before: the next round is on its way
    }
    this.results.set(open.uri, results);
    const clicked = ({ range }: Lens): void => {
      goTo(view, { start: range.start, end: range.start });
      this.tell("panel/focus", { ...named(open), at: range.start });
    };
    view.dispatch({
      effects: [
        lensesOf(view.state, lenses, results, clicked),
        signsOf(view.state, results),
        ...(tokens === null || this.legend === undefined ? [] : [meaningsOf(view.state, tokens.data, this.legend)]),
        ...(hints === null ? [] : [hintsOf(view.state, hints)]),
      ],
    });
    this.drawHeat();
    this.drawStatus();
  }

  /** Mark where it leaks, if that is switched on. */
  private drawHeat(): void {
    const on = localStorage.getItem(HEAT) !== null;
    element("heat").setAttribute("aria-pressed", String(on));
    const found = on ? this.origins.of(this.results.get(this.current?.uri ?? "")) : [];
    this.view.dispatch({ effects: heatsOf(this.view.state, found) });
  }

  private toggleHeat(): void {
    if (localStorage.getItem(HEAT) === null) {
      localStorage.setItem(HEAT, "yes");
    } else {
      localStorage.removeItem(HEAT);
    }
    this.drawHeat();
  }

  // --- what the user asks for ---------------------------------------------------------------------------------------

  private keys(): readonly Key[] {
    const view = (run: (view: EditorView) => unknown) => (of: EditorView) => {
      void run(of);
    };
    return [
      { keys: "Mod-s", shown: "Ctrl+S", does: "save", run: view(() => this.save()) },
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
          this.toggleHeat();
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
      this.say("no findings");
      return;
    }
    const { from, to } = this.view.state.selection.main;
    forEachDiagnostic(this.view.state, ({ severity, message }, start, end) => {
      if (start === from && end === to) {
        this.say(`${severity}: ${message}`);
      }
    });
    hoverAtCursor(this.view);
  }

  private async format(): Promise<void> {
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await this.ask<readonly TextEdit[]>(this.view, "textDocument/formatting", { options });
    if (edits === null) {
      this.say("not formatted: the program has errors");
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
        void this.make();
        break;
    }
  }

  private async fail(title: string, message: string): Promise<void> {
    await choose({ title, body: [paragraph(`${message}.`)], buttons: [["Close", true]] });
  }

  // --- the page around ----------------------------------------------------------------------------------------------

  private listen(): void {
    const hello = element("hello") as HTMLDetailsElement;
    hello.open = localStorage.getItem(KNOWN) === null;
    hello.addEventListener("toggle", () => {
      if (!hello.open) {
        localStorage.setItem(KNOWN, "yes");
      }
    });
    element("keys").onclick = () => {
      void this.showKeys();
    };
    element("save").onclick = (event) => {
      if ((event.currentTarget as HTMLElement).ariaDisabled !== "true") {
        void this.save();
      }
    };
    element("heat").onclick = () => {
      this.toggleHeat();
    };
    element("programs").onclick = () => {
      this.toggleGallery();
    };
    window.addEventListener("keydown", (event) => {
      if (event.key === "F1") {
        event.preventDefault();
        void this.showKeys();
      } else if (event.key === "F6") {
        event.preventDefault();
        this.turn(event.shiftKey ? -1 : 1);
      } else if (event.key === "s" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) {
        event.preventDefault(); // of the browser, which would save the page
        void this.save();
      } else if (event.key === "Escape" && this.isGalleryOpen && element("gallery").contains(document.activeElement)) {
        this.closeGallery();
        element("programs").focus();
      }
    });
    window.addEventListener("beforeunload", (event) => {
      if (this.documents.changed.length > 0) {
        event.preventDefault();
      }
    });
    window.addEventListener("online", () => {
      this.connection.retry();
    });
  }

  /** Go to the next part of the page. */
  private turn(step: 1 | -1): void {
    const panel = element("panel").querySelector("main") ?? element("panel");
    panel.tabIndex = -1; // its name is read out, and the Tab key goes on inside
    const parts: readonly (readonly [HTMLElement, () => void])[] = [
      [
        element("gallery"),
        () => {
          this.openGallery();
          this.gallery.focus();
        },
      ],
      ...[this.view.contentDOM, panel, element("foot")].map(
        (part) =>
          [
            part,
            () => {
              part.focus();
            },
          ] as const,
      ),
    ];
    const at = parts.findIndex(([part]) => part.contains(document.activeElement));
    parts[(at + step + parts.length) % parts.length]?.[1]();
  }

  private get isGalleryOpen(): boolean {
    return element("programs").getAttribute("aria-expanded") === "true";
  }

  private openGallery(): void {
    element("programs").setAttribute("aria-expanded", "true");
  }

  private closeGallery(): void {
    element("programs").setAttribute("aria-expanded", "false");
  }

  private toggleGallery(): void {
    if (this.isGalleryOpen) {
      this.closeGallery();
    } else {
      this.openGallery();
      this.gallery.focus();
    }
  }

  private async showKeys(): Promise<void> {
    if (document.querySelector("dialog") !== null) {
      return;
    }
    const rows = [
      ...this.keys().map(({ shown, does }): [string, string] => [shown, does]),
      ["Ctrl+Space", "complete"],
      ["Ctrl+Shift+M", "list all findings, with their fixes"],
      ["Ctrl+F", "find and replace"],
      ["Ctrl+/", "comment or uncomment"],
      ["Tab, or Escape and Tab", "leave the editor"],
      ["F6", "go to the next part of the page: programs, editor, panel, status"],
      ["F1", "this list"],
    ] as const;
    await choose({ title: "Keys", body: [keyTable(rows)], buttons: [["Close", true]] });
  }

  private drawName(): void {
    const open = this.current;
    if (open === undefined) {
      return;
    }
    const { shelf, name } = open.place;
    const changed = isChanged(open);
    element("name").textContent = name;
    const kinds = { folder: "", examples: "example, not saved", scratch: "kept outside of the folder" };
    element("about").textContent = changed && shelf !== "examples" ? "not saved" : kinds[shelf];
    const button = element("save") as HTMLButtonElement;
    button.textContent = shelf === "examples" ? "Save as …" : "Save";
    // Not "disabled", which would take the focus from who just pressed it.
    button.ariaDisabled = String(shelf !== "examples" && !changed);
    this.gallery.mark(
      open.place,
      this.documents.changed.map(({ place }) => place),
    );
  }

  private drawStatus(): void {
    const open = this.current;
    const results = open === undefined ? undefined : this.results.get(open.uri);
    const words = statusOf(this.server, results).map(({ text, kind }) => {
      const word = document.createElement("span");
      word.className = kind;
      word.textContent = text;
      return word;
    });
    element("state").replaceChildren(...words);
    if (open !== undefined) {
      const { line, character } = position(open.state.doc, open.state.selection.main.head);
      element("cursor").textContent = `Ln ${String(line + 1)}, Col ${String(character + 1)}`;
    }
  }

  /** Say something that passes, also to screen readers. */
  private say(text: string): void {
    element("said").textContent = text;
  }
}

function named({ uri, place }: Open): { readonly uri: string; readonly name: string } {
  return { uri, name: place.name };
}

new Play();
