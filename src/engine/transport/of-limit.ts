import { Failure } from "../../errors";

/** True if work is ended because the request limit lasts longer than anybody waits for. */
export function isOfLimit(reason: unknown): reason is Failure {
  return reason instanceof Failure && reason.kind === "rate-limited";
}
