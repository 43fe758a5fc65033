// Takes pictures of a window: screenshots.mjs MODULES CHROMIUM ADDRESS SHOTS DIRECTORY
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const [modules, executablePath, address, shots, directory] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/`)("playwright-core");
const LIMIT = 60_000;

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(LIMIT);
  await page.goto(address);
  await page.waitForSelector(".monaco-workbench .statusbar");
  await page.waitForTimeout(2000);
  await page.keyboard.press("Control+b"); // the side bar away
  for (const shot of JSON.parse(readFileSync(shots, "utf8"))) {
    await take(page, shot).catch(async (error) => {
      const failed = path.join(tmpdir(), "seepage-screenshot-failed.png");
      await page.screenshot({ path: failed });
      console.error(`what the window showed then: ${failed}`);
      throw error;
    });
  }
} finally {
  await browser.close();
}

async function take(page, { image, file, from, ready, line, on }) {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+p");
  await page.keyboard.type(file, { delay: 10 });
  await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${file}")`);
  await page.waitForTimeout(300);
  await page.keyboard.press("Enter");
  await page.waitForFunction((name) => document.querySelector(".tab.active")?.textContent?.includes(name), file);
  await page.waitForSelector(".monaco-editor.focused .view-line");
  const deadline = Date.now() + LIMIT;
  do {
    if (Date.now() > deadline) throw new Error(`no lens says '${ready}'`);
    // Lenses push lines out of sight when they arrive.
    await page.keyboard.press(from === "end" ? "Control+End" : "Control+Home");
    await page.waitForTimeout(1000);
  } while (!(await page.evaluate(hasLens, ready)));
  await page.keyboard.press(from === "end" ? "Control+End" : "Control+Home");
  await page.waitForTimeout(500);
  const point = await page.evaluate(placeOf, { line, on });
  if (!point) throw new Error(`'${on}' in '${line}' is not in sight`);
  await page.mouse.move(point.x - 60, point.y + 4);
  await page.mouse.move(point.x, point.y, { steps: 5 });
  await page.waitForFunction(() => {
    const hover = document.querySelector(".monaco-hover:not(.hidden) .hover-contents");
    return hover && hover.textContent.trim() !== "" && !hover.textContent.includes("Loading");
  });
  await page.waitForTimeout(1000);
  await page.screenshot({ path: path.join(directory, image) });
  await page.mouse.move(1270, 400);
}

function hasLens(text) {
  return [...document.querySelectorAll(".codelens-decoration")].some((lens) => lens.textContent.includes(text));
}

// The middle of the text `on` in the first visible line that has the text `line`.
function placeOf({ line, on }) {
  const plain = (text) => text.replaceAll("\u00a0", " ");
  for (const element of document.querySelectorAll(".view-line")) {
    const text = plain(element.textContent);
    if (!text.includes(line)) continue;
    let index = text.indexOf(line) + line.lastIndexOf(on);
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (index < node.length) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const box = range.getBoundingClientRect();
        return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
      }
      index -= node.length;
    }
  }
  return null;
}
