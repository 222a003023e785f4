import type { RefreshOptions } from "../imports/refresh/refresh";
import { rebased } from "../imports/saved/change-import";
import type { ImportBook } from "../imports/saved/import-book";
import { parseImportXml, type SavedImport } from "../imports/saved/saved-import";
import type { UnfinishedWork } from "../work-note/unfinished-work";

/**
 * The import of an interrupted refresh or change as the workbook remembers it now, or as its first run was to begin; undefined if it was
 * forgotten.
 */
export async function importToFinish(
  work: UnfinishedWork & { kind: "refresh" | "change" },
  book: Pick<ImportBook, "read">,
): Promise<SavedImport | undefined> {
  const first = work.kind === "change" && work.first !== undefined ? parseImportXml(work.first) : null;
  return (await book.read(work.importId)) ?? first ?? undefined;
}

/** The options with which a refresh of an import finishes an interrupted refresh or change of that import. */
export function refreshToFinish(
  work: UnfinishedWork & { kind: "refresh" | "change" },
  now: Pick<SavedImport, "types">,
): Pick<RefreshOptions, "change" | "begun" | "isFirst"> {
  if (work.kind === "refresh") return { begun: { columns: [], rows: work.newRows } };
  const { types, typesBefore, newAhjs, newColumns, into, first } = work;
  const was = { types: typesBefore.map((id) => ({ id, name: "", unit_of_measure: "" })) };
  return {
    change: rebased({ types, newAhjs, into }, was, now),
    isFirst: first !== undefined,
    begun: { columns: newColumns, rows: newAhjs.map((ahj) => ({ ahj, typeId: null })) },
  };
}
