import type { Lookup } from "../../engine/lookup/lookup";
import type { FormulaCell } from "../sheet/cells/formula-search";
import type { AskedDoors } from "./asked-by-formulas";
import { formulaAnswers } from "./formula-answers";

/** What a cell shows whose answer is not there. Entered, it shows the same, whether Excel takes it for the error or for its text. */
export const notAvailable = "#N/A";

/** Tells which formulas in error are so only because no value is recorded. */
export type LackingValue = (
  cells: readonly FormulaCell[],
  signal: AbortSignal,
) => Promise<ReadonlySet<FormulaCell>>;

/**
 * By what is kept: a formula lacks a value if the service has answered all that it asks, and has none recorded for a part of it.
 * The service is asked nothing.
 */
export async function lackingValue(
  cells: readonly FormulaCell[],
  doors: AskedDoors & { lookup: Pick<Lookup, "ask"> },
): Promise<ReadonlySet<FormulaCell>> {
  const answers = await formulaAnswers(cells, { ...doors, keptOnly: true });
  const lacking = answers.filter(
    ({ isWhole, failures }) =>
      isWhole && failures.length > 0 && failures.every(({ kind }) => kind === "no-value"),
  );
  return new Set(lacking.map(({ cell }) => cell));
}
