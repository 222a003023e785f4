import { groupBy } from "../../../lists";
import { config } from "../../../config";
import { Failure } from "../../../errors";
import type { Cell, Scalar } from "../values/cell-value";
import { writeNotes } from "./notes";
import { existingTable, followRows, type TableCell, type TableRows } from "./bound-table";

/** A cell of an import's table, and what it is to hold. */
export interface CellUpdate extends TableCell {
  cell: Cell;
  /** What the note on the cell is to say from now on; null for none, undefined where it stays as it is. */
  note?: string | null | undefined;
}

/** What becomes of an import's table. All that is not named, the user's own above all, stays as it is. */
export interface TableEdit {
  /** The rows when they were read; the new ones count on from there. */
  read: TableRows;
  newRows: number;
  /** The headers of new columns, which stand to the right of the last of `columns`. */
  newColumns: readonly string[];
  columns: readonly string[];
  goneColumns: readonly string[];
  updates: readonly CellUpdate[];
}

export interface EditOptions {
  signal?: AbortSignal | undefined;
  onWritten?: ((cells: number) => void) | undefined;
  /** Told how many notes could not be written, because this Excel gives no way to. */
  onNotesLeft?: ((notes: number) => void) | undefined;
}

/** How to take back what has been done so far, the last step first. */
export type Undo = (() => void | Promise<void>)[];

/**
 * Edits a table; cells whose row or column is gone meanwhile are passed over. `undo` is told, step by step, how to give
 * the table its rows and columns back; deleted columns come back blank, so they are deleted last.
 */
export async function editTable(
  context: Excel.RequestContext,
  tableId: string,
  { read, newRows, newColumns, columns, goneColumns, updates }: TableEdit,
  undo: Undo,
  { signal, onWritten, onNotesLeft, hasNotes }: EditOptions & { hasNotes: boolean },
): Promise<void> {
  const table = await existingTable(context, tableId);
  const { find, headers, rowCount } = await followRows(context, tableId, read);
  const width = headers.length;
  if (newRows > 0) {
    const own = new Set(columns);
    await addRows(context, table, {
      count: newRows,
      // Null: a calculated column fills itself.
      blank: headers.map((header) => (own.has(header) ? "" : null)),
      onAdded(first, rows) {
        undo.push(() => {
          const body = table.getDataBodyRange();
          body
            .getCell(rowCount + first, 0)
            .getAbsoluteResizedRange(rows, width)
            .delete("Up");
        });
      },
    });
  }
  if (newColumns.length > 0) {
    const first = 1 + Math.max(-1, ...columns.map((header) => headers.indexOf(header)));
    undo.push(() => deleteColumns(context, table, newColumns));
    newColumns.forEach((header, index) => table.columns.add(first + index, undefined, header));
    await context.sync();
    headers.splice(first, 0, ...newColumns);
  }
  const placeOf = new Map(headers.map((header, place) => [header, place]));
  const cells = updates.flatMap(({ row, header, cell, note }) => {
    const isNew = row >= read.keys.length;
    // Any header that is there tells where the row is: the new ones were not there when it was followed.
    const rowNow = isNew ? rowCount + row - read.keys.length : find({ row, header: read.ids[0] ?? "" })?.row;
    const column = placeOf.get(header);
    return rowNow === undefined || column === undefined ? [] : [{ row: rowNow, column, cell, note }];
  });
  if (cells.length > 0) await writeCells(context, table.getDataBodyRange(), cells, { signal, onWritten });
  const notes = cells.flatMap(({ row, column, note }) =>
    note === undefined ? [] : [{ row, column, text: note }],
  );
  if (notes.length > 0 && hasNotes) await writeNotes(context, table.getDataBodyRange(), notes, { signal });
  else if (notes.length > 0) onNotesLeft?.(notes.length);
  for (const header of goneColumns) {
    const place = headers.indexOf(header);
    if (place < 0) continue;
    table.columns.getItem(header).delete();
    // One by one: what is pasted back must be as wide as it was.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    headers.splice(place, 1);
    undo.push(() => void table.columns.add(place, undefined, header));
  }
}

/** Deletes those of the columns that are there. */
async function deleteColumns(
  context: Excel.RequestContext,
  table: Excel.Table,
  headers: readonly string[],
): Promise<void> {
  const columns = headers.map((header) => table.columns.getItemOrNullObject(header));
  for (const column of columns) column.load("name");
  await context.sync();
  for (const column of columns) if (!column.isNullObject) column.delete();
}

/** Adds blank rows at the end; what stands below the table moves down. */
async function addRows(
  context: Excel.RequestContext,
  table: Excel.Table,
  {
    count,
    blank,
    onAdded,
  }: { count: number; blank: readonly (string | null)[]; onAdded: (first: number, rows: number) => void },
): Promise<void> {
  const most = Math.max(1, Math.floor(config.writeBytes / (blank.length * 5)));
  for (let added = 0; added < count; added += most) {
    const rows = Math.min(most, count - added);
    // Its type lacks the null that it takes, as every write of values does.
    const values = Array.from({ length: rows }, () => [...blank]) as string[][];
    table.rows.add(undefined, values);
    // One request a piece: Excel on the web takes 5 MB at most.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    onAdded(added, rows);
  }
}

interface PlacedCell {
  row: number;
  column: number;
  cell: Cell;
}

async function writeCells(
  context: Excel.RequestContext,
  body: Excel.Range,
  cells: readonly PlacedCell[],
  { signal, onWritten }: EditOptions,
): Promise<void> {
  const columns = cells.map(({ column }) => column);
  const left = columns.reduce((a, b) => Math.min(a, b));
  const width = columns.reduce((a, b) => Math.max(a, b)) - left + 1;
  const byRow = groupBy(cells, ({ row }) => row);
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

/** How many rows without a change a piece of a write may span. */
const mostGap = 20;

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
