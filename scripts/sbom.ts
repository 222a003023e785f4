/**
 * `npm run sbom [-- FILE]` writes a CycloneDX bill of materials of the built add-in to build/sbom.cdx.json. It lists the packages in the
 * add-in's scripts, as third-party-licenses.txt of `npm run build` lists them, and office.js, which the page loads. Versions, checksums and
 * licenses are those of package-lock.json, so that the same commit gives the same file, with any npm: Debian 13's has no `npm sbom`.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

interface Locked {
  version: string;
  integrity: string;
  license: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const licenseList = "dist/third-party-licenses.txt";
const [path = "build/sbom.cdx.json"] = process.argv.slice(2);

/** The packages in the scripts by name, in the order of the list. */
function readShipped(): Map<string, Locked> {
  const { packages } = readJson<{ packages: Record<string, Locked> }>("package-lock.json");
  const titles = readFileSync(licenseList, "utf8").matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d\S*) \(\S+\)$/gm);
  return new Map(
    [...titles].map(([, name = "", version]) => {
      const locked = packages[`node_modules/${name}`];
      if (!locked || locked.version !== version) {
        throw new Error(
          `${licenseList} lists other packages than package-lock.json: run npm ci and npm run build.`,
        );
      }
      return [name, locked];
    }),
  );
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}

const shipped = readShipped();
const refOf = (name: string) => `${name}@${shipped.get(name)?.version}`;

function component(name: string, { version, integrity, license }: Locked) {
  return {
    "bom-ref": refOf(name),
    ...{ type: "library", name, version, scope: "required" },
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    hashes: [
      { alg: "SHA-512", content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex") },
    ],
    licenses: [{ license: { id: license } }],
  };
}

const [, officeAddress] =
  /<script src="(https:[^"]+)"/.exec(readFileSync("dist/taskpane.html", "utf8")) ?? [];
const office = {
  "bom-ref": "office.js",
  type: "library",
  name: "office.js",
  description: "Microsoft's. The page loads it from there at run time, always as Microsoft serves it then.",
  externalReferences: [{ type: "distribution", url: officeAddress }],
};

type Described = Record<"name" | "version" | "license" | "description", string>;
const addIn = readJson<Described & Record<"dependencies" | "devDependencies", Record<string, string>>>(
  "package.json",
);
const addInRef = `${addIn.name}@${addIn.version}`;
const dependsOn = (...names: Record<string, string>[]) =>
  Object.keys(Object.assign({}, ...names) as object)
    .filter((name) => shipped.has(name))
    .map(refOf)
    .sort();
const bill = {
  $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
  ...{ bomFormat: "CycloneDX", specVersion: "1.5", version: 1 },
  metadata: {
    lifecycles: [{ phase: "build" }],
    component: {
      "bom-ref": addInRef,
      ...{ type: "library", name: addIn.name, version: addIn.version, description: addIn.description },
      purl: `pkg:npm/${addInRef}`,
      licenses: [{ license: { id: addIn.license } }],
    },
  },
  components: [...[...shipped].map(([name, locked]) => component(name, locked)), office],
  dependencies: [
    { ref: addInRef, dependsOn: dependsOn(addIn.dependencies, addIn.devDependencies) },
    ...[...shipped].map(([name, { dependencies = {}, peerDependencies = {} }]) => ({
      ref: refOf(name),
      dependsOn: dependsOn(dependencies, peerDependencies),
    })),
  ],
};
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`);
console.log(`${path}: ${shipped.size} packages, and office.js.`);
