import { useEffect, useState, useSyncExternalStore } from "react";
import type { PaneApp } from "../pane-app";
import { createTravellingControl } from "./travelling-control";

export function useTravelling(app: PaneApp) {
  const [{ subscribe, getSnapshot, start, end, ...actions }] = useState(() => createTravellingControl(app));
  const state = useSyncExternalStore(subscribe, getSnapshot);
  useEffect(() => {
    start();
    return end;
  }, [start, end]);
  return { ...state, ...actions };
}
