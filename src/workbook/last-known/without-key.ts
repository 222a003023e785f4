import { withTimeout } from "../../async/timeout";
import type { LookedUp, Wants } from "../../engine/lookup/lookup";
import { partTexts } from "../sheet/parts/part-texts";
import { createLastKnownFinder } from "./found-in";
import { readable, lastKnownNamespace } from "./last-known-values";

/** Answers formulas from the values that came with this workbook; null if there are none that can be read. */
export const answer = createWithoutKey(() => partTexts(lastKnownNamespace));

/** The longest time that cells wait for Excel, which may be busy or have a cell in edit mode. */
const patienceMs = 10_000;
/** The pauses between tries if Excel refuses. */
const pausesMs = [500, 2_000];
/** The values are read once for all formulas of a recalculation, but not kept longer, because the author may change or remove them. */
const keptMs = 10_000;

export function createWithoutKey(
  readTexts: () => Promise<readonly string[]>,
): (wants: Wants) => Promise<LookedUp | null> {
  let reading: Promise<((wants: Wants) => LookedUp) | null> | undefined;

  async function read() {
    const [newest] = readable((await withRetries(readTexts)).map((xml) => ({ xml })));
    return newest ? createLastKnownFinder(newest.values) : null;
  }

  return async (wants) => {
    if (!reading) {
      const begun = (reading = withTimeout(read(), patienceMs, () => new Error("Excel does not answer.")));
      const forget = () => {
        if (reading === begun) reading = undefined;
      };
      begun.then(() => setTimeout(forget, keptMs), forget);
    }
    return (await reading)?.(wants) ?? null;
  };
}

async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return work();
}
