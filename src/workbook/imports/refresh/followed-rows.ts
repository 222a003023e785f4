import { certaintyWords, isCertaintyWords } from "../../../engine/lookup/lists/how-words";
import { rowKey, rowsRead } from "../../sheet/layout/row-keys";
import { cellReader } from "../../sheet/layout/table-plan";
import type { TableColumns, TableRows } from "../../sheet/tables/bound-table";
import type { CellUpdate, TableEdit } from "../../sheet/tables/table-edit";
import { textCell } from "../../sheet/values/cell-value";
import { listHeadersOf } from "../saved/ahj-headers";
import { shownBy } from "../saved/cell-digests";
import { idHeaders, type ImportRow, shownAt } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import type { FollowedRow } from "./list-entry";

/** A table beside a list as it was read, and its rows whose entries name another AHJ now. */
interface FollowedTable {
  saved: SavedImport;
  table: TableColumns;
  followed: readonly FollowedRow[];
}

/** The rows, of which some get another AHJ or their first one. */
export function withFollowed(rows: readonly ImportRow[], followed: readonly FollowedRow[]): ImportRow[] {
  if (followed.length === 0) return [...rows];
  const isFollowed = new Set(followed.map(({ row }) => row));
  return [
    ...rows.filter(({ row }) => !isFollowed.has(row)),
    ...followed.map(({ row, ahj, before }) => ({ row, ahj, before, typeId: null })),
  ].sort((one, other) => one.row - other.row);
}

/** The new ids of the rows that follow their list. The rows are found by their entries, and from then on by these ids. */
export function newIds({ saved, table, followed }: FollowedTable): TableEdit["newIds"] {
  const column = saved.columns.find(({ content }) => content.of === "ahj" && content.field === "id");
  // The column may be one that is added just before.
  const ids = table.columns.get(column?.header ?? "")?.values;
  if (followed.length === 0 || !column) return undefined;
  const { header, content } = column;
  const cellOf = cellReader(content, { types: [], of: () => null }, saved.form);
  return {
    read: rowsRead(
      table,
      listHeadersOf(saved).filter((each) => table.columns.has(each)),
    ),
    updates: followed.map(({ row, ahj }) => ({
      row,
      header,
      cell: cellOf({ ahj, type: null }),
      shown: ids?.[row] ?? "",
    })),
  };
}

/** The rows as they will be found once the rows that follow their list have their new ids. */
export function rowsToFind(table: TableColumns, saved: SavedImport, ids: TableEdit["newIds"]): TableRows {
  const read = rowsRead(table, idHeaders(saved));
  for (const { row, cell } of ids?.updates ?? []) read.keys[row] = rowKey([shownBy(cell)]);
  return read;
}

/** The cells that say how certain an entry is, in the rows that follow their list. Words that somebody has typed stay. */
export function certaintyCells({ saved, table, followed }: FollowedTable): CellUpdate[] {
  const isOurs = (value: unknown) => value === "" || (typeof value === "string" && isCertaintyWords(value));
  return saved.columns.flatMap(({ header, content }): CellUpdate[] => {
    const column = table.columns.get(header);
    if (content.of !== "list" || !column) return [];
    return followed.flatMap(({ row, how, ahj }) => {
      const { value, formula } = shownAt(column, row);
      const cell = textCell(certaintyWords(how, ahj));
      return formula === undefined && isOurs(value) ? [{ row, header, cell, shown: value }] : [];
    });
  });
}
