import { isDeepStrictEqual } from "node:util";
import { vi } from "vitest";
import { halfOf } from "../../../workbench/host/half-request";
import type { PlayedExcel, SavedFile } from "../../excel/open-excel";
import { memoryDisk } from "../memory-disk";
import { keptDisk, openWorld, type World } from "../world";

/** When the add-in's runtime ends, counted from the beginning of an operation. */
export interface Death {
  /** The request at which it ends, from 0. */
  at: number;
  to: "Excel" | "the service";
  /** Excel may carry out nothing of the request, the first half of its steps, or all of them; the answer never comes. */
  carriedOut: "nothing" | "half" | "all";
}

/** How it ended: the operation was over before that, or the workbook can be opened anew by another runtime. */
export type Killed =
  | { status: "over"; world: World }
  | { status: "killed"; isAsBefore: boolean; reopened: () => Promise<World> };

const never = <Result>() => new Promise<Result>(() => {});

/**
 * Has the runtime die in the middle of an operation: nothing of it runs on. The next one finds the same workbook and the same
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

/** A request that ends in the middle of its steps. */
function firstHalf(request: unknown): unknown {
  const whole = request as { ArrayData: unknown[] };
  return { ...whole, ArrayData: whole.ArrayData.with(4, halfOf(String(whole.ArrayData[4]))) };
}
