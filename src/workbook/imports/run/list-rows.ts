import { isNameOf, keyOf, type ListEntry, type ReadList } from "../../../engine/lookup/lists/list-entries";
import type { FoundEntry, ResolvedList } from "../../../engine/lookup/lists/resolve-list";
import type { JoinColumns } from "../../sheet/lists/joined-columns";
import { cellsOfList, listAt, type ListColumn, type ListHeader } from "../../sheet/lists/list-column";

/** A list in the sheet whose entries have been looked up, row by row. */
export interface ListRows {
  header: ListHeader;
  /** The entry in each row below the header; null for a blank row. */
  entries: (ListEntry | null)[];
  /** The indexes of the blank rows. */
  blanks: number[];
}

/** A column that was read: each row stands for one jurisdiction at most. */
export interface ReadColumn extends ReadList {
  /** The cell above the column, if it may be a name; otherwise null. */
  above: ListEntry | null;
  /** True if the cell above the column is a known heading. */
  isHeadingAbove: boolean;
}

/**
 * The selected list, with the state that stands beside its names. Fails as `Workbook.readListColumn` does.
 */
export async function selectedList(workbook: {
  readListColumn(join: JoinColumns): Promise<ListColumn>;
}): Promise<{ column: ListColumn; read: ReadColumn }> {
  const { withStateBeside } = await import("../../../engine/lookup/lists/state-beside");
  return readColumn(await workbook.readListColumn(withStateBeside));
}

/**
 * Reads a list. The headers of its table, or known headings above it, tell what its columns hold. `column` is the list with the column of
 * its codes or names as its own.
 */
export async function readColumn(list: ListColumn): Promise<{ column: ListColumn; read: ReadColumn }> {
  // The reader loads with the first list, so that the first paint is possible sooner.
  const [{ headingOf }, { meaningOfCell }, { readListCells }] = await Promise.all([
    import("../../../engine/lookup/lists/headings"),
    import("../../../engine/lookup/lists/read-parts"),
    import("../../../engine/lookup/lists/read-list"),
  ]);
  const { column: first, columns, rows, above: cellsAbove = [], joined } = cellsOfList(list);
  const isHeading = (cell: unknown) => typeof cell === "string" && headingOf(cell) !== null;
  const areHeadings = cellsAbove.some(isHeading);
  const headings = list.table
    ? headersAt(list.table, first, columns)
    : areHeadings
      ? cellsAbove.map(String)
      : undefined;
  const read = await readListCells(rows, { headings });
  const column = listAt(list, read.column);
  const { above } = column;
  const meaning = typeof above === "string" ? meaningOfCell(above) : null;
  const isName = meaning?.kind === "name" && !areHeadings;
  return {
    column,
    read: {
      ...read,
      joined,
      entries: onePerRow(read.entries),
      above: isName ? { given: String(above), row: 0, meaning } : null,
      isHeadingAbove: isHeading(above),
    },
  };
}

function headersAt(table: NonNullable<ListColumn["table"]>, first: number, columns: number): string[] {
  return Array.from({ length: columns }, (_, at) => table.headers[first - table.column + at] ?? "");
}

/**
 * The headers of the columns that are read together with the list's own; none if it stands alone. A blank header is left out, because
 * nobody could find its column again.
 */
export function headersBeside(list: ListColumn, { from }: ListHeader): string[] {
  const { column: first, columns, rows, above = [] } = cellsOfList(list);
  const headers = list.table
    ? headersAt(list.table, first, columns)
    : from === "list"
      ? (rows[0] ?? []).map(String)
      : above.map(String);
  return headers.filter((header, at) => first + at !== list.column && header !== "");
}

