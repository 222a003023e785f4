/** A cell as Excel fills it: a custom function gives rows, in which a cell may be Excel's error. */
import type { Answer } from "./ask";

/** Excel's error as the functions' runtime knows it. */
class ExcelError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Provides what Excel provides to custom functions. */
export function provideCustomFunctions(): void {
  const ErrorCode = {
    notAvailable: "#N/A",
    invalidValue: "#VALUE!",
    divisionByZero: "#DIV/0!",
    invalidNumber: "#NUM!",
    nullReference: "#NULL!",
  };
  Object.assign(globalThis, { CustomFunctions: { Error: ExcelError, ErrorCode } });
}

/** The rows that a peer would give to Excel for an answer. */
export function cellOf(answer: Answer): (string | ExcelError)[][] {
  return [[answer ?? new ExcelError("#N/A", "No value is recorded for this question here.")]];
}

/** The cell of a formula as Excel shows it: its value, or null for the error of a cell that has none. Other errors are thrown. */
export async function shown(rows: Promise<unknown[][]>): Promise<unknown> {
  const cell = (await rows)[0]?.[0];
  if (!(cell instanceof ExcelError)) return cell;
  if (cell.message.startsWith("No value is recorded")) return null;
  throw cell;
}
