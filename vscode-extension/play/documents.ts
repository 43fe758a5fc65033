/** The texts that are open: one is in the editor, others wait with changes that are not saved. The language server knows them all. */

import { type ChangeSet, type EditorState, Facet, Text } from "@codemirror/state";
import type { Line } from "./connection";
import { incremental } from "./places";
import type { Place, Stored } from "./protocol";

const DRAFTS = "seepage.drafts";
const SOON = 300;

/** A text that is open. */
export interface Open {
  readonly place: Place;
  readonly uri: string;
  /** Counts changes; the language server tells by it what its answers are of. */
  version: number;
  /** Of the file as it was read or saved last; empty if there is none. */
  stamp: string;
  /** As it was read or saved last. */
  saved: Text;
  /** The ends of lines in the file; in the editor all are `\n`. */
  readonly lineEnd: "\n" | "\r\n";
  state: EditorState;
}

/** Which text a state of the editor is of. */
export const openIn = Facet.define<Open, Open | undefined>({ combine: (values) => values[0] });

/** What was typed and not saved, and what it was typed into. */
interface Draft {
  readonly text: string;
  readonly stamp: string;
}

export class Documents {
  private readonly all = new Map<string, Open>();
  private readonly seen = new Set<string>();
  private drafting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly line: Line,
    private readonly stateOf: (open: Omit<Open, "state">, text: Text) => EditorState,
  ) {
    window.addEventListener("pagehide", () => {
      this.keep();
    });
  }

  /** Those with changes that are not saved. */
  get changed(): readonly Open[] {
    return [...this.all.values()].filter(isChanged);
  }

  get(uri: string): Open | undefined {
    return this.all.get(uri);
  }

  at({ shelf, name }: Place): Open | undefined {
    return [...this.all.values()].find(({ place }) => place.shelf === shelf && place.name === name);
  }

  /** Take in a text that was read; with what was typed into it before the page was loaded anew. */
  add({ place, uri, text, stamp }: Stored): Open {
    const draft = drafts()[uri];
    const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
    const begun: Omit<Open, "state"> = {
      place,
      uri,
      version: 1,
      stamp: draft?.stamp ?? stamp,
      saved: textOf(text),
      lineEnd,
    };
    // The same object is in the state: what is open is one thing, wherever it is asked for.
    const open = Object.assign(begun, { state: this.stateOf(begun, textOf(draft?.text ?? text)) });
    this.all.set(uri, open);
    this.seen.add(uri);
    this.introduce(this.line, open);
    return open;
  }

  /** Tell the language server, on a new line, of all texts as they are. */
  introduceAll(line: Line): void {
    for (const open of this.all.values()) {
      this.introduce(line, open);
    }
  }

  edited(open: Open, before: Text, changes: ChangeSet): void {
    open.version += 1;
    const contentChanges = incremental(before, changes);
    this.line.notify("textDocument/didChange", {
      textDocument: { uri: open.uri, version: open.version },
      contentChanges,
    });
    this.drafting ??= setTimeout(() => {
      this.keep();
    }, SOON);
  }

  /** Note that a text stands in its file. */
  stored(open: Open, saved: Text, stamp: string): void {
    open.saved = saved;
    open.stamp = stamp;
    this.keep();
    this.line.notify("textDocument/didSave", { textDocument: { uri: open.uri } });
  }

  /** Forget a text that is not looked at any more, if nothing would be lost. */
  leave(open: Open): void {
    if (!isChanged(open)) {
      this.forget(open);
    }
  }

  forget(open: Open): void {
    this.all.delete(open.uri);
    this.line.notify("textDocument/didClose", { textDocument: { uri: open.uri } });
    this.keep();
  }

  private introduce(line: Line, { uri, version, state }: Open): void {
    const textDocument = { uri, languageId: "seep", version, text: state.doc.toString() };
    line.notify("textDocument/didOpen", { textDocument });
  }

  /** Keep what is not saved for the time that the page is open, however often it is loaded. */
  private keep(): void {
    clearTimeout(this.drafting);
    this.drafting = undefined;
    const others = Object.entries(drafts()).filter(([uri]) => !this.seen.has(uri)); // not looked at since the page was loaded
    const ours = this.changed.map((open): [string, Draft] => [open.uri, { text: contentOf(open), stamp: open.stamp }]);
    const kept = Object.fromEntries([...others, ...ours]);
    try {
      sessionStorage.setItem(DRAFTS, JSON.stringify(kept));
    } catch {
      // No room: the texts are in the page all the same.
    }
  }
}

export function isChanged({ state, saved }: Open): boolean {
  return !state.doc.eq(saved);
}

/** What belongs into the file. */
export function contentOf({ state, lineEnd }: Open): string {
  return state.doc.toString().replaceAll("\n", lineEnd);
}

export function textOf(text: string): Text {
  return Text.of(text.split(/\r\n?|\n/));
}

function drafts(): Readonly<Record<string, Draft>> {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFTS) ?? "{}") as Readonly<Record<string, Draft>>;
  } catch {
    return {};
  }
}
