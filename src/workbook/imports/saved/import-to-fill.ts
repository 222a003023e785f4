import { planTable, plainForm, uniqueHeaders } from "../../sheet/layout/table-plan";
import type { SavedImport } from "./saved-import";

/** A list in the user's own table, as an import beside it remembers it. */
export interface ListToFill extends Pick<
  SavedImport,
  "name" | "tableId" | "listHeader" | "listBeside" | "decided"
> {
  /** All headers of the table. */
  headers: readonly string[];
}

/**
 * The import that stands in the user's own table before its first run: it has no questions yet. `service` is the base URL of the service. Changing
 * it to the order's questions, as its first run, fills the columns. The table then gets a column of AHJ ids at its end.
 */
export function importToFill({ headers, ...list }: ListToFill, service: string): SavedImport {
  const ofIds = planTable({ ahjs: [], types: [], of: () => null }, plainForm).columns.filter(
    ({ content }) => content.of === "ahj" && content.field === "id",
  );
  return {
    ...list,
    service,
    id: crypto.randomUUID(),
    collection: null,
    form: plainForm,
    columns: uniqueHeaders(ofIds, headers),
    types: [],
    lastRun: { atMs: Date.now(), rows: 0, values: 0, notRefreshed: 0 },
  };
}
