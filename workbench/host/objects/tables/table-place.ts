import { intersect, MAX_COLUMNS } from "../../../address";
import type { Rect, TableInfo } from "../../../spreadsheet";
import { HostError, known, notModelled } from "../../host-error";
import { found } from "../object-model";
import type { Model, Property, Ref } from "../object-model";
import { rangeClasses } from "../range-object";

export function tableOf(tableId: string, { spreadsheet }: Model): TableInfo {
  return found(spreadsheet.tables().find(({ id }) => id === tableId));
}

/** Throws a HostError if a table on these cells would overlap another table, or merged cells. `tableId` is the table itself. */
export function mustNotOverlap(sheetId: string, rect: Rect, { spreadsheet }: Model, tableId?: string): void {
  const others = spreadsheet.tables().filter((table) => table.id !== tableId && table.sheetId === sheetId);
  if (others.some((other) => intersect(other.rect, rect)))
    throw new HostError("InvalidArgument", "a table cannot overlap another table");
  if (spreadsheet.merged(sheetId).some((area) => intersect(area, rect)))
    throw notModelled("a table over merged cells");
}

/** Throws InsertDeleteConflict if the cells that new columns push to the right would cut another table. */
export function mustNotCutRight(tableId: string, added: Rect, model: Model): void {
  const { sheetId } = tableOf(tableId, model);
  const strip = { ...added, columns: MAX_COLUMNS - added.column };
  mustNotCut(
    tableId,
    sheetId,
    strip,
    model,
    (one) => one.row >= strip.row && one.row + one.rows <= strip.row + strip.rows,
  );
}

function mustNotCut(
  tableId: string,
  sheetId: string,
  strip: Rect,
  { spreadsheet }: Model,
  movesWhole: (rect: Rect) => boolean,
): void {
  const others = spreadsheet.tables().filter((one) => one.id !== tableId && one.sheetId === sheetId);
  if (others.some(({ rect }) => intersect(rect, strip) && !movesWhole(rect)))
    throw new HostError("InsertDeleteConflict", "it would move a part of another table");
}

/** Moves a table's columns, from the index `from` on, by `by` columns. Columns that would leave the table are not copied. */
export function moveColumns(tableId: string, from: number, by: number, model: Model): void {
  const { sheetId, rect } = tableOf(tableId, model);
  const columns = rect.columns - from - Math.max(by, 0);
  if (columns <= 0) return;
  const moved = { ...rect, column: rect.column + from, columns };
  model.spreadsheet.copy({ sheetId, rect: moved }, { sheetId, row: rect.row, column: moved.column + by });
}

/** Moves the filters of a table's columns after its columns from the index `from` on have moved by `by`. */
export function moveFilters(tableId: string, from: number, by: 1 | -1, model: Model): void {
  const { spreadsheet } = model;
  const { columns } = tableOf(tableId, model).rect;
  const before = Array.from({ length: columns }, (_, column) => spreadsheet.tableFilter(tableId, column));
  if (before.every((texts) => texts === null)) return;
  const after =
    by > 0
      ? [...before.slice(0, from), null, ...before.slice(from, -1)]
      : [...before.slice(0, from - 1), ...before.slice(from), null];
  after.forEach((texts, column) => spreadsheet.filterTable(tableId, column, texts));
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
