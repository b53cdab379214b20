// Lists skills as pi's resource loader does: its package manager finds the paths, its loader reads them.
// pi.mjs PACKAGE ANSWER DIRECTORY
import { writeFileSync } from "node:fs";

const [home, answer, cwd] = process.argv.slice(2);
const { getAgentDir } = await import(`${home}/dist/config.js`);
const { DefaultPackageManager } = await import(`${home}/dist/core/package-manager.js`);
const { formatSkillsForPrompt, loadSkills } = await import(`${home}/dist/core/skills.js`);

const agentDir = getAgentDir();
const settingsManager = { getGlobalSettings: () => ({}), getProjectSettings: () => ({}), isProjectTrusted: () => true };
const found = await new DefaultPackageManager({ cwd, agentDir, settingsManager }).resolve();
const skillPaths = found.skills.filter((skill) => skill.enabled).map((skill) => skill.path);
const { skills, diagnostics } = loadSkills({ cwd, agentDir, skillPaths, includeDefaults: false });
const listed = skills.map((skill) => ({
  name: skill.name,
  description: skill.description,
  path: skill.filePath,
  hidden: skill.disableModelInvocation === true,
}));
writeFileSync(answer, JSON.stringify({ skills: listed, faults: diagnostics, prompt: formatSkillsForPrompt(skills) }));
process.exit(0);
