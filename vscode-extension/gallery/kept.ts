/** Answers that were kept beforehand: which questions the panel may put to a page without a server, and what it is told. */

import type { Measured, Parameter, Plot, Point, Result, Results, Segments } from "../panel/contract";
import { real } from "../panel/contract";
import { isFixed, parsed, stopsOf } from "../panel/domain";
import type { Method, RequestError } from "../panel/host";
import { EMPTY, type Model, questions } from "../panel/model";
import { pairOf, wishes } from "../panel/wants";

/** An answer, what it differs in from the one at the values of the text, or why there is none: `late` if time ended. */
export type Answer =
  | { readonly answer: unknown }
  | { readonly base: string; readonly differs: Readonly<Record<string, unknown>> }
  | { readonly error: RequestError; readonly late?: true };

export interface Kept {
  readonly results: Results;
  readonly answers: Readonly<Record<string, Answer>>;
}

export interface Asked {
  readonly method: Method;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The values of one parameter for which answers are kept: of several, all combinations are. */
const MOST_STOPS = [0, 20, 8];
/** What takes longer at the values of the text is not asked at others, in seconds. */
const PATIENCE = 0.5;
const REQUEST_FAILED = -32803;
const ELSEWHERE = "no answer was computed beforehand for these values; `seepage play` computes it";
/** Takes long, or is long, at each of many values: asked at those of the text alone. */
const ONCE: readonly Method[] = ["seepage/where", "seepage/range", "seepage/posterior"];
/** May take very long, and comes after all that does not. */
const LONG: readonly Method[] = ["seepage/explain", "seepage/where", "seepage/range"];
const RANGE: Method = "seepage/range";
const MEASURE: Method = "seepage/measure";
const PLOT: Method = "seepage/plot";

/** The name under which the answer to a question is kept: values of parameters as numbers, those of the text left out. */
export function keyOf(results: Results, { method, params }: Asked): string {
  const { parameters = {}, ...asked } = params;
  const rest = Object.fromEntries(Object.entries(asked).filter(([name]) => name !== "textDocument"));
  const given = Object.entries(parameters as Readonly<Record<string, string>>)
    .map(([name, text]) => [name, parsed(text)] as const)
    .filter(([name, value]) => real(results.parameters.find((each) => each.name === name)?.value ?? null) !== value)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `${method} ${JSON.stringify(rest)} ${JSON.stringify(Object.fromEntries(given))}`;
}

/** The results of a page: with the values at which its sliders stop. */
export function resultsOf({ results, answers }: Kept): Results {
  const movable = results.parameters.filter((each) => !isFixed(each));
  const most = MOST_STOPS[movable.length] ?? 0;
  const stopping = (parameter: Parameter): Parameter =>
    isFixed(parameter) || most === 0
      ? parameter
      : { ...parameter, stops: stops(parameter, most, edges(answers, parameter.name)) };
  return { ...results, kept: true, parameters: results.parameters.map(stopping) };
}

/** Evenly over the range, and where budgets cease to hold. */
function stops(parameter: Parameter, most: number, ends: readonly string[]): readonly string[] {
  const found = new Map([...stopsOf(parameter, most), ...ends].map((text) => [parsed(text), text]));
  return [...found].sort(([one], [other]) => one - other).map(([, text]) => text);
}

function edges(answers: Kept["answers"], name: string): readonly string[] {
  return Object.entries(answers).flatMap(([key, kept]) => {
    const found = key.startsWith(RANGE) && "answer" in kept ? (kept.answer as Segments) : null;
    return found?.parameter === name ? found.segments.flatMap(({ lowText, highText }) => [lowText, highText]) : [];
  });
}

/**
 * What the panel may ask and no answer is kept for: first at the values of the text, numbers before what is told of them, and then,
 * once that is known, at all others, those with one slider moved before those with two, as time may end.
 */
export function missing(kept: Kept): readonly Asked[] {
  const results = resultsOf(kept);
  const unanswered = (asked: readonly Asked[]): readonly Asked[] => {
    const open = new Map(asked.map((each) => [keyOf(results, each), each]));
    return [...open].filter(([key]) => !(key in kept.answers)).map(([, each]) => each);
  };
  const others = elsewhere(results);
  const long = ({ method }: Asked): number => Number(LONG.includes(method));
  const first = unanswered([...askedAt(results, {}), ...others.filter(({ method }) => method === MEASURE).map(atText)]);
  return first.length > 0
    ? [...first].sort((one, other) => long(one) - long(other))
    : unanswered(others.filter((asked) => isQuick(kept, results, asked)));
}

/** The measures that are asked at the values of the text alone, as they take long. */
export function atTextAlone(kept: Kept): readonly string[] {
  const results = resultsOf(kept);
  const slow = elsewhere(results).filter((asked) => asked.method === MEASURE && !isQuick(kept, results, asked));
  return [...new Set(slow.map(({ params }) => String(params["measure"])))];
}

function elsewhere(results: Results): readonly Asked[] {
  return combinations(results).flatMap((values) => askedAt(results, values));
}

function isQuick(kept: Kept, results: Results, asked: Asked): boolean {
  return secondsOf(kept, keyOf(results, atText(asked))) <= PATIENCE;
}

function secondsOf({ answers }: Kept, key: string): number {
  const kept = answers[key];
  if (kept !== undefined && "late" in kept) {
    return Infinity;
  }
  return kept !== undefined && "answer" in kept ? ((kept.answer as Partial<Measured>).result?.seconds ?? 0) : 0;
}

/** The same question at the values of the text. */
export function atText({ method, params }: Asked): Asked {
  return { method, params: { ...params, parameters: {} } };
}

/** All values of the parameters at which sliders can stand together, those of the text among them; where few are moved first. */
function combinations(results: Results): readonly Readonly<Record<string, string>>[] {
  const found = results.parameters.reduce<readonly Readonly<Record<string, string>>[]>(
    (found, { name, stops = [] }) =>
      found.flatMap((values) => [values, ...stops.map((text) => ({ ...values, [name]: text }))]),
    [{}],
  );
  return [...found].sort((one, other) => Object.keys(one).length - Object.keys(other).length);
}

/** All questions of the panel with whatever is open and in focus. */
function askedAt(results: Results, values: Readonly<Record<string, string>>): readonly Asked[] {
  const moved = Object.keys(values).length > 0;
  const all = questions(results, []).filter(({ error }) => error === null);
  const sections = { plots: true, posterior: true, derivation: true, where: true };
  const base: Model = { ...EMPTY, document: { uri: results.uri, name: "" }, results, values };
  const open = (more: object): Model["open"] => ({ ...sections, ...more });
  const models = [
    ...all.map(({ id }) => ({ ...base, chosen: id, open: open({}) })),
    ...results.table.map((row, channel) => ({ ...base, channel, open: open({ [pairOf(row)]: true }) })),
  ];
  const asked = models.flatMap(wishes).filter(({ method }) => method !== PLOT && !(moved && ONCE.includes(method)));
  const measured = all.map(({ text, unit }) => ({
    method: MEASURE,
    params: { measure: text, ...(unit === "bits" || unit === "nats" ? { unit } : {}), parameters: values },
  }));
  return [...asked.map(({ method, params }) => ({ method, params })), ...measured];
}

/** Answer a question of the panel; throws a {@link RequestError} where no answer is kept. */
export function answerOf(kept: Kept, results: Results, asked: Asked): unknown {
  return asked.method === PLOT ? plotted(kept, results, asked) : found(kept, keyOf(results, asked));
}

function found({ answers }: Kept, key: string): unknown {
  const kept = answers[key];
  if (kept === undefined) {
    throw refused(ELSEWHERE);
  }
  if ("error" in kept) {
    throw refused(kept.error.message);
  }
  if ("answer" in kept) {
    return kept.answer;
  }
  const base = answers[kept.base];
  if (base === undefined || !("answer" in base)) {
    throw refused(ELSEWHERE);
  }
  const { version, result } = base.answer as Measured;
  return { version, result: { ...result, ...kept.differs } };
}

function refused(message: string): RequestError & Error {
  return Object.assign(new Error(message), { code: REQUEST_FAILED });
}

/** A curve or a map through the values that are kept. */
function plotted(kept: Kept, results: Results, { params }: Asked): Plot {
  const { over, parameters, ...rest } = params as {
    readonly over: readonly { readonly parameter: string }[];
    readonly parameters: Readonly<Record<string, string>>;
  };
  const axes = over.map(({ parameter }) => ({
    parameter,
    texts: results.parameters.find(({ name }) => name === parameter)?.stops ?? [],
  }));
  const at = (values: Readonly<Record<string, string>>): Point => {
    try {
      const asked = { method: MEASURE, params: { ...rest, parameters: { ...parameters, ...values } } };
      const { result } = found(kept, keyOf(results, asked)) as Measured;
      return pointOf(result);
    } catch (error) {
      return { lower: null, value: null, upper: null, certainty: null, fault: (error as Error).message };
    }
  };
  const [across, up] = axes;
  if (across === undefined) {
    throw refused(ELSEWHERE);
  }
  const line = (values: Readonly<Record<string, string>>): readonly Point[] =>
    across.texts.map((text) => at({ ...values, [across.parameter]: text }));
  return {
    version: results.version,
    unit: unitOf(kept, results, rest),
    axes: axes.map(({ parameter, texts }) => ({ parameter, values: texts.map(parsed) })),
    ...(up === undefined ? { points: line({}) } : { rows: up.texts.map((text) => line({ [up.parameter]: text })) }),
  };
}

function pointOf({ lower, value, upper, certainty }: Result): Point {
  return { lower, value, upper, certainty, fault: null };
}

function unitOf(kept: Kept, results: Results, rest: Readonly<Record<string, unknown>>): string {
  return (found(kept, keyOf(results, { method: MEASURE, params: rest })) as Measured).result.unit;
}
