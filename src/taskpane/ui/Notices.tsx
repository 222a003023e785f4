import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useState } from "react";
import ConnectedNotice from "../connect/ConnectedNotice";
import HoldBar from "../hold/HoldBar";
import type { PaneApp } from "../pane-app";
import { oldAnswersSentence } from "./labels";

/** The notices that there are now. */
export default function Notices({ app, notices }: { app: PaneApp; notices: ReturnType<PaneApp["notices"]> }) {
  const { isMemoryOnly, oldAnswers, connected, hold } = notices;
  const [isRead, setIsRead] = useState(false);
  return (
    <>
      {connected && <ConnectedNotice app={app} connected={connected} />}
      {isMemoryOnly && !isRead && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            This browser stores nothing for RegData, so answers are fetched again after a restart.
          </MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => setIsRead(true)}>OK</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {hold && <HoldBar app={app} formula={hold} />}
      {oldAnswers && !hold && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {oldAnswersSentence(oldAnswers)} Later, choose Refresh all in the ribbon.
          </MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}
