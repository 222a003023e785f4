import { twice } from "../../../async/twice";
import type { Failure } from "../../../errors";
import { SheetFailure } from "../../../sheet-failure";
import { cellAddress } from "../layout/cell-address";
import { rowsRead } from "../layout/row-keys";
import type { FormattedCell, Scalar } from "../values/cell-value";
import { fitLongTexts, setUpColumns } from "../format-table";
import { isLong } from "../layout/table-look";
import { type CellContent, heldBy, holds } from "../cells/cell-content";
import { withCellsLeft, withTextsLost } from "../cells/changed-meanwhile";
import { excelFailure } from "../excel-failure";
import { type Held, heldAfter } from "../swap/contents";
import { type NotesChannel, notesOf } from "../swap/notes";
import { type Journal, swapNoting, takeBack } from "../swap/swap";
import { existingTable, readTableColumns, type TableCell, type TableRows } from "./bound-table";
import {
  findCells,
  findRows,
  inTable,
  type KeyedCell,
  type KeyedPlace,
  keyedRows,
  type KeyedRow,
  type KeyedTable,
  queueStanding,
  readKeys,
} from "./keyed-cells";
import { type CellNote, type NotesOfOthers, writeNotes } from "./notes";
import { type CheckedWrite, contentsIn, heldAfterWrite } from "./table-contents";
import {
  addColumns,
  addRows,
  deleteColumn,
  type EditedTable,
  type PlaceLeft,
  removeColumns,
  removeRows,
  renameColumns,
  restoreColumn,
} from "./table-shape";

/** A cell of an import's table, with its new content. */
export interface CellUpdate extends TableCell {
  cell: FormattedCell;
  /** The value that the cell showed when it was read; "" in a new row or column. A cell that shows another value is left as it is. */
  shown: unknown;
  /** The formula by which it showed that, if somebody has typed one; undefined if it held the value itself. */
  formula?: string | undefined;
  /** The shown text, if somebody had typed it: a failure names it if it can't be put back. */
  typed?: string | undefined;
  /** The new text of the cell's note: null removes the note, undefined leaves it as it is. */
  note?: string | null | undefined;
  /** The note that the last run wrote there: null for none, undefined if this device does not know it. */
  lastNote?: string | null | undefined;
}

/** A column that is to be removed, with what it held in the rows that were read. */
export interface GoneColumn {
  header: string;
  shown: readonly unknown[];
  /** The formulas that somebody had typed there, by row. */
  formulas?: ReadonlyMap<number, string> | undefined;
  /** The rows in which somebody had typed something of their own: a failure names it if the column can't be brought back. */
  typedRows?: ReadonlySet<number> | undefined;
}

/** Changes of an import's table. Everything that is not named stays as it is, above all the user's own cells. */
export interface TableEdit {
  /** The rows when they were read, with their new ids if they get any. New rows count on from there. */
  read: TableRows;
  /** New ids of rows, which are written before all other cells. Until then, the rows are found by other columns, those of `read`. */
  newIds?: { read: TableRows; updates: readonly CellUpdate[] } | undefined;
  /** The values of the id columns of new rows, row by row in the order of `read.ids`. */
  newRows: readonly (readonly Scalar[])[];
  /** The headers of new columns, which are added to the right of the last of `columns` that holds no ids. */
  newColumns: readonly string[];
  /** The headers of columns that an interrupted edit has added: they may still lack their look. */
  begunColumns?: readonly string[] | undefined;
  columns: readonly string[];
  goneColumns: readonly GoneColumn[];
  updates: readonly CellUpdate[];
  /** Headers that are to be changed, after all else. A column whose header somebody has changed meanwhile keeps theirs. */
  newHeaders?: readonly { before: string; after: string }[] | undefined;
}

export interface EditOptions {
  /** True undoes the whole edit if somebody has changed one of its cells meanwhile. */
  mustBeWhole?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onWritten?: ((cells: number) => void) | undefined;
  /** Called with the number of notes that could not be written, because this Excel has no way to do so. */
  onNotesLeft?: ((notes: number) => void) | undefined;
}

