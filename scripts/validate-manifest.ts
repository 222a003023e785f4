/** Validates manifest.xml, or another manifest, against the add-in schemas of [MS-OWEMXML] in the given folder. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validateXML } from "xmllint-wasm";

const [directory, path = "manifest.xml"] = process.argv.slice(2);
if (directory === undefined) {
  console.error("Use: npm run validate-manifest -- FOLDER_WITH_SCHEMAS [MANIFEST]");
  process.exit(1);
}
const main = "OfficeAppManifestV1_1.xsd";
const schemas = readdirSync(directory)
  .filter((name) => name.endsWith(".xsd"))
  .map((fileName) => ({ fileName, contents: readFileSync(join(directory, fileName), "utf8") }));
const result = await validateXML({
  xml: [{ fileName: "manifest.xml", contents: readFileSync(path, "utf8") }],
  schema: schemas.filter(({ fileName }) => fileName === main),
  preload: schemas.filter(({ fileName }) => fileName !== main),
});
for (const { message, loc } of result.errors) console.error(`${path}:${loc?.lineNumber ?? "?"}: ${message}`);
console.log(result.valid ? `${path} fits its schema.` : `${path} does not fit its schema.`);
process.exit(result.valid ? 0 : 1);
