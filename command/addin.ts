import { readFileSync } from "node:fs";
import { join } from "node:path";
import { config } from "../src/config";
import type { WrittenAddin } from "../workbench/files/write-xlsx";

/** The add-in's identity in workbook files, read from the project's manifest. */
export const addin: WrittenAddin = readAddin();

function readAddin(): WrittenAddin {
  const manifest = readFileSync(join(import.meta.dirname, "..", "manifest.xml"), "utf8");
  const text = (element: string) =>
    new RegExp(`<${element}>\\s*([^<\\s]+)\\s*</${element}>`).exec(manifest)?.[1];
  const [id, version] = [text("Id"), text("Version")];
  if (!id || !version) throw new Error("manifest.xml has no Id or no Version");
  return { id, version, namespace: config.namespace };
}
