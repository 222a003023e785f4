import { useSyncExternalStore } from "react";

/** What the screens do to the sheet: what refreshes and freezes goes along with its like, what prepares to share with nothing. */
export type SheetWork = "refresh" | "share";

const running: SheetWork[] = [];
const listeners = new Set<() => void>();

function change(by: () => void) {
  by();
  for (const tell of listeners) tell();
}

/** Notes for as long as the work lasts that it runs. */
export async function asSheetWork<Result>(kind: SheetWork, work: () => Promise<Result>): Promise<Result> {
  change(() => running.push(kind));
  try {
    return await work();
  } finally {
    change(() => running.splice(running.indexOf(kind), 1));
  }
}

/** Whether such work runs, or any, whichever screen began it. */
export function useIsRunning(kind?: SheetWork): boolean {
  return useSyncExternalStore(onChange, () => (kind ? running.includes(kind) : running.length > 0));
}

function onChange(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
