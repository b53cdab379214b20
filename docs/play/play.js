// The playground: files in, verdict, findings and runtimes out. Everything from a file is written as text, never as markup.

/// Maximum time of a check in milliseconds; then the worker is stopped.
const LIMIT = 2_000;
/// Pause in milliseconds after the last key before a check.
const PAUSE = 150;
/// Length of a link in characters from which many programs cut it.
const LONG_LINK = 8_000;
/// Length of a pasted text in characters from which the table is cleared first.
const LONG_PASTE = 50_000;
/// Maximum size in bytes of what a link or a folder may hold.
const BYTES = 16 << 20;
/// Maximum number of findings in the list.
const SHOWN = 200;
/// Maximum number of files of a folder.
const FILES = 2_000;

const SKILL = ".claude/skills/pdf/SKILL.md";
const skill = (text, path = SKILL) => ({ files: [{ path, text }] });
const EXAMPLES = [
  ["A colon in a value", skill("---\nname: pdf\ndescription: Fills in PDF forms: reads, fills, saves. Use when a form is due.\n---\nRead the form first.\n")],
  ["A skill without findings", skill("---\nname: pdf\ndescription: Fills in PDF forms. Use when a form is due.\n---\nRead the form first.\n")],
  ["The wrong file name", skill("---\nname: pdf\ndescription: Fills in PDF forms. Use when a form is due.\n---\nRead the form first.\n", ".claude/skills/pdf/Skill.md")],
  ["A byte order mark", skill("\ufeff---\nname: pdf\ndescription: Fills in PDF forms. Use when a form is due.\n---\nRead the form first.\n")],
  ["No closing fence", skill("---\nname: pdf\ndescription: Fills in PDF forms. Use when a form is due.\n\nRead the form first.\n")],
  ["A name that differs from its directory", skill("---\nname: PDF Tools\ndescription: Fills in PDF forms. Use when a form is due.\n---\nRead the form first.\n")],
  ["A long description", skill(`---\nname: pdf\ndescription: ${"Fills in PDF forms and says what is missing. ".repeat(36)}Use when a form is due.\n---\nRead the form first.\n`)],
  ["A broken link to a file", { files: [{ path: SKILL, text: "---\nname: pdf\ndescription: Fills in PDF forms. Use when a form is due.\n---\nRead [the guide](references/guide.md).\n" }, { path: ".claude/skills/pdf/references/guides.md", text: "# Guide\n" }] }],
  ["A plugin", { files: [{ path: ".claude-plugin/plugin.json", text: '{ "name": "tools", "version": "1.0.0" }\n' }, { path: "skills/pdf/SKILL.md", text: "---\nname: pdf\ndescription: Fills in PDF forms. Use when a form is due.\n---\nRead the form first.\n" }] }],
];

const $ = (id) => document.getElementById(id);
const state = { request: structuredClone(EXAMPLES[0][1]), current: 0, answer: null, version: 0, checked: -1 };
let worker, ready = false, stopped = false, number = 0, limit, pause, waiting = null;

/// Returns text with hidden characters escaped.
const visible = (text) => String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, (found) => found === "\n" || found === "\t" ? found : `\\u{${found.codePointAt(0).toString(16)}}`);
const plain = (bytes) => typeof bytes === "string" ? bytes : null;
const shownPath = (file) => visible(plain(file.path) ?? atob(file.path.base64));

/// Creates an element with text.
function element(tag, { text, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) made.textContent = visible(text);
  made.append(...children);
  return made;
}

/// Creates an element whose text has code in backticks.
function rich(tag, { text, ...properties }) {
  const made = element(tag, properties);
  const parts = text.split("`");
  // An odd number of backticks is text.
  made.append(...(parts.length % 2 ? parts.map((part, at) => at % 2 ? element("code", { text: part }) : visible(part)) : [visible(text)]));
  return made;
}

function start() {
  worker?.terminate();
  ready = false;
  worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.failed) return say(`The checker did not load: ${data.failed}`);
    if (data.ready) {
      ready = true;
      enhance();
      // The files that stopped the last worker would stop this one.
      return stopped ? (stopped = false) : ask();
    }
    if (data.number !== number) return;
    clearTimeout(limit);
    const done = waiting;
    waiting = null;
    done(JSON.parse(data.answer));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    clearTimeout(limit);
    if (!ready) return say("The checker did not load.");
    stop("The check failed. Please report the files that cause it.");
  };
}

