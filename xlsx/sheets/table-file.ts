import { type Rect, rectOf, rectReference } from "../cells/cell-reference";
import { XML_DECLARATION } from "../package/workbook-package";
import { childOf, childrenOf, prefixOf, type XmlEdits, type XmlElement } from "../xml/xml-tree";
import { escapedCharacters, unescapedCharacters, xmlAttributes } from "../xml/xml-text";
import { broken } from "../workbook-file-error";
import { revisionAttributes, revisionId, usualTableId } from "./revision-id";

/** A table of a sheet. */
export interface TableFile {
  /** Its number, another for each table of a workbook. */
  id: number;
  /** A GUID in braces, by which Excel's API finds it. Where the file gives none, the one that Excel would. */
  uid: string;
  name: string;
  /** The name that formulas use. */
  displayName: string;
  /** With its header and total row. */
  ref: Rect;
  /** Such as TableStyleMedium2; null for none. */
  styleName: string | null;
  hasHeaderRow: boolean;
  hasTotalsRow: boolean;
  columnNames: string[];
  /** Columns whose filter is a list of values, by their place in the table. Other filters are kept, and not told. */
  filteredColumns: { column: number; values: string[]; withBlanks: boolean }[];
  /** Its part in the package. */
  part: string;
}

/** A table that is new. */
export interface NewTable {
  /** A GUID in braces; if left out, Excel gives it one by its place. */
  uid?: string;
  name: string;
  ref: Rect;
  /** Names of its columns, as many as it has; repeated and empty ones get a number. They are written into the header row. */
  columnNames: readonly string[];
  styleName?: string | null;
  /** True if left out. Without a header row there is no filter. */
  hasHeaderRow?: boolean;
  /** True if the last row of `ref` is a totals row. */
  hasTotalsRow?: boolean;
}

export const TABLE_RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/table";
export const TABLE_CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/** `index`: its place among the workbook's tables. */
export function readTable(root: XmlElement, part: string, index: number): TableFile {
  const { id, name, displayName, ref = "", headerRowCount, totalsRowCount } = root.attributes;
  const rect = rectOf(ref);
  if (!rect) throw broken(`${part} has no area`);
  return {
    id: Number(id) || 0,
    uid: revisionId(root) ?? usualTableId(index),
    name: name ?? displayName ?? "",
    displayName: displayName ?? name ?? "",
    ref: rect,
    styleName: childOf(root, "tableStyleInfo")?.attributes["name"] ?? null,
    hasHeaderRow: headerRowCount !== "0",
    hasTotalsRow: Number(totalsRowCount ?? 0) > 0,
    columnNames: columnsOf(root).map(columnName),
    filteredColumns: childrenOf(childOf(root, "autoFilter"), "filterColumn").flatMap((column) => {
      const filters = childOf(column, "filters");
      if (!filters || filters.children.some(({ local }) => local !== "filter")) return [];
      const values = filters.children.map(({ attributes }) => attributes["val"] ?? "");
      const { blank } = filters.attributes;
      const withBlanks = blank === "1" || blank === "true";
      return [{ column: Number(column.attributes["colId"]) || 0, values, withBlanks }];
    }),
    part,
  };
}

function columnsOf(root: XmlElement): XmlElement[] {
  return childrenOf(childOf(root, "tableColumns"), "tableColumn");
}

function columnName({ attributes }: XmlElement): string {
  return unescapedCharacters(attributes["name"] ?? "");
}

