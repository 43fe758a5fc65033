/** Places in texts: lines and characters of the protocol, offsets of the editor; both count as JavaScript does. */

import type { ChangeSet, Text } from "@codemirror/state";
import type { Position, Range } from "../panel/contract";
import type { TextEdit } from "./protocol";

/** The offset of a place; one past the end of its line, or of the text, is that end. */
export function offset(text: Text, { line, character }: Position): number {
  if (line >= text.lines) {
    return text.length;
  }
  const { from, to } = text.line(line + 1);
  return Math.min(from + character, to);
}

export function position(text: Text, at: number): Position {
  const line = text.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

export function span(text: Text, { start, end }: Range): { readonly from: number; readonly to: number } {
  const from = offset(text, start);
  return { from, to: Math.max(from, offset(text, end)) };
}

/** What is to be changed in the editor, given edits of the protocol, which all are of the same text. */
export function changes(text: Text, edits: readonly TextEdit[]): { from: number; to: number; insert: string }[] {
  return edits.map(({ range, newText }) => ({ ...span(text, range), insert: newText.replace(/\r\n?/g, "\n") }));
}

/** A change of the editor for the protocol: from the last place to the first, so that each is in the text as it is then. */
export function incremental(before: Text, made: ChangeSet): { range: Range; text: string }[] {
  const found: { range: Range; text: string }[] = [];
  made.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    const range = { start: position(before, fromA), end: position(before, toA) };
    found.unshift({ range, text: inserted.toString() });
  });
  return found;
}
