// Prints the words of programs with their innermost scopes by the TextMate grammar, as JSON: tokenize.mjs EXTENSION FILE…
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [extension, ...files] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(extension), "package.json"));
const { loadWASM, OnigScanner, OnigString } = require("vscode-oniguruma");
const { INITIAL, parseRawGrammar, Registry } = require("vscode-textmate");

await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
const SYNTAXES = { "source.seep": "seep.tmLanguage.json", "markdown.seep.codeblock": "markdown.tmLanguage.json" };
// What VS Code's own grammar of Markdown has in common with this one is its name, which is all that an injection asks for.
const MARKDOWN = { scopeName: "text.html.markdown", patterns: [{ match: "^#.*", name: "markup.heading.markdown" }], repository: {} };
const grammarOf = (scope) => {
  if (scope === MARKDOWN.scopeName) return MARKDOWN;
  const file = path.join(extension, "syntaxes", SYNTAXES[scope]);
  return parseRawGrammar(readFileSync(file, "utf8"), file);
};
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new OnigScanner(patterns),
    createOnigString: (text) => new OnigString(text),
  }),
  loadGrammar: async (scope) => grammarOf(scope),
  getInjections: (scope) => (scope === MARKDOWN.scopeName ? ["markdown.seep.codeblock"] : []),
});

const found = {};
for (const file of files) {
  const grammar = await registry.loadGrammar(file.endsWith(".md") ? MARKDOWN.scopeName : "source.seep");
  let stack = INITIAL;
  found[file] = readFileSync(file, "utf8").split("\n").map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    // Columns in code points, as Python counts them.
    const column = (unit) => [...line.slice(0, unit)].length;
    return tokens.map((token) => [column(token.startIndex), column(token.endIndex), token.scopes.at(-1)]);
  });
}
process.stdout.write(JSON.stringify(found));
