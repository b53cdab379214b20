#!/usr/bin/env node
// dispatch.mjs DIRECTORY REPOSITORY [NAME...]: a dispatcher in fifty lines, which reads what `skilltree prompt --out DIRECTORY`
// wrote. It checks the block, takes the part about the skills that are named, and prints that part and the body of the first of
// them. Nothing but Node's own modules and git is needed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The block and its index, where the block is the one that the index is about. */
function read(directory) {
  const index = JSON.parse(readFileSync(join(directory, "skills.json"), "utf8"));
  const block = readFileSync(join(directory, index.block.path));
  if (sha256(block) !== index.block.sha256) throw new Error("the block is not the one that was proved");
  return { block, index };
}

/** The block with the skills of these names alone. The ranges are bytes, so they are cut out of a Buffer, not of a string. */
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

/** The SKILL.md of a skill, read by the id of its blob: it is the one that was judged, whatever is checked out. */
function body(repository, skill) {
  const content = execFileSync("git", ["-C", repository, "cat-file", "blob", skill.blob], { maxBuffer: 1 << 28 });
  if (sha256(content) !== skill.sha256) throw new Error(`${skill.body_path} is not the file that was judged`);
  return content;
}

const [directory, repository, ...names] = process.argv.slice(2);
const { block, index } = read(directory);
const chosen = index.skills.filter((skill) => names.length === 0 || names.includes(skill.name));
process.stdout.write(subset(block, index, new Set(chosen.map((skill) => skill.name))));
if (chosen.length > 0) process.stdout.write(body(repository, chosen[0]));
