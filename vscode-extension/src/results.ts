/** What a click on a code lens does: go to the place and show its hover, where the whole result stands. */

import * as vscode from "vscode";
import { placeOf } from "./place";

/** The command's name, as the server knows it. */
export const SHOW_RESULT = "seepage.showResult";

export async function showResult(...args: readonly unknown[]): Promise<void> {
  const place = placeOf(args);
  if (place === undefined) {
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
  const position = new vscode.Position(place.line, place.character);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) });
  await vscode.commands.executeCommand("editor.action.showHover");
}
