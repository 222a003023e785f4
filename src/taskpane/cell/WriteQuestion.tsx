import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { FailureMessage } from "../ui/FailureMessage";
import type { WriteFormula } from "./use-write-formula";

/** Asks before a formula overwrites a cell, and says why it could not be written. */
export function WriteQuestion({ writing: { inTheWay, failure, write, dismiss } }: { writing: WriteFormula }) {
  return (
    <>
      {inTheWay && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{inTheWay.detail}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => write(inTheWay.order, { content: inTheWay.content })}>Overwrite</Button>
            <Button onClick={dismiss}>Leave it</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {failure && <FailureMessage failure={failure} />}
    </>
  );
}
