/** What the language server sends the panel; the requests stand in docs/lsp-extensions.md. */

/** A number as JSON can carry it; one that is too small or too large for doubles is written out, as `1.2e-345`. */
export type Wire = number | "inf" | "-inf" | Written;
export type Written = `${number}e${number}`;

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export type Certainty = "exact" | "certified" | "approximate";
export type State = "current" | "stale" | "computing" | "failed" | "timed out" | "none" | "errors";

/** An enclosure: the true value lies between `lower` and `upper`; `value` is null where no single number is to be quoted. */
export interface Bounds {
  readonly lower: Wire;
  readonly value: Wire | null;
  readonly upper: Wire;
}

export interface Because {
  readonly code: string;
  readonly message: string;
  /** Counted from 1, as people do. */
  readonly line: number;
  readonly column: number;
}

export interface Companion extends Bounds {
  readonly name: string;
  readonly unit: string;
}

/** What is left to learn about a secret: bits, the chance to guess it, what it is where one value is left, and what it is among where that is quickly told. */
export interface Left {
  readonly bits: number;
  readonly guess: number;
  readonly value: string;
  readonly among: string;
}

/** What is seen after a choice, how likely, and what is chosen then; null at an end. */
export interface Seen {
  readonly text: string;
  readonly seen: Readonly<Record<string, string>>;
  readonly chance: number;
  readonly left: Left | null;
  readonly then: Chosen | null;
}

export interface Chosen {
  readonly choose: Readonly<Record<string, string>>;
  /** The question that is answered with yes or no then; empty where what is seen is another thing. */
  readonly asks: string;
  readonly answers: readonly Seen[];
}

/** What an attacker does best who has to choose all at once. */
export interface Beforehand {
  readonly choose: Readonly<Record<string, string>>;
  readonly value: number;
  readonly unit: string;
  readonly left: Left | null;
}

/** What an attacker does who chooses. */
export interface Strategy {
  readonly text: string;
  readonly how: string;
  readonly decided: boolean;
  /** Why other strategies were not looked at; empty where all were. */
  readonly onlyBounds: string;
  /** The declared secret that is told of; empty where none is. */
  readonly secret: string;
  /** The choices as assignments that can stand in their place; empty where they are long. */
  readonly statements: readonly string[];
  /** What it is the best one for, where that is another measure than the number's; empty elsewhere. */
  readonly measure: string;
  readonly beforehand: Beforehand | null;
  readonly start: readonly Seen[];
}

export interface Result extends Bounds {
  readonly measure: string;
  readonly unit: string;
  /** Whether the value is that of normal distributions in place of the exact law. */
  readonly estimated: boolean;
  readonly certainty: Certainty;
  readonly engine: string;
  readonly formula: string | null;
  readonly latex: string | null;
  readonly mathml: string | null;
  readonly definitions: readonly string[];
  readonly conditions: readonly string[];
  readonly because: readonly Because[];
  readonly params: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly notes: readonly string[];
  readonly witness: string;
  readonly companions: readonly Companion[];
  /** Where an attacker chooses: the strategy that the number belongs to, or without a direction the least and the largest number. */
  readonly strategy?: Strategy;
  readonly minimum?: Result;
  readonly maximum?: Result;
}

export interface Parameter {
  readonly name: string;
  readonly documentation: string | null;
  readonly domain: string;
  readonly low: Wire;
  readonly high: Wire;
  readonly lowOpen: boolean;
  readonly highOpen: boolean;
  readonly integer: boolean;
  /** Null: none is given, and one must be set. */
  readonly default: string | null;
  /** The value in force: the default, or the one in the settings. */
  readonly value: Wire | null;
  readonly overridden: boolean;
  /** Those that depend on it, of what the program asks; null where that is not known. */
  readonly measures: readonly string[] | null;
  readonly range: Range;
  /** The only values, as source text from least to greatest, for which there are answers beside the one in force; absent where a server answers any. */
  readonly stops?: readonly string[];
}

export interface Row {
  readonly secret: string;
  readonly output: string;
  readonly headline: boolean;
  readonly information: Result | null;
  readonly percent: Result | null;
  readonly worst: { readonly output: string; readonly divergence: Result } | null;
  readonly least_left: { readonly output: string; readonly entropy: Result } | null;
  readonly guess_before: Result | null;
  readonly guess_after: Result | null;
  readonly note: string;
  readonly secretRange: Range | null;
  readonly outputRange: Range | null;
}

/** The worst case of a row at other values of the parameters. */
export type Worst = Pick<Row, "worst" | "least_left" | "note">;

