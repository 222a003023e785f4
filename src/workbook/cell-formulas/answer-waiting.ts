import type { FindOptions } from "../sheet/cells/formula-search";
import type { Workbook } from "../sheet/workbook";
import { inError } from "./in-error";

/**
 * Has the formulas of the workbook calculated that show an error or still wait, and no others: a value that stands stays. Gives
 * their number. It does not wait for their answers.
 */
export async function answerWaiting(
  workbook: Pick<Workbook, "findFormulas" | "readCells" | "calculate">,
  options: FindOptions,
): Promise<number> {
  const waiting = await inError(workbook, await workbook.findFormulas("workbook", options), options.signal);
  if (waiting.length > 0) await workbook.calculate(waiting);
  return waiting.length;
}
