/** Completion and hovers, as the language server gives them. */

import { autocompletion, type Completion, type CompletionContext, snippet } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type EditorView, hoverTooltip } from "@codemirror/view";
import type { Ask } from "./asking";
import { position, span } from "./places";
import type { CompletionItem, Hover } from "./protocol";

const WORD = /[\p{L}_][\p{L}\p{N}_]*$/u;
const TRIGGER = /~\s?$/;
/** Kinds of the protocol, as the editor calls them; it has signs for these. */
const KINDS: Readonly<Record<number, string>> = {
  3: "function",
  6: "variable",
  7: "class",
  14: "keyword",
  15: "text",
  21: "constant",
  25: "type",
};
const SNIPPET = 2;
const STRONGEST = 99;

export function completing(ask: Ask): Extension {
  const source = async (
    context: CompletionContext,
  ): Promise<{ from: number; options: Completion[]; validFor: RegExp } | null> => {
    const word = context.matchBefore(WORD);
    if (word === null && !context.explicit && context.matchBefore(TRIGGER) === null) {
      return null;
    }
    const at = { position: position(context.state.doc, context.pos) };
    const items = await ask<readonly CompletionItem[]>(context.state, "textDocument/completion", at);
    if (items === null || items.length === 0) {
      return null;
    }
    const sorted = [...items].sort((a, b) => ((a.sortText ?? a.label) < (b.sortText ?? b.label) ? -1 : 1));
    return {
      from: word?.from ?? context.pos,
      options: sorted.map((item, index) => option(item, index)),
      validFor: /^[\p{L}\p{N}_]*$/u,
    };
  };
  return autocompletion({ override: [source] });
}

function option(item: CompletionItem, index: number): Completion {
  const { label, kind = 0, detail, documentation, insertText, insertTextFormat, textEdit } = item;
  const text = textEdit?.newText ?? insertText ?? label;
  const info = typeof documentation === "string" ? documentation : documentation?.value;
  const insert = insertTextFormat === SNIPPET ? snippet(templateOf(text)) : text;
  return {
    label,
    apply:
      textEdit === undefined
        ? insert
        : (view: EditorView, completion: Completion, from: number, to: number) => {
            // The server names what is replaced; what was typed since then lies at its end.
            const start = Math.min(span(view.state.doc, textEdit.range).from, from);
            if (typeof insert === "string") {
              view.dispatch({ changes: { from: start, to, insert }, selection: { anchor: start + insert.length } });
            } else {
              insert(view, completion, start, to);
            }
          },
    boost: Math.max(-STRONGEST, STRONGEST - index),
    ...(KINDS[kind] === undefined ? {} : { type: KINDS[kind] }),
    ...(detail === undefined ? {} : { detail }),
    ...(info === undefined ? {} : { info: () => paragraphs(info) }),
  };
}

/** A snippet of the protocol as the editor writes them: `$1` is `${1}`, and the last place, `$0`, one without a name. */
export function templateOf(text: string): string {
  return text.replace(/\$(\d)/g, "${$1}").replace(/\$\{0\}/g, "${}");
}

/** What stands at a place, by the pointer or by a key. */
export function hovering(ask: Ask): Extension {
  return hoverTooltip(async (view, at) => {
    const hover = await ask<Hover>(view, "textDocument/hover", { position: position(view.state.doc, at) });
    if (hover === null) {
      return null;
    }
    const { from, to } = hover.range === undefined ? { from: at, to: at } : span(view.state.doc, hover.range);
    const text = typeof hover.contents === "string" ? hover.contents : hover.contents.value;
    return { pos: from, end: to, above: true, create: () => ({ dom: paragraphs(text) }) };
  });
}

/** A text with its lines; what is blank between paragraphs is told once. */
function paragraphs(text: string): HTMLElement {
  const shown = document.createElement("div");
  shown.className = "told";
  for (const part of text.trim().split(/\n\s*\n/)) {
    const paragraph = document.createElement("p");
    paragraph.textContent = part.trim();
    shown.append(paragraph);
  }
  return shown;
}
