import { hasFunctionWithAt } from "../formula-text/function-with-at";
import type { CellPosition, Workbook } from "../sheet/workbook";
import { pending } from "./settle";
import { mayBeStuck } from "./stuck-cells";

/**
 * Makes Excel calculate the formula of one cell. Calculating does not make Excel look for an unknown function again, nor reach a formula with
 * an `@` before a function; entering the formula does. If the cell has other content by now, nothing is written.
 */
export async function calculateAnew(
  anchor: CellPosition,
  { formula, value }: { formula: string; value: unknown },
  workbook: Pick<Workbook, "writeFormula" | "calculateCell">,
): Promise<void> {
  const isWithAt = hasFunctionWithAt(formula);
  if (!mayBeStuck(value) && !isWithAt) return workbook.calculateCell(anchor);
  const written = workbook.writeFormula(anchor, formula, { content: formula });
  // A formula that only waits is also mended by calculating, which a protected sheet allows; so may one with an @, outside of the web.
  const mayCalculate = value === pending || isWithAt;
  await (mayCalculate ? written.catch(() => workbook.calculateCell(anchor)) : written);
}
