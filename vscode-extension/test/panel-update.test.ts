import assert from "node:assert/strict";
import { test } from "node:test";
import { isMethod, METHODS } from "../panel/host";
import { focusOf, isCurrent, kept, overrides, resumed } from "../panel/model";
import { drawable, shown } from "../panel/slots";
import { update } from "../panel/update";
import { CURVE, CURVE_POINTS, MAP, wants } from "../panel/wants";
import { stateOf } from "../panel/view/header";
import {
  after,
  answer,
  asked,
  CURVE_OF_EPS,
  line,
  parameter,
  place,
  REQUIRE,
  result,
  RESULTS,
  ROW,
  SHOW,
  UNFOLD,
  URI,
  withResults,
} from "./panel-fixture";

const INFORMATION = place("I(r; o)");

test("a program that comes to the front has its results fetched", () => {
  const { effects } = update(after(), { is: "document", uri: URI, name: "poll.seep" });
  assert.ok(effects.some((effect) => effect.do === "fetch" && effect.uri === URI));
});

test("nothing is asked for before the values of the text are left, but what the analysis does not say", () => {
  const methods = asked(after({ is: "document", uri: URI, name: "poll.seep" }), {
    is: "results",
    uri: URI,
    results: RESULTS,
  });
  assert.deepEqual(
    methods.map((want) => want.slot),
    [place("H(r)"), CURVE, MAP],
  );
});

test("a measure that is asked for while the panel opens is looked at once there are results", () => {
  const first = { ...SHOW, measure: "H(o)", text: "show H(o)", result: result("H(o)", 1) };
  const model = after(
    { is: "document", uri: URI, name: "poll.seep" },
    { is: "look", uri: URI, name: "poll.seep", measure: "H(o)" },
    { is: "results", uri: URI, results: { ...RESULTS, answers: [SHOW, first] } },
  );
  assert.equal(focusOf(model)?.text, "H(o)");
});

test("a slider asks for the numbers at its value, after a moment", () => {
  const wants = asked(withResults(), { is: "slide", name: "eps", part: 0.3 });
  const first = wants[0];
  assert.equal(first?.slot, INFORMATION);
  assert.deepEqual(first.params["parameters"], { eps: "3" });
  assert.ok(first.after >= 50 && first.after <= 100);
});

test("a host passes on all that the panel asks for, and nothing else", () => {
  const eps = parameter("eps", { measures: ["I(r; o)"] });
  const results = { ...RESULTS, parameters: [eps], answers: [{ ...REQUIRE, over: null }] };
  const open = withResults(results, ...UNFOLD);
  const wants = asked(open, { is: "slide", name: "eps", part: 0.3 });
  assert.deepEqual(new Set(["seepage/results", ...wants.map((want) => want.method)]), new Set(METHODS));
  assert.ok(METHODS.every(isMethod));
  assert.ok(!["workspace/executeCommand", "shutdown", "seepage/", "length", ""].some(isMethod));
});

test("the curve over a parameter does not depend on where its slider stands", () => {
  const model = withResults(RESULTS, { is: "slide", name: "eps", part: 0.3 });
  const moved = update(model, { is: "slide", name: "eps", part: 0.6 }).model;
  assert.equal(moved.slots[CURVE]?.key, model.slots[CURVE]?.key);
  assert.notEqual(moved.slots[INFORMATION]?.key, model.slots[INFORMATION]?.key);
});

test("an answer to an earlier position never counts as current", () => {
  const first = withResults(RESULTS, { is: "slide", name: "eps", part: 0.3 });
  const late = answer(first, INFORMATION, { version: 3, result: result("I(r; o)", 0.3) });
  const second = update(first, { is: "slide", name: "eps", part: 0.6 }).model;
  const model = update(second, late).model;
  assert.deepEqual(drawable(shown(model.slots[INFORMATION]))?.current, false);
  const now = update(model, answer(model, INFORMATION, { version: 3, result: result("I(r; o)", 0.6) })).model;
  assert.deepEqual(drawable(shown(now.slots[INFORMATION]))?.current, true);
  const afterwards = update(now, late).model;
  assert.equal(drawable(shown<{ result: { value: number } }>(afterwards.slots[INFORMATION]))?.value.result.value, 0.6);
});

test("an answer about another version of the text is no number", () => {
  const model = withResults(RESULTS, { is: "slide", name: "eps", part: 0.3 });
  const next = update(model, answer(model, INFORMATION, { version: 4, result: result("I(r; o)", 0.3) })).model;
  assert.equal(drawable(shown(next.slots[INFORMATION])), null);
});