/** A row with several codes stands for none of them. */
function onePerRow(entries: readonly ListEntry[]): ListEntry[] {
  const rows = new Map<number, ListEntry[]>();
  for (const entry of entries) rows.set(entry.row, [...(rows.get(entry.row) ?? []), entry]);
  return [...rows.values()].flatMap((own): ListEntry[] => {
    const [only, other] = own;
    if (!only || !other) return own;
    const given = own.map((entry) => entry.given).join(", ");
    const sentence = "The cell names several jurisdictions, and each row stands for one.";
    return [{ given, row: only.row, meaning: { kind: "none", why: "several", sentence } }];
  });
}

/**
 * The entries of a column that are to be looked up. A text in its first cell, or above it, may be its header. It is looked up as a name
 * only if other names are looked up anyway, since the first name costs loading the whole directory.
 */
export function entriesToLookUp({ entries, above }: ReadColumn, { table }: ListColumn): ListEntry[] {
  const [first, ...rest] = entries;
  if (!first || table) return entries;
  const hasOtherNames = rest.some(isNameOf);
  const isAlone = rest.every(({ meaning }) => meaning.kind === "none");
  const hasNames = hasOtherNames || (isNameOf(first) && isAlone);
  const asked = first.row === 1 && isNameOf(first) && !hasNames ? rest : entries;
  return hasNames && above ? [...asked, above] : asked;
}

/** The rows of a column below its header. The header is the first text that is not a jurisdiction. */
export function rowsOfColumn(
  { values, above, table, column }: ListColumn,
  read: ReadColumn,
  resolved: ResolvedList,
): ListRows {
  const known = new Set([...resolved.found, ...resolved.ambiguous].map(({ key }) => key));
  const isHeader = (entry: ListEntry | null | undefined): boolean =>
    !!entry && isNameOf(entry) && !known.has(keyOf(entry.meaning) ?? "");
  const byRow = new Map(read.entries.map((entry) => [entry.row, entry]));
  const hasOwn = !table && (read.headings.length > 0 || isHeader(byRow.get(1)));
  const isAbove = typeof above === "string" && (read.isHeadingAbove || isHeader(read.above));
  const header: ListHeader = table
    ? { from: "table", text: table.headers[column - table.column] ?? "" }
    : hasOwn
      ? { from: "list", text: String(values[0]) }
      : isAbove
        ? { from: "above", text: above }
        : { from: above === "" ? "new" : "inserted", text: newHeader };
  const rows = hasOwn ? values.slice(1) : values;
  const begin = values.length - rows.length + 1;
  return {
    header,
    entries: rows.map((_, at) => byRow.get(at + begin) ?? null),
    blanks: rows.flatMap((cell, row) => (isBlank(cell) ? [row] : [])),
  };
}

const newHeader = "Jurisdiction";

/** The resolved entries of these rows only, without that of their header. */
export function resolvedOfRows({ entries }: ListRows, resolved: ResolvedList): ResolvedList {
  const here = new Set(entries.map((entry) => entry && keyOf(entry.meaning)));
  return {
    found: resolved.found.filter(({ key }) => here.has(key)),
    ambiguous: resolved.ambiguous.filter(({ key }) => here.has(key)),
    unmatched: resolved.unmatched.filter(({ key, why }) => why !== undefined || here.has(key)),
  };
}

/** The AHJ of a row, and how the row's entry was understood. */
export type ListedAhj = Pick<FoundEntry, "ahj" | "how">;

/**
 * The AHJ of each row; null if it has none. `found` holds a code once, which rows may spell in several ways, so each row tells how its own
 * cell was read.
 */
export function ahjsOfRows({ entries }: ListRows, found: readonly FoundEntry[]): (ListedAhj | null)[] {
  const byKey = new Map(found.map((entry) => [entry.key, entry]));
  return entries.map((entry) => {
    const taken = entry && byKey.get(keyOf(entry.meaning) ?? entry.given);
    if (!taken) return null;
    const { ahj, how } = taken;
    const { meaning } = entry;
    const isCode = meaning.kind === "geoid" || meaning.kind === "ahj";
    return { ahj, how: isCode && how !== "replaced" ? meaning.how : how };
  });
}

function isBlank(cell: unknown): boolean {
  return String(cell ?? "").trim() === "";
}
