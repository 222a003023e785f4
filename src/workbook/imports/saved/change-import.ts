import {
  type ColumnType,
  planTable,
  type RowAhj,
  uniqueHeaders,
  withNewColumns,
} from "../../sheet/layout/table-plan";
import type { SavedImport } from "./saved-import";

/** What is to become of an import whose table has a row for each AHJ. */
export interface ImportChange {
  /** All that it is to ask, in the order of its columns as far as they are new. */
  types: readonly ColumnType[];
  /** Those that come in addition; of one that is there already, nothing becomes. */
  newAhjs: readonly RowAhj[];
}

/** Whether an import can be changed: a collection asks what its owner has it ask, a long table has no columns to add. */
export function canChange({ collection, form }: SavedImport): boolean {
  return collection === null && form.layout === "wide";
}

/** A change that was chosen on an import as it was, for the import as it has become: a colleague's types stay. */
export function rebased(
  { types, newAhjs }: ImportChange,
  was: Pick<SavedImport, "types">,
  now: Pick<SavedImport, "types">,
): ImportChange {
  const [chosen, before, there] = [types, was.types, now.types].map(
    (list) => new Set(list.map(({ id }) => id)),
  ) as [Set<number>, Set<number>, Set<number>];
  const kept = now.types.filter(({ id }) => chosen.has(id) || !before.has(id));
  const added = types.filter(({ id }) => !before.has(id) && !there.has(id));
  return { types: [...kept, ...added], newAhjs };
}

/**
 * True if a change makes the table of a find a plain list: jurisdictions that somebody adds need not answer as the find asks, and a
 * refresh would say that they left.
 */
export function endsFind(
  { find }: Pick<SavedImport, "find">,
  { newAhjs }: Pick<ImportChange, "newAhjs">,
): boolean {
  return Boolean(find) && newAhjs.length > 0;
}

/**
 * The import as it is to be, and the columns that come and go; headers are none that the table has already, but for those that an
 * interrupted change has begun: they are not added again.
 */
export function changedTypes(
  saved: SavedImport,
  types: readonly ColumnType[],
  tableHeaders: readonly string[],
  begunColumns: readonly string[] = [],
): { saved: SavedImport; newColumns: string[]; goneColumns: string[] } {
  const wanted = new Set(types.map(({ id }) => id));
  const known = new Set(saved.types.map(({ id }) => id));
  const isGone = ({ content }: SavedImport["columns"][number]) =>
    content.of === "answer" && content.typeId !== null && !wanted.has(content.typeId);
  const kept = saved.columns.filter((column) => !isGone(column));
  const added = types.filter(({ id }) => !known.has(id));
  const planned = planTable({ ahjs: [], types: added, of: () => null }, saved.form).columns;
  const newColumns = uniqueHeaders(
    planned.filter(({ content }) => content.of === "answer"),
    [
      ...tableHeaders.filter((header) => !begunColumns.includes(header)),
      ...saved.columns.map(({ header }) => header),
    ],
  );
  return {
    saved: {
      ...saved,
      columns: withNewColumns(kept, newColumns),
      types: [
        ...saved.types.filter(({ id }) => wanted.has(id)),
        ...added.map(({ id, name, unit_of_measure }) => ({ id, name, unit_of_measure })),
      ],
    },
    newColumns: newColumns.map(({ header }) => header).filter((header) => !tableHeaders.includes(header)),
    goneColumns: saved.columns.filter(isGone).map(({ header }) => header),
  };
}
