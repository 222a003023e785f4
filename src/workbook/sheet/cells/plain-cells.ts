import { config } from "../../../config";
import type { Scalar } from "../values/cell-value";
import { isFormula } from "./cell-content";
import { readAreas, withSpills } from "./formula-search";

/** The cells of a sheet, by `placeOf`. */
export interface PlainCells {
  /** The values of cells that hold a constant; blank cells are left out. */
  values: Map<number, Scalar>;
  /** Cells that hold a formula, or into which a formula spills. */
  calculated: Set<number>;
  /** The used range of the sheet. */
  used: { row: number; column: number; rows: number; columns: number };
}

/** The number of a cell within its sheet. */
export function placeOf(row: number, column: number): number {
  return row * config.sheetColumns + column;
}

/** Reads all cells of a sheet. Null if more than `most` cells of it are used. Fails with cancelled, too. */
export async function readPlainCells(
  context: Excel.RequestContext,
  sheetId: string,
  { most, canSeeSpills, signal }: { most: number; canSeeSpills: boolean; signal?: AbortSignal | undefined },
): Promise<PlainCells | null> {
  const range = context.workbook.worksheets
    .getItem(sheetId)
    .getUsedRangeOrNullObject(true)
    .load("rowIndex,columnIndex,rowCount,columnCount");
  await context.sync();
  const values: PlainCells["values"] = new Map();
  const calculated = new Set<number>();
  if (range.isNullObject) return { values, calculated, used: { row: 0, column: 0, rows: 0, columns: 0 } };
  const { rowIndex: row, columnIndex: column, rowCount: rows, columnCount: columns } = range;
  if (rows * columns > most) return null;
  const formulas: Parameters<typeof withSpills>[1][number][] = [];
  await readAreas(
    context,
    [{ sheetId, row, column, rows, columns }],
    ["value", "formula"],
    (cell, { value, formula }) => {
      if (isFormula({ value, formula })) {
        formulas.push({ ...cell, sheetName: "", formula });
        calculated.add(placeOf(cell.row, cell.column));
      } else if (value !== "") values.set(placeOf(cell.row, cell.column), value);
    },
    signal,
  );
  for (const cell of canSeeSpills ? await withSpills(context, formulas) : []) {
    for (let down = 0; down < cell.rows; down += 1) {
      for (let across = 0; across < cell.columns; across += 1) {
        const place = placeOf(cell.row + down, cell.column + across);
        values.delete(place);
        calculated.add(place);
      }
    }
  }
  return { values, calculated, used: { row, column, rows, columns } };
}
