import { createPlaces } from "../../../engine/lookup/directory/places";
import type { Directory } from "../../../engine/lookup/directory/directory";
import type { WantedAnswers } from "../../../engine/lookup/answers/request-plan";
import { Failure } from "../../../errors";
import { mostLeft } from "../../../find/find-schema";
import { rowKey } from "../../sheet/layout/row-keys";
import {
  type NewRow,
  type TableAnswers,
  cellReader,
  type ColumnType,
  type PlannedColumn,
  plainForm,
  planTable,
  type RowAhj,
  uniqueHeaders,
  withLook,
  withNewColumns,
} from "../../sheet/layout/table-plan";
import type { Known } from "../../sheet/layout/answer-parts";
import type { TableCell, TableColumns, TableRows } from "../../sheet/tables/bound-table";
import type { NotesOfOthers } from "../../sheet/tables/notes";
import type { CellUpdate, EditOutcome, TableEdit } from "../../sheet/tables/table-edit";
import { createValueColumn } from "../../sheet/values/value-column";
import { changedTypes, type ImportChange } from "../saved/change-import";
import {
  ahjPlaces,
  answerKey,
  answerPlaces,
  idHeaders,
  type ImportRow,
  importRows,
  type ServicePlace,
  shownAt,
} from "../saved/import-rows";
import {
  type CellDigests,
  createDigests,
  digestOf,
  editedDigest,
  noDigest,
  type ServiceCellKey,
  shownBy,
} from "../saved/cell-digests";
import type { SavedImport } from "../saved/saved-import";
import type { Snapshot } from "../saved/snapshots";
import { factsTold } from "./ahj-facts";
import {
  asShown,
  type ChangedAhj,
  compareAnswers,
  doesShow,
  type EditedCell,
  type NotRefreshed,
  type OutcomeOf,
  type ReplacedText,
  shows,
  typedText,
  type ValueChange,
} from "./compare-answers";
import type { FoundAgain } from "./find-again";
import { grantedAhjs, planNewRows } from "./new-rows";
import { columnsInPlace, keepDigestsOfMissing, type RenamedColumn, withSameCells } from "./renamed-columns";
import { certaintyCells, newIds, rowsToFind, withFollowed } from "./followed-rows";
import type { FollowedRow } from "./list-entry";
import { whoseCell } from "./whose-cell";
import type { UncheckedAhj } from "./unchecked";
import { datedAs, type Dates, newValues, type Rowless, rowlessAhjs, type RowlessValue } from "./new-values";

/** The input of a refresh. Any table of this form can be refreshed, in Excel or elsewhere. */
export interface RefreshStart {
  saved: SavedImport;
  /** The types and jurisdictions that the refresh also changes the import to, if any. */
  change?: ImportChange | undefined;
  /** The jurisdictions that the import's find gives now, if it has a find. */
  found?: FoundAgain | undefined;
  /** The columns and rows that an interrupted run has added. */
  begun?: BegunEdit | undefined;
  /** The rows beside a list that get the answers of another AHJ, because their entry names it now; see `followedRows`. */
  followed?: readonly FollowedRow[] | undefined;
  /** True if the table may still lack the import's column of ids, which it then gets. */
  addsIds?: boolean | undefined;
  /** The columns of the import, of its list and those of `columnsInPlace`, as they were read. */
  table: TableColumns;
  /** The answers of the last run that this device has kept; undefined if it has kept none. */
  last: Snapshot | undefined;
  /** The workbook's digests of the cells that were written. */
  digests: CellDigests;
}

/** The columns and rows that an edit adds before it fills them. */
export interface BegunEdit {
  columns: readonly string[];
  rows: readonly NewRow[];
}

export const nothingBegun: BegunEdit = { columns: [], rows: [] };

/** A refresh before it asks the service. */
export interface PreparedRefresh {
  /** The import as it was. */
  before: SavedImport;
  /** The import as it is to become. */
  saved: SavedImport;
  /** The headers of the import's columns as it was. */
  headers: string[];
  newColumns: string[];
  goneColumns: string[];
  /** The headers of the user's own columns that get answers for the first time. They hold nothing that the service said. */
  filled: ReadonlySet<string>;
  table: TableColumns;
  last: Snapshot | undefined;
  digests: CellDigests;
  /** True if cells that somebody has typed into are left as they are. */
  keepsEdits: boolean;
  /** The rows with the AHJs that they are to have. */
  rows: ImportRow[];
  followed: readonly FollowedRow[];
  /** The columns and rows that an interrupted run has added. */
  begun: { columns: readonly string[]; rows: ImportRow[] };
  /** The AHJs whose values may have no row. */
  mayLackRows: number[];
  newAhjs: RowAhj[];
  found: FoundAgain | undefined;
  /** The AHJs and types to ask for. */
  wanted: WantedAnswers;
}

