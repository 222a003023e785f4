import { SheetFailure } from "../../../sheet-failure";
import { selectedAreas } from "../cells/selected-area";
import { type HasExcelApi, spills } from "../excel-api";
import type { Area } from "../layout/area";
import type { TableSize } from "../layout/table-plan";
import type { Scalar } from "../values/cell-value";
import { isError, shownValue } from "../values/shown-value";

/** A column of cells that lists jurisdictions, as it was when it was read. */
export interface ListColumn {
  sheetId: string;
  /** The address of the cells that were read, with their sheet's name. */
  address: string;
  /** The row of the first of these cells; rows and columns of the sheet count from zero. */
  row: number;
  column: number;
  values: unknown[];
  /** The value of the cell above; undefined at the top of the sheet or in a table. */
  above: unknown;
  /**
   * The Excel table that the column lies in: its id, the row of its header, its first column, its headers, and the number of rows below the
   * header. Null if it lies in none.
   */
  table: { id: string; row: number; column: number; headers: string[]; rows: number } | null;
}

/**
 * The place of a list's header: in its table's header row, in the first cell of the list, in the cell above, or in a cell that gets the
 * header, blank ("new") or inserted.
 */
export interface ListHeader {
  from: "table" | "list" | "above" | "new" | "inserted";
  text: string;
}

/** A list beside which columns go. */
export interface BesideList {
  list: ListColumn;
  header: ListHeader;
}

/** The number of table rows between a table's header and the list, which may begin further down. */
export function rowsAbove({ list, header }: BesideList): number {
  return header.from === "table" && list.table ? list.row - list.table.row - 1 : 0;
}

/** The area of the new columns, header row included, after the cells for an inserted header are there. */
export function besideArea({ list, header }: BesideList, columns: number): Area {
  const { row, column, values, table } = list;
  if (table) {
    return { row: table.row, column: table.column + table.headers.length, rows: table.rows + 1, columns };
  }
  const top = header.from === "list" || header.from === "inserted" ? row : row - 1;
  const rows = values.length + (header.from === "list" ? 0 : 1);
  return { row: top, column: column + 1, rows, columns };
}

/**
 * Reads the selected column, as far as it is used. Fails with no-list if the selection is not a single column or is blank, and with
 * no-cells-selected if several areas are selected.
 */
export async function readListColumn(
  context: Excel.RequestContext,
  hasExcelApi: HasExcelApi,
): Promise<ListColumn> {
  const selected = context.workbook.getSelectedRange().load("columnCount");
  const used = selected.getUsedRangeOrNullObject(true);
  used.load("rowIndex,columnIndex,rowCount");
  const sheet = context.workbook.worksheets.getActiveWorksheet().load("id");
  await context.sync();
  if (used.isNullObject || selected.columnCount !== 1) throw new SheetFailure("no-list");
  const tables = used.getTables(false).load("items/id,items/showHeaders");
  await context.sync();
  const [table, other] = tables.items;
  if (other) throw new SheetFailure("no-list", { detail: "The selected cells lie in more than one table." });
  if (table && !table.showHeaders) throw new SheetFailure("no-headers");
  const header = table?.getHeaderRowRange().load("rowIndex,columnIndex,values");
  const body = table?.getDataBodyRange().load("rowIndex,rowCount");
  await context.sync();
  const column = used.columnIndex;
  const first = Math.max(used.rowIndex, body?.rowIndex ?? 0);
  const last = Math.min(used.rowIndex + used.rowCount, body ? body.rowIndex + body.rowCount : Infinity) - 1;
  if (last < first) throw new SheetFailure("no-list");
  const list = sheet.getRangeByIndexes(first, column, last - first + 1, 1).load("address");
  const above = first > 0 && !table ? sheet.getRangeByIndexes(first - 1, column, 1, 1).load("values") : null;
  if (hasExcelApi(spills)) list.load("hasSpill");
  const values = await readValues(context, list, { rows: last - first + 1, columns: 1 });
  // Excel allows no spilled result inside a table: the list would turn into #SPILL!.
  if (hasExcelApi(spills) && list.hasSpill !== false) {
    const detail = "The list is the result of a formula, which can't stand in a table.";
    const nextStep = "Copy it, paste its values beside it, and select those.";
    throw new SheetFailure("no-list", { detail, nextStep });
  }
  return {
    sheetId: sheet.id,
    address: list.address,
    row: first,
    column,
    values,
    above: above ? (above.values[0]?.[0] as unknown) : undefined,
    table:
      table && header && body
        ? {
            id: table.id,
            row: header.rowIndex,
            column: header.columnIndex,
            headers: (header.values[0] ?? []).map(String),
            rows: body.rowCount,
          }
        : null,
  };
}

