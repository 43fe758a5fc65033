/** The page of *Show Setup Information*. */

import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Client } from "./client";
import { DOCTOR, readInstalled } from "./environment";
import { advise } from "./problems";
import { run } from "./run";
import { commandLineOf } from "./server";
import { isOutdated } from "./setup";
import { localFolders, selectedInterpreter, storage } from "./surroundings";

const PATIENCE = 60_000;
const ORIGINS = {
  setting: "the settings",
  workspace: "'.venv' of the workspace",
  interpreter: "the interpreter selected in the Python extension",
  path: "PATH",
  installed: "the extension's own environment",
};

export async function setUpReport(context: vscode.ExtensionContext, client: Client): Promise<string> {
  const { server, connection, obstacle } = client;
  const told = connection?.initializeResult?.serverInfo;
  const version = String((context.extension.packageJSON as { version: unknown }).version);
  const lines = [
    "# Seepage: set-up",
    "",
    `* extension: ${version}`,
    `* editor: ${vscode.env.appName} ${vscode.version}, ${os.platform()} ${os.arch()}`,
    `* workspace: ${vscode.workspace.isTrusted ? "trusted" : "not trusted"}, folders on this machine: ${String(localFolders().length)}`,
    `* language server: ${server === undefined ? "none" : `${server.command}, from ${ORIGINS[server.origin]}`}`,
    `* it says: ${told === undefined ? "nothing, it is not running" : `${told.name} ${told.version ?? ""}`}`,
    `* the extension's own environment: ${ownEnvironment(context)}`,
    `* Python extension: ${(await selectedInterpreter()) ?? "not installed, or no interpreter selected"}`,
    ...(obstacle === undefined ? [] : [`* in the way: ${advise(obstacle).message}`]),
    "",
    "## Examination",
    "",
    ...(server === undefined ? ["There is no server to examine."] : await examination(server.command)),
    "",
  ];
  return lines.join("\n");
}

function ownEnvironment(context: vscode.ExtensionContext): string {
  const own = readInstalled(storage(context));
  return own === undefined
    ? "none"
    : `${path.join(storage(context), own.folder)}, ${isOutdated(context) ? "older than the extension" : "up to date"}`;
}

async function examination(server: string): Promise<readonly string[]> {
  const command = commandLineOf(server, process.platform);
  const { code, output } = await run(command, DOCTOR, { timeout: PATIENCE, cwd: path.dirname(command) });
  return [
    "```json",
    output.trim(),
    "```",
    "",
    `'${[command, ...DOCTOR].join(" ")}' ended with ${String(code ?? "nothing")}.`,
  ];
}
