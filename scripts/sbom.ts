/**
 * `npm run sbom [-- FILE]`: a CycloneDX bill of materials of what the built add-in is made of, in build/sbom.cdx.json: the
 * packages in its scripts, as third-party-licences.txt of `npm run build` lists them, and office.js, which the page loads.
 * Without the moment and the serial number that npm gives it, so that the same commit gives the same file.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

interface Bom {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { name: string; "bom-ref": string } };
  components: { name: string; version?: string; "bom-ref": string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const licenceList = "dist/third-party-licences.txt";
const [path = "build/sbom.cdx.json"] = process.argv.slice(2);

/** Of each package in the scripts: its name, a blank and its version. */
function readShipped(): Set<string> {
  const titles = readFileSync(licenceList, "utf8").matchAll(/^((?:@[\w.-]+\/)?[\w.-]+ \d\S*) \(\S+\)$/gm);
  return new Set([...titles].map(([, title = ""]) => title));
}

const { href: officeAddress } = new URL(
  /<script src="([^"]+)"/.exec(readFileSync("src/taskpane/taskpane.html", "utf8"))?.[1] ?? "",
);
const office = {
  "bom-ref": "office.js",
  type: "library",
  name: "office.js",
  description: "Microsoft's. The page loads it from there at run time, always as Microsoft serves it then.",
  externalReferences: [{ type: "distribution", url: officeAddress }],
};

const made = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx"], {
  encoding: "utf8",
  maxBuffer: 100_000_000,
  shell: process.platform === "win32",
});
const { serialNumber: _, ...bom } = JSON.parse(made) as Bom;
const { timestamp: __, component, ...metadata } = bom.metadata;
const shipped = readShipped();
const packages = bom.components.filter(({ name, version }) => shipped.has(`${name} ${version}`));
if (packages.length !== shipped.size) {
  throw new Error(`${licenceList} lists packages that are not installed: run npm ci and npm run build.`);
}
const refs = new Set([component["bom-ref"], ...packages.map((each) => each["bom-ref"])]);
const dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
// npm calls it like the folder.
const { name } = JSON.parse(readFileSync("package.json", "utf8")) as { name: string };
const bill = {
  ...bom,
  metadata: { ...metadata, component: { ...component, name } },
  components: [...packages, office],
  dependencies,
};
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`);
console.log(`${path}: ${packages.length} packages, and office.js.`);
