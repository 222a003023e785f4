import { useSyncExternalStore } from "react";
import { createListeners } from "../async/listeners";
import { Failure } from "../errors";
import type { Pressed } from "./commands";

/**
 * The kinds of work that screens do to the workbook: "imports" changes imports that are there, "share" prepares the workbook to be shared,
 * "cells" is any other that writes, such as a new import or a freeze.
 */
export type SheetWork = "cells" | "imports" | "share";

/** The running work that keeps each kind of work from beginning. */
const excludedBy: Record<SheetWork, readonly SheetWork[]> = {
  cells: ["share"],
  imports: ["imports", "share"],
  share: ["cells", "imports", "share"],
};

interface Running {
  kind: SheetWork;
  underWay: string;
  /** True if other tabs need not tell it. */
  isQuiet: boolean;
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

const excluding = (kind: SheetWork) => running.find((each) => excludedBy[kind].includes(each.kind));

/** True while work of this kind can't begin, because of work that runs. */
export const isExcluded = (kind: SheetWork): boolean => excluding(kind) !== undefined;

/** Lists the work as running until it ends. `underWay` is a sentence that says so. Fails at once if the work can't begin now. */
export async function asSheetWork<Result>(
  kind: SheetWork,
  underWay: string,
  work: (telling: Telling) => Promise<Result>,
  { isQuiet = false } = {},
): Promise<Result> {
  const other = excluding(kind);
  if (other)
    throw new Failure("cancelled", { detail: other.underWay, nextStep: "Try again when that is done." });
  let current: Running = { kind, underWay, isQuiet, asks: false };
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

/** `isExcluded`, for buttons. */
export function useIsExcluded(kind: SheetWork): boolean {
  return useSyncExternalStore(listeners.add, () => isExcluded(kind));
}

/** True while work of this kind runs, or any work if no kind is given, whichever screen started it. */
export function useIsRunning(kind?: SheetWork): boolean {
  return useSyncExternalStore(listeners.add, () => running.some((each) => (kind ?? each.kind) === each.kind));
}

/** The running work, for tabs that don't show it. Work that waits for an answer comes first. */
export function useUnderWay(): Pick<Running, "underWay" | "asks"> | undefined {
  return useSyncExternalStore(
    listeners.add,
    () => running.find(({ asks }) => asks) ?? running.find(({ isQuiet }) => !isQuiet),
  );
}

/** The presses that were looked at, and whether they were refused. */
const putOff = new WeakMap<Pressed, boolean>();

/**
 * True if what the ribbon's command starts could not begin when it was pressed. A screen that is still loading must not start later what
 * another screen has refused.
 */
export function isPutOff(pressed: Pressed): boolean {
  const isRefused = putOff.get(pressed) ?? isExcluded(pressed.name === "refreshAll" ? "imports" : "cells");
  putOff.set(pressed, isRefused);
  return isRefused;
}
