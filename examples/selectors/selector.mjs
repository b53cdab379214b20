#!/usr/bin/env node
// selector.mjs CATALOG REPOSITORY SELECTION: prints the block that `skilltree prompt` would print, without running it.
// SELECTION is one of --all, --task TEXT [--role ROLE] [--task-id ID], --mention TEXT, --skill NAME..., --thread ID.
// --messages prints one JSON message per skill. With `-`, each line of standard input is a selection as a JSON list, and each line of
// the output its block as a JSON string, or null for a selection that is refused. Needs Node's built-in modules, and git if the catalog has no bodies.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Returns the words of a text: runs of letters, marks and digits, in lowercase, without the `s` of a plural. */
function words(text) {
  const runs = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return runs.map((run) => run.toLowerCase()).map((word) => (/[^s]s$/u.test(word) ? word.slice(0, -1) : word));
}

// Characters that a JSON message contains as \uXXXX: invisible ones, and the second # of a log command.
const ESCAPED = /[\u00ad\u034f\u061c\u180b-\u180d\u180f\u200c-\u200f\ufe00-\ufe0f\u{e0020}-\u{e007f}]|(?<=#)#(?=[A-Za-z0-9]{0,16}\[)/gu;
const unit = (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, "0")}`;
const escape = (character) => character.split("").map(unit).join("");
const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const unique = (numbers) => [...new Set(numbers)].filter((number) => number !== undefined);

export class Catalog {
  constructor(path, repository) {
    this.data = JSON.parse(readFileSync(path, "utf8"));
    this.repository = repository;
    this.skills = this.data.skills;
    this.byName = new Map();
    this.known = new Map();
    this.byDirectory = new Map();
    this.byPath = new Map();
    this.skills.forEach((skill, number) => {
      const path = skill.body_path ?? "";
      const paths = [path, path.slice(0, Math.max(0, path.lastIndexOf("/")))];
      const identity = skill[this.data.recipe.identity];
      const keys = [[this.byName, skill.name], [this.known, identity], [this.byDirectory, skill.directory], ...paths.map((one) => [this.byPath, one])];
      for (const [map, key] of keys) map.set(key, [...(map.get(key) ?? []), number]);
    });
    this.stopWords = new Set(this.data.stop_words);
  }

  /** Returns the words of a task that count. */
  wanted(task) {
    return new Set(words(task).filter((word) => !this.stopWords.has(word)));
  }

  /** Returns the skills that fit a task, best first. */
  task(text, role) {
    const wanted = this.wanted(text);
    const matching = new Map();
    for (const tag of this.data.tag_index) {
      if (tag.words.length === 0 || !tag.words.every((word) => wanted.has(word))) continue;
      for (const number of tag.skills) matching.set(number, (matching.get(number) ?? 0) + 1);
    }
    const mine = new Set(this.data.role_index[lower(role ?? "")] ?? []);
    const isFree = (skill) => skill.roles.length === 0 && !this.data.recipe.requires_role;
    const serves = (number) => role === undefined || mine.has(number) || isFree(this.skills[number]);
    const share = (number) => Math.floor((matching.get(number) * 1_000_000) / this.skills[number].tags.length);
    const ranked = [...matching.keys()].filter(serves);
    ranked.sort((a, b) => matching.get(b) - matching.get(a) || share(b) - share(a) || a - b);
    return ranked.slice(0, this.data.recipe.top ?? undefined);
  }

  /** Returns the skills with a name, else those with that directory. */
  find(name) {
    return this.known.get(name) ?? this.byDirectory.get(name) ?? [];
  }

  /** Returns the named skills in order. A name that cannot be used is an error. */
  named(names) {
    const { reserved } = this.data.recipe;
    const chosen = names.flatMap((name) => this.find(name));
    const isBad = (name) => reserved.includes(name) || this.find(name).length !== 1;
    if (names.some(isBad) || new Set(chosen).size < chosen.length) {
      throw new Error(`unknown, ambiguous, reserved or repeated: ${names}`);
    }
    return chosen;
  }

  /** Returns the skills that a thread binds; those that do not exist any more are skipped. */
  thread(name) {
    return unique((this.data.threads[name] ?? []).map((bound) => this.find(bound)[0]));
  }

  /** Returns the skills that a text mentions as $name, @name, /name or [$name](path), outside code. */
  mention(text) {
    const link = /\[\$(?<label>[^\]]*)\]\((?<path>[^)\s]*)\)/u.source;
    const name = /(?<![\p{L}\p{M}\p{N}_\-/\\.~$@:#%&])[$@/](?<name>[A-Za-z0-9_-]+)(?![A-Za-z0-9_/-])/u.source;
    const found = [...withoutCode(text).matchAll(new RegExp(`${link}|${name}`, "gu"))].map(({ groups }) => {
      if (groups.name) return this.byName.get(groups.name)?.[0];
      const number = this.byPath.get(groups.path.replace(/^(\.\/)+/, "").replace(/\/+$/, ""))?.[0];
      return number !== undefined && this.skills[number].name === groups.label ? number : undefined;
    });
    return unique(found);
  }

  /** Returns the text that a block contains: the body with LF line endings, also at its end. */
  body(skill) {
    const { body } = skill;
    const bytes = () => this.content(skill).subarray(body.offset, body.offset + body.length);
    const text = (body.text ?? bytes().toString()).replaceAll("\r\n", "\n");
    return text.endsWith("\n") ? text : `${text}\n`;
  }

  /** Reads a SKILL.md by its blob, or, if Git does not have it, from the working tree, where it must be the checked one. */
  content({ name, blob, body_path: path, sha256 }) {
    if (blob !== null) {
      return execFileSync("git", ["-C", this.repository, "cat-file", "blob", blob], { maxBuffer: 1 << 28 });
    }
    if (path === null) throw new Error(`${name} is outside the repository: write the catalog with --bodies`);
    const content = readFileSync(resolve(this.repository, path.replace(/^~\//, `${homedir()}/`)));
    const found = createHash("sha256").update(content).digest("hex");
    if (found !== sha256) throw new Error(`${path} differs from the checked file`);
    return content;
  }

  /** Returns what a skill adds to a rendering. */
  fragment(skill, name) {
    const { before, after } = skill.fragments[name];
    const kind = this.data.renderings[name].body;
    if (kind === "none") return before;
    const body = this.body(skill);
    return before + (kind === "json" ? JSON.stringify(body).slice(1, -1).replace(ESCAPED, escape) : body) + after;
  }

  /** Renders the skills that fit into the limits. */
  block(chosen, name, task, taskId) {
    const shape = this.data.renderings[name];
    const { limits, budget, each, merges_tools: merges } = this.data.recipe;
    const tools = [];
    const begun = new Set();
    const taken = [];
    let size = [0, 0];
    const all = new Set(chosen);
    for (const skill of chosen.map((number) => this.skills[number])) {
      const { dropped, claims } = skill.fragments[name];
      if (dropped !== null || claims.some((number) => all.has(number))) continue;
      const text = this.fragment(skill, name);
      const opening = shape.openings && !begun.has(skill.root) ? shape.openings[skill.root] : "";
      const between = begun.has(skill.root) ? "" : shape.between;
      const around = taken.length === 0 ? shape.head + opening + shape.tail : shape.separator + between + opening;
      const grown = added(size, around + text);
      if (over(limits, grown, taken.length + 1) || over(budget, grown, taken.length + 1)) continue;
      if (over(each, added([0, 0], text), 0)) continue;
      size = grown;
      taken.push({ root: skill.root, text });
      begun.add(skill.root);
      tools.push(...skill.tools);
    }
    if (merges && new Set(tools).size < tools.length) throw new Error("two skills bring the same tool");
    if (shape.openings) taken.sort((a, b) => a.root - b.root);
    return this.learned(assemble(shape, taken), name, task, taskId);
  }

  /** Adds the shared knowledge about a task, as far as the limits of the repository allow it. */
  learned(block, name, task, taskId) {
    const { knowledge } = this.data;
    const { limits, rendering } = this.data.recipe;
    if (task === undefined || !knowledge || name !== rendering) return block;
    const wanted = this.wanted(task);
    const applies = ({ scope }) => scope === "global" || (taskId !== undefined && scope === `task:${taskId}`);
    const points = (entry) => entry.words.filter((word) => wanted.has(word)).length;
    const fitting = knowledge.entries.filter((entry) => applies(entry) && points(entry) > 0);
    fitting.sort((a, b) => points(b) - points(a) || b.line - a.line);
    const before = block && `${block}\n`;
    let lines = "";
    for (const entry of fitting.slice(0, knowledge.most)) {
      const text = before + knowledge.head + lines + entry.text + knowledge.tail;
      if (over(limits, added([0, 0], text), 0)) continue;
      block = text;
      lines += entry.text;
    }
    return block;
  }
}

function assemble(shape, taken) {
  let block = "";
  let root;
  for (const [number, own] of taken.entries()) {
    block += number === 0 ? shape.head : shape.separator;
    if (shape.openings && own.root !== root) block += (number === 0 ? "" : shape.between) + shape.openings[own.root];
    block += own.text;
    root = own.root;
  }
  return taken.length > 0 ? block + shape.tail : "";
}

/** Returns a size in bytes and characters (code points) with a text added. */
function added([bytes, chars], text) {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return [bytes + Buffer.byteLength(text), chars + text.length - pairs];
}

/** Returns whether a size or a number of skills exceeds a limit. */
function over(caps, [bytes, chars], skills) {
  const values = { skills, bytes, chars, tokens: Math.ceil(chars / 4) };
  return Object.entries(values).some(([unit, value]) => caps[unit] !== null && value > caps[unit]);
}

/** Blanks code blocks and code spans. */
function withoutCode(text) {
  const lines = [];
  let fence;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isIndented = line.startsWith("    ") && !(lines.at(-1) ?? "").trim();
    lines.push(fence || mark || isIndented ? "" : line);
    if (!fence) fence = mark;
    else if (mark?.startsWith(fence) && /^[ `~]*$/.test(line)) fence = undefined;
  }
  return lines.join("\n").replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gs, " ` ");
}

/** Returns the block of a selection, given as arguments. */
export function select(catalog, [kind, ...values]) {
  const { recipe } = catalog.data;
  const option = (name) => [kind, ...values][[kind, ...values].indexOf(name) + 1 || Infinity];
  const choose = {
    "--task": () => catalog.task(values[0], option("--role")),
    "--mention": () => catalog.mention(values[0]),
    "--skill": () => catalog.named(values.filter((name) => !name.startsWith("--"))),
    "--thread": () => catalog.thread(values[0]),
    "--all": () => catalog.skills.map((_, number) => number),
  };
  const own = kind === "--mention" ? recipe.mentioned : recipe.rendering;
  const rendering = values.includes("--messages") ? "messages" : own;
  return catalog.block(choose[kind](), rendering, option("--task"), option("--task-id"));
}

function attempt(catalog, selection) {
  try {
    return select(catalog, selection);
  } catch {
    return null;
  }
}

function main([path, repository, ...selection]) {
  const catalog = new Catalog(path, repository);
  if (selection[0] !== "-") return process.stdout.write(select(catalog, selection));
  const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);
  process.stdout.write(lines.map((line) => `${JSON.stringify(attempt(catalog, JSON.parse(line)))}\n`).join(""));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));
