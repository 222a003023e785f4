import { Failure } from "../../../errors";
import { cellAddress } from "../layout/cell-address";
import type { Cell, Scalar } from "../values/cell-value";
import { excelFailure } from "../excel-failure";
import { existingTable, type TableCell, type TableRows } from "./bound-table";
import { type CheckedWrite, createCheckedWriter, type KeyedPlace } from "./checked-writes";
import { writeNotes } from "./notes";
import {
  addColumns,
  addRows,
  deleteColumn,
  findRows,
  type KeyedRow,
  keyedRows,
  type KeyedTable,
  readKeys,
  removeColumns,
  removeRows,
  restoreColumn,
} from "./table-shape";

/** A cell of an import's table, and what it is to hold. */
export interface CellUpdate extends TableCell {
  cell: Cell;
  /** The value that the cell showed when it was read; "" in a new row or column. A cell that shows another is left as it is. */
  shown: unknown;
  /** The text of the note on the cell from now on; null for none, undefined where it stays as it is. */
  note?: string | null | undefined;
}

/** A column that goes, and the values that it showed, by the rows that were read. */
export interface GoneColumn {
  header: string;
  shown: readonly unknown[];
}

/** Changes of an import's table. All that is not named, the user's own above all, stays as it is. */
export interface TableEdit {
  /** The rows when they were read; the new ones count on from there. */
  read: TableRows;
  /** What the id columns of new rows hold, row by row in the order of `read.ids`. */
  newRows: readonly (readonly Scalar[])[];
  /** The headers of new columns, which stand to the right of the last of `columns`. */
  newColumns: readonly string[];
  columns: readonly string[];
  goneColumns: readonly GoneColumn[];
  updates: readonly CellUpdate[];
}

export interface EditOptions {
  signal?: AbortSignal | undefined;
  onWritten?: ((cells: number) => void) | undefined;
  /** Told how many notes could not be written, because this Excel gives no way to. */
  onNotesLeft?: ((notes: number) => void) | undefined;
}

/** Cells and columns that somebody has changed since they were read: they were left as they are. */
export interface EditOutcome {
  changedCells: TableCell[];
  changedColumns: string[];
}

/** Takes a step back. Gives the places that somebody has changed meanwhile: they were left as they are. */
type TakeBack = () => Promise<KeyedPlace[]>;

/**
 * Edits a table. Cells whose row or column is gone meanwhile are passed over. A failed or cancelled edit is taken back,
 * but for what somebody has changed meanwhile: the failure's detail names these cells.
 */
export async function editTable(
  context: Excel.RequestContext,
  tableId: string,
  { read, newRows, newColumns, columns, goneColumns, updates }: TableEdit,
  { signal, onWritten, onNotesLeft, hasNotes }: EditOptions & { hasNotes: boolean },
): Promise<EditOutcome> {
  const { ids } = read;
  const keyed: KeyedTable = { context, tableId, ids };
  const writer = createCheckedWriter(context, tableId, ids);
  /** The last step comes first. */
  const back: TakeBack[] = [];
  try {
    const rows = keyedRows(read.keys);
    if (newRows.length > 0) {
      const onAdded = (added: readonly KeyedRow[]) => back.unshift(() => removeRows(keyed, added));
      rows.push(...(await addRows(keyed, newRows, columns, onAdded)));
    }
    if (newColumns.length > 0) {
      back.unshift(() => removeColumns(keyed, newColumns));
      await addColumns(keyed, newColumns, columns);
    }
    const updateOf = new Map<CheckedWrite, CellUpdate>();
    for (const update of updates) {
      const { header, shown, cell } = update;
      const row = rows[update.row];
      if (row) updateOf.set({ ...row, header, expected: { value: shown }, put: cell }, update);
    }
    back.unshift(() => writer.takeBack());
    await writer.write([...updateOf.keys()], { signal, onWritten });
    const changed = new Set(writer.changedByOthers());
    const isChanged = ([write]: [CheckedWrite, CellUpdate]) => changed.has(write);
    const noted = [...updateOf].flatMap(([write, { note }]) =>
      note === undefined || changed.has(write) ? [] : [{ write, note }],
    );
    if (noted.length > 0 && !hasNotes) onNotesLeft?.(noted.length);
    else if (noted.length > 0) await noteCells(keyed, noted, signal);
    const changedColumns: string[] = [];
    for (const { header, shown } of goneColumns) {
      const asRead = new Map(keyedRows(read.keys).map((row, index) => [JSON.stringify(row), shown[index]]));
      const deletion = await deleteColumn(keyed, header, ({ value }, row) => {
        const rowKey = JSON.stringify(row);
        return value === (asRead.has(rowKey) ? asRead.get(rowKey) : "");
      });
      if (deletion.status === "changed") changedColumns.push(header);
      if (deletion.status === "deleted") back.unshift(() => restoreColumn(keyed, deletion.column));
    }
    return {
      changedCells: [...updateOf].filter(isChanged).map(([, { row, header }]) => ({ row, header })),
      changedColumns,
    };
  } catch (thrown) {
    throw await takenBack(excelFailure(thrown), keyed, back);
  }
}

