import type { FindOptions } from "../sheet/cells/formula-search";
import type { Workbook } from "../sheet/workbook";
import { inError } from "./in-error";

/**
 * Recalculates only those formulas of the workbook that show an error or still wait for an answer; cells that show a value keep it. Returns
 * how many it recalculated, without waiting for their answers.
 */
export async function answerWaiting(
  workbook: Pick<Workbook, "findFormulas" | "readCells" | "calculate">,
  options: FindOptions,
): Promise<number> {
  const waiting = await inError(workbook, await workbook.findFormulas("workbook", options), options.signal);
  if (waiting.length > 0) await workbook.calculate(waiting);
  return waiting.length;
}
