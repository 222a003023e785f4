import { partsOf } from "../../../lists";
import type { CellPosition } from "../workbook";
import { areaOf, type CellArea, rangeOf } from "./formula-search";

/** A table's area, header and total row included, with the names of its columns. */
export interface TableShape extends CellArea {
  columnNames: string[];
  hasHeaders: boolean;
  hasTotals: boolean;
}

/** The meaning of a name in this workbook; both are null if it has none. */
export interface NamedPlace {
  /** The formula of the defined name, such as `=Fees!$B$2:$B$9`. */
  formula: string | null;
  table: TableShape | null;
}

/** The names that one request asks for: a name's formula may have 8,192 characters. */
const namesAtOnce = 100;
/** The cells whose spill one request asks for. */
const cellsAtOnce = 200;

/** The meanings of names in formulas of these sheets. A name of the sheet hides one of the workbook. */
export async function readNames(
  context: Excel.RequestContext,
  wanted: readonly { name: string; sheetId: string }[],
): Promise<NamedPlace[]> {
  const { worksheets, names, tables } = context.workbook;
  const found: NamedPlace[] = [];
  for (const part of partsOf(wanted, namesAtOnce)) {
    const items = part.map(({ name, sheetId }) => ({
      own: worksheets.getItem(sheetId).names.getItemOrNullObject(name).load("formula"),
      shared: names.getItemOrNullObject(name).load("formula"),
      table: tables.getItemOrNullObject(name).load("showHeaders,showTotals"),
    }));
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const shapes = await readShapes(
      context,
      items.map(({ table }) => (table.isNullObject ? null : table)),
    );
    items.forEach(({ own, shared }, index) => {
      const item = [own, shared].find(({ isNullObject }) => !isNullObject);
      found.push({ formula: item ? String(item.formula) : null, table: shapes[index] ?? null });
    });
  }
  return found;
}

/** The tables of these sheets. */
export async function readTablesOf(
  context: Excel.RequestContext,
  sheetIds: readonly string[],
): Promise<TableShape[]> {
  const collections = sheetIds.map((id) =>
    context.workbook.worksheets.getItem(id).tables.load("items/showHeaders,items/showTotals"),
  );
  await context.sync();
  const shapes = await readShapes(
    context,
    collections.flatMap(({ items }) => items),
  );
  return shapes.filter((shape) => shape !== null);
}

/** The table in which a cell stands. */
export function tableAt(
  tables: readonly TableShape[],
  { sheetId, row, column }: CellPosition,
): TableShape | undefined {
  return tables.find(
    (table) =>
      table.sheetId === sheetId &&
      row >= table.row &&
      row < table.row + table.rows &&
      column >= table.column &&
      column < table.column + table.columns,
  );
}

/** The areas into which the results of cells spill; the cell alone if its result does not. Excel needs ExcelApi 1.12. */
export async function readSpillAreas(
  context: Excel.RequestContext,
  cells: readonly CellPosition[],
): Promise<CellArea[]> {
  const areas: CellArea[] = [];
  for (const part of partsOf(cells, cellsAtOnce)) {
    const own = part.map((cell): CellArea => ({ ...cell, rows: 1, columns: 1 }));
    const ranges = own.map((area) =>
      rangeOf(context, area)
        .getSpillingToRangeOrNullObject()
        .load("rowIndex,columnIndex,rowCount,columnCount"),
    );
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    ranges.forEach((range, index) => {
      const area = own[index] as CellArea;
      areas.push(range.isNullObject ? area : areaOf(area.sheetId, range));
    });
  }
  return areas;
}

/** The shapes of tables, in one request for all. */
async function readShapes(
  context: Excel.RequestContext,
  tables: readonly (Excel.Table | null)[],
): Promise<(TableShape | null)[]> {
  const loaded = tables.map((table) => {
    if (!table) return null;
    const range = table.getRange().load("rowIndex,columnIndex,rowCount,columnCount");
    const columns = table.columns.load("items/name");
    return { table, range, columns, sheet: range.worksheet.load("id") };
  });
  if (loaded.some((each) => each !== null)) await context.sync();
  return loaded.map((each) => {
    if (!each) return null;
    const { table, range, columns, sheet } = each;
    return {
      ...areaOf(sheet.id, range),
      columnNames: columns.items.map(({ name }) => name),
      hasHeaders: table.showHeaders,
      hasTotals: table.showTotals,
    };
  });
}
