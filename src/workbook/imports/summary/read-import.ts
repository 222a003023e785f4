import type { Directory } from "../../../engine/lookup/directory/directory";
import type { TableColumns } from "../../sheet/tables/bound-table";
import type { ImportTables } from "../../sheet/tables/table-changes";
import type { ImportBook } from "../saved/import-book";
import type { SavedImport } from "../saved/saved-import";
import type { TableFacts } from "./shown-answers";

/** Reads an import's table with what is needed to summarize it. The service is not asked. Fails with the workbook's kinds and table-gone. */
export async function readToSummarize(
  saved: SavedImport,
  {
    tables,
    book,
    directory,
  }: {
    tables: Pick<ImportTables, "read">;
    book: Pick<ImportBook, "digests">;
    directory: Pick<Directory, "byId" | "formerById" | "recall">;
  },
): Promise<{ table: TableColumns; facts: TableFacts }> {
  // A table beside a list does not hold the states of its jurisdictions, but this device may have stored them.
  if (saved.listHeader) await directory.recall();
  const headers = [
    ...saved.columns.map(({ header }) => header),
    ...(saved.listHeader ? [saved.listHeader] : []),
  ];
  // A formula that somebody has typed may show just what was written, and change later.
  const table = await tables.read(saved.tableId, headers, true);
  const known: TableFacts["known"] = (ahjId) => directory.byId(ahjId) ?? directory.formerById(ahjId);
  return { table, facts: { known, digests: await book.digests(saved.id) } };
}
