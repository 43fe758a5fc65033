/** The panel in a notebook: a widget of anywidget, whose host is the kernel at the other end of the widget's messages. */

import type { File, Host } from "./host";
import { type Incoming, relayed } from "./relay";
import { run } from "./run";
import panelStyle from "./panel.css";
import plotStyle from "./plots.css";
import notebookStyle from "./notebook.css";

/** What is used of the model of anywidget. */
interface Model {
  get(name: "state"): unknown;
  set(name: "state", value: unknown): void;
  save_changes(): void;
  send(message: unknown): void;
  on(event: "msg:custom", listener: (message: Incoming) => void): void;
  off(event: "msg:custom", listener: (message: Incoming) => void): void;
}

/** The page that the notebook is: its colours are told by attributes of the body. */
const THEMED = { attributes: true, attributeFilter: ["class", "data-jp-theme-light", "data-jp-theme-name"] };

/** Where the kernel is not, nothing is answered: what is copied and saved is the browser's business. */
function notebookHost(model: Model, body: HTMLElement, left: AbortSignal): Host {
  return {
    ...relayed({
      post: (message) => {
        model.send(message);
      },
      onMessage: (listener) => {
        model.on("msg:custom", listener);
        left.addEventListener("abort", () => {
          model.off("msg:custom", listener);
        });
      },
    }),
    copy: (text) => {
      void navigator.clipboard.writeText(text);
    },
    save: download,
    state: {
      load: () => model.get("state"),
      save: (state) => {
        model.set("state", state);
        model.save_changes();
      },
    },
    onTheme: (listener) => {
      const observer = new MutationObserver(() => {
        shade(body);
        listener();
      });
      observer.observe(document.body, THEMED);
      left.addEventListener("abort", () => {
        observer.disconnect();
      });
    },
  };
}

function download({ name, mime, data }: File): void {
  const link = document.createElement("a");
  link.href = `data:${mime};base64,${data}`;
  link.download = name;
  link.click();
}

/** Tell the style sheet whether the page is dark: by what it says of itself, else by its colour, else by what its reader prefers. */
function shade(body: HTMLElement): void {
  const told = document.body.dataset["jpThemeLight"];
  const dark =
    told === undefined
      ? document.body.classList.contains("vscode-dark") || matchMedia("(prefers-color-scheme: dark)").matches
      : told === "false";
  body.classList.toggle("dark", dark);
}

/** Of a style sheet of a page, one of a part of it: what is said of the page is said of the part. */
function scoped(style: string): string {
  return style.replace(/:root\b/g, ":host").replace(/^(html,\s*)?body\b/gm, ".body");
}

function render({ model, el }: { readonly model: Model; readonly el: HTMLElement }): () => void {
  const left = new AbortController();
  // Styles and names of the panel are no business of the page around it.
  const shadow = el.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = `${scoped(panelStyle)}\n${plotStyle}\n${notebookStyle}`;
  const body = document.createElement("div");
  body.className = "body";
  shadow.append(style, body);
  shade(body);
  // Keys that are typed here are no commands of the notebook.
  for (const event of ["keydown", "keyup", "keypress"]) {
    body.addEventListener(event, (pressed) => {
      pressed.stopPropagation();
    });
  }
  run(notebookHost(model, body, left.signal), body, plotStyle, "div");
  return () => {
    left.abort();
  };
}

export default { render };
