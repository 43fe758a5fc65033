import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

test("in a browser, one message says why there is no analysis, and nothing of Node is asked for", () => {
  const said: string[] = [];
  const item: Record<string, unknown> = {};
  const vscode = {
    languages: { createLanguageStatusItem: () => item },
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
  module.exports.activate({ subscriptions: [] });
  assert.equal(said.length, 1);
  assert.match(said[0] ?? "", /highlighted but not analysed/);
  assert.equal(item["text"], "Seepage: no analysis");
});
