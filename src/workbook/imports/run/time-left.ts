/** The progress of work: how much is done, and the time at which it was. The time counts only while the work goes on. */
export interface Mark {
  done: number;
  atMs: number;
}

/** Until this time, the first answers say little about the pace of the rest. */
const tellsAfterMs = 3_000;

/** The time that is left at the pace so far, in milliseconds; null while it can't be told. */
export function timeLeftMs(start: Mark, now: Mark, total: number): number | null {
  const [done, passedMs] = [now.done - start.done, now.atMs - start.atMs];
  if (done <= 0 || passedMs < tellsAfterMs) return null;
  return ((total - now.done) / done) * passedMs;
}

/** A stopwatch that does not count the time during which it is stopped. */
export interface Watch {
  ms(): number;
  stop(): void;
  goOn(): void;
}

export function startWatch(now: () => number = Date.now): Watch {
  let sinceMs: number | null = now();
  let beforeMs = 0;
  const ms = () => beforeMs + (sinceMs === null ? 0 : now() - sinceMs);
  return {
    ms,
    stop() {
      beforeMs = ms();
      sinceMs = null;
    },
    goOn() {
      sinceMs ??= now();
    },
  };
}
