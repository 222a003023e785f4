import { withTimeout } from "../../async/timeout";
import type { Found, Wants } from "../../engine/lookup/lookup";
import { partTexts } from "../sheet/parts/part-texts";
import { createFinder } from "./found-in";
import { readable, travellingNamespace } from "./travelling-values";

/** What formulas want of the values that travelled with this workbook; null where none did, or none can be read. */
export const answer = createWithoutKey(() => partTexts(travellingNamespace));

/** Cells wait no longer than this for Excel, which may be busy or have a cell edited. */
const patienceMs = 10_000;
/** Between tries, where Excel refuses. */
const pausesMs = [500, 2_000];
/** One reading serves the formulas of a recalculation; the author may change or remove the values later. */
const keptMs = 10_000;

export function createWithoutKey(
  readTexts: () => Promise<readonly string[]>,
): (wants: Wants) => Promise<Found | null> {
  let reading: Promise<((wants: Wants) => Found) | null> | undefined;

  async function read() {
    const [newest] = readable((await withRetries(readTexts)).map((xml) => ({ xml })));
    return newest ? createFinder(newest.values) : null;
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
