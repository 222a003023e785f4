import type { Client } from "../../../engine/api/client";
import type { DocumentCache } from "../../../engine/cache/answer-cache";
import { Failure, type FailureKind } from "../../../errors";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { Wanted } from "../../../engine/lookup/answers/request-plan";
import type { Cell } from "../../sheet/values/cell-value";
import { noteText } from "../../sheet/tables/notes";
import {
  rowKey,
  rowsRead,
  type TableCell,
  type TableColumns,
  type TableRows,
} from "../../sheet/tables/bound-table";
import { type ImportTables, isNothing } from "../../sheet/tables/table-changes";
import type { CellUpdate } from "../../sheet/tables/table-edit";
import {
  answerCell,
  type Answered,
  cellReader,
  type ColumnType,
  planTable,
  type Published,
  type RowAhj,
  tableRows,
} from "../../sheet/layout/table-plan";
import { askCollection, askMatrix, type OutcomeOf } from "./ask-again";
import { changedTypes, type ImportChange } from "../saved/change-import";
import {
  type AnswerPlace,
  answerPlaces,
  idHeaders,
  type ImportRow,
  importRows,
  type NewRow,
} from "../saved/import-rows";
import { rowsOfOthers } from "./list-entry";
import { addDates, newValues, rowlessAhjs } from "./new-values";
import type { RunOptions } from "../run/run-import";
import type { SavedImport } from "../saved/saved-import";
import { answerKey, createSnapshots, type Known, type Snapshot } from "../saved/snapshots";

/** A value that is not what it was. */
export interface ValueChange {
  ahj: { id: number; name: string };
  type: ColumnType;
  /** Of the value in the table's body. */
  place: TableCell;
  /** Null where there was none. Without a kept run it is what the cell showed, without a citation. */
  before: Known | null;
  /** Null where there is none any more. */
  after: Known | null;
}

/** An AHJ that kept its last values, because the service does not give them to whoever refreshed. */
export interface NotRefreshed {
  ahjId: number;
  name: string;
  kind: FailureKind;
  /** Its values; none where it was to be added, and was not. */
  places: TableCell[];
}

/** What became of a refresh. */
export interface RefreshReport {
  changes: ValueChange[];
  notRefreshed: NotRefreshed[];
  /** Types that the service no longer knows, or a collection no longer asks for: they kept their last values. */
  unknownTypes: ColumnType[];
  /** Cells that somebody has changed while the refresh ran: they were left as they are. */
  changedMeanwhile: TableCell[];
  /** Columns that were to go, and that somebody has changed meanwhile: they were left in the table. */
  keptColumns: string[];
  /** Columns of the import that are no longer in the table. */
  missingColumns: string[];
  /** Rows of the table that belong to no AHJ: the user's own. */
  ownRows: number;
  /** Rows beside a list whose entry is another AHJ's by now: left as they are. */
  otherEntries: number;
  /** Rows that were added at the end of the table. */
  newRows: number;
  /** Values of a long table whose rows were taken out: left out. */
  withoutRow: number;
  /** By which the places are found, wherever they are by then. */
  read: TableRows;
  /** Notes that still name the source of the last value, because this Excel gives no way to change them. */
  notesLeft: number;
}

export interface RefreshDoors {
  tables: Pick<ImportTables, "mayWrite" | "read" | "edit">;
  client: Client;
  lookup: Lookup;
  documents: DocumentCache;
}

export interface RefreshOptions extends RunOptions {
  /** What the import is to become with it. */
  change?: ImportChange | undefined;
  /** What an interrupted run has begun. */
  begun?: BegunEdit | undefined;
  /** Awaited right before the first write; should it fail, nothing is written. */
  onWriting?: ((added: BegunEdit) => Promise<void>) | undefined;
  /**
   * Awaited when the sheet is written, before this device keeps what was published: a refresh that is interrupted until then tells
   * all changes when it is done again.
   */
  onWritten?: ((outcome: RefreshOutcome) => Promise<void>) | undefined;
}

export interface RefreshOutcome {
  /** The import as it is now. */
  saved: SavedImport;
  report: RefreshReport;
}

/** Columns and rows that an edit adds, before it fills them. */
export interface BegunEdit {
  columns: readonly string[];
  rows: readonly NewRow[];
}

/**
 * Asks again for what an import's table holds, and writes what differs into its cells. Rows are recognised by AHJ id,
 * columns by header, wherever they stand now; the user's own stay as they are. A value that has no row yet in a long
 * table gets one. Gives the import as it is then. Fails with a Failure, the sheet as it was.
 */
