#!/usr/bin/env node
// dispatch.mjs DIRECTORY REPOSITORY [NAME...]: a dispatcher that reads the output of `skilltree prompt --out DIRECTORY`.
// It verifies the block, selects the named skills, and prints their part of the block and the body of the first one.
// Needs git and Node's built-in modules.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Reads the block and its index, and checks that the block matches the index. */
function read(directory) {
  const index = JSON.parse(readFileSync(join(directory, "skills.json"), "utf8"));
  const block = readFileSync(join(directory, index.block.path));
  if (sha256(block) !== index.block.sha256) throw new Error("the block does not match skills.json");
  return { block, index };
}

/** Returns the block with only these skills. The ranges count bytes, so this uses a Buffer, not a string. */
function subset(block, index, names) {
  const kept = [];
  let at = 0;
  for (const { name, fragment } of index.skills) {
    kept.push(block.subarray(at, fragment.start));
    if (names.has(name)) kept.push(block.subarray(fragment.start, fragment.end));
    at = fragment.end;
  }
  kept.push(block.subarray(at));
  return Buffer.concat(kept);
}

/**
 * Reads the SKILL.md of a skill by the id of its blob: the checked file, independent of the working tree. A file that Git does not
 * have is read from the working tree, and must be the checked one.
 */
function body(repository, skill) {
  if (skill.body_path === null) throw new Error(`${skill.name} is outside the repository`);
  const path = resolve(repository, skill.body_path.replace(/^~\//, `${homedir()}/`));
  const show = ["-C", repository, "cat-file", "blob", skill.blob];
  const content = skill.blob === null ? readFileSync(path) : execFileSync("git", show, { maxBuffer: 1 << 28 });
  if (sha256(content) !== skill.sha256) throw new Error(`${skill.body_path} differs from the checked file`);
  return content;
}

const [directory, repository, ...names] = process.argv.slice(2);
const { block, index } = read(directory);
const chosen = index.skills.filter((skill) => names.length === 0 || names.includes(skill.name));
// Everything is read before anything is written.
const content = chosen.length > 0 ? body(repository, chosen[0]) : Buffer.alloc(0);
process.stdout.write(Buffer.concat([subset(block, index, new Set(chosen.map((skill) => skill.name))), content]));
