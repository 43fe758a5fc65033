/** Reads the arguments of the command behind a code lens, which come from outside and may be anything. */

export interface Place {
  readonly uri: string;
  readonly line: number;
  readonly character: number;
}

/** The place in `[uri, position]` or `[uri, range]`, both in the protocol's form; undefined for anything else. */
export function placeOf(args: readonly unknown[]): Place | undefined {
  const [uri, where] = args;
  if (typeof uri !== "string" || !isRecord(where)) {
    return undefined;
  }
  const position = isRecord(where["start"]) ? where["start"] : where;
  const { line, character } = position;
  return isCount(line) && isCount(character) ? { uri, line, character } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
