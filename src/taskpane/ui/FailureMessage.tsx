import { MessageBar, MessageBarBody } from "@fluentui/react-components";
import type { Failure } from "../../errors";

/** A failure's sentence and next step. */
export function FailureMessage({ failure }: { failure: Failure }) {
  const intent = failure.kind === "cancelled" ? "info" : "error";
  return (
    <MessageBar intent={intent} layout="multiline">
      <MessageBarBody>{failure.message}</MessageBarBody>
    </MessageBar>
  );
}
