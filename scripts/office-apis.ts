/**
 * `npm run office-apis`: docs/office-apis.md, every Office API in use with its requirement set. Fails where something newer
 * than the manifest requires is used without a question first.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { officeApis, officeApisPage } from "./office-apis/document";

const path = "docs/office-apis.md";
const found = officeApis(process.cwd(), readFileSync("manifest.xml", "utf8"));
writeFileSync(path, officeApisPage(found));
console.log(
  `${path}: ${found.apis.length} APIs, ${found.apis.filter(({ isNewer }) => isNewer).length} asked for first.`,
);
for (const fault of found.faults) console.error(fault);
process.exitCode = found.faults.length > 0 ? 1 : 0;
