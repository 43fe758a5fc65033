import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decimalText,
  defaultSpan,
  isFixed,
  parsed,
  partOf,
  positionOf,
  rescaled,
  STEPS,
  stepsOf,
  stopsOf,
  textAt,
  wrong,
} from "../panel/domain";
import { parameter } from "./panel-fixture";

const CLOSED = parameter("p", { domain: "[0, 1]", low: 0, high: 1, value: 0.5 });
const HALF_OPEN = parameter("eps", { domain: "(0, 200]", low: 0, high: 200, lowOpen: true, value: 100 });
const OPEN = parameter("q", { domain: "(0, 1)", low: 0, high: 1, lowOpen: true, highOpen: true, value: 0.25 });
const RAY = parameter("s", { domain: "[0, inf)", low: 0, high: "inf", highOpen: true, value: 3 });
const OPEN_RAY = parameter("v", { domain: "(0, inf)", low: 0, high: "inf", lowOpen: true, highOpen: true, value: 2 });
const LINE = parameter("m", {
  domain: "(-inf, inf)",
  low: "-inf",
  high: "inf",
  lowOpen: true,
  highOpen: true,
  value: -7,
});
const WHOLE = parameter("n", { domain: "[1, 6]", low: 1, high: 6, integer: true, value: 2 });
const UNEVEN = parameter("w", { domain: "[0, 3/2]", low: 0, high: 1.5, value: 1 });
const THIRDS = parameter("third", { domain: "[1/3, 2/3]", low: 1 / 3, high: 2 / 3, value: 0.5 });
const ALL = [CLOSED, HALF_OPEN, OPEN, RAY, OPEN_RAY, LINE, WHOLE, UNEVEN, THIRDS];

test("a slider covers a finite domain, and room around the value in an infinite one", () => {
  assert.deepEqual(defaultSpan(CLOSED), { low: 0, high: 1, logarithmic: false });
  assert.deepEqual(defaultSpan(OPEN), { low: 0, high: 1, logarithmic: false });
  assert.deepEqual(defaultSpan(RAY), { low: 0, high: 20, logarithmic: false });
  const line = defaultSpan(LINE);
  assert.ok(line.low < -7 && line.high > 7 && Number.isFinite(line.low + line.high));
});

test("a wide range that is open at 0 starts on a logarithmic scale", () => {
  assert.deepEqual(defaultSpan(HALF_OPEN), { low: 0.02, high: 200, logarithmic: true });
  const ray = defaultSpan(OPEN_RAY);
  assert.ok(ray.logarithmic && ray.low > 0 && ray.low < 2 && ray.high > 2);
});

for (const each of ALL) {
  test(`every position of the slider is a value in ${each.domain}, on both scales`, () => {
    for (const span of [defaultSpan(each), ...(each === LINE ? [] : [rescaled(defaultSpan(each), each)])]) {
      for (let position = 0; position <= STEPS; position++) {
        const text = textAt(each, span, position / STEPS);
        assert.equal(wrong(each, text), "", `${text} at ${String(position)}`);
      }
    }
  });

  test(`positions of the slider over ${each.domain} ascend with the values`, () => {
    const span = defaultSpan(each);
    const values = Array.from({ length: STEPS + 1 }, (_, position) => parsed(textAt(each, span, position / STEPS)));
    assert.ok(values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0)));
    const back = values.map((value) => positionOf(span, value));
    assert.ok(back.every((position, index) => Math.abs(position - index) <= (each.integer ? STEPS / 10 : 12)));
  });
}

for (const each of ALL) {
  test(`each step of the slider over ${each.domain} is a value of its own, to both ends`, () => {
    for (const span of [
      defaultSpan(each),
      ...(each === LINE || each.integer ? [] : [rescaled(defaultSpan(each), each)]),
    ]) {
      const steps = stepsOf(each, span);
      assert.ok(Number.isInteger(steps) && steps >= 5 && steps <= STEPS);
      for (let step = 0; step <= steps; step++) {
        const value = parsed(textAt(each, span, step / steps));
        // The first and the last of an open end stand beside it.
        const beside = (step === 0 && each.lowOpen) || (step === steps && each.highOpen);
        assert.ok(beside || Math.round(partOf(span, value) * steps) === step, `${String(value)} at ${String(step)}`);
      }
    }
  });
}

