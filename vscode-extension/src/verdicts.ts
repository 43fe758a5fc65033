/** Which budget stands how, by line: what the gutter shows. Nothing here imports `vscode`. */

import type { Results } from "../panel/contract";

export const VERDICTS = ["holds", "violated", "unknown"] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * The lines of budgets by verdict. Only results of the present text count: a mark that no longer holds must not stand beside a budget
 * that has been changed.
 */
export function verdictLines(
  results: Pick<Results, "current" | "state" | "answers"> | undefined,
): Record<Verdict, number[]> {
  const lines: Record<Verdict, number[]> = { holds: [], violated: [], unknown: [] };
  if (results?.current === true && results.state === "current") {
    for (const answer of results.answers.filter((one) => one.kind === "require")) {
      const verdict = answer.verdict === "holds" || answer.verdict === "violated" ? answer.verdict : "unknown";
      lines[verdict].push(answer.range.start.line);
    }
  }
  return lines;
}
