import { childOf } from "../xml/xml-tree";
import type { WorkbookPackage } from "./workbook-package";

const MOST_CHARACTERS = 40;

/**
 * Which program wrote the file, as the file says it: "probably written by “LibreOffice”". It is "" if the file says nothing that can be read,
 * or says Excel, as many programs do that are not.
 */
export function writingProgram(workbookPackage: WorkbookPackage): string {
  try {
    const [properties] = workbookPackage.related("", "extended-properties");
    const root = properties && workbookPackage.has(properties.part) && workbookPackage.tree(properties.part);
    const name =
      (root &&
        childOf(root, "Application")
          ?.text.replace(/[^\p{L}\p{N} ./-]/gu, "")
          .trim()) ||
      "";
    return name === "" || /^microsoft excel$/i.test(name)
      ? ""
      : `probably written by “${name.slice(0, MOST_CHARACTERS)}”`;
  } catch {
    return "";
  }
}
