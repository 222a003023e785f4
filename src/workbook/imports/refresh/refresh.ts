import { finishInTurns, yieldToPage } from "../../../async/in-turns";
import type { Client } from "../../../engine/api/client";
import type { DocumentCache } from "../../../engine/cache/answer-cache";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { Credentials } from "../../../engine/transport/exchange";
import type { Failure } from "../../../errors";
import { type ImportTables, isNothing } from "../../sheet/tables/table-changes";
import type { Note } from "../../work-note/unfinished-book";
import type { RunOptions } from "../run/import-types";
import type { TableColumns } from "../../sheet/tables/bound-table";
import { listHeadersOf } from "../saved/ahj-headers";
import { importRows, rowsWithTypedId } from "../saved/import-rows";
import { endsFind, type ImportChange } from "../saved/change-import";
import type { ImportBook } from "../saved/import-book";
import type { SavedImport } from "../saved/saved-import";
import { createSnapshots } from "../saved/snapshots";
import { pastRefresh } from "./changes-sheet";
import { askCollection, askDates, askMatrix, askWho } from "./ask-again";
import { findAgain, type FoundAgain } from "./find-again";
import { followedRows, listEntries, rowsOfOthers } from "./list-entry";
import { refreshUnderWay } from "./refresh-under-way";
import { columnsInPlace } from "./renamed-columns";
import { doubtfulValues, rowlessValues, valuesToDate } from "./new-values";
import {
  type BegunEdit,
  finishRefresh,
  isOfAnswer,
  nothingBegun,
  planRefresh,
  type PreparedRefresh,
  prepareRefresh,
  type RefreshReport,
  type RefreshStart,
  unidentifiedAhjs,
  withDates,
  withPlaces,
  type RefreshPlan,
} from "./plan-refresh";

export interface RefreshDependencies {
  tables: Pick<ImportTables, "mayWrite" | "read" | "edit">;
  client: Client;
  lookup: Lookup;
  documents: DocumentCache;
  book: Pick<ImportBook, "digests" | "during" | "read" | "write" | "forget">;
  /** The connection to the service, whose address is remembered with the answers. */
  credentials: Pick<Credentials, "baseUrl">;
}

/** Options of a whole refresh. */
export interface RefreshOptions extends RunOptions, WritingOptions {
  /** The types and jurisdictions that the refresh also changes the import to, if any. */
  change?: ImportChange | undefined;
  /**
   * True for an import beside a list that has had no run yet, and that the workbook remembers from this one on; see `importToFill`. The table
   * gets its column of ids, and what the user has decided about names also holds for rows that had no AHJ.
   */
  isFirst?: boolean | undefined;
  /** The columns and rows that an interrupted run has added. */
  begun?: BegunEdit | undefined;
  /** Answers fetched since this time are not asked for again. Default: the start of the refresh. */
  sinceMs?: number | undefined;
}

/** Options of the part of a refresh that writes. */
export interface WritingOptions {
  /** Awaited once it is known what to write, before the first write: the time to begin another refresh. It must not fail. */
  beforeWriting?: (() => Promise<void>) | undefined;
  /**
   * The workbook's note of this refresh. It ends after the sheet is written and before this device keeps the answers, so that a refresh that
   * is interrupted here reports all changes when it is repeated.
   */
  note?: Note | undefined;
  /** The name of the connection, if its user lets the workbook keep it. It is asked for once the sheet is written. */
  signature?: (() => Promise<string | undefined>) | undefined;
}

export interface RefreshOutcome {
  /** The import as it is after the refresh. */
  saved: SavedImport;
  report: RefreshReport;
  /** The reason why the workbook does not remember the refresh; null if it does. The sheet is written all the same. */
  notRemembered: Failure | null;
}

/** A refresh that has written nothing yet. */
export interface BegunRefresh {
  /** Resolves once the workbook is read, also in vain: from then on, only the service is asked until `finish`. */
  hasRead: Promise<void>;
  /** Writes what differs, as `refreshImport` does, once the answers are there. */
  finish(options?: WritingOptions): Promise<RefreshOutcome>;
  /** Lets go of the answers of a refresh that is not to be finished. Its signal ends the requests. */
  abandon(): void;
}

/**
 * Asks again for the answers in an import's table, writes those that differ into its cells, and has the workbook remember the refresh; see
 * `planRefresh`. Returns the import as it is afterwards. Fails with a Failure, and the sheet is then as it was.
 */
export async function refreshImport(
  before: SavedImport,
  dependencies: RefreshDependencies,
  options: RefreshOptions = {},
): Promise<RefreshOutcome> {
  return beginRefresh(before, dependencies, options).finish(options);
}

