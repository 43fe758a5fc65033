/** The server's command to analyse a program, whoever asks for it. */

import type { LanguageClient } from "vscode-languageclient/node";

/** Have the server analyse an open program now; ends with the analysis. */
export async function analyseIn(connection: LanguageClient, uri: string): Promise<void> {
  await connection.sendRequest("workspace/executeCommand", { command: "seepage.analyze", arguments: [uri] });
}