/** The service's answers to a refresh. */
export interface RefreshAnswers {
  outcomeOf: OutcomeOf;
  /** The values of a long table that have no row; see `rowlessValues`. */
  rowless: readonly RowlessValue[];
  /** The rows beside a list whose entry now names another AHJ; see `rowsOfOthers`. They are left as they are. */
  others: ReadonlySet<number>;
  /** The time since which the service may have changed its answers. */
  asOfMs?: number | undefined;
  /** The dates of `doubtfulValues`. */
  dates?: Dates | undefined;
  /** The AHJs of `unidentifiedAhjs`, by id. */
  who?: ReadonlyMap<number, RowAhj> | undefined;
  /** The service's present description of a type; undefined if no answer of this refresh has held it. */
  typeNow?: ((typeId: number) => ColumnType | undefined) | undefined;
  /** The service's present description of an AHJ; undefined if no answer of this refresh has held it. */
  ahjNow?: ((ahjId: number) => RowAhj | undefined) | undefined;
}

/** The outcome of a refresh. */
export interface RefreshReport {
  atMs: number;
  changes: ValueChange[];
  /** Cells that somebody has typed into. They were left as they are. */
  edited: EditedCell[];
  /** Values that were replaced although it is not known whether the service or a person had entered the earlier ones. */
  unsure: ValueChange[];
  /** The number of cells for which the service gave an answer or said that no value is recorded. */
  confirmed: number;
  notRefreshed: NotRefreshed[];
  /** The time as of which their values stay; null if an earlier refresh had not refreshed all of them either. */
  keptAsOfMs: number | null;
  /** Types that the service no longer knows or that the collection no longer asks for. They kept their last values. */
  unknownTypes: ColumnType[];
  /** Cells that somebody has changed while the refresh ran. They were left as they are. */
  changedMeanwhile: TableCell[];
  /** Texts that somebody had typed over a citation and that were replaced. */
  replaced: ReplacedText[];
  /** Columns that were to be removed but that somebody has changed meanwhile. They were left in the table. */
  keptColumns: string[];
  /** Columns of the import that are no longer in the table. */
  missingColumns: string[];
  /** The missing columns that are there under a header that somebody has given them. Their user says if they are refreshed on. */
  renamedColumns: RenamedColumn[];
  /** The number of rows that belong to no AHJ: the user's own. */
  ownRows: number;
  /** The rows beside a list that have got the answers of the AHJ that their entry names now. */
  followed: FollowedEntry[];
  /** The rows beside a list whose entry now names another AHJ, and not for certain which. They were left as they are. */
  otherEntries: OtherEntry[];
  /** The number of rows that were added at the end of the table. */
  newRows: number;
  /** Jurisdictions that the import's find gives now and did not give at the last run. */
  entered: EnteredAhj[];
  /** The number of jurisdictions with rows. */
  ahjs: number;
  /**
   * Jurisdictions with rows whose answers were seen not to meet the find's conditions, for the first time. Their rows were left in the table.
   */
  left: LeftAhj[];
  /** The jurisdictions that left and had been reported before. */
  stillLeft: LeftAhj[];
  /** Jurisdictions with rows of which it is not known whether they meet the find's conditions, beside those of `notRefreshed`. */
  unchecked: UncheckedAhj[];
  /** The number of values of a long table whose rows the user has taken out. They were not added again. */
  withoutRow: number;
  /** The rows as they were read, by which a cell's place is found even if its row has moved since. */
  read: TableRows;
  /** Questions whose name or unit is another now, with the headers that follow them. */
  renamed: RenamedType[];
  /** The number of notes that still name the source of the last value, because this Excel can't change them. */
  notesLeft: number;
  /** Notes that the add-in did not write, as far as it knows. */
  notesOfOthers: NotesOfOthers;
}

/** A row that has followed its entry in the list. */
export interface FollowedEntry {
  /** The cell of the entry. */
  place: TableCell;
  /** The AHJ that the row had; null if it had none. */
  before: RowAhj | null;
  ahj: RowAhj;
}

/** A row beside a list whose entry names another AHJ than the one whose answers stand in it. */
export interface OtherEntry {
  place: TableCell;
  /** The text that stands in the list now. */
  entry: string;
  /** The AHJ of the answers. */
  ahj: RowAhj;
}

/** A question that the service describes otherwise now. */
export interface RenamedType {
  before: ColumnType;
  after: ColumnType;
  /** The headers that were changed, by what they were. */
  headers: { before: string; after: string }[];
}

/** A jurisdiction that a find gives now and did not give before. */
export interface EnteredAhj extends RowAhj {
  /** The first cell of its row, if the row has stayed in the table since the jurisdiction had left; undefined if a row was added. */
  place?: TableCell | undefined;
}

/** A jurisdiction whose answers no longer meet the conditions of a find. */
export interface LeftAhj {
  ahj: RowAhj;
  /** The first cell of its row. */
  place: TableCell;
}

/** The fields of the report that are known only after the edit. */
type Later = "changedMeanwhile" | "keptColumns" | "notesLeft" | "notesOfOthers" | "atMs";

