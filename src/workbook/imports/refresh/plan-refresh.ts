import type { Wanted } from "../../../engine/lookup/answers/request-plan";
import { Failure } from "../../../errors";
import { rowKey, rowsRead } from "../../sheet/layout/row-keys";
import {
  type Answered,
  cellReader,
  type ColumnType,
  type PlannedColumn,
  type RowAhj,
  uniqueHeaders,
  withLook,
  withNewColumns,
} from "../../sheet/layout/table-plan";
import type { TableCell, TableColumns, TableRows } from "../../sheet/tables/bound-table";
import type { NotesOfOthers } from "../../sheet/tables/notes";
import type { CellUpdate, TableEdit } from "../../sheet/tables/table-edit";
import { createValueColumn } from "../../sheet/values/cell-value";
import { changedTypes, type ImportChange } from "../saved/change-import";
import {
  answerKey,
  answerPlaces,
  idHeaders,
  type ImportRow,
  importRows,
  type NewRow,
} from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import type { Snapshot } from "../saved/snapshots";
import {
  asShown,
  compareAnswers,
  doesShow,
  type NotRefreshed,
  type OutcomeOf,
  type ReplacedText,
  type ValueChange,
} from "./compare-answers";
import { grantedAhjs, planNewRows } from "./new-rows";
import { datedAs, type Dates, newValues, type Rowless, rowlessAhjs, type RowlessValue } from "./new-values";

/** What a refresh starts from: anything that has such a table can be refreshed, in Excel or not. */
export interface RefreshStart {
  saved: SavedImport;
  /** What the import is to become with it. */
  change?: ImportChange | undefined;
  /** What an interrupted run has begun. */
  begun?: BegunEdit | undefined;
  /** The columns of the import and of its list, as they were read. */
  table: TableColumns;
  /** What this device knows of the last run. */
  last: Snapshot | undefined;
}

/** Columns and rows that an edit adds, before it fills them. */
export interface BegunEdit {
  columns: readonly string[];
  rows: readonly NewRow[];
}

export const nothingBegun: BegunEdit = { columns: [], rows: [] };

/** A refresh before it has asked. */
export interface PreparedRefresh {
  /** As the import was. */
  before: SavedImport;
  /** As the import is to become. */
  saved: SavedImport;
  /** Its columns as they were. */
  headers: string[];
  newColumns: string[];
  goneColumns: string[];
  table: TableColumns;
  last: Snapshot | undefined;
  rows: ImportRow[];
  /** Columns and rows that an interrupted run has added. */
  begun: { columns: readonly string[]; rows: ImportRow[] };
  /** AHJs whose values may have no row. */
  mayLackRows: number[];
  newAhjs: RowAhj[];
  /** What is to be asked. */
  wanted: Wanted;
}

/** What the service has said. */
export interface RefreshAnswers {
  outcomeOf: OutcomeOf;
  /** The values of a long table that have no row: see `rowlessValues`. */
  rowless: readonly RowlessValue[];
  /** The rows beside a list whose entry is another AHJ's by now: see `rowsOfOthers`. They are left as they are. */
  others: ReadonlySet<number>;
  /** Of `doubtfulValues`. */
  dates?: Dates | undefined;
  /** Who `unidentifiedAhjs` are. */
  who?: ReadonlyMap<number, RowAhj> | undefined;
}

/** What became of a refresh. */
export interface RefreshReport {
  changes: ValueChange[];
  notRefreshed: NotRefreshed[];
  /** Types that the service no longer knows, or a collection no longer asks for: they kept their last values. */
  unknownTypes: ColumnType[];
  /** Cells that somebody has changed while the refresh ran: they were left as they are. */
  changedMeanwhile: TableCell[];
  /** Texts that somebody had typed over a citation, and that were replaced. */
  replaced: ReplacedText[];
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
  /** Notes that the add-in does not know to be its own. */
  notesOfOthers: NotesOfOthers;
}

/** What only the edit tells. */
export type EditResult = Pick<
  RefreshReport,
  "changedMeanwhile" | "keptColumns" | "notesLeft" | "notesOfOthers"
>;

/** What a refresh does to its table, and what comes of it. */
export interface RefreshPlan {
  saved: SavedImport;
  edit: TableEdit;
  /** The columns and rows that this or an interrupted run adds. */
  added: BegunEdit;
  /** If nobody changes anything meanwhile. */
  report: Omit<RefreshReport, keyof EditResult>;
  run: Pick<SavedImport["lastRun"], "rows" | "values" | "notRefreshed">;
  /** What is to be kept of this run. */
  snapshot: Snapshot;
  /** The answers, by `answerKey`, whose notes are to be written. */
  noted: string[];
}

