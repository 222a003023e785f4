import { Failure } from "../../../errors";
import { partsOf } from "../../../lists";
import type { CellPosition } from "../workbook";
import { cellAt } from "./selected-area";
import { readAsSelected, type SelectedCell } from "./selected-cell";

/** The cells that are read at once, each with its table and the cell that spills into it. */
const cellsAtOnce = 100;

/** Reads cells as `readSelectedCell` reads the selected one. Fails with cancelled. */
export async function readSourceCells(
  context: Excel.RequestContext,
  positions: readonly CellPosition[],
  { canSeeSpills, signal }: { canSeeSpills: boolean; signal?: AbortSignal | undefined },
): Promise<SelectedCell[]> {
  const read: SelectedCell[] = [];
  for (const part of partsOf(positions, cellsAtOnce)) {
    if (signal?.aborted) throw new Failure("cancelled");
    const cells = part.map((position) => cellAt(context, position));
    read.push(...(await readAsSelected(context, cells, canSeeSpills)));
  }
  return read;
}

/** The cell as if it showed the result of another formula, such as the one that was frozen in it. */
export function asResultOf(
  cell: SelectedCell,
  { formula, row, column }: { formula: string; row: number; column: number },
): SelectedCell {
  return { ...cell, formula, offset: { row: cell.row - row, column: cell.column - column } };
}

/** The cell whose formula gives the cell's value: the cell itself, or the one that spills into it. */
export function anchorOf({ sheetId, row, column, offset }: SelectedCell): CellPosition {
  return { sheetId, row: row - offset.row, column: column - offset.column };
}
