/** What the panel needs of the editor around it. Everything else in this folder knows no editor. */

import type { Range } from "./contract";

/** A request that was answered with an error. */
export interface RequestError {
  readonly code: number;
  readonly message: string;
}

export interface File {
  readonly name: string;
  readonly mime: string;
  /** The bytes, in base64. */
  readonly data: string;
}

/** All that the panel asks the language server for: a host passes on these, and nothing else. */
export const METHODS = [
  "seepage/results",
  "seepage/measure",
  "seepage/worst",
  "seepage/plot",
  "seepage/explain",
  "seepage/posterior",
  "seepage/where",
  "seepage/range",
] as const;
export type Method = (typeof METHODS)[number];

export function isMethod(name: string): name is Method {
  return METHODS.some((each) => each === name);
}

/** How the language server is: where it is well, there is nothing to say. */
export interface ServerTold {
  readonly health: "ok" | "warning" | "starting" | "error";
  readonly message: string | null;
  /** What helps, as a button says it. */
  readonly action: string | null;
}

export interface Host {
  /** Ask the language server; rejects with a {@link RequestError}. Aborting cancels the work. */
  request(method: Method, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** Tell the editor something: `panel/ready`, `panel/analyse`, `panel/command`. */
  notify(method: string, params: unknown): void;
  /** What the server or the editor tells: `seepage/resultsChanged`; `panel/document`, `panel/cursor`, `panel/focus`, `panel/ask`, `panel/explain` (which name their program), `panel/server`. */
  onNotification(listener: (method: string, params: unknown) => void): void;
  /** What outlives a reload. */
  readonly state: { load(): unknown; save(state: unknown): void };
  copy(text: string): void;
  save(file: File): void;
  reveal(uri: string, range: Range): void;
  /** Calls when the colours have changed. */
  onTheme(listener: () => void): void;
}

/** The codes of the protocol that the panel tells apart. */
export const CONTENT_MODIFIED = -32801;
export const REQUEST_CANCELLED = -32800;
