// site.mjs TOOLS SITE OUT [PART...]: opens the built site in Chromium: the playground and a page of each kind. PART is a function below.
//
// Fails if axe-core finds a serious violation, a page is wider than its window or too large, the playground gives no result, runs or loads
// something from a file, does not work with the keyboard alone or without a network, or a search does not find the page that a newcomer
// needs. Writes screenshots into OUT.
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import zlib from "node:zlib";

const [tools, site, out] = process.argv.slice(2, 5).map((name) => path.resolve(name));
const parts = process.argv.slice(5);
const require = createRequire(path.join(tools, "package.json"));
const puppeteer = require("puppeteer-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/// Maximum size of a page in bytes after gzip, and in nodes.
const PAGE = 60_000, NODES = 3_000;
/// Maximum time in milliseconds in which the page does not react, while a body of 1 MB is pasted and checked (1,600 on a busy machine, most of
/// them in Chromium).
const PAUSE = 4_000;

/// Questions of newcomers, and the page that answers each.
const QUESTIONS = [
  ["install", ["install/"]],
  ["github action", ["action/"]],
  ["pre-commit", ["hooks/"]],
  ["gitlab", ["reviewers/"]],
  ["claude code", ["runtimes/claude-code/", "runtimes/"]],
  ["codex", ["runtimes/codex/"]],
  ["description too long", ["rules/description-too-long/", "rules/short-description-too-long/", "rules/compatibility-too-long/"]],
  ["invalid yaml", ["rules/invalid-yaml/"]],
  ["ignore a finding", ["ignores/"]],
  ["exit status", ["output/", "cli/"]],
  ["sarif", ["output/", "action/", "reviewers/"]],
  ["only new findings", ["compare/"]],
  ["custom rule", ["own-rules/"]],
  ["pre-receive", ["server/"]],
  ["prompt block", ["prompt/", "start/dispatcher/"]],
  ["marketplace", ["publish/", "packages/"]],
  ["vs code", ["editors/", "runtimes/vscode-copilot/"]],
  ["skilltree.toml", ["configuration/"]],
  ["targets", ["targets/"]],
  ["security", ["safety/"]],
];

const HOSTILE = `---
name: "<img src=x onerror=window.hostile=1>"
description: "</pre><script>window.hostile=1</script> \u202e hidden \u200b"
---
[x](javascript:window.hostile=1) <img src=https://example.org/x.png onerror=window.hostile=1>
`;

const problems = [];
const expect = (holds, problem) => holds || problems.push(problem);

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json", ".svg": "image/svg+xml" };
const server = http.createServer((request, response) => {
  let file = path.join(site, path.normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)));
  if (fs.existsSync(file) && fs.statSync(file).isDirectory()) file = path.join(file, "index.html");
  if (!file.startsWith(site) || !fs.existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" }).end(fs.readFileSync(file));
});
await new Promise((done) => server.listen(0, "localhost", done));
const origin = `http://localhost:${server.address().port}`;

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"], headless: true });

/// Opens a page and notes what it loads from elsewhere, and its errors.
async function open(address, { scheme = "light", width = 1280, plain = false } = {}) {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument((plain) => {
    try {
      plain ? localStorage.setItem("skilltree-plain", "") : localStorage.removeItem("skilltree-plain");
    } catch {
      // A page that did not load has no storage.
    }
  }, plain);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  page.on("request", (request) => expect(/^(blob:|data:)/.test(request.url()) || request.url().startsWith(origin), `${address}: loads ${request.url()}`));
  page.on("console", (message) => expect(message.type() !== "error", `${address}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`${address}: ${error.message}`));
  page.on("dialog", (dialog) => { problems.push(`${address}: a dialog opens`); dialog.dismiss(); });
  await page.goto(`${origin}/${address}`, { waitUntil: "load" });
  return page;
}

/// Opens the playground with one of its two fields, and waits for the first verdict.
async function play(plain, options = {}, link = "") {
  const page = await open(`play/${link}`, { ...options, plain });
  await waitFor(page, "runtimes load");
  if (!plain) await page.waitForSelector("skill-editor#text", { timeout: 10_000 });
  return page;
}

async function accessible(page, words) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, impact, nodes } of violations.filter(({ impact }) => ["serious", "critical"].includes(impact))) {
    problems.push(`axe, ${words}: ${id} (${impact}, ${nodes.length}): ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`);
  }
}

const fits = async (page, words) => expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${words}: wider than the window`);
const verdict = (page) => page.$eval("#verdict", (part) => part.textContent);
const waitFor = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.getElementById("verdict").textContent), { timeout: 30_000 }, pattern).catch(async (error) => { throw new Error(`${error.message}: "${await verdict(page)}" is not ${pattern}`); });
const fill = (page, text) => page.$eval("#text", (field, value) => { field.value = value; field.dispatchEvent(new Event("input")); }, text);

