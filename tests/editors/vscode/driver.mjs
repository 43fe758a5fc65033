// Drives windows in Chromium for tests: driver.mjs MODULES CHROMIUM. Each line on standard input is a command, each on standard output its answer.
// Waiting is always for a condition in the page, never for a time.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [modules, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/`)("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const pages = new Map();

const COMMANDS = {
  async open({ page: name, address, limit }) {
    const page = await context.newPage();
    const said = [];
    page.on("console", (message) => message.type() === "error" && said.push(message.text()));
    page.on("pageerror", (error) => said.push(String(error)));
    pages.set(name, { page, said });
    page.setDefaultTimeout(limit * 1000);
    await page.goto(address);
    await page.waitForSelector(".monaco-workbench .statusbar");
  },
  async reload({ page }) {
    await page.reload();
    await page.waitForSelector(".monaco-workbench .statusbar");
  },
  press: ({ page, key }) => page.keyboard.press(key),
  type: ({ page, text }) => page.keyboard.type(text),
  // The condition is a function of the page, as text; what it answers in the end is the answer.
  async wait({ page, condition, argument, limit }) {
    const handle = await page.waitForFunction(FUNCTION(condition), argument, { timeout: limit * 1000, polling: 100 });
    return handle.jsonValue();
  },
  evaluate: ({ page, condition, argument }) => page.evaluate(FUNCTION(condition), argument),
  click: ({ page, selector, text }) => (text ? page.locator(selector, { hasText: text }) : page.locator(selector)).first().click(),
  // The text of the frame, the page's own or one of a webview, that has the wanted text in it.
  async inside({ page, text, limit }) {
    for (const deadline = Date.now() + limit * 1000; Date.now() < deadline; await new Promise((next) => setTimeout(next, 100))) {
      for (const frame of page.frames().slice(1)) {
        const found = await frame.evaluate(() => document.body?.innerText ?? "").catch(() => ""); // it may go at any time
        if (found.includes(text)) return found;
      }
    }
    throw new Error(`no frame says '${text}'`);
  },
  // A click on the first element of a webview that a selector finds with a text in it.
  async clickInside({ page, selector, text, limit }) {
    for (const deadline = Date.now() + limit * 1000; Date.now() < deadline; await new Promise((next) => setTimeout(next, 100))) {
      for (const frame of page.frames().slice(1)) {
        const found = frame.locator(selector, { hasText: text }).first();
        if ((await found.count().catch(() => 0)) > 0) return found.click({ timeout: limit * 1000 });
      }
    }
    throw new Error(`no frame has '${selector}' with '${text}'`);
  },
  async point({ page, x, y }) {
    await page.mouse.move(x - 60, y + 4);
    await page.mouse.move(x, y, { steps: 5 });
  },
  async screenshot({ page, path, clip }) {
    await page.screenshot({ path, ...(clip ? { clip } : {}) });
  },
  async resize({ page, width, height }) {
    await page.setViewportSize({ width, height });
  },
  said: (_, { said }) => said,
  async close({ page, name }) {
    pages.delete(name);
    await page.close({ runBeforeUnload: false });
  },
};

// A function given as text arrives as text: this makes it one again, inside the page.
function FUNCTION(text) {
  return new Function("argument", `return (${text})(argument)`);
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  const known = pages.get(command.page);
  let answer;
  try {
    const given = { ...command, name: command.page, page: command.do === "open" ? command.page : known?.page };
    answer = { value: (await COMMANDS[command.do](given, known)) ?? null };
  } catch (error) {
    answer = { error: String(error && error.message) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
