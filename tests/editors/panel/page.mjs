// The panel in a plain browser: a page with the bundle of the extension, and a host that relays to a language server.
import { readFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { start } from "./lsp.mjs";
import { THEMES } from "./themes.mjs";

const TYPES = { css: "text/css", js: "text/javascript" };
// As strict as in VS Code, but for where the files come from.
const POLICY = "default-src 'none'; img-src data:; style-src 'self'; script-src 'self'; connect-src 'self'";
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Leakage</title><link rel="stylesheet" href="panel.css"></head>
<body><div id="panel"></div><script type="module" src="start.js"></script></body></html>`;
const START = `import { run } from "./run.js";
const listeners = [], aborts = new Map();
let last = 0;
window.tell = (method, params) => listeners.forEach((each) => each(method, params));
window.repaint = () => {};
const seen = (window.seen = { copied: [], saved: [], revealed: [], notified: [] });
const host = {
  request: async (method, params, signal) => {
    const id = ++last;
    signal.addEventListener("abort", () => window.relayCancel(id));
    const { result, error } = await window.relay(id, method, params);
    if (error) throw error;
    return result;
  },
  notify: (method, params) => seen.notified.push([method, params]),
  onNotification: (listener) => listeners.push(listener),
  state: { load: () => JSON.parse(sessionStorage.getItem("panel")), save: (state) => sessionStorage.setItem("panel", JSON.stringify(state)) },
  copy: (text) => seen.copied.push(text),
  save: (file) => seen.saved.push(file),
  reveal: (uri, range) => seen.revealed.push([uri, range]),
  onTheme: (listener) => (window.repaint = listener),
};
run(host, document.getElementById("panel"), await (await fetch("plots.css")).text());`;

/** Open the panel in Chromium, connected to the server; closes with `end`. */
export async function openPanel({ modules, executablePath, server: command, extension, width = 960 }) {
  const { chromium } = createRequire(`${modules}/`)("playwright-core");
  const errors = [];
  const tell = (method, params) => page?.evaluate(([m, p]) => window.tell?.(m, p), [method, params]).catch(() => {});
  let page;
  let server = await start(command, (method, params) => method.startsWith("seepage/") && tell(method, params));
  const files = http.createServer((asked, answer) => {
    const name = path.basename(asked.url);
    answer.setHeader("content-type", TYPES[name.split(".").pop()] ?? "text/html; charset=utf-8");
    answer.setHeader("content-security-policy", POLICY);
    if (name === "" || name === "/") answer.end(PAGE);
    else if (name === "start.js") answer.end(START);
    else if (name === "plots.css") answer.end(readFileSync(path.join(extension, "panel", name)));
    else if (name in { "run.js": 0, "panel.css": 0 }) answer.end(readFileSync(path.join(extension, "out", "panel", name)));
    else answer.writeHead(204).end();
  });
  await new Promise((resolve) => files.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  page = await browser.newPage({ viewport: { width, height: 800 } });
  page.setDefaultTimeout(90_000);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error.stack)));
  const running = new Map();
  await page.exposeFunction("relay", async (id, method, params) => {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      return { result: await server.request(method, params, abort.signal) };
    } catch (error) {
      return { error };
    } finally {
      running.delete(id);
    }
  });
  await page.exposeFunction("relayCancel", (id) => running.get(id)?.abort());
  await page.goto(`http://127.0.0.1:${files.address().port}/`);
  await page.waitForSelector("main");
  return {
    page,
    errors,
    tell,
    get server() {
      return server;
    },
    theme: (name) =>
      page.evaluate(([kind, colours]) => {
        document.body.className = kind;
        document.documentElement.removeAttribute("style");
        for (const [variable, value] of Object.entries(colours)) document.documentElement.style.setProperty(variable, value);
        window.repaint();
      }, THEMES[name]),
    /** Nothing on the page is on its way any more. */
    settled: async () => {
      await page.evaluate(() => (window.calm = 0));
      await page.waitForFunction(
        () => {
          const text = document.querySelector("main").textContent;
          const busy = document.querySelector("[aria-busy=true], figure.previous, .derivation .previous");
          window.calm = busy === null && !text.includes("computing") && !text.includes("waiting") ? (window.calm ?? 0) + 1 : 0;
          return window.calm > 4;
        },
        undefined,
        { polling: 100, timeout: 180_000 },
      );
    },
    end: async () => {
      await browser.close();
      files.close();
      await server.end();
    },
  };
}
