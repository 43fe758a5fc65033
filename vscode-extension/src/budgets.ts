/** Budgets as tests: what they are called, and how they came out. Nothing here imports `vscode`. */

import type { Answer, Range, Results } from "../panel/contract";
import { numberText } from "../panel/numbers";

export type Outcome = "passed" | "failed" | "errored";

export interface Budget {
  /** The same from one analysis to the next, while the budget's text is. */
  readonly id: string;
  readonly label: string;
  readonly range: Range;
  readonly outcome: Outcome;
  /** What came out, in words. */
  readonly message: string;
}

/** The budgets of a program in the order of its text. */
export function budgetsOf(results: Pick<Results, "answers">): readonly Budget[] {
  const seen = new Map<string, number>();
  return results.answers
    .filter(({ kind }) => kind === "require")
    .map((answer) => {
      const count = (seen.get(answer.source) ?? 0) + 1;
      seen.set(answer.source, count);
      return {
        id: count === 1 ? answer.source : `${answer.source} (${String(count)})`,
        label: answer.source,
        range: answer.range,
        outcome: outcomeOf(answer),
        message: messageOf(answer),
      };
    });
}

/** A budget that cannot be decided is not kept, as far as anyone knows. */
function outcomeOf({ verdict }: Answer): Outcome {
  return verdict === null ? "errored" : verdict === "holds" ? "passed" : "failed";
}

function messageOf({ verdict, measure, result, worst, error }: Answer): string {
  const number = result === null ? "" : `; ${measure} is ${numberText(result)}`;
  return `${error ?? `${verdict ?? "no verdict"}${number}`}${worst === null ? "" : `; ${worst}`}`;
}
