/** What the extension itself reads of the settings; the rest goes to the server, which asks for it. */

import * as vscode from "vscode";

export const SECTION = "seepage";

/** A path of the settings by who wrote it: the user, or the workspace that is open. */
export function pathSetting(name: "server.path" | "server.python"): { user: string; workspace: string } {
  const found = vscode.workspace.getConfiguration(SECTION).inspect<unknown>(name);
  return {
    user: text(found?.globalValue),
    workspace: text(found?.workspaceFolderValue) || text(found?.workspaceValue),
  };
}

/** Whether a change of settings means another server. */
export function changesServer(event: vscode.ConfigurationChangeEvent): boolean {
  return event.affectsConfiguration(`${SECTION}.server`);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
