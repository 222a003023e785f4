import { MessageBar, MessageBarBody } from "@fluentui/react-components";

/** Why buttons have no effect meanwhile. */
export const beingPrepared = "The workbook is being prepared to be shared: one thing at a time.";

/** Says that a command of the ribbon has no effect while something else runs. */
export function NotBegun({ what }: { what: string }) {
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        {what} was not begun: one thing at a time. Choose it again when this is done.
      </MessageBarBody>
    </MessageBar>
  );
}
