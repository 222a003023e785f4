import { partsOf } from "../../../lists";
import { SheetFailure } from "../../../sheet-failure";
import { isFormula } from "../cells/cell-content";
import { rowsRead } from "../layout/row-keys";
import { isNamedForIds } from "../layout/table-plan";
import { halvesOfRows, readGroups, rowGroups } from "../read-groups";

/** The present place of an import's table. */
export interface TablePlace {
  tableName: string;
  /** The address, with the sheet's name. */
  address: string;
}

/** A table of the workbook, of an import or of the user. */
export interface FoundTable extends TablePlace {
  tableId: string;
  headers: string[];
}

/** The columns of an import's table that are still there, by the headers that they were given. */
export interface TableColumns {
  /** The number of rows in the table's body. */
  rowCount: number;
  /** The headers of all columns of the table, including the user's own. */
  headers: string[];
  columns: Map<string, TableColumn>;
}

/** The body of a table's column, row by row. */
export interface TableColumn {
  values: unknown[];
  numberFormats: string[];
  /** The formulas that stand in it, by row. None if there are none, or if only values were read. */
  formulas?: ReadonlyMap<number, string> | undefined;
}

/**
 * The rows of a table as they were read. `ids` are the headers of the columns by which a row is found again, and `keys` has the values in
 * these columns for each row.
 */
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
  /** The number of rows, header row included. */
  rows: number;
  headers: string[];
}

/** The present place of each table; null for a table that is gone. */
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

/** All tables of the workbook that show their headers. */
export async function listTables(context: Excel.RequestContext): Promise<FoundTable[]> {
  const tables = context.workbook.tables.load("items/id,items/name,items/showHeaders");
  await context.sync();
  // Excel refuses to return the header row of a table that hides it.
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

/** A limit on the tries. Somebody may insert or delete rows and columns while a table is read, but hardly this often. */
const mostTries = 10;

/**
 * Reads the columns with these headers, in the table's own order of rows, including filtered rows; without `hasFormulas`, only values and
 * formats. Cells are read by their places, so it starts again if somebody inserts or deletes rows or columns meanwhile.
 */
export async function readTableColumns(
  context: Excel.RequestContext,
  tableId: string,
  wantedHeaders: readonly string[],
  hasFormulas = false,
): Promise<TableColumns> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const read = await readOnce(context, tableId, wantedHeaders, hasFormulas);
    if (read) return read;
  }
  const detail = "Rows or columns of the table kept moving while it was read.";
  throw new SheetFailure("sheet-refused", { detail });
}

/**
 * Reads the columns once; null if rows or columns of the table have moved between two requests. Only the ids tell that rows were sorted, so
 * they are read again at the end.
 */
async function readOnce(
  context: Excel.RequestContext,
  tableId: string,
  wantedHeaders: readonly string[],
  hasFormulas: boolean,
): Promise<TableColumns | null> {
  const table = await existingTable(context, tableId);
  const header = table.getHeaderRowRange().load("values");
  const body = table.getDataBodyRange().load("rowCount");
  await context.sync();
  const headers = (header.values[0] ?? []).map(String);
  const shape = { table, headers, rowCount: body.rowCount };
  const wanted = new Set(wantedHeaders);
  const read = await readPieces(context, shape, wanted, hasFormulas);
  if (!read) return null;
  const { columns, requests } = read;
  if (requests > 1) {
    const ids = [...columns.keys()].filter(isNamedForIds);
    const witnesses = new Set(ids.length > 0 ? ids : [...columns.keys()].slice(0, 1));
    const again = await readPieces(context, shape, witnesses, false);
    const isSame = ([name, { values }]: [string, TableColumn]) =>
      values.every((value, row) => value === columns.get(name)?.values[row]);
    if (!again || ![...again.columns].every(isSame)) return null;
  }
  return { rowCount: body.rowCount, headers, columns };
}

/**
 * Reads columns piece by piece, several in a request, in as many requests as their texts take. Null if the table has
 * other headers or another number of rows meanwhile.
 */