test("the ends of a closed domain are reached as the program writes them", () => {
  const ends = (each: typeof CLOSED) => [0, 1].map((part) => textAt(each, defaultSpan(each), part));
  assert.deepEqual(ends(UNEVEN), ["0", "3/2"]);
  assert.deepEqual(ends(THIRDS), ["1/3", "2/3"]);
  assert.deepEqual(ends(parameter("r", { domain: "[0, log(2)]", low: 0, high: Math.LN2 })), ["0", "0.693147180559"]);
});

test("a domain of one point has that value everywhere, and nothing to slide", () => {
  const point = parameter("q", { domain: "[1/2, 1/2]", low: 0.5, high: 0.5, value: 0.5 });
  assert.ok(isFixed(point) && !ALL.some(isFixed));
  const span = defaultSpan(point);
  assert.deepEqual(
    [0, 0.3, 1].map((part) => textAt(point, span, part)),
    ["1/2", "1/2", "1/2"],
  );
  assert.deepEqual([stepsOf(point, span), partOf(span, 0.5), positionOf(span, 0.5)], [1, 0, 0]);
});

test("values are short decimals that programs can be written with", () => {
  assert.equal(textAt(CLOSED, defaultSpan(CLOSED), 0.3), "0.3");
  assert.deepEqual([0.1 + 0.2, 1e-9, 12345678, -0.5].map(decimalText), ["0.3", "0.000000001", "12345678", "-0.5"]);
});

test("numbers and fractions are read, and nothing else", () => {
  assert.deepEqual(["1/2", " 0.25 ", ".5", "-3", "1e-3"].map(parsed), [0.5, 0.25, 0.5, -3, 0.001]);
  for (const text of ["", "x", "1/2/3", "1/0", "0x10", "Infinity", "1 2", "--1"]) {
    assert.ok(!Number.isFinite(parsed(text)), text);
  }
});

test("a field says what it expected", () => {
  assert.equal(wrong(HALF_OPEN, "0"), "expected a value in (0, 200]");
  assert.equal(wrong(WHOLE, "2.5"), "expected a whole number");
  assert.equal(wrong(CLOSED, "half"), "expected a number, such as 0.5 or 1/2");
  assert.equal(wrong(OPEN, "1"), "expected a value in (0, 1)");
  assert.equal(wrong(CLOSED, "1"), "");
});

for (const each of ALL) {
  test(`stops over ${each.domain} are values of it, in order, ends of the slider among them, and each a step of the slider`, () => {
    const stops = stopsOf(each, 20);
    const kept = { ...each, stops };
    const span = defaultSpan(each);
    assert.ok(2 <= stops.length && stops.length <= 21);
    assert.deepEqual(
      stops,
      [...stops].sort((one, other) => parsed(one) - parsed(other)),
    );
    assert.ok(stops.every((text) => wrong(kept, text) === ""));
    assert.equal(stops[0], textAt(each, span, 0));
    assert.equal(stops.at(-1), textAt(each, span, 1));
    const steps = stepsOf(kept, span);
    const reached = Array.from({ length: steps + 1 }, (_, step) => textAt(kept, span, step / steps));
    assert.deepEqual(reached, stops);
  });
}

test("where only some values have answers, a slider goes to the nearest, and others are refused but for that of the text", () => {
  const kept = { ...CLOSED, stops: ["0", "0.25", "0.3", "1"] };
  assert.equal(textAt(kept, defaultSpan(kept), 0.26), "0.25");
  assert.equal(textAt(kept, defaultSpan(kept), 0.9), "1");
  assert.equal(wrong(kept, "1/4"), "");
  assert.equal(wrong(kept, "0.5"), ""); // the value in force
  assert.match(wrong(kept, "0.4"), /here are numbers for 4 values/);
  assert.match(wrong(kept, "2"), /in \[0, 1\]/);
});
