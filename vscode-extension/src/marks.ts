/** Whether a file needs the server: every program, and Python files with marks. Nothing is started for others. */

import * as vscode from "vscode";
import { PYTHON } from "./functions";
import { SECTION } from "./settings";

const MARKS = "seepage_marks";
/** What the tables of project files that mark functions begin with. */
const TABLES = [
  { file: "seepage.toml", table: "[python." },
  { file: "pyproject.toml", table: "[tool.seepage.python." },
] as const;

export function looksAtPython(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get("pythonFiles", true);
}

export async function needsServer(document: vscode.TextDocument): Promise<boolean> {
  if (document.languageId !== PYTHON) {
    return document.languageId === "seep";
  }
  return looksAtPython() && (document.getText().includes(MARKS) || (await isMarkedByProject(document.uri)));
}

/** The nearest project file counts, as the server reads it, up to the folder of the workspace. */
async function isMarkedByProject(uri: vscode.Uri): Promise<boolean> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (root === undefined || uri.scheme !== "file") {
    return false;
  }
  for (let folder = vscode.Uri.joinPath(uri, ".."); folder.path.startsWith(root.path);) {
    for (const { file, table } of TABLES) {
      if ((await read(vscode.Uri.joinPath(folder, file))).includes(table)) {
        return true;
      }
    }
    const above = vscode.Uri.joinPath(folder, "..");
    if (above.path === folder.path) {
      return false;
    }
    folder = above;
  }
  return false;
}

async function read(uri: vscode.Uri): Promise<string> {
  try {
    return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8");
  } catch {
    return ""; // it is not there
  }
}
