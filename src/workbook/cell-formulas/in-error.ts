import { cellKey, type FormulaCell } from "../sheet/cells/formula-search";
import { isError } from "../sheet/values/shown-value";
import type { Workbook } from "../sheet/workbook";
import { pending } from "./settle";

/** The formulas whose first cell shows an error or still waits for its answer. Fails with cancelled. */
export async function inError(
  workbook: Pick<Workbook, "readCells">,
  cells: readonly FormulaCell[],
  signal?: AbortSignal,
): Promise<FormulaCell[]> {
  const anchors = cells.map((cell) => ({ ...cell, rows: 1, columns: 1 }));
  const shown = await workbook.readCells(anchors, ["value", "text"], signal);
  return cells.filter(({ sheetId, row, column }) =>
    showsNoAnswer(shown.get(cellKey(sheetId, row, column))?.value),
  );
}

/** True if a cell with this value shows an error or waits for its formula. */
export function showsNoAnswer(value: unknown): boolean {
  return value === pending || isError(value);
}
