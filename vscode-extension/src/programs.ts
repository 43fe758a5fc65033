/** Which program the user looks at. */

import * as vscode from "vscode";
import { functionsOf } from "./functions";

export class Programs implements vscode.Disposable {
  /** Where the cursor was last in a program: the panel is no text editor, and may cover the program. */
  private last: vscode.TextEditor | undefined;
  private readonly listener: vscode.Disposable;

  constructor() {
    this.remember(vscode.window.activeTextEditor);
    this.listener = vscode.window.onDidChangeActiveTextEditor((editor) => {
      this.remember(editor);
    });
  }

  /** The program in the active editor, else the one where the cursor was last, else one in sight. */
  get current(): vscode.TextEditor | undefined {
    this.remember(vscode.window.activeTextEditor);
    return this.last?.document.isClosed === false ? this.last : vscode.window.visibleTextEditors.find(isProgram);
  }

  dispose(): void {
    this.listener.dispose();
  }

  private remember(editor: vscode.TextEditor | undefined): void {
    this.last = isProgram(editor) ? editor : this.last;
  }
}

/** Whether an editor shows a program, or a Python file that has marked functions. */
export function isProgram(editor: vscode.TextEditor | undefined): boolean {
  return editor !== undefined && (editor.document.languageId === "seep" || functionsOf(editor.document).length > 0);
}
