import { useEffect, useState, useSyncExternalStore } from "react";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { createShareControl } from "./share-control";

export function useShare(app: PaneApp, session: Session) {
  const [{ subscribe, getSnapshot, start, end, ...actions }] = useState(() =>
    createShareControl(app, session),
  );
  const snapshot = useSyncExternalStore(subscribe, getSnapshot);
  useEffect(() => {
    start();
    return end;
  }, [start, end]);
  return { ...snapshot, ...actions };
}
