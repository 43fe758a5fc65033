/**
 * Numbers as people read them, by the rules of the reports: as many digits as both bounds agree on after rounding;
 * where they agree on fewer than two, the bounds themselves, rounded outward.
 */

import { type Bounds, type Result, type Wire, type Written, real } from "./contract";

export const MOST_DIGITS = 10;
export const FEW_DIGITS = 4;
export const BOUND_DIGITS = 3;
const FEWEST = 2;

type Rounding = "down" | "up" | "nearest";

/** A double as a decimal: `0.d₁d₂… · 10^(exponent + 1)`. A hundred digits tell any double from any short decimal. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** Write `value` with the digits that `lower` and `upper` share, at most `most`; null if they share fewer than two, or there is no value. */
export function justified(lower: number, value: number, upper: number, most: number): string | null {
  if (Number.isNaN(value)) {
    return null;
  }
  if (lower === upper) {
    return rounded(value, most);
  }
  if (value === 0 || !Number.isFinite(lower) || !Number.isFinite(upper)) {
    return null;
  }
  for (let digits = most; digits >= FEWEST; digits--) {
    const place = placeOf(value, digits);
    const text = quantized(value, place, "nearest");
    if (quantized(lower, place, "nearest") === text && quantized(upper, place, "nearest") === text) {
      return text;
    }
  }
  return null;
}

/** Write a number with some significant digits, rounded down or up where it is a bound. */
export function rounded(value: number, digits: number, rounding: Rounding = "nearest"): string {
  if (Number.isNaN(value)) {
    return "—";
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? "∞" : "−∞";
  }
  return value === 0 ? "0" : quantized(value, placeOf(value, digits), rounding);
}

