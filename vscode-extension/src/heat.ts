/** How much of a leak goes through each statement, as levels: what the gutter shows. Nothing here imports `vscode`. */

import type { Range, Results, Where } from "../panel/contract";
import { real } from "../panel/contract";

/** From a little to nearly all; each has a width of its own, so that colour is not needed to tell them apart. */
export const LEVELS = ["low", "middle", "high"] as const;
export type Level = (typeof LEVELS)[number];

/** Shares of the whole from which a level begins; what is below the first is no heat. */
const FROM: Readonly<Record<Level, number>> = { low: 0.01, middle: 0.25, high: 0.75 };
const MOST_MEASURES = 3;

/** The measures whose origin is shown: what all outputs tell of each secret, of a few. */
export function heated(results: Pick<Results, "current" | "state" | "table"> | undefined): readonly string[] {
  if (results?.current !== true || results.state !== "current") {
    return [];
  }
  const measures = results.table.flatMap(({ headline, information }) =>
    headline && information !== null ? [information.measure] : [],
  );
  return [...new Set(measures)].slice(0, MOST_MEASURES);
}

/** The places of statements by how much less is told without them, as a share of what is told with all: the largest of all measures counts. */
export function heatOf(found: readonly Where[]): Record<Level, Range[]> {
  const shares = new Map<string, { readonly range: Range; share: number }>();
  for (const { result, statements } of found) {
    const whole = real(result.upper);
    for (const { range, falls } of statements) {
      const share = whole > 0 ? Math.min(1, real(falls) / whole) : 0;
      if (range === null || !(share > 0)) {
        continue;
      }
      const key = JSON.stringify(range);
      const known = shares.get(key);
      shares.set(key, { range, share: Math.max(share, known?.share ?? 0) });
    }
  }
  const levels: Record<Level, Range[]> = { low: [], middle: [], high: [] };
  for (const { range, share } of shares.values()) {
    const level = LEVELS.filter((each) => share >= FROM[each]).at(-1);
    if (level !== undefined) {
      levels[level].push(range);
    }
  }
  return levels;
}

/** Asks where results come from, once for a text and its values, and remembers what was told of each document. */
export class Origins {
  private readonly known = new Map<string, { readonly asked: string; found: readonly Where[] }>();

  constructor(
    private readonly ask: (uri: string, measure: string) => Promise<Where | null | undefined>,
    private readonly changed: () => void,
  ) {}

  /** What is known of results that are current; what is not is asked for. */
  of(results: Results | undefined): readonly Where[] {
    const measures = heated(results);
    if (results === undefined || measures.length === 0) {
      return [];
    }
    const { uri, version, table } = results;
    const asked = JSON.stringify([version, table.map(({ information }) => information?.params)]);
    const known = this.known.get(uri);
    if (known?.asked === asked) {
      return known.found;
    }
    this.known.set(uri, { asked, found: [] });
    void this.askAll(uri, asked, measures);
    return [];
  }

  private async askAll(uri: string, asked: string, measures: readonly string[]): Promise<void> {
    for (const measure of measures) {
      const found = await this.ask(uri, measure);
      const known = this.known.get(uri);
      if (known?.asked !== asked) {
        return; // of an older text
      }
      if (found != null) {
        known.found = [...known.found, found];
        this.changed();
      }
    }
  }
}
