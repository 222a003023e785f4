import { config } from "../../../config";
import type { Area } from "../layout/area";
import type { SheetTable } from "../layout/table-plan";
import { blankCell, cellText, textCell } from "../values/cell-value";

/** A chart over the first two columns of a table: labels and numbers. */
export interface ChartPlan {
  title: string;
  /** The words for what the chart does not draw. They stand behind the title, so they go wherever the chart is copied to. */
  leftOut?: string | undefined;
  /** Columns stand side by side; bars lie below each other and have room for long labels. */
  kind: "columns" | "bars";
  /** The headers of the labels, of the numbers and, if there are any, of the counts. */
  headers: readonly [labels: string, numbers: string, counts?: string];
  /** A label without a number has no bar. `count` is how many things the number stands for; it is not drawn. */
  rows: readonly { label: string; value: number | null; count?: number }[];
  /** The format of the numbers in the table and on the axis. */
  numberFormat?: string | undefined;
}

/** The number of table columns that a chart draws. */
export const drawnColumns = 2;

/** The table that a chart shows. Excel uses a first column of texts as labels. */
export function chartTable({
  headers: [labels, numbers, counts],
  rows,
  numberFormat = "General",
}: ChartPlan): SheetTable {
  const header = (text: string, otherwise: string) => ({ header: cellText(text) || otherwise });
  return {
    columns: [
      header(labels, "Label"),
      header(numbers, "Value"),
      ...(counts === undefined ? [] : [header(counts, "Count")]),
    ],
    rows: rows.map(({ label, value, count }) => [
      textCell(label),
      value === null ? blankCell : { value, numberFormat },
      ...(counts === undefined
        ? []
        : [count === undefined ? blankCell : { value: count, numberFormat: "0" }]),
    ]),
  };
}

/**
 * The height of a chart in rows of the sheet, which Excel draws 20 pixels high: rows for each bar, rows for title and axis, and the limits.
 */
const [rowsPerBar, rowsAround, fewestRows, mostRows] = [1, 5, 15, 60];
const chartColumns = 8;

/** The cells that a chart covers: right of its table with a column between them. Null if they would reach beyond the sheet. */
export function chartArea({ kind, rows }: ChartPlan, table: Area): Area | null {
  const wanted = kind === "bars" ? rows.length * rowsPerBar + rowsAround : fewestRows;
  const area = {
    row: table.row,
    column: table.column + table.columns + 1,
    rows: Math.min(mostRows, Math.max(fewestRows, wanted)),
    columns: chartColumns,
  };
  const fits = area.row + area.rows <= config.sheetRows && area.column + area.columns <= config.sheetColumns;
  return fits ? area : null;
}

const mostTitleCharacters = 255;

/**
 * A title as text, with what is left out behind it. One that begins with "=" gets a space before it, because Excel could take it for a
 * formula. A title that is too long is cut, so that what is left out stays.
 */
export function chartTitle({ title, leftOut }: Pick<ChartPlan, "title" | "leftOut">): string {
  const note = leftOut === undefined ? "" : ` (not drawn: ${leftOut})`;
  const short =
    title
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, mostTitleCharacters - note.length) + note;
  return short.startsWith("=") ? ` ${short}` : short;
}
