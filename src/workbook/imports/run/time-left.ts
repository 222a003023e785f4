/** How far work has come, at a moment that counts only the time in which it went on. */
export interface Mark {
  done: number;
  atMs: number;
}

/** Before that, the first answers say little of the rest. */
const tellsAfterMs = 3_000;

/** What is left of it at the pace so far, in milliseconds; null while that can't be told. */
export function timeLeftMs(start: Mark, now: Mark, total: number): number | null {
  const [done, passedMs] = [now.done - start.done, now.atMs - start.atMs];
  if (done <= 0 || passedMs < tellsAfterMs) return null;
  return ((total - now.done) / done) * passedMs;
}

/** A watch that stands still while it is stopped. */
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
