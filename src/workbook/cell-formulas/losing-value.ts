import { aboutOf } from "../../engine/absence";
import type { Lookup } from "../../engine/lookup/lookup";
import type { Failure } from "../../errors";
import { type CellContents, cellKey, type FormulaCell } from "../sheet/cells/formula-search";
import { isError } from "../sheet/values/shown-value";
import type { AskedDependencies } from "./asked-by-formulas";
import { formulaAnswers } from "./formula-answers";
import { showsNoAnswer } from "./in-error";

/** Formulas that show a value now and would show an error once they are calculated again. */
export interface LosingValue {
  cells: ReadonlySet<FormulaCell>;
  /** The failure that the first of these formulas would show. */
  because: Failure;
}

/** True if the service gives every key this answer, so the cell is meant to show it. */
const isMeant = ({ kind }: Failure) => aboutOf(kind) === "answer" || aboutOf(kind) === "type";

/** A formula that calls one of these functions handles errors itself. */
const handlesErrors = /\b(?:IFERROR|IFNA|ISERROR|ISERR|ISNA|ERROR\.TYPE)\(/i;

/**
 * Asks the questions of these formulas ahead of the formulas themselves, and tells which of them would lose a value that they show, because
 * the key's subscription does not cover it or the service can't be reached. `shown` holds the present values of the cells. Formulas that
 * handle errors, or whose arguments can't be told without calculating, are never in the result. Null if no formula would lose a value.
 * Fails with cancelled.
 */
export async function losingValue(
  cells: readonly FormulaCell[],
  shown: ReadonlyMap<string, Pick<CellContents, "value">>,
  dependencies: AskedDependencies & { lookup: Pick<Lookup, "ask"> },
): Promise<LosingValue | null> {
  const withValue = cells.filter(({ sheetId, row, column, formula }) => {
    const value = shown.get(cellKey(sheetId, row, column))?.value;
    return value !== undefined && !showsNoAnswer(value) && !handlesErrors.test(formula);
  });
  const losing = (await formulaAnswers(withValue, dependencies)).filter(
    ({ cell, failures }) => !failures.every(isMeant) && failures.length > errorsIn(cell, shown),
  );
  const because = losing.flatMap(({ failures }) => failures).find((failure) => !isMeant(failure));
  return because ? { cells: new Set(losing.map(({ cell }) => cell)), because } : null;
}

/** The cells of a formula that show errors now: in a spilled table, some may be in error already. */
function errorsIn(
  { sheetId, row, column, rows, columns }: FormulaCell,
  shown: ReadonlyMap<string, Pick<CellContents, "value">>,
): number {
  let errors = 0;
  for (let y = row; y < row + rows; y += 1)
    for (let x = column; x < column + columns; x += 1)
      if (isError(shown.get(cellKey(sheetId, y, x))?.value)) errors += 1;
  return errors;
}
