import { useSyncExternalStore } from "react";
import { createListeners } from "../async/listeners";
import type { Pressed } from "./commands";

/** What the screens do to the sheet: what refreshes and freezes goes along with its like, what prepares to share with nothing. */
export type SheetWork = "refresh" | "share";

const running: SheetWork[] = [];
const listeners = createListeners();

function change(by: () => void) {
  by();
  listeners.tell();
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
  return useSyncExternalStore(listeners.add, () => (kind ? running.includes(kind) : running.length > 0));
}

const putOff = new WeakSet<Pressed>();

/**
 * Whether a press of the ribbon came while the workbook was being prepared to be shared. A screen that is only being
 * loaded must not begin later what another one has refused.
 */
export function isPutOff(pressed: Pressed): boolean {
  if (running.includes("share")) putOff.add(pressed);
  return putOff.has(pressed);
}
