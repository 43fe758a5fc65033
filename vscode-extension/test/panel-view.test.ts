import assert from "node:assert/strict";
import { test } from "node:test";
import type { Explanation, Point, Posterior, Result, Results, Seen, State, Strategy } from "../panel/contract";
import type { Message } from "../panel/message";
import { axisOf, type Model } from "../panel/model";
import { pageOf, SEARCH } from "../panel/posteriors";
import { find, h, type Node, textOf } from "../panel/tree";
import { update } from "../panel/update";
import { curvePicture } from "../panel/view/curve";
import { page } from "../panel/view/page";
import { CURVE, CURVE_POINTS, MAP } from "../panel/wants";
import {
  after,
  answer,
  asked,
  CURVE_OF_EPS,
  MAP_OF_BOTH,
  parameter,
  place,
  point,
  result,
  RESULTS,
  SHOW,
  UNFOLD,
  URI,
  withResults,
  ROW,
} from "./panel-fixture";

const EXPLANATION: Explanation = {
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
const chance = (value: string, probability: number) => ({
  value,
  probability: { lower: probability, value: probability, upper: probability },
});
const POSTERIOR: Posterior = {
  version: 3,
  prior: [chance("0", 0.5), chance("1", 0.5)],
  outputs: [{ ...chance("1", 0.4), posterior: [chance("0", 0.25), chance("1", 0.75)] }],
  note: null,
};

/** The panel with everything answered. */
function full(...messages: readonly Message[]): Model {
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

const withClass = (name: string) => (node: Node) =>
  String(node.attributes["class"] ?? "")
    .split(" ")
    .includes(name);
const tagged =
  (...tags: readonly string[]) =>
  (node: Node) =>
    tags.includes(node.tag);
const ALL: readonly (readonly [string, Model])[] = [
  ["empty", after()],
  ["full", full()],
  ["moved", full({ is: "slide", name: "eps", part: 0.3 }, { is: "enter", name: "p", text: "7" })],
  [
    "ranges open",
    full(
      { is: "open", what: "range eps", open: true },
      { is: "open", what: "numbers map", open: true },
      { is: "open", what: "numbers curve", open: true },
    ),
  ],
  ["menu open", full({ is: "menu", which: "copy" })],
];

for (const [name, model] of ALL) {
  test(`controls have names, headings have cells, ids are unique (${name})`, () => {
    const tree = page(model);
    for (const control of find(tree, tagged("button"))) {
      assert.ok(
        textOf(control).trim() !== "" || control.attributes["aria-label"] !== undefined,
        JSON.stringify(control.attributes),
      );
    }
    for (const control of find(tree, tagged("input", "select", "svg"))) {
      const hidden = control.tag === "svg" && control.attributes["role"] === undefined;
      assert.ok(hidden || String(control.attributes["aria-label"] ?? "") !== "", JSON.stringify(control.attributes));
    }
    for (const table of find(tree, tagged("table"))) {
      assert.ok(
        find(table, tagged("th")).every(
          (cell) => cell.attributes["scope"] === "col" || cell.attributes["scope"] === "row",
        ),
      );
    }
    const ids = find(tree, (node) => node.attributes["id"] !== undefined).map((node) => node.attributes["id"]);
    assert.equal(new Set(ids).size, ids.length);
    for (const node of find(tree, () => true)) {
      for (const reference of ["aria-labelledby", "aria-describedby", "aria-controls"]) {
        const target = node.attributes[reference];
        assert.ok(target === undefined || ids.includes(target), `${reference} ${String(target)}`);
      }
      const keys = node.children.flatMap((child) => (typeof child === "string" || child.key === "" ? [] : [child.key]));
      assert.equal(new Set(keys).size, keys.length, `keys in ${node.tag}: ${keys.join()}`);
    }
  });
}

test("no number and no plot stands where none is computed for the values of the panel", () => {
  const answered = full({ is: "slide", name: "eps", part: 0.5 });
  const known = { version: 3, result: result("I(r; o)", 0.942) };
  const paused = [{ is: "pause" }, { is: "changed", uri: URI }, { is: "slide", name: "eps", part: 0.2 }] as const;
  const before = update(answered, answer(answered, place("I(r; o)"), known)).model;
  assert.match(textOf(page(before)), /0\.942/);
  const model = paused.reduce((each, message) => update(each, message).model, before);
  const text = textOf(page(model));
  assert.match(text, /at p = 1\/2, eps = 2/);
  assert.match(text, /not computed while the panel is paused/);
  assert.doesNotMatch(text, /0\.942|computing|on their way/);
  const other = update(model, { is: "choose", measure: "H(r | o) in bits" }).model;
  assert.deepEqual(
    find(page(other), (node) => node.tag === "svg" && node.attributes["role"] === "img").map(
      (node) => node.attributes["aria-label"],
    ),
    [],
  );
});

test("decorative pictures are hidden from screen readers", () => {
  for (const bar of find(page(full()), withClass("bar"))) {
    assert.equal(bar.attributes["aria-hidden"], "true");
  }
});

test("the table tells leak, share, worst output and guesses in one line, and the rest where it is opened", () => {
  const told = (model: Model): string => textOf(find(page(model), withClass("leaks"))[0] ?? "");
  const closed = told(withResults());
  for (const part of ["0.16", "16 %", "o = 1", "50 % → 73 %", "in bits", "through o", "at p = 1/2, eps = 1"]) {
    assert.ok(closed.includes(part), `${part} in ${closed}`);
  }
  const open: Message = { is: "open", what: "pair r through o", open: true };
  assert.ok(!(place("DP(r -> o)") in withResults().slots), "what is closed is not computed");
  assert.ok(asked(withResults(), open).some((want) => want.slot === place("DP(r -> o)")));
  for (const part of ["ε-DP", "certainty", "exact"]) {
    assert.ok(told(full()).includes(part), `${part} in ${told(full())}`);
  }
});

test("secrets with several outputs have a line of their own, and no column is empty", () => {
  const [row] = RESULTS.table;
  assert.ok(row !== undefined);
  const bare = { ...row, worst: null, least_left: null };
  const table = [bare, { ...bare, output: "p", headline: false }];
  const section = find(page(withResults({ ...RESULTS, table })), withClass("leaks"))[0] ?? page(withResults());
  assert.equal(find(section, withClass("group")).length, 1);
  const headings = find(section, tagged("th")).filter((each) => each.attributes["scope"] === "col");
  assert.deepEqual(headings.map(textOf), ["through", "bar", "share", "leak", "guess in one try"]);
});

test("the worst output follows the sliders, and is grey until it is known there", () => {
  const moved = full({ is: "slide", name: "p", part: 0.2 });
  const cell = (model: Model): Node => {
    const row = find(find(page(model), withClass("leaks"))[0] ?? page(model), tagged("td"));
    const found = ["column-at", "column-worst"].map((name) => row.find((each) => each.attributes["class"] === name));
    return h("tr", {}, ...found.map((each) => each ?? null));
  };
  assert.equal(textOf(cell(moved)), "o = 10.16");
  assert.equal(find(cell(moved), withClass("previous")).length, 2);
  const slot = "worst r through o";
  const told = {
    worst: { output: "o = 0", divergence: result("KL(r | o == 0 || r)", 0.3) },
    least_left: null,
    note: "",
  };
  const answered = update(moved, answer(moved, slot, { version: 3, ...told })).model;
  assert.equal(textOf(cell(answered)), "o = 00.3");
  assert.equal(find(cell(answered), withClass("previous")).length, 0);
  const none = update(moved, answer(moved, slot, { version: 3, worst: null, least_left: null, note: "cut" })).model;
  assert.equal(textOf(cell(none)), "not toldnot told");
  assert.ok(!textOf(cell(update(moved, failure(moved, slot)).model)).includes("0.16"));
});

test("a curve of few points shows them, says so, and offers more", () => {
  const values = Array.from({ length: CURVE_POINTS[0] }, (_, index) => index / 8);
  const plot = { ...CURVE_OF_EPS, axes: [{ parameter: "eps", values }], points: values.map(point) };
  const model = withResults();
  const slow = update(model, answer(model, CURVE, plot, 100)).model;
  const drawn = find(page(slow), withClass("pictures"))[0] ?? page(slow);
  assert.equal(find(drawn, withClass("computed")).length, CURVE_POINTS[0]);
  assert.ok(textOf(drawn).includes("finer ones are on their way"), "the first curve takes its time to get started");
  // That turned out to be too much: the coarse one is there to stay.
  const coarsened = update(slow, failure(slow, CURVE)).model;
  const again = update(coarsened, answer(coarsened, CURVE, plot, 100)).model;
  const figure = find(page(again), withClass("pictures"))[0] ?? page(again);
  assert.ok(textOf(figure).includes("computed at the 9 points only"));
  const more = find(figure, tagged("button")).find((each) => textOf(each) === "draw 33 points");
  const message = more?.on["click"]?.({} as never);
  assert.deepEqual(message, { is: "finer", slot: CURVE });
  const wanted = asked(again, message).find((want) => want.slot === CURVE);
  assert.equal((wanted?.params["over"] as { points: number }[])[0]?.points, CURVE_POINTS[1]);
});

function failure(model: Model, slot: string): Message {
  return { is: "failure", slot, key: model.slots[slot]?.key ?? "", message: "out of time" };
}

test("numbers have as many digits as the settings say", () => {
  const long = (measure: string): Result => result(measure, 0.8112781244591328);
  const [row] = RESULTS.table;
  assert.ok(row !== undefined);
  const table = [{ ...row, information: long("I(r; o)"), percent: { ...long("100 * I(r; o) / H(r)"), unit: "" } }];
  const answers = RESULTS.answers.map((each) => ({ ...each, result: long(each.measure) }));
  for (const digits of [2, 7, 15]) {
    const known = (0.8112781244591328).toPrecision(digits);
    const numbers = find(page(withResults({ ...RESULTS, digits, table, answers })), withClass("number")).map(textOf);
    const told = numbers.filter((each) => each.startsWith("0.8"));
    assert.deepEqual(told.sort(), [known, `${known} %`, `${known} bits`, `${known} bits`]);
  }
});

test("a number on its way is grey and marked busy", () => {
  const numbers = find(page(full({ is: "slide", name: "eps", part: 0.3 })), withClass("number"));
  const busy = numbers.filter((node) => node.attributes["aria-busy"] === "true");
  assert.ok(busy.length >= 4);
  assert.ok(busy.every(withClass("previous")));
  const settled = numbers.filter((node) => node.attributes["aria-busy"] !== "true").map(textOf);
  assert.ok(!settled.includes("0.16 bits"), "the number of the text's values is not shown as that of the slider's");
});

test("a failure stands in place of the number, with its reason", () => {
  const model = full({ is: "slide", name: "eps", part: 0.3 });
  const slot = place("I(r; o)");
  const failed = update(model, {
    is: "failure",
    slot,
    key: model.slots[slot]?.key ?? "",
    message: "out of time",
  }).model;
  const focus = find(page(failed), withClass("focus"))[0] ?? "";
  assert.ok(textOf(focus).includes("out of time"));
  assert.ok(!textOf(focus).includes("0.16"));
});

const STATES: readonly (readonly [State, string, string | null])[] = [
  ["stale", "the text has changed", "Analyse now"],
  ["computing", "computing", null],
  ["failed", "failed", "Analyse now"],
  ["timed out", "time", "Analyse now"],
  ["errors", "errors", "Show problems"],
  ["none", "not analysed yet", "Analyse now"],
];

for (const [state, says, offers] of STATES) {
  test(`'${state}' is said, with what to do`, () => {
    const results: Results = { ...RESULTS, state, current: state !== "stale" };
    const tree = page(withResults(results));
    const notice = find(tree, withClass("notice"))[0] ?? "";
    assert.ok(textOf(notice).includes(says), textOf(notice));
    assert.deepEqual(
      find(notice, tagged("button")).map(textOf),
      offers === null ? [] : state === "failed" ? [offers, "Show log"] : [offers],
    );
    assert.ok(withClass("dim")(tree), "the numbers are dimmed");
  });
}

test("without a program or a server the panel says what to do", () => {
  assert.ok(textOf(page(after())).includes("Open a .seep program"));
  const gone = withResults(RESULTS, { is: "server", health: "error", message: "the server has stopped", action: null });
  assert.ok(textOf(page(gone)).includes("the server has stopped"));
  const starting = { is: "server", health: "starting", message: "it is starting …", action: null } as const;
  assert.ok(
    textOf(page(withResults(RESULTS, starting))).includes("it is starting; the numbers below are the last ones"),
  );
  assert.ok(withClass("dim")(page(withResults(RESULTS, starting))));
  const refused = after(
    { is: "document", uri: URI, name: "a.seep" },
    { is: "no results", uri: URI, message: "not open" },
  );
  assert.ok(textOf(page(refused)).includes("not open"));
  assert.deepEqual(find(find(page(refused), withClass("notice"))[0] ?? "", tagged("button")).map(textOf), [
    "Open the program",
  ]);
});

test("of a program that was closed nothing is shown, and it can be opened again or let go", () => {
  const closed = update(full({ is: "pin" }), { is: "no results", uri: URI, message: "'poll.seep' is not open" }).model;
  const tree = page(closed);
  assert.equal(find(tree, withClass("number")).length, 0);
  const buttons = find(find(tree, withClass("notice"))[0] ?? "", tagged("button"));
  assert.deepEqual(buttons.map(textOf), ["Open the program", "Unpin"]);
  const message = buttons[0]?.on["click"]?.({} as never);
  assert.ok(message != null);
  const effect = update(closed, message).effects.find((each) => each.do === "reveal");
  assert.equal(effect?.do === "reveal" && effect.uri, URI);
  assert.equal(asked(closed, { is: "slide", name: "eps", part: 0.3 }).length, 0);
});

test("a program that asks nothing says how to ask", () => {
  assert.ok(textOf(page(withResults({ ...RESULTS, table: [], answers: [] }))).includes("declare a secret"));
});

test("a parameter whose domain is one point has a slider that stands still, and no plots", () => {
  const point = parameter("q", { domain: "[1/2, 1/2]", low: 0.5, high: 0.5, default: "1/2", value: 0.5 });
  const tree = page(withResults({ ...RESULTS, parameters: [point] }));
  const slider = find(tree, (node) => node.attributes["id"] === "slider-q")[0];
  assert.deepEqual([slider?.attributes["disabled"], slider?.attributes["step"]], [true, 1]);
  assert.ok(!textOf(tree).includes("NaN"));
  assert.ok(!JSON.stringify(tree).includes("NaN"));
  assert.equal(find(tree, withClass("plots")).length, 0);
});

test("the curve is over the last parameter that the measure depends on, until another is chosen", () => {
  const [p, eps] = RESULTS.parameters;
  assert.ok(p !== undefined && eps !== undefined);
  const parameters = [
    { ...p, measures: ["I(r; o)"] },
    { ...eps, measures: [] },
  ];
  const model = withResults({ ...RESULTS, parameters });
  assert.equal(axisOf(model)?.name, "p");
  assert.equal(axisOf(update(model, { is: "axis", name: "eps" }).model)?.name, "eps");
  assert.equal(axisOf(withResults())?.name, "eps", "the last where that is not known");
});

test("a curve that is infinite everywhere is said in words, not drawn in a frame", () => {
  const infinite = { ...point(0), value: "inf", upper: "inf" };
  const curves = (points: unknown) => {
    const model = withResults();
    const tree = page(update(model, answer(model, CURVE, { ...CURVE_OF_EPS, points })).model);
    const plots = find(tree, withClass("plots"))[0] ?? tree;
    return [textOf(plots), find(plots, withClass("curve")).length] as const;
  };
  const [all, none] = curves([infinite, infinite, infinite]);
  assert.ok(all.includes("infinite at every point"));
  assert.equal(none, 0);
  const [some, one] = curves([infinite, point(0.2), point(0.3)]);
  assert.ok(some.includes("infinite at 1 of 3 points"));
  assert.equal(one, 1);
});

test("nothing is on its way in a program with errors, or while the panel is paused", () => {
  const asking = { ...RESULTS.answers[0], result: null, error: null } as Results["answers"][number];
  const broken = withResults({ ...RESULTS, state: "errors", table: [], answers: [asking] });
  const paused = full({ is: "pause" }, { is: "slide", name: "eps", part: 0.3 });
  for (const model of [broken, paused]) {
    assert.equal(find(page(model), (node) => node.attributes["aria-busy"] === "true").length, 0);
  }
});

test("without parameters nothing is said of a closed form in them", () => {
  assert.ok(!textOf(page(withResults({ ...RESULTS, parameters: [], table: [] }))).includes("closed form"));
  assert.ok(textOf(page(withResults({ ...RESULTS, table: [] }))).includes("no closed form in the parameters"));
});

test("sentences of notices end once", () => {
  const message = "The set-up takes about a minute.";
  const text = textOf(page(withResults(RESULTS, { is: "server", health: "error", message, action: null })));
  assert.ok(text.includes("about a minute; the numbers below"), text);
});

test("verdicts are words, not colours alone, and lead to their line", () => {
  const budgets = find(page(full()), withClass("budgets"))[0] ?? "";
  assert.ok(textOf(budgets).includes("violated"));
  assert.ok(textOf(budgets).includes("0.4 bits at eps = 1"));
  const jump = find(budgets, tagged("button"))[0];
  assert.deepEqual(jump?.on["click"]?.({ value: "", key: "", open: false, x: 0, y: 0 }), {
    is: "jump",
    range: RESULTS.answers[1]?.range,
  });
});

test("an approximate answer says because of which line", () => {
  const answers = find(page(full()), withClass("answers"))[0] ?? "";
  assert.ok(textOf(answers).includes("approximate"));
  assert.ok(textOf(answers).includes("line 7 a product of random values"));
});

test("what was told above is not told again, but for the line", () => {
  const unsure = result("I(r; o)", 0.4, {
    certainty: "approximate",
    because: [0, 1].map(() => ({ code: "SEEP401", message: "a product of random values", line: 7, column: 3 })),
  });
  const results = {
    ...RESULTS,
    table: RESULTS.table.map((row) => ({ ...row, information: unsure })),
    answers: RESULTS.answers.map((answer) => ({ ...answer, result: unsure })),
  };
  const text = textOf(page(withResults(results)));
  assert.equal(text.split("a product of random values").length, 2);
  assert.equal(text.split("because of line 7").length, 3);
});

test("a chance to guess that is approximate is called so, and so is a curve", () => {
  const row = RESULTS.table[0];
  assert.ok(row?.guess_after != null);
  const after = { ...row.guess_after, certainty: "approximate" as const };
  const model = withResults({ ...RESULTS, table: [{ ...row, guess_after: after }] });
  assert.ok(textOf(find(page(model), withClass("guesses"))[0] ?? "").endsWith("approximate"));
  const certain = find(page(full()), withClass("guesses"))[0] ?? "";
  assert.ok(!textOf(certain).includes("approximate"));
  const points = [0.1, 0.2, 0.3].map((value, index) => ({ ...point(value), certainty: guessed[index] })) as Point[];
  const answered = update(model, answer(model, CURVE, { ...CURVE_OF_EPS, points })).model;
  const plots = find(page(answered), withClass("plots"))[0] ?? "";
  assert.ok(textOf(plots).includes("approximate at 1 of 3 points"));
  assert.equal(find(plots, withClass("guess")).length, 1);
  assert.equal(find(find(page(full()), withClass("plots"))[0] ?? "", withClass("guess")).length, 0);
});
const guessed = ["certified", "certified", "approximate"] as const;

test("beside a dash nothing is said to be certain", () => {
  const moved = full({ is: "slide", name: "eps", part: 0.3 });
  const chips = (model: Model) => find(find(page(model), withClass("answers"))[0] ?? "", withClass("chip"));
  assert.equal(chips(moved).length, 0);
  assert.equal(chips(update(moved, failure(moved, place("H(r | o)"))).model).length, 0);
  assert.equal(chips(full()).length, 1);
});

test("a gap in a curve is said, and its points are told apart", () => {
  const plots = find(page(full()), withClass("plots"))[0] ?? "";
  assert.ok(textOf(plots).includes("no number at 1 of 3 points: no run passes"));
  const curve = find(plots, withClass("curve"))[0];
  assert.equal(String(curve?.attributes["d"]).match(/M/g)?.length, 2);
});

test("a budget is drawn at its height and named", () => {
  const plots = find(page(full()), withClass("plots"))[0] ?? "";
  assert.equal(find(plots, withClass("budget-text")).map(textOf).join(), "budget 0.3 bits");
});

test("the map has a cell for each pair of values, and a bar of colours", () => {
  const svg = find(
    page(full()),
    (node) => node.tag === "svg" && String(node.attributes["aria-label"]).includes("p and eps"),
  )[0];
  const cells = find(svg ?? "", (node) => node.key === "cells")[0];
  assert.equal(cells?.children.length, 6);
});

test("steps of a derivation fold, and statements lead to their lines", () => {
  const open = find(page(full()), withClass("derivation"))[0] ?? "";
  assert.ok(textOf(open).includes("o := r"));
  const fold = find(open, (node) => withClass("fold")(node) && node.tag === "button")[0];
  const message = fold?.on["click"]?.({ value: "", key: "", open: false, x: 0, y: 0 });
  assert.ok(message != null);
  const closed = find(page(full(message)), withClass("derivation"))[0] ?? "";
  assert.ok(!textOf(closed).includes("o := r"));
  assert.ok(textOf(closed).includes("2 lines") && textOf(closed).includes("the end"));
});

/** A hundred secrets of which each of fifty outputs leaves two. */
const LONG: Posterior = {
  prior: Array.from({ length: 100 }, (_, at) => chance(`p${String(at)}`, 0.01)),
  outputs: Array.from({ length: 50 }, (_, at) => ({
    ...chance(String(at), 0.02),
    posterior: [chance(`p${String(2 * at)}`, 0.75), chance(`p${String(2 * at + 1)}`, 0.25)],
  })),
  note: null,
  version: 3,
};

function paged(...messages: readonly Message[]): string[] {
  const known = full();
  const long = update(known, answer(known, "posterior", LONG)).model;
  const model = messages.reduce((before, message) => update(before, message).model, long);
  return find(page(model), withClass("posterior")).flatMap((each) => find(each, tagged("tr", "p")).map(textOf));
}

test("posteriors of many values are paged and searched", () => {
  const first = paged();
  assert.equal(first.length, 1 + 1 + 25 + 1);
  assert.equal(first[2], "o = 02 %2p0 75 %");
  assert.equal(first.at(-1), "1 to 25 of 50 values of o ");
  const next = paged({ is: "type", name: pageOf(""), text: "25" });
  assert.equal(next[2], "o = 252 %2p50 75 %");
  assert.equal(next.at(-1), "26 to 50 of 50 values of o ");
  // A search starts at its first page, and finds secrets that are not the likeliest.
  assert.deepEqual(
    paged({ is: "type", name: pageOf(""), text: "25" }, { is: "type", name: SEARCH, text: "P77" }).slice(2),
    ["o = 382 %2p77 25 %", "1 to 1 of 1 values of o "],
  );
  assert.equal(paged({ is: "type", name: SEARCH, text: "nobody" }).at(-1), "nothing is called so");
});

test("posteriors stand beside the prior", () => {
  const posterior = find(page(full()), withClass("posterior"))[0] ?? "";
  for (const part of ["before", "o = 1", "40 %", "25 %", "75 %"]) {
    assert.ok(textOf(posterior).includes(part), part);
  }
});

test("what is closed is not asked for", () => {
  const model = full({ is: "open", what: "derivation", open: false }, { is: "open", what: "plots", open: false });
  assert.deepEqual(
    Object.keys(model.slots).filter((slot) => ["derivation", CURVE, MAP].includes(slot)),
    [],
  );
  assert.ok(textOf(page(model)).includes("Derivation"));
});

test("a field that holds no value says so and keeps what was typed", () => {
  const tree = page(full({ is: "enter", name: "p", text: "7" }));
  const field = find(tree, (node) => node.attributes["aria-label"] === "value of p")[0];
  assert.deepEqual([field?.attributes["value"], field?.attributes["aria-invalid"]], ["7", "true"]);
  assert.ok(textOf(tree).includes("expected a value in [0, 1]"));
});

test("at first open nothing is said to be of a text before, and what is missing is being computed", () => {
  const answers = RESULTS.answers.map((each) => ({ ...each, verdict: null, result: null, error: null }));
  const first: Results = { ...RESULTS, version: null, current: false, state: "computing", table: [], answers };
  const said = textOf(page(withResults(first)));
  assert.match(said, /computing …/);
  assert.doesNotMatch(said, /text before|no result|no verdict/);
  const partial = textOf(page(withResults({ ...first, version: 3, current: true })));
  assert.match(partial, /computing the rest/);
  assert.doesNotMatch(partial, /text before/);
});

const SHAPES: Readonly<Record<string, (x: number) => number>> = {
  rising: (x) => x,
  falling: (x) => 1 - x,
  valley: (x) => (2 * x - 1) ** 2,
  hill: (x) => 1 - (2 * x - 1) ** 2,
  steep: (x) => 1 / (1 + Math.exp(-40 * (x - 0.5))),
  flat: () => 0.5,
  low: () => 0,
};

for (const [name, shape] of Object.entries(SHAPES)) {
  for (const at of [0, 0.1, 0.25, 0.45, 0.5, 0.55, 0.75, 0.9, 1]) {
    test(`the label at ${String(at)} of a curve that is ${name} does not lie across it`, () => {
      const values = Array.from({ length: 65 }, (_, index) => index / 64);
      const points = values.map((x) => point(shape(x)));
      const picture = curvePicture({
        plot: { ...CURVE_OF_EPS, axes: [{ parameter: "eps", values }], points },
        label: "I(r; o)",
        logarithmic: false,
        budgets: [],
        marker: { at, value: shape(at), text: "0.1887 bits" },
        pointed: null,
      });
      const label = find(picture, withClass("label"))[0];
      const path = find(picture, withClass("curve"))[0];
      assert.ok(label !== undefined && path !== undefined);
      const [x, y] = [Number(label.attributes["x"]), Number(label.attributes["y"])];
      const width = 6 * "0.1887 bits".length;
      const left = label.attributes["text-anchor"] === "end" ? x - width : x;
      const ends = [...String(path.attributes["d"]).matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map((each) => [
        Number(each[1]),
        Number(each[2]),
      ]);
      // Along each straight piece of the curve, closely.
      for (const [index, [x1 = NaN, y1 = NaN]] of ends.entries()) {
        const [x2 = x1, y2 = y1] = ends[index + 1] ?? [x1, y1];
        for (let part = 0; part <= 1; part += 1 / 32) {
          const [px, py] = [x1 + part * (x2 - x1), y1 + part * (y2 - y1)];
          assert.ok(!(px > left && px < left + width && py > y - 10 && py < y + 2), `${String(px)}, ${String(py)}`);
        }
      }
    });
  }
}

const known = (text: string, yes: boolean, chance: number, value: string): Seen => ({
  text,
  seen: { answer: yes ? "1" : "0" },
  chance,
  left: { bits: 0, guess: 1, value, among: "" },
  then: null,
});
const unsure = (text: string, yes: boolean, chance: number, among: string, then: Seen["then"]): Seen => ({
  text,
  seen: { answer: yes ? "1" : "0" },
  chance,
  left: { bits: 1, guess: 0.5, value: "", among },
  then,
});
/** Ask for 1 first: of four grades with equal chances, one answer tells one bit, two tell all. */
const PLAYED: Strategy = {
  text: "q[1] = 1; …",
  how: "backward induction",
  decided: true,
  onlyBounds: "",
  secret: "grade",
  statements: ["q[1] := 1", "q[2] := if yes[1] == 1 then 0 else 2"],
  beforehand: {
    choose: { "q[1]": "0", "q[2]": "1" },
    value: 1.5,
    unit: "bits",
    left: { bits: 0.5, guess: 0.75, value: "", among: "" },
  },
  start: [
    {
      text: "",
      seen: {},
      chance: 1,
      left: { bits: 2, guess: 0.25, value: "", among: "" },
      then: {
        choose: { "q[1]": "1" },
        asks: "grade <= 1",
        answers: [
          unsure("yes[1]", true, 0.5, "grade <= 1", {
            choose: { "q[2]": "0" },
            asks: "grade <= 0",
            answers: [known("yes[2]", true, 0.25, "grade = 0"), known("not yes[2]", false, 0.25, "grade = 1")],
          }),
          unsure("not yes[1]", false, 0.5, "grade >= 2", null),
        ],
      },
    },
  ],
};

function attacked(more: Partial<Result>, ...messages: readonly Message[]): string[] {
  const results: Results = {
    ...RESULTS,
    answers: [{ ...SHOW, measure: "I(r; o)", result: result("I(r; o)", 2, more) }],
    // A row of the table does not tell the strategy.
    table: [{ ...ROW, information: result("I(r; o)", 2) }],
  };
  const tree = page(withResults(results, ...messages));
  const [drawn] = find(tree, withClass("strategy"));
  return drawn === undefined ? [] : find(drawn, tagged("summary", "h3", "p", "tr", "pre")).map(textOf);
}

test("a strategy is a tree of questions and answers, with what each leaves, and who asks all at once stands beside", () => {
  assert.deepEqual(attacked({ strategy: PLAYED }), [
    "Best strategy for I(r; o)",
    // Half of the runs know the grade in the end, the other half are between two.
    "Two questions, each chosen after the answers before, tell 1.5 of 2 bits about grade. A guess in one try is then right with 75\u00a0%, before with 25\u00a0%.",
    "who asksleak, bitsshareguess",
    "adaptive, this one1.575 %75 %",
    "all chosen beforehand 0, 11.575 %75 %",
    "question and answerhappensbits leftguess",
    "▾ ask grade <= 1100 %2.00025 %",
    "▾yes ask grade <= 050 %1.00050 %",
    "yes grade = 025 %0100 %",
    "no grade = 125 %0100 %",
    "no grade >= 250 %1.00050 %",
    "A line tells what is left when it is reached. Of equal trees, the one whose choices come first in the domain. What cannot happen is left out. How it was found: backward induction.",
  ]);
  assert.deepEqual(attacked({}), []);
});

test("a strategy of which nothing is left to weigh names what is seen and chosen", () => {
  const [start] = PLAYED.start;
  const then = { choose: { g: "3" }, asks: "", answers: [] };
  const plain: Strategy = {
    ...PLAYED,
    start: start === undefined ? [] : [{ ...start, left: null, then }],
    beforehand: null,
  };
  assert.deepEqual(attacked({ strategy: plain }).slice(2, 4), ["seen, and chosen thenhappens", " choose g = 3100 %"]);
});

test("a strategy as statements unfolds", () => {
  const told = attacked({ strategy: PLAYED }, { is: "open", what: "statements Best strategy for I(r; o)", open: true });
  assert.equal(told.at(-1), "q[1] := 1\nq[2] := if yes[1] == 1 then 0 else 2");
});

test("lines of a strategy close, and a measure without a direction has two", () => {
  const closed = attacked(
    { strategy: PLAYED },
    { is: "open", what: "strategy Best strategy for I(r; o) 0 0", open: false },
  );
  assert.equal(closed.length, 10);
  const ends = { minimum: result("E(n)", 1, { strategy: PLAYED }), maximum: result("E(n)", 2, { strategy: PLAYED }) };
  assert.deepEqual(
    attacked(ends).filter((text) => text.startsWith("Strateg")),
    ["Strategies for I(r; o)", "Strategy for the least I(r; o)", "Strategy for the largest I(r; o)"],
  );
});
