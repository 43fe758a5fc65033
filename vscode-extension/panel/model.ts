/** All that the panel knows, and what follows from it without asking anyone. */

import type { Answer, Parameter, Position, Range, Result, Results, Row } from "./contract";
import { real } from "./contract";
import { decimalText, defaultSpan, isFixed, parsed, type Span, wrong } from "./domain";
import type { ServerTold } from "./host";
import type { Pointed } from "./message";
import type { Slot } from "./slots";

export interface Model {
  /** The program that is shown. */
  readonly document: { readonly uri: string; readonly name: string } | null;
  readonly cursor: { readonly uri: string; readonly at: Position } | null;
  /** Stay with this program and this measure, wherever the cursor goes. */
  readonly pinned: boolean;
  /** Stay with these results, whatever is computed. */
  readonly paused: boolean;
  /** While paused, something newer came. */
  readonly behind: boolean;
  readonly server: ServerTold;
  readonly results: Results | null;
  /** Why there are no results. */
  readonly problem: string;
  /** Counts the different results that were current: answers to questions of an earlier one are not shown as current. */
  readonly epoch: number;
  /** The measure that the user chose, if any; else the cursor decides. */
  readonly chosen: string | null;
  /** Measures that the user asked for in the panel. */
  readonly asked: readonly string[];
  /** Values of parameters set in the panel, by name, as source text. */
  readonly values: Readonly<Record<string, string>>;
  /** What stands in a number field while it is no value, and in the field for another measure. */
  readonly drafts: Readonly<Record<string, string>>;
  readonly spans: Readonly<Record<string, Span>>;
  readonly axis: string | null;
  readonly axes: readonly [string, string] | null;
  /** The row of the table whose posteriors are shown. */
  readonly channel: number;
  readonly slots: Readonly<Record<string, Slot>>;
  /** How finely each measure's plots are drawn, by the time that they take. */
  readonly levels: Readonly<Record<string, number>>;
  /** The finest that did not turn out to be too much. */
  readonly caps: Readonly<Record<string, number>>;
  /** Sections and lines of derivations that are not as they are at first. */
  readonly open: Readonly<Record<string, boolean>>;
  readonly menu: string | null;
  readonly pointed: Pointed | null;
  /** For a screen reader. */
  readonly announcement: string;
}

/** The field for another measure, among the drafts; no parameter has this name. */
export const ASKING = "?";

export const EMPTY: Model = {
  document: null,
  cursor: null,
  pinned: false,
  paused: false,
  behind: false,
  server: { health: "ok", message: null, action: null },
  results: null,
  problem: "",
  epoch: 0,
  chosen: null,
  asked: [],
  values: {},
  drafts: {},
  spans: {},
  axis: null,
  axes: null,
  channel: 0,
  slots: {},
  levels: {},
  caps: {},
  open: {},
  menu: null,
  pointed: null,
  announcement: "",
};

/** A number that the program asks for, or a cell of its table. */
export interface Question {
  readonly id: string;
  /** As it is sent to the server. */
  readonly text: string;
  readonly unit: string;
  /** As it is shown: with its unit where the program asks for the same in another one. */
  readonly label: string;
  readonly result: Result | null;
  readonly error: string | null;
}

export function idOf(measure: string, unit: string): string {
  return `${measure} in ${unit}`;
}

/** The measures to choose from: those of the table, of `show` and `require`, and those asked for in the panel, each once. */
export function questions(results: Results, extra: readonly string[]): readonly Question[] {
  const found = new Map<string, Question>();
  const add = (question: Question): void => {
    const known = found.get(question.id)?.result;
    const strategy = question.result?.strategy ?? question.result?.minimum;
    // A row of the table has the number of the strategy that is best for all outputs together, perhaps not for its own secret.
    if (known == null || strategy !== undefined) {
      found.set(question.id, question);
    }
  };
  for (const { information } of results.table) {
    if (information !== null) {
      add(asked(information.measure, information.unit, information, null));
    }
  }
  for (const answer of results.answers) {
    add(questionOf(answer));
  }
  for (const text of extra) {
    if (![...found.values()].some((question) => question.text === text)) {
      add(asked(text, "", null, null));
    }
  }
  const all = [...found.values()];
  return all.map((question) =>
    all.some(({ text, unit }) => text === question.text && unit !== question.unit)
      ? { ...question, label: question.id }
      : question,
  );
}

/** What a `show` asks, or the left side of a budget; the number of a budget over ranges is that at its worst. */
export function questionOf({ kind, measure, unit, result, over, error, verdict }: Answer): Question {
  const own = over === null ? result : null;
  return asked(measure, unit ?? "", own, kind === "show" || (own === null && verdict === null) ? error : null);
}

function asked(text: string, unit: string, result: Result | null, error: string | null): Question {
  return { id: idOf(text, unit), text, unit, label: text, result, error };
}

/** The measure in focus: the chosen one, else the one at the cursor, else the first. */
export function focusOf(model: Model): Question | null {
  const results = model.results;
  if (results === null) {
    return null;
  }
  const all = questions(results, model.asked);
  const id = model.chosen ?? atCursor(model);
  // A measure asked for before there were results has no unit yet.
  const meant = all.find((question) => question.id === id) ?? all.find((question) => idOf(question.text, "") === id);
  return meant ?? all[0] ?? null;
}

