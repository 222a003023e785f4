import { excelErrorOf, Failure } from "../../src/errors";
import { type Planned, plannedRows, type ResultContent } from "../../src/functions/answer-plan";
import type { Call } from "../../src/functions/call";
import type { CellValue } from "../../workbench/spreadsheet";
import type { Connected } from "../command-connection";

/** Calls one of the add-in's functions without Excel. The call waits for its answers without a time limit. */
export function rowsWithoutExcel(
  { app }: Pick<Connected, "app">,
  signal: AbortSignal | undefined,
  run: (call: Call) => Planned | Promise<Planned>,
): Promise<ResultContent[][]> {
  const planned = run({
    app,
    read: (work) => app.answer((running) => work(running, { signal, urgent: true }), signal),
  });
  return plannedRows(planned, (plan) => app.ask(plan, { signal }));
}

/** The value that a file stores as a formula's result: a failure becomes its error in Excel. */
export function shownInFile(outcome: ResultContent): CellValue {
  if (outcome instanceof Failure) return excelErrorOf(outcome.kind);
  // No data types are asked for, because a file can't hold them in the form in which a formula returns them.
  return typeof outcome === "object" ? "" : outcome;
}
