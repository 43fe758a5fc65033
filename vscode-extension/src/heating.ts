/** Marks statements through which much leaks, in the gutter and in the overview, once that is switched on. */

import * as vscode from "vscode";
import type { Results, Where } from "../panel/contract";
import type { Client } from "./client";
import { heated, heatOf, type Level, LEVELS } from "./heat";
import { SECTION } from "./settings";

const SETTING = "leakHeat";

export class Heating implements vscode.Disposable {
  private readonly types: Readonly<Record<Level, vscode.TextEditorDecorationType>>;
  /** By document: the results that were asked about, and what was found. */
  private readonly known = new Map<string, { readonly asked: string; found: readonly Where[] }>();

  constructor(
    private readonly client: Client,
    extension: vscode.Uri,
    private readonly changed: () => void,
  ) {
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
    const found = isOn() ? this.of(results) : [];
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

  /** What is known of results that are current; what is not is asked for. */
  private of(results: Results | undefined): readonly Where[] {
    const measures = heated(results);
    if (results === undefined || measures.length === 0) {
      return [];
    }
    const { uri, version, table } = results;
    const asked = JSON.stringify([version, table.map(({ information }) => information?.params)]);
    const known = this.known.get(uri);
    if (known?.asked === asked) {
      return known.found;
    }
    this.known.set(uri, { asked, found: [] });
    void this.ask(uri, asked, measures);
    return [];
  }

  private async ask(uri: string, asked: string, measures: readonly string[]): Promise<void> {
    for (const measure of measures) {
      const found = await this.client.whereOf(uri, measure);
      const known = this.known.get(uri);
      if (known?.asked !== asked) {
        return; // of an older text
      }
      if (found !== undefined) {
        known.found = [...known.found, found];
        this.changed();
      }
    }
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
