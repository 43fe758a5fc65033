/** Looks around this machine and this window for what the search in `server.ts` depends on. */

import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { readInstalled } from "./environment";
import { expand, type Surroundings } from "./server";
import { pathSetting } from "./settings";

/** The folder of this machine in which the extension keeps environments of its own. */
export function storage(context: vscode.ExtensionContext): string {
  return context.globalStorageUri.fsPath;
}

export async function lookAround(context: vscode.ExtensionContext): Promise<Surroundings> {
  const setting = pathSetting("server.path");
  const own = readInstalled(storage(context));
  const place = { platform: process.platform, folders: localFolders(), home: os.homedir() };
  const trusted = vscode.workspace.isTrusted;
  const python = pathSetting("server.python");
  const pythonSetting = (trusted && python.workspace.trim()) || python.user.trim();
  return {
    ...place,
    trusted,
    userSetting: setting.user,
    workspaceSetting: setting.workspace,
    pythonSetting: pythonSetting === "" ? "" : expand(pythonSetting, place),
    interpreter: await selectedInterpreter(),
    searchPath: process.env["PATH"] ?? "",
    ownEnvironment: own && path.join(storage(context), own.folder),
    isExecutable,
    realPath,
  };
}

/** The workspace's folders on this machine; a virtual workspace has none. */
export function localFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === "file")
    .map((folder) => folder.uri.fsPath);
}

const PATIENCE = 10_000;

/** What the Python extension says of itself, as far as it is used here. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    readonly onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
    resolveEnvironment(environment: { readonly path: string }): Promise<Resolved | undefined>;
  };
}
interface Resolved {
  readonly executable: { readonly uri?: vscode.Uri };
}

/** The interpreter selected in the Python extension, if that extension is installed. */
export async function selectedInterpreter(): Promise<string | undefined> {
  try {
    const environments = (await pythonApi())?.environments;
    if (environments === undefined) {
      return undefined;
    }
    const active = environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    return (await environments.resolveEnvironment(active))?.executable.uri?.fsPath;
  } catch {
    return undefined; // another extension's failure must not keep the server from starting
  }
}

/** Hear whenever another interpreter is chosen in the Python extension, if that extension is installed. */
export async function onInterpreterChosen(listener: () => unknown): Promise<vscode.Disposable | undefined> {
  try {
    return (await pythonApi())?.environments?.onDidChangeActiveEnvironmentPath?.(listener);
  } catch {
    return undefined; // its failure is told where the interpreter is asked for: there is none
  }
}

async function pythonApi(): Promise<PythonApi | undefined> {
  const python = vscode.extensions.getExtension<PythonApi | undefined>("ms-python.python");
  return python?.isActive === false ? within(PATIENCE, python.activate()) : python?.exports;
}

/** What is promised, or undefined where it takes longer than so many milliseconds: nobody waits for a stuck extension. */
async function within<T>(milliseconds: number, promised: PromiseLike<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, milliseconds);
  });
  try {
    return await Promise.race([promised, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function realPath(file: string): string {
  try {
    return fs.realpathSync.native(file); // in the case of letters that the disk has, where it takes any
  } catch {
    return file;
  }
}
