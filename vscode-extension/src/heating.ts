/** Marks statements through which much leaks, in the gutter and in the overview, once that is switched on. */

import * as vscode from "vscode";
import type { Results } from "../panel/contract";
import type { Client } from "./client";
import { heatOf, type Level, LEVELS, Origins } from "./heat";
import { SECTION } from "./settings";

const SETTING = "leakHeat";

export class Heating implements vscode.Disposable {
  private readonly types: Readonly<Record<Level, vscode.TextEditorDecorationType>>;
  private readonly origins: Origins;

  constructor(client: Client, extension: vscode.Uri, changed: () => void) {
    this.origins = new Origins((uri, measure) => client.whereOf(uri, measure), changed);
    const type = (level: Level): vscode.TextEditorDecorationType => {
      const icon = (theme: string): vscode.Uri =>
        vscode.Uri.joinPath(extension, "images", "gutter", `heat-${level}-${theme}.svg`);
      return vscode.window.createTextEditorDecorationType({
        light: { gutterIconPath: icon("light") },
        dark: { gutterIconPath: icon("dark") },
        gutterIconSize: "contain",
        overviewRulerColor: new vscode.ThemeColor(`seepage.heat.${level}`),
        overviewRulerLane: vscode.OverviewRulerLane.Right,
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      });
    };
    this.types = { low: type("low"), middle: type("middle"), high: type("high") };
  }

  show(editor: vscode.TextEditor, results: Results | undefined): void {
    const found = isOn() ? this.origins.of(results) : [];
    const heat = heatOf(found);
    for (const level of LEVELS) {
      // Of a branch over many lines its first one is marked: those inside have marks of their own.
      const ranges = heat[level].map(({ start }) => new vscode.Range(start.line, 0, start.line, 0));
      editor.setDecorations(this.types[level], ranges);
    }
  }

  dispose(): void {
    LEVELS.forEach((level) => {
      this.types[level].dispose();
    });
  }
}

export function isOn(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get(SETTING, false);
}

/** Switch it on or off, where it is set: in the workspace, else for the user. */
export async function toggleHeat(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const inWorkspace = settings.inspect<boolean>(SETTING)?.workspaceValue !== undefined;
  const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await settings.update(SETTING, !isOn(), target);
}

export function changesHeat(event: vscode.ConfigurationChangeEvent): boolean {
  return event.affectsConfiguration(`${SECTION}.${SETTING}`);
}
