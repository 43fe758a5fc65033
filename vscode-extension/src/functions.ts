/** The marked functions of open Python files, as the server tells them: each is a program to the panel, under a URI of its own. */

import * as vscode from "vscode";
import type { Position } from "../panel/contract";

export const PYTHON = "python";

export interface Marked {
  readonly name: string;
  readonly uri: string;
  /** Where its mark begins. */
  readonly start: Position;
}

const known = new Map<string, readonly Marked[]>();
const learned = new vscode.EventEmitter<void>();
/** The functions of a file, or their places, are others. */
export const onDidLearn = learned.event;

export function functionsOf(document: vscode.TextDocument): readonly Marked[] {
  return document.languageId === PYTHON ? (known.get(document.uri.toString()) ?? []) : [];
}

/** Keep what the server told of a file; none of a file that is closed. */
export function learn(uri: string, functions: readonly Marked[]): void {
  if (JSON.stringify(known.get(uri) ?? []) !== JSON.stringify(functions)) {
    known.set(uri, functions);
    learned.fire();
  }
}

/** The URI of the program at the cursor of an editor: of a Python file, of the function whose mark begins last before it, or the first. */
export function programAt(editor: vscode.TextEditor): string {
  const functions = functionsOf(editor.document);
  const { line } = editor.selection.active;
  return (
    (functions.filter(({ start }) => start.line <= line).at(-1) ?? functions[0])?.uri ?? editor.document.uri.toString()
  );
}

/** The file of a program, and the function in it. */
export function partsOf(uri: string): { readonly file: vscode.Uri; readonly name: string } {
  const [file = "", name = ""] = uri.split("#");
  return { file: vscode.Uri.parse(file), name };
}