function stop(message) {
  waiting = null;
  stopped = true;
  say(message);
  start();
}

const say = (text) => { $("verdict").textContent = visible(text); };

/// Sends the files. `then` gets the answer; a check that is not finished is superseded.
function send(request, then) {
  if (!ready) return;
  if (waiting) {
    // One request at a time: the worker cannot be interrupted, only replaced.
    clearTimeout(pause);
    pause = setTimeout(() => send(request, then), 20);
    return;
  }
  number += 1;
  const { version } = state;
  waiting = (answer) => then(answer, version);
  limit = setTimeout(() => stop("The check was stopped after 2 seconds."), LIMIT);
  worker.postMessage({ number, request: JSON.stringify(request) });
}

const ask = () => send(state.request, show);

// --- editor --------------------------------------------------------------------------------------------------------------------

const field = $("text");
const PLAIN = "skilltree-plain";
let isPlain = false;
try {
  isPlain = localStorage.getItem(PLAIN) !== null;
} catch {
  // A browser can forbid to store the choice: then it holds until the page is left.
}

/// Puts the editor in the place of the text field, or back. If the editor does not load, the text field stays.
async function enhance() {
  if (isPlain) return put(field);
  try {
    await import("./editor.js");
  } catch {
    $("plain").parentElement.hidden = true;
    return;
  }
  // The cursor of someone who types stays in its place.
  if (document.activeElement === field) await new Promise((done) => field.addEventListener("blur", done, { once: true }));
  if (!isPlain) put(document.createElement("skill-editor"));
}

function put(next) {
  const now = $("text");
  if (now.tagName === next.tagName) return;
  now.replaceWith(Object.assign(next, { id: "text", oninput: typed }));
  $("text-label").hidden = next !== field;
  $("keys").hidden = next === field;
  edit(true);
}

$("plain").checked = isPlain;
$("plain").onchange = () => {
  isPlain = $("plain").checked;
  enhance();
  try {
    isPlain ? localStorage.setItem(PLAIN, "") : localStorage.removeItem(PLAIN);
  } catch {
    // As above.
  }
};

function typed() {
  state.request.files[state.current].text = $("text").value;
  changed();
}

function changed() {
  state.version++;
  clearTimeout(pause);
  pause = setTimeout(ask, PAUSE);
}

/// Shows the list of files and the current one, which may be another than before.
function edit(isOther) {
  const { files } = state.request;
  state.current = Math.min(state.current, files.length - 1);
  const tabs = files.map((file, at) => {
    const tab = element("button", { type: "button", text: shownPath(file), onclick: () => { go(at); $("text").focus(); } });
    tab.setAttribute("aria-pressed", at === state.current);
    return tab;
  });
  $("tabs").replaceChildren(...tabs.slice(0, 200));
  $("tabs").hidden = files.length < 2;
  $("remove").hidden = files.length < 2;
  const file = files[state.current];
  const text = plain(file.text ?? ""), path = plain(file.path);
  $("path").value = path ?? "";
  $("path").readOnly = path === null;
  if (isOther) $("text").open?.(text ?? "");
  $("text").value = text ?? "";
  $("text").readOnly = text === null || ["submodule", "directory", "unmerged"].includes(file.kind);
  const notes = [];
  if (text === null) notes.push("The file is not UTF-8 and cannot be edited here.");
  if (path === null) notes.push("The path is not UTF-8.");
  if (file.kind) notes.push(`Kind of the file: ${file.kind}.`);
  if (state.request.base?.length) notes.push(`Compared with a base of ${state.request.base.length} files.`);
  if (state.request.rules?.length) notes.push(`Set: ${state.request.rules.join(", ")}.`);
  if (state.request.today) notes.push(`Checked on ${state.request.today}.`);
  $("note").textContent = visible(notes.join(" "));
  mark();
}

/// Shows another file.
function go(at) {
  const isOther = state.current !== at;
  state.current = at;
  edit(isOther);
}

