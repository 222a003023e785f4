import { type Rect, rectOf, rectReference, cellReference } from "../cells/cell-reference";
import { SHEET_COLUMNS } from "../file-limits";
import {
  childOf,
  childrenOf,
  isOn,
  prefixedAttribute,
  prefixOf,
  type XmlEdits,
  type XmlElement,
} from "../xml/xml-tree";
import { xmlAttributes } from "../xml/xml-text";

/** Columns that have one width. */
export interface ColumnRange {
  column: number;
  columns: number;
  /** In characters of the default font, with their margin, as the file has it; null for the sheet's default width. */
  width: number | null;
  isHidden: boolean;
}

export interface CellLink {
  area: Rect;
  /** An address outside of the workbook; null for none. */
  target: string | null;
  /** A place in the workbook, such as 'Sheet 2'!A1; null for none. */
  location: string | null;
  tooltip: string | null;
}

/** Rows and columns that stay in sight. */
export interface Frozen {
  rows: number;
  columns: number;
}

/** The order of a worksheet's elements. Source: ECMA-376 Part 1, 18.3.1.99. */
const order = [
  ...[
    "sheetPr",
    "dimension",
    "sheetViews",
    "sheetFormatPr",
    "cols",
    "sheetData",
    "sheetCalcPr",
    "sheetProtection",
  ],
  ...[
    "protectedRanges",
    "scenarios",
    "autoFilter",
    "sortState",
    "dataConsolidate",
    "customSheetViews",
    "mergeCells",
  ],
  ...["phoneticPr", "conditionalFormatting", "dataValidations", "hyperlinks", "printOptions", "pageMargins"],
  ...[
    "pageSetup",
    "headerFooter",
    "rowBreaks",
    "colBreaks",
    "customProperties",
    "cellWatches",
    "ignoredErrors",
  ],
  ...[
    "smartTags",
    "drawing",
    "legacyDrawing",
    "legacyDrawingHF",
    "drawingHF",
    "picture",
    "oleObjects",
    "controls",
  ],
  ...["webPublishItems", "tableParts", "extLst"],
];

/** Gives a worksheet an element at its place, instead of the one it has; "" takes it away. */
export function setElement(root: XmlElement, edits: XmlEdits, local: string, xml: string): void {
  const old = childOf(root, local);
  if (old) {
    edits.replace(old, xml);
    return;
  }
  if (xml === "") return;
  const next = root.children.find((child) => order.indexOf(child.local) > order.indexOf(local));
  if (next) edits.insertBefore(next, xml);
  else edits.append(root, xml);
}

export function isProtected(root: XmlElement): boolean {
  return isOn(childOf(root, "sheetProtection")?.attributes["sheet"]);
}

export function mergedAreas(root: XmlElement): Rect[] {
  return rects(childrenOf(childOf(root, "mergeCells"), "mergeCell"));
}

function rects(elements: XmlElement[]): Rect[] {
  return elements.flatMap(({ attributes }) => rectOf(attributes["ref"] ?? "") ?? []);
}

export function setMergedAreas(root: XmlElement, edits: XmlEdits, areas: readonly Rect[]): void {
  const prefix = prefixOf(root);
  const cells = areas.map((area) => `<${prefix}mergeCell ref="${rectReference(area)}"/>`).join("");
  const xml = `<${prefix}mergeCells count="${areas.length}">${cells}</${prefix}mergeCells>`;
  setElement(root, edits, "mergeCells", areas.length === 0 ? "" : xml);
}

/** A `col` element, columns counted from zero. */
interface Col {
  first: number;
  last: number;
  attributes: Record<string, string | number | undefined>;
}

function colsOf(root: XmlElement): Col[] {
  return childrenOf(childOf(root, "cols"), "col").flatMap(({ attributes: { min, max, ...attributes } }) => {
    const first = Number(min) - 1;
    const last = Math.min(Number(max), SHEET_COLUMNS) - 1;
    return first >= 0 && last >= first ? [{ first, last, attributes }] : [];
  });
}

export function columnRanges(root: XmlElement): ColumnRange[] {
  return colsOf(root).map(({ first, last, attributes }) => ({
    column: first,
    columns: last - first + 1,
    width: attributes["width"] === undefined ? null : Number(attributes["width"]) || 0,
    isHidden: isOn(String(attributes["hidden"] ?? "")),
  }));
}

/** Excel's width of a column that has none, with its margin. */
const DEFAULT_WIDTH = 9.140625;

/** Gives columns widths. Other columns, and formats of columns, stay. */
export function setColumnRanges(root: XmlElement, edits: XmlEdits, ranges: readonly ColumnRange[]): void {
  const defaultWidth = Number(childOf(root, "sheetFormatPr")?.attributes["defaultColWidth"]) || DEFAULT_WIDTH;
  let cols = colsOf(root);
  for (const { column, columns, width, isHidden } of ranges) {
    const last = column + columns - 1;
    const size = {
      ...{ width: width ?? defaultWidth, customWidth: width === null ? undefined : 1 },
      ...{ hidden: isHidden ? 1 : undefined, bestFit: undefined },
    };
    const within: Col[] = [];
    const others = cols.flatMap((col) => {
      const shared = { first: Math.max(col.first, column), last: Math.min(col.last, last) };
      if (shared.first > shared.last) return [col];
      within.push({ ...shared, attributes: { ...col.attributes, ...size } });
      return [
        { ...col, last: shared.first - 1 },
        { ...col, first: shared.last + 1 },
      ].filter((part) => part.first <= part.last);
    });
    let next = column;
    for (const { first, last: end } of within.sort((one, other) => one.first - other.first)) {
      if (next < first) others.push({ first: next, last: first - 1, attributes: size });
      next = end + 1;
    }
    if (next <= last) others.push({ first: next, last, attributes: size });
    cols = [...others, ...within].filter(
      ({ attributes: { width: _, ...attributes }, first }) =>
        width !== null ||
        first < column ||
        first > last ||
        Object.values(attributes).some((each) => each !== undefined),
    );
  }
  const prefix = prefixOf(root);
  const xml = cols
    .sort((one, other) => one.first - other.first)
    .map(
      ({ first, last, attributes }) =>
        `<${prefix}col${xmlAttributes({ min: first + 1, max: last + 1, ...attributes })}/>`,
    )
    .join("");
  setElement(root, edits, "cols", xml === "" ? "" : `<${prefix}cols>${xml}</${prefix}cols>`);
}