test("a failed request leaves no number, not even the one before", () => {
  const first = withResults(RESULTS, { is: "slide", name: "eps", part: 0.3 });
  const good = update(first, answer(first, INFORMATION, { version: 3, result: result("I(r; o)", 0.3) })).model;
  const moved = update(good, { is: "slide", name: "eps", part: 0.6 }).model;
  const key = moved.slots[INFORMATION]?.key ?? "";
  const failed = update(moved, { is: "failure", slot: INFORMATION, key, message: "out of time" }).model;
  assert.deepEqual(shown(failed.slots[INFORMATION]), { kind: "failed", message: "out of time" });
});

test("a plot of another measure is no earlier one of this measure, whether or not it can be computed now", () => {
  const first = withResults();
  const drawn = update(first, answer(first, CURVE, CURVE_OF_EPS)).model;
  const late = answer(drawn, CURVE, CURVE_OF_EPS);
  const stale = { ...RESULTS, current: false, state: "errors" as const };
  for (const model of [drawn, update(drawn, { is: "results", uri: URI, results: stale }).model]) {
    const other = update(model, { is: "choose", measure: "H(r | o) in bits" }).model;
    assert.equal(focusOf(other)?.text, "H(r | o)");
    assert.deepEqual(shown(other.slots[CURVE]), { kind: "waiting", previous: null });
    assert.deepEqual(shown(update(other, late).model.slots[CURVE]), { kind: "waiting", previous: null });
  }
});

test("a number at other values is not current while the panel is paused, or the text is not as it was", () => {
  const first = withResults(RESULTS, { is: "slide", name: "eps", part: 0.5 });
  const known = update(first, answer(first, INFORMATION, { version: 3, result: result("I(r; o)", 0.942) })).model;
  assert.equal(shown(known.slots[INFORMATION]).kind, "current");
  const stale = { ...RESULTS, current: false, state: "stale" as const };
  for (const message of [{ is: "pause" }, { is: "results", uri: URI, results: stale }] as const) {
    const still = update(known, message).model;
    assert.equal(shown(still.slots[INFORMATION]).kind, "current");
    const moved = update(still, { is: "slide", name: "eps", part: 0.2 });
    assert.equal(shown(moved.model.slots[INFORMATION]).kind, "waiting");
    assert.ok(moved.effects.every((effect) => effect.do !== "ask" || effect.wants.length === 0));
  }
});

test("nothing is computing while no server answers", () => {
  const computing = withResults({ ...RESULTS, current: false, state: "computing" });
  assert.equal(stateOf(computing), "computing");
  const server = { is: "server", health: "error", message: "it does not run", action: null } as const;
  assert.equal(stateOf(update(computing, server).model), "stale");
});

test("new results make earlier answers previous ones", () => {
  const first = withResults();
  const drawn = update(first, answer(first, CURVE, CURVE_OF_EPS)).model;
  const results = { ...RESULTS, version: 4, seconds: 0.05 };
  const next = update(drawn, { is: "results", uri: URI, results }).model;
  assert.deepEqual(drawable(shown(next.slots[CURVE])), { value: CURVE_OF_EPS, current: false });
});

test("the same results twice ask for nothing twice", () => {
  const first = withResults();
  const again = update(first, { is: "results", uri: URI, results: structuredClone(RESULTS) }).model;
  assert.equal(again.slots[CURVE]?.key, first.slots[CURVE]?.key);
});

test("a stale text asks for nothing, and what runs is given up", () => {
  const stale = { ...RESULTS, current: false, state: "stale" as const };
  assert.deepEqual(asked(withResults(), { is: "results", uri: URI, results: stale }), []);
  assert.equal(isCurrent(withResults(stale)), false);
});

test("a plot that was fast is drawn more finely, a slow one is left as it is", () => {
  const model = withResults();
  const points = (wants: ReturnType<typeof asked>): unknown =>
    (wants.find((want) => want.slot === CURVE)?.params["over"] as { points: number }[] | undefined)?.[0]?.points;
  assert.equal(points(asked(model, answer(model, CURVE, CURVE_OF_EPS, 5))), CURVE_POINTS[1]);
  const second = update(model, answer(model, CURVE, CURVE_OF_EPS, 5)).model;
  assert.equal(points(asked(second, answer(second, CURVE, CURVE_OF_EPS, 0.05))), CURVE_POINTS[2]);
  assert.equal(points(asked(second, answer(second, CURVE, CURVE_OF_EPS, 5))), undefined);
});

test("a fine plot stays as fine when it takes long the next time, as on a busy machine", () => {
  let model = withResults();
  const points = (): unknown =>
    (wants(model).find((want) => want.slot === CURVE)?.params["over"] as { points: number }[] | undefined)?.[0]?.points;
  for (const seconds of [0.05, 0.05, 0.05]) {
    model = update(model, answer(model, CURVE, CURVE_OF_EPS, seconds)).model;
  }
  const fine = points();
  model = update(model, { is: "results", uri: URI, results: { ...RESULTS, version: 4 } }).model;
  model = update(model, answer(model, CURVE, { ...CURVE_OF_EPS, version: 4 }, 100)).model;
  assert.equal(fine, CURVE_POINTS.at(-1));
  assert.equal(points(), fine);
});

