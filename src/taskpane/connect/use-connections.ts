import { useEffect, useState, useSyncExternalStore } from "react";
import type { PaneApp } from "../pane-app";
import {
  type ConnectionsControl,
  type ConnectionsState,
  createConnectionsControl,
} from "./connections-control";

export type Connections = ConnectionsState & Omit<ConnectionsControl, "subscribe" | "getSnapshot" | "follow">;

export function useConnections(app: PaneApp): Connections {
  const [{ subscribe, getSnapshot, follow, ...actions }] = useState(() => createConnectionsControl(app));
  const state = useSyncExternalStore(subscribe, getSnapshot);
  useEffect(follow, [follow]);
  return { ...state, ...actions };
}
