/** Marks beside budgets: holds, violated, cannot tell. They differ in shape, so that colour is not needed to tell them apart. */

import * as vscode from "vscode";
import type { Results } from "../panel/contract";
import { type Verdict, verdictLines, VERDICTS } from "./verdicts";

export class Gutter implements vscode.Disposable {
  private readonly types: Readonly<Record<Verdict, vscode.TextEditorDecorationType>>;

  constructor(extension: vscode.Uri) {
    const type = (verdict: Verdict): vscode.TextEditorDecorationType => {
      const icon = (theme: string): vscode.Uri =>
        vscode.Uri.joinPath(extension, "images", "gutter", `${verdict}-${theme}.svg`);
      return vscode.window.createTextEditorDecorationType({
        light: { gutterIconPath: icon("light") },
        dark: { gutterIconPath: icon("dark") },
        gutterIconSize: "80%",
        overviewRulerColor: new vscode.ThemeColor(`seepage.${verdict}`),
        overviewRulerLane: vscode.OverviewRulerLane.Left,
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      });
    };
    this.types = { holds: type("holds"), violated: type("violated"), unknown: type("unknown") };
  }

  show(editor: vscode.TextEditor, results: Results | undefined): void {
    const lines = verdictLines(results);
    for (const verdict of VERDICTS) {
      const ranges = lines[verdict]
        .filter((line) => line < editor.document.lineCount)
        .map((line) => new vscode.Range(line, 0, line, 0));
      editor.setDecorations(this.types[verdict], ranges);
    }
  }

  dispose(): void {
    VERDICTS.forEach((verdict) => {
      this.types[verdict].dispose();
    });
  }
}