export async function refreshImport(
  before: SavedImport,
  { tables, client, lookup, documents }: RefreshDoors,
  { change, begun = { columns: [], rows: [] }, onWriting, onWritten, ...options }: RefreshOptions = {},
): Promise<RefreshOutcome> {
  await tables.mayWrite(before.tableId);
  const headers = before.columns.map(({ header }) => header);
  const table = await tables.read(before.tableId, [...headers, ...begun.columns, before.listHeader ?? ""]);
  const { saved, newColumns, goneColumns } = change
    ? changedTypes(before, change.types, table.headers, begun.columns)
    : { saved: before, newColumns: [], goneColumns: [] };
  const { types, form } = saved;
  const isLong = form.layout === "long";
  const begunAhjs = new Map(begun.rows.map(({ ahj, typeId }) => [answerKey(ahj.id, typeId ?? 0), ahj]));
  const begunAhj = ({ ahj, typeId }: NewRow) => begunAhjs.get(answerKey(ahj.id, typeId ?? 0));
  const rows = importRows(saved, table).map((row) => ({ ...row, ahj: begunAhj(row) ?? row.ahj }));
  const snapshots = createSnapshots(documents);
  const last = await snapshots.read(saved.id);

  const ahjs = new Map(rows.map(({ ahj }) => [ahj.id, ahj]));
  // In a long table any value may be new, and any AHJ may have its first.
  const mayLackRows = isLong ? [...ahjs.keys(), ...rowlessAhjs(last, ahjs)] : [];
  const newAhjs = (change?.newAhjs ?? []).filter(({ id }) => !ahjs.has(id));
  const wanted = new Map<number, Set<number>>();
  const want = (ahjId: number, typeId: number) =>
    wanted.set(ahjId, (wanted.get(ahjId) ?? new Set()).add(typeId));
  for (const { ahj, type } of answerPlaces(saved, table, rows, newColumns)) want(ahj.id, type.id);
  for (const id of [...mayLackRows, ...newAhjs.map((ahj) => ahj.id)]) {
    for (const type of types) want(id, type.id);
  }
  const outcomeOf = saved.collection
    ? await askCollection(saved.collection.id, wanted, { client, lookup }, options)
    : await askMatrix(wanted, lookup, options);
  // The answers have told who the AHJs are.
  if (saved.listHeader) await lookup.directory.recall();
  const others = rowsOfOthers(saved, table, rows, lookup.directory);
  const asListed = rows.filter(({ row }) => !others.has(row));
  const places = answerPlaces(saved, table, asListed, newColumns);
  const published = (ahjId: number, typeId: number) => {
    const outcome = outcomeOf(ahjId, typeId);
    return outcome instanceof Failure ? null : outcome;
  };

  const { changes, notRefreshed, unknownTypes, updates, noted, values } = compareCells(
    saved,
    places,
    outcomeOf,
    last,
  );
  const added = isLong
    ? await newValues({ saved, ahjs, mayLackRows, rows, last, published }, lookup, { signal: options.signal })
    : { answered: grantedRows({ newAhjs, types, published, outcomeOf }, notRefreshed), withoutRow: 0 };
  const read = rowsRead(table, idHeaders(saved));
  const here = new Set([...table.headers, ...newColumns]);
  const newRows = addedRows(added.answered, saved, { first: table.rowCount, here });
  changes.push(...newRows.changes);
  await addDates(changes, lookup, { signal: options.signal });

  const begunRows = rows.filter((row) => begunAhj(row));
  const all = [...begunCells(saved, table, begunRows), ...updates, ...newRows.updates];
  let notesLeft = 0;
  const goneValues = goneColumns.map((header) => ({
    header,
    shown: table.columns.get(header)?.values ?? [],
  }));
  const edit = {
    ...{ read, newRows: newRows.ids, newColumns, columns: headers, goneColumns: goneValues },
    updates: all,
  };
  if (!isNothing(edit)) {
    const added = [...begun.columns, ...newColumns];
    await onWriting?.({ columns: added, rows: [...begunRows, ...newRows.rows] });
  }
  const { changedCells, changedColumns } = await tables.edit(saved.tableId, edit, {
    signal: options.signal,
    onNotesLeft: (notes) => (notesLeft = notes),
    onWritten: (done) => options.onProgress?.({ phase: "writing", done, total: all.length }),
  });
  const isLeft = isAmong(changedCells);
  // What an interrupted change was to bring is no news.
  const begunPlaces = new Set<string | number>([
    ...begun.columns,
    ...(isLong ? [] : begunRows.map(({ row }) => row)),
  ]);
  const isBegun = ({ row, header }: TableCell) => begunPlaces.has(row) || begunPlaces.has(header);
  const lastRun = {
    atMs: Date.now(),
    rows: asListed.length + newRows.ids.length,
    values: values + newRows.values,
    notRefreshed: notRefreshed.size,
  };
  const outcome = {
    saved: { ...saved, lastRun },
    report: {
      changes: changes.filter(({ place }) => !isLeft(place) && !isBegun(place)),
      changedMeanwhile: changedCells,
      keptColumns: changedColumns,
      notRefreshed: [...notRefreshed.values()],
      unknownTypes,
      missingColumns: saved.columns.map(({ header }) => header).filter((header) => !here.has(header)),
      ownRows: table.rowCount - rows.length,
      otherEntries: others.size,
      newRows: newRows.ids.length,
      withoutRow: added.withoutRow,
      notesLeft,
      read: { ids: read.ids, keys: [...read.keys, ...newRows.ids.map(rowKey)] },
    },
  };
  await onWritten?.(outcome);
  // An answer that was not refreshed keeps the value that was known of it. If a note was not written, the next refresh writes it.
  const now = new Map([...(last ?? []), ...snapshotOf(wanted, outcomeOf)]);
  if (notesLeft > 0) for (const key of [...noted, ...newRows.noted]) now.delete(key);
  await snapshots.write(saved.id, now);
  return outcome;
}

