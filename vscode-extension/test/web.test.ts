import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

test("in a browser, one message says why there is no analysis, and nothing of Node is asked for", () => {
  const said: string[] = [];
  const item: Record<string, unknown> = {};
  const answers = new Map<string, () => Promise<void>>();
  const vscode = {
    languages: { createLanguageStatusItem: () => item },
    commands: { registerCommand: (name: string, answer: () => Promise<void>) => answers.set(name, answer) },
    LanguageStatusSeverity: { Warning: 1 },
    window: {
      showInformationMessage: (message: string) => {
        said.push(message);
        return Promise.resolve(undefined);
      },
    },
  };
  const module = { exports: {} as { activate: (context: unknown) => void } };
  const require = (name: string): unknown => {
    assert.equal(name, "vscode");
    return vscode;
  };
  runInNewContext(readFileSync("out/web.js", "utf8"), { module, exports: module.exports, require });
  const packageJSON = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
  module.exports.activate({ subscriptions: [], extension: { packageJSON } });
  assert.equal(said.length, 1);
  assert.match(said[0] ?? "", /highlighted but not analysed/);
  assert.equal(item["text"], "Seepage: no analysis");
  for (const { command } of packageJSON.contributes.commands) {
    void answers.get(command)?.();
  }
  assert.equal(said.length, 1 + packageJSON.contributes.commands.length, "each command answers");
});
