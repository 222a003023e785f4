import { useEffect, useMemo, useSyncExternalStore } from "react";
import { createLastChoice, type LastChoice } from "../../settings/choices/last-choice";
import type { PaneApp } from "../pane-app";

/** The last import's jurisdictions and questions on this device, read anew whenever `isWanted` turns true; null if there was none. */
export function useLastChoice({ storage }: PaneApp, isWanted: boolean): LastChoice | null {
  const lastChoice = useMemo(() => createLastChoice(storage), [storage]);
  useEffect(() => {
    // If they can't be read, nothing is offered.
    if (isWanted) lastChoice.read().catch(() => undefined);
  }, [lastChoice, isWanted]);
  return useSyncExternalStore(lastChoice.onChange, lastChoice.current);
}
