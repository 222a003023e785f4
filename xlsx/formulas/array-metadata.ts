import { XML_DECLARATION, type WorkbookPackage } from "../package/workbook-package";
import { childOf, childrenOf, isOn, prefixOf, type XmlElement } from "../xml/xml-tree";

const TYPE_NAME = "XLDAPR";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const DYNAMIC = "http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray";
const EXTENSION = "{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}";
const RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sheetMetadata";
const CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheetMetadata+xml";

/** As Excel writes it; the meaning of the flags is in [MS-XLSX] and ECMA-376 18.9. */
const typeFlags =
  'minSupportedVersion="120000" copy="1" pasteAll="1" pasteValues="1" merge="1" splitFirst="1" rowColShift="1" clearFormats="1" clearComments="1" assign="1" coerce="1" cellMeta="1"';

/** The order of a metadata part's elements. */
const order = [
  ...[
    "metadataTypes",
    "metadataStrings",
    "mdxMetadata",
    "futureMetadata",
    "cellMetadata",
    "valueMetadata",
    "extLst",
  ],
];

/** The indexes from 1 of the cell metadata that say that a formula spills by itself, as a cell's `cm` gives them. */
export function dynamicIndexes(workbookPackage: WorkbookPackage, workbookPart: string): number[] {
  const [part] = workbookPackage.related(workbookPart, "sheetMetadata");
  return part && workbookPackage.has(part.part) ? indexesIn(workbookPackage.tree(part.part)) : [];
}

function indexesIn(root: XmlElement): number[] {
  const type = typeIndex(root);
  const future = futureMetadata(root);
  if (type === 0 || !future) return [];
  const isDynamic = childrenOf(future, "bk").map((block) =>
    isOn(descendant(block, "dynamicArrayProperties")?.attributes["fDynamic"]),
  );
  return childrenOf(childOf(root, "cellMetadata"), "bk").flatMap((block, index) => {
    const isOurs = childrenOf(block, "rc").some(
      ({ attributes }) => Number(attributes["t"]) === type && isDynamic[Number(attributes["v"])],
    );
    return isOurs ? [index + 1] : [];
  });
}

function typeIndex(root: XmlElement): number {
  const types = childrenOf(childOf(root, "metadataTypes"), "metadataType");
  return types.findIndex(({ attributes }) => attributes["name"] === TYPE_NAME) + 1;
}

function futureMetadata(root: XmlElement): XmlElement | undefined {
  return childrenOf(root, "futureMetadata").find(({ attributes }) => attributes["name"] === TYPE_NAME);
}

function descendant(element: XmlElement, local: string): XmlElement | undefined {
  for (const child of element.children) {
    const found = child.local === local ? child : descendant(child, local);
    if (found) return found;
  }
  return undefined;
}

/** The index for a cell whose formula spills by itself; the workbook gets the metadata for it if it has none. */
export function ensureDynamicIndex(workbookPackage: WorkbookPackage, workbookPart: string): number {
  const [known] = dynamicIndexes(workbookPackage, workbookPart);
  if (known !== undefined) return known;
  const [part] = workbookPackage.related(workbookPart, "sheetMetadata");
  let name = part?.part;
  if (!name || !workbookPackage.has(name)) {
    const folder = workbookPart.slice(0, workbookPart.lastIndexOf("/") + 1);
    name = workbookPackage.freeName(`${folder}metadata#.xml`, true);
    const text = `${XML_DECLARATION}<metadata xmlns="${MAIN}"></metadata>`;
    workbookPackage.add({ name, text, contentType: CONTENT_TYPE, source: workbookPart, type: RELATIONSHIP });
  }
  const metadataPart = name;
  // One element after the other, as each depends on where the last one stands.
  ensureChild(workbookPackage, metadataPart, "metadataTypes", (root) =>
    typeIndex(root) > 0 ? "" : `<${prefixOf(root)}metadataType name="${TYPE_NAME}" ${typeFlags}/>`,
  );
  workbookPackage.edit(metadataPart, (root, edits) => {
    const prefix = prefixOf(root);
    const future = futureMetadata(root);
    const properties = `<xda:dynamicArrayProperties xmlns:xda="${DYNAMIC}" fDynamic="1" fCollapsed="0"/>`;
    const block = `<${prefix}bk><${prefix}extLst><${prefix}ext uri="${EXTENSION}">${properties}</${prefix}ext></${prefix}extLst></${prefix}bk>`;
    if (future) {
      edits.append(future, block, { count: childrenOf(future, "bk").length + 1 });
      return;
    }
    const xml = `<${prefix}futureMetadata name="${TYPE_NAME}" count="1">${block}</${prefix}futureMetadata>`;
    const next = nextElement(root, "futureMetadata");
    if (next) edits.insertBefore(next, xml);
    else edits.append(root, xml);
  });
  ensureChild(workbookPackage, metadataPart, "cellMetadata", (root) => {
    const prefix = prefixOf(root);
    const value = childrenOf(futureMetadata(root), "bk").length - 1;
    return `<${prefix}bk><${prefix}rc t="${typeIndex(root)}" v="${value}"/></${prefix}bk>`;
  });
  return dynamicIndexes(workbookPackage, workbookPart).at(-1) ?? 1;
}

/** Adds an entry to one of the part's lists, and the list itself where it is missing. */
function ensureChild(
  workbookPackage: WorkbookPackage,
  part: string,
  local: string,
  entry: (root: XmlElement) => string,
): void {
  workbookPackage.edit(part, (root, edits) => {
    const xml = entry(root);
    if (xml === "") return;
    const list = childOf(root, local);
    if (list) {
      edits.append(list, xml, { count: list.children.length + 1 });
      return;
    }
    const name = prefixOf(root) + local;
    const next = nextElement(root, local);
    const whole = `<${name} count="1">${xml}</${name}>`;
    if (next) edits.insertBefore(next, whole);
    else edits.append(root, whole);
  });
}

function nextElement(root: XmlElement, local: string): XmlElement | undefined {
  return root.children.find((child) => order.indexOf(child.local) > order.indexOf(local));
}
