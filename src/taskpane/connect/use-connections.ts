import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Readable } from "../jobs/jobs";
import type { PaneApp } from "../pane-app";
import {
  type ConnectionsControl,
  type ConnectionsState,
  createConnectionsControl,
} from "./connections-control";

export type Connections = ConnectionsState & Omit<ConnectionsControl, keyof Readable<unknown> | "follow">;

export function useConnections(app: PaneApp): Connections {
  const [control] = useState(() => createConnectionsControl(app));
  const state = useStore(control);
  const { follow } = control;
  useEffect(follow, [follow]);
  return { ...control, ...state };
}
