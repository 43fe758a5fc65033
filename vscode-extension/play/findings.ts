/** Findings in the text, each with its fixes. */

import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { type Ask, carryOut } from "./asking";
import { openIn } from "./documents";
import { position, span } from "./places";
import type { CodeAction, Finding } from "./protocol";

const SEVERITIES = { 1: "error", 2: "warning", 3: "info", 4: "hint" } as const;

/** What each view shows, so that the same findings, told again, close nothing that is open over them. */
const shownIn = new WeakMap<EditorView, string>();

/** Show what the language server found in the text in the editor, with the fixes. */
export async function showFindings(view: EditorView, found: readonly Finding[], ask: Ask): Promise<void> {
  const key = JSON.stringify([view.state.facet(openIn)?.uri, view.state.facet(openIn)?.version, found]);
  if (shownIn.get(view) === key) {
    return;
  }
  shownIn.set(view, key);
  const actions =
    found.length === 0
      ? []
      : await ask<readonly CodeAction[]>(view, "textDocument/codeAction", {
          range: { start: { line: 0, character: 0 }, end: position(view.state.doc, view.state.doc.length) },
          context: { diagnostics: found, only: ["quickfix"] },
        });
  if (shownIn.get(view) === key) {
    show(view, found, actions ?? []);
  }
}

function show(view: EditorView, found: readonly Finding[], actions: readonly CodeAction[]): void {
  const { doc } = view.state;
  const shown = found.map((finding): Diagnostic => {
    const { from, to } = span(doc, finding.range);
    const key = keyOf(finding);
    const fixes = actions.filter(({ diagnostics }) => diagnostics?.some((each) => keyOf(each) === key));
    return {
      from,
      to,
      severity: SEVERITIES[finding.severity ?? 1],
      message: finding.message,
      ...(finding.code === undefined ? {} : { source: finding.code }),
      actions: fixes.map((fix) => ({
        name: fix.title,
        apply: (on: EditorView) => {
          carryOut(on, fix);
        },
      })),
    };
  });
  view.dispatch(setDiagnostics(view.state, shown));
}

function keyOf({ range, code, message }: Finding): string {
  return JSON.stringify([range, code, message]);
}

/** The actions at the cursor: fixes, and ways to write the program differently. */
export async function actionsAt(view: EditorView, ask: Ask): Promise<readonly CodeAction[]> {
  const { doc, selection } = view.state;
  const range = { start: position(doc, selection.main.from), end: position(doc, selection.main.to) };
  const found = await ask<readonly CodeAction[]>(view, "textDocument/codeAction", {
    range,
    context: { diagnostics: [] },
  });
  return (found ?? []).filter(({ edit }) => edit !== undefined);
}
