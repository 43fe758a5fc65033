// Uses a page of the gallery as a person does and writes what it showed: journey.mjs '{"modules": …, "page": …, "list": …, "report": …}'
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const given = JSON.parse(process.argv[2]);
const require = createRequire(`${given.modules}/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const report = { errors: [], requests: [], audit: {} };
const browser = await chromium.launch({ executablePath: given.executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
page.setDefaultTimeout(90_000);
page.on("console", (message) => ["error", "warning"].includes(message.type()) && report.errors.push(message.text()));
page.on("pageerror", (error) => report.errors.push(String(error.stack)));
page.on("request", (request) => report.requests.push(request.url()));
try {
  await journey();
} catch (error) {
  report.failure = String(error.stack);
} finally {
  writeFileSync(given.report, JSON.stringify(report, null, 1));
  await browser.close();
}

/** Open a part that is folded; a figure that is drawn anew at that moment does not see the click. */
async function opened(part) {
  for (let again = 0; again < 60 && !(await part.evaluate((each) => each.open)); again++) {
    await part.locator("summary").click();
    await page.waitForTimeout(500);
  }
}

async function journey() {
  await page.goto(given.page);
  await page.waitForSelector(".focus .number");
  report.story = await text(".example section > p:not(.group)");
  report.look = await text(".look");
  report.lines = await page.locator("#text span[data-line]").first().evaluate((line) => [line.dataset.number, line.textContent]);
  report.first = await text(".focus .number");
  report.audit.light = await audit();
  await picture("light");

  await page.locator("#slider-q").focus();
  for (let press = 0; press < 6; press++) await page.keyboard.press("ArrowRight");
  await changed(report.first);
  report.moved = { value: await page.getByLabel("value of q", { exact: true }).inputValue(), figure: await text(".focus .number") };
  await opened(page.locator("figure details", { hasText: "as a table" }).first());
  await page.waitForFunction(() => document.querySelectorAll("figure table tbody tr").length >= 2);
  report.curve = await page.locator("figure table tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent)));

  await page.locator(".sliders button.link", { hasText: "set" }).first().click();
  await changed(report.moved.figure);
  report.edge = await text(".focus .number");
  const field = page.getByLabel("value of q", { exact: true });
  await field.fill("0.123456");
  await field.press("Enter");
  report.refused = await text(".sliders [role=alert]");

  await page.locator("#text span.asks", { hasText: "show I" }).click();
  report.clicked = await text("#text .meant");
  await page.emulateMedia({ colorScheme: "dark" });
  report.audit.dark = await audit();
  await picture("dark");

  await page.goto(given.list);
  report.listed = await text("td.number");
  report.audit.list = await audit();
  await picture("list");
}

function text(selector) {
  return page.locator(selector).first().innerText();
}

function changed(before) {
  return page.waitForFunction((old) => {
    const number = document.querySelector(".focus .number");
    return number && number.textContent !== old && !document.querySelector(".focus .previous");
  }, before);
}

async function audit() {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({ preload: false }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

function picture(name) {
  return page.screenshot({ path: path.join(given.pictures, `${name}.png`), fullPage: true });
}
