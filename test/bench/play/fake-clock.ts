export interface FakeClock {
  nowMs(): number;
  /** Stops the clock until this work has settled: for work that counts as taking no time. */
  during<Result>(work: Promise<Result>): Promise<Result>;
}

interface Timer {
  atMs: number;
  order: number;
  run(): void;
}

/**
 * Runs `work` with a clock on which only waiting takes time, and which never really waits: `setTimeout`, `Date.now` and `performance.now`
 * follow a clock that jumps to the next timer whenever all work rests.
 * @throws Error if `work` waits for something that is no timer.
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

/** Yields to the event loop after which a chain of promises and streams has come to rest. */
const turns = 20;

async function rest(isQuiet: () => boolean): Promise<void> {
  for (let quiet = 0; quiet < turns; quiet = isQuiet() ? quiet + 1 : 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
