import { Failure, failureKinds } from "../../src/errors";
import type { Call, Outcome } from "../../src/functions/call";
import type { CellValue } from "../../workbench/spreadsheet";
import type { Connected } from "../command-connection";

/** A call of the add-in's functions without Excel. It waits as long as it takes. */
export function formulaCall(app: Connected["app"], signal: AbortSignal | undefined): Call {
  return {
    app,
    ask: (wants) => app.ask(wants, { signal }),
    read: (work) => app.answer((running) => work(running, { signal, urgent: true }), signal),
  };
}

/** The value that a file keeps of a formula's result: a failure is its error in Excel. */
export function shownInFile(outcome: Outcome): CellValue {
  if (outcome instanceof Failure) return failureKinds[outcome.kind].excelError;
  // No data types are asked for: a file can't hold them as a formula gives them.
  return typeof outcome === "object" ? "" : outcome;
}
