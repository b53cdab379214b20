// report_page.mjs TOOLS PAGE OUT: opens the report of a fleet in Chromium. Fails if axe-core finds a violation in the light or the dark
// scheme or on a narrow window, if the page loads or runs anything, or if a result has no query. Writes screenshots into OUT.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [tools, file, out] = process.argv.slice(2).map((name) => path.resolve(name));
const require = createRequire(path.join(tools, "package.json"));
const puppeteer = require("puppeteer-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const problems = [];
const url = pathToFileURL(file).href;

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
fs.mkdirSync(out, { recursive: true });
for (const [scheme, width] of [["light", 1280], ["dark", 1280], ["light", 400]]) {
  const page = await browser.newPage();
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  page.on("request", (request) => { if (request.url() !== url) problems.push(`the page loads ${request.url()}`); });
  page.on("console", (message) => { if (message.type() === "error") problems.push(`console: ${message.text()}`); });
  page.on("dialog", (dialog) => { problems.push("a dialog opens"); dialog.dismiss(); });
  await page.goto(url, { waitUntil: "load" });
  await page.$$eval("details", (parts) => parts.forEach((part) => { part.open = true; }));
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  for (const violation of result.violations) {
    problems.push(`axe, ${scheme} ${width}: ${violation.id}: ${violation.help} (${violation.nodes.length}, ${violation.nodes[0].html.slice(0, 160)})`);
  }
  const [sections, queries, wide] = await page.evaluate(() => [
    document.querySelectorAll("section").length,
    document.querySelectorAll("section details pre").length,
    document.documentElement.scrollWidth > document.documentElement.clientWidth,
  ]);
  if (sections < 7 || queries !== sections) problems.push(`${sections} sections have ${queries} queries`);
  if (wide) problems.push(`${scheme} ${width}: the page scrolls sideways`);
  await page.screenshot({ path: path.join(out, `${scheme}-${width}.png`), fullPage: true });
  await page.close();
}
await browser.close();
problems.forEach((problem) => console.log(problem));
console.log(`${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
