/** Looks around this machine and this window for what the search in `server.ts` depends on. */

import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Surroundings } from "./server";
import { serverPath } from "./settings";

/** Where "Install Language Server" puts its environment. */
export function ownEnvironment(context: vscode.ExtensionContext): string {
  return path.join(context.globalStorageUri.fsPath, "environment");
}

export async function lookAround(context: vscode.ExtensionContext): Promise<Surroundings> {
  const setting = serverPath();
  return {
    platform: process.platform,
    trusted: vscode.workspace.isTrusted,
    folders: localFolders(),
    userSetting: setting.user,
    workspaceSetting: setting.workspace,
    interpreter: await selectedInterpreter(),
    searchPath: process.env["PATH"] ?? "",
    home: os.homedir(),
    ownEnvironment: ownEnvironment(context),
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

/** What the Python extension says of itself, as far as it is used here. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: { readonly path: string }): Promise<Resolved | undefined>;
  };
}
interface Resolved {
  readonly executable: { readonly uri?: vscode.Uri };
}

/** The interpreter selected in the Python extension, if that extension is installed. */
export async function selectedInterpreter(): Promise<string | undefined> {
  const python = vscode.extensions.getExtension<PythonApi | undefined>("ms-python.python");
  if (python === undefined) {
    return undefined;
  }
  try {
    const api = python.isActive ? python.exports : await python.activate();
    const environments = api?.environments;
    if (environments === undefined) {
      return undefined;
    }
    const active = environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    return (await environments.resolveEnvironment(active))?.executable.uri?.fsPath;
  } catch {
    return undefined; // another extension's failure must not keep the server from starting
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
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}
