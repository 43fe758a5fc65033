/** A page of the gallery: the panel beside a program, over answers that were kept. */

import type { Range } from "../panel/contract";
import type { Host } from "../panel/host";
import { run } from "../panel/run";
import plotStyle from "../panel/plots.css";
import { downloaded } from "../panel/download";
import { answerOf, type Kept, resultsOf } from "./kept";

type Listener = Parameters<Host["onNotification"]>[0];

function keptHost(kept: Kept, name: string): Host {
  const results = resultsOf(kept);
  const { uri } = results;
  const listeners: Listener[] = [];
  const tell: Listener = (method, params) => {
    for (const listener of listeners) {
      listener(method, params);
    }
  };
  followLines((line) => {
    tell("panel/cursor", { uri, at: { line, character: 0 } });
  });
  return {
    request: (method, params) =>
      new Promise((resolve) => {
        const asked = params as Readonly<Record<string, unknown>>;
        resolve(method === "seepage/results" ? results : answerOf(kept, results, { method, params: asked }));
      }),
    notify: (method) => {
      if (method === "panel/ready") {
        tell("panel/document", { uri, name });
      }
    },
    onNotification: (listener) => {
      listeners.push(listener);
    },
    state: { load: () => null, save: () => undefined },
    copy: (text) => {
      void navigator.clipboard.writeText(text);
    },
    save: downloaded,
    reveal: (_, range) => {
      reveal(range);
    },
    onTheme: (listener) => {
      window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
    },
  };
}

/** A click on a line of the program is what the cursor is in an editor. */
function followLines(moved: (line: number) => void): void {
  document.querySelectorAll<HTMLElement>("#text [data-line]").forEach((line) => {
    line.addEventListener("click", () => {
      mark(line, line);
      moved(Number(line.dataset["line"]));
    });
  });
}

function reveal({ start, end }: Range): void {
  const line = (at: number): HTMLElement | null => document.querySelector(`#text [data-line="${String(at)}"]`);
  const [first, last] = [line(start.line), line(end.line)];
  if (first !== null) {
    mark(first, last ?? first);
    first.scrollIntoView({ block: "nearest" });
  }
}

function mark(first: HTMLElement, last: HTMLElement): void {
  for (const line of document.querySelectorAll<HTMLElement>("#text [data-line]")) {
    const at = Number(line.dataset["line"]);
    line.classList.toggle("meant", Number(first.dataset["line"]) <= at && at <= Number(last.dataset["line"]));
  }
}

const root = document.getElementById("panel");
const data = document.getElementById("kept")?.textContent;
if (root !== null && data != null) {
  run(keptHost(JSON.parse(data) as Kept, document.title.split(" · ")[0] ?? ""), root, plotStyle);
}