function atCursor(model: Model): string | null {
  const { cursor, results } = model;
  return cursor === null || results === null || cursor.uri !== results.uri ? null : measureAt(results, cursor.at);
}

/** The measure that belongs to a place: a `show`, a budget, or the row of a secret or an output declared there. */
export function measureAt(results: Results, at: Position): string | null {
  const answer = results.answers.find((each) => covers(each.range, at));
  if (answer !== undefined) {
    return questionOf(answer).id;
  }
  const row = results.table.find((each) =>
    [each.secretRange, each.outputRange].some((range) => range !== null && covers(range, at)),
  );
  return row?.information == null ? null : idOf(row.information.measure, row.information.unit);
}

/** Whole lines: a cursor anywhere in the line of a declaration means it. */
function covers(range: Range, at: Position): boolean {
  return range.start.line <= at.line && at.line <= range.end.line;
}

/** Whether questions can be asked: the results are those of the text as it is. */
export function isCurrent(model: Model): boolean {
  const results = model.results;
  return results !== null && results.current && results.state === "current" && !model.paused && isAnswering(model);
}

/** The most digits that a number is shown with: as the settings say, else as many as its place has room for. */
export function digitsOf(model: Model, room: number): number {
  return model.results?.digits ?? room;
}

/** Whether there is a server that answers. */
export function isAnswering({ server: { health } }: Model): boolean {
  return health === "ok" || health === "warning";
}

/** Why a question that has no answer yet gets none as things stand; empty if one is on its way. */
export function isLeftOut(model: Model): string {
  if (!isAnswering(model)) {
    return "not computed while no server answers";
  }
  if (isCurrent(model) || model.results?.state === "computing") {
    return "";
  }
  return model.paused ? "not computed while the panel is paused" : "not computed for the text as it is";
}

/** Values that differ from those in force, as the server takes them. */
export function overrides(model: Model): Readonly<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const parameter of model.results?.parameters ?? []) {
    const text = model.values[parameter.name];
    if (text !== undefined && wrong(parameter, text) === "" && parsed(text) !== real(parameter.value)) {
      given[parameter.name] = text;
    }
  }
  return given;
}

/** The value of a parameter that the panel is at, and how it is written. */
export function valueOf(model: Model, parameter: Parameter): { readonly text: string; readonly value: number } {
  const given = overrides(model)[parameter.name];
  if (given !== undefined) {
    return { text: given, value: parsed(given) };
  }
  const value = real(parameter.value);
  return { text: parameter.overridden ? decimalText(value) : (parameter.default ?? ""), value };
}

export function spanOf(model: Model, parameter: Parameter): Span {
  return model.spans[parameter.name] ?? defaultSpan(parameter);
}

/** The parameters that there is something to plot over. */
export function movable(model: Model): readonly Parameter[] {
  return (model.results?.parameters ?? []).filter((parameter) => !isFixed(parameter));
}

/** The parameter on the axis of the curve. */
export function axisOf(model: Model): Parameter | null {
  const parameters = movable(model);
  const focus = focusOf(model);
  const matters = parameters.filter((each) => focus !== null && each.measures?.includes(focus.text) === true);
  // The one declared last is the one that programs are about: eps after p.
  return parameters.find((each) => each.name === model.axis) ?? matters.at(-1) ?? parameters.at(-1) ?? null;
}

/** The parameters on the axes of the heat map: across, then up. */
export function axesOf(model: Model): readonly [Parameter, Parameter] | null {
  const parameters = movable(model);
  const [first, second] = (model.axes ?? []).map((name) => parameters.find((each) => each.name === name));
  if (first !== undefined && second !== undefined && first !== second) {
    return [first, second];
  }
  const [one, two] = parameters;
  return one === undefined || two === undefined ? null : [one, two];
}

/** The row whose posteriors can be shown: a discrete secret. */
export function channelOf(model: Model): Row | null {
  const rows = channels(model.results);
  return rows[model.channel] ?? rows[0] ?? null;
}

export function channels(results: Results | null): readonly Row[] {
  return (results?.table ?? []).filter((row) => row.guess_after !== null);
}

/** Sections that are closed at first: they take long, or few want them. What is closed is not computed. */
const CLOSED: ReadonlySet<string> = new Set(["where", "posterior", "derivation"]);

export function isOpen(model: Model, what: string, initially = !CLOSED.has(what)): boolean {
  return model.open[what] ?? initially;
}

/** What outlives a reload of the window. */
export type Kept = Pick<
  Model,
  "document" | "pinned" | "paused" | "chosen" | "asked" | "values" | "spans" | "axis" | "axes" | "channel" | "open"
>;

export function kept(model: Model): Kept {
  const { document, pinned, chosen, asked, values, spans, axis, axes, channel, open } = model;
  // A pause holds results that a reload forgets.
  return { document, pinned, paused: false, chosen, asked, values, spans, axis, axes, channel, open };
}

/** Take up what was kept; anything else gives the empty panel. */
export function resumed(state: unknown): Model {
  if (
    typeof state !== "object" ||
    state === null ||
    !("values" in state) ||
    !("open" in state) ||
    !("spans" in state)
  ) {
    return EMPTY;
  }
  return { ...EMPTY, ...(state as Kept) };
}
