import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { FailureMessage } from "../ui/FailureMessage";
import type { WriteControl } from "./write-control";

/** Asks before a formula overwrites a cell, and says why it could not be written. */
export function WriteQuestion({ control }: { control: WriteControl }) {
  const state = useSyncExternalStore(control.subscribe, control.getSnapshot);
  if (state.status === "failed") return <FailureMessage failure={state.failure} />;
  return (
    state.status === "in-the-way" && (
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>{state.detail}</MessageBarBody>
        <MessageBarActions>
          <Button onClick={control.overwrite}>Overwrite</Button>
          <Button onClick={control.dismiss}>Cancel</Button>
        </MessageBarActions>
      </MessageBar>
    )
  );
}
