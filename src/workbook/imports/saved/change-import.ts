import {
  type ColumnType,
  type OwnColumn,
  type PlannedColumn,
  planTable,
  type RowAhj,
  uniqueHeaders,
  withNewColumns,
} from "../../sheet/layout/table-plan";
import type { SavedImport } from "./saved-import";

/** A change of an import whose table has a row for each AHJ. */
export interface ImportChange {
  /** All types that the import is to ask for. New types get their columns in this order. */
  types: readonly ColumnType[];
  /** The AHJs to add. An AHJ that the import already has is ignored. */
  newAhjs: readonly RowAhj[];
  /** The user's own columns whose blank cells get the answers to new types, which then have no new column. */
  into?: readonly OwnColumn[] | undefined;
}

/** True if an import can be changed. A collection's types are chosen by its owner, and a long table has no columns to add. */
export function canChange({ collection, form }: SavedImport): boolean {
  return collection === null && form.layout === "wide";
}

/**
 * Applies a change that was chosen on an earlier state of an import to its present state. Types that a colleague has added meanwhile stay.
 */
export function rebased(
  { types, newAhjs, into }: ImportChange,
  was: Pick<SavedImport, "types">,
  now: Pick<SavedImport, "types">,
): ImportChange {
  const [chosen, before, there] = [types, was.types, now.types].map(
    (list) => new Set(list.map(({ id }) => id)),
  ) as [Set<number>, Set<number>, Set<number>];
  const kept = now.types.filter(({ id }) => chosen.has(id) || !before.has(id));
  const added = types.filter(({ id }) => !before.has(id) && !there.has(id));
  return { types: [...kept, ...added], newAhjs, into };
}

/**
 * True if a change turns the table of a find into a plain list. Jurisdictions that a user adds need not meet the find's conditions, and a
 * refresh would report that they left.
 */
export function endsFind(
  { find }: Pick<SavedImport, "find">,
  { newAhjs }: Pick<ImportChange, "newAhjs">,
): boolean {
  return Boolean(find) && newAhjs.length > 0;
}

/**
 * The changed import, and the headers of the columns to add and to remove. New headers differ from all that the table has. Columns that an
 * interrupted change has added already are not added again.
 */
export function changedTypes(
  saved: SavedImport,
  { types, into = [] }: Pick<ImportChange, "types" | "into">,
  tableHeaders: readonly string[],
  begunColumns: readonly string[] = [],
): { saved: SavedImport; newColumns: string[]; goneColumns: string[] } {
  const wanted = new Set(types.map(({ id }) => id));
  const known = new Set(saved.types.map(({ id }) => id));
  const isGone = ({ content }: SavedImport["columns"][number]) =>
    content.of === "answer" && content.typeId !== null && !wanted.has(content.typeId);
  const kept = saved.columns.filter((column) => !isGone(column));
  const added = types.filter(({ id }) => !known.has(id));
  const planned = planTable({ ahjs: [], types: added, of: () => null }, saved.form).columns.filter(
    ({ content }) => content.of === "answer",
  );
  const ownHeaderOf = ({ content }: PlannedColumn) =>
    content.of === "answer" && content.part === "value"
      ? into.find(({ typeId }) => typeId === content.typeId)?.header
      : undefined;
  const ownColumns = planned.flatMap((column) => {
    const header = ownHeaderOf(column);
    return header === undefined ? [] : [{ ...column, header }];
  });
  const newColumns = uniqueHeaders(
    planned.filter((column) => ownHeaderOf(column) === undefined),
    [
      ...tableHeaders.filter((header) => !begunColumns.includes(header)),
      ...saved.columns.map(({ header }) => header),
    ],
  );
  return {
    saved: {
      ...saved,
      columns: withNewColumns(kept, [...ownColumns, ...newColumns]),
      types: [
        ...saved.types.filter(({ id }) => wanted.has(id)),
        ...added.map(({ id, name, unit_of_measure }) => ({ id, name, unit_of_measure })),
      ],
    },
    newColumns: newColumns.map(({ header }) => header).filter((header) => !tableHeaders.includes(header)),
    goneColumns: saved.columns.filter(isGone).map(({ header }) => header),
  };
}
