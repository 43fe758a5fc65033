/** What a call expects, told above it while its arguments are typed. */

import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { EditorView, keymap, showTooltip, type Tooltip, type ViewUpdate } from "@codemirror/view";
import type { Ask } from "./asking";
import { position } from "./places";
import type { Signature, SignatureHelp } from "./protocol";

const BEGINS = /[(,]\s*$/;
const setHelp = StateEffect.define<Tooltip | null>();

const told = StateField.define<Tooltip | null>({
  create: () => null,
  update: (tooltip, { changes, effects }) => {
    const moved = tooltip && { ...tooltip, pos: changes.mapPos(tooltip.pos) };
    return effects.reduce<Tooltip | null>((found, each) => (each.is(setHelp) ? each.value : found), moved);
  },
  provide: (field) => showTooltip.from(field),
});

/** Asks once an argument begins, and again with the cursor until it has left the call. */
export function signatures(ask: Ask): Extension {
  const follow = async (view: EditorView): Promise<void> => {
    // Whoever tells the server of the change hears of it in the same turn, perhaps later than this.
    await Promise.resolve();
    const at = view.state.selection.main.head;
    const help = await ask<SignatureHelp>(view, "textDocument/signatureHelp", {
      position: position(view.state.doc, at),
    });
    if (view.state.selection.main.head === at) {
      view.dispatch({ effects: setHelp.of(tooltipOf(help, at)) });
    }
  };
  return [
    told,
    EditorView.updateListener.of((update) => {
      if (concerns(update)) {
        void follow(update.view);
      }
    }),
    keymap.of([{ key: "Escape", run: closed }]),
  ];
}

function concerns({ state, docChanged, selectionSet, transactions, view }: ViewUpdate): boolean {
  if (!docChanged && !selectionSet) {
    return false;
  }
  const typed = transactions.some((each) => each.isUserEvent("input"));
  return view.hasFocus && (state.field(told) !== null || (typed && BEGINS.test(beforeCursor(state))));
}

function beforeCursor(state: EditorState): string {
  const at = state.selection.main.head;
  return state.doc.sliceString(state.doc.lineAt(at).from, at);
}

function closed(view: EditorView): boolean {
  if (view.state.field(told) === null) {
    return false;
  }
  view.dispatch({ effects: setHelp.of(null) });
  return true;
}

function tooltipOf(help: SignatureHelp | null, at: number): Tooltip | null {
  const signature = help?.signatures[help.activeSignature ?? 0];
  if (help == null || signature === undefined) {
    return null;
  }
  const active = signature.activeParameter ?? help.activeParameter ?? 0;
  return { pos: at, above: true, create: () => ({ dom: shown(signature, active) }) };
}

function shown(signature: Signature, active: number): HTMLElement {
  const element = document.createElement("div");
  element.className = "told signature";
  element.setAttribute("role", "status");
  const [from, to] = partOf(signature, active);
  const meant = document.createElement("b");
  meant.textContent = signature.label.slice(from, to);
  element.append(signature.label.slice(0, from), meant, signature.label.slice(to));
  return element;
}

/** Where in the label the argument stands that is typed. */
export function partOf({ label, parameters = [] }: Signature, active: number): readonly [number, number] {
  const part = parameters[active]?.label;
  if (part === undefined) {
    return [label.length, label.length];
  }
  const from = typeof part === "string" ? label.indexOf(part) : part[0];
  return typeof part === "string" ? [from, from + part.length] : part;
}
