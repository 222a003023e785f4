import { config } from "../../config";
import { listFrozen } from "../../workbook/cell-formulas/frozen-formulas";
import { collectValues } from "../../workbook/last-known/collect";
import { writeLastKnown } from "../../workbook/last-known/last-known-book";
import type { FormulaCell } from "../../workbook/sheet/cells/formula-search";
import { spills } from "../../workbook/sheet/excel-api";
import type { PaneApp } from "../pane-app";

/** The outcome of storing values in the workbook for colleagues. */
export interface LastKnownReport {
  answers: number;
  /** The number of answers that fit into the workbook; null if all fit and were written. */
  fit: number | null;
  /** See `Collected`. */
  notKept: number;
  left: readonly FormulaCell[];
  /** The number of frozen formulas in this workbook. Their answers are not among the stored ones. */
  frozen: number;
  /** True if all of the workbook's formulas are frozen. */
  isAllFrozen: boolean;
}

/**
 * Stores the answers of the workbook's formulas in it, as far as this device keeps them, in place of those that it has. The service is
 * asked nothing. Fails with no-key, cancelled and the workbook's kinds.
 */
export async function storeLastKnown(app: PaneApp, signal: AbortSignal): Promise<LastKnownReport> {
  const { workbook } = app;
  const { namespace } = config;
  const { lookup } = await app.session();
  const canSeeSpills = app.hasExcelApi(spills);
  const cells = await workbook.findFormulas("workbook", { namespace, canSeeSpills, signal });
  const { values, ...rest } = await collectValues(cells, { workbook, lookup, namespace, signal });
  const answers = values.answers.length;
  const isNothing = answers + values.ahjs.length === 0;
  const { parts } = await listFrozen(workbook, namespace);
  const frozen = parts.reduce((sum, { formulas }) => sum + formulas.length, 0);
  const refused = isNothing ? { fit: 0 } : await writeLastKnown(workbook, values);
  const isAllFrozen = cells.length === 0 && frozen > 0;
  return { answers, fit: refused && refused.fit, ...rest, frozen, isAllFrozen };
}