/** Cells and columns that somebody has changed since they were read. They were left as they are. */
export interface EditOutcome {
  /** Cells that somebody has changed meanwhile, so that they were left. */
  changedCells: TableCell[];
  /** Cells that were not found anymore, because somebody has deleted a column or typed over its header. */
  missingCells: TableCell[];
  /** The headers of these columns: that of the cells, or of ids by which rows are found. */
  missingColumns: string[];
  /** The headers of columns that were to go, and stay because somebody has changed them meanwhile. */
  changedColumns: string[];
  notesOfOthers: NotesOfOthers;
}

/** Undoes a step. Returns the places that somebody has changed meanwhile; they were left as they are. */
type TakeBack = () => Promise<PlaceLeft[]>;

/**
 * Edits a table. Cells whose row is gone meanwhile are skipped. A failed or cancelled edit is undone, except where somebody has
 * changed cells meanwhile; the failure's detail names those.
 */
export async function editTable(
  context: Excel.RequestContext,
  tableId: string,
  {
    read,
    newIds,
    newRows,
    newColumns,
    begunColumns = [],
    columns,
    goneColumns,
    updates,
    newHeaders = [],
  }: TableEdit,
  { mustBeWhole, signal, onWritten, onNotesLeft, hasNotes }: EditOptions & { hasNotes: boolean },
): Promise<EditOutcome> {
  const displaced: EditedTable["displaced"] = new Map();
  const keyed: EditedTable = { context, tableId, ids: read.ids, displaced };
  const all: CellWrites[] = [];
  /** The undo of each step, that of the last step first. */
  const back: TakeBack[] = [];
  try {
    if (newColumns.length > 0) {
      back.unshift(() => removeColumns(keyed, newColumns));
      await addColumns(keyed, newColumns, columns);
    }
    const withOldIds: TableCell[] = [];
    if (newIds) {
      const entries = { rows: keyedRows(newIds.read.keys), updates: newIds.updates };
      const byEntries = { ...keyed, ids: newIds.read.ids };
      const { updateOf: idOf, left, gone } = await writeCells(byEntries, entries, { all, back, signal });
      withOldIds.push(...cellsOf(idOf, new Set([...left, ...gone].map(({ cell }) => cell))));
    }
    const rows = keyedRows(read.keys);
    if (newRows.length > 0) {
      const onAdded = (added: readonly KeyedRow[]) => back.unshift(() => removeRows(keyed, added, columns));
      rows.push(...(await addRows(keyed, newRows, columns, onAdded)));
    }
    const addedColumns = [...begunColumns, ...newColumns];
    if (addedColumns.length > 0)
      await setUpColumns(context, await existingTable(context, tableId), addedColumns, read.ids);
    const { updateOf, left, gone } = await writeCells(
      keyed,
      { rows, updates },
      { all, back, signal, onWritten },
    );
    const changed = new Set(left.map(({ cell }) => cell));
    const missingColumns = gone.length > 0 ? await headersGone(keyed, gone) : [];
    const isMissing = (header: string) =>
      missingColumns.includes(header) || read.ids.some((id) => missingColumns.includes(id));
    const missing = new Set(gone.flatMap(({ cell }) => (isMissing(cell.header) ? [cell] : [])));
    if (mustBeWhole && withOldIds.length + changed.size + missing.size > 0) throw changedMeanwhile();
    const noted = [...updateOf].flatMap(([write, { note, lastNote }]) =>
      note === undefined || changed.has(write) || missing.has(write)
        ? []
        : [{ ...write, text: note, written: lastNote }],
    );
    if (noted.length > 0 && !hasNotes) onNotesLeft?.(noted.length);
    const notesOfOthers = hasNotes ? await noteCells(keyed, noted, signal) : { kept: [], replaced: [] };
    const isWritten = (write: CheckedWrite) => !changed.has(write) && !missing.has(write);
    await fitRows(
      keyed,
      [...updateOf.keys()].filter((write) => isWritten(write) && isLong(write.put)),
      addedColumns,
    );
    const changedColumns: string[] = [];
    for (const { header, shown, formulas, typedRows } of goneColumns) {
      const asRead = new Map(keyedRows(read.keys).map((row, index) => [JSON.stringify(row), index]));
      const rowOf = (row: KeyedRow) => asRead.get(JSON.stringify(row));
      const { status } = await deleteColumn(keyed, header, {
        isExpected(content, row) {
          const index = rowOf(row);
          if (index === undefined) return holds(content, { value: "" });
          return holds(content, contentRead(shown[index], formulas?.get(index)));
        },
        isOthers: (_, row) => typedRows?.has(rowOf(row) ?? -1) ?? false,
        onDeleted: (column) => back.unshift(() => restoreColumn(keyed, column)),
      });
      if (status === "changed") changedColumns.push(header);
    }
    if (displaced.size > 0 || all.some(({ journal }) => journal.textsLost.length > 0))
      throw new SheetFailure("sheet-refused", {
        detail: "Rows of the table were moved while they were written.",
      });
    await renameColumns(keyed, newHeaders);
    return {
      changedCells: [...withOldIds, ...cellsOf(updateOf, changed)],
      missingCells: cellsOf(updateOf, missing),
      missingColumns,
      changedColumns,
      notesOfOthers,
    };
  } catch (thrown) {
    const failure = await takenBack(excelFailure(thrown), keyed, back, read.keys);
    throw withTextsLost(failure, [...[...displaced.values()].flat(), ...all.flatMap(textsLost)]);
  }
}