/**
 * What a refresh has to ask. Rows are recognised by AHJ id, columns by header, wherever they stand; a value that has no
 * row yet in a long table may get one. Fails with table-gone without the columns of ids.
 */
export function prepareRefresh({
  saved: before,
  change,
  begun = nothingBegun,
  table,
  last,
}: RefreshStart): PreparedRefresh {
  const { saved, newColumns, goneColumns } = change
    ? changedTypes(before, change.types, table.headers, begun.columns)
    : { saved: before, newColumns: [], goneColumns: [] };
  const begunAhjs = new Map(begun.rows.map(({ ahj, typeId }) => [answerKey(ahj.id, typeId ?? 0), ahj]));
  const begunAhj = ({ ahj, typeId }: NewRow) =>
    begunAhjs.size === 0 ? undefined : begunAhjs.get(answerKey(ahj.id, typeId ?? 0));
  const rows = importRows(saved, table).map((row) => ({ ...row, ahj: begunAhj(row) ?? row.ahj }));
  const begunRows = rows.filter((row) => begunAhj(row) !== undefined);
  const there = new Set(rows.map(({ ahj }) => ahj.id));
  // In a long table any value may be new, and any AHJ may have its first.
  const mayLackRows = saved.form.layout === "long" ? [...there, ...rowlessAhjs(last, there)] : [];
  const newAhjs = (change?.newAhjs ?? []).filter(({ id }) => !there.has(id));
  const allTypes = new Set(saved.types.map(({ id }) => id));
  const wanted = new Map<number, ReadonlySet<number>>();
  const columnTypes = typesOfColumns(saved, table, newColumns);
  if (columnTypes.size > 0) for (const { ahj } of rows) wanted.set(ahj.id, columnTypes);
  for (const id of [...mayLackRows, ...newAhjs.map((ahj) => ahj.id)]) wanted.set(id, allTypes);
  const headers = before.columns.map(({ header }) => header);
  return {
    ...{ before, saved, headers, newColumns, goneColumns, table, last, rows, mayLackRows, newAhjs, wanted },
    begun: { columns: begun.columns, rows: begunRows },
  };
}

/** The types that have columns of their own in a wide table, there or to come. */
function typesOfColumns(
  { columns, types }: SavedImport,
  table: TableColumns,
  newColumns: readonly string[],
): ReadonlySet<number> {
  const ofColumns = columns.flatMap(({ header, content }) =>
    content.of === "answer" && (table.columns.has(header) || newColumns.includes(header))
      ? [content.typeId]
      : [],
  );
  return new Set(types.map(({ id }) => id).filter((id) => ofColumns.includes(id)));
}

/** As much of an import as one type takes. */
export function onlyType(saved: SavedImport, typeId: number): SavedImport {
  return {
    ...saved,
    types: saved.types.filter(({ id }) => id === typeId),
    columns: saved.columns.filter(
      ({ content }) => content.of !== "answer" || content.typeId === null || content.typeId === typeId,
    ),
  };
}

/** What a refresh of one answer has to ask: it changes the rows that are there, and adds none. */
export function prepareCell(
  { saved, table, last }: Omit<RefreshStart, "change">,
  { ahjId, typeId }: { ahjId: number; typeId: number },
): PreparedRefresh {
  const prepared = prepareRefresh({ saved: onlyType(saved, typeId), table, last });
  return {
    ...prepared,
    rows: prepared.rows.filter(({ ahj }) => ahj.id === ahjId),
    mayLackRows: [],
    wanted: new Map([[ahjId, new Set([typeId])]]),
  };
}

/** The ids of AHJs that get their first row, and of which nothing but the id is known. */
export function unidentifiedAhjs(prepared: PreparedRefresh, rowless: Rowless): number[] {
  const there = new Set(prepared.rows.map(({ ahj }) => ahj.id));
  return newValues(prepared, rowless).ahjIds.filter((id) => !there.has(id));
}

/**
 * What a refresh changes. It writes only cells whose answer differs; all that is the user's own stays as it is. Pauses after each
 * cell.
 */
