import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { test } from "node:test";
import { loadWASM, OnigScanner, OnigString } from "vscode-oniguruma";
import { type IGrammar, INITIAL, parseRawGrammar, Registry } from "vscode-textmate";

const ROOT = process.cwd();
const GRAMMAR = path.join(ROOT, "syntaxes", "seep.tmLanguage.json");

async function load(): Promise<IGrammar> {
  const wasm = createRequire(path.join(ROOT, "package.json")).resolve("vscode-oniguruma/release/onig.wasm");
  await loadWASM(readFileSync(wasm));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: () => Promise.resolve(parseRawGrammar(readFileSync(GRAMMAR, "utf8"), GRAMMAR)),
  });
  const grammar = await registry.loadGrammar("source.seep");
  assert.ok(grammar);
  return grammar;
}

const loaded = load();

/** The innermost scope of each token with letters, digits or marks in it. */
async function scopes(...lines: string[]): Promise<[string, string][]> {
  const grammar = await loaded;
  const found: [string, string][] = [];
  let stack = INITIAL;
  for (const line of lines) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const token of tokens) {
      const text = line.slice(token.startIndex, token.endIndex).trim();
      if (text !== "") {
        found.push([text, token.scopes.at(-1)?.replace(/\.seep$/, "") ?? ""]);
      }
    }
  }
  return found;
}

test("declarations, numbers and units", async () => {
  assert.deepEqual(await scopes("param eps in [0, 1e-3] = 0.5"), [
    ["param", "storage.type"],
    ["eps", "variable.other.constant"],
    ["in", "keyword.control"],
    ["[", "source"],
    ["0", "constant.numeric"],
    [",", "punctuation.separator"],
    ["1e-3", "constant.numeric"],
    ["]", "source"],
    ["=", "keyword.operator"],
    ["0.5", "constant.numeric"],
  ]);
});

test("a measure is one by its position only", async () => {
  const found = await scopes("show H(I | o) in nats");
  assert.deepEqual(
    found.filter(([text]) => text === "H" || text === "I"),
    [
      ["H", "support.function.measure"],
      ["I", "variable.other"],
    ],
  );
});

test("a distribution is one by its position only", async () => {
  assert.deepEqual((await scopes("normal ~ normal(0, 1)")).slice(0, 3), [
    ["normal", "variable.other"],
    ["~", "keyword.operator.assignment"],
    ["normal", "entity.name.function.distribution"],
  ]);
});

test("block comments nest, over lines", async () => {
  const found = await scopes("/* a /* b", "*/ c */ skip");
  assert.deepEqual(found.at(-1), ["skip", "keyword.control"]);
  assert.ok(found.some(([text, scope]) => text === "c" && scope === "comment.block"));
});

test("documentation is told from other comments", async () => {
  assert.deepEqual((await scopes("/// why"))[1], ["why", "comment.line.documentation"]);
  assert.deepEqual((await scopes("// why"))[1], ["why", "comment.line.double-slash"]);
});

test("names of any script are names, also where a keyword is a part of them", async () => {
  assert.deepEqual(
    (await scopes("ε := iffy + forμ")).filter(([, scope]) => scope.startsWith("variable")).map(([text]) => text),
    ["ε", "iffy", "forμ"],
  );
});

test("words that are keywords where they stand only", async () => {
  const found = await scopes(
    "def noisy(x) { n ~ flip(1/2) given x > 0 return n }",
    "enum colour { red }",
    'table people from "a.csv" weight w',
    "repeat { r ~ flip(1/2) } until r == 1",
    "attacker q in 0..7",
    "def := 1",
    "given ~ flip(1/2)",
    "weight := given + 1",
  );
  const wanted: [string, string][] = [
    ["def", "storage.type"],
    ["noisy", "entity.name.function"],
    ["given", "keyword.control"],
    ["enum", "storage.type"],
    ["colour", "entity.name.type"],
    ["table", "storage.type"],
    ["people", "entity.name.type"],
    ["from", "keyword.control"],
    ["weight", "keyword.control"],
    ["repeat", "keyword.control"],
    ["until", "keyword.control"],
    ["attacker", "keyword.control"],
    ["def", "variable.other"],
    ["given", "variable.other"],
    ["weight", "variable.other"],
    ["given", "variable.other"],
  ];
  const words = new Set(wanted.map(([word]) => word));
  assert.deepEqual(
    found.filter(([word]) => words.has(word)),
    wanted,
  );
});