/** The changes that a refresh makes to its table, and its report. */
export interface RefreshPlan {
  saved: SavedImport;
  edit: TableEdit;
  /** The columns and rows that this run or an interrupted one adds. */
  added: BegunEdit;
  /** The report, if nobody changes anything meanwhile. */
  report: Omit<RefreshReport, Later>;
  run: Omit<SavedImport["lastRun"], "atMs" | "by">;
  /** The answers that this device keeps of the run. */
  snapshot: Snapshot;
  /** The digests of all cells, before and after the edit. */
  digests: CellDigests;
  /** The key of a cell's digest, in a row that was read or is added; undefined if the cell has none. */
  keyOf: (place: TableCell) => ServiceCellKey | undefined;
  /** The answers, by `answerKey`, whose notes are to be written. */
  noted: string[];
}

/**
 * The questions of a refresh. Rows are recognized by AHJ id and columns by header, wherever they stand; a value of a long table that has no
 * row yet may get one. Fails with table-gone if the columns of ids are missing.
 */
export function prepareRefresh({
  saved: before,
  change,
  found,
  begun = nothingBegun,
  followed = [],
  addsIds = false,
  table,
  last,
  digests,
}: RefreshStart): PreparedRefresh {
  const {
    saved,
    newColumns: ofTypes,
    goneColumns,
  } = change
    ? changedTypes(before, change, table.headers, begun.columns)
    : { saved: before, newColumns: [], goneColumns: [] };
  const idsToCome = addsIds ? idHeaders(saved).filter((header) => !table.headers.includes(header)) : [];
  const newColumns = [...ofTypes, ...idsToCome];
  const begunAhjs = new Map(begun.rows.map(({ ahj, typeId }) => [answerKey(ahj.id, typeId ?? 0), ahj]));
  const begunAhj = ({ ahj, typeId }: NewRow) =>
    begunAhjs.size === 0 ? undefined : begunAhjs.get(answerKey(ahj.id, typeId ?? 0));
  const rows = withFollowed(
    idsToCome.length > 0
      ? []
      : importRows(saved, table).map((row) => ({ ...row, ahj: begunAhj(row) ?? row.ahj })),
    followed,
  );
  const begunRows = rows.filter((row) => begunAhj(row) !== undefined);
  const there = new Set(rows.map(({ ahj }) => ahj.id));
  const newAhjs = (change?.newAhjs ?? []).filter(({ id }) => !there.has(id));
  // In a long table, any value may be new, and any AHJ may have its first value.
  const mayLackRows =
    saved.form.layout === "long"
      ? [...new Set([...there, ...rowlessAhjs(last, there), ...newAhjs.map(({ id }) => id)])]
      : [];
  const allTypes = new Set(saved.types.map(({ id }) => id));
  const wanted = new Map<number, ReadonlySet<number>>();
  const columnTypes = typesOfColumns(saved, table, newColumns);
  if (columnTypes.size > 0) for (const { ahj } of rows) wanted.set(ahj.id, columnTypes);
  for (const id of [...mayLackRows, ...newAhjs.map((ahj) => ahj.id)]) wanted.set(id, allTypes);
  const headers = before.columns.map(({ header }) => header);
  return {
    before,
    saved,
    headers,
    newColumns,
    goneColumns,
    filled: new Set(change?.into?.map(({ header }) => header)),
    table,
    last,
    digests,
    keepsEdits: true,
    rows,
    followed,
    mayLackRows,
    newAhjs,
    found,
    wanted,
    begun: { columns: begun.columns, rows: begunRows },
  };
}

/** The types that have columns of their own in a wide table, present or to be added. */
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

/** The import reduced to one type and its columns. */
export function onlyType(saved: SavedImport, typeId: number): SavedImport {
  return {
    ...saved,
    types: saved.types.filter(({ id }) => id === typeId),
    columns: saved.columns.filter(
      ({ content }) => content.of !== "answer" || content.typeId === null || content.typeId === typeId,
    ),
  };
}

/**
 * The question of a refresh of one answer. It changes the rows that are there and adds none. An edited cell is overwritten, because the
 * user has asked for the service's answer.
 */
export function prepareCell(
  { saved, table, last, digests }: Omit<RefreshStart, "change" | "begun">,
  { ahjId, typeId }: { ahjId: number; typeId: number },
): PreparedRefresh {
  const prepared = prepareRefresh({ saved: onlyType(saved, typeId), table, last, digests });
  return {
    ...prepared,
    keepsEdits: false,
    rows: prepared.rows.filter(({ ahj }) => ahj.id === ahjId),
    mayLackRows: [],
    wanted: new Map([[ahjId, new Set([typeId])]]),
  };
}

/** The ids of AHJs that get their first row and of which only the id is known. */
export function unidentifiedAhjs(prepared: PreparedRefresh, rowless: Rowless): number[] {
  const there = new Set(prepared.rows.map(({ ahj }) => ahj.id));
  return newValues(prepared, rowless).ahjIds.filter((id) => !there.has(id));
}

function otherEntries(
  { saved: { listHeader }, table, rows }: PreparedRefresh,
  others: ReadonlySet<number>,
): OtherEntry[] {
  const header = listHeader ?? "";
  const entries = table.columns.get(header)?.values;
  return rows
    .filter(({ row }) => others.has(row))
    .map(({ row, ahj }) => ({ place: { row, header }, entry: String(entries?.[row] ?? ""), ahj }));
}

