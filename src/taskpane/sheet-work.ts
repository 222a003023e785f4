import { useSyncExternalStore } from "react";
import { createListeners } from "../async/listeners";
import type { Pressed } from "./commands";

/**
 * The kinds of work that screens do to the sheet. "refresh" (refreshes and freezes) may run beside more of its kind, "share" (preparing to
 * share) beside nothing.
 */
export type SheetWork = "refresh" | "share";

interface Running {
  kind: SheetWork;
  underWay: string;
  asks: boolean;
}

/** How running work reports its state. */
export interface Telling {
  /** Says that the work waits for the user's answer to a question, or no longer does. */
  asks(isAsking: boolean): void;
}

let running: readonly Running[] = [];
const listeners = createListeners();

function change(next: readonly Running[]) {
  running = next;
  listeners.tell();
}

/** Lists the work as running until it ends. `underWay` is a sentence that says so. */
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

/** True while work of this kind runs, or any work if no kind is given, whichever screen started it. */
export function useIsRunning(kind?: SheetWork): boolean {
  return useSyncExternalStore(listeners.add, () => running.some((each) => (kind ?? each.kind) === each.kind));
}

/** The running work, for tabs that don't show it. Work that waits for an answer comes first. */
export function useUnderWay(): Pick<Running, "underWay" | "asks"> | undefined {
  return useSyncExternalStore(listeners.add, () => running.find(({ asks }) => asks) ?? running[0]);
}

const putOff = new WeakSet<Pressed>();

/**
 * True if the ribbon's command was pressed while the workbook was being prepared to be shared. A screen that is still loading must not
 * start later what another screen has refused.
 */
export function isPutOff(pressed: Pressed): boolean {
  if (running.some(({ kind }) => kind === "share")) putOff.add(pressed);
  return putOff.has(pressed);
}
