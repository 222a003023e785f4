import { clockTime, Failure } from "../../src/errors";
import { holdFormulaOf } from "../../src/workbook/sheet/parts/hold-here";
import { holdWords, parseHold } from "../../src/workbook/sheet/parts/hold-name";
import type { BookInNode } from "./excel-in-node";

/** Fails with on-hold if the workbook is on hold, so that nothing is to be asked for it. */
export async function mustBeReleased({ app: { workbook } }: BookInNode): Promise<void> {
  const formula = await workbook.run(holdFormulaOf);
  if (formula === null) return;
  const words = holdWords(parseHold(formula), clockTime);
  throw new Failure("on-hold", { detail: words === "" ? "" : `On hold${words}.` });
}
