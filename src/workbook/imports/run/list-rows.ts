import type { Ahj } from "../../../engine/api/schemas";
import { headingOf } from "../../../engine/lookup/lists/headings";
import { howWords } from "../../../engine/lookup/lists/list-summary";
import { meaningOfCell } from "../../../engine/lookup/lists/read-cells";
import type { How } from "../../../engine/lookup/lists/read-code";
import {
  isNameOf,
  keyOf,
  type ListEntry,
  type ReadList,
  readListCells,
} from "../../../engine/lookup/lists/read-list";
import type { FoundEntry, ResolvedList } from "../../../engine/lookup/lists/resolve-list";
import type { ListColumn, ListHeader } from "../../sheet/lists/list-column";
import { type ColumnsBeside, planColumns, type TableForm } from "../../sheet/layout/table-plan";
import { longTexts } from "./long-texts";
import type { ImportResult, ReadImport } from "./run-import";

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
  /** What the cell above the column means, as a name; null if it is blank or no text. */
  above: ListEntry | null;
}

/** Reads a column. The header of its table, or a known heading above it, tells what it holds. */
export async function readColumn({ values, above, table, column }: ListColumn): Promise<ReadColumn> {
  const isHeading = typeof above === "string" && headingOf(above) !== null;
  const heading = table ? (table.headers[column - table.column] ?? "") : isHeading ? above : undefined;
  const list = await readListCells(
    values.map((value) => [value]),
    { heading },
  );
  const meaning = typeof above === "string" ? meaningOfCell(above) : null;
  const isName = meaning?.kind === "name" && !isHeading;
  return {
    ...list,
    entries: onePerRow(list.entries),
    above: isName ? { given: String(above), row: 0, meaning } : null,
  };
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
  const isAbove = typeof above === "string" && (headingOf(above) !== null || isHeader(read.above));
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

/**
 * The import with the columns that go beside a list. `ahjs` holds the AHJ of each of the list's rows, null for a row without one; `hows` says
 * how the rows' entries were understood.
 */
export function plannedBeside(
  read: ReadImport,
  form: TableForm,
  {
    ahjs,
    hows = [],
    ...others
  }: Pick<ColumnsBeside, "taken" | "isApart"> & {
    ahjs: readonly (Ahj | null)[];
    hows?: readonly (How | null)[] | undefined;
  },
): ImportResult {
  const certainty = hows.map((how) => (how ? howWords[how] : undefined));
  return {
    ...read,
    table: planColumns(read.answers, { form, rows: ahjs, certainty, ...others }),
    longTexts: longTexts(read.answers, form.hasCitations),
    rows: ahjs.map((ahj) => ahj && { ahj, type: null }),
  };
}

function isBlank(cell: unknown): boolean {
  return String(cell ?? "").trim() === "";
}