/** The cells that are read at once, because a response of Excel on the web holds at most 5 MB. */
const readCells = 50_000;

/** The values of cells, row by row; for a linked data type, such as Geography, its text. */
export async function readValues(
  context: Excel.RequestContext,
  cells: Excel.Range,
  size: TableSize,
): Promise<unknown[]> {
  return (await readRows(context, cells, size)).flat();
}

async function readRows(
  context: Excel.RequestContext,
  cells: Excel.Range,
  { rows, columns }: TableSize,
): Promise<unknown[][]> {
  const read: unknown[][] = [];
  const size = Math.max(1, Math.floor(readCells / columns));
  for (let start = 0; start < rows; start += size) {
    const part = cells.getCell(start, 0).getAbsoluteResizedRange(Math.min(size, rows - start), columns);
    part.load("values");
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const values = part.values as Scalar[][];
    const texts = values.some((row) => row.some(isError)) ? await textsOf(context, part) : null;
    for (const [at, row] of values.entries())
      read.push(
        texts ? row.map((value, across) => shownValue({ value, text: texts[at]?.[across] ?? "" })) : row,
      );
  }
  return read;
}

async function textsOf(context: Excel.RequestContext, cells: Excel.Range): Promise<string[][]> {
  cells.load("text");
  await context.sync();
  return cells.text;
}

/**
 * The selected cells (rows x columns), as far as they are used. Areas with the same rows stand side by side; other areas follow each other.
 */
export async function readSelectedCells(context: Excel.RequestContext): Promise<unknown[][]> {
  const areas = await selectedAreas(context);
  const used = areas.map((area) =>
    area.getUsedRangeOrNullObject(true).load("rowIndex,columnIndex,rowCount,columnCount"),
  );
  await context.sync();
  const [first, ...others] = areas;
  const haveSameRows =
    first !== undefined &&
    others.length > 0 &&
    others.every(({ rowIndex, rowCount }) => rowIndex === first.rowIndex && rowCount === first.rowCount);
  if (!haveSameRows) {
    const rows: unknown[][] = [];
    for (const part of used) {
      if (part.isNullObject) continue;
      const size = { rows: part.rowCount, columns: part.columnCount };
      for (const row of await readRows(context, part, size)) rows.push(row);
    }
    return rows;
  }
  const filled = used.filter((part) => !part.isNullObject);
  if (filled.length === 0) return [];
  const top = Math.min(...filled.map(({ rowIndex }) => rowIndex));
  const rows = Math.max(...filled.map(({ rowIndex, rowCount }) => rowIndex + rowCount)) - top;
  const blocks: unknown[][][] = [];
  const inOrder = filled.sort((one, other) => one.columnIndex - other.columnIndex);
  for (const { columnIndex, columnCount } of inOrder) {
    const cells = first.worksheet.getRangeByIndexes(top, columnIndex, rows, columnCount);
    // Reads the areas one by one, because a response of Excel on the web holds at most 5 MB.
    blocks.push(await readRows(context, cells, { rows, columns: columnCount }));
  }
  return Array.from({ length: rows }, (_, at) => blocks.flatMap((block) => block[at] ?? []));
}
