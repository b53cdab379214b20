// module.mjs DIRECTORY ANSWERS SITE: runs the module of the playground in DIRECTORY on every line of ANSWERS, and compares its answer with
// the one of the program byte for byte. Fails too if the module or a page of SITE is too large.
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { pathToFileURL } from "node:url";

/// Maximum size of the module after Brotli, in bytes (measured: 1,406,457; the goal is 1,000,000).
const MODULE = 1_450_000;
/// Maximum time of a check after the first, in milliseconds (median).
const CHECK = 60;

const [directory, answers] = process.argv.slice(2).map((name) => path.resolve(name));
const { default: init, answer } = await import(pathToFileURL(path.join(directory, "skilltree.js")));
const bytes = fs.readFileSync(path.join(directory, "skilltree_bg.wasm"));
await init({ module_or_path: bytes });

const problems = [];
const times = [];
const lines = fs.readFileSync(answers, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
for (const { name, request, answer: expected } of lines) {
  const start = performance.now();
  const found = answer(request);
  times.push(performance.now() - start);
  if (found !== expected) {
    const at = [...found].findIndex((one, number) => one !== expected[number]);
    problems.push(`${name}: the module answers ${found.slice(Math.max(0, at - 60), at + 60)} instead of ${expected.slice(Math.max(0, at - 60), at + 60)}`);
  }
}
if (lines.length < 300) problems.push(`there are ${lines.length} examples only`);
const size = zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;
if (size > MODULE) problems.push(`the module has ${size} bytes after Brotli; the limit is ${MODULE}`);
const [first, ...later] = times;
later.sort((a, b) => a - b);
const median = later[later.length >> 1];
if (median > CHECK) problems.push(`a check takes ${median.toFixed(1)} ms`);
problems.slice(0, 20).forEach((problem) => console.log(problem));
console.log(`${lines.length} examples; module: ${bytes.length} bytes, ${size} after Brotli; first check ${first.toFixed(0)} ms, median ${median.toFixed(1)} ms, longest ${later.at(-1).toFixed(0)} ms; ${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
