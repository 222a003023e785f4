import { Failure, type FailureDetails, type FailureKind } from "./errors";
import { allFailureKinds } from "./sheet-failure-kinds";

/** A failure of work on a sheet, or of the pane. It may be of any kind. */
export class SheetFailure extends Failure {
  constructor(kind: FailureKind, details?: FailureDetails) {
    super(kind, details, allFailureKinds[kind]);
  }
}
