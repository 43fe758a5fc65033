/** Installs the language server that came with the extension into an environment of the extension's own. */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { pythonIn, suppliedByWorkspace } from "./server";
import { lookAround, ownEnvironment } from "./surroundings";

const OLDEST = "3.11";
const run = promisify(execFile);

/** Make the environment in a task that the user sees; returns whether the server is installed afterwards. */
export async function installServer(context: vscode.ExtensionContext): Promise<boolean> {
  const wheel = bundledWheel(context);
  if (wheel === undefined) {
    void vscode.window.showErrorMessage("Seepage: this build of the extension carries no language server.");
    return false;
  }
  const python = await suitablePython(context);
  if (python === undefined) {
    void vscode.window.showErrorMessage(
      `Seepage: no Python ${OLDEST} or newer was found. Install one, or select one in the Python extension, and try again.`,
    );
    return false;
  }
  const environment = ownEnvironment(context);
  fs.mkdirSync(path.dirname(environment), { recursive: true });
  const steps: readonly (readonly [string, readonly string[]])[] = [
    // -I: neither the open folder nor the environment's variables may put modules of their own in the way.
    [python, ["-I", "-m", "venv", "--clear", environment]],
    [pythonIn(environment, process.platform), ["-I", "-m", "pip", "install", wheel]],
  ];
  for (const [command, args] of steps) {
    if ((await runTask(command, args, path.dirname(environment))) !== 0) {
      void vscode.window.showErrorMessage("Seepage: the installation failed; the terminal shows why.");
      return false;
    }
  }
  return true;
}

function bundledWheel(context: vscode.ExtensionContext): string | undefined {
  const directory = context.asAbsolutePath("server");
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
  const wheel = names.find((name) => name.endsWith(".whl"));
  return wheel === undefined ? undefined : path.join(directory, wheel);
}

/** The selected interpreter, or the first on PATH, that is new enough. A workspace that is not trusted supplies none. */
async function suitablePython(context: vscode.ExtensionContext): Promise<string | undefined> {
  const around = await lookAround(context);
  const selected = around.interpreter;
  const usable = selected !== undefined && (around.trusted || !suppliedByWorkspace(selected, around));
  const named = process.platform === "win32" ? ["py", "python"] : ["python3", "python3.13", "python3.12", "python3.11"];
  for (const python of usable ? [selected, ...named] : named) {
    if (await isNewEnough(python)) {
      return python;
    }
  }
  return undefined;
}

async function isNewEnough(python: string): Promise<boolean> {
  const [major, minor] = OLDEST.split(".");
  const question = `import sys, venv; sys.exit(sys.version_info < (${String(major)}, ${String(minor)}))`;
  try {
    await run(python, ["-I", "-c", question], { timeout: 10_000 });
    return true;
  } catch {
    return false; // not there, too old, or without venv
  }
}

async function runTask(command: string, args: readonly string[], cwd: string): Promise<number | undefined> {
  const task = new vscode.Task(
    { type: "seepage-install" },
    vscode.TaskScope.Global,
    "Install language server",
    "Seepage",
    new vscode.ProcessExecution(command, [...args], { cwd }),
  );
  const ended = new Promise<number | undefined>((resolve) => {
    const listener = vscode.tasks.onDidEndTaskProcess((event) => {
      if (event.execution.task.definition.type === "seepage-install") {
        listener.dispose();
        resolve(event.exitCode);
      }
    });
  });
  await vscode.tasks.executeTask(task);
  return ended;
}
