import { excelErrorOf, Failure } from "../../src/errors";
import type { Call, ResultContent } from "../../src/functions/call";
import type { CellValue } from "../../workbench/spreadsheet";
import type { Connected } from "../command-connection";

/** Calls the add-in's functions without Excel. A call waits for its answer without a time limit. */
export function formulaCall(app: Connected["app"], signal: AbortSignal | undefined): Call {
  return {
    app,
    ask: (wants) => app.ask(wants, { signal }),
    read: (work) => app.answer((running) => work(running, { signal, urgent: true }), signal),
  };
}

/** The value that a file stores as a formula's result: a failure becomes its error in Excel. */
export function shownInFile(outcome: ResultContent): CellValue {
  if (outcome instanceof Failure) return excelErrorOf(outcome.kind);
  // No data types are asked for, because a file can't hold them in the form in which a formula returns them.
  return typeof outcome === "object" ? "" : outcome;
}
