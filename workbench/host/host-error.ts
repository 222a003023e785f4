/** The codes that Excel answers a failed request with, each with its sentence and HTTP status. */
const failures = {
  AccessDenied: [403, "You cannot perform the requested operation."],
  InvalidArgument: [400, "The argument is invalid or missing or has an incorrect format."],
  InvalidOperation: [400, "The operation attempted is invalid on the object."],
  InvalidBinding: [400, "This object binding is no longer valid due to previous updates."],
  InvalidSelection: [400, "The current selection is invalid for this operation."],
  UnsupportedFeature: [400, "A feature that the operation meets is not supported here."],
  UnsupportedSheet: [400, "This sheet type does not support this operation."],
  FilteredRangeConflict: [409, "The attempted operation causes a conflict with a filtered range."],
  InsertDeleteConflict: [409, "The insert or delete operation attempted resulted in a conflict."],
  NonBlankCellOffSheet: [400, "Cells that are not blank would be pushed off the end of the worksheet."],
  UndoNotSupported: [400, "The operation can't be undone and can't be in a group of undo."],
  ItemNotFound: [404, "The requested resource doesn't exist."],
  ItemAlreadyExists: [409, "A resource of the same name or identifier already exists."],
  ApiNotFound: [404, "The workbench does not model this API."],
  GeneralException: [500, "There was an internal error while processing the request."],
} as const;

type FailureCode = keyof typeof failures;

/** A refusal that reaches the add-in as an `OfficeExtension.Error` with this code. */
export class HostError extends Error {
  readonly status: number;

  constructor(
    readonly code: FailureCode,
    detail: string,
  ) {
    const [status, sentence] = failures[code];
    super(`${sentence} (${detail})`);
    this.status = status;
  }
}

/** The one answer to everything that the workbench does not model: its name. */
export function notModelled(member: string): HostError {
  return new HostError("ApiNotFound", member);
}

/** The entry of a table of what is modeled. */
export function known<T>(entry: T | undefined, member: string): T {
  if (entry === undefined) throw notModelled(member);
  return entry;
}