export function* planRefresh(
  prepared: PreparedRefresh,
  answers: RefreshAnswers,
): Generator<void, RefreshPlan> {
  const { table, last, rows, begun } = prepared;
  const { outcomeOf, others } = answers;
  const { saved, newColumns } = yield* withLooks(prepared, outcomeOf);
  const asListed = rows.filter(({ row }) => !others.has(row));
  const places = answerPlaces(saved, table, asListed, newColumns);
  const compared = yield* compareAnswers(saved, places, outcomeOf, last);
  const { notRefreshed, unknownTypes } = compared;
  const { answered, withoutRow } = yield* answeredRows(prepared, answers, notRefreshed);
  const read = rowsRead(table, idHeaders(saved));
  const inGoneColumns = yield* textsInGoneColumns(prepared);
  const here = new Set([...table.headers, ...newColumns]);
  const added = yield* planNewRows(answered, saved, { first: table.rowCount, here });
  // What an interrupted change was to bring is no news.
  const begunRows = saved.form.layout === "long" ? [] : begun.rows.map(({ row }) => row);
  const begunPlaces = new Set<string | number>([...begun.columns, ...begunRows]);
  const isNews = ({ place }: ValueChange) => !begunPlaces.has(place.row) && !begunPlaces.has(place.header);
  return {
    saved,
    added: { columns: [...begun.columns, ...newColumns], rows: [...begun.rows, ...added.rows] },
    edit: {
      read,
      newRows: added.ids,
      newColumns,
      columns: prepared.headers,
      goneColumns: prepared.goneColumns.map((header) => ({
        header,
        shown: table.columns.get(header)?.values ?? [],
        typedRows: new Set(
          inGoneColumns.flatMap(({ place }) => (place.header === header ? [place.row] : [])),
        ),
      })),
      updates: [...begunCells(saved, table, begun.rows), ...compared.updates, ...added.updates],
    },
    report: {
      changes: [...compared.changes, ...added.changes].filter(isNews),
      notRefreshed: [...notRefreshed.values()],
      unknownTypes,
      replaced: [...compared.replaced, ...inGoneColumns],
      missingColumns: saved.columns.map(({ header }) => header).filter((header) => !here.has(header)),
      ownRows: table.rowCount - rows.length,
      otherEntries: others.size,
      newRows: added.ids.length,
      withoutRow,
      read: { ids: read.ids, keys: [...read.keys, ...added.ids.map(rowKey)] },
    },
    run: {
      rows: asListed.length + added.ids.length,
      values: compared.values + added.values,
      notRefreshed: notRefreshed.size,
    },
    snapshot: snapshotAfter(prepared, outcomeOf),
    noted: [...compared.noted, ...added.noted],
  };
}

/**
 * The import and its new columns as their answers have them look: whether their amounts are in one unit, which a header can name, is
 * known only now. A header that an interrupted change has begun is there already.
 */
function* withLooks(
  { saved, newColumns, rows, newAhjs, table, begun }: PreparedRefresh,
  outcomeOf: OutcomeOf,
): Generator<void, Pick<PreparedRefresh, "saved" | "newColumns">> {
  if (newColumns.length === 0) return { saved, newColumns };
  const toCome = new Set(newColumns);
  const isNew = ({ header }: PlannedColumn) => toCome.has(header);
  const ahjIds = new Set([...rows.map(({ ahj }) => ahj.id), ...newAhjs.map(({ id }) => id)]);
  const added: PlannedColumn[] = [];
  for (const column of saved.columns.filter(isNew)) {
    const { content } = column;
    const type = saved.types.find(({ id }) => content.of === "answer" && id === content.typeId);
    const isValue = content.of === "answer" && content.part === "value";
    if (!isValue || !type) {
      added.push(column);
      continue;
    }
    const values = createValueColumn(type.unit_of_measure);
    for (const ahjId of ahjIds) {
      const outcome = outcomeOf(ahjId, type.id);
      if (outcome !== null && !(outcome instanceof Failure)) values.cell(outcome.value);
      yield;
    }
    added.push(withLook(column, type, values.settle()));
  }
  const kept = saved.columns.filter((column) => !isNew(column));
  const unique = uniqueHeaders(added, [
    ...table.headers.filter((header) => !begun.columns.includes(header)),
    ...kept.map(({ header }) => header),
  ]);
  return {
    saved: { ...saved, columns: withNewColumns(kept, unique) },
    newColumns: unique.map(({ header }) => header).filter((header) => !table.headers.includes(header)),
  };
}

/** Texts that somebody typed into columns that go, over answers or in rows of their own: nothing else tells of them. */
function* textsInGoneColumns(prepared: PreparedRefresh): Generator<void, ReplacedText[]> {
  const { before, table, rows, last, goneColumns } = prepared;
  if (goneColumns.length === 0) return [];
  const gone = new Set(goneColumns);
  const ofImport = new Set(rows.map(({ row }) => row));
  const inOwnRows = goneColumns.flatMap((header) =>
    (table.columns.get(header)?.values ?? []).flatMap((value, row) => {
      const text = ofImport.has(row) ? null : asShown(value);
      return text ? [{ place: { row, header }, text: text.value }] : [];
    }),
  );
  const overAnswers: ReplacedText[] = [];
  const columns = before.columns.filter(({ header }) => gone.has(header));
  for (const { ahj, type, part, place, shown } of answerPlaces({ ...before, columns }, table, rows)) {
    yield;
    const known = last?.get(ahj.id, type.id);
    const text = asShown(shown?.value);
    if (text === null || (known !== undefined && doesShow(known, part, type, shown?.value))) continue;
    overAnswers.push({ place, text: text.value });
  }
  return [...overAnswers, ...inOwnRows];
}