function load(request) {
  state.request = request;
  state.current = Math.max(0, request.files.findIndex((file) => /(^|\/)skill\.md$/i.test(plain(file.path) ?? "")));
  $("fixed").textContent = $("copied").textContent = "";
  $("save").hidden = true;
  state.version++;
  edit(true);
  changed();
}

function show(answer, version) {
  state.answer = answer;
  state.checked = version;
  if (answer.error) {
    say(answer.help ? `${answer.error}. ${answer.help}` : answer.error);
    $("findings").replaceChildren();
    $("runtimes").replaceChildren();
    $("fix").hidden = $("fix-unsafe").hidden = true;
    $("count").textContent = "";
    return;
  }
  const { skills, report } = answer;
  say(verdict(answer));
  const several = skills.length > 1;
  const chosen = Math.max(0, Math.min($("skill").selectedIndex, skills.length - 1));
  $("skill").replaceChildren(...skills.map((one) => element("option", { text: one.path })));
  if (several) $("skill").selectedIndex = chosen;
  $("skill-label").hidden = !several;
  const found = findings();
  mark();
  $("findings").replaceChildren(...found.slice(0, SHOWN).map(shown));
  if (found.length === 0) $("findings").replaceChildren(element("li", { text: "No findings." }));
  if (found.length > SHOWN) $("findings").append(element("li", { text: `${found.length - SHOWN} more.` }));
  const [safe, unsafe] = answer.fixable;
  $("fix").hidden = safe === 0;
  $("fix").textContent = safe === 1 ? "Fix 1 finding" : `Fix ${safe} findings`;
  $("fix-unsafe").hidden = unsafe === 0;
  $("fix-unsafe").textContent = "Fix also what may change the meaning";
  table();
}

const findings = () => state.answer.report.findings.filter((finding) => !finding.suppressed && finding.state !== "unchanged");

/// Returns whether the answer is about the files as they are now.
const isCurrent = () => state.checked === state.version;

/// Underlines the findings of the shown file, if the editor is there.
function mark() {
  if (!$("text").mark) return;
  if (!isCurrent() || !state.answer.report) return $("text").mark([]);
  const path = plain(state.request.files[state.current].path);
  const shown = findings().filter((finding) => finding.path === path).slice(0, SHOWN);
  $("text").mark(shown.map((finding) => ({ ...finding, message: visible(finding.message), apply: canFix(finding) ? () => apply(finding) : null })));
}

function verdict({ skills, omitted, report }) {
  if (skills.length === 0) return "No skill was found. The path of a skill ends in SKILL.md, as .claude/skills/pdf/SKILL.md.";
  const { errors, warnings } = report.summary;
  const counts = `${errors} ${errors === 1 ? "error" : "errors"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}`;
  if (skills.length === 1) return `${skills[0].verdict}. ${counts}.`;
  return `${skills.length + omitted} skills: ${counts}. ${skills.slice(0, 3).map((one) => `${one.verdict}.`).join(" ")}`;
}

/// Returns the item of a finding.
function shown(finding) {
  const { start } = finding.range;
  const item = element("li", {}, element("span", { className: finding.severity, text: finding.severity }), " ");
  const at = state.request.files.findIndex((file) => plain(file.path) === finding.path);
  const place = `${finding.path}:${start.line}:${start.column}`;
  item.append(at < 0 ? element("code", { text: place }) : element("button", { type: "button", text: place, onclick: () => select(at, finding.range) }));
  item.append(element("br"), rich("span", { text: finding.message }), " ");
  item.append(element("a", { href: `../rules/${encodeURIComponent(finding.rule)}/`, text: finding.rule }));
  for (const note of finding.notes) item.append(element("br"), rich("span", { className: "quiet", text: note }));
  if (finding.help) item.append(element("br"), rich("span", { text: `Help: ${finding.help}` }));
  if (canFix(finding)) {
    const safe = finding.edits.every((edit) => edit.safe);
    const button = element("button", { type: "button", text: safe ? "Fix" : "Fix (may change the meaning)", onclick: () => apply(finding) });
    button.setAttribute("aria-label", `${button.textContent}: ${finding.rule}, line ${start.line}`);
    item.append(" ", button);
  }
  return item;
}

