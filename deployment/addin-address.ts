import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseUrl } from "../src/url";

/** The address at which Excel looks for the add-in, as a build's manifest names it. */
export interface AddInAddress {
  hostname: string;
  /** The port as an address has it: empty for the usual one. */
  port: string;
  /** Begins and ends with a slash; the files of the build lie below. */
  folder: string;
}

/** Rejects with a sentence if the folder holds no build. */
export async function readAddInAddress(dist: string): Promise<AddInAddress> {
  const manifest = await readFile(join(dist, "manifest.xml"), "utf8").catch((cause: unknown) => {
    throw new Error(`There is no manifest.xml in ${dist}: run npm run build first.`, { cause });
  });
  const [, page = ""] = /<SourceLocation\s+DefaultValue="([^"]+)"/.exec(manifest) ?? [];
  const url = parseUrl(page);
  if (!url) throw new Error(`The manifest.xml in ${dist} names no page.`);
  const { hostname, port, pathname } = url;
  return { hostname, port, folder: pathname.slice(0, pathname.lastIndexOf("/") + 1) };
}
