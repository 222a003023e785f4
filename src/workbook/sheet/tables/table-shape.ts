import { twice } from "../../../async/twice";
import { config } from "../../../config";
import { SheetFailure } from "../../../sheet-failure";
import {
  bytesOfCells,
  type CellContent,
  contentAfter,
  entryOf,
  heldBy,
  holds,
  isFormula,
} from "../cells/cell-content";
import { type Scalar, textCell } from "../values/cell-value";
import { rowKey } from "../layout/row-keys";
import { readRowGroups, type RowGroup } from "../read-groups";
import { existingTable, readTableColumns } from "./bound-table";
import { contentsOf, contentsOfRange, type Held, heldAfter } from "../swap/contents";
import { deleteAddedRows } from "../swap/inserted-cells";
import { at, type Journal, swap, swapNoting } from "../swap/swap";
import {
  findRows,
  type KeyedPlace,
  type KeyedRow,
  keyedRows,
  type KeyedTable,
  readKeys,
} from "./keyed-cells";
import { type CheckedWrite, contentsIn, heldAfterWrite } from "./table-contents";

/** A table that is being edited. */
export interface EditedTable extends KeyedTable {
  /** Texts that were taken from their cells and must be put back. An entry is removed when its texts are back. */
  displaced: Map<object, readonly unknown[]>;
}

/** A cell, or a whole column, that was left because somebody has changed it, or because its row can't be found. */
export interface PlaceLeft {
  /** The cell's row; undefined for a column. */
  row?: KeyedRow;
  header: string;
  /** The content that was written to it. */
  written?: unknown;
}

/**
 * Adds rows at the end of a table, with only their ids, by which they are found from then on. Cells below the table move down. `onAdded` is
 * called after each request, so that a later failure can remove the rows again.
 */
export async function addRows(
  keyed: EditedTable,
  rows: readonly (readonly Scalar[])[],
  ownColumns: readonly string[],
  onAdded: (rows: readonly KeyedRow[]) => void,
): Promise<KeyedRow[]> {
  const { context, tableId, ids } = keyed;
  const { keys, headers } = await readKeys(keyed);
  const own = new Set(ownColumns);
  const added = keyedRows([...keys, ...rows.map(rowKey)]).slice(keys.length);
  const table = await existingTable(context, tableId);
  const most = Math.max(1, Math.floor(config.writeBytes / (headers.length * 5)));
  for (let start = 0; start < rows.length; start += most) {
    const values = rows.slice(start, start + most).map((row) =>
      headers.map((header) => {
        // Null lets a calculated column fill itself.
        if (!own.has(header)) return null;
        return ids.includes(header) ? (row[ids.indexOf(header)] ?? "") : "";
      }),
    );
    // The type of office.js lacks this null, which every write of values accepts.
    table.rows.add(undefined, values as Scalar[][]);
    // Each part takes a request of its own, because Excel on the web accepts at most 5 MB.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    onAdded(added.slice(start, start + most));
  }
  return added;
}

/** Gives columns other headers. A column whose header somebody has changed is left as it is. */
export async function renameColumns(
  { context, tableId }: Pick<KeyedTable, "context" | "tableId">,
  renamed: readonly { before: string; after: string }[],
): Promise<void> {
  if (renamed.length === 0) return;
  const header = (await existingTable(context, tableId)).getHeaderRowRange();
  header.load("values");
  await context.sync();
  const headers = (header.values[0] ?? []).map(String);
  const cells = renamed.flatMap(({ before, after }) => {
    const column = headers.indexOf(before);
    return column < 0 ? [] : [{ row: 0, column, before, after }];
  });
  const pieces = cells.map(({ row, column, before, after }) => {
    return { row, column, rows: 1, columns: 1, bytes: bytesOfCells([before, after]) };
  });
  const channel = contentsOf(pieces, {
    areHeaders: true,
    rangeOf: ({ column }) => header.getCell(0, column),
  });
  await swap(context, at(channel), cells, {
    next: ({ before, after }, has) => (has.value === before ? heldAfter(textCell(after)) : undefined),
  });
}

/**
 * Adds blank columns to the right of the import's last column that holds no ids; columns of ids may stand at its end. New columns of ids go to
 * the end of the table.
 */
export async function addColumns(
  { context, tableId, ids }: KeyedTable,
  newColumns: readonly string[],
  ownColumns: readonly string[],
): Promise<void> {
  const { headers } = await readTableColumns(context, tableId, []);
  const taken = newColumns.filter((header) => headers.includes(header));
  if (taken.length > 0) {
    throw new SheetFailure("sheet-refused", { detail: `The table already has a column “${taken[0]}”.` });
  }
  const table = await existingTable(context, tableId);
  const placesOf = (some: readonly string[]) =>
    some.map((header) => headers.indexOf(header)).filter((place) => place >= 0);
  const others = placesOf(ownColumns.filter((header) => !ids.includes(header)));
  const afterOthers =
    others.length > 0 ? Math.max(...others) + 1 : Math.min(headers.length, ...placesOf(ids));
  const first = newColumns.some((header) => ids.includes(header)) ? headers.length : afterOthers;
  newColumns.forEach((header, index) => table.columns.add(first + index, undefined, header));
  await context.sync();
}

