import { config } from "../../../config";
import { enterAgain } from "../cells/cell-content";
import { rangeAt } from "../tables/target-place";

/** Whole columns of a sheet. */
interface SheetColumns {
  sheetId: string;
  column: number;
  columns: number;
}

/** Inserts blank columns, so that all cells from there on move to the right. */
export async function insertColumns(context: Excel.RequestContext, columns: SheetColumns): Promise<void> {
  wholeColumns(context, columns).insert("Right");
  await context.sync();
}

/** Deletes columns that were inserted. If somebody has typed there meanwhile, they stay and the address of the texts is returned. */
export async function deleteInsertedColumns(
  context: Excel.RequestContext,
  columns: SheetColumns,
): Promise<string[]> {
  const looked = usedOf(context, columns).load("address");
  await context.sync();
  if (!looked.isNullObject) return [looked.address];
  const met = usedOf(context, columns);
  met.load("address,values,formulas,numberFormat,rowIndex,columnIndex,rowCount,columnCount");
  wholeColumns(context, columns).delete("Left");
  await context.sync();
  if (met.isNullObject) return [];
  // Somebody has typed at the last moment, so the columns are inserted again with the text.
  wholeColumns(context, columns).insert("Right");
  const { rowIndex: row, columnIndex: column, rowCount, columnCount, address } = met;
  const place = { row, column, rows: rowCount, columns: columnCount };
  enterAgain(rangeAt(context, columns.sheetId, place), met);
  await context.sync();
  return [address];
}

function wholeColumns(context: Excel.RequestContext, { sheetId, column, columns }: SheetColumns) {
  return rangeAt(context, sheetId, { row: 0, rows: 1, column, columns }).getEntireColumn();
}

function usedOf(context: Excel.RequestContext, { sheetId, column, columns }: SheetColumns) {
  const all = { row: 0, rows: config.sheetRows, column, columns };
  return rangeAt(context, sheetId, all).getUsedRangeOrNullObject(true);
}