/**
 * Plans the changes of a refresh. It writes only cells whose answer differs; everything of the user's stays as it is. Pauses after each
 * cell.
 */
export function* planRefresh(
  prepared: PreparedRefresh,
  answers: RefreshAnswers,
): Generator<void, RefreshPlan> {
  const { table, rows, begun } = prepared;
  const { outcomeOf, others } = answers;
  const renamed = typesRenamed(prepared, answers);
  const described = { ...prepared, saved: withTypes(prepared.saved, renamed) };
  const looked = yield* withLooks(described, outcomeOf);
  const { newColumns } = looked;
  const isRenamed = new Set(renamed.map(({ before }) => before.id));
  const follow = yield* withHeaders({ ...described, saved: looked.saved }, outcomeOf, renamed);
  const { saved, headers } = follow;
  const digests = createDigests(prepared.digests.stateId);
  const asListed = rows.filter(({ row }) => !others.has(row));
  const factOf = factsTold(rows, answers.ahjNow);
  const places = servicePlaces({ ...prepared, saved, newColumns, rows: asListed });
  const compared = yield* compareAnswers(saved, places, outcomeOf, {
    ...prepared,
    isRenamed,
    factOf,
    written: digests,
  });
  const { notRefreshed, unknownTypes } = compared;
  const { answered, withoutRow } = yield* answeredRows(prepared, answers, notRefreshed);
  const ids = newIds(prepared);
  const read = rowsToFind(table, saved, ids);
  const inGoneColumns = yield* textsInGoneColumns(prepared);
  const here = new Set([...table.headers, ...newColumns]);
  const missingColumns = saved.columns.map(({ header }) => header).filter((header) => !here.has(header));
  keepDigestsOfMissing(saved, missingColumns, { kept: prepared.digests, written: digests });
  const added = yield* planNewRows(answered, saved, { first: table.rowCount, here });
  const rowAt = new Map(rows.map((row) => [row.row, row]));
  const keyOf = keyFinder(saved, (row) => rowAt.get(row) ?? added.rows[row - table.rowCount]);
  const ofBegunRows = begunCells(saved, table, begun.rows);
  for (const { row, header, cell } of [...ofBegunRows, ...added.updates]) {
    const key = keyOf({ row, header });
    // The AHJ's other rows have set the digest of what describes it.
    if (key && (key.typeId !== null || !digests.has(key)))
      digests.set(key, digestOf(key, ""), digestOf(key, shownBy(cell)));
    yield;
  }
  // A change of the import's questions or jurisdictions may have been interrupted. The values in the columns and rows that it had begun to add
  // are new to the sheet, but nothing has changed at the service, so they are not reported as changes.
  const begunRows = saved.form.layout === "long" ? [] : begun.rows.map(({ row }) => row);
  // So are the values of a row that follows its list.
  const followedRows = new Set(prepared.followed.map(({ row }) => row));
  const begunPlaces = new Set<string | number>([
    ...begun.columns,
    ...prepared.filled,
    ...begunRows,
    ...followedRows,
  ]);
  const isNews = ({ place }: ValueChange) => !begunPlaces.has(place.row) && !begunPlaces.has(place.header);
  const found = leftAhjs(prepared, notRefreshed);
  return {
    saved: withNewHeaders(prepared.found ? rememberingLeft(prepared, saved, found) : saved, headers),
    added: { columns: [...begun.columns, ...newColumns], rows: [...begun.rows, ...added.rows] },
    edit: {
      read,
      newIds: ids,
      newRows: added.ids,
      newColumns,
      ...(begun.columns.length > 0 && { begunColumns: begun.columns }),
      columns: prepared.headers,
      goneColumns: prepared.goneColumns.map((header) => ({
        header,
        shown: table.columns.get(header)?.values ?? [],
        formulas: table.columns.get(header)?.formulas,
        typedRows: new Set(
          inGoneColumns.flatMap(({ place }) => (place.header === header ? [place.row] : [])),
        ),
      })),
      updates: [
        ...ofBegunRows,
        ...typeCells(described, renamed),
        ...certaintyCells(prepared),
        ...compared.updates,
        ...added.updates,
      ],
      newHeaders: [...headers].map(([before, after]) => ({ before, after })),
    },
    report: {
      changes: [...compared.changes, ...added.changes].filter(isNews),
      edited: compared.edited,
      // A text that may be somebody's, and that was replaced, is told in any row.
      unsure: compared.unsure.filter((change) => isNews(change) || followedRows.has(change.place.row)),
      confirmed: compared.confirmed,
      notRefreshed: [...notRefreshed.values()],
      keptAsOfMs: saved.lastRun.notRefreshed > 0 ? null : (saved.lastRun.asOfMs ?? saved.lastRun.atMs),
      unknownTypes,
      replaced: [...compared.replaced, ...inGoneColumns],
      missingColumns,
      renamedColumns: withSameCells(columnsInPlace(saved, table.headers), saved, prepared),
      ownRows: table.rowCount - rows.length,
      followed: prepared.followed.map(({ row, ahj, before }) => ({
        place: { row, header: saved.listHeader ?? "" },
        ...{ ahj, before },
      })),
      otherEntries: otherEntries(prepared, others),
      newRows: added.ids.length,
      ahjs: new Set([...asListed, ...added.rows].map(({ ahj }) => ahj.id)).size,
      entered: enteredAhjs(prepared, added.rows),
      ...found,
      withoutRow,
      renamed: renamed.map((each) => ({ ...each, headers: headersOf(saved, each.before, headers) })),
      read: { ids: read.ids, keys: [...read.keys, ...added.ids.map(rowKey)] },
    },
    run: {
      asOfMs: answers.asOfMs,
      rows: asListed.length + added.ids.length,
      values: compared.values + added.values,
      notRefreshed: notRefreshed.size,
    },
    snapshot: snapshotAfter(prepared, outcomeOf),
    digests,
    keyOf,
    noted: [...compared.noted, ...added.noted],
  };
}

