import { clockTime, Failure } from "../../src/errors";
import { holdFormulaOf } from "../../src/workbook/sheet/parts/hold-here";
import { parseHold } from "../../src/workbook/sheet/parts/hold-name";
import type { BookInNode } from "./excel-in-node";

/** Fails with on-hold if the workbook is on hold, so that nothing is to be asked for it. */
export async function mustBeReleased({ app: { workbook } }: BookInNode): Promise<void> {
  const formula = await workbook.run(holdFormulaOf);
  if (formula === null) return;
  const { sinceMs, by } = parseHold(formula);
  const since = sinceMs === null ? "" : `It is since ${clockTime(sinceMs)}.`;
  const person = by === null ? "" : `It was put on hold by “${by}”.`;
  throw new Failure("on-hold", { detail: [since, person].filter((text) => text !== "").join(" ") });
}
