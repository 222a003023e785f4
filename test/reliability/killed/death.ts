import { isDeepStrictEqual } from "node:util";
import { vi } from "vitest";
import { halfOf } from "../../../workbench/host/half-request";
import type { PlayedExcel, SavedFile } from "../../excel/open-excel";
import { memoryDisk } from "../memory-disk";
import { keptDisk, openWorld, type World } from "../world";

/** The moment in which the add-in's runtime dies, counted from the beginning of an operation. */
export interface Death {
  /** The number of the request at which the runtime dies, from 0. */
  at: number;
  to: "Excel" | "the service";
  /** How much of the request Excel carries out: nothing, the first half of its steps, or all of them. Its answer never comes. */
  carriedOut: "nothing" | "half" | "all";
}

/** The outcome of a death: the operation was over before it, or the workbook can be opened anew by another runtime. */
export type Killed =
  | { status: "over"; world: World }
  | { status: "killed"; isAsBefore: boolean; reopened: () => Promise<World> };

const never = <Result>() => new Promise<Result>(() => {});

/**
 * Makes the runtime die in the middle of an operation: nothing in it goes on. The next runtime finds the same workbook and the same
 * device.
 */
export async function killedAt(
  operation: (excel: PlayedExcel) => Promise<unknown>,
  { at, to, carriedOut }: Death,
  opening: { file?: SavedFile | undefined } = {},
): Promise<Killed> {
  let isRunning = false;
  let isDead = false;
  let requests = 0;
  let die = () => {};
  const died = new Promise<"killed">((resolve) => (die = () => resolve("killed")));
  const disk = memoryDisk(await keptDisk());
  const isItsEnd = (target: Death["to"]) => isRunning && !isDead && to === target && requests++ === at;
  const world = await openWorld({
    ...opening,
    openDisk: () => disk,
    async deliver(request, carryOut) {
      const isLast = isItsEnd("Excel");
      if (!isLast && !isDead) return carryOut(request);
      if (isLast) {
        isDead = true;
        if (carriedOut === "all") await carryOut(request);
        if (carriedOut === "half") await carryOut(firstHalf(request));
        die();
      }
      return never();
    },
    intercept() {
      if (isItsEnd("the service")) {
        isDead = true;
        die();
      }
      return isDead ? never() : undefined;
    },
  });
  const before = structuredClone(world.excel.save());
  isRunning = true;
  const ended = await world.inTime(Promise.race([operation(world.excel).then(() => "over"), died]));
  if (ended === "over") return { status: "over", world };
  vi.clearAllTimers();
  world.excel.close();
  const file = structuredClone(world.excel.save());
  const kept = disk.copy();
  return {
    status: "killed",
    isAsBefore: isDeepStrictEqual(file, before),
    reopened: () =>
      openWorld({ file: structuredClone(file), openDisk: () => memoryDisk(structuredClone(kept)) }),
  };
}

/** A request cut off after the first half of its steps. */
export function firstHalf(request: unknown): unknown {
  const whole = request as { ArrayData: unknown[] };
  return { ...whole, ArrayData: whole.ArrayData.with(4, halfOf(String(whole.ArrayData[4]))) };
}
