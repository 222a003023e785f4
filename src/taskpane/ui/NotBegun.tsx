import { MessageBar, MessageBarBody } from "@fluentui/react-components";

/** Explains why buttons have no effect meanwhile. */
export const beingPrepared = "The workbook is being prepared for sharing. Wait until that is done.";

/** Says that a command of the ribbon has no effect while something else runs. */
export function NotBegun({ what }: { what: string }) {
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        {what} was not started, because something else is still running. Choose it again when that is done.
      </MessageBarBody>
    </MessageBar>
  );
}
