#!/usr/bin/env node
// Runs the program of this platform's package, with the same arguments, streams and exit status.
"use strict";

const { spawnSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { constants } = require("node:os");
const { join } = require("node:path");

const platform = `${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "skilltree.exe" : "skilltree";

/** What `npm install ./npm` builds in a clone. */
const BUILT = join(__dirname, "..", "program", "bin", file);

/** Returns the path of the program; undefined if npm did not install the package of this platform. */
function program() {
  if (existsSync(BUILT)) return BUILT;
  try {
    return require.resolve(`@skilltree-dev/${platform}/${file}`);
  } catch {
    return undefined;
  }
}

const found = program();
if (found === undefined) {
  process.stderr.write(
    `error: the package @skilltree-dev/${platform} is not installed\n` +
      "help: install again without `--omit=optional`; in a clone, without `--ignore-scripts`; if there is no package for this platform, build from source: docs/install.md\n",
  );
  process.exit(2);
}

// Ctrl-C reaches the program too, which stops by itself: this process waits for its exit status.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
const run = spawnSync(found, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
if (run.error) {
  process.stderr.write(`error: ${found} cannot be started: ${run.error.message}\n`);
  process.exit(2);
}
process.exit(run.signal ? 128 + constants.signals[run.signal] : run.status);
