/** The codes that Excel answers a failed request with, each with its sentence and HTTP status. */
const failures = {
  InvalidArgument: [400, "The argument is invalid or missing or has an incorrect format."],
  InvalidOperation: [400, "The operation attempted is invalid on the object."],
  ItemNotFound: [404, "The requested resource doesn't exist."],
  ItemAlreadyExists: [409, "A resource of the same name or identifier already exists."],
  ApiNotFound: [404, "The workbench does not model this API."],
  GeneralException: [500, "There was an internal error while processing the request."],
} as const;

export type FailureCode = keyof typeof failures;

/** A refusal that reaches the add-in as an `OfficeExtension.Error` with this code. */
export class HostError extends Error {
  readonly status: number;

  constructor(
    readonly code: FailureCode,
    detail = "",
  ) {
    const [status, sentence] = failures[code];
    super(detail === "" ? sentence : `${sentence} (${detail})`);
    this.status = status;
  }
}

/** The one answer to everything that the workbench does not model: its name. */
export function notModelled(member: string): HostError {
  return new HostError("ApiNotFound", member);
}

/** Runs what the grid may refuse with a plain Error, which becomes a refusal of Excel's. */
export function refusedAs<T>(code: FailureCode, attempt: () => T): T {
  try {
    return attempt();
  } catch (cause) {
    throw new HostError(code, cause instanceof Error ? cause.message : String(cause));
  }
}
