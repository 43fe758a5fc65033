/** What the panel shows, as text to copy and as files. */

import {
  type Bounds,
  type Chance,
  type Explanation,
  type Plot,
  type Point,
  type Posterior,
  real,
  type Result,
  type Row,
} from "./contract";
import type { Copied, Picture } from "./message";
import { axesOf, axisOf, channelOf, digitsOf, focusOf, isCurrent, type Model, overrides } from "./model";
import { BOUND_DIGITS, FEW_DIGITS, MOST_DIGITS, numberText, percentText } from "./numbers";
import { type Shown, shown } from "./slots";
import { h, type Node, serialize } from "./tree";
import { curvePicture } from "./view/curve";
import { mapPicture } from "./view/heatmap";
import { type Measured, moved, numberAt, valuesText, worstAt } from "./view/parts";
import { curveOf, mapOf } from "./view/plots";
import { CURVE, DERIVATION, lossOf, MAP, numberSlot, POSTERIOR } from "./wants";

/** The number in focus, if it is current; nothing else is copied or exported as a number. */
function present(model: Model): { readonly label: string; readonly text: string; readonly result: Result } | null {
  const focus = focusOf(model);
  const result =
    focus === null || !isCurrent(model) ? null : current(numberAt(model, focus.text, focus.unit, focus.result));
  return focus === null || result === null ? null : { label: focus.label, text: focus.text, result };
}

function current<T>(found: Shown<T>): T | null {
  return found.kind === "current" ? found.value : null;
}

export function copied(model: Model, form: Copied): string {
  switch (form) {
    case "markdown":
      return markdown(model);
    case "latex":
      return latex(model);
    case "command":
      return command(model);
    case "derivation in markdown":
    case "derivation in latex":
      return derivation(model, form === "derivation in latex" ? "latex" : "markdown");
  }
}

