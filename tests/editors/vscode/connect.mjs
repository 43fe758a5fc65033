// Opens a window in Chromium and keeps it until this process is ended: connect.mjs MODULES CHROMIUM ADDRESS
import { createRequire } from "node:module";

const [modules, executablePath, address] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/`)("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(address);
process.on("SIGTERM", async () => {
  await browser.close();
  process.exit(0);
});
