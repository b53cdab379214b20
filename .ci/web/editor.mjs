// editor.mjs TOOLS SOURCE OUT: bundles the editor of the playground with the packages of TOOLS, and their licenses. Fails if the license of
// one is not MIT, or if the editor is too large.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import zlib from "node:zlib";

/// Maximum size of the editor after Brotli, in bytes (measured: 113,000).
const EDITOR = 120_000;

const [tools, source, out] = process.argv.slice(2).map((name) => path.resolve(name));
const esbuild = createRequire(path.join(tools, "package.json"))("esbuild");
const { metafile, outputFiles } = await esbuild.build({
  absWorkingDir: tools,
  banner: { js: "// Contains CodeMirror and Lezer, under the MIT license: see editor-licenses.txt." },
  bundle: true,
  entryPoints: [source],
  format: "esm",
  metafile: true,
  minify: true,
  nodePaths: [path.join(tools, "node_modules")],
  outfile: path.join(out, "editor.js"),
  write: false,
});

const names = Object.keys(metafile.inputs).map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean);
const licenses = [...new Set(names)].sort().map((name) => {
  const directory = path.join(tools, "node_modules", name);
  const { license, version } = JSON.parse(fs.readFileSync(path.join(directory, "package.json"), "utf8"));
  if (license !== "MIT") throw new Error(`the license of ${name} is ${license}`);
  return `${name} ${version}\n\n${fs.readFileSync(path.join(directory, "LICENSE"), "utf8")}`;
});
const [{ contents }] = outputFiles;
const size = zlib.brotliCompressSync(contents).length;
if (size > EDITOR) throw new Error(`the editor has ${size} bytes after Brotli; the limit is ${EDITOR}`);
fs.mkdirSync(out, { recursive: true });
fs.writeFileSync(path.join(out, "editor.js"), contents);
fs.writeFileSync(path.join(out, "editor-licenses.txt"), licenses.join("\n\n"));
console.log(`editor: ${contents.length} bytes, ${size} after Brotli; ${licenses.length} packages`);