function markdown(model: Model): string {
  const name = model.document?.name ?? "";
  const values = valuesText(model);
  const lines = [`**${name}**${values === "" ? "" : ` at ${values}`}`, ""];
  const number = present(model);
  if (number === null) {
    lines.push("The numbers are not those of the text as it is.");
  } else {
    lines.push(
      `\`${number.label}\` = ${numberText(number.result, digitsOf(model, MOST_DIGITS))} · ${number.result.certainty}`,
    );
    if (number.result.formula !== null) {
      lines.push("", `\`${number.result.formula}\``);
    }
  }
  if (isCurrent(model) && (model.results?.table.length ?? 0) > 0) {
    lines.push("", "| secret | through | leak | of its entropy | certainty |", "| --- | --- | --- | --- | --- |");
    for (const row of tableRows(model)) {
      lines.push(`| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Secret, output, leak, share, certainty of each row as text; a dash where no current number is there. */
function tableRows(model: Model): string[][] {
  return (model.results?.table ?? []).map((row) => {
    const at = (result: Result | null): Result | null => (result === null ? null : current(moved(model, result)));
    const [leak, share] = [at(row.information), at(row.percent)];
    return [
      row.secret,
      row.output,
      leak === null ? "—" : numberText(leak, digitsOf(model, FEW_DIGITS)),
      share === null ? "—" : percentText(share, digitsOf(model, BOUND_DIGITS)),
      leak?.certainty ?? "—",
    ];
  });
}

function latex(model: Model): string {
  const number = present(model);
  const result = number?.result ?? focusOf(model)?.result ?? null;
  const symbol = `\\texttt{${inLatex(focusOf(model)?.label ?? "")}}`;
  const lines = [`\\[ ${symbol}${result?.latex == null ? "" : ` = ${result.latex}`} \\]`];
  if (number !== null) {
    const values = valuesText(model);
    lines.push(
      `% ${numberText(number.result, digitsOf(model, MOST_DIGITS))}, ${number.result.certainty}${values === "" ? "" : `, at ${values}`}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

const IN_LATEX: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
};

/** Code as it stands, in text mode; mathematics would close up its blanks. */
function inLatex(code: string): string {
  return code.replace(/[\\{}$&#^_%~]/g, (sign) => IN_LATEX[sign] ?? `\\${sign}`);
}

/** The derivation, where it is current. */
function derivation(model: Model, form: "markdown" | "latex"): string {
  const found = shown<Explanation>(model.slots[DERIVATION]);
  return isCurrent(model) && found.kind === "current" ? `${found.value[form]}\n` : "";
}

/** The command that prints the number in focus. */
export function command(model: Model): string {
  const { document } = model;
  const set = Object.entries(inForce(model)).flatMap(([name, text]) => ["--set", quoted(`${name}=${text}`)]);
  const focus = focusOf(model);
  // Said even if it is bits: the project's file, which the command reads, may say otherwise, as may the settings, which it does not.
  const named = present(model)?.result.unit ?? focus?.unit;
  const unit = named === "nats" || named === "bits" ? ["--unit", named] : [];
  return ["seepage", "measure", quoted(path(document?.uri ?? "")), quoted(focus?.text ?? ""), ...set, ...unit].join(
    " ",
  );
}

/** The values that the command line would not take by itself: of the panel, and of the settings. */
function inForce(model: Model): Readonly<Record<string, string>> {
  const settings = (model.results?.parameters ?? [])
    .filter((parameter) => parameter.overridden)
    .map((parameter) => [parameter.name, String(real(parameter.value))] as const);
  return { ...Object.fromEntries(settings), ...overrides(model) };
}

function path(uri: string): string {
  return uri.startsWith("file:///") ? decodeURIComponent(uri.slice("file://".length)) : (uri.split("/").at(-1) ?? uri);
}

function quoted(text: string): string {
  return /^[\w./=:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

// --- files ----------------------------------------------------------------------------------------------------------

/** A name for a file, made of the program's and the measure's. */
export function fileName(model: Model, what: string, as: string): string {
  const name = (model.document?.name ?? "program").replace(/\.seep$/, "");
  const label =
    focusOf(model)
      ?.label.replace(/[^\w]+/g, "-")
      .replace(/^-|-$/g, "") ?? "";
  return [name, label, what].filter(Boolean).join("-").toLowerCase() + `.${as}`;
}

/** A plot as it is shown, as an SVG document; null unless it is current. */
export function picture(model: Model, what: Picture, style: string): string | null {
  const plot = currentPlot(model, what);
  const axis = axisOf(model);
  const axes = axesOf(model);
  const drawn: Node | null =
    plot === null
      ? null
      : what === "curve"
        ? axis && curvePicture({ ...curveOf(model, axis, plot), pointed: null })
        : axes && mapPicture({ ...mapOf(model, axes, plot), pointed: null });
  if (drawn === null) {
    return null;
  }
  const [width, height] = String(drawn.attributes["viewBox"]).split(" ").slice(2);
  const ground = h("rect", { class: "paper", width: width ?? 0, height: height ?? 0 });
  const title = h("title", {}, String(drawn.attributes["aria-label"]));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${serialize({
    ...drawn,
    attributes: { ...drawn.attributes, width: width ?? 0, height: height ?? 0 },
    children: [title, h("style", {}, style), ground, ...drawn.children],
  })}\n`;
}

export function currentPlot(model: Model, what: Picture): Plot | null {
  const found = shown<Plot>(model.slots[what === "curve" ? CURVE : MAP]);
  return isCurrent(model) && found.kind === "current" ? found.value : null;
}

/** Numbers as CSV (RFC 4180), in full precision; null unless they are current. */
export function csv(model: Model, what: Picture | "table" | "posteriors"): string | null {
  if (what === "posteriors") {
    return posteriors(model);
  }
  if (what === "table") {
    return isCurrent(model) ? rows([TABLE, ...(model.results?.table ?? []).map((row) => tableLine(model, row))]) : null;
  }
  const plot = currentPlot(model, what);
  if (plot === null) {
    return null;
  }
  const [first, second] = plot.axes;
  const unit = plot.unit === "" ? "" : ` (${plot.unit})`;
  const names = [`lower${unit}`, `value${unit}`, `upper${unit}`, "note"];
  if (what === "curve") {
    const lines = (plot.points ?? []).map((point, index) => [String(first?.values[index] ?? ""), ...cells(point)]);
    return rows([[first?.parameter ?? "", ...names], ...lines]);
  }
  const lines = (plot.rows ?? []).flatMap((row, i) =>
    row.map((point, j) => [String(first?.values[i] ?? ""), String(second?.values[j] ?? ""), ...cells(point)]),
  );
  return rows([[first?.parameter ?? "", second?.parameter ?? "", ...names], ...lines]);
}

/** A line for each output and each value of the secret that is possible then. */
function posteriors(model: Model): string | null {
  const table = current(shown<Posterior>(model.slots[POSTERIOR]));
  const row = channelOf(model);
  if (table === null || row === null || !isCurrent(model)) {
    return null;
  }
  const ends = ({ lower, value, upper }: Bounds): string[] => [lower, value, upper].map((each) => String(each ?? ""));
  const line = (seen: string, happens: string, { value, probability }: Chance): string[] => [
    seen,
    happens,
    value,
    ...ends(probability),
  ];
  return rows([
    [row.output, "happens", row.secret, "lower", "value", "upper"],
    ...table.prior.map((each) => line("", "", each)),
    ...table.outputs.flatMap(({ value, probability, posterior }) =>
      posterior.map((each) => line(value, String(probability.value ?? ""), each)),
    ),
  ]);
}

const [LEAK, SHARE, WORST, LEFT] = ["leak", "share of entropy (%)", "divergence", "entropy left"];
const [BEFORE, AFTER, LOSS] = ["guess before", "guess after", "privacy loss"];
const TABLE = [
  ...["secret", "output", "unit", ...columns(LEAK), ...columns(SHARE)],
  ...["worst output", ...columns(WORST), "output that leaves least", ...columns(LEFT)],
  ...[...columns(BEFORE), ...columns(AFTER), ...columns(LOSS), "note"],
];

function columns(name: string): string[] {
  return [`${name} lower`, name, `${name} upper`, `${name} certainty`];
}

/** The unit is that of leak, divergence and entropy; guesses are chances, the privacy loss is the ε of ε-DP. */
function tableLine(model: Model, row: Row): string[] {
  const at = (result: Result | null): Shown<Result> | null => (result === null ? null : moved(model, result));
  const [leak, share] = [at(row.information), at(row.percent)];
  const [before, after] = [at(row.guess_before), at(row.guess_after)];
  const worst = row.worst === null ? null : worstAt(model, row);
  const told = worst === null ? null : current(worst);
  const measure = row.headline ? lossOf(row) : null;
  const loss = measure === null ? null : shown<Measured>(model.slots[numberSlot(measure, "")]);
  const notes = [
    row.note,
    ...[lack(LEAK, leak), lack(SHARE, share), lack(WORST, worst)],
    ...[lack(BEFORE, before), lack(AFTER, after), lack(LOSS, loss)],
  ];
  return [
    ...[row.secret, row.output, row.information?.unit ?? ""],
    ...[...numbers(leak && current(leak)), ...numbers(share && current(share))],
    ...[told?.worst?.output ?? "", ...numbers(told?.worst?.divergence)],
    ...[told?.least_left?.output ?? "", ...numbers(told?.least_left?.entropy)],
    ...[...numbers(before && current(before)), ...numbers(after && current(after))],
    ...numbers(loss && current(loss)?.result),
    notes.filter(Boolean).join("; "),
  ];
}

/** Bounds, value and certainty; empty where no current number is there. */
function numbers(result: Result | null | undefined): string[] {
  return result == null ? ["", "", "", ""] : [...enclosure(result), result.certainty];
}

/** Why there is no current number where there could be one. */
function lack(name: string, found: Shown<unknown> | null): string {
  if (found === null || found.kind === "current") {
    return "";
  }
  return `${name}: ${found.kind === "failed" ? found.message : "not computed yet"}`;
}

function enclosure({ lower, value, upper }: Bounds): string[] {
  return [lower, value, upper].map((each) =>
    each === null ? "" : typeof each === "number" ? String(each) : infinite(each),
  );
}

/** As spreadsheets and programs read it; what doubles do not hold stays written out. */
function infinite(wire: string): string {
  return wire === "inf" ? "Infinity" : wire === "-inf" ? "-Infinity" : wire;
}

function cells(point: Point): string[] {
  return point.fault === null ? [...enclosure(point), ""] : ["", "", "", point.fault];
}

function rows(lines: readonly (readonly string[])[]): string {
  return lines
    .map(
      (line) =>
        `${line.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`,
    )
    .join("");
}
