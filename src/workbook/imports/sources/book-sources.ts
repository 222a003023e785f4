import { finishInTurns, inTurns } from "../../../async/in-turns";
import { Failure } from "../../../errors";
import type { DocumentCache } from "../../../engine/cache/answer-cache";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { ImportTables } from "../../sheet/tables/table-changes";
import { isNoValue } from "../../sheet/layout/no-value";
import type { SheetTable } from "../../sheet/layout/table-plan";
import type { KeptImport } from "../saved/import-book";
import { type AnswerPlace, answerPlaces, importRows } from "../saved/import-rows";
import { readKeptSources } from "./kept-sources";
import { planSources, type SourceCell } from "./sources-sheet";

/** The sources of the values of a workbook's imports, as far as this device knows them. */
export interface BookSources {
  /** The sheet of sources; null if no source is known. */
  plan: SheetTable | null;
  values: number;
  /** The imports with cells whose source this device does not know, and the number of those cells. */
  lacking: { name: string; cells: number }[];
  /** The imports that are left out, and the reasons. */
  unread: { name: string; reason: string }[];
}

/**
 * The Sources sheet of all imports that have a table. The service is asked nothing: an answer that this device holds counts if the cell
 * shows exactly that answer. `service` is the base address that the held answers came from; imports of another service are left out,
 * because its ids mean other things. Fails if a table can't be read.
 */
export async function planBookSources(
  imports: readonly KeptImport[],
  dependencies: {
    tables: Pick<ImportTables, "read">;
    lookup: Pick<Lookup, "answers"> & { directory: Pick<Lookup["directory"], "byId" | "recall"> };
    documents: DocumentCache;
    service: string;
  },
  options: { signal?: AbortSignal | undefined } = {},
): Promise<BookSources> {
  const sources: BookSources = { plan: null, values: 0, lacking: [], unread: [] };
  const known: { cells: SourceCell[]; address: string }[] = [];
  for (const kept of imports) {
    if (!kept.place) continue;
    const { name, service } = kept.saved;
    if (service !== dependencies.service) {
      sources.unread.push({ name, reason: `it came from another service, ${service}` });
      continue;
    }
    try {
      const { cells, lacking } = await sourcesOf(kept, dependencies, options);
      known.push({ cells, address: kept.place.address });
      sources.values += cells.length;
      if (lacking > 0) sources.lacking.push({ name, cells: lacking });
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.kind !== "table-gone") throw thrown;
      sources.unread.push({ name, reason: "its columns of ids, such as AHJ ID, were deleted or renamed" });
    }
  }
  if (sources.values > 0) sources.plan = await finishInTurns(planSources(known));
  return sources;
}

async function sourcesOf(
  { saved }: KeptImport,
  { tables, lookup, documents }: Parameters<typeof planBookSources>[1],
  options: { signal?: AbortSignal | undefined },
): Promise<{ cells: SourceCell[]; lacking: number }> {
  const headers = saved.columns.map(({ header }) => header);
  // A list may name its places in other words than the service.
  if (saved.listHeader) await lookup.directory.recall();
  const table = await tables.read(saved.tableId, [...headers, saved.listHeader ?? ""]);
  const places: AnswerPlace[] = [];
  await inTurns(answerPlaces(saved, table, importRows(saved, table)), (place) => {
    const { part, shown } = place;
    if (part !== "value" || shown === undefined || isNoValue(shown.value, part, saved.form)) return;
    places.push(place);
  });
  const { answerAt } = await readKeptSources(saved.id, places, { lookup, documents }, options);
  const columnOf = new Map(table.headers.map((header, column) => [header, column]));
  const cells: SourceCell[] = [];
  await inTurns(places, (place) => {
    const answer = answerAt(place);
    const { type } = place;
    const ahj = lookup.directory.byId(place.ahj.id) ?? place.ahj;
    const { row, header } = place.place;
    if (answer) cells.push({ row, column: columnOf.get(header) ?? -1, ahj, type, answer });
  });
  return { cells, lacking: places.length - cells.length };
}
