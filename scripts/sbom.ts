/**
 * `npm run sbom`: a CycloneDX bill of materials of what the add-in ships, in build/sbom.cdx.json. Without the moment and
 * the serial number that npm gives it, so that the same commit gives the same file.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

interface Bom {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { name: string } };
  components: unknown[];
}

const path = "build/sbom.cdx.json";
const made = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"], {
  encoding: "utf8",
  shell: process.platform === "win32",
});
const { serialNumber: _, ...bom } = JSON.parse(made) as Bom;
const { timestamp: __, component, ...metadata } = bom.metadata;
// npm calls it like the folder.
const { name } = JSON.parse(readFileSync("package.json", "utf8")) as { name: string };
mkdirSync("build", { recursive: true });
writeFileSync(
  path,
  `${JSON.stringify({ ...bom, metadata: { ...metadata, component: { ...component, name } } }, null, 2)}\n`,
);
console.log(`${path}: ${bom.components.length} packages.`);
