// vscode.mjs CODE_SERVER VSIX TOOLS OUT: the extension in VS Code (code-server) in Chromium, by keyboard.
//
// Fails unless a wrong SKILL.md shows a squiggle, a lens and a hover, and a fix that is applied by keyboard removes the squiggle and
// stands in the file. Writes screenshots into OUT. CODE_SERVER is a directory in whose node_modules code-server and Node.js are.
import { execFileSync, spawn } from "node:child_process";
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [server, vsix, tools, out] = process.argv.slice(2).map((name) => path.resolve(name));
const puppeteer = createRequire(path.join(tools, "package.json"))("puppeteer-core");
const PORT = 18480;
const TEXT = "---\nname: pdf\ndescription: Fills in: forms. Use when a form is due.\n---\nRead it.\n";

fs.rmSync(out, { recursive: true, force: true });
const repository = path.join(out, "repository");
const skill = path.join(repository, ".claude/skills/pdf/SKILL.md");
fs.mkdirSync(path.dirname(skill), { recursive: true });
fs.writeFileSync(skill, TEXT);
execFileSync("git", ["init", "--quiet", repository]);

const node = path.join(server, "node_modules/.bin/node");
const home = ["--extensions-dir", path.join(out, "extensions"), "--user-data-dir", path.join(out, "user")];
const entry = [path.join(server, "node_modules/code-server/out/node/entry.js"), "--config", path.join(out, "config.yaml"), ...home];
execFileSync(node, [...entry, "--install-extension", vsix], { stdio: "ignore" });
const quiet = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
const running = spawn(node, [...entry, ...quiet, "--bind-addr", `127.0.0.1:${PORT}`], { stdio: "ignore" });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
  headless: true,
});
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  const shot = (name) => page.screenshot({ path: path.join(out, `${name}.png`) });
  const press = async (...keys) => {
    for (const key of keys.slice(0, -1)) await page.keyboard.down(key);
    await page.keyboard.press(keys.at(-1));
    for (const key of keys.slice(0, -1)) await page.keyboard.up(key);
    await sleep(1500);
  };
  for (let tries = 0; ; tries += 1) {
    try {
      await page.goto(`http://127.0.0.1:${PORT}/?folder=${repository}`);
      break;
    } catch (error) {
      if (tries === 60) throw error;
      await sleep(500);
    }
  }
  await page.waitForSelector(".monaco-workbench", { timeout: 120_000 });
  // Keys do nothing until the workbench is ready, and the list of files comes late on a busy machine.
  for (let tries = 0; ; tries += 1) {
    await press("Control", "p");
    try {
      await page.waitForSelector(".quick-input-widget input", { visible: true, timeout: 5000 });
      break;
    } catch (error) {
      if (tries === 10) throw error;
    }
  }
  await page.keyboard.type(".claude/skills/pdf/SKILL.md");
  await page.waitForFunction(() => /SKILL\.md/.test(document.querySelector(".quick-input-list .monaco-list-row")?.textContent), { timeout: 120_000 });
  await press("Enter");
  await page.waitForSelector(".squiggly-error", { timeout: 120_000 });
  await page.waitForSelector(".codelens-decoration", { timeout: 60_000 });
  const lens = await page.$eval(".codelens-decoration", (element) => element.textContent);
  assert.match(lens, /\d+ load, \d+ drop.*tokens/);
  await press("F8");
  await shot("finding");
  await press("Escape");
  await press("Control", ".");
  await shot("actions");
  await press("Enter");
  await page.waitForFunction(() => !document.querySelector(".squiggly-error"), { timeout: 60_000 });
  const field = await page.evaluate(() => {
    const words = [...document.querySelectorAll(".view-line span span")];
    const { x, y, height } = words.find((word) => word.textContent.includes("description")).getBoundingClientRect();
    return { x: x + 30, y: y + height / 2 };
  });
  await page.mouse.move(field.x, field.y);
  await page.waitForSelector(".monaco-hover:not(.hidden) .hover-row", { timeout: 60_000 });
  await sleep(1000);
  const hover = await page.evaluate(() => document.querySelector(".monaco-hover:not(.hidden)").innerText);
  assert.match(hover, /Read by \d+ of \d+ runtimes/);
  assert.match(hover, /The model sees/);
  await shot("hover");
  await press("Control", "s");
  assert.equal(fs.readFileSync(skill, "utf8"), TEXT.replace(/Fills.*due\./, '"$&"'));
  console.log(`VS Code: ${lens}; the fix is in the file; screenshots in ${out}`);
} finally {
  await browser.close();
  running.kill();
}