/** What tells of the AHJ and the type of rows that were added before a run was interrupted, where it is still lacking. */
function begunCells({ columns, types }: SavedImport, table: TableColumns, rows: readonly ImportRow[]) {
  return columns.flatMap(({ header, content }): CellUpdate[] => {
    const values = table.columns.get(header)?.values;
    if (content.of === "answer" || !values) return [];
    const cellOf = cellReader(content, { types, of: () => null });
    return rows.flatMap(({ row, ahj, typeId }) => {
      const type = types.find(({ id }) => id === typeId) ?? null;
      return values[row] === "" ? [{ row, header, cell: cellOf({ ahj, type }), shown: "" }] : [];
    });
  });
}

/** What of the cells that are there is other than the service says. */
function compareCells(
  saved: SavedImport,
  places: readonly AnswerPlace[],
  outcomeOf: OutcomeOf,
  last: Snapshot | undefined,
) {
  const changes: ValueChange[] = [];
  const notRefreshed = new Map<number, NotRefreshed>();
  const unknownTypes = new Map<number, ColumnType>();
  const updates: CellUpdate[] = [];
  const noted: string[] = [];
  let values = 0;
  for (const answerPlace of places) {
    const { ahj, type, part, place, shown } = answerPlace;
    const outcome = outcomeOf(ahj.id, type.id);
    if (outcome instanceof Failure) {
      if (outcome.kind === "unknown-type") unknownTypes.set(type.id, type);
      else noteNotRefreshed(notRefreshed, ahj, outcome.kind, part === "value" && shown ? place : undefined);
      continue;
    }
    const known = last?.get(answerKey(ahj.id, type.id));
    const { isShown, isOther, update } = compareCell(saved, answerPlace, outcome, known);
    if (update) updates.push(update);
    if (update && update.note !== undefined) noted.push(answerKey(ahj.id, type.id));
    if (part !== "value") continue;
    if (outcome) values += 1;
    // What a new column shows was asked to come, and is no news.
    if (shown === undefined) continue;
    // A text that somebody typed over the answer is lost with the update, so the report names it.
    const isKnownShown =
      known !== undefined &&
      shows(answerCell(part, known && { ...known, fetchedAtMs: 0 }, type), shown.value);
    const before = isKnownShown || isShown ? (known ?? null) : asShown(shown.value);
    if (isOther || !isShown) changes.push({ ahj, type, place, before, after: outcome });
  }
  return { changes, notRefreshed, unknownTypes: [...unknownTypes.values()], updates, noted, values };
}

/** Whether a cell shows what was published, whether that is other than what was known, and what is to be written. */
export function compareCell(
  saved: SavedImport,
  { part, type, place, shown }: AnswerPlace,
  outcome: Published | null,
  known: Known | null | undefined,
): { isShown: boolean; isOther: boolean; update: CellUpdate | null } {
  const isOther = known !== undefined && !isSame(known, outcome);
  const cell = answerCell(part, outcome, type);
  const isShown = shown !== undefined && shows(cell, shown.value);
  const note = noteFor(saved, part, outcome);
  // A text may change where the number that it gives does not.
  if (!isShown || (isOther && part === "value"))
    return { isShown, isOther, update: { ...place, cell, note, shown: shown?.value ?? "" } };
  // Nobody knows what the note names. A blank cell's may be the user's own.
  if (known !== undefined || !note) return { isShown, isOther, update: null };
  const numberFormat = typeof cell.value === "number" ? shown.numberFormat : cell.numberFormat;
  return {
    isShown,
    isOther,
    update: { ...place, cell: { ...cell, numberFormat }, note, shown: shown.value },
  };
}

