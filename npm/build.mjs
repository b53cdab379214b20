#!/usr/bin/env node
// build.mjs DIRECTORY PLATFORM=PROGRAM...: writes the npm packages to DIRECTORY: one per platform, and `skilltree`, which depends
// on all of them. The version, the license and the description are those of Cargo.toml; the rest is in npm/package.json.
//
//     node npm/build.mjs target/npm linux-x64=target/release/skilltree
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const top = dirname(here);

/** The platforms, by Node's names. */
const PLATFORMS = {
  "linux-x64": { os: ["linux"], cpu: ["x64"] },
  "linux-arm64": { os: ["linux"], cpu: ["arm64"] },
  "darwin-x64": { os: ["darwin"], cpu: ["x64"] },
  "darwin-arm64": { os: ["darwin"], cpu: ["arm64"] },
  "win32-x64": { os: ["win32"], cpu: ["x64"] },
};

/** Returns a string of a table of Cargo.toml. */
function manifest(table, key) {
  const text = readFileSync(join(top, "Cargo.toml"), "utf8");
  const section = text.split(/^\[/m).find((part) => part.startsWith(`${table}]`)) ?? "";
  const value = section.match(new RegExp(`^${key} = "(.*)"$`, "m"));
  if (!value) throw new Error(`Cargo.toml has no ${key} in [${table}]`);
  return value[1];
}

const version = manifest("workspace.package", "version");
const repository = manifest("workspace.package", "repository");

const common = {
  version,
  license: manifest("workspace.package", "license"),
  repository: { type: "git", url: `git+${repository}.git` },
  homepage: repository,
};

function write(directory, contents, licenses = ["LICENSE-APACHE", "LICENSE-MIT"]) {
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(contents, null, 2)}\n`);
  for (const license of licenses) copyFileSync(join(top, license), join(directory, license));
}

function platformPackage(out, platform, program) {
  const described = PLATFORMS[platform];
  if (!described) throw new Error(`unknown platform ${platform}: use one of ${Object.keys(PLATFORMS).join(", ")}`);
  if (!statSync(program).isFile()) throw new Error(`${program} is not a file`);
  const directory = join(out, platform);
  const file = described.os[0] === "win32" ? "skilltree.exe" : "skilltree";
  mkdirSync(directory, { recursive: true });
  copyFileSync(program, join(directory, file));
  chmodSync(join(directory, file), 0o755);
  const description = `The program skilltree for ${platform}: install the package skilltree`;
  write(directory, { name: `@skilltree-dev/${platform}`, description, ...common, ...described, files: [file, "LICENSE-*"], preferUnplugged: true }, ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-THIRD-PARTY"]);
}

function rootPackage(out, platforms) {
  const directory = join(out, "skilltree");
  mkdirSync(directory, { recursive: true });
  cpSync(join(here, "bin"), join(directory, "bin"), { recursive: true });
  copyFileSync(join(here, "README.md"), join(directory, "README.md"));
  // Those two keys are for a clone.
  const { private: _, scripts, ...described } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  const optionalDependencies = Object.fromEntries(platforms.map((platform) => [`@skilltree-dev/${platform}`, version]));
  write(directory, { ...described, ...common, description: manifest("package", "description"), optionalDependencies });
}

const [out, ...programs] = process.argv.slice(2);
if (!out || programs.length === 0) {
  console.error("usage: build.mjs DIRECTORY PLATFORM=PROGRAM...");
  process.exit(2);
}
rmSync(out, { recursive: true, force: true });
const named = programs.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]);
for (const [platform, program] of named) platformPackage(out, platform, program);
rootPackage(out, named.map(([platform]) => platform).sort());
