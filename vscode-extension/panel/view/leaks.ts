/** What leaks: one line a secret and output, which opens to what else is known of the pair. */

import { type Result, real, type Row } from "../contract";
import { digitsOf, idOf, isOpen, type Model } from "../model";
import { BOUND_DIGITS, FEW_DIGITS, inPercent, numberText, percentText, rounded } from "../numbers";
import { drawable, type Shown } from "../slots";
import { type Child, h, type Node } from "../tree";
import { lossOf, numberSlot, pairOf } from "../wants";
import {
  button,
  certaintyKind,
  chip,
  type Measured,
  moved,
  number,
  quiet,
  reasons,
  section,
  shownIn,
  valuesText,
  worstAt,
} from "./parts";

const MOST_ROWS = 60;

/** A column: what it is called, what that means, and what a row has in it; one that is empty in all rows is left out. */
interface Column {
  readonly name: string;
  readonly heading: string;
  /** What the heading says beyond that where there is room. */
  readonly more?: string;
  readonly title: string;
  readonly has: (row: Row) => boolean;
  readonly cell: (model: Model, row: Row) => Child;
}

const COLUMNS: readonly Column[] = [
  {
    name: "bar",
    heading: "",
    title: "",
    has: (row) => row.percent !== null,
    cell: bar,
  },
  {
    name: "share",
    heading: "share",
    title: "the share of the secret's entropy that leaks on average",
    has: (row) => row.percent !== null,
    cell: share,
  },
  {
    name: "leak",
    heading: "leak",
    title: "the mutual information of secret and output",
    has: () => true,
    cell: leak,
  },
  {
    name: "worst",
    heading: "worst",
    title: "what the output that tells most tells, by divergence of the posterior from the prior",
    has: (row) => row.worst !== null,
    cell: (model, row) =>
      worst(model, row, (told) => numberText({ ...told.divergence, unit: "" }, digitsOf(model, BOUND_DIGITS))),
  },
  {
    name: "at",
    heading: "at",
    title: "the output that tells most",
    has: (row) => row.worst !== null,
    cell: (model, row) => worst(model, row, (told) => h("code", {}, told.output)),
  },
  {
    name: "guess",
    heading: "guess",
    more: " in one try",
    title: "how likely the attacker guesses the secret: before → after seeing the output",
    has: (row) => row.guess_after !== null,
    cell: guesses,
  },
];

export function leaks(model: Model): Node | null {
  const table = model.results?.table ?? [];
  if (table.length === 0) {
    return null;
  }
  const shown = table.slice(0, MOST_ROWS);
  const columns = COLUMNS.filter(({ has }) => shown.some(has));
  // Where each secret is seen through the one same output, that is said once, in the heading.
  const one = shown.every((row, index) => row.output === shown[0]?.output && isFirst(shown, index))
    ? (shown[0]?.output ?? null)
    : null;
  return section(
    "leaks",
    ["What leaks", h("span", { class: "aside" }, circumstances(model, shown, one))],
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col", class: "column-pair" }, one === null ? "through" : "secret"),
          ...columns.map(({ name, heading, more, title }) =>
            h(
              "th",
              { scope: "col", class: `column-${name}`, title },
              heading === "" ? h("span", { class: "unseen" }, name) : heading,
              more !== undefined && h("span", { class: "more" }, more),
            ),
          ),
        ),
      ),
      ...shown.flatMap((row, index) => {
        const pair = lines(model, row, one === null ? row.output : row.secret, columns);
        return [
          ...(one === null && isFirst(shown, index) ? [group(model, row, columns.length)] : []),
          h("tbody", { key: pairOf(row), class: row.headline ? "" : "minor" }, ...pair),
        ];
      }),
    ),
    table.length > MOST_ROWS &&
      quiet(`${String(table.length - MOST_ROWS)} more rows; “seepage check” prints all of them`),
  );
}

function isFirst(rows: readonly Row[], index: number): boolean {
  return rows.findIndex((other) => other.secret === rows[index]?.secret) === index;
}

