import { useEffect, useState, useSyncExternalStore } from "react";
import type { PaneApp } from "../pane-app";
import { createLastKnownControl } from "./last-known-control";

export function useLastKnown(app: PaneApp) {
  const [{ subscribe, getSnapshot, start, end, ...actions }] = useState(() => createLastKnownControl(app));
  const state = useSyncExternalStore(subscribe, getSnapshot);
  useEffect(() => {
    start();
    return end;
  }, [start, end]);
  return { ...state, ...actions };
}
