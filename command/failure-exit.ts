import { Failure } from "../src/errors";
import { WorkbookFileError } from "../xlsx/workbook-file";
import { CommandFailure, exitCodes } from "./command-failure";

/** The exit code of a failure, and its sentence for the user. */
export function failureOf(thrown: unknown): { code: number; sentence: string } {
  if (thrown instanceof CommandFailure) return { code: exitCodes[thrown.kind], sentence: thrown.message };
  if (thrown instanceof WorkbookFileError) return { code: exitCodes.file, sentence: thrown.message };
  if (thrown instanceof Failure && thrown.kind === "cancelled")
    return { code: exitCodes.ended, sentence: "Ended. Nothing was written." };
  if (thrown instanceof Failure) {
    const isOfSheet = /^(?:table-gone|sheet-|cells-|too-large)/.test(thrown.kind);
    return { code: isOfSheet ? exitCodes.file : exitCodes.service, sentence: thrown.message };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 1, sentence: `Something went wrong in regdata itself: ${message}` };
}
