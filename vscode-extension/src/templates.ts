/** New programs from templates, which are the snippets that make a whole program. Nothing here imports `vscode`. */

export interface Template {
  readonly name: string;
  readonly description: string;
  /** In the syntax of snippets. */
  readonly body: string;
}

/** The snippets of whole programs among those of the file `snippets/seep.json`: they declare a secret and an output. */
export function templatesOf(snippets: unknown): Template[] {
  if (typeof snippets !== "object" || snippets === null) {
    return [];
  }
  return Object.entries(snippets as Record<string, { body?: unknown; description?: unknown }>).flatMap(
    ([name, { body, description }]) => {
      const lines = Array.isArray(body) ? body.join("\n") : String(body);
      const whole = /^secret /m.test(lines) && /^output /m.test(lines);
      return whole ? [{ name, description: typeof description === "string" ? description : "", body: lines }] : [];
    },
  );
}
