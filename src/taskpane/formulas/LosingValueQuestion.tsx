import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import type { Failure } from "../../errors";
import { plural } from "../ui/labels";

/** Asks before a refresh turns values into errors. */
export function LosingValueQuestion({
  losing,
  because,
  onDecide,
}: {
  losing: number;
  because: Failure;
  onDecide: (mayLose: boolean) => void;
}) {
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        {plural(losing, "formula")} would show an error instead of{" "}
        {losing === 1 ? "its value" : "their values"}. {because.message}
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={() => onDecide(false)}>
          {losing === 1 ? "Keep its value" : "Keep their values"}
        </Button>
        <Button onClick={() => onDecide(true)}>Show the {losing === 1 ? "error" : "errors"}</Button>
      </MessageBarActions>
    </MessageBar>
  );
}
