import { partsOf } from "../../../lists";
import { Failure } from "../../../errors";
import { rowsRead } from "../layout/row-keys";

/** Where an import's table stands now. */
export interface TablePlace {
  tableName: string;
  /** With its sheet's name. */
  address: string;
}

/** A table of the workbook, whoever made it. */
export interface FoundTable extends TablePlace {
  tableId: string;
  headers: string[];
}

/** The columns of an import's table that are still there, by the headers they were given. */
export interface TableColumns {
  /** Body rows. */
  rowCount: number;
  /** Of all its columns, the user's own too. */
  headers: string[];
  columns: Map<string, { values: unknown[]; numberFormats: string[] }>;
}

/** The rows of a table as they were read: by what stands in these columns each is found again. */
export interface TableRows {
  ids: string[];
  keys: string[];
}

/** A cell of a table's body: its row as it was read, and its column's header. */
export interface TableCell {
  row: number;
  header: string;
}

/** A table that may be replaced. */
export interface TableHere {
  address: string;
  /** With the header row. */
  rows: number;
  headers: string[];
}

/** Where each of the tables stands; null where it is gone. */
export async function findTables(
  context: Excel.RequestContext,
  tableIds: readonly string[],
): Promise<(TablePlace | null)[]> {
  const tables = tableIds.map((id) => context.workbook.tables.getItemOrNullObject(id));
  for (const table of tables) table.load("name");
  await context.sync();
  const ranges = tables.map((table) => (table.isNullObject ? null : table.getRange().load("address")));
  await context.sync();
  return tables.map((table, index) => {
    const range = ranges[index];
    return range ? { tableName: table.name, address: range.address } : null;
  });
}

/** Every table of the workbook that shows its headers. */
export async function listTables(context: Excel.RequestContext): Promise<FoundTable[]> {
  const tables = context.workbook.tables.load("items/id,items/name,items/showHeaders");
  await context.sync();
  // Excel refuses the header row of a table that shows none.
  const withHeaders = tables.items.filter((table) => table.showHeaders);
  const ranges = withHeaders.map((table) => ({
    table,
    whole: table.getRange().load("address"),
    header: table.getHeaderRowRange().load("values"),
  }));
  await context.sync();
  return ranges.map(({ table, whole, header }) => ({
    tableId: table.id,
    tableName: table.name,
    address: whole.address,
    headers: (header.values[0] ?? []).map(String),
  }));
}

/** People may insert and delete rows and columns while a table is read; after so many tries, something else is wrong. */
const mostTries = 10;

/**
 * Reads the columns with these headers, in the table's own order of rows, filtered ones too. Begins again where somebody
 * inserts or deletes rows or columns meanwhile: cells are read by their places.
 */
export async function readColumns(
  context: Excel.RequestContext,
  tableId: string,
  wantedHeaders: readonly string[],
): Promise<TableColumns> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const read = await readOnce(context, tableId, wantedHeaders);
    if (read) return read;
  }
  const detail = "Rows or columns of the table kept moving while it was read.";
  throw new Failure("sheet-refused", { detail });
}

/** Null where the table has got other rows or columns between two requests. */
async function readOnce(
  context: Excel.RequestContext,
  tableId: string,
  wantedHeaders: readonly string[],
): Promise<TableColumns | null> {
  const table = await existingTable(context, tableId);
  const header = table.getHeaderRowRange().load("values");
  const body = table.getDataBodyRange().load("rowCount");
  await context.sync();
  const headers = (header.values[0] ?? []).map(String);
  const wanted = new Set(wantedHeaders);
  const columns: TableColumns["columns"] = new Map();
  const pieces = headers.flatMap((name, place) => {
    if (!wanted.has(name)) return [];
    const whole = { values: [] as unknown[], numberFormats: [] as string[] };
    columns.set(name, whole);
    return piecesOf(body.rowCount, readCells).map(({ start, rows }) => ({ place, start, rows, whole }));
  });
  const size = Math.min(body.rowCount, readCells);
  for (const part of partsOf(pieces, Math.max(1, Math.floor(readCells / size)))) {
    const ranges = part.map(({ place, start, rows, whole }) => ({
      range: body.getCell(start, place).getAbsoluteResizedRange(rows, 1).load("values,numberFormat"),
      whole,
    }));
    const headerNow = table.getHeaderRowRange().load("values");
    const bodyNow = table.getDataBodyRange().load("rowCount");
    // One request for several columns: an answer has 5 MB at most on the web.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const isSame = bodyNow.rowCount === body.rowCount && sameTexts(headerNow.values[0], headers);
    if (!isSame) return null;
    for (const { range, whole } of ranges) {
      for (const [value] of range.values) whole.values.push(value as unknown);
      for (const [format] of range.numberFormat) whole.numberFormats.push(String(format));
    }
  }
  return { rowCount: body.rowCount, headers, columns };
}

