// Lists skills with Qwen Code's own manager: qwen-code.mjs PACKAGE ANSWER DIRECTORY
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const [home, answer, cwd] = process.argv.slice(2);
const chunk = readdirSync(`${home}/chunks`)
  .map((file) => `${home}/chunks/${file}`)
  .find((file) => file.endsWith(".js") && readFileSync(file, "utf8").includes("var SkillManager = class"));
const { SkillManager } = await import(chunk);

const configuration = {
  getProjectRoot: () => cwd,
  getActiveExtensions: () => [],
  getBareMode: () => false,
  isSafeMode: () => false,
  isTrustedFolder: () => true,
};
const manager = new SkillManager(configuration);
const skills = (await manager.listSkills()).filter((skill) => skill.level !== "bundled");
const listed = skills.map((skill) => ({
  name: skill.name,
  description: skill.description,
  path: skill.filePath,
  hidden: skill.disableModelInvocation === true || (skill.paths?.length ?? 0) > 0,
}));
writeFileSync(answer, JSON.stringify({ skills: listed, faults: [...manager.getParseErrors().keys()] }));
process.exit(0);