/** The import's types whose name or unit is another now. */
function typesRenamed(
  { before, saved }: PreparedRefresh,
  { typeNow }: RefreshAnswers,
): { before: ColumnType; after: ColumnType }[] {
  const had = new Map(before.types.map((type) => [type.id, type]));
  return saved.types.flatMap(({ id }) => {
    const [was, now] = [had.get(id), typeNow?.(id)];
    if (!was || !now || (was.name === now.name && was.unit_of_measure === now.unit_of_measure)) return [];
    return [{ before: was, after: { id, name: now.name, unit_of_measure: now.unit_of_measure } }];
  });
}

function withTypes(saved: SavedImport, renamed: readonly { after: ColumnType }[]): SavedImport {
  const now = new Map(renamed.map(({ after }) => [after.id, after]));
  return { ...saved, types: saved.types.map((type) => now.get(type.id) ?? type) };
}

/**
 * The import, whose columns of renamed types have the number formats that suit the answers under the new unit, and the headers that these
 * columns are to get. Until the edit is done, the columns are found by the headers that they have.
 */
function* withHeaders(
  { saved, rows, table }: PreparedRefresh,
  outcomeOf: OutcomeOf,
  renamed: readonly { before: ColumnType }[],
): Generator<void, { saved: SavedImport; headers: Map<string, string> }> {
  const headers = new Map<string, string>();
  if (renamed.length === 0) return { saved, headers };
  const nameBefore = new Map(renamed.map(({ before: { id, name } }) => [id, name]));
  const planned = planTable({ ahjs: [], types: saved.types, of: () => null }, saved.form).columns;
  const nameOf = new Map(planned.map(({ header, content }) => [JSON.stringify(content), header]));
  const ahjIds = new Set(rows.map(({ ahj }) => ahj.id));
  const columns: PlannedColumn[] = [];
  for (const column of saved.columns) {
    const { content, header } = column;
    const type = saved.types.find(({ id }) => content.of === "answer" && id === content.typeId);
    // A header in the user's own words stays, and so do the cells' own units, since the header names none.
    const isNamedAfter = header.startsWith(nameBefore.get(type?.id ?? 0) ?? "\0");
    if (content.of !== "answer" || !type || !isNamedAfter || !table.headers.includes(header)) {
      columns.push(column);
      continue;
    }
    const plain = { header: nameOf.get(JSON.stringify(content)) ?? header, content };
    const looked = content.part === "value" ? yield* lookedAt(plain, type, ahjIds, outcomeOf) : plain;
    const taken = [...table.headers, ...headers.values()].filter((other) => other !== header);
    const [unique] = uniqueHeaders([looked], taken);
    if (unique && unique.header !== header) headers.set(header, unique.header);
    columns.push({ ...looked, header });
  }
  return { saved: { ...saved, columns }, headers };
}

function withNewHeaders(saved: SavedImport, headers: ReadonlyMap<string, string>): SavedImport {
  if (headers.size === 0) return saved;
  return {
    ...saved,
    columns: saved.columns.map((column) => ({
      ...column,
      header: headers.get(column.header) ?? column.header,
    })),
  };
}

function headersOf(
  { columns }: SavedImport,
  { id }: ColumnType,
  headers: ReadonlyMap<string, string>,
): RenamedType["headers"] {
  return columns.flatMap(({ header: before, content }) => {
    const after = headers.get(before);
    return content.of === "answer" && content.typeId === id && after ? [{ before, after }] : [];
  });
}

/** AHJs of a find that get their first row, or got it from an interrupted refresh, and AHJs that had left and are back. */
function enteredAhjs(prepared: PreparedRefresh, added: readonly NewRow[]): EnteredAhj[] {
  const { found, begun, before } = prepared;
  if (!found) return [];
  const isFound = new Set(found.ahjIds);
  const ahjs = new Map([...begun.rows, ...added].map(({ ahj }) => [ahj.id, ahj]));
  const hadLeft = new Set(before.find?.left);
  const back = firstCells(prepared).filter(({ ahj: { id } }) => hadLeft.has(id) && !ahjs.has(id));
  return [...ahjs.values(), ...back.map(({ ahj, place }) => ({ ...ahj, place }))].filter(({ id }) =>
    isFound.has(id),
  );
}

