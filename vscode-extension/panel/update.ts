/** What each event makes of the panel, and what there is to do: nothing here does it. */

import { type Position, type Range, real, type Result, type Results } from "./contract";
import { parsed, positionOf, rescaled, type Span, STEPS, textAt, wrong } from "./domain";
import type { Copied, Exported, Message } from "./message";
import {
  isAnswering,
  ASKING,
  digitsOf,
  EMPTY,
  focusOf,
  idOf,
  isCurrent,
  type Kept,
  kept,
  measureAt,
  type Model,
  questions,
  spanOf,
} from "./model";
import { numberText } from "./numbers";
import { answered, failed, type Slot, wished } from "./slots";
import { CURVE, CURVE_POINTS, level, levelKey, MAP, MAP_POINTS, numberSlot, type Want, wants, wishes } from "./wants";

export type Effect =
  /** All that is wanted and not yet answered; whatever else runs is to be cancelled. */
  | { readonly do: "ask"; readonly wants: readonly Want[] }
  | { readonly do: "fetch"; readonly uri: string }
  | { readonly do: "keep"; readonly state: Kept }
  | { readonly do: "reveal"; readonly uri: string; readonly range: Range }
  /** Bring the derivation into sight, once it is there. */
  | { readonly do: "seek" }
  | { readonly do: "copy"; readonly form: Copied }
  | { readonly do: "export"; readonly file: Exported }
  | { readonly do: "command"; readonly name: string; readonly uri: string | null };

export interface Step {
  readonly model: Model;
  readonly effects: readonly Effect[];
}

/** A plot is drawn more finely if that is expected to take at most this many seconds. */
const PATIENCE = 8;
/** Measures of the user that are remembered. */
const MOST_ASKED = 8;

export function update(before: Model, message: Message): Step {
  const { model, effects } = react(before, message);
  if (model === before) {
    return { model, effects };
  }
  const settled = reconciled(model);
  const asked: Effect = {
    do: "ask",
    wants: wants(settled).filter((want) => settled.slots[want.slot]?.phase === "waiting"),
  };
  const keep: Effect[] = same(kept(before), kept(settled)) ? [] : [{ do: "keep", state: kept(settled) }];
  return { model: settled, effects: [asked, ...keep, ...effects] };
}

/**
 * Give each wish its place, also while nothing can be asked: an answer to another wish is not current. Places without a wish
 * are given up, but what a text that is being changed does not show may come back.
 */
function reconciled(model: Model): Model {
  const slots: Record<string, Slot> = isCurrent(model) ? {} : { ...model.slots };
  for (const want of wishes(model)) {
    slots[want.slot] = wished(model.slots[want.slot], want);
  }
  return { ...model, slots };
}

function react(model: Model, message: Message): Step {
  switch (message.is) {
    case "document":
      return documentShown(model, message.uri, message.name);
    case "cursor":
      return only(moved(model, message.uri, message.at));
    case "focus":
      return visited(model, message, (there) => focused(there, message.uri, message.at));
    case "look":
      return visited(model, message, (there) => withMeasure(there, message.measure));
    case "explain":
      return explained(model, message);
    case "changed":
      return changed(model, message.uri);
    case "server":
      return serverTold(model, message);
    case "repaint":
      return only({ ...model });
    case "results":
      return only(message.uri === model.document?.uri && !model.paused ? withResults(model, message.results) : model);
    case "no results":
      return only(message.uri === model.document?.uri ? { ...model, results: null, problem: message.message } : model);
    case "answer":
      return only(withAnswer(model, message));
    case "failure":
      return only(withFailure(model, message.slot, message.key, message.message));
    case "slide":
      return only(slid(model, message.name, message.part));
    case "type":
      return only(typed(model, message.name, message.text));
    case "enter":
      return only(entered(model, message.name, message.text));
    case "again":
      return only({
        ...model,
        slots: Object.fromEntries(Object.entries(model.slots).filter(([id]) => id !== message.slot)),
      });
    case "finer":
      return only(finer(model, message.slot));
    case "reset":
      return only(reset(model, message.name));
    case "span":
      return only(spanned(model, message.name, message.end, message.text));
    case "rescale":
      return only(withSpan(model, message.name, (span, parameter) => rescaled(span, parameter)));
    case "choose":
      return only({ ...model, chosen: message.measure });
    case "ask":
      return only(withMeasure(model, message.measure));
    case "axis":
      return only({ ...model, axis: message.name, pointed: null });
    case "axes":
      return only({ ...model, axes: [message.first, message.second], pointed: null });
    case "channel":
      return only({ ...model, channel: message.row });
    case "set":
      return only(setTo(model, message.values));
    case "point":
      return only(same(model.pointed, message.at) ? model : { ...model, pointed: message.at });
    case "open":
      return only(
        model.open[message.what] === message.open
          ? model
          : { ...model, open: { ...model.open, [message.what]: message.open } },
      );
    case "menu":
      return only({ ...model, menu: message.which });
    case "pin":
      return pinned(model);
    case "pause":
      return paused(model);
    case "copy":
      return { model: { ...model, menu: null, announcement: "copied" }, effects: [{ do: "copy", form: message.form }] };
    case "export":
      return { model: { ...model, menu: null }, effects: [{ do: "export", file: message.file }] };
    case "jump":
      return jumped(model, message.range);
    case "command":
      return { model, effects: [{ do: "command", name: message.name, uri: model.document?.uri ?? null }] };
  }
}

