// Builds the program of a clone for `npm install ./npm`. No published package contains or runs this.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const options = ["install", "--locked", "--no-track", "--force", "--path", dirname(here), "--root", join(here, "program")];
const run = spawnSync("cargo", options, { stdio: "inherit" });
if (run.error) console.error(`cargo cannot be started: ${run.error.message}; install Rust, then run \`npm install\` again`);
process.exit(run.status ?? 1);
