import { leavesBlank } from "../../engine/absence";
import type { Lookup } from "../../engine/lookup/lookup";
import type { FormulaCell } from "../sheet/cells/formula-search";
import type { AskedDependencies } from "./asked-by-formulas";
import { formulaAnswers } from "./formula-answers";

/**
 * The value of a cell whose answer is missing. A cell into which it is entered shows the same, whether Excel reads it as the error or as
 * text.
 */
export const notAvailable = "#N/A";

/** Tells which formulas in error show it only because no value is recorded. */
export type LackingValue = (
  cells: readonly FormulaCell[],
  signal: AbortSignal,
) => Promise<ReadonlySet<FormulaCell>>;

/**
 * A formula lacks a value if the service has answered all of its questions and has no value recorded for some of them. Only answers in
 * memory or on this device are used; the service is asked nothing.
 */
export async function lackingValue(
  cells: readonly FormulaCell[],
  dependencies: AskedDependencies & { lookup: Pick<Lookup, "ask"> },
): Promise<ReadonlySet<FormulaCell>> {
  const answers = await formulaAnswers(cells, { ...dependencies, keptOnly: true });
  const lacking = answers.filter(
    ({ isWhole, failures }) =>
      isWhole && failures.length > 0 && failures.every(({ kind }) => leavesBlank(kind)),
  );
  return new Set(lacking.map(({ cell }) => cell));
}