/** Cells that were written together, and what is known of them if they have to be taken back. */
interface CellWrites {
  updateOf: ReadonlyMap<CheckedWrite, CellUpdate>;
  journal: Journal<CheckedWrite, Held, KeyedPlace>;
  /** The writes that could not be taken back, and the texts of others that Excel refused to put back, by the last try. */
  standing: ReadonlySet<CheckedWrite>;
  textsRefused: readonly unknown[];
}

/**
 * Writes cells that hold what was read, wherever their rows are by then. `back` gets the step that takes them back, and `all` the writes,
 * both before the first request.
 */
async function writeCells(
  keyed: KeyedTable,
  { rows, updates }: { rows: readonly KeyedRow[]; updates: readonly CellUpdate[] },
  {
    all,
    back,
    ...options
  }: { all: CellWrites[]; back: TakeBack[] } & Pick<EditOptions, "signal" | "onWritten">,
) {
  const { context } = keyed;
  const updateOf = new Map<CheckedWrite, CellUpdate>();
  for (const update of updates) {
    const { header, shown, formula, cell } = update;
    const row = rows[update.row];
    if (row) updateOf.set({ ...row, header, expected: contentRead(shown, formula), put: cell }, update);
  }
  const journal: CellWrites["journal"] = { batches: [], textsLost: [] };
  const writes: CellWrites = { updateOf, journal, standing: new Set(), textsRefused: [] };
  all.push(writes);
  const cells = [...updateOf.keys()];
  const find = contentsIn(keyed, cells);
  back.unshift(async () => {
    const { left, refused, refusal, textsRefused } = await takeBack(context, find, journal);
    writes.textsRefused = textsRefused;
    writes.standing = new Set([...refused, ...left.map(({ cell }) => cell)]);
    if (refusal) throw refusal;
    return left.map(({ cell: { key, nth, header, put } }) => {
      return { row: { key, nth }, header, written: heldBy(heldAfter(put)) };
    });
  });
  const { left, gone } = await swapNoting(context, find, cells, {
    next: heldAfterWrite,
    ...options,
    journal,
  });
  return { updateOf, left, gone };
}

/** The cells of some writes, as they were read. */
function cellsOf(updateOf: CellWrites["updateOf"], some: ReadonlySet<CheckedWrite>): TableCell[] {
  return [...updateOf].flatMap(([write, { row, header }]) => (some.has(write) ? [{ row, header }] : []));
}

/** The texts of others that were replaced and did not come back. */
function textsLost({ updateOf, journal, standing, textsRefused }: CellWrites): unknown[] {
  const replaced = [...updateOf].flatMap(([write, { typed }]) =>
    typed !== undefined && standing.has(write) ? [typed] : [],
  );
  return [...journal.textsLost, ...textsRefused, ...replaced];
}

/** Fits rows to long texts that were written, wherever their cells are by then. The texts stay if Excel refuses it. */
async function fitRows(
  keyed: KeyedTable,
  written: readonly KeyedCell[],
  addedColumns: readonly string[],
): Promise<void> {
  if (written.length === 0) return;
  try {
    const places = (await findCells(keyed, written)).filter((place) => place !== undefined);
    await fitLongTexts(
      keyed.context,
      await existingTable(keyed.context, keyed.tableId),
      places,
      addedColumns,
    );
  } catch {
    // A row that is too low hides nothing from the cell's own entry.
  }
}

