import { useSyncExternalStore } from "react";
import type { PaneApp } from "../pane-app";
import { lazyView } from "./loading/lazy-view";
import { ScreenBoundary } from "./loading/ScreenBoundary";

const Notices = lazyView(() => import("./Notices"));

/** Notices at the top of every screen. Mostly there are none. */
export function NoticeBars({ app }: { app: PaneApp }) {
  const notices = useSyncExternalStore(app.onNoticesChange, app.notices);
  if (!Object.values(notices).some(Boolean)) return null;
  return (
    <ScreenBoundary fallback={<></>}>
      <Notices app={app} notices={notices} />
    </ScreenBoundary>
  );
}
