/** Why a file is not opened: see the sentences where they are thrown. */
export type WorkbookFileErrorKind =
  | "not-a-workbook"
  | "encrypted"
  | "signed"
  | "too-large"
  | "broken"
  | "unsupported";

/** A file that can't be read. The message is a sentence that a user understands; `detail` says for support where it was. */
export class WorkbookFileError extends Error {
  readonly kind: WorkbookFileErrorKind;
  readonly detail: string;

  constructor(kind: WorkbookFileErrorKind, message: string, detail = "") {
    super(message);
    this.name = "WorkbookFileError";
    this.kind = kind;
    this.detail = detail;
  }
}

class BrokenFileError extends WorkbookFileError {
  constructor(detail: string) {
    super(
      "broken",
      `The file is damaged and can't be read (${detail}). Open it in Excel, let Excel repair it, save it, and try again.`,
      detail,
    );
  }
}

/** The file's zip or XML is not as it has to be. */
export function broken(detail: string): WorkbookFileError {
  return new BrokenFileError(detail);
}

/** Gives back what was thrown; if it says that the file is broken, it then also says where. */
export function withPlace(thrown: unknown, ...where: string[]): unknown {
  if (!(thrown instanceof BrokenFileError)) return thrown;
  return broken([thrown.detail, ...where.filter((each) => each !== "")].join("; "));
}

/** The file is beyond a limit; `detail` names it. */
export function tooLarge(detail: string): WorkbookFileError {
  return new WorkbookFileError("too-large", `The file is too large to be opened: ${detail}.`, detail);
}

/** The XML of a part declares a document type, by which it could name files or grow without end. */
export function declaresEntities(partName: string): WorkbookFileError {
  return new WorkbookFileError(
    "broken",
    "The file declares XML entities, which no workbook does. It is not opened, because such a file can be an attack.",
    partName,
  );
}