export function frozenPanes(root: XmlElement): Frozen {
  const pane = childOf(childOf(childOf(root, "sheetViews"), "sheetView"), "pane");
  const isFrozen = pane?.attributes["state"]?.startsWith("frozen") ?? false;
  const count = (name: string) => (isFrozen ? Math.trunc(Number(pane?.attributes[name] ?? 0)) || 0 : 0);
  return { rows: count("ySplit"), columns: count("xSplit") };
}

export function setFrozenPanes(root: XmlElement, edits: XmlEdits, { rows, columns }: Frozen): void {
  const prefix = prefixOf(root);
  const side = rows > 0 && columns > 0 ? "bottomRight" : rows > 0 ? "bottomLeft" : "topRight";
  const isFrozen = rows > 0 || columns > 0;
  const pane = xmlAttributes({
    ...{ xSplit: columns || undefined, ySplit: rows || undefined, topLeftCell: cellReference(rows, columns) },
    ...{ activePane: side, state: "frozen" },
  });
  const view = childOf(childOf(root, "sheetViews"), "sheetView");
  const selected = childOf(view, "selection")?.attributes ?? {};
  const place = { activeCell: selected["activeCell"], sqref: selected["sqref"] };
  const hasSelection = place.activeCell !== undefined || place.sqref !== undefined;
  const selection =
    isFrozen || hasSelection
      ? `<${prefix}selection${xmlAttributes({ pane: isFrozen ? side : undefined, ...place })}/>`
      : "";
  const inner = (isFrozen ? `<${prefix}pane${pane}/>` : "") + selection;
  if (!view) {
    const xml = `<${prefix}sheetViews><${prefix}sheetView workbookViewId="0">${inner}</${prefix}sheetView></${prefix}sheetViews>`;
    setElement(root, edits, "sheetViews", xml);
    return;
  }
  const old = view.children.filter(({ local }) => local === "pane" || local === "selection");
  old.forEach((element) => edits.remove(element));
  const [first] = view.children;
  if (first) edits.insertBefore(first, inner);
  else edits.append(view, inner);
}

/** Marks the sheet's tab as selected, or takes the mark away. Two selected sheets would be changed together in Excel. */
export function setTabSelected(root: XmlElement, edits: XmlEdits, isSelected: boolean): void {
  const prefix = prefixOf(root);
  const views = childrenOf(childOf(root, "sheetViews"), "sheetView");
  if (views.length === 0 && isSelected) {
    const view = `<${prefix}sheetView tabSelected="1" workbookViewId="0"/>`;
    setElement(root, edits, "sheetViews", `<${prefix}sheetViews>${view}</${prefix}sheetViews>`);
  }
  for (const view of views) {
    if (isOn(view.attributes["tabSelected"]) !== isSelected) {
      edits.setAttributes(view, { tabSelected: isSelected ? 1 : undefined });
    }
  }
}

/** The links of a sheet; `target` gives the address behind a relationship. */
export function cellLinks(
  root: XmlElement,
  target: (relationship: string) => string | undefined,
): CellLink[] {
  return childrenOf(childOf(root, "hyperlinks"), "hyperlink").flatMap((element) => {
    const { ref = "", location, tooltip } = element.attributes;
    const area = rectOf(ref);
    const relationship = prefixedAttribute(element, "id");
    const address = relationship === undefined ? undefined : target(relationship);
    return area
      ? [{ area, target: address ?? null, location: location ?? null, tooltip: tooltip ?? null }]
      : [];
  });
}

/** The relationships to the sheet's tables, in their order. */
export function tableRelationships(root: XmlElement): string[] {
  return childrenOf(childOf(root, "tableParts"), "tablePart").flatMap(
    (element) => prefixedAttribute(element, "id") ?? [],
  );
}

/** Widens the sheet's `dimension`, where it has one, around an area that was written. */
export function widenDimension(root: XmlElement, edits: XmlEdits, area: Rect, hadCells: boolean): void {
  const element = childOf(root, "dimension");
  const old = rectOf(element?.attributes["ref"] ?? "");
  if (!element) return;
  // A sheet without cells says A1.
  const known = old && hadCells ? old : area;
  const row = Math.min(known.row, area.row);
  const column = Math.min(known.column, area.column);
  const all = {
    ...{ row, column },
    rows: Math.max(known.row + known.rows, area.row + area.rows) - row,
    columns: Math.max(known.column + known.columns, area.column + area.columns) - column,
  };
  const reference = rectReference(all);
  if (reference !== element.attributes["ref"]) edits.setAttributes(element, { ref: reference });
}
