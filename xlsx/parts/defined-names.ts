import { childOf, childrenOf, isOn, prefixOf, type XmlEdits, type XmlElement } from "../xml/xml-tree";
import { xmlAttributes, xmlContent } from "../xml/xml-text";

/** A defined name of a workbook or of one of its sheets. */
export interface DefinedName {
  name: string;
  /** As the file stores it, without "=". */
  formula: string;
  comment: string;
  /** The name of the sheet that it belongs to; null if it belongs to the workbook. */
  sheet: string | null;
  /** True if Excel's lists leave the name out. */
  hidden: boolean;
}

/** The order that the format prescribes for the elements of a workbook part. Source: ECMA-376 Part 1, 18.2.27. */
const elementOrder = [
  ...[
    "fileVersion",
    "fileSharing",
    "workbookPr",
    "workbookProtection",
    "bookViews",
    "sheets",
    "functionGroups",
  ],
  ...["externalReferences", "definedNames", "calcPr", "oleSize", "customWorkbookViews", "pivotCaches"],
  ...["smartTagPr", "smartTagTypes", "webPublishing", "fileRecoveryPr", "webPublishObjects", "extLst"],
];

/** Inserts an element into a workbook part that has none of this name, at the place that the format prescribes. */
export function insertElement(root: XmlElement, edits: XmlEdits, local: string, xml: string): void {
  const next = root.children.find((child) => elementOrder.indexOf(child.local) > elementOrder.indexOf(local));
  if (next) edits.insertBefore(next, xml);
  else edits.append(root, xml);
}

/** The workbook's defined names. `sheetNames` are the names of all sheets, in the order of their tabs. */
export function definedNames(root: XmlElement, sheetNames: readonly string[]): DefinedName[] {
  return childrenOf(childOf(root, "definedNames"), "definedName").map(({ attributes, text }) => {
    const { name = "", comment = "", localSheetId, hidden } = attributes;
    const sheet = localSheetId === undefined ? null : (sheetNames[Number(localSheetId)] ?? null);
    return { name, formula: text, comment, sheet, hidden: isOn(hidden) };
  });
}

/**
 * Replaces all defined names. A name that the file already has keeps its attributes that `DefinedName` lacks, such as the marks of a macro.
 * Throws a RangeError if a name belongs to a sheet that does not exist.
 */
export function setDefinedNames(
  root: XmlElement,
  edits: XmlEdits,
  names: readonly DefinedName[],
  sheetNames: readonly string[],
): void {
  const list = childOf(root, "definedNames");
  const prefix = prefixOf(root);
  const key = (name: string, localSheetId: number | undefined) =>
    `${name.toLowerCase()}\n${localSheetId ?? ""}`;
  const known = new Map(
    childrenOf(list, "definedName").map(({ attributes }) => {
      const { name = "", localSheetId } = attributes;
      return [key(name, localSheetId === undefined ? undefined : Number(localSheetId)), attributes] as const;
    }),
  );
  const xml = names.map(({ name, formula, comment, sheet, hidden }) => {
    const place =
      sheet === null ? -1 : sheetNames.findIndex((each) => each.toLowerCase() === sheet.toLowerCase());
    if (sheet !== null && place < 0) throw new RangeError(`There is no sheet ${sheet}.`);
    const localSheetId = sheet === null ? undefined : place;
    const attributes = xmlAttributes({
      ...known.get(key(name, localSheetId)),
      ...{ name, comment: comment || undefined, localSheetId, hidden: hidden ? 1 : undefined },
    });
    return `<${prefix}definedName${attributes}>${xmlContent(formula)}</${prefix}definedName>`;
  });
  if (list && xml.length === 0) edits.remove(list);
  else if (list) edits.setInner(list, xml.join(""));
  else if (xml.length > 0) {
    insertElement(
      root,
      edits,
      "definedNames",
      `<${prefix}definedNames>${xml.join("")}</${prefix}definedNames>`,
    );
  }
}