/** Takes all steps back. Gives the failure, with the cells that somebody has changed meanwhile. */
async function takenBack(failure: Failure, keyed: KeyedTable, back: readonly TakeBack[]): Promise<Failure> {
  const left: KeyedPlace[] = [];
  let refusal: unknown;
  for (const step of back) {
    try {
      // Excel often takes what it has refused once, such as for too many requests.
      left.push(...(await step().catch(step)));
    } catch (thrown) {
      refusal ??= thrown;
    }
  }
  if (refusal !== undefined) {
    const detail = "Some of what had been written could not be taken back.";
    return new Failure("sheet-refused", { detail, isPartlyWritten: true, cause: refusal });
  }
  if (left.length === 0) return failure;
  const addresses = await addressesOf(keyed, left).catch(() => []);
  const places = addresses.length > 0 ? `: ${addresses.join(", ")}` : "";
  const { kind, detail, status, untilMs, isPartlyWritten } = failure;
  const said = `Somebody has changed cells meanwhile, and they were left as they are${places}.`;
  return new Failure(kind, {
    detail: [detail, said].filter(Boolean).join(" "),
    status,
    untilMs,
    isPartlyWritten,
    cause: failure,
  });
}

/** As many addresses as a sentence takes. */
const mostAddresses = 5;

async function addressesOf(keyed: KeyedTable, places: readonly KeyedPlace[]): Promise<string[]> {
  const { context, tableId } = keyed;
  const rows = await findRows(keyed, places);
  const { headers } = await readKeys(keyed);
  const whole = (await existingTable(context, tableId)).getRange().load("address");
  await context.sync();
  const found = places.flatMap(({ header }, index) => {
    const [row, column] = [rows[index], headers.indexOf(header)];
    return row === undefined || column < 0 ? [] : [cellAddress(whole.address, row + 1, column)];
  });
  const more = found.length - mostAddresses;
  return more > 0 ? [...found.slice(0, mostAddresses), `and ${more} more`] : found;
}

async function noteCells(
  keyed: KeyedTable,
  noted: readonly { write: CheckedWrite; note: string | null }[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { context, tableId } = keyed;
  const rows = await findRows(
    keyed,
    noted.map(({ write }) => write),
  );
  const { headers } = await readKeys(keyed);
  const notes = noted.flatMap(({ write, note }, index) => {
    const [row, column] = [rows[index], headers.indexOf(write.header)];
    return row === undefined || column < 0 ? [] : [{ row, column, text: note }];
  });
  const body = (await existingTable(context, tableId)).getDataBodyRange();
  await writeNotes(context, body, notes, { signal });
}
