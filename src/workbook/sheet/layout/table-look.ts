import type { FormattedCell } from "../values/cell-value";
import { formattedLength } from "../values/shown-number";
import { hasIds, type SheetColumn, type SheetTable } from "./table-plan";

/** The width of a character in the wider of the fonts that workbooks use, at a size of 11 points. */
const pointsPerCharacter = 6;
/** The width of the filter button in a table's header. */
const buttonCharacters = 3;
/** The factor by which bold letters are wider. */
const boldWidth = 1.1;
const narrowest = 60;
/** The width of a column of ids in points. */
export const narrowestIds = 45;
const widest = 260;
/** The most characters in a line of text. */
export const lineCharacters = 22;

/** Widths of columns in points: as wide as most texts of the column need; longer texts are wrapped. */
export function columnWidths({ columns, rows }: SheetTable): number[] {
  return columns.map((named, column) => {
    // Columns repeat their values, so the first rows are enough.
    const cells = new Set(rows.slice(0, 500).map((row) => row[column]));
    const longest = [...cells].map(shownLength).reduce((one, other) => Math.max(one, other), 0);
    const least = isOfIds(named) ? narrowestIds : narrowest;
    return columnWidth(Math.max(headerLength(named.header), longest), least);
  });
}

/** The width of a column in points, with room beside its longest text of so many characters, but never wider than a screen allows. */
export function columnWidth(characters: number, least = narrowest): number {
  return Math.round(Math.min(widest, Math.max(least, (characters + 2) * pointsPerCharacter)));
}

/** The indexes of columns with the ids by which a refresh recognizes rows. */
export function idColumns({ columns }: SheetTable): number[] {
  return columns.flatMap((column, at) => (isOfIds(column) ? [at] : []));
}

function isOfIds({ content }: SheetColumn): boolean {
  return content !== undefined && hasIds({ content });
}

/** The indexes of columns that are aligned as numbers: those with at least one. */
export function numberColumns({ columns, rows }: SheetTable): number[] {
  return columns.flatMap((_, at) => (rows.some((row) => typeof row[at]?.value === "number") ? [at] : []));
}

/** The width that a page in landscape prints, in points: a sheet of Letter paper with Excel's usual margins of 0.7 inches. */
const pageWidth = (11 - 2 * 0.7) * 72;
/** The smallest scale at which a table is still read with ease on paper. */
const smallestScale = 0.6;

/**
 * The number of columns that are printed, and over how many pages' width. Columns of ids at the table's end are left out, and each page
 * repeats the columns that stay in sight.
 */
export function printedTable(table: SheetTable): { columns: number; pagesAcross: number } {
  const last = table.columns.findLastIndex((column) => !isOfIds(column));
  const columns = last < 0 ? table.columns.length : last + 1;
  const widths = columnWidths(table).slice(0, columns);
  const total = (some: readonly number[]) => some.reduce((sum, width) => sum + width, 0);
  const [repeated, room] = [total(widths.slice(0, frozenColumns(table))), pageWidth / smallestScale];
  const pagesAcross = Math.ceil((total(widths) - repeated) / (room - repeated));
  return { columns, pagesAcross: Math.max(1, pagesAcross) };
}

/** The number of columns that stay in sight when the sheet is scrolled: 1 if the first column has the names, otherwise 0. */
export function frozenColumns({ columns: [first] }: SheetTable): number {
  return first && isName(first) ? 1 : 0;
}

function isName({ content }: SheetColumn): boolean {
  return content?.of === "ahj" && content.field === "name";
}

/**
 * The most rows that are fitted in all, and in one request. Excel measures each of their texts, and fits rows by itself if nobody has set
 * their height.
 */
export const mostTallRows = 2_000;
const mostAtOnce = 500;
/** The most rows of normal height between two tall ones that are fitted together with them. */
const mostGap = 20;

/** Rows with a text that takes several lines, in runs. Row 0 is the first row below the header. */
export function tallRows({ rows }: SheetTable): { start: number; rows: number }[] {
  const runs: { start: number; rows: number }[] = [];
  for (const [row, cells] of rows.entries()) {
    if (row >= mostTallRows) break;
    if (!cells.some(isLong)) continue;
    const run = runs.at(-1);
    if (run && row - (run.start + run.rows) <= mostGap && row - run.start < mostAtOnce)
      run.rows = row - run.start + 1;
    else runs.push({ start: row, rows: 1 });
  }
  return runs;
}

/** True if a cell's text takes several lines in a column as wide as texts need. */
export function isLong({ value }: Pick<FormattedCell, "value">): boolean {
  return typeof value === "string" && (value.length > lineCharacters || value.includes("\n"));
}

/** The indexes of columns with texts that are too long for one line. */
export function wrappedColumns({ columns, rows }: SheetTable): number[] {
  return columns
    .map((_, column) => column)
    .filter((column) => {
      if (columns[column]?.isOneLine) return false;
      return rows.some((row) => {
        const cell = row[column];
        return cell !== undefined && isLong(cell);
      });
    });
}

/** The width that a header needs, in characters. It is bold, and wraps between its words into two lines or more. */
function headerLength(header: string): number {
  const words = header.split(" ").map((word) => word.length);
  return Math.min(lineCharacters, Math.max(header.length / 2, ...words) * boldWidth + buttonCharacters);
}

/** The width that a cell needs, in characters. A column that is too narrow would show a number as ####; a longer text is wrapped. */
function shownLength(cell: FormattedCell | undefined): number {
  if (!cell) return 0;
  const { value, numberFormat } = cell;
  if (typeof value === "number") return formattedLength(value, numberFormat);
  const lines = String(value).split("\n");
  return Math.min(lineCharacters, Math.max(...lines.map((line) => line.length)));
}