type NotFound = Pick<RefreshReport, "left" | "stillLeft" | "unchecked">;

function leftAhjs(
  prepared: PreparedRefresh,
  notRefreshed: Pick<ReadonlyMap<number, unknown>, "has">,
): NotFound {
  const { found, before } = prepared;
  const none: NotFound = { left: [], stillLeft: [], unchecked: [] };
  if (!found) return none;
  const hadLeft = new Set(before.find?.left);
  for (const { ahj, place } of firstCells(prepared)) {
    const result = found.resultFor(ahj.id);
    if (result === "yes" || notRefreshed.has(ahj.id)) continue;
    if (result !== "no") none.unchecked.push({ ahj, place, reason: result });
    else none[hadLeft.has(ahj.id) ? "stillLeft" : "left"].push({ ahj, place });
  }
  return none;
}

/**
 * The import, whose find now remembers the jurisdictions that no longer meet its conditions. One that could not be checked has left or not,
 * as before.
 */
function rememberingLeft(
  prepared: PreparedRefresh,
  saved: SavedImport,
  { left, stillLeft }: Pick<RefreshReport, "left" | "stillLeft">,
): SavedImport {
  if (!saved.find) return saved;
  const seen = new Set([...stillLeft, ...left].map(({ ahj }) => ahj.id));
  const { before, found } = prepared;
  const there = new Set(prepared.rows.map(({ ahj }) => ahj.id));
  const isUnseen = (id: number) => {
    const result = found?.resultFor(id);
    return there.has(id) && !seen.has(id) && result !== "yes";
  };
  const ids = [...(before.find?.left ?? []).filter(isUnseen), ...seen].slice(0, mostLeft);
  return { ...saved, find: { ...saved.find, left: ids } };
}

/** The first cell of each AHJ in the table. */
function firstCells({ rows, saved }: PreparedRefresh): { ahj: RowAhj; place: TableCell }[] {
  const [first] = saved.columns;
  if (!first) return [];
  const cells = new Map<number, { ahj: RowAhj; place: TableCell }>();
  for (const { ahj, row } of rows)
    if (!cells.has(ahj.id)) cells.set(ahj.id, { ahj, place: { row, header: first.header } });
  return [...cells.values()];
}

/** The cells to compare with what the service says. `begunCells` fills those that an interrupted run has left blank. */
function* servicePlaces({
  saved,
  table,
  rows,
  newColumns,
  begun,
  filled,
}: PreparedRefresh): Generator<ServicePlace, void> {
  for (const place of answerPlaces(saved, table, rows, newColumns))
    yield filled.has(place.place.header) ? { ...place, before: null } : place;
  const begunRows = new Set(begun.rows.map(({ row }) => row));
  for (const place of ahjPlaces(saved, table, rows))
    if (!begunRows.has(place.place.row) || place.shown?.value !== "") yield place;
}

/** See `RefreshPlan.keyOf`. */
function keyFinder(
  { columns }: Pick<SavedImport, "columns">,
  rowAt: (row: number) => NewRow | undefined,
): RefreshPlan["keyOf"] {
  const contentOf = new Map(columns.map(({ header, content }) => [header, content]));
  return ({ row, header }) => {
    const [content, about] = [contentOf.get(header), rowAt(row)];
    if (!content || !about) return undefined;
    const ahjId = about.ahj.id;
    if (content.of === "ahj" && content.field !== "id") return { ahjId, typeId: null, part: content.field };
    const typeId = content.of === "answer" ? (content.typeId ?? about.typeId) : null;
    return content.of !== "answer" || typeId === null ? undefined : { ahjId, typeId, part: content.part };
  };
}

/**
 * The import and its new columns with headers and number formats that suit their answers. Only the answers show whether a column's amounts
 * are in one unit, which the header can then name. A header that an interrupted change has added is in the table already.
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
    added.push(yield* lookedAt(column, type, ahjIds, outcomeOf));
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

/** A column of values with the header and number format that suit its answers. */
function* lookedAt(
  column: PlannedColumn,
  type: ColumnType,
  ahjIds: ReadonlySet<number>,
  outcomeOf: OutcomeOf,
): Generator<void, PlannedColumn> {
  const values = createValueColumn(type.unit_of_measure);
  for (const ahjId of ahjIds) {
    const outcome = outcomeOf(ahjId, type.id);
    if (outcome !== null && !(outcome instanceof Failure)) values.cell(outcome.value);
    yield;
  }
  return withLook(column, type, values.settle());
}

/**
 * Texts that somebody typed into columns that are removed, over answers or in rows of their own. They are read before the edit because the
 * report must name them.
 */
