import type { SavedImport } from "./saved-import";

/** The headers of the columns that say which jurisdiction a row of the user's list means; none for a table of its own. */
export function listHeadersOf({
  listHeader,
  listBeside = [],
}: Pick<SavedImport, "listHeader" | "listBeside">): string[] {
  return listHeader ? [listHeader, ...listBeside] : [];
}

/** True if a column with this header says which jurisdiction a row is about: one of the import's, or one of the user's list. */
export function tellsOfAhj(saved: SavedImport, header: string): boolean {
  return (
    listHeadersOf(saved).includes(header) ||
    saved.columns.some((each) => each.header === header && each.content.of === "ahj")
  );
}