/** What tells of the AHJ and the type of rows that were added before a run was interrupted, where it is still lacking. */
function begunCells(
  { columns, types }: SavedImport,
  table: TableColumns,
  rows: readonly ImportRow[],
): CellUpdate[] {
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

/** The rows that are added: in a long table those of new values, in a wide one those of new AHJs. */
function* answeredRows(
  prepared: PreparedRefresh,
  { outcomeOf, rowless, dates = new Map(), who }: RefreshAnswers,
  notRefreshed: Map<number, NotRefreshed>,
): Generator<void, { answered: Answered; withoutRow: number }> {
  const { types, form } = prepared.saved;
  if (form.layout === "wide") {
    const of = (ahjId: number, typeId: number) => {
      const outcome = outcomeOf(ahjId, typeId);
      return outcome instanceof Failure ? null : outcome;
    };
    const ahjs = yield* grantedAhjs(prepared.newAhjs, types, outcomeOf, notRefreshed);
    return { answered: { ahjs, types, of }, withoutRow: 0 };
  }
  const { ahjIds, of, withoutRow } = newValues(prepared, { rowless, dates });
  const there = new Map(prepared.rows.map(({ ahj }) => [ahj.id, ahj]));
  // Its value is there, whoever it is.
  const unknown = (id: number) => ({ id, name: `AHJ ${id}`, type: "", state_code: "", geoid: null });
  const ahjs = ahjIds.map((id) => there.get(id) ?? who?.get(id) ?? unknown(id));
  return { answered: { ahjs, types, of }, withoutRow };
}

/** The plan with the dates of what has changed: see `valuesToDate`. */
export function withDates(plan: RefreshPlan, dates: Dates): RefreshPlan {
  const changes = plan.report.changes.map((change) => ({ ...change, after: datedAs(change, dates) }));
  return { ...plan, report: { ...plan.report, changes } };
}

/** What became of a refresh once its table was edited: the import as it is then, its report, and what is kept of the run. */
export function finishRefresh(
  { saved, report, run, snapshot, noted }: RefreshPlan,
  result: EditResult,
  nowMs: number,
): { saved: SavedImport; report: RefreshReport; snapshot: Snapshot } {
  const isLeft = isAmong(result.changedMeanwhile);
  // The next refresh writes the notes.
  const unknown = new Set(result.notesLeft > 0 ? noted : []);
  const isUnknown = (ahjId: number, typeId: number) =>
    unknown.size > 0 && unknown.has(answerKey(ahjId, typeId));
  const get = (ahjId: number, typeId: number) =>
    isUnknown(ahjId, typeId) ? undefined : snapshot.get(ahjId, typeId);
  return {
    saved: { ...saved, lastRun: { atMs: nowMs, ...run } },
    report: {
      ...report,
      ...result,
      changes: report.changes.filter(({ place }) => !isLeft(place)),
      replaced: report.replaced.filter(({ place }) => !isLeft(place)),
    },
    snapshot: { ...snapshot, get },
  };
}

function isAmong(cells: readonly TableCell[]): (cell: TableCell) => boolean {
  const rowsOf = new Map<string, Set<TableCell["row"]>>();
  for (const { row, header } of cells) rowsOf.set(header, (rowsOf.get(header) ?? new Set()).add(row));
  return ({ row, header }) => rowsOf.get(header)?.has(row) ?? false;
}

/** What is known after a run. An answer that was not refreshed keeps the value that was known of it. */
function snapshotAfter({ last, wanted }: PreparedRefresh, outcomeOf: OutcomeOf): Snapshot {
  const none: ReadonlySet<number> = new Set();
  return {
    ahjIds: () => new Set([...(last?.ahjIds() ?? []), ...wanted.keys()]),
    mostTypes: (last?.mostTypes ?? 0) + Math.max(0, ...new Set([...wanted.values()].map(({ size }) => size))),
    typeIds(ahjId) {
      const [before, now] = [last?.typeIds(ahjId) ?? none, wanted.get(ahjId) ?? none];
      return before.size === 0 ? now : new Set([...before, ...now]);
    },
    get(ahjId, typeId) {
      const isAsked = wanted.get(ahjId)?.has(typeId) ?? false;
      const outcome = isAsked ? outcomeOf(ahjId, typeId) : undefined;
      return outcome === undefined || outcome instanceof Failure ? last?.get(ahjId, typeId) : outcome;
    },
  };
}
