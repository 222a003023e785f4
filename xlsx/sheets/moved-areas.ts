import { rectOf, rectReference } from "../cells/cell-reference";
import type { Follow } from "../cells/moved-cells";
import type { WorkbookPackage } from "../package/workbook-package";
import type { XmlEdits, XmlElement } from "../xml/xml-tree";
import { xmlContent } from "../xml/xml-text";

const formulas = new Set([
  ...["formula", "formula1", "formula2", "f"],
  ...["calculatedColumnFormula", "totalsRowFormula"],
]);

/**
 * Moves the areas of the rules of a sheet or table: conditional formats, data validation, ignored errors, sparklines, columns' formulas. A
 * rule whose area is gone goes, too. `shifted` gives the formulas of rules as they refer to the same cells then.
 */
export function moveRules(
  element: XmlElement,
  edits: XmlEdits,
  follow: Follow,
  shifted: (formula: string) => string,
): void {
  if (element.local === "sheetViews") return;
  // A list of rules is not left empty.
  if (isGone(element, follow)) return edits.remove(element);
  const { sqref } = element.attributes;
  const moved = sqref === undefined ? undefined : movedAreas(sqref, follow);
  if (moved !== undefined && moved !== sqref) edits.setAttributes(element, { sqref: moved });
  const { children, text, local } = element;
  if (children.length > 0) for (const child of children) moveRules(child, edits, follow, shifted);
  else if (local === "sqref" || formulas.has(local)) {
    const now = local === "sqref" ? movedAreas(text, follow) || text : shifted(text);
    if (now !== text) edits.setInner(element, xmlContent(now));
  }
}

function isGone({ attributes: { sqref }, children, local }: XmlElement, follow: Follow): boolean {
  if (sqref !== undefined) return movedAreas(sqref, follow) === "";
  const isList = local === "dataValidations" || local === "ignoredErrors" || local === "protectedRanges";
  return isList && children.length > 0 && children.every((child) => isGone(child, follow));
}

function movedAreas(areas: string, follow: Follow): string {
  return areas
    .split(/\s+/)
    .flatMap((reference) => {
      const rect = rectOf(reference);
      if (!rect) return [reference];
      const now = follow(rect);
      if (!now) return [];
      return [now === rect || rectReference(now) === rectReference(rect) ? reference : rectReference(now)];
    })
    .join(" ");
}

/** Moves the notes and threaded comments of a sheet's cells. */
export function moveComments(workbookPackage: WorkbookPackage, sheetPart: string, follow: Follow): void {
  const partsOf = (kind: string) =>
    workbookPackage
      .related(sheetPart, kind)
      .map(({ part }) => part)
      .filter((part) => workbookPackage.has(part));
  for (const part of [...partsOf("comments"), ...partsOf("threadedComment")])
    workbookPackage.edit(part, (root, edits) => moveReferences(root, edits, follow));
  for (const part of partsOf("vmlDrawing")) {
    const text = workbookPackage.text(part);
    const moved = text.replaceAll(/<v:shape\b[^]*?<\/v:shape>/g, (shape) => movedShape(shape, follow));
    if (moved !== text) workbookPackage.write(part, moved, text);
  }
}

function moveReferences(element: XmlElement, edits: XmlEdits, follow: Follow): void {
  const rect = rectOf(element.attributes["ref"] ?? "");
  if (!rect) return element.children.forEach((child) => moveReferences(child, edits, follow));
  const now = follow(rect);
  if (!now) edits.remove(element);
  else if (rectReference(now) !== rectReference(rect))
    edits.setAttributes(element, { ref: rectReference(now) });
}

/** The frame of a note, whose place counts rows and columns from zero. */
function movedShape(shape: string, follow: Follow): string {
  const numberIn = (name: string) => new RegExp(`<x:${name}>\\s*(\\d+)\\s*</x:${name}>`).exec(shape)?.[1];
  const [row, column] = [numberIn("Row"), numberIn("Column")];
  if (row === undefined || column === undefined) return shape;
  const place = follow({ row: Number(row), column: Number(column), rows: 1, columns: 1 });
  if (!place) return "";
  const [down, right] = [place.row - Number(row), place.column - Number(column)];
  return shape
    .replace(/(<x:Row>)\s*\d+/, `$1${place.row}`)
    .replace(/(<x:Column>)\s*\d+/, `$1${place.column}`)
    .replace(/(<x:Anchor>)([^<]*)/, (_, tag: string, anchor: string) => {
      // Column, offset, row, offset of one corner, then of the other.
      const by = [right, 0, down, 0];
      const numbers = anchor
        .split(",")
        .map((each, index) => (by[index % 4] ? Number(each) + by[index % 4]! : each));
      return `${tag}${numbers.join(",")}`;
    });
}