function only(model: Model): Step {
  return { model, effects: [] };
}

/** Lead to a place in the program, which opens it where it is closed. */
function jumped(model: Model, range: Range): Step {
  const uri = model.results?.uri ?? model.document?.uri;
  return { model, effects: uri === undefined ? [] : [{ do: "reveal", uri, range }] };
}

// --- what the editor tells ------------------------------------------------------------------------------------------

/** Another program came to the front. */
function documentShown(model: Model, uri: string, name: string): Step {
  if (model.document?.uri === uri) {
    return { model: { ...model, document: { uri, name } }, effects: [{ do: "fetch", uri }] };
  }
  if (model.pinned || model.paused) {
    return only(model);
  }
  return { model: turnedTo(model, { uri, name }), effects: [{ do: "fetch", uri }] };
}

/** The panel before it knows anything of another program. */
function turnedTo({ server, cursor, open, epoch }: Model, document: Model["document"]): Model {
  return { ...EMPTY, server, cursor, open, epoch, document };
}

/** Look at something in a program, and turn to that program first: a pinned panel too, which from then on stays there. */
function visited(
  model: Model,
  { uri, name }: { readonly uri: string; readonly name: string },
  look: (there: Model) => Model,
): Step {
  if (model.document?.uri === uri) {
    return only(look(model));
  }
  const there = { ...turnedTo(model, { uri, name }), pinned: model.pinned };
  return { model: look(there), effects: [{ do: "fetch", uri }] };
}

/** Look at where the number of a measure comes from. */
function explained(model: Model, message: Message & { readonly is: "look" | "explain" }): Step {
  const { model: there, effects } = visited(model, message, (each) => withMeasure(each, message.measure));
  return { model: { ...there, open: { ...there.open, derivation: true } }, effects: [...effects, { do: "seek" }] };
}

function moved(model: Model, uri: string, at: Position): Model {
  if (model.paused || model.pinned) {
    return model;
  }
  const elsewhere = model.cursor?.uri !== uri || model.cursor.at.line !== at.line;
  const results = model.results;
  const meant = elsewhere && results !== null && results.uri === uri && measureAt(results, at) !== null;
  // Lines that mean no measure leave the panel as it is.
  return meant || model.cursor === null || results?.uri !== uri
    ? { ...model, cursor: { uri, at }, chosen: meant ? null : model.chosen }
    : model;
}

/** The measure at a place, even where the panel is pinned. */
function focused(model: Model, uri: string, at: Position): Model {
  const label = model.results?.uri === uri ? measureAt(model.results, at) : null;
  return { ...model, cursor: { uri, at }, chosen: label ?? (model.results === null ? null : model.chosen) };
}

/** Look at a measure, whether the program asks for it or not. */
function withMeasure(model: Model, text: string): Model {
  const measure = text.trim();
  if (measure === "") {
    return model;
  }
  const asked = [...model.asked.filter((each) => each !== measure), measure].slice(-MOST_ASKED);
  const known =
    model.results === null ? undefined : questions(model.results, asked).find((each) => each.text === measure);
  return { ...model, asked, chosen: known?.id ?? idOf(measure, ""), drafts: { ...model.drafts, [ASKING]: "" } };
}

