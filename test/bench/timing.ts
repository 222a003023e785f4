import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

export interface Timing {
  ms: number;
  /** The part of `ms` in which this thread computed; the rest of it waited. */
  busyMs: number;
}

/**
 * The time that this thread has computed since it began. Linux tells the processor time, from which neighbors of the machine take nothing.
 * Elsewhere it is the time that the event loop was busy, in which the thread may have been held up.
 */
function threadMs(): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.eventLoopUtilization().active;
  }
}

/** Times one run. It clears the garbage of earlier runs away first, so that they do not slow this one down. */
export async function timed<Result>(work: () => Promise<Result>): Promise<Timing & { result: Result }> {
  globalThis.gc?.();
  const beforeMs = threadMs();
  const startMs = performance.now();
  const result = await work();
  const ms = performance.now() - startMs;
  return { ms, busyMs: Math.min(ms, threadMs() - beforeMs), result };
}

export function medianTiming(timings: readonly Timing[]): Timing {
  return { ms: median(timings.map(({ ms }) => ms)), busyMs: median(timings.map(({ busyMs }) => busyMs)) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  if (low === undefined || high === undefined) throw new RangeError("no values, no median");
  return (low + high) / 2;
}

const rounds = { warmUp: 2, least: 5, most: 15 };

/** How often `repeat` runs its round at most. */
export const mostRounds = rounds.warmUp + rounds.most;

/** The time for enough rounds, so that the median is stable on a machine that others use too. */
const patienceMs = 8_000;

/** The rounds of a bench: the first one of its process, as a user has it, and those after the compiler's warm-up. */
export interface Rounds<Result> {
  first: Result;
  steady: [Result, ...Result[]];
}

/** Runs `round` once, a few times to warm up, then again and again. */
export async function repeat<Result>(round: () => Promise<Result>): Promise<Rounds<Result>> {
  const first = await round();
  for (let warm = 1; warm < rounds.warmUp; warm += 1) await round();
  const startMs = performance.now();
  const results: [Result, ...Result[]] = [await round()];
  while (
    results.length < rounds.least ||
    (results.length < rounds.most && performance.now() - startMs < patienceMs)
  ) {
    results.push(await round());
  }
  return { first, steady: results };
}

const parsed = { bytes: 8_000_000, tries: 5 };

/** The time in milliseconds that `JSON.parse` takes for 8 MB of answers; with it, times of several machines can be compared. */
export function parseMs(): number {
  const answer = { value: "$1,250", reference: "City Code", section: "4-12", updated_at: null };
  const one = JSON.stringify(answer);
  const text = `[${Array.from({ length: Math.ceil(parsed.bytes / (one.length + 1)) }, () => one).join()}]`;
  const times = Array.from({ length: parsed.tries }, () => {
    globalThis.gc?.();
    const startMs = performance.now();
    JSON.parse(text);
    return performance.now() - startMs;
  });
  return median(times);
}

/** How long at least one of them lasts. */
export function coveredMs(spans: readonly { startMs: number; endMs: number }[]): number {
  let sumMs = 0;
  let untilMs = -Infinity;
  for (const { startMs, endMs } of [...spans].sort((one, other) => one.startMs - other.startMs)) {
    sumMs += Math.max(0, endMs - Math.max(startMs, untilMs));
    untilMs = Math.max(untilMs, endMs);
  }
  return sumMs;
}
