import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useStore } from "zustand";
import { FailureMessage } from "../ui/FailureMessage";
import { askedOf, type WriteControl } from "./write-control";

/** Asks before a formula overwrites a cell, and says why it could not be written. */
export function WriteQuestion({ control }: { control: WriteControl }) {
  const state = useStore(control);
  if (state.status === "failed") return <FailureMessage failure={state.failure} />;
  const asked = askedOf(state);
  return (
    asked && (
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>{asked.detail}</MessageBarBody>
        <MessageBarActions>
          <Button onClick={control.overwrite}>Overwrite</Button>
          <Button onClick={control.dismiss}>Cancel</Button>
        </MessageBarActions>
      </MessageBar>
    )
  );
}
