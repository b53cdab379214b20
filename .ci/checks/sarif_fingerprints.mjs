// node sarif_fingerprints.mjs LOG ROOT CATEGORY: what the uploader of code scanning would make of LOG, a SARIF file about the files in ROOT.
//
// It computes the fingerprint of every result and the category of every run as github/codeql-action does (src/fingerprints.ts and
// src/upload-lib.ts at f3f1edbe), and fails where LOG has another one. sarif_fingerprints.json has hashes that the uploader's own code
// computed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const WINDOW = 100;
const FACTOR = 37n;
const END = 65535;

/** Returns the hash of each line: a polynomial of the 100 characters from its start, without blanks, and its number among equals. */
function hashes(text) {
  const characters = [];
  const starts = [];
  let isStart = true;
  // A line feed after a carriage return, and blanks, count for nothing; a carriage return is a line end.
  const read = (unit) => {
    if (isStart) starts.push(characters.length);
    isStart = unit === 10;
    characters.push(unit);
  };
  let afterReturn = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const isSkipped = unit === 32 || unit === 9 || (afterReturn && unit === 10);
    afterReturn = unit === 13;
    if (!isSkipped) read(unit === 13 ? 10 : unit);
  }
  read(END);
  const seen = new Map();
  return starts.map((start) => {
    let hash = 0n;
    for (let index = start; index < start + WINDOW; index++) hash = hash * FACTOR + BigInt(characters[index] ?? 0);
    const value = BigInt.asUintN(64, hash).toString(16);
    seen.set(value, (seen.get(value) ?? 0) + 1);
    return `${value}:${seen.get(value)}`;
  });
}

/** Returns the category that the uploader gives a run: its own, or the one that is asked for, with a `/` at its end. */
const categoryOf = (run, asked) => run.automationDetails?.id ?? (asked.endsWith('/') ? asked : `${asked}/`);

const faults = [];
for (const { text, lines } of JSON.parse(readFileSync(new URL('sarif_fingerprints.json', import.meta.url), 'utf8'))) {
  if (JSON.stringify(hashes(text)) !== JSON.stringify(lines)) faults.push(`the hashes of ${JSON.stringify(text.slice(0, 40))} differ from the uploader's`);
}

const [file, root, asked] = process.argv.slice(2);
const known = new Map();
const linesOf = (uri) => {
  if (!known.has(uri)) known.set(uri, hashes(readFileSync(join(root, decodeURIComponent(uri)), 'utf8')));
  return known.get(uri);
};
let compared = 0;
const categories = new Set();
for (const run of JSON.parse(readFileSync(file, 'utf8')).runs) {
  const category = categoryOf(run, asked);
  if (category !== `${asked}/`) faults.push(`the category is ${category}, not ${asked}/`);
  if (categories.has(category)) faults.push(`two runs have the category ${category}`);
  categories.add(category);
  for (const { ruleId, locations, partialFingerprints } of run.results) {
    const { artifactLocation, region } = locations[0].physicalLocation;
    const expected = linesOf(artifactLocation.uri)[region.startLine - 1];
    const given = partialFingerprints.primaryLocationLineHash;
    if (given !== expected) faults.push(`${ruleId} in ${artifactLocation.uri}:${region.startLine}: ${given}, but the uploader computes ${expected}`);
    compared += 1;
  }
}
console.log(`${compared} fingerprints compared with the uploader's`);
faults.forEach((fault) => console.log(fault));
process.exit(faults.length > 0 || compared === 0 ? 1 : 0);
