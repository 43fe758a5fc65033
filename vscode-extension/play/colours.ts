/** Colours while typing, from the grammar that VS Code has; the language server adds what names mean. */

import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import brackets from "../language-configuration.json";
import grammar from "../syntaxes/seep.tmLanguage.json";

interface Pattern {
  readonly include?: string;
  readonly name?: string;
  readonly match?: string;
  readonly captures?: Readonly<Record<string, { readonly name: string }>>;
  readonly patterns?: readonly Pattern[];
}

interface Rule {
  readonly pattern: RegExp;
  /** What stands at the start of a match: its first group, or all of it. */
  readonly token: string | null;
  readonly grouped: boolean;
}

/** Scopes of the grammar by how they begin, and the tags of the editor. */
const TOKENS: readonly (readonly [string, string])[] = [
  ["keyword.operator.logical", "keyword"],
  ["keyword.operator", "operator"],
  ["keyword", "keyword"],
  ["storage", "keyword"],
  ["constant.numeric", "number"],
  ["constant.language", "atom"],
  ["string", "string"],
  ["entity.name.function.distribution", "typeName"],
  ["support.function", "macroName"],
];
const COMMENT = "comment";

function tokenOf(scope: string): string | null {
  return TOKENS.find(([start]) => scope.startsWith(start))?.[1] ?? null;
}

function* rules(patterns: readonly Pattern[]): Generator<Rule> {
  const repository = grammar.repository as Readonly<Record<string, Pattern>>;
  for (const pattern of patterns) {
    const included = pattern.include === undefined ? undefined : repository[pattern.include.slice(1)];
    if (pattern.include === "#comments") {
      continue; // nest, which no pattern says
    } else if (included !== undefined) {
      yield* rules([included]);
    } else if (pattern.match !== undefined) {
      const scope = pattern.captures?.["1"]?.name ?? pattern.name ?? "";
      yield {
        pattern: new RegExp(pattern.match, "uy"),
        token: tokenOf(scope),
        grouped: pattern.captures !== undefined,
      };
    } else {
      yield* rules(pattern.patterns ?? []);
    }
  }
}

const RULES: readonly Rule[] = [...rules(grammar.patterns)];

function token(stream: StringStream, state: { depth: number }): string | null {
  if (state.depth > 0 || stream.match("/*")) {
    state.depth ||= 1;
    while (!stream.eol() && state.depth > 0) {
      if (stream.match("*/")) {
        state.depth -= 1;
      } else if (stream.match("/*")) {
        state.depth += 1;
      } else {
        stream.next();
      }
    }
    return COMMENT;
  }
  if (stream.match("//")) {
    stream.skipToEnd();
    return COMMENT;
  }
  for (const rule of RULES) {
    rule.pattern.lastIndex = stream.pos;
    const found = rule.pattern.exec(stream.string);
    if (found !== null && found[0] !== "") {
      const first = found[1] ?? "";
      stream.pos += rule.grouped ? found[0].indexOf(first) + first.length : found[0].length;
      return rule.token;
    }
  }
  stream.next();
  return null;
}

const language = StreamLanguage.define<{ depth: number }>({
  name: "seep",
  startState: () => ({ depth: 0 }),
  token,
  languageData: {
    commentTokens: {
      line: brackets.comments.lineComment,
      block: { open: brackets.comments.blockComment[0], close: brackets.comments.blockComment[1] },
    },
    closeBrackets: { brackets: ["(", "[", "{"] },
  },
});

const style = HighlightStyle.define([
  { tag: tags.keyword, class: "t-keyword" },
  { tag: [tags.number, tags.atom], class: "t-number" },
  { tag: tags.comment, class: "t-comment" },
  { tag: tags.string, class: "t-string" },
  { tag: [tags.typeName, tags.macroName], class: "t-function" },
]);

export const colours: Extension = [language, syntaxHighlighting(style)];
