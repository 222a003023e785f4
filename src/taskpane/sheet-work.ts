import { useSyncExternalStore } from "react";
import { createListeners } from "../async/listeners";
import type { Pressed } from "./commands";

/** What the screens do to the sheet: what refreshes and freezes goes along with its like, what prepares to share with nothing. */
export type SheetWork = "refresh" | "share";

interface Running {
  kind: SheetWork;
  underWay: string;
  asks: boolean;
}

/** What work tells of itself while it runs. */
export interface Telling {
  /** It waits for the user's answer to a question. */
  asks(isAsking: boolean): void;
}

let running: readonly Running[] = [];
const listeners = createListeners();

function change(next: readonly Running[]) {
  running = next;
  listeners.tell();
}

/** Notes for as long as the work lasts that it runs. `underWay` says so in a sentence. */
export async function asSheetWork<Result>(
  kind: SheetWork,
  underWay: string,
  work: (telling: Telling) => Promise<Result>,
): Promise<Result> {
  let current: Running = { kind, underWay, asks: false };
  change([...running, current]);
  const replace = (next: readonly Running[]) =>
    change(running.flatMap((each) => (each === current ? next : [each])));
  try {
    return await work({
      asks(isAsking) {
        const next = { ...current, asks: isAsking };
        replace([next]);
        current = next;
      },
    });
  } finally {
    replace([]);
  }
}

/** Whether such work runs, or any, whichever screen began it. */
export function useIsRunning(kind?: SheetWork): boolean {
  return useSyncExternalStore(listeners.add, () => running.some((each) => (kind ?? each.kind) === each.kind));
}

/** What runs, for the tabs that don't show it; what asks comes first. */
export function useUnderWay(): Pick<Running, "underWay" | "asks"> | undefined {
  return useSyncExternalStore(listeners.add, () => running.find(({ asks }) => asks) ?? running[0]);
}

const putOff = new WeakSet<Pressed>();

/**
 * Whether a press of the ribbon came while the workbook was being prepared to be shared. A screen that is only being
 * loaded must not begin later what another one has refused.
 */
export function isPutOff(pressed: Pressed): boolean {
  if (running.some(({ kind }) => kind === "share")) putOff.add(pressed);
  return putOff.has(pressed);
}
