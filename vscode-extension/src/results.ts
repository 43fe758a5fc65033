/** What a click on a code lens does: go to the place, and show in the panel what belongs to it. */

import * as vscode from "vscode";
import { partsOf } from "./functions";
import type { Panel } from "./panel";
import { placeOf } from "./place";

/** The names of commands, as the server knows them. */
export const SHOW_RESULT = "seepage.showResult";
export const SHOW_SIGNATURE = "seepage.showSignature";

export async function showResult(panel: Panel, args: readonly unknown[]): Promise<void> {
  const place = placeOf(args);
  if (place === undefined) {
    return;
  }
  const document = await vscode.workspace.openTextDocument(partsOf(place.uri).file);
  const position = new vscode.Position(place.line, place.character);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) });
  panel.open({ kind: "focus", uri: place.uri, at: { line: place.line, character: place.character } });
}