async function readPieces(
  context: Excel.RequestContext,
  { table, headers, rowCount }: { table: Excel.Table; headers: readonly string[]; rowCount: number },
  wanted: ReadonlySet<string>,
  hasFormulas: boolean,
): Promise<{ columns: TableColumns["columns"]; requests: number } | null> {
  const columns: TableColumns["columns"] = new Map();
  // The formula of a cell without one is its value again, so it counts like a value.
  const readCells = hasFormulas ? cellsWithFormulas : cellsAtOnce;
  const pieces = headers.flatMap((name, place) => {
    if (!wanted.has(name)) return [];
    const formulas = new Map<number, string>();
    const whole = {
      values: [] as unknown[],
      numberFormats: [] as string[],
      ...(hasFormulas && { formulas }),
    };
    columns.set(name, whole);
    return rowGroups({ start: 0, rows: rowCount }, readCells).map((group) => ({ place, group, whole }));
  });
  type Part = typeof pieces;
  const size = Math.min(rowCount, readCells);
  const parts = partsOf(pieces, Math.max(1, Math.floor(readCells / size)));
  const halvesOf = (part: Part): Part[] =>
    part.length > 1
      ? partsOf(part, Math.ceil(part.length / 2))
      : part.flatMap((piece) => halvesOfRows(piece.group).map((group) => [{ ...piece, group }]));
  let requests = 0;
  const queue = (part: Part) => {
    const body = table.getDataBodyRange();
    const ranges = part.map(({ place, group: { start, rows }, whole }) => ({
      range: body
        .getCell(start, place)
        .getAbsoluteResizedRange(rows, 1)
        .load(hasFormulas ? "values,formulas,numberFormat" : "values,numberFormat"),
      whole,
    }));
    const headerNow = table.getHeaderRowRange().load("values");
    const bodyNow = table.getDataBodyRange().load("rowCount");
    return () => {
      requests += 1;
      const isSame = bodyNow.rowCount === rowCount && sameTexts(headerNow.values[0], headers);
      if (!isSame) return false;
      for (const { range, whole } of ranges) {
        const { values, numberFormat } = range;
        const formulas = hasFormulas ? range.formulas : values;
        for (let row = 0; row < values.length; row += 1) {
          const [value, formula] = [values[row]?.[0] as unknown, formulas[row]?.[0] as unknown];
          if (isFormula({ value, formula })) whole.formulas?.set(whole.values.length, String(formula));
          whole.values.push(value);
          whole.numberFormats.push(String(numberFormat[row]?.[0]));
        }
      }
      return true;
    };
  };
  const isWhole = await readGroups(context, parts, { queue, halvesOf });
  return isWhole ? { columns, requests } : null;
}

function sameTexts(values: readonly unknown[] = [], texts: readonly string[]): boolean {
  return values.length === texts.length && texts.every((text, index) => String(values[index]) === text);
}

/** The cells that are read at once, if their texts are short: with their formats, and with their formulas as well. */
const cellsAtOnce = 50_000;
const cellsWithFormulas = 33_000;

/** The table. Fails with table-gone. */
export async function tableThatStands(context: Excel.RequestContext, tableId: string): Promise<Excel.Table> {
  const table = context.workbook.tables.getItemOrNullObject(tableId);
  table.load("showHeaders");
  await context.sync();
  if (table.isNullObject) throw new SheetFailure("table-gone");
  return table;
}

/** The table. Fails with table-gone, and with no-headers if its header row is switched off. */
export async function existingTable(context: Excel.RequestContext, tableId: string): Promise<Excel.Table> {
  const table = await tableThatStands(context, tableId);
  // Excel refuses to return the header row of a table that hides it.
  if (!table.showHeaders) throw new SheetFailure("no-headers");
  return table;
}

/** Gives the present row and column of a cell in the table's body; null if the cell is gone. */
export type Followed = (cell: TableCell) => { row: number; column: number } | null;

/** Reads the keys of a table's rows again, so that cells are found after a colleague or a sort has moved their rows or columns. */
export async function followRows(
  context: Excel.RequestContext,
  tableId: string,
  read: TableRows,
): Promise<{ find: Followed; headers: string[]; rowCount: number }> {
  const now = await readTableColumns(context, tableId, read.ids);
  const moved = movedRows(read.keys, rowsRead(now, read.ids).keys);
  const places = new Map(now.headers.map((header, place) => [header, place]));
  const find: Followed = ({ row, header }) => {
    const [rowNow, column] = [moved[row], places.get(header)];
    return rowNow === undefined || column === undefined ? null : { row: rowNow, column };
  };
  return { find, headers: now.headers, rowCount: now.rowCount };
}

/** The present row of each earlier row; undefined if it is gone. Rows with the same key keep their order. */
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

/** Describes a table. Fails with table-gone. */
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
