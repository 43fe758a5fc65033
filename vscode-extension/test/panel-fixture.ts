/** A program with its answers, as the server sends them, for tests of the panel. */

import type {
  Answer,
  Explanation,
  Parameter,
  Point,
  Plot,
  Posterior,
  Range,
  Result,
  Results,
  Row,
} from "../panel/contract";
import { EMPTY, type Model } from "../panel/model";
import type { Message } from "../panel/message";
import { type Effect, update } from "../panel/update";
import type { Node } from "../panel/tree";
import { CURVE, MAP, numberSlot, type Want } from "../panel/wants";

export const URI = "file:///work/a%20b/poll.seep";

export function line(number: number): Range {
  return { start: { line: number, character: 0 }, end: { line: number, character: 9 } };
}

export function result(measure: string, value: number, more: Partial<Result> = {}): Result {
  return {
    measure,
    unit: "bits",
    value,
    lower: value,
    upper: value,
    estimated: false,
    certainty: "exact",
    engine: "discrete",
    formula: null,
    latex: null,
    mathml: null,
    definitions: [],
    conditions: [],
    because: [],
    params: {},
    seconds: 0.01,
    notes: [],
    witness: "",
    companions: [],
    ...more,
  };
}

export function parameter(name: string, more: Partial<Parameter> = {}): Parameter {
  return {
    name,
    documentation: null,
    domain: "[0, 10]",
    low: 0,
    high: 10,
    lowOpen: false,
    highOpen: false,
    integer: false,
    default: "1",
    value: 1,
    overridden: false,
    measures: null,
    range: line(0),
    ...more,
  };
}

export const ROW: Row = {
  secret: "r",
  output: "o",
  headline: true,
  information: result("I(r; o)", 0.16, { formula: "h(p) − h(q)", latex: "h(p) - h(q)" }),
  percent: result("100 * I(r; o) / H(r)", 16, { unit: "" }),
  worst: { output: "o = 1", divergence: result("KL(r | o == 1 || r)", 0.16) },
  least_left: null,
  guess_before: result("V(r)", 0.5, { unit: "" }),
  guess_after: result("V(r | o)", 0.73, { unit: "" }),
  note: "",
  secretRange: line(3),
  outputRange: line(4),
};

export const SHOW: Answer = {
  kind: "show",
  text: "H(r | o)",
  source: "H(r | o)",
  measure: "H(r | o)",
  unit: "bits",
  range: line(10),
  verdict: null,
  budget: null,
  over: null,
  worst: null,
  result: result("H(r | o)", 0.84, {
    certainty: "approximate",
    because: [{ code: "SEEP401", message: "a product of random values", line: 7, column: 3 }],
  }),
  error: null,
};

export const REQUIRE: Answer = {
  ...SHOW,
  kind: "require",
  text: "I(r; o) <= 0.3 bits",
  source: "I(r; o)",
  measure: "I(r; o)",
  range: line(11),
  verdict: "violated",
  budget: 0.3,
  over: "eps in 0 to 1",
  worst: "eps = 1",
  result: result("I(r; o)", 0.4),
};

export const RESULTS: Results = {
  uri: URI,
  version: 3,
  current: true,
  state: "current",
  message: null,
  engine: "discrete",
  engineSentence: "the exact law of discrete variables",
  certainty: "exact",
  seconds: 0.038,
  parameters: [parameter("p", { domain: "[0, 1]", high: 1, default: "1/2", value: 0.5 }), parameter("eps")],
  table: [ROW],
  answers: [SHOW, REQUIRE],
  variables: [],
};

export function point(value: number): Point {
  return { lower: value - 0.01, value, upper: value + 0.01, certainty: "certified", fault: null };
}

export const CURVE_OF_EPS: Plot = {
  version: 3,
  unit: "bits",
  axes: [{ parameter: "eps", values: [0, 5, 10] }],
  points: [point(0), { lower: null, value: null, upper: null, certainty: null, fault: "no run passes" }, point(0.9)],
};