function decimal(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = Math.abs(value).toExponential(99).split("e");
  return { negative: value < 0, digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}

/** The decimal exponent of the last of some significant digits; a zero before the point is always significant. */
function placeOf(value: number, digits: number): number {
  const exponent = value === 0 ? 0 : decimal(value).exponent;
  const place = exponent - digits + 1;
  return isPlain(exponent) ? Math.min(place, 0) : place;
}

function isPlain(exponent: number): boolean {
  return exponent >= -5 && exponent < 16;
}

function quantized(value: number, place: number, rounding: Rounding): string {
  const { negative, digits, exponent } = decimal(value);
  const kept = exponent - place + 1;
  const head = kept > 0 ? digits.slice(0, kept) : "";
  const tail = kept >= 0 ? digits.slice(kept) : "0".repeat(-kept) + digits;
  let whole = BigInt(head || "0");
  if (roundsAway(tail, whole, negative, rounding)) {
    whole += 1n;
  }
  return whole === 0n ? "0" : (negative ? "−" : "") + written(whole.toString(), place);
}

function roundsAway(tail: string, whole: bigint, negative: boolean, rounding: Rounding): boolean {
  const nothing = /^0*$/.test(tail);
  switch (rounding) {
    case "down":
      return negative && !nothing;
    case "up":
      return !negative && !nothing;
    case "nearest": {
      const first = tail.charCodeAt(0) - 48;
      const half = first === 5 && /^50*$/.test(tail);
      return half ? whole % 2n === 1n : first >= 5;
    }
  }
}

/** Write `digits · 10^place` without trailing zeros, with a power of ten only far from 1. */
function written(digits: string, place: number): string {
  const exponent = digits.length - 1 + place;
  const bare = digits.replace(/0+$/, "");
  if (!isPlain(exponent)) {
    return `${bare.charAt(0)}${bare.length > 1 ? `.${bare.slice(1)}` : ""}e${String(exponent).replace("-", "−")}`;
  }
  if (exponent < 0) {
    return `0.${"0".repeat(-exponent - 1)}${bare}`;
  }
  const padded = bare.padEnd(exponent + 1, "0");
  return padded.length > exponent + 1 ? `${padded.slice(0, exponent + 1)}.${padded.slice(exponent + 1)}` : padded;
}

/** `0.1601 bits`; `0 ≤ I ≤ 0.146 nats` where the bounds leave no common digits, with `, estimate 0.101` where one was computed. */
export function numberText(result: Result, most: number = MOST_DIGITS): string {
  const [lower, value, upper] = [real(result.lower), real(result.value), real(result.upper)];
  const exactly = isWritten(result.lower) ? justifiedWritten(result, most) : justified(lower, value, upper, most);
  if (exactly !== null) {
    return withUnit(exactly, result.unit);
  }
  const bounds = boundsText(result, symbolOf(result.measure), result.unit);
  if (!result.estimated) {
    return bounds === "" ? "no bounds known" : bounds;
  }
  const estimate = rounded(value, BOUND_DIGITS);
  return bounds === ""
    ? `estimate ${withUnit(estimate, result.unit)}, no bounds known`
    : `${bounds}, estimate ${estimate}`;
}

function isWritten(wire: Wire | null): wire is Written {
  return typeof wire === "string" && wire.includes("e");
}

/** As {@link justified}, of numbers that doubles do not hold. */
function justifiedWritten(bounds: Bounds, most: number): string | null {
  for (let digits = most; digits >= FEWEST; digits--) {
    const [lower, value, upper] = [bounds.lower, bounds.value, bounds.upper].map((each) =>
      isWritten(each) ? roundedWritten(each, digits) : "",
    );
    if (value !== undefined && value !== "" && lower === value && upper === value) {
      return value;
    }
  }
  return null;
}

function roundedWritten(wire: Written, digits: number, rounding: Rounding = "nearest"): string {
  const [mantissa = "0", exponent = "0"] = wire.split("e");
  return `${rounded(Number(mantissa), digits, rounding)}e${String(Number(exponent))}`;
}

function boundText(wire: Wire, rounding: Rounding): string {
  return isWritten(wire) ? roundedWritten(wire, BOUND_DIGITS, rounding) : rounded(real(wire), BOUND_DIGITS, rounding);
}

/** `0 ≤ I ≤ 0.146 nats`; only the finite sides; empty if there is none. */
export function boundsText(bounds: Bounds, symbol: string, unit: string): string {
  const lower = bounds.lower === "-inf" || bounds.lower === "inf" ? "" : `${boundText(bounds.lower, "down")} ≤ `;
  const upper = bounds.upper === "-inf" || bounds.upper === "inf" ? "" : ` ≤ ${boundText(bounds.upper, "up")}`;
  return lower === "" && upper === "" ? "" : `${lower}${symbol}${upper}${unit === "" ? "" : ` ${unit}`}`;
}

/** The bare number of an enclosure, or `between … and …`. */
export function enclosed(bounds: Bounds, most: number = FEW_DIGITS): string {
  const [lower, value, upper] = [real(bounds.lower), real(bounds.value), real(bounds.upper)];
  return (
    justified(lower, value, upper, most) ??
    `${rounded(lower, BOUND_DIGITS, "down")} to ${rounded(upper, BOUND_DIGITS, "up")}`
  );
}

/** `16 %`, or `0 % to 14.6 %`. The bounds are in percent. */
export function percentText(bounds: Bounds, digits: number = BOUND_DIGITS): string {
  const [lower, value, upper] = [real(bounds.lower), real(bounds.value), real(bounds.upper)];
  const exactly = justified(lower, value, upper, digits);
  return exactly === null
    ? `${rounded(lower, BOUND_DIGITS, "down")} % to ${rounded(upper, BOUND_DIGITS, "up")} %`
    : `${exactly} %`;
}

/** An enclosure of a probability as one in percent, at most 100: the decimals that the numbers print as, with the point moved. */
export function inPercent(bounds: Bounds): Bounds {
  return {
    lower: hundredfold(real(bounds.lower)),
    value: bounds.value === null ? null : hundredfold(real(bounds.value)),
    upper: Math.min(100, hundredfold(real(bounds.upper))),
  };
}

function hundredfold(value: number): number {
  const [digits = "0", exponent = "0"] = value.toExponential().split("e");
  return Number.isFinite(value) ? Number(`${digits}e${String(Number(exponent) + 2)}`) : value;
}

export function withUnit(number: string, unit: string): string {
  const name = number === "1" ? unit.replace(/s$/, "") : unit;
  return name === "" ? number : `${number} ${name}`;
}

/** The letter for the value where bounds are written: the name of a single measure, `M` for arithmetic. */
export function symbolOf(measure: string): string {
  return /^([A-Za-z]+)\([^()]*(?:\([^()]*\)[^()]*)*\)$/.exec(measure)?.[1] ?? "M";
}

/** `38 ms`, `1.3 s`. */
export function secondsText(seconds: number): string {
  return seconds < 0.9995 ? `${String(Math.max(1, Math.round(1000 * seconds)))} ms` : `${seconds.toPrecision(2)} s`;
}