function changed(model: Model, uri: string): Step {
  if (model.document?.uri !== uri) {
    return only(model);
  }
  return model.paused ? only({ ...model, behind: true }) : { model, effects: [{ do: "fetch", uri }] };
}

function serverTold(model: Model, { health, message, action }: Model["server"]): Step {
  const uri = model.document?.uri;
  const next = { ...model, server: { health, message, action } };
  const back = !isAnswering(model) && isAnswering(next) && uri !== undefined;
  return { model: next, effects: back ? [{ do: "fetch", uri }] : [] };
}

// --- answers --------------------------------------------------------------------------------------------------------

function withResults(model: Model, results: Results): Model {
  // What changed since the last commit comes after the numbers, and asks nothing anew.
  const numbers = (each: Results | null): unknown => each && { ...each, changes: null };
  const differs = results.current && results.state === "current" && !same(numbers(model.results), numbers(results));
  const next = { ...model, results, problem: "", behind: false, epoch: differs ? model.epoch + 1 : model.epoch };
  // A panel that turned to this program while it was pinned stays with the measure that it was sent to.
  return next.pinned && next.chosen === null ? { ...next, chosen: focusOf(next)?.id ?? null } : next;
}

function withAnswer(
  model: Model,
  { slot, key, base, subject, value, seconds }: Message & { readonly is: "answer" },
): Model {
  const waiting = model.slots[slot];
  if (waiting === undefined) {
    return model;
  }
  if (!belongs(model, value)) {
    return { ...model, slots: { ...model.slots, [slot]: failed(waiting, key, "the text has changed since") } };
  }
  const next = { ...model, slots: { ...model.slots, [slot]: answered(waiting, key, base, subject, value) } };
  return waiting.key === key ? announced(refined(next, slot, seconds), slot, value) : next;
}

/** Whether an answer is about the text that the results are of. */
function belongs(model: Model, value: unknown): boolean {
  const version = typeof value === "object" && value !== null && "version" in value ? value.version : undefined;
  return version === undefined || version === null || version === model.results?.version;
}

/** Draw a plot more finely next time, if that took so little time that there is patience for it. */
function refined(model: Model, slot: string, seconds: number): Model {
  const points = pointsOf(slot);
  if (points === null) {
    return model;
  }
  const now = level(model, slot, points);
  const growth = ((points[now + 1] ?? 0) / (points[now] ?? 1)) ** (slot === MAP ? 2 : 1);
  // The time of the first curve is mostly that of getting started.
  const quick = (slot === CURVE && now === 0) || seconds * growth <= PATIENCE;
  // A plot that is there stays as fine as it is: a busy machine takes long for what was quick before.
  const next = growth > 0 && quick ? now + 1 : now;
  const id = levelKey(model, slot);
  return { ...model, levels: { ...model.levels, [id]: Math.min(next, model.caps[id] ?? next) } };
}

/** A plot that was too much is drawn more coarsely from now on. */
function coarsened(model: Model, slot: string): Model {
  const points = pointsOf(slot);
  const now = points === null ? 0 : level(model, slot, points);
  const id = levelKey(model, slot);
  return now === 0
    ? model
    : { ...model, levels: { ...model.levels, [id]: now - 1 }, caps: { ...model.caps, [id]: now - 1 } };
}

/** The user has patience for a finer plot. */
function finer(model: Model, slot: string): Model {
  const points = pointsOf(slot);
  if (points === null) {
    return model;
  }
  const next = Math.min(points.length - 1, level(model, slot, points) + 1);
  const id = levelKey(model, slot);
  return { ...model, levels: { ...model.levels, [id]: next }, caps: { ...model.caps, [id]: next } };
}

function pointsOf(slot: string): readonly number[] | null {
  return slot === CURVE ? CURVE_POINTS : slot === MAP ? MAP_POINTS : null;
}

function announced(model: Model, slot: string, value: unknown): Model {
  const focus = focusOf(model);
  if (focus === null || slot !== numberSlot(focus.text, focus.unit)) {
    return model;
  }
  const { result } = value as { readonly result: Result };
  return { ...model, announcement: `${focus.label}: ${numberText(result, digitsOf(model, 4))}, ${result.certainty}` };
}