test("a coarse plot stands while a finer one is drawn, and where that is too much", () => {
  const model = withResults();
  const coarse = update(model, answer(model, CURVE, CURVE_OF_EPS, 0.05)).model;
  assert.equal(coarse.slots[CURVE]?.phase, "waiting");
  assert.deepEqual(shown(coarse.slots[CURVE]), { kind: "current", value: CURVE_OF_EPS });
  const key = coarse.slots[CURVE].key;
  const failed = update(coarse, { is: "failure", slot: CURVE, key, message: "out of time" }).model;
  assert.deepEqual(shown(failed.slots[CURVE]), { kind: "current", value: CURVE_OF_EPS });
  const again = update(failed, answer(failed, CURVE, CURVE_OF_EPS, 0.05)).model;
  assert.equal(again.slots[CURVE]?.phase, "answered", "it is not tried a second time");
});

test("a measure of the user's own is asked for, and remembered", () => {
  const wants = asked(withResults(), { is: "ask", measure: " H(r | o == 1) " });
  assert.deepEqual([wants[0]?.slot, wants[0]?.params["measure"]], ["number H(r | o == 1) in ", "H(r | o == 1)"]);
  const known = withResults(RESULTS, { is: "ask", measure: "H(r | o)" });
  assert.equal(focusOf(known)?.id, "H(r | o) in bits");
});

test("values that are none wait in their field", () => {
  const model = withResults(RESULTS, { is: "enter", name: "p", text: "3/2" });
  assert.deepEqual(overrides(model), {});
  assert.equal(model.drafts["p"], "3/2");
  const good = update(model, { is: "enter", name: "p", text: "1/4" }).model;
  assert.deepEqual(overrides(good), { p: "1/4" });
  assert.deepEqual(good.drafts, {});
});

test("a value that is the text's own is no override", () => {
  assert.deepEqual(overrides(withResults(RESULTS, { is: "enter", name: "p", text: "0.5" })), {});
});

test("reset goes back to the text, for one parameter or for all", () => {
  const model = withResults(RESULTS, { is: "slide", name: "eps", part: 0.3 }, { is: "slide", name: "p", part: 0.3 });
  assert.deepEqual(overrides(update(model, { is: "reset", name: "p" }).model), { eps: "3" });
  assert.deepEqual(overrides(update(model, { is: "reset", name: null }).model), {});
});

test("a click into a plot goes there", () => {
  const model = withResults(RESULTS, { is: "set", values: { eps: 7.5, p: 0.25 } });
  assert.deepEqual(overrides(model), { p: "0.25", eps: "7.5" });
});

test("the panel follows the cursor to the measure in its line", () => {
  const cursor = (at: number) => ({ is: "cursor", uri: URI, at: { line: at, character: 2 } }) as const;
  assert.equal(focusOf(withResults())?.label, "I(r; o)");
  assert.equal(focusOf(withResults(RESULTS, cursor(10)))?.label, "H(r | o)");
  assert.equal(focusOf(withResults(RESULTS, cursor(10), cursor(3)))?.label, "I(r; o)");
  assert.equal(
    focusOf(withResults(RESULTS, cursor(10), cursor(7)))?.label,
    "H(r | o)",
    "a line without a measure changes nothing",
  );
});

test("a chosen measure stays until the cursor goes to another", () => {
  const model = withResults(RESULTS, { is: "choose", measure: "H(r | o) in bits" });
  assert.equal(focusOf(model)?.label, "H(r | o)");
  const moved = update(model, { is: "cursor", uri: URI, at: { line: 3, character: 0 } }).model;
  assert.equal(focusOf(moved)?.label, "I(r; o)");
});

const OTHER = { uri: "file:///other.seep", name: "other.seep" };

test("a click on a lens of another program turns a pinned panel to it, where it stays", () => {
  const before = withResults(RESULTS, { is: "pin" }, { is: "slide", name: "eps", part: 0.3 });
  const { model, effects } = update(before, { is: "focus", ...OTHER, at: { line: 10, character: 0 } });
  assert.deepEqual([model.document, model.pinned, model.results, model.values], [OTHER, true, null, {}]);
  assert.ok(effects.some((effect) => effect.do === "fetch" && effect.uri === OTHER.uri));
  const known = update(model, { is: "results", uri: OTHER.uri, results: { ...RESULTS, uri: OTHER.uri } }).model;
  assert.equal(focusOf(known)?.label, "H(r | o)");
  const moved = update(known, { is: "cursor", uri: OTHER.uri, at: { line: 3, character: 0 } }).model;
  assert.equal(focusOf(moved)?.label, "H(r | o)");
  assert.equal(kept(moved).chosen, "H(r | o) in bits");
});