const fileOf = (path) => state.request.files.find((file) => plain(file.path) === path);
const textOf = (path) => plain(fileOf(path)?.text ?? null);
const canFix = (finding) => finding.edits.length > 0 && finding.edits.every((edit) => textOf(edit.path) !== null);
const decode = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/// Makes the edits of one finding.
function apply(finding) {
  if (!isCurrent()) return;
  for (const { path, text, range } of finding.edits.toSorted((a, b) => b.range.start.byte - a.range.start.byte)) {
    const bytes = new TextEncoder().encode(textOf(path));
    fileOf(path).text = decode(bytes.subarray(0, range.start.byte)) + text + decode(bytes.subarray(range.end.byte));
  }
  $("fixed").textContent = visible(`Fixed ${finding.rule}.`);
  edit(false);
  changed();
  $("text").focus();
}

function fix(kind) {
  send({ ...state.request, fix: kind }, (answer, version) => {
    if (answer.error) return show(answer, version);
    // The edits are of files that changed meanwhile.
    if (version !== state.version) return;
    for (const { path, text } of answer.fixed.files) {
      const file = state.request.files.find((one) => JSON.stringify(one.path) === JSON.stringify(path));
      if (file) file.text = text;
    }
    const skipped = answer.fixed.skipped.map((line) => `${line.rule}: ${line.text}`);
    $("fixed").textContent = visible([`Fixed: ${answer.fixed.fixed.length}.`, skipped.length ? `Skipped: ${skipped.join("; ")}.` : ""].join(" "));
    edit(false);
    changed();
  });
}

/// Selects a place in the editor.
function select(at, { start, end }) {
  go(at);
  const bytes = new TextEncoder().encode(plain(state.request.files[at].text) ?? "");
  // An editor has LF only.
  const units = ({ byte }) => decode(bytes.subarray(0, byte)).replace(/\r\n?/g, "\n").length;
  $("text").focus();
  $("text").setSelectionRange(units(start), units(end));
}

const WORDS = { loads: "loads", changes: "loads with changes", drops: "drops", unknown: "unknown" };
const REPORTED = { nothing: ", silently", log: ", logged", error: ", with an error" };
const word = (seen) => `${WORDS[seen.outcome] ?? seen.outcome}${seen.outcome === "drops" ? REPORTED[seen.reported] ?? "" : ""}`;

/// Shows what the runtimes do with the chosen skill.
function table() {
  const { skills, runtimes } = state.answer ?? {};
  const chosen = skills?.[Math.max(0, $("skill").selectedIndex)];
  if (!chosen) return $("runtimes").replaceChildren();
  const names = $("names").value.toLowerCase().split(",").map((name) => name.trim()).filter(Boolean);
  const isWanted = (runtime, seen) =>
    (!$("outcome").value || seen.outcome === $("outcome").value) &&
    (names.length === 0 || names.some((name) => runtime.title.toLowerCase().includes(name) || runtime.id.includes(name)));
  const rows = runtimes.map((runtime, at) => [runtime, chosen.runtimes[at]]).filter(([runtime, seen]) => isWanted(runtime, seen));
  $("runtimes").replaceChildren(...rows.map(row));
  $("count").textContent = `${rows.length} of ${runtimes.length}`;
}

function row([runtime, seen]) {
  const title = element("td", {}, element("a", { href: `../runtimes/${runtime.id}/`, text: runtime.title }));
  if (runtime.kind !== "runtime") title.append(element("br"), element("span", { className: "quiet", text: runtime.kind }));
  const why = [];
  if (seen.reasons.length) why.push(rich("div", { text: seen.reasons.join("; ") }));
  if (!seen.reads) why.push(element("div", { className: "small", text: "Does not read this directory; the outcome is for one that it reads." }));
  const basis = [runtime.basis, seen.evidence].filter(Boolean).join("; ");
  if (basis) why.push(element("div", { className: "small", text: basis }));
  return element("tr", {}, title, element("td", {}, element("span", { className: seen.outcome, text: word(seen) })), element("td", {}, ...why), sees(seen));
}

