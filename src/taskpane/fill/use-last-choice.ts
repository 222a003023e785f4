import { useEffect, useSyncExternalStore } from "react";
import type { LastChoice } from "../../settings/choices/last-choice";
import type { PaneApp } from "../pane-app";

/** What the last import on this device asked for; null while it is not known, or where there was none. */
export function useLastChoice({ lastChoice }: PaneApp): LastChoice | null {
  useEffect(() => {
    // Without it, nothing is offered.
    lastChoice.read().catch(() => undefined);
  }, [lastChoice]);
  return useSyncExternalStore(lastChoice.onChange, lastChoice.current);
}
