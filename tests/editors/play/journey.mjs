// Uses the page of `seepage play` as a person does and writes what it showed: journey.mjs '{"modules": …, "address": …, "folder": …, "process": …, …}'
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";

const given = JSON.parse(process.argv[2]);
const require = createRequire(`${given.modules}/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const FILE = path.join(given.folder, "poll.seep");
const report = { errors: [], requests: [] };
const browser = await chromium.launch({ executablePath: given.executablePath, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
const page = await context.newPage();
page.setDefaultTimeout(60_000);
page.on("console", (message) => ["error", "warning"].includes(message.type()) && report.errors.push(message.text()));
page.on("pageerror", (error) => report.errors.push(String(error.stack)));
page.on("request", (request) => report.requests.push(new URL(request.url()).host));
page.on("dialog", (dialog) => dialog.accept()); // "leave the page?" at a reload
try {
  await journey();
} catch (error) {
  await picture("failed");
  report.failure = String(error.stack);
} finally {
  writeFileSync(given.report, JSON.stringify(report, null, 1));
  await browser.close();
}

async function journey() {
  const begin = Date.now();
  await page.goto(given.address);
  await current();
  report.seconds = (Date.now() - begin) / 1000;
  if (given.once) return; // the first number is all that is wanted
  report.first = { name: await text("#name"), figure: await figure(), title: await page.title(), lenses: await lenses(), state: await text("#state"), signs: await signs() };
  await picture("light");
  report.audit = { light: await audit() };
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("dark");
  report.audit.dark = await audit();
  await page.emulateMedia({ colorScheme: "light" });

  await heating();
  await sliding();
  await mistaken();
  await killed();
  await saving();
  await asking();
  await examples();
  await narrow();
  await notebook();
}

/** Where it leaks is marked once that is switched on, and not before. */
async function heating() {
  const marks = () => page.locator(".heats .heat").evaluateAll((found) => found.map((mark) => mark.className));
  report.heat = { before: await marks() };
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Alt+w");
  await page.waitForSelector(".heats .heat");
  report.heat.on = await marks();
  // The mark is as high as the line of text that it is of, below the lens.
  const boxes = await Promise.all([page.locator(".heats .heat").first(), page.locator(".cm-line", { hasText: "o := r" }).first()].map((each) => each.boundingBox()));
  report.heat.beside = Math.abs(boxes[0].y - boxes[1].y) <= 2 && Math.abs(boxes[0].height - boxes[1].height) <= 2;
  report.heat.pressed = await page.locator("#heat").getAttribute("aria-pressed");
  await picture("heat");
  report.audit.heat = await audit();
  await page.locator("#heat").click();
  await page.waitForFunction(() => document.querySelector(".heats .heat") === null);
  report.heat.pressed += ` ${await page.locator("#heat").getAttribute("aria-pressed")}`;
  await page.locator(".cm-content").focus();
}

/** A slider moves the number in the panel, by the keyboard alone: the parts of the page are a key apart. */
async function sliding() {
  await page.keyboard.press("F6");
  report.parts = [await focused()];
  for (let press = 0; press < 60 && (await focused()) !== "slider-eps"; press++) await page.keyboard.press("Tab");
  const before = await figure();
  for (let press = 0; press < 10; press++) await page.keyboard.press("ArrowRight");
  await page.waitForFunction((old) => document.querySelector(".focus .number")?.textContent !== old && !document.querySelector(".focus .previous"), before);
  report.moved = { value: await page.getByLabel("value of eps", { exact: true }).inputValue(), figure: await figure() };
  await page.getByRole("button", { name: "reset eps" }).click();
  for (let press = 0; press < 4; press++) {
    await page.keyboard.press("F6");
    report.parts.push(await focused());
  }
}

/** A slip is found while it is typed, and mended by a key. */
async function mistaken() {
  await toEnd();
  await page.keyboard.type("\nshow H(oo)");
  await page.waitForFunction(() => document.querySelector(".cm-lintRange-error")?.textContent === "oo");
  await page.keyboard.press("Control+Home");
  // The fixes of a finding come after it, and are shown when it is opened next.
  for (let again = 0; again < 20 && !report.fixes?.length; again++) {
    await page.keyboard.press("F8");
    await page.waitForSelector(".cm-tooltip-lint, .cm-diagnostic");
    report.finding = await page.locator(".cm-diagnosticText").first().innerText();
    report.fixes = await page.locator(".cm-diagnosticAction").allInnerTexts();
    await page.waitForTimeout(again * 100);
  }
  await picture("finding");
  await page.keyboard.press("Control+.");
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "menuitem");
  report.menu = await page.locator("[role=menuitem]").allInnerTexts();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".cm-lintRange-error") === null);
  report.mended = (await content()).trim().split("\n").at(-1);
  await current();
  report.unsaved = { about: await text("#about"), file: readFileSync(FILE, "utf8") === given.text };
}

/** A language server that is killed: another one comes, with all that was typed meanwhile. */
async function killed() {
  await toEnd();
  await page.keyboard.type("\n// before");
  await page.evaluate(() => {
    const state = document.querySelector("#state");
    window.states = [];
    new MutationObserver(() => window.states.push(state.textContent)).observe(state, { childList: true, subtree: true });
  });
  process.kill(server(), "SIGKILL");
  await page.keyboard.type(" and after\nshow I(o; r)", { delay: 20 });
  await page.waitForFunction(() => window.states.some((each) => each.includes("starting again")));
  await page.keyboard.type(" * 1", { delay: 20 });
  await current();
  await page.waitForFunction(() => [...document.querySelectorAll(".lens")].length === 8);
  report.killed = { end: (await content()).trim().split("\n").slice(-2), lenses: await lenses(), figure: await figure() };
}

/** Files are written when the user says so; what others wrote is not overwritten unasked. */
async function saving() {
  const before = readFileSync(FILE, "utf8");
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() => document.querySelector("#said").textContent.startsWith("saved"));
  report.saved = { before: before === given.text, after: readFileSync(FILE, "utf8") === (await content()), about: await text("#about") };
  writeFileSync(FILE, `${given.text}// theirs\n`);
  await toEnd();
  await page.keyboard.type("\n// mine");
  await page.keyboard.press("Control+s");
  await page.waitForSelector("dialog");
  report.conflict = { text: await text("dialog p"), file: readFileSync(FILE, "utf8").endsWith("// theirs\n"), audit: await audit() };
  await page.getByRole("button", { name: "Take the text of the file" }).click();
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForFunction(() => document.querySelector("#about").textContent === "");
  report.taken = (await content()).endsWith("// theirs\n");
}

