import { vi } from "vitest";
import { turnsAndDigests } from "../real-digests";

/**
 * Lets the clock run until some work has ended. As long as `activity` changes, the clock goes in small steps, so that no time passes for
 * work that only needs turns of this process.
 */
export async function inTime<Result>(work: Promise<Result>, activity: () => number): Promise<Result> {
  let isOver = false;
  const outcome = work.finally(() => (isOver = true));
  outcome.catch(() => undefined);
  const startedAtMs = Date.now();
  let seen = activity();
  for (let stepMs = 50; ;) {
    // Response bodies and stores need turns of the event loop, which fake timers do not give.
    await turnsAndDigests(4);
    if (isOver) return outcome;
    if (Date.now() - startedAtMs > mostMs) throw new Error("This does not end.");
    await vi.advanceTimersByTimeAsync(stepMs);
    const now = activity();
    // The steps are a tenth of the wait so far, which is as exact as waits are reported.
    stepMs = now === seen ? Math.max(50, (Date.now() - startedAtMs) / 10) : 50;
    seen = now;
  }
}

/** The clock stops here: this is longer than any limit that the add-in waits for. */
const mostMs = 2 * 3_600_000;
