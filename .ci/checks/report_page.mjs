// report_page.mjs PROGRAM TOOLS OUT: opens the report page of a repository with 300 skills, some of them hostile, in Chromium.
// All but two are new since the base.
//
// Fails if axe-core finds a violation in the light or the dark scheme or on a narrow window, if anything from the repository runs or
// loads, if a filter does not work, or if the page shows less without scripts. Writes the page and screenshots into OUT.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [program, tools, out] = process.argv.slice(2).map((name) => path.resolve(name));
const require = createRequire(path.join(tools, "package.json"));
const puppeteer = require("puppeteer-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
const problems = [];
const expect = (holds, problem) => holds || problems.push(problem);

const HOSTILE = [
  ["script", "<script>window.hostile = 1</script>", "</title><script>window.hostile = 1</script>"],
  ["image", "<img src=x onerror=window.hostile=1>", "<img src=https://example.org/x.png onerror=window.hostile=1>"],
  ["link", "[x](javascript:window.hostile=1)", "javascript:window.hostile=1"],
  ["quote", "\" onmouseover=\"window.hostile=1\" x=\"", "' autofocus onfocus='window.hostile=1"],
  ["template", "{{ policy }}{% for x in y %}", "{% raw %}"],
  ["bidi", "a\u202eb\u2066c", "hidden \u200b\u202e text"],
  ["style", "</style><style>body { display: none }", "</pre></article></main>"],
];

/// Writes a repository: skills of three skills directories, of which every tenth has an error.
function repository() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "report-"));
  const skill = (name, text) => {
    fs.mkdirSync(path.join(directory, name), { recursive: true });
    fs.writeFileSync(path.join(directory, name, "SKILL.md"), text);
  };
  const roots = [".agents/skills", ".claude/skills", ".agent/skills"];
  for (let number = 0; number < 300 - HOSTILE.length; number++) {
    const root = roots[number < 200 ? 0 : number < 260 ? 1 : 2];
    const name = `skill-${number}`;
    const description = `Converts table ${number} into a chart. Use when a task names table ${number}. ${"More about it. ".repeat(number % 20)}`;
    const written = number % 10 === 3 ? `other-${number}` : name;
    const value = number % 10 === 7 ? `Use when: ${description}` : description;
    skill(`${root}/${name}`, `---\nname: ${written}\ndescription: ${value}\n---\n\n# ${name}\n\nSee [a file](missing-${number}.md).\n`);
  }
  for (const [name, field, text] of HOSTILE) {
    skill(`.agents/skills/${name} <b onclick=x>&"'`, `---\nname: ${JSON.stringify(field)}\ndescription: ${JSON.stringify(text)}\n---\n\n${text}\n[x](${text})\n`);
  }
  // Reference files: a chain with a cycle, one that is missing, one that nothing names, and one with a hostile name.
  const base = path.join(directory, ".agents/skills/skill-5");
  const names = ["a.md", "b.md", "c.md", `<img src=x onerror=window.hostile=1> "'.md`, "alone.md"];
  fs.mkdirSync(path.join(base, "references"));
  fs.appendFileSync(path.join(base, "SKILL.md"), `\nSee [a](references/a.md), [it](<references/${names[3].replace(/[<>]/g, "\\$&")}>).\n`);
  names.forEach((name, number) => fs.writeFileSync(path.join(base, "references", name), `See [next](${names[(number + 1) % 3]}) and [gone](gone-${number}.md).\n`));
  for (let number = 10; number < 60; number++) {
    const references = path.join(directory, `.agents/skills/skill-${number}/references`);
    fs.mkdirSync(references);
    for (let other = 0; other < 8; other++) fs.writeFileSync(path.join(references, `page-${other}.md`), `See [next](page-${(other * 3 + 1) % 8}.md).\n`);
    fs.appendFileSync(path.join(references, "../SKILL.md"), "\nSee [a](references/page-0.md) and [b](references/page-5.md).\n");
  }
  const git = (...words) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], { cwd: directory, env: environment });
  git("init", "--quiet");
  git("add", ".agents/skills/skill-0", ".agents/skills/skill-1");
  git("commit", "--quiet", "--message", "The base");
  git("add", "--all");
  return directory;
}