/// Returns the cell with the entry in the runtime's list.
function sees(seen) {
  const cell = element("td");
  if (seen.outcome !== "loads" && seen.outcome !== "changes") return cell;
  if (seen.entry === null && seen.name === null && seen.description === null) {
    cell.textContent = "not listed, or unknown";
    return cell;
  }
  const text = seen.entry ?? `name: ${seen.name ?? "none"}\ndescription: ${seen.description ?? "none"}`;
  const details = element("details", {}, element("summary", { text: seen.entry === null ? "name and description" : "list entry" }), element("pre", { text }));
  if (seen.cut_from) details.append(element("p", { className: "quiet", text: `Truncated from ${seen.cut_from.toLocaleString("en-US")}.` }));
  cell.append(details);
  return cell;
}

// --- links ---------------------------------------------------------------------------------------------------------------------

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream).getReader();

async function collect(reader) {
  const chunks = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > BYTES) throw new Error("the link holds more than 16 MiB");
    chunks.push(part.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

async function link() {
  const packed = await collect(through(new TextEncoder().encode(JSON.stringify(state.request)), new CompressionStream("deflate-raw")));
  let text = "";
  for (let at = 0; at < packed.length; at += 1 << 15) text += String.fromCharCode(...packed.subarray(at, at + (1 << 15)));
  const base64 = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.origin}${location.pathname}#1:${base64}`;
}

async function open(hash) {
  const [, form, packed] = /^#(\d+):([\w-]*)$/.exec(hash) ?? [];
  if (!form) return false;
  if (form !== "1") throw new Error(`this page does not know form ${form} of a link`);
  if (packed.length > BYTES) throw new Error("the link is too long");
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const json = await collect(through(bytes, new DecompressionStream("deflate-raw")));
  load(checked(JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(json))));
  return true;
}

/// Returns a request, or throws if it is none.
function checked(request) {
  const isBytes = (one) => typeof one === "string" || typeof one?.base64 === "string";
  const isFile = (file) => isBytes(file?.path) && (file.text === undefined || isBytes(file.text));
  if (!Array.isArray(request?.files) || request.files.length === 0 || !request.files.every(isFile)) throw new Error("it holds no files");
  const { files, base, rules, today } = request;
  return Object.fromEntries(Object.entries({ files, base, rules, today }).filter(([, value]) => value !== undefined));
}

async function copy(text, message) {
  try {
    await navigator.clipboard.writeText(text);
    $("copied").textContent = message;
  } catch {
    $("copied").textContent = visible(`Copy this: ${text}`);
  }
}

async function copyLink() {
  const url = await link();
  history.replaceState(null, "", url);
  $("save").hidden = url.length <= LONG_LINK;
  const long = url.length > LONG_LINK ? ` It has ${url.length.toLocaleString("en-US")} characters, and many programs cut it: save the files instead.` : "";
  await copy(url, `Copied the link.${long}`);
}

