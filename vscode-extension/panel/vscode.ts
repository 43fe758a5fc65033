/** The panel in a webview of VS Code: the host is the extension at the other end of `postMessage`. */

import type { Host } from "./host";
import { type Incoming, relayed } from "./relay";
import { run } from "./run";
import plotStyle from "./plots.css";

interface VSCode {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VSCode;

function vscodeHost(editor: VSCode): Host {
  return {
    ...relayed({
      post: (message) => {
        editor.postMessage(message);
      },
      // Only the editor's own frame posts to a webview, and what it sends is data.
      onMessage: (listener) => {
        window.addEventListener("message", ({ data }: MessageEvent<Incoming>) => {
          listener(data);
        });
      },
    }),
    state: {
      load: () => editor.getState(),
      save: (state) => {
        editor.setState(state);
      },
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
