import assert from "node:assert/strict";
import { test } from "node:test";
import type { Measured, Plot, Results } from "../panel/contract";
import { answerOf, type Asked, atText, atTextAlone, keyOf, type Kept, missing, resultsOf } from "../gallery/kept";
import { parameter, result, ROW, SHOW, URI } from "./panel-fixture";

const RESULTS: Results = {
  uri: URI,
  version: 1,
  current: true,
  state: "current",
  message: null,
  engine: "discrete",
  engineSentence: null,
  certainty: "exact",
  seconds: 0.1,
  parameters: [parameter("p", { domain: "[0, 1]", low: 0, high: 1, value: 0.5, default: "1/2" }), parameter("eps")],
  table: [ROW],
  answers: [SHOW],
  variables: [],
};

/** An answer that tells what was asked: the sum of the parameters, so that each answer is another. */
function told({ method, params }: Asked): unknown {
  const { p = "1/2", eps = "1" } = (params["parameters"] ?? {}) as Record<string, string>;
  const value = (p === "1/2" ? 0.5 : Number(p)) + Number(eps);
  const measure = String(params["measure"]);
  return method === "seepage/measure" ? { version: 1, result: result(measure, value) } : { version: 1, segments: [] };
}

/** All that a page needs. */
function recorded(): Kept {
  let kept: Kept = { results: RESULTS, answers: {} };
  for (let round = 0; ; round++) {
    assert.ok(round < 4);
    const open = missing(kept);
    if (open.length === 0) {
      return kept;
    }
    const page = resultsOf(kept);
    const found = open.map((asked) => [keyOf(page, asked), { answer: told(asked) }] as const);
    kept = { ...kept, answers: { ...kept.answers, ...Object.fromEntries(found) } };
  }
}

const KEPT = recorded();
const PAGE = resultsOf(KEPT);

function measured(parameters: Readonly<Record<string, string>>): unknown {
  const params = { textDocument: { uri: URI }, measure: "H(r | o)", unit: "bits", parameters };
  return answerOf(KEPT, PAGE, { method: "seepage/measure", params });
}

test("questions are the same whatever the text of a value, and whether values of the text are given", () => {
  const key = (parameters: object): string =>
    keyOf(RESULTS, { method: "seepage/measure", params: { textDocument: { uri: URI }, measure: "H(r)", parameters } });
  assert.equal(key({ eps: "0.5", p: "1/4" }), key({ p: "0.25", eps: "1/2" }));
  assert.equal(key({ p: "0.5", eps: "1" }), key({}));
  assert.notEqual(key({ p: "1/4" }), key({}));
});

test("every pair of stops has its answer", () => {
  const [p = [], eps = []] = PAGE.parameters.map(({ stops }) => stops);
  assert.ok(p.length > 4 && eps.length > 4);
  for (const one of p) {
    for (const other of eps) {
      assert.equal((measured({ p: one, eps: other }) as Measured).result.value, Number(one) + Number(other));
    }
  }
});

test("what one slider reaches is asked before what two do, as time may end", () => {
  const texts = missing({ results: RESULTS, answers: {} }).map((asked) => [keyOf(PAGE, asked), { answer: {} }]);
  const known: Kept = { results: RESULTS, answers: Object.fromEntries(texts) as Kept["answers"] };
  const moved = missing(known).map(({ params }) => Object.keys(params["parameters"] ?? {}).length);
  assert.deepEqual(
    moved,
    [...moved].sort((one, other) => one - other),
  );
  assert.ok(moved.includes(1) && moved.includes(2));
});

test("what was not asked is refused in words", () => {
  assert.throws(() => measured({ p: "0.123" }), /seepage play/);
});

test("a curve and a map go through the answers that are kept", () => {
  const over = [{ parameter: "p" }, { parameter: "eps" }];
  const plot = (axes: typeof over, parameters: object): Plot => {
    const params = { textDocument: { uri: URI }, measure: "H(r | o)", unit: "bits", parameters, over: axes };
    return answerOf(KEPT, PAGE, { method: "seepage/plot", params }) as Plot;
  };
  const map = plot(over, {});
  const [across, up] = map.axes;
  assert.deepEqual(
    map.rows?.map((row) => row.map(({ value }) => value)),
    up?.values.map((eps) => across?.values.map((p) => p + eps)),
  );
  const curve = plot(over.slice(1), { p: "0" });
  assert.deepEqual(
    curve.points?.map(({ value }) => value),
    curve.axes[0]?.values,
  );
});

test("what takes long is asked at the values of the text alone", () => {
  const slow: Kept = { results: { ...RESULTS, answers: [] }, answers: {} };
  const page = resultsOf(slow);
  const answers = Object.fromEntries(
    missing(slow).map((asked) => {
      const measure = String(asked.params["measure"]);
      return [keyOf(page, asked), { answer: { version: 1, result: result(measure, 1, { seconds: 9 }) } }];
    }),
  );
  const rest = missing({ ...slow, answers });
  assert.deepEqual(
    rest.filter(({ method }) => method === "seepage/measure"),
    [],
  );
  const late = Object.fromEntries(
    Object.keys(answers).map((key) => [key, { error: { code: 0, message: "" }, late: true }] as const),
  );
  assert.deepEqual(
    missing({ ...slow, answers: late }).filter(({ method }) => method === "seepage/measure"),
    [],
  );
  const asked = missing(slow).filter(({ method }) => method === "seepage/measure");
  const measures = new Set(asked.map(({ params }) => String(params["measure"])));
  assert.deepEqual(new Set(atTextAlone({ ...slow, answers })), measures);
  assert.ok(measures.size > 0);
  assert.deepEqual(atTextAlone(KEPT), []);
});

test("places where a budget ceases to hold are stops", () => {
  const asked: Asked = { method: "seepage/range", params: { parameter: "p", budgets: [], low: "0", high: "1" } };
  const segments = [
    { low: 0, high: 0.37, lowText: "0", highText: "0.37", told: "holds" },
    { low: 0.37, high: 1, lowText: "0.37", highText: "1", told: "violated" },
  ];
  const answer = { version: 1, parameter: "p", segments };
  const page = resultsOf({ results: RESULTS, answers: { [keyOf(RESULTS, asked)]: { answer } } });
  assert.ok(page.parameters[0]?.stops?.includes("0.37"));
  assert.ok(!page.parameters[1]?.stops?.includes("0.37"));
  assert.deepEqual(atText({ ...asked, params: { parameters: { p: "1" } } }).params, { parameters: {} });
});