test("a measure to plot is one of the program that it was chosen in, whatever the panel stays with", () => {
  for (const stay of ["pin", "pause"] as const) {
    const before = withResults(RESULTS, { is: stay });
    const { model, effects } = update(before, { is: "look", ...OTHER, measure: "P(r)" });
    assert.deepEqual([model.document, model.asked, model.paused], [OTHER, ["P(r)"], false]);
    assert.ok(effects.some((effect) => effect.do === "fetch" && effect.uri === OTHER.uri));
  }
  const own = update(withResults(RESULTS, { is: "pin" }), { is: "look", uri: URI, name: "poll.seep", measure: "P(r)" });
  assert.deepEqual([own.model.document?.uri, own.model.asked], [URI, ["P(r)"]]);
});

test("where a number comes from is unfolded and brought into sight", () => {
  const before = withResults(RESULTS, { is: "open", what: "derivation", open: false });
  const { model, effects } = update(before, { is: "explain", uri: URI, name: "poll.seep", measure: "H(o)" });
  assert.equal(focusOf(model)?.text, "H(o)");
  assert.equal(model.open["derivation"], true);
  assert.ok(effects.some((effect) => effect.do === "seek"));
});

test("a pinned panel follows neither the cursor nor another program, but its own results", () => {
  const model = withResults(
    RESULTS,
    { is: "pin" },
    { is: "cursor", uri: URI, at: { line: 10, character: 0 } },
    { is: "document", uri: "file:///other.seep", name: "other.seep" },
  );
  assert.equal(model.document?.uri, URI);
  assert.equal(focusOf(model)?.label, "I(r; o)");
  assert.ok(update(model, { is: "changed", uri: URI }).effects.some((effect) => effect.do === "fetch"));
});

test("a paused panel keeps its results, says that they are old, and goes on when told", () => {
  const model = withResults(RESULTS, { is: "pause" });
  const changed = update(model, { is: "changed", uri: URI });
  assert.ok(!changed.effects.some((effect) => effect.do === "fetch"));
  assert.equal(stateOf(changed.model), "stale");
  assert.ok(update(changed.model, { is: "pause" }).effects.some((effect) => effect.do === "fetch"));
});

test("another program starts from its own values", () => {
  const model = withResults(
    RESULTS,
    { is: "slide", name: "eps", part: 0.3 },
    { is: "document", uri: "file:///other.seep", name: "other.seep" },
  );
  assert.deepEqual([model.values, model.results, model.slots], [{}, null, {}]);
});

test("results of another program are not taken", () => {
  const model = withResults(RESULTS, { is: "results", uri: "file:///other.seep", results: { ...RESULTS, table: [] } });
  assert.equal(model.results?.table.length, 1);
});

test("when the server comes back its results are fetched again", () => {
  for (const health of ["error", "starting"] as const) {
    const gone = withResults(RESULTS, { is: "server", health, message: "stopped", action: "Restart" });
    assert.equal(isCurrent(gone), false);
    assert.ok(
      update(gone, { is: "server", health: "ok", message: null, action: null }).effects.some(
        (effect) => effect.do === "fetch",
      ),
    );
  }
});

test("the number in focus is told to a screen reader when it arrives", () => {
  const model = withResults(RESULTS, { is: "slide", name: "eps", part: 0.3 });
  const next = update(model, answer(model, INFORMATION, { version: 3, result: result("I(r; o)", 0.5) })).model;
  assert.equal(next.announcement, "I(r; o): 0.5 bits, exact");
});

test("a reload finds the panel as it was", () => {
  const model = withResults(RESULTS, { is: "slide", name: "eps", part: 0.3 }, { is: "pin" }, { is: "axis", name: "p" });
  const again = resumed(JSON.parse(JSON.stringify(kept(model))));
  assert.deepEqual([again.values, again.pinned, again.axis, again.document], [{ eps: "3" }, true, "p", model.document]);
  assert.deepEqual(resumed(undefined).values, {});
  assert.deepEqual(resumed({ what: "else" }).values, {});
});

test("all rows and answers are asked for where a slider moved, each measure once", () => {
  const results = {
    ...RESULTS,
    table: [ROW, { ...ROW, headline: false }],
    answers: [SHOW, { ...SHOW, range: line(12) }],
  };
  const wants = asked(withResults(results), { is: "slide", name: "eps", part: 0.3 });
  const slots = wants.map((want) => want.slot);
  assert.equal(new Set(slots).size, slots.length);
  for (const measure of ["I(r; o)", "100 * I(r; o) / H(r)", "V(r)", "V(r | o)", "H(r | o)", "H(r)"]) {
    assert.ok(slots.includes(place(measure)), measure);
  }
});
