import assert from "node:assert/strict";
import { test } from "node:test";
import type { Result, Results, State } from "../panel/contract";
import type { Message } from "../panel/message";
import type { Model } from "../panel/model";
import { find, h, type Node, textOf } from "../panel/tree";
import { update } from "../panel/update";
import { page } from "../panel/view/page";
import { CURVE, MAP } from "../panel/wants";
import {
  RESULTS,
  URI,
  after,
  answer,
  asked,
  failure,
  full,
  parameter,
  place,
  result,
  tagged,
  withClass,
  withResults,
} from "./panel-fixture";

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

test("beside a dash nothing is said to be certain", () => {
  const moved = full({ is: "slide", name: "eps", part: 0.3 });
  const chips = (model: Model) => find(find(page(model), withClass("answers"))[0] ?? "", withClass("chip"));
  assert.equal(chips(moved).length, 0);
  assert.equal(chips(update(moved, failure(moved, place("H(r | o)"))).model).length, 0);
  assert.equal(chips(full()).length, 1);
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
