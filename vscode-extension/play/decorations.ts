/** What the language server shows in the text: colours by meaning, lenses above lines, hints in them, how each budget stands, and where it leaks. */

import { EditorState, type Extension, type Range, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, gutter, GutterMarker, WidgetType } from "@codemirror/view";
import type { Results, Where } from "../panel/contract";
import { heatOf, type Level, LEVELS } from "../src/heat";
import { type Verdict, VERDICTS, verdictLines } from "../src/verdicts";
import { offset, span } from "./places";
import type { Hint, Initialized, Lens } from "./protocol";

export type Legend = NonNullable<Initialized["capabilities"]["semanticTokensProvider"]>["legend"];
const SIGNS: Readonly<Record<Verdict, readonly [string, string]>> = {
  holds: ["✓", "holds"],
  violated: ["✗", "violated"],
  unknown: ["?", "cannot tell"],
};

/** A set of decorations that an effect replaces, and that moves with the text until then. */
function shown(): readonly [(set: DecorationSet) => StateEffect<DecorationSet>, Extension] {
  const effect = StateEffect.define<DecorationSet>();
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update: (set, { changes, effects }) =>
      effects.reduce((found, each) => (each.is(effect) ? each.value : found), set.map(changes)),
    provide: (each) => EditorView.decorations.from(each),
  });
  return [(set) => effect.of(set), field];
}

const [setMeanings, meanings] = shown();
const [setLenses, lenses] = shown();
const [setHints, hints] = shown();

// --- colours by meaning -----------------------------------------------------------------------------------------------

/** The names of a text by what they mean, from the numbers of the protocol: five for each, the place by its distance from the one before. */
export function meaningsOf(state: EditorState, data: readonly number[], legend: Legend): StateEffect<unknown> {
  const found: Range<Decoration>[] = [];
  let line = 0;
  let character = 0;
  for (let index = 0; index + 4 < data.length; index += 5) {
    const [down = 0, right = 0, length = 0, type = 0, modifiers = 0] = data.slice(index, index + 5);
    character = down > 0 ? right : character + right;
    line += down;
    const from = offset(state.doc, { line, character });
    const words = legend.tokenModifiers.filter((_, bit) => (modifiers >> bit) & 1);
    const names = [legend.tokenTypes[type] ?? "", ...words].map((name) => `m-${name}`);
    if (length > 0 && from + length <= state.doc.length) {
      found.push(Decoration.mark({ class: names.join(" ") }).range(from, from + length));
    }
  }
  return setMeanings(Decoration.set(found));
}

// --- lenses -----------------------------------------------------------------------------------------------------------

class LensLine extends WidgetType {
  constructor(
    private readonly lenses: readonly Lens[],
    private readonly indent: string,
    private readonly verdict: Verdict | undefined,
    private readonly clicked: (lens: Lens) => void,
  ) {
    super();
  }

  private get words(): string {
    return this.lenses.map(({ command }) => command?.title ?? "").join(" | ");
  }

  override eq(other: LensLine): boolean {
    return other.words === this.words && other.indent === this.indent && other.verdict === this.verdict;
  }

  override toDOM(): HTMLElement {
    const line = document.createElement("div");
    line.className = `lens ${this.verdict ?? ""}`;
    line.append(this.indent);
    for (const lens of this.lenses) {
      const button = document.createElement("button");
      // The cursor on the line shows the same in the panel: a stop for the Tab key at each line would be in the way.
      button.tabIndex = -1;
      button.textContent = lens.command?.title ?? "";
      button.title = "Show in the panel";
      button.onclick = () => {
        this.clicked(lens);
      };
      line.append(button);
    }
    return line;
  }

  override get estimatedHeight(): number {
    return 17;
  }
}

/** Lenses above their lines; those of budgets in the colour of their verdict. */
export function lensesOf(
  state: EditorState,
  given: readonly Lens[],
  results: Results | undefined,
  clicked: (lens: Lens) => void,
): StateEffect<unknown> {
  const lines = verdictLines(results);
  const byLine = new Map<number, Lens[]>();
  for (const lens of given.filter(({ command }) => (command?.title ?? "") !== "")) {
    const { line } = lens.range.start;
    byLine.set(line, [...(byLine.get(line) ?? []), lens]);
  }
  const found = [...byLine].map(([line, lenses]) => {
    const { from, text } = state.doc.lineAt(offset(state.doc, { line, character: 0 }));
    const verdict = VERDICTS.find((each) => lines[each].includes(line));
    const widget = new LensLine(lenses, /^\s*/.exec(text)?.[0] ?? "", verdict, clicked);
    return Decoration.widget({ widget, block: true, side: -1 }).range(from);
  });
  return setLenses(Decoration.set(found, true));
}

