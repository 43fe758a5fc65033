// Uses the panel in VS Code and writes what it showed: in_vscode.mjs '{"modules": …, "address": …, "report": …, "pictures": …}'
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const given = JSON.parse(process.argv[2]);
const { chromium } = createRequire(`${given.modules}/`)("playwright-core");
const LIMIT = 180_000;
const FILE = "randomized-response-single.seep";
const report = {};
const browser = await chromium.launch({ executablePath: given.executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1500, height: 950 } });
page.setDefaultTimeout(LIMIT);
const errors = [];
page.on("console", (message) => message.type() === "error" && errors.push(`${message.text()} (${message.location().url})`));
const panel = page.frameLocator("iframe.webview").frameLocator("iframe#active-frame");
const figure = () => panel.locator(".focus .number").innerText();
try {
  await journey();
} catch (error) {
  await picture("vscode-failed");
  report.failure = String(error.stack);
} finally {
  report.errors = errors.filter((text) => /panel\.(js|css)|seepage|Content Security Policy.*(panel|fake)/i.test(text));
  writeFileSync(given.report, JSON.stringify(report, null, 1));
  await browser.close();
}

async function journey() {
  await page.goto(given.address);
  await page.waitForSelector(".monaco-workbench .statusbar");
  await page.keyboard.press("Control+p");
  await page.waitForSelector(".quick-input-widget input");
  await page.keyboard.type(FILE, { delay: 10 });
  await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${FILE}")`);
  await page.waitForTimeout(500); // the list settles; nothing in the page tells when
  await page.keyboard.press("Enter");
  await page.waitForSelector(".monaco-editor.focused .view-line");
  await run("Seepage: Open Leakage Panel");
  await panel.locator(".leaks").waitFor();
  await settled();
  report.figure = await figure();
  await panel.locator(".holding .mark").waitFor();
  report.holding = await panel.locator(".sliders .row").last().innerText();
  await picture("vscode-panel");

  const slider = panel.locator("#slider-eps");
  await slider.focus();
  for (let press = 0; press < 20; press++) await page.keyboard.press("ArrowRight");
  await settled();
  report.moved = { value: await panel.getByLabel("value of eps", { exact: true }).inputValue(), figure: await figure() };
  report.worst = await panel.locator(".leaks td.column-worst, .leaks td.column-at").allTextContents();
  await picture("vscode-slider");

  // A statement of the derivation, which is folded at first, leads to its line.
  await panel.locator(".derivation > summary").click();
  await panel.locator(".steps button.link", { hasText: "t ~ bernoulli" }).first().click();
  await page.waitForFunction(() => /Ln \d+/.test(document.querySelector(".statusbar").textContent));
  report.place = await page.evaluate(() => /Ln (\d+)/.exec(document.querySelector(".statusbar").textContent)?.[1]);

  await run("Preferences: Toggle between Light/Dark Themes");
  await panel.locator("body.vscode-dark").waitFor();
  await picture("vscode-dark");

  // A reload of the window brings the panel back, with the slider where it was.
  await page.reload();
  await page.waitForSelector(".monaco-workbench .statusbar");
  await panel.locator(".leaks").waitFor();
  await settled();
  report.reloaded = { value: await panel.getByLabel("value of eps", { exact: true }).inputValue(), figure: await figure() };

  // The server is started again: the numbers come back by themselves.
  await run("Seepage: Restart Language Server");
  await panel.locator(".notice.bad, main:not(.dim)").first().waitFor();
  await panel.locator("main:not(.dim) .focus .number:not(.previous)").waitFor();
  report.restarted = await steady(report.moved.figure);
  await picture("vscode-restarted");
}

async function run(command) {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget input");
  await page.keyboard.type(command.replace(/^Seepage: /, ""), { delay: 10 });
  await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${command}")`);
  await page.waitForTimeout(300);
  await page.keyboard.press("Enter");
}

/** The number in focus, once it is the one that is expected and stays so for two seconds: at a restart it goes, and nobody knows when. */
async function steady(expected) {
  const deadline = Date.now() + LIMIT;
  let shown = "";
  for (let calm = 0; calm < 10; ) {
    if (Date.now() > deadline) throw new Error(`the number in focus does not become ${expected} and stay`);
    shown = (await panel.locator(".focus .number:not(.previous)").allInnerTexts()).join();
    calm = shown === expected ? calm + 1 : 0;
    await page.waitForTimeout(200);
  }
  return shown;
}

/** Nothing in the panel is on its way. */
async function settled() {
  const deadline = Date.now() + LIMIT;
  for (let calm = 0; calm < 5; ) {
    if (Date.now() > deadline) throw new Error("the panel did not come to rest");
    const busy = await panel.locator("[aria-busy=true], figure.previous, figure.empty, main.dim").count();
    calm = busy === 0 ? calm + 1 : 0;
    await page.waitForTimeout(150);
  }
}

async function picture(name) {
  await page.screenshot({ path: path.join(given.pictures, `${name}.png`) });
}
