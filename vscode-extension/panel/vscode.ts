/** The panel in a webview of VS Code: the host is the extension at the other end of `postMessage`. */

import type { Host, RequestError } from "./host";
import { run } from "./run";
import plotStyle from "./plots.css";

interface VSCode {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VSCode;

type Incoming =
  | { readonly kind: "answer"; readonly id: number; readonly result: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: RequestError }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown };

function vscodeHost(editor: VSCode): Host {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const listeners: ((method: string, params: unknown) => void)[] = [];
  let last = 0;
  // Only the editor's own frame posts to a webview, and what it sends is data.
  window.addEventListener("message", ({ data }: MessageEvent<Incoming>) => {
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
            editor.postMessage({ kind: "cancel", id });
            reject(new DOMException("cancelled", "AbortError"));
          }
        });
        editor.postMessage({ kind: "request", id, method, params });
      }),
    notify: (method, params) => {
      editor.postMessage({ kind: "notification", method, params });
    },
    onNotification: (listener) => {
      listeners.push(listener);
    },
    state: {
      load: () => editor.getState(),
      save: (state) => {
        editor.setState(state);
      },
    },
    copy: (text) => {
      editor.postMessage({ kind: "copy", text });
    },
    save: (file) => {
      editor.postMessage({ kind: "save", file });
    },
    reveal: (uri, range) => {
      editor.postMessage({ kind: "reveal", uri, range });
    },
    onTheme: (listener) => {
      new MutationObserver(listener).observe(document.body, {
        attributes: true,
        attributeFilter: ["class", "data-vscode-theme-id"],
      });
    },
  };
}

const root = document.getElementById("panel");
if (root !== null) {
  run(vscodeHost(acquireVsCodeApi()), root, plotStyle);
}