function* textsInGoneColumns(prepared: PreparedRefresh): Generator<void, ReplacedText[]> {
  const { before, table, rows, goneColumns } = prepared;
  if (goneColumns.length === 0) return [];
  const gone = new Set(goneColumns);
  const ofImport = new Set(rows.map(({ row }) => row));
  const inOwnRows = goneColumns.flatMap((header) => {
    const column = table.columns.get(header);
    return (column?.values ?? []).flatMap((_, row) => {
      const text = column && !ofImport.has(row) ? asShown(shownAt(column, row), "value", plainForm) : null;
      return text ? [{ place: { row, header }, text: text.value }] : [];
    });
  });
  const overAnswers: ReplacedText[] = [];
  const columns = before.columns.filter(({ header }) => gone.has(header));
  for (const answerPlace of answerPlaces({ ...before, columns }, table, rows)) {
    yield;
    const doesShowKnown = (known: Known | null) => doesShow(known, answerPlace, before.form);
    const whose = whoseCell(answerPlace, prepared, doesShowKnown);
    const text = typedText(answerPlace, whose, before.form);
    if (text !== null) overAnswers.push({ place: answerPlace.place, text: text.value });
  }
  return [...overAnswers, ...inOwnRows];
}

/** The cells about AHJ and type that are still blank in rows which an interrupted run had added. */
function begunCells(
  { columns, types, form }: SavedImport,
  table: TableColumns,
  rows: readonly ImportRow[],
): CellUpdate[] {
  return columns.flatMap(({ header, content }): CellUpdate[] => {
    const values = table.columns.get(header)?.values;
    if (content.of === "answer" || !values) return [];
    const cellOf = cellReader(content, { types, of: () => null }, form);
    return rows.flatMap(({ row, ahj, typeId }) => {
      const type = types.find(({ id }) => id === typeId) ?? null;
      return values[row] === "" ? [{ row, header, cell: cellOf({ ahj, type }), shown: "" }] : [];
    });
  });
}

/** The cells of a long table that still name a renamed type, or its unit, as before. */
function typeCells(
  { saved, rows, table }: PreparedRefresh,
  renamed: readonly { before: ColumnType; after: ColumnType }[],
): CellUpdate[] {
  const was = new Map(renamed.map(({ before }) => [before.id, before]));
  return saved.columns.flatMap(({ header, content }): CellUpdate[] => {
    const column = table.columns.get(header);
    if (content.of !== "type" || content.field === "id" || !column || was.size === 0) return [];
    const cellOf = cellReader(content, { types: saved.types, of: () => null }, saved.form);
    return rows.flatMap(({ row, ahj, typeId }) => {
      const before = was.get(typeId ?? 0);
      const type = saved.types.find(({ id }) => id === typeId) ?? null;
      const shown = shownAt(column, row);
      const isOurs =
        before && shown.formula === undefined && shows(cellOf({ ahj, type: before }), shown.value);
      const cell = cellOf({ ahj, type });
      return isOurs && !shows(cell, shown.value) ? [{ row, header, cell, shown: shown.value }] : [];
    });
  });
}

/** The rows to add: those of new values in a long table, those of new AHJs in a wide one. */
function* answeredRows(
  prepared: PreparedRefresh,
  { outcomeOf, rowless, dates = new Map(), who, ahjNow }: RefreshAnswers,
  notRefreshed: Map<number, NotRefreshed>,
): Generator<void, { answered: TableAnswers; withoutRow: number }> {
  const { types, form } = prepared.saved;
  if (form.layout === "wide") {
    const of = (ahjId: number, typeId: number) => {
      const outcome = outcomeOf(ahjId, typeId);
      return outcome instanceof Failure ? undefined : outcome;
    };
    const granted = yield* grantedAhjs(prepared.newAhjs, types, outcomeOf, notRefreshed);
    const ahjs = granted.map((ahj) => ahjNow?.(ahj.id) ?? ahj);
    return { answered: { ahjs, types, of }, withoutRow: 0 };
  }
  const { ahjIds, of, withoutRow } = newValues(prepared, { rowless, dates });
  const there = new Map(prepared.rows.map(({ ahj }) => [ahj.id, ahj]));
  // The value gets its row even if the AHJ can't be identified.
  const ahjs = ahjIds.map((id) => ahjNow?.(id) ?? there.get(id) ?? who?.get(id) ?? unknownAhj(id));
  return { answered: { ahjs, types, of }, withoutRow };
}

/** An AHJ of which only the id is known. */
function unknownAhj(id: number): RowAhj {
  return { id, name: `AHJ ${id}`, type: "", state_code: "", geoid: null };
}

/** True for the change of a value. A jurisdiction's description has no date. */
export function isOfAnswer<Change extends Pick<ValueChange, "type">>(
  change: Change,
): change is Change & { type: ColumnType } {
  return change.type !== null;
}

/** The plan with the dates of the changed values; see `valuesToDate`. */
export function withDates(plan: RefreshPlan, dates: Dates): RefreshPlan {
  const dated = (changes: readonly ValueChange[]) =>
    changes.map((change) => (isOfAnswer(change) ? { ...change, after: datedAs(change, dates) } : change));
  const { changes, unsure } = plan.report;
  return { ...plan, report: { ...plan.report, changes: dated(changes), unsure: dated(unsure) } };
}

/**
 * The plan with states and counties of the jurisdictions in its report, as far as they are known. An AHJ whose row is named for another one
 * by now gets its own name.
 */