/** Begins what `refreshImport` does: reads the table, and asks for the answers while the caller does something else. */
export function beginRefresh(
  before: SavedImport,
  dependencies: RefreshDependencies,
  options: RefreshOptions = {},
): BegunRefresh {
  const hold = dependencies.lookup.answers.hold();
  let onRead = () => {};
  const hasRead = new Promise<void>((resolve) => (onRead = resolve));
  const planning = (async () => {
    await dependencies.tables.mayWrite(before.tableId);
    return planAnew(before, dependencies, { ...options, hold, onRead });
  })();
  // Its failure is the failure of `finish`.
  const planned = planning
    .then(
      () => {},
      () => {},
    )
    .then(onRead);
  return {
    hasRead,
    async finish(writing = {}) {
      try {
        return await writePlanned(before, await planning, dependencies, { ...options, ...writing });
      } finally {
        hold.release();
      }
    },
    abandon: () => void planned.then(hold.release),
  };
}

/**
 * Asks again for the answers in an import's table, and reports the changes that a refresh would find now. The import's find is not run.
 * Dates are not asked for: they are neither counted nor compared. Nothing is written, neither in the sheet nor on this device. Fails with a
 * Failure.
 */
export async function lookForChanges(
  before: SavedImport,
  dependencies: RefreshDependencies,
  options: RunOptions = {},
): Promise<Pick<RefreshReport, "changes" | "unsure" | "confirmed">> {
  const { plan } = await planAlone({ ...before, find: null }, dependencies, { ...options, isLook: true });
  return plan.report;
}

/**
 * Plans the first run of an import in the user's own columns, as `refreshImport` would carry it out, and writes nothing. The plan's report names
 * every cell that shows something else than the service's answer. Also returns the columns as they were read. Fails with a Failure.
 */
export async function planFirstRun(
  before: SavedImport,
  dependencies: RefreshDependencies,
  options: RunOptions & Pick<RefreshOptions, "change">,
): Promise<{ plan: RefreshPlan; table: TableColumns }> {
  return planAlone(before, dependencies, { ...options, isFirst: true });
}

/** Plans what is not written. Until then memory keeps the answers that it asks for. */
async function planAlone(
  before: SavedImport,
  dependencies: RefreshDependencies,
  options: Omit<Parameters<typeof planAnew>[2], "hold">,
): ReturnType<typeof planAnew> {
  const hold = dependencies.lookup.answers.hold();
  try {
    return await planAnew(before, dependencies, { ...options, hold });
  } finally {
    hold.release();
  }
}

async function writePlanned(
  before: SavedImport,
  { plan, snapshots }: Awaited<ReturnType<typeof planAnew>>,
  { tables, book, credentials }: RefreshDependencies,
  { note, signature, beforeWriting, isFirst = false, ...options }: RefreshOptions,
): Promise<RefreshOutcome> {
  await beforeWriting?.();
  const { signal } = options;
  const atMs = Date.now();
  const edit = async () => {
    let notesLeft = 0;
    const outcome = await tables.edit(before.tableId, plan.edit, {
      signal,
      onNotesLeft: (notes) => (notesLeft = notes),
      onWritten: (done) => options.onProgress?.({ phase: "writing", done, total: plan.edit.updates.length }),
    });
    const { saved, report, snapshot } = finishRefresh(plan, { ...outcome, notesLeft }, atMs);
    const { columns, types, find } = saved;
    const change = {
      lastRun: { ...saved.lastRun, by: await signature?.().catch(() => undefined) },
      service: credentials.baseUrl,
      // The find holds the jurisdictions that have left. A find that no longer applies is removed.
      ...(before.find && { find }),
      ...((options.change || report.renamed.length > 0) && { columns, types }),
    };
    // A refresh that could confirm nothing is no part of what happened to the values.
    const refresh = report.confirmed > 0 ? pastRefresh(report) : undefined;
    return { saved, report, snapshot, change, refresh };
  };
  const work = refreshUnderWay(before, plan.added, { change: options.change, isFirst });
  if (!isNothing(plan.edit)) await note?.begin(work);
  const digests = { kept: plan.digests, written: plan.digests };
  const writing = () => book.during(before.id, digests, edit);
  const { saved, report, snapshot, notRemembered } = await (isFirst
    ? remembered(before, book, writing)
    : writing());
  await note?.end();
  await snapshots.write(saved.id, { ...snapshot, stateId: plan.digests.stateId });
  return { saved, report, notRemembered };
}

/** Has the workbook remember an import while its first run writes. If that fails, the import is forgotten again. */
async function remembered<Result>(
  saved: SavedImport,
  book: Pick<ImportBook, "read" | "write" | "forget">,
  write: () => Promise<Result>,
): Promise<Result> {
  // An interrupted run may have written it.
  if (!(await book.read(saved.id))) await book.write(saved);
  try {
    return await write();
  } catch (thrown) {
    await book.forget(saved.id);
    throw thrown;
  }
}