/** `in bits, through total, at eps = 1`: what holds for all lines. */
function circumstances(model: Model, rows: readonly Row[], output: string | null): Child[] {
  const units = new Set(rows.flatMap(({ information }) => (information === null ? [] : [information.unit])));
  const [unit] = units;
  const values = valuesText(model);
  return [
    units.size === 1 && unit !== "" && ` in ${String(unit)}`,
    output !== null && [", through ", h("code", {}, output)],
    values !== "" && `, at ${values}`,
  ].flat();
}

/** A secret with what there is to leak, above its lines. */
function group(model: Model, row: Row, columns: number): Node {
  const entropy = drawable(shownIn<Measured>(model, numberSlot(`H(${row.secret})`, row.information?.unit ?? "")));
  const before = row.guess_before === null ? null : moved(model, row.guess_before);
  return h(
    "tbody",
    { key: `group ${row.secret}`, class: "group" },
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "rowgroup", colspan: columns + 1 },
        h("code", {}, row.secret),
        h(
          "span",
          { class: "aside" },
          entropy?.current === true && ` ${numberText(entropy.value.result, digitsOf(model, FEW_DIGITS))}`,
          before !== null && [
            entropy?.current === true ? ", guessed with " : " guessed with ",
            number(before, (each) => percentText(inPercent(each), digitsOf(model, BOUND_DIGITS))),
          ],
        ),
      ),
    ),
  );
}

/** The line of a pair and, where it is open, what is known beyond it. */
function lines(model: Model, row: Row, name: string, columns: readonly Column[]): Node[] {
  const what = pairOf(row);
  const open = isOpen(model, what, false);
  const toggle = button(
    open ? "▾" : "▸",
    { is: "open", what, open: !open },
    { class: "fold", "aria-expanded": String(open), "aria-label": `details of ${row.secret} through ${row.output}` },
  );
  const line = h(
    "tr",
    { class: open ? "open" : "" },
    h("th", { scope: "row", class: "column-pair" }, toggle, h("code", { title: name }, name)),
    ...(row.information === null
      ? [h("td", { class: "missing", colspan: columns.length }, row.note === "" ? "not computed" : row.note)]
      : columns.map((column) => h("td", { class: `column-${column.name}` }, column.cell(model, row)))),
  );
  return open ? [line, details(model, row, columns.length)] : [line];
}

function details(model: Model, row: Row, columns: number): Node {
  const found = row.information === null ? null : drawable(moved(model, row.information));
  const result = found?.current === true ? found.value : null;
  const facts: readonly (readonly [string, Child | readonly Child[]])[] = [
    ["worst", row.worst === null ? null : worst(model, row, (told) => worstSentence(model, row, told))],
    ["guess", row.guess_after === null ? null : guesses(model, row)],
    ["ε-DP", loss(model, row)],
    ["certainty", result !== null && chip(result.certainty, certaintyKind(result.certainty))],
    ["found by", result !== null && `the ${result.engine} engine, in ${duration(result.seconds)}`],
    ["note", [...(result?.notes ?? []), ...(row.note === "" ? [] : [row.note])].join("; ")],
  ];
  return h(
    "tr",
    { class: "details" },
    h(
      "td",
      { colspan: columns + 1 },
      h(
        "dl",
        {},
        ...facts
          .filter(([, fact]) => fact !== null && fact !== false && fact !== "")
          .flatMap(([term, fact]) => [h("dt", {}, term), h("dd", {}, fact)]),
      ),
      reasons(result?.because ?? []),
    ),
  );
}

function duration(seconds: number): string {
  return seconds < 0.001
    ? "under a millisecond"
    : seconds < 1
      ? `${(1000 * seconds).toFixed(0)} ms`
      : `${seconds.toFixed(1)} s`;
}

function bar(model: Model, row: Row): Child {
  if (row.percent === null) {
    return null;
  }
  const drawn = drawable(moved(model, row.percent));
  const width = drawn === null ? 0 : Math.min(100, Math.max(0, real(drawn.value.value ?? drawn.value.lower)));
  return h(
    "span",
    { class: drawn?.current === true ? "bar" : "bar previous", "aria-hidden": "true" },
    h("svg", { viewBox: "0 0 100 1", preserveAspectRatio: "none" }, h("rect", { width: width.toFixed(2), height: 1 })),
  );
}

