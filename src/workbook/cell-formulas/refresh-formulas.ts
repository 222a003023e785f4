import type { Failure } from "../../errors";
import { hasFunctionWithAt } from "../formula-text/function-with-at";
import { type CellArea, type CellContents, cellKey, type FormulaCell } from "../sheet/cells/formula-search";
import { isError } from "../sheet/values/shown-value";
import type { Workbook } from "../sheet/workbook";
import { changesOf, mostCompared, type ShownChange, withinCells } from "./compare";
import { type LackingValue, notAvailable } from "./lacking-value";
import type { LosingValue } from "./losing-value";
import { type FormulaCalls, pending, readSettled, unlessCancelled, untilCalculated } from "./settle";

export interface FormulaRefresh {
  formulas: number;
  /** True if none of them has asked the service or this device for anything. */
  askedNothing: boolean;
  changes: ShownChange[];
  /** Formulas whose values were not compared, because there were too many. */
  notCompared: number;
  /**
   * Formulas that show #N/A now because no value is recorded (`withoutValue`), show any other error (`errors`), or still wait (`waiting`).
   */
  withoutValue: number;
  errors: number;
  waiting: number;
  /** True if cells that depend on changed ones through other cells may show what they showed before. */
  mayLagBehind: boolean;
  /** Formulas that Excel may not have calculated, because a function in them has an `@` before it. */
  withAt: number;
  /** Formulas that were not recalculated, because they would have lost their value, and the failure that they would have shown. */
  kept: { formulas: number; because: Failure } | null;
}

/** Finds the formulas that would lose their value, and asks the user about them. */
export interface LosingQuestion {
  find(
    cells: readonly FormulaCell[],
    shown: ReadonlyMap<string, Pick<CellContents, "value">>,
    signal: AbortSignal,
  ): Promise<LosingValue | null>;
  /** True if the user agrees that the values may be lost. */
  mayLose(losing: LosingValue, signal: AbortSignal): Promise<boolean>;
}

/**
 * Recalculates exactly these formulas and asks their questions again. Formulas that would lose their value are left out unless the user
 * agrees. Fails with cancelled; requests under way are then still answered.
 */
export async function refreshFormulas(
  all: readonly FormulaCell[],
  dependencies: {
    workbook: Pick<Workbook, "readCells" | "calculate" | "directDependents">;
    calls: FormulaCalls;
    /** If missing, formulas without a value count as errors. */
    lackingValue?: LackingValue | undefined;
    /** If missing, nobody is asked and values may be lost. */
    losing?: LosingQuestion | undefined;
  },
  signal: AbortSignal,
): Promise<FormulaRefresh> {
  const { workbook, calls } = dependencies;
  const compared = withinCells(all, mostCompared);
  const askedBefore = await unlessCancelled(calls.idle(), signal);
  const before = await readSettled(compared, ["value", "text"], { workbook, signal });
  let kept: FormulaRefresh["kept"] = null;
  let cells = all;
  let withAt = 0;
  await calls.askAnew(async () => {
    const losing = await dependencies.losing?.find(compared, before, signal);
    if (losing && !(await dependencies.losing?.mayLose(losing, signal))) {
      kept = { formulas: losing.cells.size, because: losing.because };
      cells = all.filter((cell) => !losing.cells.has(cell));
    }
    withAt = cells.filter(({ formula }) => hasFunctionWithAt(formula)).length;
    await workbook.calculate(cells);
    const expected = cells.length - withAt;
    await untilCalculated(cells, askedBefore, { ...dependencies, signal, expected });
  });
  const asked = (await unlessCancelled(calls.idle(), signal)) - askedBefore;
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
  const lacking = notThere.length > 0 ? await dependencies.lackingValue?.(notThere, signal) : undefined;
  const withoutValue = lacking?.size ?? 0;
  const changes = changesOf(compared, before, after);
  const mayHaveChanged = [...changes, ...all.slice(compared.length)];
  return {
    formulas: cells.length,
    askedNothing: asked === 0,
    changes,
    mayLagBehind: !(await calculateFurther(mayHaveChanged, { workbook, calls, signal })),
    notCompared: cells.length - compared.length,
    withoutValue,
    errors: inError.length - withoutValue,
    waiting: values.filter((value) => value === pending).length,
    withAt,
    kept,
  };
}

/** The most steps from a changed cell to those that depend on it. Cells that depend on each other in a circle have no end. */
const mostSteps = 30;

/**
 * Calculates the cells that depend on these through other cells, step by step. Excel itself calculates only those that name one of them
 * (OfficeDev/office-js#6885). Gives false if some may be left.
 */
async function calculateFurther(
  changed: readonly CellArea[],
  {
    workbook,
    calls,
    signal,
  }: Pick<Parameters<typeof refreshFormulas>[1], "workbook" | "calls"> & { signal: AbortSignal },
): Promise<boolean> {
  let cells: readonly CellArea[] = changed;
  for (let step = 0; cells.length > 0; step += 1) {
    if (step === mostSteps) return false;
    const dependents = await unlessCancelled(workbook.directDependents(cells), signal);
    if (dependents === null) return false;
    cells = dependents;
    if (cells.length === 0) break;
    const asked = await unlessCancelled(calls.idle(), signal);
    await workbook.calculate(cells);
    // Formulas among them that wait for an answer have it before those that depend on them are calculated.
    await untilCalculated(cells, asked, { workbook, calls, signal, expected: 0 });
  }
  return true;
}
