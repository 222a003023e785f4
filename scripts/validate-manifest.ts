/** Validates manifest.xml against the add-in schemas of [MS-OWEMXML] in the folder given. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validateXML } from "xmllint-wasm";

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error("Use: npm run validate-manifest -- FOLDER_WITH_SCHEMAS");
  process.exit(1);
}
const main = "OfficeAppManifestV1_1.xsd";
const schemas = readdirSync(directory)
  .filter((name) => name.endsWith(".xsd"))
  .map((fileName) => ({ fileName, contents: readFileSync(join(directory, fileName), "utf8") }));
const result = await validateXML({
  xml: [{ fileName: "manifest.xml", contents: readFileSync("manifest.xml", "utf8") }],
  schema: schemas.filter(({ fileName }) => fileName === main),
  preload: schemas.filter(({ fileName }) => fileName !== main),
});
for (const { message, loc } of result.errors)
  console.error(`manifest.xml:${loc?.lineNumber ?? "?"}: ${message}`);
console.log(result.valid ? "manifest.xml fits its schema." : "manifest.xml does not fit its schema.");
process.exit(result.valid ? 0 : 1);