function share(model: Model, row: Row): Child {
  return row.percent === null
    ? null
    : number(moved(model, row.percent), (result) => percentText(result, digitsOf(model, BOUND_DIGITS)));
}

function leak(model: Model, row: Row): Child {
  if (row.information === null) {
    return null;
  }
  const found = moved(model, row.information);
  const drawn = drawable(found);
  return h(
    "span",
    {},
    button(
      number(found, (result) => numberText({ ...result, unit: "" }, digitsOf(model, FEW_DIGITS))),
      { is: "choose", measure: idOf(row.information.measure, row.information.unit) },
      { class: "link strong", title: `look at ${row.information.measure}` },
    ),
    drawn?.current === true &&
      drawn.value.certainty === "approximate" &&
      h("span", { class: "aside warn" }, " approximate"),
  );
}

type Worst = NonNullable<Row["worst"]>;

function worst(model: Model, row: Row, write: (told: Worst) => Child | readonly Child[]): Child {
  const found = worstAt(model, row);
  if (row.worst === null) {
    return null;
  }
  if (found.kind === "failed") {
    return number(found);
  }
  const drawn = drawable(found) ?? { value: row, current: false };
  // Of rows far down the table nothing is asked.
  const previous =
    found.kind === "nothing" ? { title: "at the values of the text" } : { "aria-busy": "true", title: "computing" };
  const { worst: told, note } = drawn.value;
  return told === null
    ? h("span", { class: "none", title: note }, "not told")
    : h("span", drawn.current ? {} : { class: "previous", ...previous }, ...[write(told)].flat());
}

function worstSentence(model: Model, row: Row, told: Worst): Child[] {
  const found = worstAt(model, row);
  const left = drawable(found)?.value.least_left ?? null;
  return [
    h("code", {}, told.output),
    `: ${numberText(told.divergence, digitsOf(model, FEW_DIGITS))}`,
    left !== null && `; ${numberText(left.entropy, digitsOf(model, FEW_DIGITS))} are left at `,
    left !== null && h("code", {}, left.output),
  ];
}

function guesses(model: Model, row: Row): Child {
  if (row.guess_before === null || row.guess_after === null) {
    return null;
  }
  const percent = (result: Result): string => percentText(inPercent(result), digitsOf(model, BOUND_DIGITS));
  const before = moved(model, row.guess_before);
  const after = moved(model, row.guess_after);
  const guessed = [before, after].some((each) => {
    const drawn = drawable(each);
    return drawn?.current === true && drawn.value.certainty === "approximate";
  });
  return h(
    "span",
    { class: "guesses" },
    h("span", { class: "before" }, number(before, percent), " → "),
    number(after, percent),
    guessed && h("span", { class: "aside warn" }, " approximate"),
  );
}

/** The privacy loss of the output in the secret, everything else drawn as the program says. */
function loss(model: Model, row: Row): Child {
  const measure = lossOf(row);
  if (measure === null) {
    return null;
  }
  const text = (result: Result): string => lossText(result, digitsOf(model, FEW_DIGITS));
  const found: Shown<Measured> = shownIn<Measured>(model, numberSlot(measure, ""));
  switch (found.kind) {
    case "nothing":
      return null;
    case "failed":
      return h("span", { class: "none" }, found.message);
    case "waiting":
      return number({ kind: "waiting", previous: found.previous?.result ?? null }, text);
    case "current": {
      const { notes, witness } = found.value.result;
      const why = [...notes, witness].filter(Boolean).join("; ");
      return h(
        "span",
        {},
        number({ kind: "current", value: found.value.result }, text),
        why !== "" && h("span", { class: "aside" }, ` · ${why}`),
      );
    }
  }
}

function lossText(result: Result, digits: number): string {
  const [lower, upper] = [real(result.lower), real(result.upper)];
  if (lower === Infinity) {
    return "∞";
  }
  return upper === Infinity && !result.estimated
    ? `≥ ${rounded(lower, 3, "down")}`
    : numberText({ ...result, unit: "" }, digits);
}
