import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useState, useSyncExternalStore } from "react";
import type { PaneApp } from "../pane-app";
import { oldAnswersSentence } from "./labels";
import { lazyView } from "./loading/lazy-view";
import { ScreenBoundary } from "./loading/ScreenBoundary";

const ConnectedNotice = lazyView(() => import("../connect/ConnectedNotice"));
const HoldBar = lazyView(() => import("../hold/HoldBar"));

/** Notices at the top of every screen. Mostly there are none. */
export function NoticeBars({ app }: { app: PaneApp }) {
  const { isMemoryOnly, oldAnswers, connected, hold } = useSyncExternalStore(
    app.onNoticesChange,
    app.notices,
  );
  const [isRead, setIsRead] = useState(false);

  return (
    <>
      {connected && (
        <ScreenBoundary fallback={<></>}>
          <ConnectedNotice app={app} connected={connected} />
        </ScreenBoundary>
      )}
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
      {hold && (
        <ScreenBoundary fallback={<></>}>
          <HoldBar app={app} formula={hold} />
        </ScreenBoundary>
      )}
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
