import type { JobProgress } from "./jobs";

/** The progress of work: how much is done, and the time at which it was. The time counts only while the work goes on. */
interface Mark {
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
interface Watch {
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

/** The pace of work that has phases and can be paused. */
export interface Pace {
  /**
   * Notes how far the work is, or that it is as far as before. Returns the time that is left for its present phase in milliseconds; null
   * while it can't be told. Work that was done before the phase began, or during a pause, says nothing about the pace.
   */
  note(progress?: JobProgress): number | null;
  pause(): void;
  goOn(): void;
}

export function createPace(): Pace {
  const watch = startWatch();
  let isPaused = false;
  let last: JobProgress | undefined;
  let begun: Mark | undefined;
  return {
    note(progress) {
      const now = { done: (progress ?? last)?.done ?? 0, atMs: watch.ms() };
      if (progress && (!last || progress.phase !== last.phase)) begun = now;
      else if (isPaused && begun) begun = { ...begun, done: begun.done + now.done - (last?.done ?? 0) };
      last = progress ?? last;
      return begun && last ? timeLeftMs(begun, now, last.total) : null;
    },
    pause() {
      isPaused = true;
      watch.stop();
    },
    goOn() {
      isPaused = false;
      watch.goOn();
    },
  };
}