/** Names as Excel makes them unlike: an empty one is Column1, a repeated one gets a number. */
export function uniqueColumnNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  /** The number that a repeated name gets next. */
  const numbers = new Map<string, number>();
  return names.map((name, index) => {
    const base = name === "" ? `Column${index + 1}` : name;
    const key = base.toLowerCase();
    let number = numbers.get(key) ?? 2;
    let unique = base;
    for (; taken.has(unique.toLowerCase()); number++) unique = `${base}${number}`;
    numbers.set(key, number);
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** The part of a new table. */
export function newTableXml(table: NewTable, id: number): string {
  const { name, ref, columnNames, styleName = "TableStyleMedium2", hasHeaderRow = true } = table;
  const { hasTotalsRow = false } = table;
  const reference = rectReference(ref);
  const filtered = rectReference({ ...ref, rows: ref.rows - Number(hasTotalsRow) });
  const columns = columnNames
    .map((each, index) => `<tableColumn${columnAttributes(index + 1, each)}/>`)
    .join("");
  const style = styleName === null ? undefined : styleName;
  const root = xmlAttributes({
    ...{
      id,
      name,
      displayName: name,
      ref: reference,
      headerRowCount: hasHeaderRow ? undefined : 0,
      totalsRowCount: hasTotalsRow ? 1 : undefined,
      totalsRowShown: hasTotalsRow ? undefined : 0,
    },
    ...(table.uid !== undefined && revisionAttributes({}, table.uid)),
  });
  const info = xmlAttributes({
    ...{ name: style, showFirstColumn: 0, showLastColumn: 0, showRowStripes: 1, showColumnStripes: 0 },
  });
  return (
    `${XML_DECLARATION}<table xmlns="${MAIN}"${root}>` +
    (hasHeaderRow ? `<autoFilter ref="${filtered}"/>` : "") +
    `<tableColumns count="${columnNames.length}">${columns}</tableColumns><tableStyleInfo${info}/></table>`
  );
}

function columnAttributes(id: number, name: string): string {
  return xmlAttributes({ id, name: escapedName(name) });
}

/** A line break in a column's name is written as `_x000a_`. */
function escapedName(name: string): string {
  return escapedCharacters(name).replace(/[\n\t]/g, (character) =>
    character === "\n" ? "_x000a_" : "_x0009_",
  );
}

export interface TableChange {
  uid?: string;
  name?: string;
  ref?: Rect;
  /**
   * One name for each column that the table has afterwards. A column that keeps its name, or is renamed at its place, keeps its formula,
   * format and filter.
   */
  columnNames?: readonly string[];
  styleName?: string | null;
  hasTotalsRow?: boolean;
}

/** Changes a table's part. */
export function changeTable(root: XmlElement, edits: XmlEdits, text: string, change: TableChange): void {
  const prefix = prefixOf(root);
  const attributes: Record<string, string | number | undefined> = {};
  const { uid, name, ref, columnNames, styleName, hasTotalsRow } = change;
  if (uid !== undefined) Object.assign(attributes, revisionAttributes(root.attributes, uid));
  if (name !== undefined) Object.assign(attributes, { name, displayName: name });
  const reference = ref && rectReference(ref);
  if (reference) attributes["ref"] = reference;
  if (hasTotalsRow !== undefined)
    Object.assign(attributes, {
      totalsRowCount: hasTotalsRow ? 1 : undefined,
      totalsRowShown: hasTotalsRow ? undefined : 1,
    });
  if (Object.keys(attributes).length > 0) edits.setAttributes(root, attributes);

  const columns = columnsOf(root);
  const places = columnNames && columnPlaces(columns.map(columnName), columnNames);
  const filter = childOf(root, "autoFilter");
  if (filter) changeFilter(filter, edits, reference && filterReference(root, change), places);
  // Its areas are those of rows that were sorted; it only says what the next sorting begins with.
  const sorted = childOf(root, "sortState");
  if (sorted && (ref || columnNames)) edits.remove(sorted);

  const list = childOf(root, "tableColumns");
  if (list && columnNames && places) {
    let nextId = Math.max(0, ...columns.map(({ attributes: each }) => Number(each["id"]) || 0)) + 1;
    const kept = new Map([...places].map(([old, now]) => [now, columns[old]!]));
    const xml = columnNames.map((each, index) => {
      const column = kept.get(index);
      if (!column) return `<${prefix}tableColumn${columnAttributes(nextId++, each)}/>`;
      const own = text.slice(column.start, column.end);
      if (columnName(column) === each) return own;
      const tag = text.slice(column.start, column.innerStart);
      const renamed = `<${column.name}${xmlAttributes({ ...column.attributes, name: escapedName(each) })}`;
      return renamed + (column.isSelfClosing ? "/>" : ">") + own.slice(tag.length);
    });
    edits.replace(list, `<${list.name} count="${columnNames.length}">${xml.join("")}</${list.name}>`);
  }
  if (styleName !== undefined) changeStyle(root, edits, styleName);
}

/** The columns that a table has no more under these names; one that is renamed at its place stays. */
export function goneColumns(root: XmlElement, columnNames: readonly string[]): string[] {
  const names = columnsOf(root).map(columnName);
  const places = columnPlaces(names, columnNames);
  return names.filter((_, index) => !places.has(index));
}

function filterReference(root: XmlElement, { ref, hasTotalsRow }: TableChange): string | undefined {
  const totals = Number(hasTotalsRow ?? root.attributes["totalsRowCount"] ?? 0) || 0;
  return ref && rectReference({ ...ref, rows: Math.max(1, ref.rows - totals) });
}

function changeFilter(
  filter: XmlElement,
  edits: XmlEdits,
  reference: string | undefined,
  places: Map<number, number> | undefined,
): void {
  if (reference) edits.setAttributes(filter, { ref: reference });
  if (!places) return;
  for (const column of childrenOf(filter, "filterColumn")) {
    const place = places.get(Number(column.attributes["colId"]) || 0);
    if (place === undefined) edits.remove(column);
    else if (String(place) !== column.attributes["colId"]) edits.setAttributes(column, { colId: place });
  }
}

function changeStyle(root: XmlElement, edits: XmlEdits, styleName: string | null): void {
  const info = childOf(root, "tableStyleInfo");
  if (info) {
    edits.setAttributes(info, { name: styleName ?? undefined });
    return;
  }
  if (styleName === null) return;
  const attributes = xmlAttributes({
    ...{ name: styleName, showFirstColumn: 0, showLastColumn: 0, showRowStripes: 1, showColumnStripes: 0 },
  });
  const xml = `<${prefixOf(root)}tableStyleInfo${attributes}/>`;
  const list = childOf(root, "tableColumns");
  if (list) edits.insertAfter(list, xml);
}

/**
 * Where each of a table's columns stands among its new names: by its name. If the table keeps its number of columns, one whose
 * name is gone has a new name at its own place.
 */
function columnPlaces(old: string[], names: readonly string[]): Map<number, number> {
  const places = new Map<number, number>();
  const taken = new Set<number>();
  old.forEach((name, index) => {
    const place = names.findIndex((each, at) => !taken.has(at) && each.toLowerCase() === name.toLowerCase());
    if (place < 0) return;
    places.set(index, place);
    taken.add(place);
  });
  if (old.length !== names.length) return places;
  old.forEach((_, index) => {
    if (places.has(index) || taken.has(index)) return;
    places.set(index, index);
    taken.add(index);
  });
  return places;
}
