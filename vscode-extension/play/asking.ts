/** Questions about the text in the editor. */

import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { type Connection, isCancelled } from "./connection";
import { openIn } from "./documents";
import { changes } from "./places";
import type { CodeAction } from "./protocol";

export type Ask = <T>(
  view: EditorView | EditorState,
  method: string,
  params?: Readonly<Record<string, unknown>>,
) => Promise<T | null>;

/**
 * Return what asks on a connection: null where the server has nothing to say, or where the text of the view has changed meanwhile.
 * Who asks of a state carries the answer over to later ones himself, as completion does.
 */
export function asking(connection: Connection): Ask {
  return async <T>(view: EditorView | EditorState, method: string, params: Readonly<Record<string, unknown>> = {}) => {
    const open = ("state" in view ? view.state : view).facet(openIn);
    if (open === undefined || !connection.isReady) {
      return null;
    }
    const version = open.version;
    try {
      const answer = await connection.request(method, { textDocument: { uri: open.uri }, ...params });
      const stands = !("state" in view) || (open.version === version && view.state.facet(openIn) === open);
      return stands ? (answer as T | null) : null;
    } catch (error) {
      if (!isCancelled(error)) {
        console.debug(method, error); // a refusal in words, of something that nobody asked for by hand
      }
      return null;
    }
  };
}

/** Carry out what a code action says, if it is of the text as it is; tells whether it was. */
export function carryOut(view: EditorView, action: CodeAction): boolean {
  const open = view.state.facet(openIn);
  for (const { textDocument, edits } of action.edit?.documentChanges ?? []) {
    if (open?.uri === textDocument.uri && [open.version, null].includes(textDocument.version)) {
      view.dispatch({ changes: changes(view.state.doc, edits), userEvent: "input.fix", scrollIntoView: true });
      view.focus();
      return true;
    }
  }
  return false;
}