function noteNotRefreshed(
  noted: Map<number, NotRefreshed>,
  { id, name }: { id: number; name: string },
  kind: FailureKind,
  place?: TableCell,
): void {
  const before = noted.get(id) ?? { ahjId: id, name, kind, places: [] };
  if (place) before.places.push(place);
  noted.set(id, before);
}

/** The rows of AHJs that are added, without those that the service does not give. */
function grantedRows(
  {
    newAhjs,
    types,
    published,
    outcomeOf,
  }: {
    newAhjs: readonly RowAhj[];
    types: readonly ColumnType[];
    published: Answered["of"];
    outcomeOf: OutcomeOf;
  },
  notRefreshed: Map<number, NotRefreshed>,
): Answered {
  const isRefusal = (outcome: unknown) => outcome instanceof Failure && outcome.kind !== "unknown-type";
  const granted = newAhjs.filter((ahj) => {
    const refusal = types.map(({ id }) => outcomeOf(ahj.id, id)).find(isRefusal);
    if (refusal instanceof Failure) noteNotRefreshed(notRefreshed, ahj, refusal.kind);
    return !refusal;
  });
  return { ahjs: granted, types, of: published };
}

/** Rows at the end of the table: their cells, by the columns that are there, and what tells them apart. */
function addedRows(
  answered: Answered,
  saved: SavedImport,
  { first, here }: { first: number; here: ReadonlySet<string> },
) {
  const { columns, form, types } = saved;
  const plan = planTable(answered, form);
  const headerOf = new Map(columns.map(({ header, content }) => [JSON.stringify(content), header]));
  const updates: CellUpdate[] = [];
  const noted: string[] = [];
  const changes: ValueChange[] = [];
  const rows = tableRows(answered, form.layout);
  rows.forEach(({ ahj, type }, down) => {
    plan.columns.forEach(({ content }, across) => {
      const [header, cell] = [headerOf.get(JSON.stringify(content)), plan.rows[down]?.[across]];
      if (header === undefined || !here.has(header) || !cell) return;
      const place = { row: first + down, header };
      if (content.of !== "answer") {
        // The row comes with its ids.
        const shown = content.field === "id" ? cell.value : "";
        return void updates.push({ ...place, cell, shown });
      }
      const typeId = content.typeId ?? type?.id ?? 0;
      const published = answered.of(ahj.id, typeId);
      const note = noteFor(saved, content.part, published);
      if (note !== undefined) noted.push(answerKey(ahj.id, typeId));
      updates.push({ ...place, cell, note, shown: "" });
      // In a wide table it was asked to come, and is no news.
      if (type && content.part === "value")
        changes.push({ ahj, type, place, before: null, after: published });
    });
  });
  const valuesIn = ({ ahj, type }: (typeof rows)[number]) =>
    (type ? [type] : types).filter(({ id }) => answered.of(ahj.id, id) !== null).length;
  return {
    updates,
    noted,
    ids: rows.map(({ ahj, type }) => (type ? [ahj.id, type.id] : [ahj.id])),
    rows: rows.map(({ ahj, type }) => ({ ahj, typeId: type?.id ?? null })),
    values: rows.reduce((sum, row) => sum + valuesIn(row), 0),
    changes,
  };
}

function isAmong(cells: readonly TableCell[]): (cell: TableCell) => boolean {
  const among = new Set(cells.map(({ row, header }) => JSON.stringify([row, header])));
  return ({ row, header }) => among.has(JSON.stringify([row, header]));
}

function snapshotOf(wanted: Wanted, outcomeOf: OutcomeOf): Snapshot {
  const snapshot: Snapshot = new Map();
  for (const [ahjId, typeIds] of wanted) {
    for (const typeId of typeIds) {
      const outcome = outcomeOf(ahjId, typeId);
      if (!(outcome instanceof Failure)) snapshot.set(answerKey(ahjId, typeId), outcome);
    }
  }
  return snapshot;
}

export function isSame(one: Known | null, other: Known | null): boolean {
  return (
    one?.value === other?.value && one?.reference === other?.reference && one?.section === other?.section
  );
}

/** A note that does not change with its cell would name the wrong source. */
export function noteFor({ form }: SavedImport, part: AnswerPlace["part"], outcome: Published | null) {
  if (!form.hasNotes || part !== "value") return undefined;
  return outcome && noteText(outcome);
}

/** Excel keeps a leading apostrophe to itself. */
export function shows({ value }: Cell, shown: unknown): boolean {
  return shown === (typeof value === "string" ? value.replace(/^'/, "") : value);
}

export function asShown(shown: unknown): Known | null {
  if (shown === "" || shown === undefined || shown === null) return null;
  return { value: String(shown), reference: null, section: null, updatedAt: null };
}
