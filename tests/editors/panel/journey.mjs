// Uses the panel as a person does and writes what it showed: journey.mjs '{"modules": …, "report": …, "pictures": …}'
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { audit } from "./audit.mjs";
import { openPanel } from "./page.mjs";

const given = JSON.parse(process.argv[2]);
const POLL = path.join(given.examples, "randomized-response-single.seep");
const QUESTIONS = path.join(given.examples, "twenty-questions.seep");
const GAUSSIAN = path.join(given.examples, "gaussian-mechanism.seep");
// Two secrets, two outputs and a budget, with names that are longer than a narrow panel is wide.
const LONG = path.join(given.pictures, "long-names.seep");
const [HEALTH, INCOME, ANSWER, ENVELOPE, TRUTH] = ["whether_the_person_has_ever_been_ill", "the_income_of_the_household_in_classes", "the_answer_that_is_published_in_the_yearbook", "the_size_of_the_envelope_of_the_letter", "how_likely_the_answer_is_true_when_it_is_asked_twice"];
const axe = readFileSync(createRequire(`${given.modules}/`).resolve("axe-core/axe.min.js"), "utf8");
const report = {};
const panel = await openPanel(given);
const { page, server } = panel;
try {
  await journey();
} catch (error) {
  await page.screenshot({ path: path.join(given.pictures, "failed.png"), fullPage: true });
  report.failure = String(error.stack);
} finally {
  report.errors = panel.errors;
  writeFileSync(given.report, JSON.stringify(report, null, 1));
  await panel.end();
}

/** How the page fits: pixels of the table out of sight, those of buttons beyond the content, and the narrowest slider. */
function fit() {
  const main = document.querySelector("main");
  const right = main.getBoundingClientRect().right - parseFloat(getComputedStyle(main).paddingRight);
  const rightOf = (query) => Math.max(...[...document.querySelectorAll(query)].map((each) => each.getBoundingClientRect().right));
  const sliders = [...document.querySelectorAll("input[type=range]")].map((each) => each.getBoundingClientRect().width);
  return {
    width: innerWidth,
    hidden: rightOf(".leaks tbody *") - document.querySelector(".leaks table").getBoundingClientRect().right,
    beyond: rightOf(".tools > button, .menu > button") - right,
    slider: Math.min(...sliders),
  };
}

async function journey() {
  report["at first"] = await text("main");

  await show(POLL);
  report.folded = await page.locator("details:not([open]) summary").allInnerTexts();
  await picture("folded");
  await page.getByRole("button", { name: "details of r through o" }).click();
  for (const name of ["posterior", "derivation"]) await page.locator(`.${name} > summary`).click();
  await panel.settled();
  report.pair = await text(".leaks .details");
  report.headings = await page.locator("h1, h2").allInnerTexts();
  report.table = await cells(".leaks");
  report.figure = await text(".focus .number");
  report.formula = await page.evaluate(() => document.querySelector(".formula math")?.textContent ?? "");
  report.answers = await cells(".answers");
  report.budgets = await cells(".budgets");
  report.posterior = await cells(".posterior");
  report.derivation = await text(".derivation");
  report.audit = { light: await page.evaluate(audit) };
  for (const theme of ["light", "dark", "high contrast", "high contrast light"]) {
    await panel.theme(theme);
    await picture(theme);
    report.audit[theme] = await page.evaluate(audit);
  }
  await panel.theme("light");

  // Where the budget holds: a click on the mark below the slider leads to its end, and back.
  await page.waitForSelector(".holding .mark");
  await panel.settled();
  report.holding = await text(".sliders .row >> nth=1");
  await page.locator(".holding .mark").click();
  // What is drawn follows with the next frame.
  await page.waitForFunction(() => document.querySelector("[aria-label='value of eps']").value !== "1");
  report["at the end"] = await page.getByLabel("value of eps", { exact: true }).inputValue();
  await page.getByLabel("reset eps").click();
  await page.locator("details.where > summary").click();
  await page.waitForSelector("details.where tbody tr");
  report.where = await cells(".where");
  await page.locator("details.where > summary").click();
  await panel.settled();

  // A slider, by keyboard: on the way the old number is grey, then the new one stands.
  await page.locator("#slider-eps").focus();
  for (let press = 0; press < 10; press++) await page.keyboard.press("ArrowRight");
  report["while moving"] = await page.evaluate(() => document.querySelector(".focus .number").className);
  await panel.settled();
  report.moved = { value: await page.getByLabel("value of eps", { exact: true }).inputValue(), figure: await text(".focus .number"), table: await cells(".leaks"), spoken: await text("[role=status].unseen") };
  report["at eps"] = await measured(POLL, "I(r; o)", { eps: report.moved.value });
  await picture("moved");

  // A field takes fractions, and refuses what is outside of the domain.
  const field = page.getByLabel("value of p", { exact: true });
  await field.fill("7");
  await field.press("Enter");
  report.refused = { fault: await text("[role=alert]"), invalid: await field.getAttribute("aria-invalid"), figure: await text(".focus .number") };
  await field.fill("1/4");
  await field.press("Enter");
  await panel.settled();
  report.fraction = await text(".focus .number");
  report["table at both"] = await cells(".leaks");
  report["at both"] = await measured(POLL, "I(r; o)", { eps: report.moved.value, p: "1/4" });

  await files();
  await page.getByRole("button", { name: "reset all" }).click();
  await panel.settled();
  report.reset = { figure: await text(".focus .number"), p: await field.inputValue() };

  // A click into the map goes there; the pointer reads values off the curve.
  const map = page.locator("figure .picture").nth(1);
  const box = await map.boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
  await page.waitForFunction(() => document.querySelectorAll(".readout")[1].textContent !== "");
  report.readout = await page.locator(".readout").nth(1).textContent();
  await page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.3);
  await panel.settled();
  report.clicked = { p: await field.inputValue(), eps: await page.getByLabel("value of eps", { exact: true }).inputValue() };
  await page.getByRole("button", { name: "reset all" }).click();
  await panel.settled();

  await following();
  await states();
  await reloaded();

  await show(GAUSSIAN);
  report.gaussian = { table: await cells(".leaks"), answers: await cells(".answers"), derivation: await text(".derivation") };
  await picture("gaussian");
  await page.setViewportSize({ width: 380, height: 800 });
  report.narrow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await picture("narrow");
  report.widths = [];
  for (const width of [270, 380, 485, 560, 640, 760]) {
    await page.setViewportSize({ width, height: 800 });
    report.widths.push(await page.evaluate(fit));
  }
  await longNames();
  await strategies();
  await page.setViewportSize({ width: 960, height: 800 });

  server.kill();
  await panel.tell("panel/server", { health: "error", message: "the server has stopped", action: "Restart" });
  await page.waitForSelector(".notice.bad");
  report.gone = { notice: await text(".notice"), dim: await page.locator("main.dim").count() };
  await page.getByRole("button", { name: "Restart" }).click();
  report.help = (await page.evaluate(() => window.seen.notified)).at(-1);
  await picture("stopped");
}

