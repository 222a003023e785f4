import { cellKey, type FindOptions } from "../sheet/cells/formula-search";
import { isError } from "../sheet/values/shown-value";
import type { Workbook } from "../sheet/workbook";
import { pending } from "./settle";

/**
 * Has the formulas of the workbook calculated that show an error or still wait, and no others: a value that stands stays. Gives
 * their number. It does not wait for their answers.
 */
export async function answerWaiting(
  workbook: Pick<Workbook, "findFormulas" | "readCells" | "calculate">,
  options: FindOptions,
): Promise<number> {
  const cells = await workbook.findFormulas("workbook", options);
  const anchors = cells.map((cell) => ({ ...cell, rows: 1, columns: 1 }));
  const shown = await workbook.readCells(anchors, ["value", "text"], options.signal);
  const waiting = anchors.filter(({ sheetId, row, column }) => {
    const value = shown.get(cellKey(sheetId, row, column))?.value;
    return value === pending || isError(value);
  });
  if (waiting.length > 0) await workbook.calculate(waiting);
  return waiting.length;
}
