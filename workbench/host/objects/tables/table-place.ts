import { intersect } from "../../../address";
import type { Rect, TableInfo } from "../../../spreadsheet";
import { HostError, known } from "../../host-error";
import { found } from "../object-model";
import type { Model, Property, Ref } from "../object-model";
import { move, rangeClasses } from "../range-object";

export function tableOf(tableId: string, { spreadsheet }: Model): TableInfo {
  return found(spreadsheet.tables().find(({ id }) => id === tableId));
}

/**
 * Throws a HostError if a table on these cells would overlap another table, or (the strict assumption) merged cells. `tableId` is the table
 * itself.
 */
export function mustNotOverlap(sheetId: string, rect: Rect, { spreadsheet }: Model, tableId?: string): void {
  const others = spreadsheet.tables().filter((table) => table.id !== tableId && table.sheetId === sheetId);
  if (others.some((other) => intersect(other.rect, rect)))
    throw new HostError("InvalidArgument", "a table cannot overlap another table");
  if (spreadsheet.merged(sheetId).some((area) => intersect(area, rect)))
    throw new HostError("InvalidOperation", "a table cannot hold merged cells");
  // FilteredRangeConflict in application-specific-api-error-handling.md, which does not say when: the strict assumption.
  const filtered = spreadsheet.sheetFilters.of(sheetId)?.rect;
  if (filtered && intersect(filtered, rect))
    throw new HostError("FilteredRangeConflict", "the sheet has filter buttons there");
}

/**
 * Inserts a column at an index of a table, or deletes the one there. The columns after it, with their filters, and what stands beside the
 * table's rows move along.
 */
export function moveColumns(tableId: string, index: number, by: 1 | -1, model: Model): void {
  const { spreadsheet } = model;
  const { sheetId, rect } = tableOf(tableId, model);
  const filters = Array.from({ length: rect.columns }, (_, column) =>
    spreadsheet.tableFilter(tableId, column),
  );
  const filter = (texts: readonly string[] | null, column: number) =>
    spreadsheet.filterTable(tableId, column, texts);
  const strip = { from: rect.row, size: rect.rows };
  move(sheetId, { axis: "column", at: rect.column + index, by, strip }, model);
  if (filters.some((texts) => texts !== null)) filters.forEach((_, column) => filter(null, column));
  spreadsheet.updateTable(tableId, { rect: { ...rect, columns: rect.columns + by } });
  if (by > 0) filters.splice(index, 0, null);
  else filters.splice(index, 1);
  filters.forEach((texts, column) => texts && filter(texts, column));
}

/** The range of a part of a table, at the table's current place. `cut` gives the part's rectangle. */
export function partOf(tableId: string, cut: (table: TableInfo) => Rect, model: Model): Ref<"Range"> {
  const table = tableOf(tableId, model);
  return { type: "Range", sheetId: table.sheetId, rect: cut(table) };
}

/** The property `name` of a part of a table: reading and setting it reads and sets the property of the part's cells. */
export function propertyOfCells(range: () => Ref<"Range">, name: string, model: Model): Property {
  const property = () => known(rangeClasses.Range(range(), model).properties?.[name], `Range.${name}`);
  return { get: () => property().get?.(), set: (value) => property().set?.(value) };
}
