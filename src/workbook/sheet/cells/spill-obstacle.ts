import { type HasExcelApi, spills } from "../excel-api";
import { fitsSheet, type TableSize } from "../layout/table-plan";
import type { CellPosition } from "../workbook";
import { cellAt } from "./selected-area";

/**
 * The reason why Excel would show #SPILL! for a result of this size, as a sentence; null if the result has room. Cells into which the
 * cell's present formula spills are no obstacle.
 */
export async function spillObstacle(
  context: Excel.RequestContext,
  position: CellPosition,
  { rows, columns }: TableSize,
  hasExcelApi: HasExcelApi,
): Promise<string | null> {
  // An Excel version without this API does not spill results.
  if (rows * columns === 1 || !hasExcelApi(spills)) return null;
  if (!fitsSheet({ rows: position.row + rows, columns: position.column + columns })) {
    return "The result would reach beyond the end of the sheet.";
  }
  const cell = cellAt(context, position).load("address");
  const tables = cell.getTables(false).load("items/id");
  const own = cell.getSpillingToRangeOrNullObject().load("rowIndex,columnIndex,rowCount,columnCount");
  const isWide = columns > 1;
  const isHigh = rows > 1;
  const parts = [
    isWide ? cell.getOffsetRange(0, 1).getAbsoluteResizedRange(1, columns - 1) : null,
    isHigh ? cell.getOffsetRange(1, 0).getAbsoluteResizedRange(rows - 1, columns) : null,
  ].filter((part) => part !== null);
  const used = parts.map((part) =>
    part.getUsedRangeOrNullObject(true).load("address,rowIndex,columnIndex,rowCount,columnCount"),
  );
  const inTheWay = parts.map((part) => part.getTables(false).load("items/id"));
  await context.sync();
  if (tables.items.length > 0) return `${cell.address} is in a table, where no result can spill.`;
  const isOwn = (range: Excel.Range) =>
    !own.isNullObject &&
    range.rowIndex >= own.rowIndex &&
    range.columnIndex >= own.columnIndex &&
    range.rowIndex + range.rowCount <= own.rowIndex + own.rowCount &&
    range.columnIndex + range.columnCount <= own.columnIndex + own.columnCount;
  const filled = used.find((range) => !range.isNullObject && !isOwn(range));
  if (filled) return `${filled.address} is not empty.`;
  // A table's blank rows count as blank cells, and yet take no result.
  const isTable = inTheWay.some(({ items }) => items.length > 0);
  return isTable ? "The result would reach into a table, where no result can spill." : null;
}
