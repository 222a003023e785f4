import type { WorkbookPackage } from "../package/workbook-package";
import { childOf, childrenOf, type XmlElement } from "../xml/xml-tree";

/** Excel's errors that are newer than the file format, by the number that a file gives them. Source: Excel's API, ErrorCellValueType. */
const newerErrors: Record<string, string> = {
  8: "#SPILL!",
  9: "#CONNECT!",
  10: "#BLOCKED!",
  11: "#UNKNOWN!",
  12: "#FIELD!",
  13: "#CALC!",
  14: "#BUSY!",
  18: "#EXTERNAL!",
  19: "#TIMEOUT!",
};

/**
 * The errors behind value metadata, by the index from 1 that a cell's `vm` gives. A file shows #VALUE! in place of an error that is newer
 * than its format, and says there which one it is ([MS-XLSX], rich values with the structure "_error").
 */
export function richErrors(workbookPackage: WorkbookPackage, workbookPart: string): Map<number, string> {
  const rootOf = (type: string): XmlElement | undefined => {
    const [found] = workbookPackage.related(workbookPart, type);
    return found && workbookPackage.has(found.part) ? workbookPackage.tree(found.part) : undefined;
  };
  const metadata = rootOf("sheetMetadata");
  const blocks = childrenOf(childOf(metadata, "valueMetadata"), "bk");
  const errors = new Map<number, string>();
  if (!metadata || blocks.length === 0) return errors;
  const types = childrenOf(childOf(metadata, "metadataTypes"), "metadataType");
  const richType = types.findIndex(({ attributes }) => attributes["name"] === "XLRICHVALUE") + 1;
  const future = childrenOf(metadata, "futureMetadata").find(
    ({ attributes }) => attributes["name"] === "XLRICHVALUE",
  );
  const valueIndexes = childrenOf(future, "bk").map((block) => richValueIndex(block));
  const keys = childrenOf(rootOf("rdRichValueStructure"), "s").map((structure) =>
    structure.attributes["t"] === "_error"
      ? childrenOf(structure, "k").map(({ attributes }) => attributes["n"])
      : [],
  );
  const values = childrenOf(rootOf("rdRichValue"), "rv");
  for (const [index, block] of blocks.entries()) {
    const record = childrenOf(block, "rc").find(({ attributes }) => Number(attributes["t"]) === richType);
    const value = values[valueIndexes[Number(record?.attributes["v"])] ?? -1];
    if (!value) continue;
    const place = keys[Number(value.attributes["s"])]?.indexOf("errorType") ?? -1;
    const error = newerErrors[childrenOf(value, "v")[place]?.text.trim() ?? ""];
    if (error !== undefined) errors.set(index + 1, error);
  }
  return errors;
}

/** The index of the rich value that a block of future metadata names, such as `<xlrd:rvb i="3"/>`. */
function richValueIndex(block: XmlElement): number {
  for (const child of block.children) {
    const index = child.local === "rvb" ? Number(child.attributes["i"]) : richValueIndex(child);
    if (index >= 0) return index;
  }
  return -1;
}