/** What stands at the cursor, what may stand there, and the one style. */
async function asking() {
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+f");
  await page.keyboard.type("o := r");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  // An answer that comes meanwhile draws the text anew, and takes what is told of it away: then one asks again.
  for (let tries = 0; tries < 30 && (await page.locator(".told").count()) === 0; tries++) {
    await page.keyboard.press("Alt+h");
    await page.waitForSelector(".told", { timeout: 2_000 }).catch(() => null);
  }
  report.hover = await text(".told");
  await picture("hover");
  await toEnd();
  await page.keyboard.type("z ~ bern");
  await page.waitForSelector(".cm-tooltip-autocomplete li");
  report.completions = await page.locator(".cm-tooltip-autocomplete li .cm-completionLabel").allInnerTexts();
  await page.keyboard.press("Escape");
  await page.keyboard.type("oulli(");
  await page.waitForSelector(".signature");
  report.signature = [await text(".signature"), await text(".signature b")];
  await picture("signature");
  await page.keyboard.type(" 1/2 )");
  await page.waitForFunction(() => document.querySelector(".signature") === null);
  await page.keyboard.press("Shift+Alt+f");
  await page.waitForFunction(() => document.querySelector(".cm-content").innerText.includes("z ~ bernoulli(1/2)"));
  report.formatted = (await content()).trim().split("\n").at(-1);
}

/** An example is found, opened and changed by the keyboard; a reload loses nothing; it is saved under a name of its own. */
async function examples() {
  await page.keyboard.press("Shift+F6");
  await page.keyboard.type("cryptographers");
  for (let press = 0; press < 10 && !(await page.evaluate(() => document.activeElement.dataset.key ?? "")).startsWith("examples"); press++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#name").textContent === "dining-cryptographers.seep");
  report.example = { about: await text("#about"), focused: await focused() };
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// tried\n");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#name").textContent === "dining-cryptographers.seep");
  report.reloaded = (await content()).startsWith("// tried\n");
  await current();
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+s");
  await page.waitForSelector("dialog input");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("own");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-key='folder own.seep'][aria-current]");
  report.own = { text: readFileSync(path.join(given.folder, "own.seep"), "utf8").startsWith("// tried\n"), name: await text("#name") };
}

/** On a narrow window the programs are behind a button. */
async function narrow() {
  await page.setViewportSize({ width: 800, height: 800 });
  const hidden = await page.locator("#gallery").isHidden();
  await page.locator("#programs").focus();
  await page.keyboard.press("Enter");
  await page.locator("#gallery").waitFor({ state: "visible" });
  await picture("narrow");
  const opened = { focused: await focused(), audit: await audit() };
  await page.keyboard.press("Escape");
  await page.locator("#gallery").waitFor({ state: "hidden" });
  report.narrow = { hidden, ...opened, back: await focused(), sideways: await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth) };
  await page.keyboard.press("F1");
  await page.waitForSelector("dialog table");
  report.keys = await page.locator("dialog kbd").allInnerTexts();
  await page.keyboard.press("Escape");
}

