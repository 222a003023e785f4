import { MessageBar, MessageBarBody } from "@fluentui/react-components";

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
