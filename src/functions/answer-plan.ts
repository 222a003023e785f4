import type { Failure } from "../errors";
import type { Asker, LookedUp } from "../engine/lookup/wants";
import type { Scalar } from "../workbook/sheet/values/cell-value";

/** The content of a result's cell: a value, an Excel data type, or the reason why there is none. */
export type ResultContent = Scalar | Excel.CellValue | Failure;

/** A formula's question about jurisdictions, of whose answer it makes rows. A failure of the whole ask is that of each cell. */
export interface AnswerPlan extends Asker<ResultContent[][]> {
  resultOf(found: LookedUp | Failure): ResultContent[][];
}

/** The rows of a formula, or how to get them. */
export type Planned = ResultContent[][] | AnswerPlan;

/** The rows of a formula, for callers that wait for each of them. `ask` is called with a plan. */
export async function plannedRows(
  planned: Planned | Promise<Planned>,
  ask: (plan: AnswerPlan) => ResultContent[][] | Promise<ResultContent[][]>,
): Promise<ResultContent[][]> {
  const plan = await planned;
  return plan instanceof Array ? plan : ask(plan);
}
