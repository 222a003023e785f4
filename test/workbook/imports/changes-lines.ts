import { planChanges, reportedCells } from "../../../src/workbook/imports/refresh/changes-sheet";
import type { RefreshReport } from "../../../src/workbook/imports/refresh/plan-refresh";

/** The lines of the sheet of changes: what stood there, what stands there now, and what happened. */
export function changesLines(report: RefreshReport): string {
  const { columns, rows } = planChanges(
    report,
    reportedCells(report).map(() => undefined),
  );
  const at = (header: string) => columns.findIndex((column) => column.header === header);
  return rows
    .map((row) => {
      const [before, now, what] = ["Before", "Now", "What"].map((header) => String(row[at(header)]?.value));
      return `${before} → ${now}: ${what}`;
    })
    .join("\n");
}