// --- hints ------------------------------------------------------------------------------------------------------------

class HintWord extends WidgetType {
  constructor(private readonly word: string) {
    super();
  }

  override eq(other: HintWord): boolean {
    return other.word === this.word;
  }

  override toDOM(): HTMLElement {
    const hint = document.createElement("span");
    hint.className = "hint";
    hint.textContent = this.word;
    return hint;
  }
}

export function hintsOf(state: EditorState, given: readonly Hint[]): StateEffect<unknown> {
  const found = given.map(({ position, label, paddingLeft, paddingRight }) => {
    const word = typeof label === "string" ? label : label.map(({ value }) => value).join("");
    const widget = new HintWord(`${paddingLeft === true ? " " : ""}${word}${paddingRight === true ? " " : ""}`);
    return Decoration.widget({ widget, side: 1 }).range(offset(state.doc, position));
  });
  return setHints(Decoration.set(found, true));
}

// --- the gutter of budgets --------------------------------------------------------------------------------------------

class Sign extends GutterMarker {
  constructor(private readonly verdict: Verdict) {
    super();
  }

  override eq(other: Sign): boolean {
    return other.verdict === this.verdict;
  }

  override toDOM(): Node {
    const [sign, word] = SIGNS[this.verdict];
    const shown = document.createElement("span");
    shown.className = `sign ${this.verdict}`;
    shown.title = `the budget ${word}`;
    shown.textContent = sign;
    return shown;
  }
}

const setSigns = StateEffect.define<RangeSet<GutterMarker>>();
const signs = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (set, { changes, effects }) =>
    effects.reduce((found, each) => (each.is(setSigns) ? each.value : found), set.map(changes)),
});

export function signsOf(state: EditorState, results: Results | undefined): StateEffect<unknown> {
  const lines = verdictLines(results);
  const found = VERDICTS.flatMap((verdict) =>
    lines[verdict].map((line) => new Sign(verdict).range(offset(state.doc, { line, character: 0 }))),
  );
  return setSigns.of(RangeSet.of(found, true));
}

// --- the gutter of where it leaks -------------------------------------------------------------------------------------

/** What a mark says; how many dots it has tells them apart without colour, and from the bars beside findings. */
const HEATS: Readonly<Record<Level, string>> = {
  low: "a little leaks through this statement",
  middle: "much leaks through this statement",
  high: "hardly anything leaks without this statement",
};

class Heat extends GutterMarker {
  constructor(private readonly level: Level) {
    super();
  }

  override eq(other: Heat): boolean {
    return other.level === this.level;
  }

  override toDOM(): Node {
    const shown = document.createElement("span");
    shown.className = `heat ${this.level}`;
    shown.title = HEATS[this.level];
    shown.textContent = "●".repeat(LEVELS.indexOf(this.level) + 1);
    return shown;
  }
}

const setHeats = StateEffect.define<RangeSet<GutterMarker>>();
const heats = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (set, { changes, effects }) =>
    effects.reduce((found, each) => (each.is(setHeats) ? each.value : found), set.map(changes)),
});

/** Marks beside the statements through which much leaks; of several on a line that of the most. */
export function heatsOf(state: EditorState, found: readonly Where[]): StateEffect<unknown> {
  const heat = heatOf(found);
  const byLine = new Map(LEVELS.flatMap((level) => heat[level].map(({ start }) => [start.line, level] as const)));
  const marks = [...byLine].map(([line, level]) => new Heat(level).range(offset(state.doc, { line, character: 0 })));
  return setHeats.of(RangeSet.of(marks, true));
}

// --- going to a place -------------------------------------------------------------------------------------------------

/** What selects a range and brings it into sight. */
export function goTo(view: EditorView, range: Parameters<typeof span>[1]): void {
  const { from, to } = span(view.state.doc, range);
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: "center" }),
  });
  view.focus();
}

export const decorations: Extension = [
  meanings,
  lenses,
  hints,
  signs,
  heats,
  gutter({ class: "heats", markers: (view) => view.state.field(heats) }),
  gutter({ class: "signs", markers: (view) => view.state.field(signs), initialSpacer: () => new Sign("holds") }),
];