/** Removes added rows again, except those in which somebody has written meanwhile, which are returned. */
export async function removeRows(
  keyed: EditedTable,
  rows: readonly KeyedRow[],
  ownColumns: readonly string[],
): Promise<PlaceLeft[]> {
  const left: KeyedRow[] = [];
  let open = rows;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries > mostTries + rows.length)
      throw new SheetFailure("sheet-refused", { detail: "Rows of the table kept moving." });
    const places = await findRows(keyed, open);
    const there = open
      .flatMap((row, index) => (places[index] === undefined ? [] : [{ ...row, place: places[index] }]))
      .sort((one, other) => other.place - one.place);
    // Somebody has typed over the ids of the other rows, or deleted them.
    left.push(...open.filter((_, index) => places[index] === undefined));
    if (there.length === 0) break;
    const { changed, deleted } = await removeLastRun(keyed, there, new Set(ownColumns));
    left.push(...changed);
    const settled = new Set<KeyedRow>([...changed, ...deleted]);
    open = there.filter((row) => !settled.has(row));
  }
  return left.map(({ key, nth }) => ({
    row: { key, nth },
    header: keyed.ids[0] ?? "",
    written: (JSON.parse(key) as unknown[])[0],
  }));
}

/**
 * Deletes the last of the rows together with those right above it, so that the other rows stay in place. `changed` holds rows in which
 * somebody has written; see `deleteAddedRows`.
 */
async function removeLastRun<Row extends KeyedRow & { place: number }>(
  keyed: EditedTable,
  fromTheLast: readonly Row[],
  own: ReadonlySet<string>,
): Promise<{ changed: Row[]; deleted: Row[] }> {
  const { context, tableId, ids, displaced } = keyed;
  const { headers } = await readKeys(keyed);
  const last = fromTheLast[0]?.place ?? 0;
  const together = fromTheLast.filter(({ place }, index) => place === last - index);
  const run = together.slice(0, Math.max(1, Math.floor(cellsAtOnce / headers.length))).reverse();
  const table = await existingTable(context, tableId);
  const { changed, areDeleted } = await deleteAddedRows(
    context,
    table,
    {
      first: run[0]?.place ?? 0,
      rows: run.length,
      columns: headers.length,
      isAsAdded: (cells, down) =>
        rowKey(ids.map((id) => cells[headers.indexOf(id)]?.value)) === run[down]?.key &&
        headers.every((header, across) => {
          const content = cells[across] ?? { value: "", formula: "" };
          if (ids.includes(header)) return !isFormula(content);
          // A calculated column has filled itself.
          return heldBy(content) === "" || (!own.has(header) && isFormula(content));
        }),
    },
    displaced,
  );
  return { changed: changed.flatMap((down) => run[down] ?? []), deleted: areDeleted ? run : [] };
}

/** Removes added columns again, except those in which somebody has written meanwhile, which are returned. */
export async function removeColumns(keyed: EditedTable, headers: readonly string[]): Promise<PlaceLeft[]> {
  const left: PlaceLeft[] = [];
  for (const header of headers) {
    const outcome = await deleteColumn(keyed, header, { isExpected: (content) => heldBy(content) === "" });
    if (outcome.status === "changed") left.push({ header });
  }
  return left;
}

/** A deleted column, with everything that is needed to bring it back. */
export interface DeletedColumn {
  header: string;
  /** The index that it had among the table's columns. */
  place: number;
  /** Writes that bring back its content. */
  writes: CheckedWrite[];
  /** The writes among them that bring back contents of other people. */
  others: ReadonlySet<CheckedWrite>;
}

export interface ColumnDeletion {
  isExpected(content: CellContent, row: KeyedRow): boolean;
  /** True if an expected content is nevertheless somebody's own. */
  isOthers?(content: CellContent, row: KeyedRow): boolean;
  /** Called after the column is deleted, with what is needed to bring it back. */
  onDeleted?(column: DeletedColumn): void;
}

/**
 * Deletes a column, unless it holds something unexpected because somebody has changed it. The request that deletes also reads the column,
 * so a text that is typed at the last moment comes back with the column.
 */
