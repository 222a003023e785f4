import type { Client } from "../../../engine/api/client";
import type { DocumentCache } from "../../../engine/cache/answer-cache";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { ImportTables } from "../../sheet/tables/table-changes";
import type { RunOptions } from "../run/run-import";
import type { ImportChange } from "../saved/change-import";
import type { SavedImport } from "../saved/saved-import";
import { createSnapshots } from "../saved/snapshots";
import { askCollection, askDates, askMatrix, askWho } from "./ask-again";
import { rowsOfOthers } from "./list-entry";
import { doubtfulValues, valuesToDate } from "./new-values";
import {
  finishRefresh,
  planRefresh,
  prepareRefresh,
  type RefreshReport,
  unidentifiedAhjs,
  withDates,
} from "./plan-refresh";

export interface RefreshDoors {
  tables: Pick<ImportTables, "mayWrite" | "read" | "edit">;
  client: Client;
  lookup: Lookup;
  documents: DocumentCache;
}

export interface RefreshOptions extends RunOptions {
  /** What the import is to become with it. */
  change?: ImportChange | undefined;
}

/**
 * Asks again for what an import's table holds, and writes what differs into its cells: see `planRefresh`. Gives the
 * import as it is then. Fails with a Failure, the sheet as it was.
 */
export async function refreshImport(
  before: SavedImport,
  { tables, client, lookup, documents }: RefreshDoors,
  { change, ...options }: RefreshOptions = {},
): Promise<{ saved: SavedImport; report: RefreshReport }> {
  await tables.mayWrite(before.tableId);
  const headers = before.columns.map(({ header }) => header);
  const table = await tables.read(before.tableId, [...headers, before.listHeader ?? ""]);
  const snapshots = createSnapshots(documents);
  const last = await snapshots.read(before.id);

  const prepared = prepareRefresh({ saved: before, change, table, last });
  const outcomeOf = before.collection
    ? await askCollection(before.collection.id, prepared.wanted, { client, lookup }, options)
    : await askMatrix(prepared.wanted, lookup, options);
  // The answers have told who the AHJs are.
  if (before.listHeader) await lookup.directory.recall();
  const others = rowsOfOthers(prepared.saved, table, prepared.rows, lookup.directory);
  const { signal } = options;
  const dates = await askDates(valuesToDate(doubtfulValues(prepared, outcomeOf)), lookup, { signal });
  const who = await askWho(unidentifiedAhjs(prepared, { outcomeOf, dates }), lookup, { signal });
  const undated = planRefresh(prepared, { outcomeOf, others, dates, who });
  const plan = withDates(undated, await askDates(valuesToDate(undated.report.changes), lookup, { signal }));

  let notesLeft = 0;
  const { changedCells, changedColumns, notesOfOthers } = await tables.edit(before.tableId, plan.edit, {
    signal,
    onNotesLeft: (notes) => (notesLeft = notes),
    onWritten: (done) => options.onProgress?.({ phase: "writing", done, total: plan.edit.updates.length }),
  });
  const result = { changedMeanwhile: changedCells, keptColumns: changedColumns, notesLeft, notesOfOthers };
  const { saved, report, snapshot } = finishRefresh(plan, result, Date.now());
  await snapshots.write(saved.id, snapshot);
  return { saved, report };
}
