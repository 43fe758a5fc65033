/** Posteriors of thousands of values: pages, and what a search finds. */

import { type Chance, type Posterior, real } from "./contract";
import type { Model } from "./model";

/** What is typed into the field, among the texts that the panel keeps. */
export const SEARCH = "search posteriors";
const LINES = 25;
/** Values of a secret up to which a line draws all of them. */
const FEW = 64;

export interface Found {
  readonly output: Posterior["outputs"][number];
  /** The value of the secret that was searched for; null where the output itself was. */
  readonly chance: Chance | null;
}

/** Where the page starts is kept under this name: a new search starts at its first page. */
export function pageOf(search: string): string {
  return `page of posteriors ${search}`;
}

export function isLong(posterior: Posterior): boolean {
  return posterior.prior.length > FEW;
}

/** The page that is shown: each output that is called as was searched for, or after which a value of the secret is possible that is. */
export function page(
  model: Model,
  posterior: Posterior,
  output: string,
): { readonly outputs: readonly Found[]; readonly from: number; readonly count: number; readonly text: string } {
  const text = model.drafts[SEARCH] ?? "";
  const all = found(posterior, output, text.trim().toLowerCase());
  const asked = Number(model.drafts[pageOf(text)] ?? "0");
  const from = Math.floor(Math.max(0, Math.min(asked, all.length - 1)) / LINES) * LINES;
  return { outputs: all.slice(from, from + LINES), from, count: all.length, text };
}

function found(posterior: Posterior, output: string, text: string): readonly Found[] {
  return posterior.outputs.flatMap((each): readonly Found[] => {
    if (`${output} = ${each.value}`.toLowerCase().includes(text)) {
      return [{ output: each, chance: null }];
    }
    return each.posterior
      .filter(({ value, probability }) => value.toLowerCase().includes(text) && real(probability.value) > 0)
      .map((chance) => ({ output: each, chance }));
  });
}
