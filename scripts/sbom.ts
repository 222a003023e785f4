/**
 * `npm run sbom [-- FILE]` writes a CycloneDX bill of materials of the built add-in to build/sbom.cdx.json. It lists the packages in the
 * add-in's scripts, as third-party-licenses.txt of `npm run build` lists them, and office.js, which the page loads. The time and the serial
 * number that npm adds are left out, so that the same commit gives the same file.
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

const licenseList = "dist/third-party-licenses.txt";
const [path = "build/sbom.cdx.json"] = process.argv.slice(2);

/** Name and version of each package in the scripts, with a blank between them. */
function readShipped(): Set<string> {
  const titles = readFileSync(licenseList, "utf8").matchAll(/^((?:@[\w.-]+\/)?[\w.-]+ \d\S*) \(\S+\)$/gm);
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
  throw new Error(`${licenseList} lists packages that are not installed: run npm ci and npm run build.`);
}
const refs = new Set([component["bom-ref"], ...packages.map((each) => each["bom-ref"])]);
const dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
// npm names the component after the folder; package.json has its real name.
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
