import { SheetFailure } from "../../../sheet-failure";
import { readRowGroups } from "../read-groups";
import type { Workbook } from "../workbook";
import { mayChange } from "../write-access";
import { existingTable } from "./bound-table";

/** The number of rows with a wanted value, which a filter leaves in sight, and of all rows. */
export interface FilteredRows {
  shown: number;
  rows: number;
}

/** The cells that are read at once, because a response of Excel on the web holds at most 5 MB. */
const readCells = 20_000;

/**
 * Sets Excel's own filter on a column of a table, so that only rows with a wanted value are in sight. No row moves, and the filters of
 * other columns stay. If no row has a wanted value, nothing is filtered. Fails with table-gone, and on a protected sheet.
 */
export function filterRows(
  { runAsOneStep }: Pick<Workbook, "runAsOneStep">,
  tableId: string,
  header: string,
  isWanted: (value: unknown) => boolean,
): Promise<FilteredRows> {
  return runAsOneStep((context) => filterIn(context, tableId, header, isWanted));
}

async function filterIn(
  context: Excel.RequestContext,
  tableId: string,
  header: string,
  isWanted: (value: unknown) => boolean,
): Promise<FilteredRows> {
  const table = await existingTable(context, tableId);
  await mayChange(context, table.worksheet);
  const column = table.columns.getItemOrNullObject(header);
  const body = column.getDataBodyRange().load("rowCount");
  await context.sync();
  if (column.isNullObject)
    throw new SheetFailure("table-gone", { detail: `The column “${header}” is missing.` });
  const texts: string[] = [];
  await readRowGroups(context, { rows: body.rowCount, columns: 1 }, readCells, ({ start, rows }) => {
    const cells = body.getCell(start, 0).getAbsoluteResizedRange(rows, 1).load("values,text");
    return () => void texts.push(...textsOfWanted(cells.values, cells.text, isWanted));
  });
  // A filter without a value would hide every row.
  if (texts.length === 0) return { shown: 0, rows: body.rowCount };
  column.filter.applyValuesFilter([...new Set(texts)]);
  await context.sync();
  return { shown: texts.length, rows: body.rowCount };
}

/**
 * The texts for a filter. Excel's filter compares texts as shown. A column that is too narrow shows only # signs, so its values are used
 * instead.
 */
export function textsOfWanted(
  values: readonly (readonly unknown[])[],
  texts: readonly (readonly string[])[],
  isWanted: (value: unknown) => boolean,
): string[] {
  return values.flatMap(([value], row) => {
    const text = texts[row]?.[0] ?? "";
    return isWanted(value) ? [/^#+$/.test(text) || text === "" ? String(value) : text] : [];
  });
}