/** The panel below a cell of a notebook: the widget's own page, and the widget at the other end of lines of JSON in place of a kernel. */
async function notebook() {
  const widget = spawn(given.widget[0], given.widget.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const cell = await context.newPage();
  cell.setDefaultTimeout(60_000);
  cell.on("console", (message) => ["error", "warning"].includes(message.type()) && report.errors.push(message.text()));
  cell.on("pageerror", (error) => report.errors.push(String(error.stack)));
  try {
    await cell.setContent('<!doctype html><html lang="en"><title>notebook</title><style>body { background: white; color: black } body[data-jp-theme-light="false"] { background: #111; color: white }</style><body data-jp-theme-light="true"><main><h1>notebook</h1><div id="cell"></div></main></body></html>');
    await cell.exposeFunction("toWidget", (message) => void widget.stdin.write(`${JSON.stringify(message)}\n`));
    let isFirst = true;
    createInterface({ input: widget.stdout }).on("line", (line) => {
      void cell.evaluate(isFirst ? begin : (message) => window.heard.forEach((listener) => listener(message)), JSON.parse(line));
      isFirst = false;
    });
    const number = cell.locator(".focus .number");
    const slider = cell.getByLabel("value of eps", { exact: true });
    await settled(cell);
    const first = await number.innerText();
    report.notebook = { first, light: await audited(cell, "notebook-light") };
    await cell.evaluate(() => (document.body.dataset.jpThemeLight = "false"));
    report.notebook.dark = await audited(cell, "notebook-dark");
    await slider.fill("2");
    await slider.press("Enter");
    await cell.waitForFunction((old) => document.querySelector("#cell").shadowRoot.querySelector(".focus .number:not(.previous)")?.textContent !== old, first);
    await settled(cell);
    report.notebook.moved = { value: await slider.inputValue(), figure: await number.innerText() };
    report.notebook.kept = await cell.evaluate(() => JSON.stringify(window.state ?? null));
  } finally {
    widget.stdin.end();
  }
}

/** Runs in the page: what anywidget does with a widget's page. */
async function begin(source) {
  window.heard = new Set();
  const model = {
    get: () => window.state,
    set: (_, value) => (window.state = value),
    save_changes: () => {},
    send: (message) => window.toWidget(message),
    on: (_, listener) => window.heard.add(listener),
    off: (_, listener) => window.heard.delete(listener),
  };
  const page = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  (await import(page)).default.render({ model, el: document.querySelector("#cell") });
}

function settled(cell) {
  return cell.waitForFunction(() => {
    const shown = document.querySelector("#cell").shadowRoot;
    return shown?.querySelector(".focus .number:not(.previous)") && !shown.querySelector("[aria-busy=true], figure.previous, .picture.quiet");
  });
}

async function audited(cell, name) {
  await cell.screenshot({ path: path.join(given.pictures, `${name}.png`), fullPage: true });
  await cell.evaluate(axe);
  const { violations } = await cell.evaluate(() => window.axe.run());
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** All numbers on the page are of the text as it is. */
function current() {
  return page.waitForFunction(() => {
    const words = [...document.querySelectorAll("#state .good, #state .warn")].map((each) => each.textContent);
    const lens = [...document.querySelectorAll(".lens")];
    return ["exact", "certified"].includes(words[0]) && lens.length > 0 && lens.every((each) => !each.textContent.includes("⟳")) && document.querySelector("main:not(.dim) .focus .number:not(.previous)") !== null;
  });
}

async function toEnd() {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
}

/** The language server that `seepage play` has started last; of Linux. */
function server() {
  const children = readFileSync(`/proc/${given.process}/task/${given.process}/children`, "utf8").trim().split(" ");
  return Number(children.at(-1));
}

function content() {
  return page.evaluate(() => document.querySelector(".cm-content").cmTile?.view?.state.doc.toString() ?? document.querySelector(".cm-content").cmView.view.state.doc.toString());
}

function lenses() {
  return page.locator(".lens").allInnerTexts();
}

function signs() {
  return page.locator(".sign").evaluateAll((all) => all.filter((each) => each.checkVisibility({ visibilityProperty: true })).map((each) => each.title));
}

function figure() {
  return text(".focus .number");
}

function focused() {
  return page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute("aria-label") || document.activeElement.tagName);
}

async function audit() {
  await page.evaluate(axe);
  const { violations } = await undisturbed(() => page.evaluate(() => window.axe.run()));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Does something once no answer is on its way; again, where one came all the same and took elements away from under it. */
async function undisturbed(work, again = 3) {
  await page.waitForFunction(() => document.querySelector("#panel [aria-busy=true], #panel figure.previous, #panel .picture.quiet") === null);
  try {
    return await work();
  } catch (error) {
    if (again === 0 || !/TypeError/.test(error.message)) throw error;
    await page.waitForTimeout(500);
    return undisturbed(work, again - 1);
  }
}

function text(selector) {
  return page.locator(selector).first().innerText();
}

async function picture(name) {
  await page.screenshot({ path: path.join(given.pictures, `${name}.png`) });
}
