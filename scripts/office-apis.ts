/**
 * `npm run office-apis` lists the Office APIs in use in build/office-apis.md, with requirement sets and files. It fails if the code uses an
 * API newer than the manifest requires without asking for its set first.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { officeMembers } from "./office-members";

const path = "build/office-apis.md";
const { members, faults } = officeMembers(process.cwd());
const rows = members.map(({ name, set, files }) => `| \`${name}\` | ${set} | ${[...files].join(", ")} |`);
mkdirSync("build", { recursive: true });
writeFileSync(path, ["| API | requirement set | files |", "| - | - | - |", ...rows, ""].join("\n"));
console.log(`${path}: ${members.length} APIs`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
