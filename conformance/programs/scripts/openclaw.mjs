// Loads the skills of a workspace with OpenClaw's own functions: openclaw.mjs PACKAGE ANSWER WORKSPACE
// The built files have a hash in their names and export single letters, so a function is found by its own name.
import { readdirSync, writeFileSync } from "node:fs";

const [home, answer, workspace] = process.argv.slice(2);

async function find(prefix, name) {
  for (const file of readdirSync(`${home}/dist`)) {
    if (!file.startsWith(prefix) || !file.endsWith(".mjs")) continue;
    const found = Object.values(await import(`${home}/dist/${file}`)).find((value) => value?.name === name);
    if (found) return found;
  }
  throw new Error(`no function ${name} in dist/${prefix}*.mjs`);
}

const loadWorkspaceSkills = await find("workspace-skill-loader-", "loadWorkspaceSkills");
const buildSkillSnapshot = await find("workspace-skill-prompt-", "buildSkillSnapshot");
const entries = loadWorkspaceSkills(workspace, { config: {} });
const listed = entries.map(({ skill, invocation }) => ({
  name: skill.name,
  description: skill.description,
  path: skill.filePath,
  hidden: (invocation?.disableModelInvocation ?? skill.disableModelInvocation) === true,
}));
const { prompt } = await buildSkillSnapshot(workspace, { config: {} });
writeFileSync(answer, JSON.stringify({ skills: listed, prompt }));
process.exit(0);
