/** The editor: CodeMirror with what a program needs, and keys that a browser leaves free. */

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, Prec, type Text } from "@codemirror/state";
import {
  activateHover,
  closeHoverTooltips,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type ViewUpdate,
} from "@codemirror/view";
import type { Ask } from "./asking";
import { colours } from "./colours";
import { completing, hovering } from "./completing";
import { actionMenu } from "./actions";
import { decorations } from "./decorations";
import { type Open, openIn } from "./documents";
import { signatures } from "./signatures";

/** The keys of the page beside those of any editor, as they are told and as they are bound. */
export interface Key {
  readonly keys: string;
  readonly shown: string;
  readonly does: string;
  readonly run: (view: EditorView) => void;
}

/** Show what stands at the cursor, as the pointer does, until the cursor moves. */
export function hoverAtCursor(view: EditorView): void {
  const { from } = view.state.selection.main;
  activateHover(view, from, 1, { until: ({ selection, docChanged }) => docChanged || selection !== undefined });
}

export interface Editing {
  readonly ask: Ask;
  readonly nonce: string;
  readonly keys: readonly Key[];
  updated(update: ViewUpdate): void;
}

/** What makes the state of a text. */
export function states(editing: Editing): (open: Omit<Open, "state">, doc: Text) => EditorState {
  const own = editing.keys.map(({ keys, run }) => ({
    key: keys,
    preventDefault: true,
    run: (view: EditorView) => {
      run(view);
      return true;
    },
  }));
  const escape = {
    key: "Escape",
    run: (view: EditorView) => {
      view.dispatch({ effects: closeHoverTooltips });
      return false;
    },
  };
  const shared: Extension = [
    Prec.high(keymap.of([...own, escape])),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    decorations,
    actionMenu,
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    highlightSpecialChars(),
    highlightSelectionMatches(),
    history(),
    drawSelection(),
    dropCursor(),
    bracketMatching(),
    closeBrackets(),
    colours,
    completing(editing.ask),
    hovering(editing.ask),
    signatures(editing.ask),
    EditorState.allowMultipleSelections.of(true),
    EditorView.cspNonce.of(editing.nonce),
    EditorView.contentAttributes.of({ "aria-label": "Program", spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      editing.updated(update);
    }),
  ];
  return (open, doc) => {
    // The state is put into what is open right after; nobody asks for it before.
    return EditorState.create({ doc, extensions: [openIn.of(open as Open), shared] });
  };
}
