// Lists skills with Cline's own service: cline.mjs PACKAGE ANSWER DIRECTORY
import { writeFileSync } from "node:fs";

const [home, answer, cwd] = process.argv.slice(2);
const { createUserInstructionConfigService } = await import(`${home}/dist/index.js`);

const service = createUserInstructionConfigService({ skills: { workspacePath: cwd } });
await service.start();
const listed = service.listRecords("skill").map(({ item, filePath }) => ({
  name: item.name,
  description: item.description ?? null,
  path: filePath,
  hidden: item.disabled === true,
}));
writeFileSync(answer, JSON.stringify(listed));
process.exit(0);
