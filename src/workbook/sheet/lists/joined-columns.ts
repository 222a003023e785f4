import { rangeAt } from "../tables/target-place";

/**
 * Says by the headings around a column, which is the one at `own`, which columns are read with it: the first one, their number, and the
 * heading that tells so. Null if it stands for itself.
 */
export type JoinColumns = (
  headings: readonly string[],
  own: number,
) => { first: number; columns: number; heading: string } | null;

/** Columns that are read with a selected one. */
export interface JoinedColumns {
  column: number;
  columns: number;
  /** The heading of the column that was not selected. */
  joined: string;
  /** The headings of all of them; undefined if they are the first of the selected cells. */
  headings: string[] | undefined;
}

/** As many columns are looked at on each side. */
const mostBeside = 2;

/**
 * Looks beside a column of cells. Its headings stand in the header row of its table; else in its first cell, above it, or in the first row of
 * the block around it.
 */
export async function joinedColumns(
  context: Excel.RequestContext,
  sheetId: string,
  cells: { row: number; column: number },
  join: JoinColumns,
): Promise<JoinedColumns | null> {
  const { row, column } = cells;
  const cell = rangeAt(context, sheetId, { row, column, rows: 1, columns: 1 });
  const region = cell.getSurroundingRegion().load("rowIndex,columnIndex,columnCount");
  const tables = cell.getTables(false).load("items/id,items/showHeaders");
  await context.sync();
  const [table] = tables.items;
  if (table && !table.showHeaders) return null;
  const header = table?.getHeaderRowRange().load("rowIndex,columnIndex,columnCount");
  if (header) await context.sync();
  const { rowIndex, columnIndex, columnCount } = header ?? region;
  const first = Math.max(columnIndex, column - mostBeside);
  const end = Math.min(columnIndex + columnCount, column + mostBeside + 1);
  if (column < first || column >= end) return null;
  const rows = header ? [rowIndex] : [...new Set([row, Math.max(row - 1, 0), rowIndex])];
  const looked = rows.map((each) => ({
    row: each,
    range: rangeAt(context, sheetId, { row: each, column: first, rows: 1, columns: end - first }).load(
      "values",
    ),
  }));
  await context.sync();
  for (const { row: at, range } of looked) {
    const texts = ((range.values[0] ?? []) as unknown[]).map(String);
    const found = join(texts, column - first);
    if (!found) continue;
    const headings = texts.slice(found.first, found.first + found.columns);
    return {
      column: first + found.first,
      columns: found.columns,
      joined: found.heading,
      headings: at === row ? undefined : headings,
    };
  }
  return null;
}
