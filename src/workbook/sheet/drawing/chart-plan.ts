import { config } from "../../../config";
import type { Area } from "../layout/area";
import type { SheetTable } from "../layout/table-plan";
import { blankCell, cellText, textCell } from "../values/cell-value";

/** A chart over the first two columns of a table: what it is about, and how much of it there is. */
export interface ChartPlan {
  title: string;
  /** Columns stand side by side; bars lie below each other and have room for long labels. */
  kind: "columns" | "bars";
  /** Of the labels, of the numbers and, if there are any, of the counts. */
  headers: readonly [labels: string, numbers: string, counts?: string];
  /** A label without a number has no bar. `count`: how many things stand behind the number; it is not drawn. */
  rows: readonly { label: string; value: number | null; count?: number }[];
  /** How the numbers look in the table and at the axis. */
  numberFormat?: string | undefined;
}

/** How many columns of its table a chart draws. */
export const drawnColumns = 2;

/** The table that a chart shows. Excel takes a first column of texts for labels. */
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

/** Excel's rows are 20 pixels high: what a bar needs, and what title and axis take. */
const [rowsPerBar, rowsAround, fewestRows, mostRows] = [1, 5, 15, 60];
const chartColumns = 8;

/** The cells that a chart covers: right of its table with a column between, or null where the sheet ends. */
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

/** A title as text: one that begins with "=" could be taken for a formula that shows a cell. */
export function chartTitle(title: string): string {
  const short = title.replace(/\s+/g, " ").trim().slice(0, mostTitleCharacters);
  return short.startsWith("=") ? ` ${short}` : short;
}