/// Calls a part with the editor, and with the text field.
const both = async (part) => {
  for (const plain of [false, true]) await part(plain);
};

const playground = () => both(async (plain) => {
  const start = Date.now();
  const page = await play(plain);
  console.log(`playground: first verdict after ${Date.now() - start} ms: ${await verdict(page)}`);
  expect(/drop it/.test(await verdict(page)), "the colon example is dropped by no runtime");
  expect((await page.$$eval("#runtimes tr", (rows) => rows.length)) > 40, "not every runtime is shown");
  await page.click("#fix");
  await waitFor(page, " 0 errors");
  expect((await page.$eval("#text", (field) => field.value)).includes('"Fills in PDF forms: reads'), "the fix does not change the text");
  await page.type("#names", "claude, codex");
  expect((await page.$$eval("#runtimes tr", (rows) => rows.length)) < 6, "the filter of names does not work");
  expect((await page.$eval("#runtimes pre", (part) => part.textContent)).startsWith("- pdf: "), "the entry of the list is not shown");

  // A link holds everything.
  await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.written = text; }; });
  await page.click("#copy-link");
  await page.waitForFunction("window.written");
  const link = await page.evaluate("window.written");
  const other = await play(plain, {}, link.slice(link.indexOf("#")));
  expect((await other.$eval("#text", (field) => field.value)) === (await page.$eval("#text", (field) => field.value)), "a link does not hold the text");
  await other.close();
  await page.evaluate("window.written = ''");
  await page.click("#copy-markdown");
  await page.waitForFunction("window.written");
  expect((await page.evaluate("window.written")).includes("[Open in the playground](http"), "the Markdown has no link");

  // Hostile text stays text.
  await fill(page, HOSTILE);
  await page.$eval("#names", (field) => { field.value = ""; field.dispatchEvent(new Event("input")); });
  await waitFor(page, "runtimes load");
  await new Promise((done) => setTimeout(done, 500));
  const found = await page.evaluate(() => ({
    ran: "hostile" in window,
    foreign: [document, document.getElementById("text").shadowRoot ?? document].map((root) => root.querySelectorAll("body script, img[src], iframe, a:not([href^='#'], [href^='../'])").length).join(),
    hidden: /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/.test(document.querySelector("main").innerText),
  }));
  expect(!found.ran && found.foreign === "0,0" && !found.hidden, `hostile text: ${JSON.stringify(found)}`);
  await page.close();

  // A broken link says so.
  const broken = await open("play/#1:AAAA");
  expect(/cannot be read/.test(await broken.$eval("#note", (part) => part.textContent)), "a broken link is not reported");
  await broken.close();
});

