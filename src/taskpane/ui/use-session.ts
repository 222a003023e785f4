import { useSyncExternalStore } from "react";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";

/** The current session; null without a connection, undefined while the stored connection is being read. */
export function useSession(app: PaneApp): Session | null | undefined {
  return useSyncExternalStore(app.onSessionChange, app.currentSession);
}