export interface Answer {
  readonly kind: "show" | "require";
  readonly text: string;
  readonly source: string;
  /** The measure alone: of a budget, the left side. */
  readonly measure: string;
  readonly unit: string | null;
  readonly range: Range;
  readonly verdict: "holds" | "violated" | "cannot tell" | null;
  readonly budget: Wire | null;
  readonly over: string | null;
  readonly worst: string | null;
  readonly result: Result | null;
  readonly error: string | null;
}

export interface Variable {
  readonly name: string;
  readonly role: "secret" | "output" | "variable";
  readonly range: Range;
}

export interface Results {
  readonly uri: string;
  readonly version: number | null;
  readonly current: boolean;
  readonly state: State;
  readonly message: string | null;
  /** The most that a number is shown with; null or absent for as many as its place has room for. */
  readonly digits?: number | null;
  readonly engine: string | null;
  /** What that way is, in words. */
  readonly engineSentence: string | null;
  readonly certainty: Certainty | null;
  readonly seconds: number;
  readonly parameters: readonly Parameter[];
  readonly table: readonly Row[];
  readonly answers: readonly Answer[];
  readonly variables: readonly Variable[];
  /** Whether all answers were kept beforehand, so that there is nobody to ask anything else. */
  readonly kept?: boolean;
  /** What differs from the last commit; null or absent where nothing does, or that is not known. */
  readonly changes?: Changes | null;
}

export interface MeasureChange {
  readonly measure: string;
  readonly told: string;
  readonly direction: "grew" | "shrank" | "unchanged" | "not told" | "new" | "gone";
  readonly worse: boolean;
}

export interface BudgetChange {
  readonly budget: string;
  readonly told: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly worse: boolean;
  readonly measure: MeasureChange;
}

/** What differs from a revision, as `seepage diff --format json` has it. */
export interface Changes {
  readonly revision: string;
  readonly commit: string;
  readonly worse: boolean;
  readonly measures: readonly MeasureChange[];
  readonly budgets: readonly BudgetChange[];
  readonly errors: readonly string[];
  /** What holds for every prior and every gain, and the lines that show it. */
  readonly orders: readonly { readonly told: string; readonly order: string; readonly shown: readonly string[] }[];
}

/** What a statement does to a measure. */
export interface StatementTold {
  readonly text: string;
  readonly told: string;
  /** The least and the greatest that the measure may be with the statement changed. */
  readonly without: { readonly lower: Wire; readonly upper: Wire } | null;
  readonly falls: Wire;
  readonly rises: Wire;
  readonly note: string | null;
  readonly range: Range | null;
}

export interface Where {
  readonly version: number | null;
  readonly measure: string;
  readonly result: Result;
  readonly note: string;
  readonly statements: readonly StatementTold[];
}

/** Values of a parameter from one to another, and what is proved of the budgets there. */
export interface Segment {
  readonly low: number;
  readonly high: number;
  readonly lowText: string;
  readonly highText: string;
  readonly told: "holds" | "violated" | "not told";
}

export interface Segments {
  readonly version: number | null;
  readonly parameter: string;
  readonly segments: readonly Segment[];
}

export interface Measured {
  readonly version: number | null;
  readonly result: Result;
}

export interface Axis {
  readonly parameter: string;
  readonly values: readonly number[];
}

/** A number of a plot, or why there is none. */
export type Point =
  | (Bounds & { readonly certainty: Certainty; readonly fault: null })
  | {
      readonly lower: null;
      readonly value: null;
      readonly upper: null;
      readonly certainty: null;
      readonly fault: string;
    };

export interface Plot {
  readonly version: number | null;
  readonly unit: string;
  readonly axes: readonly Axis[];
  readonly points?: readonly Point[];
  readonly rows?: readonly (readonly Point[])[];
}

export interface DerivationLine {
  readonly kind: "expectation" | "statement" | "why" | "conclusion";
  readonly text: string;
  readonly mathml: string | null;
  readonly depth: number;
  readonly range: Range | null;
  /** How many of the following lines belong under this one. */
  readonly folds: number;
}

export interface Explanation {
  readonly version: number | null;
  readonly title: string;
  readonly sections: readonly { readonly title: string; readonly lines: readonly DerivationLine[] }[];
  readonly markdown: string;
  readonly latex: string;
  readonly text: string;
}

export interface Chance {
  readonly value: string;
  readonly probability: Bounds;
}

export interface Posterior {
  readonly version: number | null;
  readonly prior: readonly Chance[];
  readonly outputs: readonly (Chance & { readonly posterior: readonly Chance[] })[];
  readonly note: string | null;
}

/** The number that was sent; what is no number is NaN, which is never shown as one. */
export function real(wire: Wire | null): number {
  if (wire === "inf") {
    return Infinity;
  }
  if (wire === "-inf") {
    return -Infinity;
  }
  return wire === null ? NaN : Number(wire);
}