export const MAP_OF_BOTH: Plot = {
  version: 3,
  unit: "bits",
  axes: [
    { parameter: "p", values: [0, 1] },
    { parameter: "eps", values: [0, 5, 10] },
  ],
  rows: [
    [point(0), point(0.1), point(0.2)],
    [point(0.5), point(0.6), point(1)],
  ],
};

/** The panel after some events. */
export function after(...messages: readonly Message[]): Model {
  return messages.reduce((model, message) => update(model, message).model, EMPTY);
}

/** The panel with the program above. */
export function withResults(results: Results = RESULTS, ...messages: readonly Message[]): Model {
  return after({ is: "document", uri: URI, name: "poll.seep" }, { is: "results", uri: URI, results }, ...messages);
}

/** What is folded at first. */
export const UNFOLD: readonly Message[] = ["where", "posterior", "derivation", "pair r through o"].map((what) => ({
  is: "open",
  what,
  open: true,
}));

/** What is asked for after an event. */
export function asked(model: Model, message: Message): readonly Want[] {
  const effect = update(model, message).effects.find((each: Effect) => each.do === "ask");
  return effect?.do === "ask" ? effect.wants : [];
}

/** The answer to what a place waits for. */
export function answer(model: Model, slot: string, value: unknown, seconds = 100): Message {
  const { key, base, subject } = model.slots[slot] ?? { key: "", base: "", subject: "" };
  return { is: "answer", slot, key, base, subject, value, seconds };
}

/** Where the number of a measure in bits, or of one without a unit, is shown. */
export function place(measure: string): string {
  return numberSlot(measure, /^(V|DP|100)/.test(measure) ? "" : "bits");
}

/** How a measure comes about, with a statement that folds. */
export const EXPLANATION: Explanation = {
  version: 3,
  title: "I(r; o)",
  sections: [
    {
      title: "wp⟦S⟧([r = r])",
      lines: [
        { kind: "expectation", text: "p·[r = 1]", mathml: null, depth: 0, range: null, folds: 0 },
        {
          kind: "statement",
          text: "if t {",
          mathml: null,
          depth: 0,
          range: RESULTS.answers[0]?.range ?? null,
          folds: 2,
        },
        { kind: "expectation", text: "[t]", mathml: null, depth: 1, range: null, folds: 0 },
        { kind: "statement", text: "o := r", mathml: null, depth: 1, range: null, folds: 0 },
        { kind: "conclusion", text: "the end", mathml: null, depth: 0, range: null, folds: 0 },
      ],
    },
  ],
  markdown: "**derivation**",
  latex: "\\begin{align*}\\end{align*}",
  text: "",
};
export const chance = (value: string, probability: number) => ({
  value,
  probability: { lower: probability, value: probability, upper: probability },
});
export const POSTERIOR: Posterior = {
  version: 3,
  prior: [chance("0", 0.5), chance("1", 0.5)],
  outputs: [{ ...chance("1", 0.4), posterior: [chance("0", 0.25), chance("1", 0.75)] }],
  note: null,
};

/** The panel with everything answered. */
export function full(...messages: readonly Message[]): Model {
  let model = withResults(RESULTS, ...UNFOLD, ...messages);
  const values: Readonly<Record<string, unknown>> = {
    [CURVE]: CURVE_OF_EPS,
    [MAP]: MAP_OF_BOTH,
    posterior: POSTERIOR,
    derivation: EXPLANATION,
    [place("H(r)")]: { version: 3, result: result("H(r)", 1) },
    [place("DP(r -> o)")]: { version: 3, result: result("DP(r -> o)", 1, { unit: "nats" }) },
  };
  for (const [slot, value] of Object.entries(values)) {
    model = update(model, answer(model, slot, value)).model;
  }
  return model;
}

export const withClass = (name: string) => (node: Node) =>
  String(node.attributes["class"] ?? "")
    .split(" ")
    .includes(name);
export const tagged =
  (...tags: readonly string[]) =>
  (node: Node) =>
    tags.includes(node.tag);
export function failure(model: Model, slot: string): Message {
  return { is: "failure", slot, key: model.slots[slot]?.key ?? "", message: "out of time" };
}
