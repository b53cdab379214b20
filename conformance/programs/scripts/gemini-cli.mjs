// Lists skills with Gemini CLI's own manager, in a trusted directory: gemini-cli.mjs PACKAGE ANSWER DIRECTORY
import { writeFileSync } from "node:fs";

const [home, answer, cwd] = process.argv.slice(2);
const { Storage } = await import(`${home}/dist/src/config/storage.js`);
const { SkillManager } = await import(`${home}/dist/src/skills/skillManager.js`);

const manager = new SkillManager();
const trusted = true;
await manager.discoverSkills(new Storage(cwd), [], trusted);
const skills = manager.getSkills().filter((skill) => !skill.isBuiltin);
const listed = skills.map(({ name, description, location }) => ({ name, description, path: location }));
writeFileSync(answer, JSON.stringify(listed));
process.exit(0);
