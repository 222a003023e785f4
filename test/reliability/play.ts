import { vi } from "vitest";
import { turnsAndDigests } from "../real-digests";

/**
 * Lets the clock go on until some work has ended. As long as `activity` changes it goes in small steps, so that nothing
 * waits for what only takes turns of this process.
 */
export async function inTime<Result>(work: Promise<Result>, activity: () => number): Promise<Result> {
  let isOver = false;
  const outcome = work.finally(() => (isOver = true));
  outcome.catch(() => undefined);
  const startedAtMs = Date.now();
  let seen = activity();
  for (let stepMs = 50; ;) {
    // Bodies and disks take turns that no timer makes.
    await turnsAndDigests(4);
    if (isOver) return outcome;
    if (Date.now() - startedAtMs > mostMs) throw new Error("This does not end.");
    await vi.advanceTimersByTimeAsync(stepMs);
    const now = activity();
    // Waits are told to a tenth.
    stepMs = now === seen ? Math.max(50, (Date.now() - startedAtMs) / 10) : 50;
    seen = now;
  }
}

/** Longer than any limit that is waited for. */
const mostMs = 2 * 3_600_000;
