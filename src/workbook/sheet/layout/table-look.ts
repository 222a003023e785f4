import type { FormattedCell } from "../values/cell-value";
import { formattedLength } from "../values/shown-number";
import type { SheetColumn, SheetTable } from "./table-plan";

/** The width of a character in the wider of the fonts that workbooks use, at a size of 11 points. */
const pointsPerCharacter = 6;
/** The width of the filter button in a table's header. */
const buttonCharacters = 3;
/** The factor by which bold letters are wider. */
const boldWidth = 1.1;
const narrowest = 60;
const widest = 260;
const longText = 40;

/** Widths of columns in points: as wide as most texts of the column need; longer texts are wrapped. */
export function columnWidths({ columns, rows }: SheetTable): number[] {
  return columns.map((named, column) => {
    // Names are all different, and a cut name could be taken for another, so all of them count. Other columns repeat their values, so the
    // first rows are enough.
    const looked = isName(named) ? rows : rows.slice(0, 500);
    const cells = new Set(looked.map((row) => row[column]));
    const longest = [...cells].map(shownLength).reduce((one, other) => Math.max(one, other), 0);
    return columnWidth(Math.max(headerLength(named.header), longest));
  });
}

/** The width of a column in points, with room beside its longest text of so many characters, but never wider than a screen allows. */
export function columnWidth(characters: number): number {
  return Math.round(Math.min(widest, Math.max(narrowest, (characters + 2) * pointsPerCharacter)));
}

/** The number of columns that stay in sight when the sheet is scrolled: 1 if the first column has the names, otherwise 0. */
export function frozenColumns({ columns: [first] }: SheetTable): number {
  return first && isName(first) ? 1 : 0;
}

function isName({ content }: SheetColumn): boolean {
  return content?.of === "ahj" && content.field === "name";
}

/**
 * The most rows that are fitted in one request, and in all. Excel measures each of their texts, and fits rows by itself if nobody has set
 * their height.
 */
const [mostAtOnce, mostTallRows] = [500, 2_000];
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

function isLong({ value }: FormattedCell): boolean {
  return typeof value === "string" && (value.length > longText || value.includes("\n"));
}

/** The indexes of columns with texts that are too long for one line. */
export function wrappedColumns({ columns, rows }: SheetTable): number[] {
  return columns
    .map((_, column) => column)
    .filter((column) =>
      rows.some((row) => {
        const cell = row[column];
        return cell !== undefined && isLong(cell);
      }),
    );
}

/** The width that a header needs, in characters. It is bold, and wraps between its words into about two lines. */
function headerLength(header: string): number {
  const words = header.split(" ").map((word) => word.length);
  return Math.max(header.length / 2, ...words) * boldWidth + buttonCharacters;
}

/** The width that a cell needs, in characters. A column that is too narrow would show a number as ####. */
function shownLength(cell: FormattedCell | undefined): number {
  if (!cell) return 0;
  const { value, numberFormat } = cell;
  if (typeof value === "number") return formattedLength(value, numberFormat);
  return Math.max(
    ...String(value)
      .split("\n")
      .map((line) => line.length),
  );
}
