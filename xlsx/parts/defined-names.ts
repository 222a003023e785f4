import { childOf, childrenOf, isOn, prefixOf, type XmlEdits, type XmlElement } from "../xml/xml-tree";
import { xmlAttributes, xmlContent } from "../xml/xml-text";

/** A name of a workbook or of one of its sheets. */
export interface DefinedName {
  name: string;
  /** As the file stores it, without "=". */
  formula: string;
  comment: string;
  /** The name of the sheet that it belongs to; null if it belongs to the workbook. */
  sheet: string | null;
  /** The user does not see it in Excel's lists. */
  hidden: boolean;
}

/** The order of a workbook part's elements. Source: ECMA-376 Part 1, 18.2.27. */
const order = [
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

/** Gives a workbook part an element at its place, where it has none of that name. */
export function insertElement(root: XmlElement, edits: XmlEdits, local: string, xml: string): void {
  const next = root.children.find((child) => order.indexOf(child.local) > order.indexOf(local));
  if (next) edits.insertBefore(next, xml);
  else edits.append(root, xml);
}

/** `sheetNames` are those of all sheets, in the order of their tabs. */
export function definedNames(root: XmlElement, sheetNames: readonly string[]): DefinedName[] {
  return childrenOf(childOf(root, "definedNames"), "definedName").map(({ attributes, text }) => {
    const { name = "", comment = "", localSheetId, hidden } = attributes;
    const sheet = localSheetId === undefined ? null : (sheetNames[Number(localSheetId)] ?? null);
    return { name, formula: text, comment, sheet, hidden: isOn(hidden) };
  });
}

/** Replaces all names. A name that the file has keeps what this module does not read of it, such as the marks of a macro. */
export function setDefinedNames(
  root: XmlElement,
  edits: XmlEdits,
  names: readonly DefinedName[],
  sheetNames: readonly string[],
): void {
  const list = childOf(root, "definedNames");
  const prefix = prefixOf(root);
  const key = (name: string, place: number | undefined) => `${name.toLowerCase()}\n${place ?? ""}`;
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
