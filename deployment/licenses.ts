import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";

const packageFile = z.object({ name: z.string(), version: z.string(), license: z.string() });

interface Bundled extends z.infer<typeof packageFile> {
  /** The license's text; undefined if the package brings none. */
  text: string | undefined;
}

const licenseFile = /^(licen[cs]e|copying)(\.\w+)?$/i;

/** Licenses that only ask for their text to be shipped along. */
const taken = /^(MIT|ISC|BSD-[23]-Clause|0BSD)$/;

/**
 * Lists the packages that these files of node_modules belong to, each with its version and license, and each license's text once. Throws
 * for a license that is not among `taken`, and for one without a text.
 */
export function licenseList(files: Iterable<string>): string {
  const directories = new Set([...files].map((file) => packageDirectory(file)));
  const all = [...directories].map(readPackage).sort((one, other) => compare(title(one), title(other)));
  const packagesOf = new Map<string, Bundled[]>();
  for (const each of all) {
    const text = each.text ?? all.find((other) => isSibling(each, other))?.text;
    if (text === undefined || !taken.test(each.license)) {
      throw new Error(
        `${title(each)} can't be shipped: its license is ${each.license}, with its text or without.`,
      );
    }
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), each]);
  }
  return [...packagesOf]
    .map(([text, packages]) => `${packages.map(title).join("\n")}\n\n${text}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function title({ name, version, license }: Bundled): string {
  return `${name} ${version} (${license})`;
}

/** The folder of a file's package. A nested package.json without name and version is skipped: some only say the kind of modules. */
function packageDirectory(file: string): string {
  const directory = dirname(file);
  const path = join(directory, "package.json");
  return existsSync(path) && packageFile.safeParse(JSON.parse(readFileSync(path, "utf8"))).success
    ? directory
    : packageDirectory(directory);
}

function readPackage(directory: string): Bundled {
  const facts = packageFile.parse(JSON.parse(readFileSync(join(directory, "package.json"), "utf8")));
  const name = readdirSync(directory)
    .sort()
    .find((each) => licenseFile.test(each));
  const text = name && readFileSync(join(directory, name), "utf8").replaceAll("\r\n", "\n").trim();
  return { ...facts, text: text || undefined };
}

/** True if `other` has a license text that holds for `one`, too: both are of the same npm scope and license. */
function isSibling(one: Bundled, other: Bundled): boolean {
  const scope = ({ name }: Bundled) => name.split("/")[0];
  return other.text !== undefined && scope(one) === scope(other) && one.license === other.license;
}

/** Sorts alike on every machine, whatever its language. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
