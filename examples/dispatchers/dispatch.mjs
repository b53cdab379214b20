#!/usr/bin/env node
// dispatch.mjs DIRECTORY REPOSITORY [NAME...]: a dispatcher that reads the output of `skilltree prompt --out DIRECTORY`.
// It verifies the block, selects the named skills, and prints their part of the block and the body of the first one.
// Needs git and Node's built-in modules.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

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

/** Reads the SKILL.md of a skill by the id of its blob: the checked file, independent of the working tree. */
function body(repository, skill) {
  const content = execFileSync("git", ["-C", repository, "cat-file", "blob", skill.blob], { maxBuffer: 1 << 28 });
  if (sha256(content) !== skill.sha256) throw new Error(`${skill.body_path} differs from the checked file`);
  return content;
}

const [directory, repository, ...names] = process.argv.slice(2);
const { block, index } = read(directory);
const chosen = index.skills.filter((skill) => names.length === 0 || names.includes(skill.name));
process.stdout.write(subset(block, index, new Set(chosen.map((skill) => skill.name))));
if (chosen.length > 0) process.stdout.write(body(repository, chosen[0]));
