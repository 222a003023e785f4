export interface FakeClock {
  nowMs(): number;
  /** Time stands still until this is settled: for work that the machine does in no time at all. */
  during<Result>(work: Promise<Result>): Promise<Result>;
}

interface Timer {
  atMs: number;
  order: number;
  run(): void;
}

/**
 * Runs `work` in a world where nothing but waiting takes time, and waiting takes none of ours: `setTimeout`, `Date.now`
 * and `performance.now` follow a clock that jumps to the next timer whenever all work rests.
 * @throws Error when `work` waits for something that is no timer.
 */
export async function onFakeClock<Result>(
  startMs: number,
  work: (clock: FakeClock) => Promise<Result>,
): Promise<Result> {
  const real = { setTimeout, clearTimeout, dateNow: Date.now, performanceNow: performance.now };
  const timers = new Map<number, Timer>();
  let nowMs = startMs;
  let lastId = 0;
  let busy = 0;

  const start = (run: (...given: unknown[]) => void, delayMs = 0, ...given: unknown[]) => {
    lastId += 1;
    timers.set(lastId, { atMs: nowMs + Math.max(1, delayMs), order: lastId, run: () => run(...given) });
    return lastId;
  };
  const clear = (id: unknown) => timers.delete(Number(id));
  Object.assign(globalThis, { setTimeout: start, clearTimeout: clear });
  Date.now = () => nowMs;
  performance.now = () => nowMs - startMs;

  try {
    let isDone = false;
    const outcome = work({
      nowMs: () => nowMs,
      async during(started) {
        busy += 1;
        return started.finally(() => (busy -= 1));
      },
    }).finally(() => (isDone = true));
    outcome.catch(() => {});
    for (;;) {
      await rest(() => busy === 0);
      if (isDone) return await outcome;
      const next = [...timers].sort(([, a], [, b]) => a.atMs - b.atMs || a.order - b.order)[0];
      if (!next) throw new Error("everything rests, and no timer is set");
      const [id, timer] = next;
      timers.delete(id);
      nowMs = Math.max(nowMs, timer.atMs);
      timer.run();
    }
  } finally {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
    Date.now = real.dateNow;
    performance.now = real.performanceNow;
  }
}

/** Turns of the event loop that a chain of promises and streams may need to come to rest. */
const turns = 20;

async function rest(isQuiet: () => boolean): Promise<void> {
  for (let quiet = 0; quiet < turns; quiet = isQuiet() ? quiet + 1 : 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
