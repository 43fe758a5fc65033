/** Values of parameters as people type them. Nothing here imports `vscode`; the server has the last word on a value. */

import type { Parameter } from "../panel/contract";

export function findParameter(parameters: readonly Parameter[], name: string | undefined): Parameter | undefined {
  return parameters.find((one) => one.name === name);
}

/** What is wrong with a value, or undefined: a plain number or fraction outside of the domain; other expressions pass. */
export function wrongValue(text: string, parameter: Parameter): string | undefined {
  const value = plainNumber(text);
  if (value === undefined) {
    return undefined;
  }
  const { low, high, lowOpen, highOpen, integer, domain, name } = parameter;
  const below = typeof low === "number" && (lowOpen ? value <= low : value < low);
  const above = typeof high === "number" && (highOpen ? value >= high : value > high);
  if (below || above) {
    return `'${text.trim()}' is outside of ${domain}`;
  }
  return integer && !Number.isInteger(value) ? `'${name}' is a whole number` : undefined;
}

function plainNumber(text: string): number | undefined {
  const found = /^\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:\s*\/\s*(\d+(?:\.\d+)?))?\s*$/.exec(text);
  return found === null ? undefined : Number(found[1]) / Number(found[2] ?? 1);
}
