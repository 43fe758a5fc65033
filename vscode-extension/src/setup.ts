/** Sets up the server that came with the extension, where the user sees it happen. */

import * as vscode from "vscode";
import { build, bundledWheel, readInstalled, wheelId } from "./environment";
import type { Problem } from "./problems";
import { findPython } from "./python";
import { run } from "./run";
import { lookAround, storage } from "./surroundings";

/** Make an environment with the server in it. Answers with what is in the way, or undefined if all went well or was cancelled. */
export async function setUp(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  title = "Seepage",
): Promise<Problem | "cancelled" | undefined> {
  const wheel = bundledWheel(context.extensionPath);
  if (wheel === undefined) {
    return { kind: "noWheel" };
  }
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    progress.report({ message: "looking for Python" });
    const found = await findPython(await lookAround(context), run);
    if (found.kind !== "python") {
      return found;
    }
    log.info(`set-up with Python ${found.python.version.join(".")} ('${found.python.command}')`);
    const stop = new AbortController();
    token.onCancellationRequested(() => {
      stop.abort();
    });
    const built = await build({
      python: found.python,
      wheel,
      storage: storage(context),
      run,
      log: (line) => {
        log.info(line);
      },
      report: (message) => {
        progress.report({ message });
      },
      signal: stop.signal,
      platform: process.platform,
    });
    switch (built.kind) {
      case "built":
        return undefined;
      case "failed":
        return built.failure === "cancelled" ? "cancelled" : { kind: "setUpFailed", failure: built.failure };
    }
  });
}

/** Whether the extension's own environment was made from another wheel than the one that it carries now. */
export function isOutdated(context: vscode.ExtensionContext): boolean {
  const wheel = bundledWheel(context.extensionPath);
  const installed = readInstalled(storage(context));
  return wheel !== undefined && installed !== undefined && installed.wheel !== wheelId(wheel);
}
