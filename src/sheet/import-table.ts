import { config } from "../config";
import { Failure } from "../errors";
import type { Cell, Scalar } from "./cell-value";

/** Where an import's table stands now. */
export interface TablePlace {
  tableName: string;
  /** With its sheet's name. */
  address: string;
}

/** The columns of an import's table that are still there, by the headers they were given. */
export interface TableColumns {
  /** Body rows. */
  rowCount: number;
  columns: Map<string, { place: number; values: unknown[]; numberFormats: string[] }>;
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

/** Reads the columns with these headers, in the table's own order of rows, filtered ones too. */
export async function readColumns(
  context: Excel.RequestContext,
  tableId: string,
  headers: readonly string[],
): Promise<TableColumns> {
  const table = existingTable(await loaded(context, tableId));
  const header = table.getHeaderRowRange().load("values");
  const body = table.getDataBodyRange().load("rowCount");
  await context.sync();
  const places = (header.values[0] ?? []).map(String);
  const wanted = new Set(headers);
  const ranges = places.flatMap((name, place) =>
    wanted.has(name) ? [{ name, place, range: body.getColumn(place) }] : [],
  );
  const columns: TableColumns["columns"] = new Map();
  for (const part of partsOf(ranges, Math.max(1, Math.floor(readCells / body.rowCount)))) {
    for (const { range } of part) range.load("values,numberFormat");
    // One request for several columns: an answer has 5 MB at most on the web.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    for (const { name, place, range } of part) {
      columns.set(name, {
        place,
        values: range.values.map(([value]) => value as unknown),
        numberFormats: range.numberFormat.map(([format]) => String(format)),
      });
    }
  }
  return { rowCount: body.rowCount, columns };
}

/** A cell of the table's body, by its row and the place of its column. */
export interface CellUpdate {
  row: number;
  column: number;
  cell: Cell;
  /** What the note on the cell is to say from now on; null for none, undefined where it stays as it is. */
  note?: string | null | undefined;
}

export interface UpdateOptions {
  signal?: AbortSignal | undefined;
  onWritten?: ((cells: number) => void) | undefined;
  /** Told how many notes could not be written, because this Excel gives no way to. */
  onNotesLeft?: ((notes: number) => void) | undefined;
}

/** Writes single cells of a table's body; all others, the user's own among them, stay as they are. */
export async function updateCells(
  context: Excel.RequestContext,
  tableId: string,
  updates: readonly CellUpdate[],
  { signal, onWritten }: UpdateOptions,
): Promise<void> {
  const body = existingTable(await loaded(context, tableId)).getDataBodyRange();
  const columns = updates.map(({ column }) => column);
  const left = columns.reduce((a, b) => Math.min(a, b));
  const width = columns.reduce((a, b) => Math.max(a, b)) - left + 1;
  const byRow = new Map<number, CellUpdate[]>();
  for (const update of updates) {
    const others = byRow.get(update.row);
    if (others) others.push(update);
    else byRow.set(update.row, [update]);
  }
  const bytesOf = (row: number) =>
    (byRow.get(row) ?? []).reduce((sum, { cell }) => sum + String(cell.value).length * 3 + 30, width * 10);
  let written = 0;
  for (const rows of piecesOf(
    [...byRow.keys()].sort((a, b) => a - b),
    bytesOf,
  )) {
    if (signal?.aborted) throw new Failure("cancelled");
    const [first = 0] = rows;
    const height = (rows.at(-1) ?? first) - first + 1;
    // Null leaves a cell as it is.
    const values = Array.from({ length: height }, () => Array<Scalar | null>(width).fill(null));
    const formats = Array.from({ length: height }, () => Array<string | null>(width).fill(null));
    for (const row of rows) {
      for (const { column, cell } of byRow.get(row) ?? []) {
        const [valueRow = [], formatRow = []] = [values[row - first], formats[row - first]];
        valueRow[column - left] = cell.value;
        formatRow[column - left] = cell.numberFormat;
        written += 1;
      }
    }
    const piece = body.getCell(first, left).getAbsoluteResizedRange(height, width);
    // The format first: Excel would make numbers and dates of texts that look like them.
    piece.numberFormat = formats;
    piece.values = values;
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    onWritten?.(written);
  }
}

/** Cells read at once. */
const readCells = 50_000;
/** How many rows without a change a piece of a write may span. */
const mostGap = 20;

function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}

/** Rows that are written together: near each other, and small enough to be sent at once. */
function piecesOf(rows: readonly number[], bytesOf: (row: number) => number): number[][] {
  const pieces: number[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const piece = pieces.at(-1);
    bytes += bytesOf(row);
    if (piece && row - (piece.at(-1) ?? row) <= mostGap && bytes <= config.writeBytes) {
      piece.push(row);
    } else {
      pieces.push([row]);
      bytes = bytesOf(row);
    }
  }
  return pieces;
}

async function loaded(context: Excel.RequestContext, tableId: string): Promise<Excel.Table> {
  const table = context.workbook.tables.getItemOrNullObject(tableId);
  table.load("name");
  await context.sync();
  return table;
}

function existingTable(table: Excel.Table): Excel.Table {
  if (table.isNullObject) throw new Failure("table-gone");
  return table;
}