/** Reads the table, asks for all of its answers, and plans the edit. */
async function planAnew(
  kept: SavedImport,
  { tables, client, lookup, documents, book }: RefreshDependencies,
  {
    change,
    isFirst = false,
    begun = nothingBegun,
    sinceMs: givenSinceMs,
    isLook = false,
    onRead,
    ...options
  }: Pick<RefreshOptions, "change" | "isFirst" | "begun" | "sinceMs"> &
    RunOptions & { isLook?: boolean; onRead?: () => void },
) {
  const before = change && endsFind(kept, change) ? { ...kept, find: null } : kept;
  const headers = before.columns.map(({ header }) => header);
  const ownColumns = change?.into?.map(({ header }) => header) ?? [];
  const wanted = [...headers, ...begun.columns, ...ownColumns, ...listHeadersOf(before)];
  let table = await tables.read(before.tableId, wanted, true);
  const renamed = columnsInPlace(before, table.headers).map(({ after }) => after);
  if (renamed.length > 0) table = await tables.read(before.tableId, [...wanted, ...renamed], true);
  const snapshots = createSnapshots(documents);
  const last = await snapshots.read(before.id);
  const digests = await book.digests(before.id);
  onRead?.();

  await yieldToPage();
  const sinceMs = givenSinceMs ?? Date.now();
  const found = before.find ? await findAgain(before.find, lookup, { ...options, sinceMs }) : undefined;
  const start: RefreshStart = {
    saved: before,
    found,
    begun,
    addsIds: isFirst,
    table,
    last,
    digests,
    change: found ? await withFound(before, table, { change, found }, lookup, options) : change,
  };
  await yieldToPage();
  const ask = ({ saved, wanted }: PreparedRefresh) =>
    saved.collection
      ? askCollection(saved.collection.id, wanted, { client, lookup }, options)
      : askMatrix(wanted, lookup, {
          ...options,
          sinceMs,
          isDated: !isLook && (saved.form.hasDates ?? false),
        });
  let prepared = prepareRefresh(start);
  let outcomeOf = await ask(prepared);
  // The answers have told who their AHJs are. The rest of the directory is loaded from this device, if it is stored there.
  if (before.listHeader) await lookup.directory.recall();
  const entries = await listEntries(before, table);
  const others = await rowsOfOthers(entries, prepared.rows, lookup.directory);
  const followed = isLook
    ? []
    : await followedRows(
        entries,
        { rows: prepared.rows, others, typedIds: rowsWithTypedId(before, table), areDecided: isFirst },
        lookup,
        options,
      );
  if (followed.length > 0) {
    for (const { row } of followed) others.delete(row);
    prepared = prepareRefresh({ ...start, followed });
    // Only the answers for the places that have come are asked for, unless a collection gives its answers together.
    outcomeOf = await ask(prepared);
  }
  const rowless = await finishInTurns(rowlessValues(prepared, outcomeOf));
  const dates = await askDates(valuesToDate(doubtfulValues(rowless, last)), lookup, options);
  const who = await askWho(unidentifiedAhjs(prepared, { rowless, dates }), lookup, options);
  const typeNow = (typeId: number) => lookup.catalogue.knownType(typeId, sinceMs);
  const ahjNow = (ahjId: number) => lookup.directory.toldSince(sinceMs, ahjId);
  const undated = await finishInTurns(
    planRefresh(prepared, { outcomeOf, others, asOfMs: sinceMs, rowless, dates, who, typeNow, ahjNow }),
  );
  const told = isLook ? [] : [...undated.report.changes, ...undated.report.unsure].filter(isOfAnswer);
  const dated = withDates(undated, await askDates(valuesToDate(told), lookup, options));
  return { plan: withPlaces(dated, lookup.directory), table, snapshots };
}

/** The change, extended by the jurisdictions that a find has given and that have no row. */
async function withFound(
  saved: SavedImport,
  table: TableColumns,
  { change, found }: { change: ImportChange | undefined; found: FoundAgain },
  lookup: Lookup,
  { signal }: RunOptions,
): Promise<ImportChange> {
  const chosen = change?.newAhjs ?? [];
  const there = new Set([
    ...importRows(saved, table).map(({ ahj }) => ahj.id),
    ...chosen.map(({ id }) => id),
  ]);
  const lacking = found.ahjIds.filter((id) => !there.has(id));
  const who = await askWho(lacking, lookup, { signal });
  return { ...change, types: change?.types ?? saved.types, newAhjs: [...chosen, ...who.values()] };
}
