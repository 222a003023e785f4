import type { Cell } from "../values/cell-value";
import { formattedLength } from "../values/number-format";
import type { SheetColumn, SheetTable } from "./table-plan";

/** Room for the wider of the fonts that workbooks have, at the size of 11 points. */
const pointsPerCharacter = 6;
/** A table's header carries a filter button. */
const buttonCharacters = 3;
/** Bold letters are wider. */
const boldWidth = 1.1;
const narrowest = 60;
const widest = 260;
const longText = 40;

/** Widths in points: as wide as most of the column needs, wrapped beyond. */
export function columnWidths({ columns, rows }: SheetTable): number[] {
  return columns.map((named, column) => {
    // Names are all different, and one that is cut is another's. Other cells that are alike are mostly one.
    const looked = isName(named) ? rows : rows.slice(0, 500);
    const cells = new Set(looked.map((row) => row[column]));
    const longest = [...cells].map(shownLength).reduce((one, other) => Math.max(one, other), 0);
    const characters = Math.max(headerLength(named.header), longest) + 2;
    return Math.round(Math.min(widest, Math.max(narrowest, characters * pointsPerCharacter)));
  });
}

/** Columns that stay in sight with the header: that of the names, where it is the first. */
export function frozenColumns({ columns: [first] }: SheetTable): number {
  return first && isName(first) ? 1 : 0;
}

function isName({ content }: SheetColumn): boolean {
  return content?.of === "ahj" && content.field === "name";
}

/** Rows that are fitted at once, and in all: Excel measures each text, and fits rows by itself whose height nobody has set. */
const [mostAtOnce, mostTallRows] = [500, 2_000];
/** Lower rows between two that are fitted together with them. */
const mostGap = 20;

/** Rows with a text that takes several lines, in runs that begin where the first row below the header is 0. */
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

function isLong({ value }: Cell): boolean {
  return typeof value === "string" && (value.length > longText || value.includes("\n"));
}

/** Columns whose texts are too long for one line. */
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

/** A header wraps between its words, into two lines or so. It is bold. */
function headerLength(header: string): number {
  const words = header.split(" ").map((word) => word.length);
  return Math.max(header.length / 2, ...words) * boldWidth + buttonCharacters;
}

/** A column that is too narrow would show a number as ####. */
function shownLength(cell: Cell | undefined): number {
  if (!cell) return 0;
  const { value, numberFormat } = cell;
  if (typeof value === "number") return formattedLength(value, numberFormat);
  return Math.max(
    ...String(value)
      .split("\n")
      .map((line) => line.length),
  );
}
