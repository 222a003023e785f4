import { useEffect, useMemo, useSyncExternalStore } from "react";
import { createLastChoice, type LastChoice } from "../../settings/choices/last-choice";
import type { PaneApp } from "../pane-app";

/** What the last import on this device asked for, read anew whenever it becomes wanted; null where there was none. */
export function useLastChoice({ storage }: PaneApp, isWanted: boolean): LastChoice | null {
  const lastChoice = useMemo(() => createLastChoice(storage), [storage]);
  useEffect(() => {
    // Without it, nothing is offered.
    if (isWanted) lastChoice.read().catch(() => undefined);
  }, [lastChoice, isWanted]);
  return useSyncExternalStore(lastChoice.onChange, lastChoice.current);
}
