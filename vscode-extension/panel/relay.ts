/** A host at the other end of a line of messages: requests are numbered, and answers find theirs. */

import type { Host, RequestError } from "./host";

/** What comes from the host. */
export type Incoming =
  | { readonly kind: "answer"; readonly id: number; readonly result: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: RequestError }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown };

export interface Line {
  /** Sends a message to the host. */
  post(message: unknown): void;
  /** Calls with each message of the host. */
  onMessage(listener: (message: Incoming) => void): void;
}

/** What a line carries of a host; how the page keeps its state and learns of colours, each host knows. */
export function relayed(line: Line): Omit<Host, "state" | "onTheme"> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const listeners: ((method: string, params: unknown) => void)[] = [];
  let last = 0;
  line.onMessage((data) => {
    if (data.kind === "notification") {
      for (const listener of listeners) {
        listener(data.method, data.params);
      }
      return;
    }
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.kind === "answer") {
      call?.resolve(data.result);
    } else {
      call?.reject(data.error);
    }
  });
  return {
    request: (method, params, signal) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        signal.addEventListener("abort", () => {
          if (waiting.delete(id)) {
            line.post({ kind: "cancel", id });
            reject(new DOMException("cancelled", "AbortError"));
          }
        });
        line.post({ kind: "request", id, method, params });
      }),
    notify: (method, params) => {
      line.post({ kind: "notification", method, params });
    },
    onNotification: (listener) => {
      listeners.push(listener);
    },
    copy: (text) => {
      line.post({ kind: "copy", text });
    },
    save: (file) => {
      line.post({ kind: "save", file });
    },
    reveal: (uri, range) => {
      line.post({ kind: "reveal", uri, range });
    },
  };
}