function save() {
  const url = URL.createObjectURL(new Blob([JSON.stringify(state.request)], { type: "application/json" }));
  element("a", { href: url, download: "skilltree-playground.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

/// Returns text that Markdown shows as it is.
const escaped = (text) => visible(text).replace(/[\\`*_{}[\]<>#|~&]/g, "\\$&").replaceAll("\n", " ");
const fenced = (text) => {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}\n${text}\n${fence}`;
};

async function markdown() {
  const { answer } = state;
  if (!answer || answer.error) return "";
  const parts = [`**${escaped(verdict(answer))}**`];
  for (const finding of answer.report.findings.filter((finding) => !finding.suppressed).slice(0, 20)) {
    const lines = [`- ${finding.severity} ${escaped(finding.rule)}: ${escaped(finding.message)}`];
    if (finding.help) lines.push(`  Help: ${escaped(finding.help)}`);
    parts.push(lines.join("\n"));
    const text = textOf(finding.path)?.split("\n")[finding.range.start.line - 1];
    if (text) parts.push(fenced(`${visible(finding.path)}:${finding.range.start.line}: ${visible(text.slice(0, 300))}`));
  }
  const seen = answer.skills[Math.max(0, $("skill").selectedIndex)]?.runtimes ?? [];
  const rows = seen.map((one, at) => [answer.runtimes[at], one]).filter(([, one]) => one.outcome === "drops" || one.outcome === "changes");
  if (rows.length) parts.push(["| runtime | outcome | reason |", "|---|---|---|", ...rows.map(([runtime, one]) => `| ${escaped(runtime.title)} | ${word(one)} | ${escaped(one.reasons.join("; "))} |`)].join("\n"));
  parts.push(`[Open in the playground](${await link()})`);
  return `${parts.join("\n\n")}\n`;
}

/// Returns a word for a POSIX shell.
const quoted = (word) => /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function command() {
  const paths = state.request.files.map((file) => plain(file.path)).filter((path) => path && /(^|\/)skill\.md$/i.test(path)).slice(0, 20);
  const rules = (state.request.rules ?? []).map((rule) => ` --rule ${quoted(rule)}`).join("");
  const words = paths.map((path) => ` ${quoted(path.startsWith("-") ? `./${path}` : path)}`).join("");
  return `skilltree check${rules}${words} && skilltree forecast --all${words}`;
}

// --- files ---------------------------------------------------------------------------------------------------------------------

async function read(list) {
  const chosen = [...list].filter((file) => !/(^|\/)(\.git|node_modules|target)\//.test(file.webkitRelativePath));
  const bytes = chosen.reduce((sum, file) => sum + file.size, 0);
  if (chosen.length > FILES || bytes > BYTES / 2) {
    $("note").textContent = `The folder has ${chosen.length} files and ${(bytes / (1 << 20)).toFixed(1)} MiB; the limits are ${FILES} files and 8 MiB.`;
    return;
  }
  if (chosen.length === 0) return;
  if (chosen.length === 1 && chosen[0].name === "skilltree-playground.json") return load(checked(JSON.parse(await chosen[0].text())));
  const one = async (file) => {
    const content = new Uint8Array(await file.arrayBuffer());
    // The chosen folder is the top: its own name is not part of the paths.
    const path = file.webkitRelativePath ? file.webkitRelativePath.split("/").slice(1).join("/") : file.name === "SKILL.md" ? SKILL : file.name;
    try {
      return { path, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content) };
    } catch {
      let text = "";
      for (let at = 0; at < content.length; at += 1 << 15) text += String.fromCharCode(...content.subarray(at, at + (1 << 15)));
      return { path, text: { base64: btoa(text) } };
    }
  };
  load({ files: await Promise.all(chosen.map(one)) });
}

// --- start ---------------------------------------------------------------------------------------------------------------------

$("examples").append(...EXAMPLES.map(([title], at) => element("option", { text: title, value: at })));
$("examples").onchange = () => $("examples").value !== "" && load(structuredClone(EXAMPLES[$("examples").value][1]));
for (const id of ["open-files", "open-folder"]) {
  $(id).onchange = async () => {
    try {
      await read($(id).files);
    } catch (error) {
      $("note").textContent = visible(`The files cannot be read: ${error.message}`);
    }
    $(id).value = "";
  };
}
$("add").onclick = () => {
  state.request.files.push({ path: "skilltree.toml", text: 'edition = "2026"\ntargets = []\n' });
  state.current = state.request.files.length - 1;
  edit(true);
  changed();
  $("path").focus();
  $("path").select();
};
$("remove").onclick = () => {
  state.request.files.splice(state.current, 1);
  state.version++;
  edit(true);
  changed();
  $("text").focus();
};
$("path").oninput = () => { state.request.files[state.current].path = $("path").value; changed(); };
$("path").onchange = () => edit(false);
field.oninput = typed;
// Chromium takes many seconds to paste a long text into a selection while a long table follows. The table comes back with the answer.
field.onpaste = (event) => { if (event.clipboardData.getData("text/plain").length > LONG_PASTE) $("runtimes").replaceChildren(); };
$("fix").onclick = () => fix("safe");
$("fix-unsafe").onclick = () => fix("unsafe");
$("skill").onchange = $("outcome").onchange = $("names").oninput = table;
$("copy-link").onclick = copyLink;
$("copy-markdown").onclick = async () => copy(await markdown(), "Copied the result as Markdown.");
$("copy-command").onclick = () => copy(command(), "Copied the command.");
$("save").onclick = save;
const follow = async () => {
  try {
    return await open(location.hash);
  } catch (error) {
    $("note").textContent = visible(`The link cannot be read: ${error.message}`);
    return false;
  }
};
onhashchange = follow;
edit(true);
await follow();
start();
navigator.serviceWorker?.register("offline.js").catch(() => {});