export function withPlaces(plan: RefreshPlan, directory: Pick<Directory, "byId" | "known">): RefreshPlan {
  const { changes, unsure, edited, followed, otherEntries } = plan.report;
  if ([changes, unsure, edited, followed, otherEntries].every(({ length }) => length === 0)) return plan;
  const named = (ahj: RowAhj): RowAhj => directory.byId(ahj.id) ?? unknownAhj(ahj.id);
  const places = createPlaces(directory.known());
  const placed = <Told extends { ahj: ChangedAhj }>(told: readonly Told[]) =>
    told.map((each) => {
      const ahj = directory.byId(each.ahj.id);
      const county = ahj && places.countyOf(ahj);
      const state_code = each.ahj.state_code || (ahj?.state_code ?? "");
      const geoid = each.ahj.geoid ?? ahj?.geoid ?? null;
      return { ...each, ahj: { ...each.ahj, state_code, county, geoid } };
    });
  return {
    ...plan,
    report: {
      ...plan.report,
      ...{ changes: placed(changes), unsure: placed(unsure), edited: placed(edited) },
      followed: followed.map((each) => ({ ...each, before: each.before && named(each.before) })),
      otherEntries: otherEntries.map((each) => ({ ...each, ahj: named(each.ahj) })),
    },
  };
}

/** The result of a refresh after its table was edited: the import, its report, and the answers that this device keeps of the run. */
export function finishRefresh(
  { saved, report, run, snapshot, digests, keyOf, noted }: RefreshPlan,
  {
    changedCells,
    missingCells,
    missingColumns,
    changedColumns,
    notesOfOthers,
    notesLeft,
  }: EditOutcome & Pick<RefreshReport, "notesLeft">,
  atMs: number,
): { saved: SavedImport; report: RefreshReport; snapshot: Snapshot } {
  const isLeft = isAmong([...changedCells, ...missingCells]);
  const ids = new Set(idHeaders(saved));
  const hasOldId = new Set(changedCells.flatMap(({ row, header }) => (ids.has(header) ? [row] : [])));
  const now = new Map(
    report.renamed.flatMap(({ headers }) => headers.map(({ before, after }) => [before, after])),
  );
  /** The cell under the header that its column has got. */
  const at = <Place extends TableCell>(place: Place): Place => ({
    ...place,
    header: now.get(place.header) ?? place.header,
  });
  const placed = <Told extends { place: TableCell }>(told: readonly Told[]) =>
    now.size === 0 ? [...told] : told.map((each) => ({ ...each, place: at(each.place) }));
  // The next refresh writes the notes that are left. The note of a cell that was left as it is names an earlier source.
  const unknown = new Set(notesLeft > 0 ? noted : []);
  if (saved.form.hasNotes)
    for (const { ahj, type, part } of report.edited)
      if (type && part === "value") unknown.add(answerKey(ahj.id, type.id));
  const isUnknown = (ahjId: number, typeId: number) =>
    unknown.size > 0 && unknown.has(answerKey(ahjId, typeId));
  const get = (ahjId: number, typeId: number) =>
    isUnknown(ahjId, typeId) ? undefined : snapshot.get(ahjId, typeId);
  for (const place of changedCells) {
    const key = keyOf(place);
    // The AHJ's other rows share the digest of what describes it, by which this cell is known as edited.
    if (key && key.typeId !== null) digests.set(key, editedDigest, editedDigest);
  }
  for (const place of missingCells) {
    const key = keyOf(place);
    if (!key) continue;
    // If the header comes back, the cell shows the service's earlier text.
    digests.set(key, noDigest, noDigest);
    if (key.typeId !== null) unknown.add(answerKey(key.ahjId, key.typeId));
  }
  return {
    saved: { ...saved, lastRun: { atMs, ...run } },
    report: {
      ...report,
      ...{ notesLeft, notesOfOthers, atMs },
      keptColumns: changedColumns,
      missingColumns: [...new Set([...report.missingColumns, ...missingColumns])],
      changes: placed(report.changes.filter(({ place }) => !isLeft(place))),
      unsure: placed(report.unsure.filter(({ place }) => !isLeft(place))),
      replaced: placed(report.replaced.filter(({ place }) => !isLeft(place))),
      edited: placed(report.edited).map((cell) => ({ ...cell, update: at(cell.update) })),
      notRefreshed: report.notRefreshed.map((each) => ({ ...each, places: each.places.map(at) })),
      followed: report.followed.filter(({ place }) => !hasOldId.has(place.row)),
      changedMeanwhile: changedCells.map(at),
    },
    snapshot: { ...snapshot, get },
  };
}

/** Returns a function that is true for the given cells. */
export function isAmong(cells: readonly TableCell[]): (cell: TableCell) => boolean {
  const rowsOf = new Map<string, Set<TableCell["row"]>>();
  for (const { row, header } of cells) rowsOf.set(header, (rowsOf.get(header) ?? new Set()).add(row));
  return ({ row, header }) => rowsOf.get(header)?.has(row) ?? false;
}

/** The known answers after a run. An answer that was not refreshed keeps its last known value. */
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
