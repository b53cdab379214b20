// Parses skills with VS Code's own parser of prompt files: vscode-copilot.mjs PACKAGE ANSWER DIRECTORY
// Its search needs the services of an editor, so the files are found here: one level below the directory.
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";

const [home, answer, directory] = process.argv.slice(2);
const base = `${home}/vscode/src/vs`;
const { URI } = await import(`${base}/base/common/uri.js`);
const { PromptFileParser } = await import(`${base}/workbench/contrib/chat/common/promptSyntax/promptFileParser.js`);

// As truncateAgentSkillDescription of promptsServiceImpl.js, which cannot be called alone.
const shown = (text) => text && text.replace(/<[^>]+>/g, "").substring(0, 1024);

const skills = [];
for (const name of readdirSync(directory).sort()) {
  const path = `${directory}/${name}/SKILL.md`;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
  const text = new TextDecoder("utf-8").decode(readFileSync(path)); // without the byte order mark, as an editor has it
  const { header } = new PromptFileParser().parse(URI.file(path), text);
  const hidden = header?.disableModelInvocation === true;
  skills.push({ name, description: shown(header?.description) ?? null, path, hidden });
}
writeFileSync(answer, JSON.stringify(skills));
process.exit(0);