function sameTexts(values: readonly unknown[] = [], texts: readonly string[]): boolean {
  return values.length === texts.length && texts.every((text, index) => String(values[index]) === text);
}

/** Cells read at once. */
const readCells = 50_000;

function piecesOf(rowCount: number, most: number): { start: number; rows: number }[] {
  const pieces = [];
  for (let start = 0; start < rowCount; start += most) {
    pieces.push({ start, rows: Math.min(most, rowCount - start) });
  }
  return pieces;
}

/** Fails with table-gone. */
export async function tableThatStands(context: Excel.RequestContext, tableId: string): Promise<Excel.Table> {
  const table = context.workbook.tables.getItemOrNullObject(tableId);
  table.load("showHeaders");
  await context.sync();
  if (table.isNullObject) throw new Failure("table-gone");
  return table;
}

/** Fails with table-gone, and with no-headers where its header row is switched off. */
export async function existingTable(context: Excel.RequestContext, tableId: string): Promise<Excel.Table> {
  const table = await tableThatStands(context, tableId);
  // Excel refuses the header row of a table that shows none.
  if (!table.showHeaders) throw new Failure("no-headers");
  return table;
}

/** Where a cell that was read stands now, by row and place of its column in the body; null where it is gone. */
export type Followed = (cell: TableCell) => { row: number; column: number } | null;

/**
 * Reads anew by what rows are told apart, so that rows and columns that were moved meanwhile, by a colleague or by
 * sorting, are found where they are.
 */
export async function followRows(
  context: Excel.RequestContext,
  tableId: string,
  read: TableRows,
): Promise<{ find: Followed; headers: string[]; rowCount: number }> {
  const now = await readColumns(context, tableId, read.ids);
  const moved = movedRows(read.keys, rowsRead(now, read.ids).keys);
  const places = new Map(now.headers.map((header, place) => [header, place]));
  const find: Followed = ({ row, header }) => {
    const [rowNow, column] = [moved[row], places.get(header)];
    return rowNow === undefined || column === undefined ? null : { row: rowNow, column };
  };
  return { find, headers: now.headers, rowCount: now.rowCount };
}

/** For each row as it was, where it is: of rows that are alike, the first stays the first. */
export function movedRows(before: readonly string[], now: readonly string[]): (number | undefined)[] {
  const places = new Map<string, { rows: number[]; next: number }>();
  now.forEach((key, row) => {
    const known = places.get(key);
    if (known) known.rows.push(row);
    else places.set(key, { rows: [row], next: 0 });
  });
  return before.map((key) => {
    const known = places.get(key);
    return known?.rows[known.next++];
  });
}

/** Fails with table-gone. */
export async function describeTable(context: Excel.RequestContext, tableId: string): Promise<TableHere> {
  const { range, area, headers } = await readTable(context, tableId);
  range.load("address");
  await context.sync();
  return { address: range.address, rows: area.rows, headers };
}

/** The table with its headers and its place. Fails with table-gone. */
export async function readTable(context: Excel.RequestContext, tableId: string) {
  const table = await existingTable(context, tableId);
  const range = table.getRange().load("rowIndex,columnIndex,rowCount,columnCount");
  const body = table.getDataBodyRange().load("rowCount");
  const header = table.getHeaderRowRange().load("values");
  const sheet = range.worksheet.load("id");
  await context.sync();
  const { rowIndex: row, columnIndex: column, rowCount: rows, columnCount: columns } = range;
  const area = { row, column, rows, columns };
  const headers = (header.values[0] ?? []).map(String);
  return { table, range, sheetId: sheet.id, area, headers, bodyRows: body.rowCount };
}