/// Opens the page and collects what it loads, what its policy blocks, and its errors.
async function open(browser, file, { scheme = "light", width = 1280, scripts = true } = {}) {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  const url = pathToFileURL(file).href;
  page.on("request", (request) => expect(request.url() === url, `the page loads ${request.url()}`));
  page.on("console", (message) => expect(message.type() !== "error", `console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`script: ${error.message}`));
  page.on("dialog", (dialog) => { problems.push("a dialog opens"); dialog.dismiss(); });
  await page.goto(url, { waitUntil: "load" });
  return page;
}

async function accessible(page, words) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  for (const violation of result.violations) {
    problems.push(`axe, ${words}: ${violation.id}: ${violation.help} (${violation.nodes.length}, ${violation.nodes[0].html.slice(0, 160)})`);
  }
}

async function filters(page, all) {
  const shown = () => page.$$eval("article.finding", (parts) => parts.filter((part) => !part.hidden).length);
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement.className === "skip"), "the first Tab does not reach the skip link");
  expect((await shown()) === all, "not every finding is shown at first");
  await page.type("#search", "skill-13/");
  const found = await shown();
  expect(found > 0 && found < 10, `the search shows ${found} findings`);
  await page.$eval("#search", (field) => { field.value = ""; });
  await page.click("input[value=error]");
  expect((await page.$$eval("article.error", (parts) => parts.filter((part) => !part.hidden).length)) === 0, "errors are shown although they are filtered out");
  await page.click("input[value=error]");
}

async function inert(page) {
  const found = await page.evaluate(() => ({
    ran: "hostile" in window,
    handlers: [...document.querySelectorAll("*")].filter((part) => [...part.attributes].some((one) => one.name.startsWith("on"))).length,
    links: [...document.querySelectorAll("a")].map((link) => link.getAttribute("href")).filter((to) => !/^(#|https:\/\/github\.com\/skilltree-dev\/)/.test(to)),
    foreign: [...document.querySelectorAll("script, img, iframe, object, embed, link, b")].filter((part) => part.closest("article, table")).length,
    scripts: document.scripts.length,
    hidden: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent),
  }));
  expect(!found.ran && found.handlers === 0 && found.foreign === 0 && found.scripts === 1, `text of the repository is markup: ${JSON.stringify(found)}`);
  expect(found.links.length === 0, `links to ${found.links}`);
  expect(!found.hidden, "hidden characters are shown raw");
}

const directory = repository();
fs.mkdirSync(out, { recursive: true });
const file = path.join(out, "report.html");
const run = spawnSync(program, ["check", "--staged", "--base=HEAD", "--quiet", "--format=concise", `--output=html=${file}`], { cwd: directory, env: environment });
expect(run.status === 1, `the check exits with ${run.status}: ${run.stderr}`);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
  headless: true,
});
try {
  const cases = [["light", { scheme: "light" }], ["dark", { scheme: "dark" }], ["narrow", { width: 390 }]];
  const count = (page, selector) => page.$$eval(selector, (parts) => parts.length);
  let all = 0;
  for (const [name, options] of cases) {
    const page = await open(browser, file, options);
    all = await count(page, "article.finding");
    expect(all > 50, `the page has ${all} findings`);
    expect((await count(page, ".matrix tbody tr")) === 300, "the matrix does not have 300 skills");
    expect((await count(page, ".matrix thead th")) > 30, "the matrix does not have a column for every runtime");
    expect((await count(page, ".diff .added")) > 20, "the diff of the prompt block does not have the added skills");
    expect((await count(page, "svg.bar rect")) > 300, "the bars do not show every skill");
    expect((await count(page, "details.graph")) === 51, "not every skill with reference files has a graph");
    await page.$$eval("details.graph", (parts) => parts.filter((part) => /^skill-(5|10):/.test(part.querySelector("summary").textContent)).forEach((part) => { part.open = true; }));
    expect((await count(page, "details.graph[open] text.missing")) > 3, "missing files are not in the graph");
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: the page is wider than the window`);
    await inert(page);
    if (name === "light") {
      await filters(page, all);
      await page.reload();
    }
    await accessible(page, name);
    await page.screenshot({ path: path.join(out, `${name}.png`) });
    for (const part of ["prompt", "skills", "runtimes", "lists", "graphs"]) {
      await page.$eval(`#${part}`, (section) => section.scrollIntoView());
      await page.screenshot({ path: path.join(out, `${name}-${part}.png`) });
    }
    await page.close();
  }
  const plain = await open(browser, file, { scripts: false });
  expect((await count(plain, "article.finding")) === all, "findings are missing without scripts");
  expect((await count(plain, "details.graph")) === 51, "graphs are missing without scripts");
  expect(await plain.$eval("#filters", (form) => form.hidden), "the filters are shown although they cannot work");
  await plain.pdf({ path: path.join(out, "print.pdf"), format: "A4", landscape: true });
} finally {
  await browser.close();
  fs.rmSync(directory, { recursive: true });
}
problems.forEach((problem) => console.log(problem));
console.log(`${fs.statSync(file).size} bytes, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
