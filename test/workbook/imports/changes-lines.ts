import { planChanges, reportedCells } from "../../../src/workbook/imports/refresh/changes-sheet";
import type { RefreshReport } from "../../../src/workbook/imports/refresh/plan-refresh";

/** The lines of the sheet of changes: what stood there, what the service says now, and what happened. */
export function changesLines(report: RefreshReport): string {
  const { columns, rows } = planChanges(
    report,
    reportedCells(report).map(() => undefined),
  );
  const at = (header: string) => columns.findIndex((column) => column.header === header);
  return rows
    .map((row) => {
      const textAt = (header: string) => String(row[at(header)]?.value);
      // An edited cell had what somebody typed.
      const before = textAt("Kept in the cell") || textAt("Before");
      return `${before} → ${textAt("Now")}: ${textAt("Change")}`;
    })
    .join("\n");
}