export async function deleteColumn(
  keyed: EditedTable,
  header: string,
  { isExpected, isOthers = () => false, onDeleted }: ColumnDeletion,
): Promise<{ status: "gone" | "changed" | "deleted" }> {
  const { context, tableId } = keyed;
  const { keys, headers } = await readKeys(keyed);
  const place = headers.indexOf(header);
  if (place < 0) return { status: "gone" };
  const rows = keyedRows(keys);
  const table = await existingTable(context, tableId);
  const isWhole = (contents: readonly CellContent[], ofRows: readonly KeyedRow[] = rows) =>
    contents.length === ofRows.length &&
    ofRows.every((row, index) => isExpected(contents[index] ?? blank, row));
  const looked: CellContent[] = [];
  await readRowGroups(context, { rows: rows.length, columns: 1 }, rowsAtOnce, (group) => {
    const read = queueColumn(table, header, group);
    return () => void looked.push(...read());
  });
  if (!isWhole(looked)) return { status: "changed" };
  // A response on the web holds at most 5 MB, so a longer column is not read again: it was read a moment before.
  const size = looked.reduce(
    (sum, { value, formula }, row) =>
      sum + String(value).length + String(formula).length + (keys[row]?.length ?? 0) + 40,
    0,
  );
  const read =
    size <= config.writeBytes
      ? queueWholeColumn(table, header, keyed.ids)
      : () => ({ rows, contents: looked });
  table.columns.getItem(header).delete();
  await context.sync();
  const { rows: rowsThere, contents } = read();
  const writes = contents.map((content, index) => ({
    ...(rowsThere[index] ?? { key: "", nth: index }),
    header,
    expected: { value: "" },
    put: entryOf(content),
  }));
  const isTyped = (content: CellContent, row: KeyedRow = { key: "", nth: 0 }) =>
    heldBy(content) !== "" && (isOthers(content, row) || !isExpected(content, row));
  const others = new Set(writes.filter((_, index) => isTyped(contents[index] ?? blank, rowsThere[index])));
  const column = { header, place, writes, others };
  onDeleted?.(column);
  if (isWhole(contents, rowsThere)) return { status: "deleted" };
  await twice(() => restoreColumn(keyed, column));
  return { status: "changed" };
}

/** Queues the reading of a whole column with the rows that the table has at that time, because rows may have been added or sorted. */
function queueWholeColumn(
  table: Excel.Table,
  header: string,
  ids: readonly string[],
): () => { rows: KeyedRow[]; contents: CellContent[] } {
  const bodyOf = (name: string) => table.columns.getItemOrNullObject(name).getDataBodyRange();
  const keyColumns = ids.map((id) => bodyOf(id).load("values"));
  const column = bodyOf(header).load("values,formulas,numberFormat");
  return () => {
    const contents = columnContents(column);
    const valueOf = (range: Excel.Range, row: number): unknown =>
      range.isNullObject ? undefined : (range.values[row] as unknown[] | undefined)?.[0];
    const keys = contents.map((_, row) => rowKey(keyColumns.map((range) => valueOf(range, row))));
    return { rows: keyedRows(keys), contents };
  };
}

/**
 * Brings a deleted column back with its content. Returns the cells that somebody has filled meanwhile. It may be called again: after a
 * failure, it does the rest.
 */
export async function restoreColumn(keyed: EditedTable, column: DeletedColumn): Promise<PlaceLeft[]> {
  const { context, tableId, displaced } = keyed;
  const { header, place, writes, others } = column;
  const noteOpen = (open: readonly CheckedWrite[]) => {
    const texts = open.filter((write) => others.has(write)).map(({ put }) => heldBy(heldAfter(put)));
    if (texts.length === 0) displaced.delete(column);
    else displaced.set(column, texts);
  };
  noteOpen(writes);
  const { headers } = await readKeys(keyed);
  const table = await existingTable(context, tableId);
  if (!headers.includes(header)) {
    table.columns.add(Math.min(place, headers.length), undefined, header);
    await context.sync();
  }
  const journal: Journal<CheckedWrite, Held, KeyedPlace> = { batches: [], textsLost: [] };
  const { left, gone } = await swapNoting(context, contentsIn(keyed, writes), writes, {
    next: heldAfterWrite,
    journal,
  });
  const changed = left.filter(({ cell: { put }, has }) => !holds(has, contentAfter(put)));
  noteOpen([...changed, ...gone].map(({ cell }) => cell));
  if (journal.textsLost.length > 0) displaced.set(journal, journal.textsLost);
  return changed.map(({ cell: { key, nth } }) => ({ row: { key, nth }, header }));
}

const blank: CellContent = { value: "", formula: "", numberFormat: "General" };

/** Queues the reading of a part of a column's body, as far as the table still has these rows. */
function queueColumn(table: Excel.Table, header: string, { start, rows }: RowGroup): () => CellContent[] {
  const body = table.columns.getItemOrNullObject(header).getDataBodyRange();
  const part = body.getIntersectionOrNullObject(body.getCell(start, 0).getAbsoluteResizedRange(rows, 1));
  part.load("values,formulas,numberFormat");
  return () => columnContents(part);
}

/** The contents of a loaded range of one column. */
function columnContents(range: Excel.Range): CellContent[] {
  return range.isNullObject ? [] : contentsOfRange(range).flat();
}

/** The rows of a column that are read at once. */
const rowsAtOnce = 10_000;
/** The cells that are read at once, because a response of Excel on the web holds at most 5 MB. */
const cellsAtOnce = 50_000;
/** A limit on the tries. Rows may move while some are removed, but hardly this often. */
const mostTries = 10;
