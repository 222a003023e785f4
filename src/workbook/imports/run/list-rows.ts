import type { Ahj } from "../../../engine/api/schemas";
import { inTurns } from "../../../async/in-turns";
import { type JurisdictionList, parseCell } from "../../../engine/lookup/search/jurisdiction-list";
import { nameKey } from "../../../engine/lookup/search/plain-name";
import type { ResolvedList } from "../../../engine/lookup/search/resolve-list";
import type { ListColumn, ListHeader } from "../../sheet/lists/list-column";
import { type ColumnsBeside, planColumns, type TableForm } from "../../sheet/layout/table-plan";
import { longTexts } from "./long-texts";
import type { ImportResult, ReadImport } from "./run-import";

/** A list in the sheet whose entries have been looked up, row by row. */
export interface ListRows {
  header: ListHeader;
  /** The entry of each row below the header, see `entryOf`; null if the row has nothing that can be looked up. */
  entries: (string | null)[];
  /** The indexes of the blank rows. */
  blanks: number[];
}

/** The jurisdictions that each cell of a column names, read without its neighbors. It includes the cell above the column. */
export type ReadCells = ReadonlyMap<unknown, JurisdictionList>;

/** Reads the cells of a column one by one, because each row stands for one jurisdiction. */
export async function readCells({ values, above }: ListColumn): Promise<ReadCells> {
  const cells = new Map<unknown, JurisdictionList>([[above, parseCell(above)]]);
  await inTurns(values, (cell) => void (cells.has(cell) || cells.set(cell, parseCell(cell))));
  return cells;
}

/**
 * The entries of a column that are to be looked up. A text in its first cell, or above it, may be its header. It is looked up as a name
 * only if other names are looked up anyway, since the first name costs loading the whole directory.
 */
export function listOfColumn({ values, above, table }: ListColumn, cells: ReadCells): JurisdictionList {
  const rows = firstRows(values, cells);
  if (table) return { ...listOf(values, cells), rows };
  const [first, ...rest] = values;
  const others = listOf(rest, cells);
  const isAlone = others.geoids.length + others.ahjIds.length === 0;
  const hasNames = others.names.length > 0 || (isWords(first, cells) && isAlone);
  const asked = isWords(first, cells) && !hasNames ? rest : values;
  return { ...listOf(hasNames && isWords(above, cells) ? [...asked, above] : asked, cells), rows };
}

/** The row of the column in which each entry stands first, counted from 1. Spellings of the same name count as one entry. */
function firstRows(values: readonly unknown[], cells: ReadCells): Map<string, number> {
  const rows = new Map<string, number>();
  const rowsOfNames = new Map<string, number>();
  values.forEach((cell, index) => {
    if (isBlank(cell)) return;
    const entry = entryOf(cell, cells) ?? String(cell);
    const [name] = cells.get(cell)?.names ?? [];
    const row = rowsOfNames.get(entry) ?? index + 1;
    rowsOfNames.set(entry, row);
    if (!rows.has(name ?? entry)) rows.set(name ?? entry, row);
  });
  return rows;
}

/** The rows of a column below its header. The header is the first text that is not a jurisdiction. */
export function rowsOfColumn(
  { values, above, table, column }: ListColumn,
  cells: ReadCells,
  resolved: ResolvedList,
): ListRows {
  const known = new Set<string | null>(
    [...resolved.named, ...resolved.ambiguous].map(({ name }) => nameKey(name)),
  );
  const isHeader = (cell: unknown) => isWords(cell, cells) && !known.has(entryOf(cell, cells));
  const [first] = values;
  const hasOwn = !table && isHeader(first);
  const header: ListHeader = table
    ? { from: "table", text: table.headers[column - table.column] ?? "" }
    : hasOwn
      ? { from: "list", text: String(first) }
      : isHeader(above)
        ? { from: "above", text: String(above) }
        : { from: above === "" ? "new" : "inserted", text: newHeader };
  const rows = hasOwn ? values.slice(1) : values;
  return {
    header,
    entries: rows.map((cell) => entryOf(cell, cells)),
    blanks: rows.flatMap((cell, row) => (isBlank(cell) ? [row] : [])),
  };
}

const newHeader = "Jurisdiction";

/** The resolved entries of these rows only, without that of their header. */
export function resolvedOfRows({ entries }: ListRows, resolved: ResolvedList): ResolvedList {
  const here = new Set(entries);
  const isHere = (entry: string) => here.has(entry) || here.has(nameKey(entry));
  return {
    ...resolved,
    ambiguous: resolved.ambiguous.filter(({ name }) => isHere(name)),
    unmatched: resolved.unmatched.filter(({ entry }) => isHere(entry)),
  };
}

/** The AHJ of each row; null if it has none. */
export function ahjsOfRows(
  { entries }: ListRows,
  { found, named }: { found: ResolvedList["found"]; named: readonly { name: string; ahj: Ahj }[] },
): (Ahj | null)[] {
  const ahjs = new Map<string | null, Ahj>([
    ...found.map(({ entry, ahj }) => [entry, ahj] as const),
    ...named.map(({ name, ahj }) => [nameKey(name), ahj] as const),
  ]);
  return entries.map((entry) => ahjs.get(entry) ?? null);
}

/** The import with the columns that go beside a list. `ahjs` holds the AHJ of each of the list's rows, null for a row without one. */
export function plannedBeside(
  read: ReadImport,
  form: TableForm,
  { ahjs, ...others }: Pick<ColumnsBeside, "taken" | "isApart"> & { ahjs: readonly (Ahj | null)[] },
): ImportResult {
  return {
    ...read,
    table: planColumns(read.answers, { form, rows: ahjs, ...others }),
    longTexts: longTexts(read.answers, form.hasCitations),
    rows: ahjs.map((ahj) => ahj && { ahj, type: null }),
  };
}

/**
 * The entry of a cell: a geoID, `ahj:` with an id, or a name in the form of `nameKey`. Null if the cell is blank, names none or names
 * several.
 */
function entryOf(cell: unknown, cells: ReadCells): string | null {
  const { geoids = [], ahjIds = [], names = [] } = cells.get(cell) ?? {};
  const [entry, other] = [...geoids, ...ahjIds.map((id) => `ahj:${id}`), ...names.map(nameKey)];
  return other === undefined ? (entry ?? null) : null;
}

function listOf(rows: readonly unknown[], cells: ReadCells): Omit<JurisdictionList, "rows"> {
  const different = [...new Set(rows)];
  const lists = different.flatMap((cell) => (entryOf(cell, cells) === null ? [] : (cells.get(cell) ?? [])));
  const others = different.filter((cell) => !isBlank(cell) && entryOf(cell, cells) === null);
  const byKey = <Item>(items: readonly Item[], keyOf: (item: Item) => unknown) => [
    ...new Map(items.map((item) => [keyOf(item), item])).values(),
  ];
  return {
    geoids: [...new Set(lists.flatMap(({ geoids }) => geoids))],
    repaired: byKey(
      lists.flatMap(({ repaired }) => repaired),
      ({ given }) => given,
    ),
    ahjIds: [...new Set(lists.flatMap(({ ahjIds }) => ahjIds))],
    names: byKey(
      lists.flatMap(({ names }) => names),
      nameKey,
    ),
    unreadable: [...new Set(others.map(String))],
    // An entry that stands twice is not reported, because each of its rows gets its answers.
    doubles: [],
    headers: [],
  };
}

function isWords(cell: unknown, cells: ReadCells): boolean {
  return (cells.get(cell)?.names.length ?? 0) > 0;
}

function isBlank(cell: unknown): boolean {
  return String(cell ?? "").trim() === "";
}
