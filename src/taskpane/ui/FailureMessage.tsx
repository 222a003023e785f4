import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import type { Failure } from "../../errors";

/** A failure's sentence and next step. */
export function FailureMessage({ failure, onRetry }: { failure: Failure; onRetry?: () => void }) {
  const intent = ["cancelled", "no-cells-selected"].includes(failure.kind) ? "info" : "error";
  return (
    <MessageBar intent={intent} layout="multiline">
      <MessageBarBody>{failure.message}</MessageBarBody>
      {onRetry && (
        <MessageBarActions>
          <Button onClick={onRetry}>Try again</Button>
        </MessageBarActions>
      )}
    </MessageBar>
  );
}