/** Long names are cut or broken: at no width is there anything to scroll to sideways, or anything that axe finds. */
async function longNames() {
  const declared = `param ${TRUTH} in [1/2, 1] = 3/4\nsecret ${HEALTH}\nsecret ${INCOME}\noutput ${ANSWER}\noutput ${ENVELOPE}\n`;
  const drawn = `${HEALTH} ~ bernoulli(1/3)\n${INCOME} ~ uniform_int(0, 9)\ncoin ~ bernoulli(${TRUTH})\n`;
  const seen = `${ANSWER} := ${HEALTH}\nif not coin { ${ANSWER} := !${HEALTH} }\n${ENVELOPE} := floor(${INCOME} / 3) + coin\n`;
  writeFileSync(LONG, `${declared}${drawn}${seen}require I(${HEALTH}; ${ANSWER}) <= 0.15 bits\n`);
  await show(LONG);
  await page.evaluate(axe);
  report.long = [];
  for (const width of [360, 480, 720, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    for (const theme of ["light", "dark", "high contrast"]) {
      await panel.theme(theme);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      const { violations } = await page.evaluate(() => window.axe.run({ preload: false }));
      report.long.push({ width, theme, sideways, violations: violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`) });
    }
    await picture(`long names ${width}`);
  }
  await panel.theme("light");
}

/** The strategy of an attacker who chooses, in a narrow panel, light and dark, and folded by keyboard. */
async function strategies() {
  await show(QUESTIONS);
  await page.waitForSelector(".strategy .tree");
  report.strategy = { lead: await text(".strategy p"), others: await cells(".strategy .others"), tree: await cells(".strategy .tree"), audits: [] };
  for (const width of [360, 480]) {
    await page.setViewportSize({ width, height: 800 });
    for (const theme of ["light", "dark"]) {
      await panel.theme(theme);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      const { violations } = await page.evaluate(() => window.axe.run({ preload: false }));
      report.strategy.audits.push({ width, theme, sideways, violations: violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`) });
      await picture(`strategy ${theme} ${width}`);
    }
  }
  await panel.theme("light");
  await page.getByRole("button", { name: "what follows yes ask grade <= 2" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".strategy .tree tbody tr").length < 15);
  report.strategy.folded = { lines: await page.locator(".strategy .tree tbody tr").count(), focused: await page.evaluate(() => document.activeElement.getAttribute("aria-expanded")) };
}