/** The headers that are not in the table anymore, of those by which cells are found. */
async function headersGone(keyed: KeyedTable, gone: readonly { cell: CheckedWrite }[]): Promise<string[]> {
  const { headers } = await readKeys(keyed);
  const wanted = new Set([...keyed.ids, ...gone.map(({ cell }) => cell.header)]);
  return [...wanted].filter((header) => !headers.includes(header));
}

/** The content to expect of a cell that was read so. A formula may show another value by then. */
function contentRead(value: unknown, formula: string | undefined): Partial<CellContent> {
  return formula === undefined ? { value } : { formula };
}

/** A limit on the tries. Rows may move while cells are looked for or notes are written, but hardly this often. */
const mostTries = 10;

const changedMeanwhile = () =>
  new SheetFailure("sheet-refused", {
    detail: "Somebody changed the cell during the refresh, so it was left as it is.",
    nextStep: "Refresh it again to replace what stands there.",
  });

/** Undoes all steps. Returns the failure, with the cells that somebody has changed meanwhile. */
async function takenBack(
  failure: Failure,
  keyed: KeyedTable,
  back: readonly TakeBack[],
  keysRead: readonly string[],
): Promise<Failure> {
  const left: PlaceLeft[] = [];
  let refusal: unknown;
  for (const step of back) {
    try {
      left.push(...(await twice(step)));
    } catch (thrown) {
      refusal ??= thrown;
    }
  }
  if (refusal !== undefined) {
    const detail = "Some of what had been written could not be taken back.";
    return new SheetFailure("sheet-refused", { detail, isPartlyWritten: true, cause: refusal });
  }
  if (left.length === 0) return failure;
  return withCellsLeft(failure, await addressesOf(keyed, left, keysRead).catch(() => []));
}

/**
 * The present addresses of these cells. If somebody has changed the ids of a row, cells of unknown rows that still hold what was written
 * count.
 */
async function addressesOf(
  keyed: KeyedTable,
  places: readonly PlaceLeft[],
  keysRead: readonly string[],
): Promise<string[]> {
  const { context, tableId, ids } = keyed;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const cells = await placesOf(keyed, places, keysRead);
    if (cells.length === 0) return [];
    const table = await existingTable(context, tableId);
    const whole = table.getRange().load("address");
    const standing = queueStanding(table, ids, cells);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    // Rows or columns may have moved since they were read.
    if (standing().some(({ isHere }) => !isHere)) continue;
    return [...new Set(cells.map(({ row, column }) => cellAddress(whole.address, row + 1, column)))];
  }
  return [];
}

async function placesOf(
  keyed: KeyedTable,
  places: readonly PlaceLeft[],
  keysRead: readonly string[],
): Promise<KeyedPlace[]> {
  const { context, tableId, ids } = keyed;
  const rows = await findRows(
    keyed,
    places.map(({ row }) => row ?? nowhere),
  );
  const lost = places.filter((_, index) => rows[index] === undefined).map(({ header }) => header);
  const table = await readTableColumns(context, tableId, [...ids, ...lost]);
  const known = new Set(keysRead);
  const { keys } = rowsRead(table, ids);
  return places.flatMap(({ header, written }, index) => {
    const column = table.headers.indexOf(header);
    const row = rows[index];
    if (column < 0) return [];
    const there = row === undefined ? keys.keys() : [row];
    const isLeft = (at: number) =>
      at === row || (!known.has(keys[at] ?? "") && table.columns.get(header)?.values[at] === written);
    return [...there].filter(isLeft).map((at) => ({ row: at, column, key: keys[at] ?? "", header }));
  });
}

const nowhere: KeyedRow = { key: "", nth: 0 };

/** Writes notes on cells, wherever their rows are at that time. */
function noteCells(
  keyed: KeyedTable,
  noted: readonly (KeyedCell & CellNote)[],
  signal: AbortSignal | undefined,
): Promise<NotesOfOthers> {
  const find = inTable<KeyedCell & CellNote, string | null, NotesChannel>(keyed, (table) =>
    notesOf(keyed.context, table.getDataBodyRange()),
  );
  return writeNotes(keyed.context, find, noted, { signal });
}
