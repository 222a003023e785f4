import { groupBy } from "../../../lists";
import { isBlankKey, rowKey, rowsRead } from "../layout/row-keys";
import type { Channel, Found, Place } from "../swap/swap";
import { existingTable, readTableColumns } from "./bound-table";

/** A table whose rows are recognized by the values in the columns `ids`. */
export interface KeyedTable {
  context: Excel.RequestContext;
  tableId: string;
  ids: readonly string[];
}

/** A row of a table: its key, see `rowKey`, and its index among the rows with that key. */
export interface KeyedRow {
  key: string;
  nth: number;
}

/** A cell of a table's body that is found again though its row and column have moved. */
export interface KeyedCell extends KeyedRow {
  header: string;
}

/** A cell's row and column in the body of a table, from 0, with the key and the header that must be there. */
export interface KeyedPlace extends Place {
  key: string;
  header: string;
}

/** The rows with these keys, in this order. */
export function keyedRows(keys: readonly string[]): KeyedRow[] {
  const counts = new Map<string, number>();
  return keys.map((key) => {
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    return { key, nth };
  });
}

/** The present keys of a table's rows, and its headers. */
export async function readKeys({
  context,
  tableId,
  ids,
}: KeyedTable): Promise<{ keys: string[]; headers: string[] }> {
  const columns = await readTableColumns(context, tableId, ids);
  return { keys: rowsRead(columns, ids).keys, headers: columns.headers };
}

/** The present places of rows; undefined for a row that is gone. */
export async function findRows(
  keyed: KeyedTable,
  rows: readonly KeyedRow[],
): Promise<(number | undefined)[]> {
  return rowsAmong((await readKeys(keyed)).keys, rows);
}

/** The present places of cells; undefined for a cell whose row or column is gone. */
export async function findCells(
  keyed: KeyedTable,
  cells: readonly KeyedCell[],
): Promise<(KeyedPlace | undefined)[]> {
  const { keys, headers } = await readKeys(keyed);
  const rows = rowsAmong(keys, cells);
  const columns = new Map(headers.map((header, column) => [header, column]));
  return cells.map(({ key, header }, index) => {
    const [row, column] = [rows[index], columns.get(header)];
    return row === undefined || column === undefined ? undefined : { row, column, key, header };
  });
}

function rowsAmong(keys: readonly string[], rows: readonly KeyedRow[]): (number | undefined)[] {
  const places = groupBy(keys.entries(), ([, key]) => key);
  return rows.map(({ key, nth }) => places.get(key)?.[nth]?.[0]);
}

/**
 * Finds cells of a table's body by their keys and headers, wherever their rows and columns are by then. `channelOf` gives the channel for
 * the places of the table's body. If it finds columns by their headers itself, `areColumnsFound` is true.
 */
export function inTable<Cell extends KeyedCell, State, OneChannel extends Channel<State, KeyedPlace>>(
  keyed: KeyedTable,
  channelOf: (table: Excel.Table, placed: readonly (KeyedPlace & { cell: Cell })[]) => Promise<OneChannel>,
  { areColumnsFound = false }: { areColumnsFound?: boolean } = {},
): (cells: readonly Cell[]) => Promise<Found<Cell, State, KeyedPlace> & { channel: OneChannel }> {
  return async (cells) => {
    const places = await findCells(keyed, cells);
    const table = await existingTable(keyed.context, keyed.tableId);
    const placed = cells.flatMap((cell, index) => {
      const place = places[index];
      return place ? [{ ...place, cell }] : [];
    });
    return {
      channel: await channelOf(table, placed),
      places,
      queueCheck(part) {
        const there = queueStanding(table, keyed.ids, part, { areColumnsFound });
        return () =>
          there().map(({ isHere, key, header }, index) => {
            const { cell } = part[index] as KeyedPlace & { cell: Cell };
            if (isHere) return { isHere, now: cell };
            // Rows without ids can't be told apart.
            const isKnown = key !== undefined && header !== undefined && !isBlankKey(key);
            return { isHere, now: isKnown ? { ...cell, key, nth: 0, header } : undefined };
          });
      },
    };
  };
}

/** The row and the column that stand in a cell's place. */
interface StandingThere {
  isHere: boolean;
  /** The row's key; undefined if the table has no such row. */
  key: string | undefined;
  header: string | undefined;
}

/**
 * Queues a check of which cells are still in their rows and columns. Call the returned function after the request. With `areColumnsFound`,
 * columns are found by their headers, so that only the rows are checked.
 */
export function queueStanding(
  table: Excel.Table,
  ids: readonly string[],
  cells: readonly KeyedPlace[],
  { areColumnsFound = false }: { areColumnsFound?: boolean } = {},
): () => StandingThere[] {
  const keys = queueKeys(table, ids, cells);
  const headerRow = areColumnsFound ? undefined : table.getHeaderRowRange().load("values");
  return () => {
    const headers = headerRow?.values[0] as unknown[] | undefined;
    return keys().map((key, index) => {
      const cell = cells[index] as KeyedPlace;
      const there = headers ? headers[cell.column] : cell.header;
      const header = there === undefined ? undefined : String(there);
      return { isHere: key === cell.key && header === cell.header, key, header };
    });
  };
}

/**
 * Queues the reading of rows' keys. Call the returned function after the sync. The key of a row that the table no longer has is undefined.
 */
function queueKeys(
  table: Excel.Table,
  ids: readonly string[],
  cells: readonly Place[],
): () => (string | undefined)[] {
  const rows = cells.map(({ row }) => row);
  const first = rows.reduce((a, b) => Math.min(a, b), Infinity);
  const last = rows.reduce((a, b) => Math.max(a, b), -Infinity);
  const columns =
    cells.length === 0 ? [] : ids.map((header) => columnPart(table, { header, first, last }).load("values"));
  return () =>
    rows.map((row) => {
      const values = columns.map((range) =>
        range.isNullObject ? undefined : (range.values[row - first] as unknown[] | undefined),
      );
      return values.every((value) => value === undefined)
        ? undefined
        : rowKey(values.map((value) => value?.[0]));
    });
}

/** Rows `first` to `last` of a column of a table's body, as far as the table still has them; a null object if it has none. */
export function columnPart(
  table: Excel.Table,
  { header, first, last }: { header: string; first: number; last: number },
): Excel.Range {
  const column = table.columns.getItemOrNullObject(header).getDataBodyRange();
  const wanted = column.getCell(first, 0).getAbsoluteResizedRange(last - first + 1, 1);
  return column.getIntersectionOrNullObject(wanted);
}