function withFailure(model: Model, slot: string, key: string, message: string): Model {
  const waiting = model.slots[slot];
  if (waiting === undefined) {
    return model;
  }
  const next = { ...model, slots: { ...model.slots, [slot]: failed(waiting, key, message) } };
  return waiting.key === key ? coarsened(next, slot) : next;
}

// --- parameters -----------------------------------------------------------------------------------------------------

function parameterOf(model: Model, name: string): Results["parameters"][number] | undefined {
  return model.results?.parameters.find((each) => each.name === name);
}

function withValue(model: Model, name: string, text: string): Model {
  const drafts = Object.fromEntries(Object.entries(model.drafts).filter(([each]) => each !== name));
  // What was announced last is of the values before.
  return { ...model, values: { ...model.values, [name]: text }, drafts, announcement: "" };
}

function slid(model: Model, name: string, part: number): Model {
  const parameter = parameterOf(model, name);
  return parameter === undefined ? model : withValue(model, name, textAt(parameter, spanOf(model, parameter), part));
}

/** Each key press: what is a value already counts, anything else waits in the field. */
function typed(model: Model, name: string, text: string): Model {
  return { ...model, drafts: { ...model.drafts, [name]: text } };
}

function entered(model: Model, name: string, text: string): Model {
  const parameter = parameterOf(model, name);
  if (parameter === undefined) {
    return model;
  }
  if (wrong(parameter, text) !== "") {
    return { ...model, drafts: { ...model.drafts, [name]: text }, announcement: wrong(parameter, text) };
  }
  const span = spanOf(model, parameter);
  const value = parsed(text);
  // The slider grows with a value beyond it.
  const wider: Span = { ...span, low: Math.min(span.low, value), high: Math.max(span.high, value) };
  const shown =
    same(span, wider) || (span.logarithmic && value <= 0)
      ? model
      : { ...model, spans: { ...model.spans, [name]: wider } };
  return withValue(shown, name, text.trim());
}

function reset(model: Model, name: string | null): Model {
  const keep = ([each]: readonly [string, unknown]): boolean => name !== null && each !== name;
  return {
    ...model,
    values: Object.fromEntries(Object.entries(model.values).filter(keep)),
    drafts: Object.fromEntries(Object.entries(model.drafts).filter(keep)),
    announcement: "values of the text",
  };
}

function withSpan(
  model: Model,
  name: string,
  change: (span: Span, parameter: Results["parameters"][number]) => Span,
): Model {
  const parameter = parameterOf(model, name);
  if (parameter === undefined) {
    return model;
  }
  return { ...model, spans: { ...model.spans, [name]: change(spanOf(model, parameter), parameter) } };
}

/** Set an end of the range that slider and plots cover; an end that leaves no range, or leaves the domain, is not taken. */
function spanned(model: Model, name: string, end: "low" | "high", text: string): Model {
  return withSpan(model, name, (span, parameter) => {
    const value = Math.min(real(parameter.high), Math.max(real(parameter.low), parsed(text)));
    const next = { ...span, [end]: value };
    return Number.isFinite(value) && next.low < next.high && !(next.logarithmic && next.low <= 0) ? next : span;
  });
}

/** A click into a plot. */
function setTo(model: Model, values: Readonly<Record<string, number>>): Model {
  return Object.entries(values).reduce((next, [name, value]) => {
    const parameter = parameterOf(next, name);
    if (parameter === undefined) {
      return next;
    }
    const span = spanOf(next, parameter);
    return withValue(next, name, textAt(parameter, span, positionOf(span, value) / STEPS));
  }, model);
}

// --- staying --------------------------------------------------------------------------------------------------------

function pinned(model: Model): Step {
  const pinned = !model.pinned;
  const chosen = pinned ? (focusOf(model)?.id ?? null) : model.chosen;
  return { model: { ...model, pinned, chosen }, effects: [] };
}

function paused(model: Model): Step {
  const paused = !model.paused;
  const uri = model.document?.uri;
  return { model: { ...model, paused }, effects: paused || uri === undefined ? [] : [{ do: "fetch", uri }] };
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
