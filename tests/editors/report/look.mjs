// Looks at pages in Chromium, light and dark, wide, narrow and on paper: look.mjs '{"modules": …, "executablePath": …, "pages": […], "report": …}'
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const given = JSON.parse(process.argv[2]);
const require = createRequire(`${given.modules}/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const report = {};
const browser = await chromium.launch({ executablePath: given.executablePath, args: ["--no-sandbox"] });
try {
  for (const page of given.pages) report[path.basename(page)] = await looked(page);
} finally {
  writeFileSync(given.report, JSON.stringify(report, null, 1));
  await browser.close();
}

async function looked(file) {
  const seen = { requests: [], messages: [], faults: {}, colours: {} };
  for (const colorScheme of ["light", "dark"]) {
    // The page's own policy forbids scripts, and so the checker: it is let in past it.
    const context = await browser.newContext({ viewport: { width: 900, height: 900 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    page.on("request", (request) => seen.requests.push(request.url()));
    page.on("console", (message) => seen.messages.push(message.text()));
    await page.goto(pathToFileURL(file).href);
    await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run());
    seen.faults[colorScheme] = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
    seen.colours[colorScheme] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    for (const width of [900, 360]) {
      await page.setViewportSize({ width, height: 800 });
      seen[`width at ${width}`] = await page.evaluate(() => document.documentElement.scrollWidth);
    }
    if (colorScheme === "dark") {
      await page.emulateMedia({ media: "print" });
      seen.colours.paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      seen.pdf = (await page.pdf({ preferCSSPageSize: true })).subarray(0, 5).toString();
    }
    await context.close();
  }
  return seen;
}
