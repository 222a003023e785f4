import { cellKey, type FormulaCell } from "../sheet/cells/formula-search";
import { isError } from "../sheet/values/shown-value";
import type { Workbook } from "../sheet/workbook";
import { changesOf, mostCompared, type ShownChange, withinCells } from "./compare";
import { type LackingValue, notAvailable } from "./lacking-value";
import { type FormulaCalls, pending, unlessCancelled, untilCalculated } from "./settle";

export interface FormulaRefresh {
  formulas: number;
  changes: ShownChange[];
  /** Formulas whose values were not compared, because there were too many. */
  notCompared: number;
  /** Formulas that show #N/A now because no value is recorded, those with any other error, and those that still wait. */
  withoutValue: number;
  errors: number;
  waiting: number;
}

/**
 * Has exactly these formulas calculated again, and their questions asked anew. Fails with cancelled: what is under way
 * then still arrives.
 */
export async function refreshFormulas(
  cells: readonly FormulaCell[],
  doors: {
    workbook: Pick<Workbook, "readCells" | "calculate">;
    calls: FormulaCalls;
    /** Without it, those without a value count as errors. */
    lackingValue?: LackingValue | undefined;
  },
  signal: AbortSignal,
): Promise<FormulaRefresh> {
  const { workbook, calls } = doors;
  const compared = withinCells(cells, mostCompared);
  const askedBefore = await unlessCancelled(calls.idle(), signal);
  const before = await workbook.readCells(compared, ["value", "text"], signal);
  await calls.askAnew(async () => {
    await workbook.calculate(cells);
    await untilCalculated(cells, askedBefore, { ...doors, signal });
  });
  const after = await workbook.readCells(compared, ["value", "text"], signal);
  const anchors = await workbook.readCells(
    cells.map((cell) => ({ ...cell, rows: 1, columns: 1 })),
    ["value", "text"],
    signal,
  );
  const values = [...anchors.values()].map(({ value }) => value);
  const inError = cells.filter(({ sheetId, row, column }) =>
    isError(anchors.get(cellKey(sheetId, row, column))?.value),
  );
  const notThere = inError.filter(
    ({ sheetId, row, column }) => anchors.get(cellKey(sheetId, row, column))?.value === notAvailable,
  );
  const lacking = notThere.length > 0 ? await doors.lackingValue?.(notThere, signal) : undefined;
  const withoutValue = lacking?.size ?? 0;
  return {
    formulas: cells.length,
    changes: changesOf(compared, before, after),
    notCompared: cells.length - compared.length,
    withoutValue,
    errors: inError.length - withoutValue,
    waiting: values.filter((value) => value === pending).length,
  };
}
