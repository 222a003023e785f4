import { asFailure, Failure, type FailureKind } from "../../errors";
import { SheetFailure } from "../../sheet-failure";

/**
 * Excel's refusals that have a sentence and a next step of their own, by the code of `OfficeExtension.Error` (`Excel.ErrorCodes`, and
 * `OfficeExtension.ErrorCodes` of office.js). All others are "sheet-refused".
 */
const kinds: Record<string, FailureKind> = {
  InvalidSelection: "no-cells-selected",
  UndoNotSupported: "not-undoable",
  RequestPayloadSizeLimitExceeded: "too-much-at-once",
  ResponsePayloadSizeLimitExceeded: "too-much-at-once",
  InvalidOperationInCellEditMode: "cell-editing",
  AccessDenied: "not-permitted",
  InsertDeleteConflict: "tables-collide",
  InactiveWorkbook: "workbook-behind",
};

function codeOf(thrown: unknown): string {
  return typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code) : "";
}

/**
 * Turns an error of office.js into a Failure: sheet-refused, with Excel's own words, unless `kinds` has its code. A Failure stays as it is.
 * Errors of office.js have a `code` (`OfficeExtension.Error`); an error without one is a mistake of ours, see `asFailure`.
 */
export function excelFailure(thrown: unknown): Failure {
  if (thrown instanceof Error && !("code" in thrown)) return asFailure(thrown);
  const kind = kinds[codeOf(thrown)];
  if (kind) return new SheetFailure(kind, { cause: thrown });
  const detail = thrown instanceof Error ? `Excel says: “${thrown.message}”` : "";
  return new SheetFailure("sheet-refused", { detail, cause: thrown });
}

/** True if Excel did not send an answer because it is longer than 5 MB. Nothing of what the request wrote is told then. */
export function isAnswerTooLong(thrown: unknown): boolean {
  return codeOf(thrown) === "ResponsePayloadSizeLimitExceeded";
}

/** True if Excel did not find something that a request names. */
export function isNotFound(thrown: unknown): boolean {
  return codeOf(thrown) === "ItemNotFound";
}

/** True if Excel refused a call because an undo group can't hold it (excel-add-ins-undo-capabilities.md). */
export function isUndoNotSupported(thrown: unknown): boolean {
  const code = codeOf(thrown instanceof Failure ? thrown.cause : thrown);
  return code === "UndoNotSupported";
}