/** What is copied and exported at the panel's values. */
async function files() {
  for (const form of ["as Markdown", "as LaTeX", "as a command", "Derivation as LaTeX"]) {
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: form, exact: true }).click();
  }
  report.copied = await page.evaluate(() => window.seen.copied);
  for (const name of ["Curve as PNG", "Curve as SVG", "Curve as CSV", "Map as PNG", "Map as SVG", "Map as CSV", "Table as CSV"]) {
    const before = await page.evaluate(() => window.seen.saved.length);
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("button", { name }).click();
    await page.waitForFunction((count) => window.seen.saved.length > count, before);
  }
  report.saved = await page.evaluate(() => window.seen.saved);
  for (const { name, data } of report.saved) writeFileSync(path.join(given.pictures, name), Buffer.from(data, "base64"));
  // A menu opens and closes by keyboard, and takes nothing with it.
  await page.getByRole("button", { name: "Copy" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("#copy-items").waitFor();
  await page.keyboard.press("Tab");
  report.menu = { focused: await page.evaluate(() => document.activeElement.textContent) };
  await picture("menu");
  await page.keyboard.press("Escape");
  await page.locator("#copy-items").waitFor({ state: "hidden" });
  report.menu.open = await page.locator(".menu ul:visible").count();
}

/** The cursor leads, until the panel is pinned; statements lead to their lines. */
async function following() {
  const lines = readFileSync(POLL, "utf8").split("\n");
  const cursor = (start) => panel.tell("panel/cursor", { uri: uriOf(POLL), at: { line: lines.findIndex((line) => line.startsWith(start)), character: 0 } });
  const focus = () => page.getByLabel("Measure", { exact: true }).evaluate((element) => element.selectedOptions[0].textContent);
  await cursor("show H(o)");
  await panel.settled();
  report.followed = [await focus()];
  await page.getByRole("button", { name: "Pin" }).click();
  await cursor("show H(r | o)");
  await panel.settled();
  report.followed.push(await focus());
  await page.getByRole("button", { name: "Pin" }).click();
  await cursor("show I(r; o)");
  await panel.settled();
  report.followed.push(await focus());
  await page.locator(".steps button.link", { hasText: "t ~ bernoulli" }).first().click();
  await page.locator(".budgets").getByRole("button").first().click();
  report.revealed = (await page.evaluate(() => window.seen.revealed)).map(([, range]) => lines[range.start.line]);
}

/** A text that changes: nothing of the one before is shown as current. */
async function states() {
  const before = readFileSync(POLL, "utf8");
  server.change(uriOf(POLL), 2, before.replace("[0, 1] = 1/2", "[0, 1] = 1/4"));
  await page.waitForSelector("main.dim");
  report.stale = { notice: await text(".notice"), chip: await page.locator(".chip").allInnerTexts() };
  await picture("stale");
  server.change(uriOf(POLL), 3, before.replace("bernoulli(p)", "bernoulli(q"));
  await page.waitForFunction(() => document.querySelector(".notice")?.textContent.includes("errors"));
  report.broken = await text(".notice");
  server.change(uriOf(POLL), 4, before.replace("[0, 1] = 1/2", "[0, 1] = 1/4"));
  server.save(uriOf(POLL));
  await page.waitForSelector("main:not(.dim)");
  await panel.settled();
  report.again = { figure: await text(".focus .number"), measured: await measured(POLL, "I(r; o)", {}) };
  // Paused, the panel keeps what it has.
  await page.getByRole("button", { name: "Pause" }).click();
  server.change(uriOf(POLL), 5, before);
  server.save(uriOf(POLL));
  await page.waitForSelector("main.dim");
  report.paused = { notice: await text(".notice"), figure: await text(".focus .number") };
  await page.getByRole("button", { name: "Go on" }).click();
  await page.waitForSelector("main:not(.dim)");
  await panel.settled();
  report.resumed = await text(".focus .number");
}

/** A reload of the window finds the panel as it was. */
async function reloaded() {
  await page.locator("#slider-eps").fill("40");
  await panel.settled();
  const before = { figure: await text(".focus .number"), eps: await page.getByLabel("value of eps", { exact: true }).inputValue() };
  await page.reload();
  await page.waitForSelector(".leaks");
  await panel.settled();
  report.reloaded = { before, after: { figure: await text(".focus .number"), eps: await page.getByLabel("value of eps", { exact: true }).inputValue() } };
}

async function show(file) {
  server.open(uriOf(file), file);
  await panel.tell("panel/document", { uri: uriOf(file), name: path.basename(file) });
  await page.waitForFunction((name) => document.querySelector("h1").textContent === name, path.basename(file));
  await page.waitForSelector("main:not(.dim) .focus");
  await panel.settled();
}

/** The number by itself, straight from the server. */
async function measured(file, measure, parameters) {
  return (await server.request("seepage/measure", { textDocument: { uri: uriOf(file) }, measure, parameters })).result.value;
}

function uriOf(file) {
  return pathToFileURL(file).href;
}

function text(selector) {
  return page.locator(selector).first().innerText();
}

function cells(section) {
  return page.evaluate((name) => [...document.querySelectorAll(`${name} tbody:not(.group) tr:not(.details)`)].map((row) => [...row.children].map((cell) => cell.innerText.trim())), section);
}

async function picture(name) {
  await page.screenshot({ path: path.join(given.pictures, `${name.replaceAll(" ", "-")}.png`), fullPage: true });
}
