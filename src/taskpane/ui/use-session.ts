import { useSyncExternalStore } from "react";
import type { App, Session } from "../../app";

/** The running session; null without a connection, undefined while the kept one is being read. */
export function useSession(app: App): Session | null | undefined {
  return useSyncExternalStore(app.onSessionChange, app.currentSession);
}
