import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import { leavesBlank } from "../../engine/absence";
import type { Failure } from "../../errors";
import { CopyButton } from "./CopyButton";
import { Details } from "./Details";
import { forIt, supportDetails } from "./failure-details";

/** Shows a failure's sentence and next step. */
export function FailureMessage({ failure, onRetry }: { failure: Failure; onRetry?: () => void }) {
  const isOurs = failure.kind === "internal";
  const isNoError = leavesBlank(failure.kind) || ["cancelled", "no-cells-selected"].includes(failure.kind);
  const itDetails = forIt[failure.kind];
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    bar.current?.scrollIntoView({ block: "nearest" });
  }, [failure]);
  return (
    <MessageBar ref={bar} intent={isNoError ? "info" : "error"} layout="multiline">
      <MessageBarBody>
        {failure.message}
        {itDetails !== undefined && <Details title="Details for IT">{itDetails}</Details>}
      </MessageBarBody>
      {(onRetry || isOurs) && (
        <MessageBarActions>
          {onRetry && <Button onClick={onRetry}>Try again</Button>}
          {isOurs && <CopyButton label="Copy the details" text={supportDetails(failure)} />}
        </MessageBarActions>
      )}
    </MessageBar>
  );
}
