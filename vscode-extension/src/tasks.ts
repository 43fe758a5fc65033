/** `seepage check` as a task: of the program in the active editor, and of all programs of a folder. */

import * as vscode from "vscode";
import type { Client } from "./client";
import { commandLineOf } from "./server";

const TYPE = "seepage";
const MATCHER = "$seepage";
const MOST = 500;

interface Definition extends vscode.TaskDefinition {
  readonly files?: readonly string[];
}

export class Tasks implements vscode.TaskProvider {
  constructor(private readonly client: Client) {}

  async provideTasks(): Promise<vscode.Task[]> {
    const tasks: vscode.Task[] = [];
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      if (folder.uri.scheme !== "file") {
        continue;
      }
      const inside = new vscode.RelativePattern(folder, "**/*.seep");
      const found = await vscode.workspace.findFiles(inside, "**/{node_modules,.venv}/**", MOST);
      const files = found.map((uri) => vscode.workspace.asRelativePath(uri, false)).sort();
      if (files.length > 0) {
        tasks.push(...this.task({ type: TYPE, files }, folder, "check all programs"));
      }
    }
    const active = vscode.window.activeTextEditor?.document;
    const own = active?.languageId === "seep" ? vscode.workspace.getWorkspaceFolder(active.uri) : undefined;
    if (active !== undefined && own?.uri.scheme === "file") {
      tasks.push(...this.task({ type: TYPE, files: ["${file}"] }, own, "check this program"));
    }
    return tasks;
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition as Definition;
    const folder = task.scope;
    return typeof folder === "object" ? this.task(definition, folder, task.name)[0] : undefined;
  }

  private task(definition: Definition, folder: vscode.WorkspaceFolder, name: string): vscode.Task[] {
    const server = this.client.server;
    if (server === undefined) {
      return [];
    }
    const command = commandLineOf(server.command, process.platform);
    const execution = new vscode.ProcessExecution(command, ["check", ...(definition.files ?? ["${file}"])], {
      cwd: folder.uri.fsPath,
    });
    const task = new vscode.Task(definition, folder, name, "seepage", execution, MATCHER);
    task.group = vscode.TaskGroup.Test;
    return [task];
  }
}