/// A pasted body of 1 MB gets its verdict while the page stays responsive. A body beyond a limit is said, and the next one is checked.
const large = () => both(async (plain) => {
  const page = await play(plain);
  const skill = (megabytes) => {
    const lines = Array.from({ length: megabytes * 25_000 }, (_, number) => `Read form ${number}, then fill in field ${(number * 7919) % 100_003}.\n`);
    return `---\nname: pdf\ndescription: Reads forms. Use when a form is due.\n---\n${lines.join("").slice(0, megabytes * 1_000_000)}\n`;
  };
  await browser.defaultBrowserContext().overridePermissions(origin, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
  await page.bringToFront();
  await page.evaluate((text) => navigator.clipboard.writeText(text), skill(1));
  // The longest time in which the page could not answer its user.
  await page.evaluate(() => {
    let last = performance.now();
    window.longest = 0;
    setInterval(() => {
      window.longest = Math.max(window.longest, performance.now() - last);
      last = performance.now();
    }, 10);
  });
  // Chromium's own call does not know the method of the editor.
  await page.$eval("#text", (field) => field.focus());
  await press(page, "Control", "a");
  const before = await verdict(page), start = Date.now();
  await page.keyboard.down("Control");
  await page.keyboard.press("v", { commands: ["paste"] });
  await page.keyboard.up("Control");
  await page.waitForFunction((before) => document.getElementById("verdict").textContent !== before, { timeout: 30_000 }, before);
  const [took, longest] = [Date.now() - start, await page.evaluate("window.longest")];
  console.log(`playground, ${plain ? "text field" : "editor"}: 1 MB after ${took} ms, longest pause ${longest.toFixed(0)} ms: ${await verdict(page)}`);
  expect((await page.$eval("#text", (field) => field.value.length)) > 1_000_000, "the body of 1 MB was not pasted");
  expect(/runtimes load/.test(await verdict(page)), "a body of 1 MB gets no verdict");
  expect(longest < PAUSE, `the page does not react for ${longest.toFixed(0)} ms while it checks 1 MB; the limit is ${PAUSE}`);
  await page.click("#copy-link");
  await page.waitForFunction(() => /many programs cut it/.test(document.getElementById("copied").textContent), { timeout: 10_000 });
  expect(await page.$eval("#save", (button) => !button.hidden), "a long link offers no file");

  // A check that fails is said.
  await page.workers()[0].evaluate(() => { onmessage = () => { throw new Error("a check that fails"); }; });
  await fill(page, skill(1));
  await waitFor(page, "The check failed");

  // Either the checker is too slow for these, or they are too large.
  for (const [megabytes, words] of [[12, "stopped after 2 seconds|runtimes load"], [18, "more than 16 MiB"]]) {
    await fill(page, skill(megabytes));
    await waitFor(page, words);
    console.log(`playground: ${megabytes} MB: ${await verdict(page)}`);
    await fill(page, "---\nname: pdf\ndescription: Reads forms. Use when a form is due.\n---\nRead it.\n");
    await waitFor(page, " 0 errors, 0 warnings");
  }
  await page.close();
});

const keyboard = () => both(async (plain) => {
  const page = await play(plain);
  const reached = new Set();
  for (let number = 0; number < 40; number++) {
    await page.keyboard.press("Tab");
    const { id, visible } = await page.evaluate(() => ({ id: document.activeElement.id || document.activeElement.tagName, visible: getComputedStyle(document.activeElement).outlineStyle !== "none" || document.activeElement.matches("[type=file]") }));
    reached.add(id);
    expect(visible, `the focus on ${id} is not visible`);
  }
  for (const id of ["examples", "open-files", "open-folder", "add", "path", "text", "plain", "copy-link", "fix", "outcome", "names"]) expect(reached.has(id), `the keyboard does not reach ${id}`);
  await page.focus("#fix");
  await page.keyboard.press("Enter");
  await waitFor(page, " 0 errors");
  await page.close();
});

/// The edit of one finding is the same as that of all, and its place is selected, whatever the line endings.
const edits = () => both(async (plain) => {
  const page = await play(plain);
  for (const [mark, end] of [["", "\n"], ["\ufeff", "\r\n"], ["", "\r"]]) {
    const lines = ["---", "name: pdf", "# \u00e9\u{1f600}", "description: \u00e9\u{1f600} Fills in: forms. Use when a form is due.", "---", "Read it.", ""];
    const link = await page.evaluate(async (text) => {
      const json = JSON.stringify({ files: [{ path: ".claude/skills/pdf/SKILL.md", text }] });
      const packed = await new Response(new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
      return `#1:${btoa(String.fromCharCode(...new Uint8Array(packed))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
    }, mark + lines.join(end));
    const loaded = async () => {
      await page.evaluate(() => { document.getElementById("verdict").textContent = ""; location.hash = "none"; });
      await page.evaluate((link) => { location.hash = link; }, link);
      await waitFor(page, " [1-9] error");
    };
    const isGone = () => page.waitForFunction(() => !document.getElementById("findings").textContent.includes("invalid-yaml"), { timeout: 10_000 });
    const text = () => page.$eval("#text", (field) => field.value);
    const words = `${JSON.stringify(mark + end)}, ${plain ? "text field" : "editor"}`;
    await loaded();
    const buttons = await page.evaluateHandle(() => [...document.querySelectorAll(".findings li")].find((item) => item.textContent.includes("invalid-yaml")).querySelectorAll("button"));
    await buttons.evaluate(([place]) => place.click());
    const selected = await page.$eval("#text", (field) => field.value.slice(field.selectionStart, field.selectionEnd));
    expect(selected === ":", `the place of the finding is "${selected}" (${words})`);
    await buttons.evaluate(([, fix]) => fix.click());
    await isGone();
    const one = await text();
    expect(one.includes('description: "\u00e9'), `the edit of a finding does not fix it (${words}): ${one}`);
    await loaded();
    await page.click("#fix");
    await isGone();
    expect((await text()).replace("\ufeff", "") === one.replace("\ufeff", ""), `the edit of one finding is not that of all (${words}): ${JSON.stringify([one, await text()])}`);
  }
  await page.close();
});

/// What the editor adds to the text field, and how someone gets back to it.
async function editor() {
  const page = await play(false);
  const marked = () => page.$eval("#text", (field) => [...field.shadowRoot.querySelectorAll(".cm-lintRange-error")].map((part) => part.textContent).join(""));
  const text = () => page.$eval("#text", (field) => field.value);
  const colors = await page.$eval("#text", (field) => new Set([...field.shadowRoot.querySelectorAll(".cm-line span")].map((part) => getComputedStyle(part).color)).size);
  expect(colors >= 3, `the editor shows ${colors} colors`);
  const before = await text();
  await page.waitForFunction(() => document.getElementById("text").shadowRoot.querySelector(".cm-lintRange-error"), { timeout: 10_000 });
  expect((await marked()).length > 0 && before.includes(await marked()), `the editor underlines "${await marked()}"`);

  // The mouse: message and edit.
  await (await page.evaluateHandle(() => document.getElementById("text").shadowRoot.querySelector(".cm-lintRange-error"))).hover();
  await page.waitForFunction(() => document.getElementById("text").shadowRoot.querySelector(".cm-diagnosticAction"), { timeout: 10_000 });
  expect((await page.$eval("#text", (field) => field.shadowRoot.querySelector(".cm-diagnostic").textContent)).includes("invalid-yaml"), "the editor does not show the message");
  await fits(page, "message in the editor");
  await accessible(page, "message in the editor");
  await page.screenshot({ path: path.join(out, "editor.png") });
  await (await page.evaluateHandle(() => document.getElementById("text").shadowRoot.querySelector(".cm-diagnosticAction"))).click();
  await waitFor(page, " 0 errors");
  expect((await text()) !== before && (await marked()) === "", "the edit of the editor changes nothing");

  // The keyboard: undo, go to the finding, fix it, write, leave.
  await page.$eval("#text", (field) => field.focus());
  await press(page, "Control", "z");
  await waitFor(page, " 1 error,");
  expect((await text()) === before, "an edit cannot be undone");
  await page.keyboard.press("F8");
  await press(page, "Control", ".");
  await waitFor(page, " 0 errors");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.type(" \u200bhidden");
  await page.waitForFunction(() => document.getElementById("findings").textContent.includes("U+200B"), { timeout: 10_000 });
  expect(await page.$eval("#text", (field) => field.shadowRoot.querySelector(".cm-specialChar") !== null), "the editor hides a character");
  await page.keyboard.press("Tab");
  expect((await page.evaluate("document.activeElement.id")) === "plain", "Tab does not leave the editor");

  // Another file has a history of its own.
  await page.click("#add");
  await page.$eval("#text", (field) => field.focus());
  const added = await text();
  await press(page, "Control", "z");
  expect((await text()) === added, "undo brings back another file");

  // The text field, by choice, and if the editor does not load.
  await page.click("#plain");
  expect((await page.$eval("#text", (field) => field.tagName + field.value)) === `TEXTAREA${added}`, "the choice does not bring the text field");
  await page.click("#plain");
  await page.waitForSelector("skill-editor#text", { timeout: 10_000 });
  expect((await text()) === added, "the choice does not bring the editor");
  await page.close();

  // Someone who types before the editor is there keeps the text field, until the focus leaves it.
  const early = await open("play/");
  await early.focus("#text");
  await early.keyboard.type("x");
  await waitFor(early, "runtimes load");
  await early.waitForNetworkIdle();
  const typed = await early.$eval("#text", (field) => field.value);
  expect(typed.includes("x---") || typed.endsWith("x"), `a key before the first verdict is lost: ${typed}`);
  expect((await early.$eval("#text", (field) => field.tagName)) === "TEXTAREA", "the editor takes the focus from the text field");
  await early.keyboard.press("Tab");
  await early.waitForSelector("skill-editor#text", { timeout: 10_000 });
  expect((await early.$eval("#text", (field) => field.value)) === typed, "the editor has another text");
  await early.close();

  const cut = (request) => { if (request.url.endsWith("editor.js")) request.url = "/none"; };
  server.prependListener("request", cut);
  const without = await browser.createBrowserContext().then((context) => context.newPage());
  await without.goto(`${origin}/play/`);
  await waitFor(without, "runtimes load");
  await without.waitForFunction(() => document.getElementById("plain").parentElement.hidden, { timeout: 10_000 });
  expect((await without.$eval("#text", (field) => field.tagName)) === "TEXTAREA", "without the editor, there is no text field");
  server.removeListener("request", cut);
  await without.close();
}

async function offline() {
  const page = await open("play/");
  await waitFor(page, "runtimes load");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => caches.match("skilltree_bg.wasm").then(Boolean), { timeout: 30_000 });
  const cut = (request, response) => response.destroy();
  server.prependListener("request", cut);
  const session = await page.createCDPSession();
  await session.send("Network.enable");
  await page.setOfflineMode(true);
  await page.reload({ waitUntil: "load" });
  await waitFor(page, "runtimes load");
  await page.waitForSelector("skill-editor#text", { timeout: 10_000 });
  await page.setOfflineMode(false);
  server.removeListener("request", cut);
  await page.close();
}

async function pages() {
  const kinds = ["", "start/author/", "rules/", "rules/invalid-yaml/", "runtimes/", "runtimes/codex/", "runtimes/compare/", "cli/", "cli/check/", "play/"];
  for (const address of kinds) {
    for (const [name, options] of [["light", {}], ["dark", { scheme: "dark" }], ["narrow", { width: 390 }]]) {
      const page = await open(address, options);
      if (address === "play/") await waitFor(page, "runtimes load");
      await new Promise((done) => setTimeout(done, 200));
      await fits(page, `${address} ${name}`);
      await accessible(page, `${address} ${name}`);
      await page.screenshot({ path: path.join(out, `${address.replaceAll("/", "-") || "home-"}${name}.png`) });
      await page.close();
    }
  }
}

async function tables() {
  const page = await open("rules/?severity=error", { width: 390 });
  const shown = () => page.$$eval("article tbody tr", (rows) => rows.filter((row) => !row.hidden).length);
  const errors = await shown();
  expect(errors > 5 && errors < 100, `the filter of severities shows ${errors} rules`);
  await page.focus(".filters input");
  await page.keyboard.type("yaml");
  expect((await shown()) < errors, "the text filter shows no fewer rules");
  expect(page.url().includes("q=yaml"), "the address does not have the filter");
  await page.close();
  for (const address of ["rules/", "runtimes/", "runtimes/codex/"]) {
    const narrow = await open(address, { width: 390 });
    await narrow.waitForSelector("article table.wide", { timeout: 10_000 });
    const wide = await narrow.$$eval("article table.wide", (tables) => tables.filter((table) => table.getBoundingClientRect().right > innerWidth).length);
    expect(wide === 0, `${address}: ${wide} tables are wider than a phone`);
    await narrow.close();
  }
  const moved = await open("runtimes/#codex");
  await moved.waitForFunction(() => location.pathname.endsWith("/runtimes/codex/"), { timeout: 10_000 }).catch(() => problems.push("runtimes/#codex does not lead to the page of Codex"));
  await moved.close();
  const compared = await open("runtimes/compare/?a=goose&b=codex");
  await compared.waitForSelector("#compare tbody tr", { timeout: 10_000 });
  expect((await compared.$$eval("#compare tbody tr", (rows) => rows.length)) > 10, "the comparison shows no differences");
  await compared.close();
}

async function search() {
  const page = await open("");
  let missed = 0;
  // The shortcut works once the scripts have run.
  for (const start = Date.now(); Date.now() - start < 60_000 && !(await page.evaluate(focused)); ) {
    await press(page, "Control", "k");
    await page.waitForFunction(focused, { polling: 200, timeout: 5_000 }).catch(() => {});
  }
  for (const [question, wanted] of QUESTIONS) {
    const links = await ask(page, question);
    const found = links.slice(0, 3).some((link) => wanted.includes(link));
    if (!found) problems.push(`search for "${question}": ${links.slice(0, 4).join(", ") || "nothing"} instead of ${wanted[0]}`);
    missed += found ? 0 : 1;
  }
  console.log(`search: ${QUESTIONS.length - missed} of ${QUESTIONS.length} questions are answered`);
  await page.close();
}

async function press(page, modifier, key) {
  await page.keyboard.down(modifier);
  await page.keyboard.press(key);
  await page.keyboard.up(modifier);
}

/// Returns whether a text field has the focus, in the page.
function focused() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.tagName === "INPUT";
}

/// Types a question into the search, and returns the addresses of the results once they stay the same.
async function ask(page, question) {
  const before = await page.evaluate(results);
  await press(page, "Control", "a");
  await page.keyboard.type(question);
  let links = [], last;
  for (const start = Date.now(); Date.now() - start < 60_000 && (links.length === 0 || links.join() !== last); ) {
    last = links.join();
    await new Promise((done) => setTimeout(done, 500));
    links = await page.evaluate(results);
    // The results of the question before stay until the new ones are there.
    if (Date.now() - start < 3_000 && links.join() === before.join()) links = [];
  }
  const paths = links.filter((link) => link.startsWith(origin)).map((link) => new URL(link).pathname.slice(1));
  return [...new Set(paths)];
}

/// Returns the addresses that the search shows, in the page.
function results() {
  const all = [];
  const collect = (root) => {
    for (const part of root.querySelectorAll("*")) {
      if (part.shadowRoot) collect(part.shadowRoot);
      if (part.matches("li a[href], [role=listbox] a[href], [role=option] a[href]") && (root !== document || part.closest("[role=dialog], dialog, .md-search"))) all.push(part.href);
    }
  };
  collect(document);
  return all;
}

/// Every page is small enough.
function sizes() {
  let largest = ["", 0], nodes = ["", 0];
  const walk = (directory) => fs.readdirSync(directory, { withFileTypes: true }).forEach((entry) => {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) return walk(file);
    if (!entry.name.endsWith(".html")) return;
    const text = fs.readFileSync(file);
    const size = zlib.gzipSync(text).length, count = text.toString().match(/<[a-z]/g)?.length ?? 0;
    const name = path.relative(site, file);
    if (size > largest[1]) largest = [name, size];
    if (count > nodes[1]) nodes = [name, count];
    expect(size <= PAGE, `${name} has ${size} bytes after gzip; the limit is ${PAGE}`);
    expect(count <= NODES, `${name} has ${count} nodes; the limit is ${NODES}`);
  });
  walk(site);
  console.log(`largest page: ${largest.join(", ")} bytes after gzip; most nodes: ${nodes.join(", ")}`);
}

fs.mkdirSync(out, { recursive: true });
try {
  for (const part of [sizes, playground, edits, editor, large, keyboard, offline, tables, pages, search]) {
    if (parts.length > 0 && !parts.includes(part.name)) continue;
    try {
      await part();
    } catch (error) {
      problems.push(`${part.name}: ${error.message}`);
    }
  }
} finally {
  await browser.close();
  server.close();
}
problems.forEach((problem) => console.log(problem));
console.log(`${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
