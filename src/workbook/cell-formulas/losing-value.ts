import type { Lookup } from "../../engine/lookup/lookup";
import type { Failure, FailureKind } from "../../errors";
import { type CellContents, cellKey, type FormulaCell } from "../sheet/cells/formula-search";
import { isError } from "../sheet/values/shown-value";
import type { AskedDoors } from "./asked-by-formulas";
import { formulaAnswers } from "./formula-answers";
import { showsNoAnswer } from "./in-error";

/** Formulas that show a value now and would show an error once they are calculated again. */
export interface LosingValue {
  cells: ReadonlySet<FormulaCell>;
  /** Why the first of them would. */
  because: Failure;
}

/** The service says so: that is what the cell is to show. */
const said = new Set<FailureKind>(["no-value", "unknown-type"]);

/** A formula with one of these makes something of an error by itself. */
const handlesErrors = /\b(?:IFERROR|IFNA|ISERROR|ISERR|ISNA|ERROR\.TYPE)\(/i;

/**
 * Asks what these formulas ask, as they will themselves, and tells which would lose values that they show: the key's
 * subscription does not cover them, or the service can't be asked. `shown` holds what the cells show now. A formula whose
 * arguments can't be told without calculating, or that handles errors, is never among them. Null if there are none. Fails
 * with cancelled.
 */
export async function losingValue(
  cells: readonly FormulaCell[],
  shown: ReadonlyMap<string, Pick<CellContents, "value">>,
  doors: AskedDoors & { lookup: Pick<Lookup, "ask"> },
): Promise<LosingValue | null> {
  const withValue = cells.filter(({ sheetId, row, column, formula }) => {
    const value = shown.get(cellKey(sheetId, row, column))?.value;
    return value !== undefined && !showsNoAnswer(value) && !handlesErrors.test(formula);
  });
  const losing = (await formulaAnswers(withValue, doors)).filter(
    ({ cell, failures }) =>
      failures.some(({ kind }) => !said.has(kind)) && failures.length > errorsIn(cell, shown),
  );
  const because = losing.flatMap(({ failures }) => failures).find(({ kind }) => !said.has(kind));
  return because ? { cells: new Set(losing.map(({ cell }) => cell)), because } : null;
}

/** Of a table that spills, some cells may be in error already. */
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
