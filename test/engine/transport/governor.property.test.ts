import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRateLimiter, type RateLimits } from "../../../reference-service/http/key-limit";
import { createTransport } from "../../../src/engine/transport/exchange";
import { createUrgency } from "../../../src/engine/transport/urgency";

const start = new Date("2026-03-12T12:00:00.250Z").getTime();

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request that arrives, and the events on its way. */
interface Task {
  atMs: number;
  urgent: boolean;
  /** When the request becomes urgent, in milliseconds from its arrival. */
  raiseAfterMs: number | undefined;
  /** Milliseconds from sending until the service counts the request, and from there to the answer. */
  thereMs: number;
  backMs: number;
  /** When the request is cancelled, in milliseconds from its arrival. */
  cancelAfterMs: number | undefined;
  /** The outcome of the first try. */
  firstTry: "answered" | "lost" | "unavailable" | "without headers";
}

/** Runs a client's work, and notes everything, on a service with three fixed windows that other users spend, too. */
async function run(limits: RateLimits, work: readonly Task[], othersAtMs: readonly number[] = []) {
  const limiter = createRateLimiter(limits, Date.now);
  const beginning = Date.now();
  const firstSent: { index: number; atMs: number }[] = [];
  const statuses: number[] = [];
  const settlements = new Map<number, number>();

  const fetch = async (url: string, { signal }: RequestInit) => {
    const index = Number(url.split("/").at(-1));
    const task = work[index]!;
    const isFirst = !firstSent.some((sent) => sent.index === index);
    if (isFirst) firstSent.push({ index, atMs: Date.now() - beginning });
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    const answer = async () => {
      await passed(task.thereMs);
      const { allowed, remaining, resetsAtMs } = limiter.take();
      const rate = {
        Date: new Date(Date.now()).toUTCString(),
        "X-RateLimit-Remaining": String(remaining),
        "X-RateLimit-Reset": String(Math.ceil(resetsAtMs / 1_000)),
        ...(!allowed && { "Retry-After": String(Math.ceil((resetsAtMs - Date.now()) / 1_000)) }),
      };
      const outcome = isFirst && allowed ? task.firstTry : "answered";
      await passed(task.backMs);
      if (outcome === "lost") throw new TypeError("Failed to fetch");
      const status = outcome === "unavailable" ? 503 : allowed ? 200 : 429;
      statuses.push(status);
      return new Response("{}", { status, headers: outcome === "without headers" ? {} : rate });
    };
    return Promise.race([answer(), aborted]);
  };
  const transport = createTransport(
    { baseUrl: "https://service.test", key: "key" },
    { fetch: fetch as unknown as typeof globalThis.fetch, random: () => 0.5 },
  );

  for (const atMs of othersAtMs) setTimeout(() => limiter.take(), atMs);
  const begin = ({ urgent: isUrgent, raiseAfterMs, cancelAfterMs }: Task, index: number) => {
    const stop = new AbortController();
    const urgent = createUrgency(isUrgent);
    if (raiseAfterMs !== undefined) setTimeout(urgent.raise, raiseAfterMs);
    if (cancelAfterMs !== undefined) setTimeout(() => stop.abort(), cancelAfterMs);
    const settle = () => settlements.set(index, (settlements.get(index) ?? 0) + 1);
    const options = { urgent, signal: stop.signal };
    void transport.send({ method: "GET", path: `/${index}` }, options).then(settle, settle);
  };
  for (const atMs of new Set(work.map((task) => task.atMs))) {
    setTimeout(() => work.forEach((task, index) => task.atMs === atMs && begin(task, index)), atMs);
  }
  while (settlements.size < work.length && Date.now() < beginning + 3 * 86_400_000) {
    await vi.advanceTimersToNextTimerAsync();
  }
  await vi.advanceTimersByTimeAsync(60_000);
  return { firstSent, statuses, settlements };
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const task = (firstTries: Task["firstTry"][], cancels: boolean): fc.Arbitrary<Task> =>
  fc.record({
    // There are few different times, so that many tasks arrive together.
    atMs: fc.oneof(fc.constantFrom(0, 0, 5_000, 61_000), fc.integer({ min: 0, max: 200_000 })),
    urgent: fc.boolean(),
    raiseAfterMs: fc.option(fc.oneof(fc.constant(7_000), fc.integer({ min: 0, max: 70_000 })), {
      nil: undefined,
      freq: 2,
    }),
    thereMs: fc.integer({ min: 0, max: 3_000 }),
    backMs: fc.integer({ min: 0, max: 3_000 }),
    cancelAfterMs: cancels
      ? fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined, freq: 3 })
      : fc.constant(undefined),
    firstTry: fc.constantFrom(...firstTries),
  });

/**
 * The limits allow at least config.firstRequests and one more, since these are sent before anything is known: the one more to another
 * endpoint, if the first ones have had no answer for half a second.
 */
const limits = fc.record({
  minute: fc.integer({ min: 3, max: 20 }),
  hour: fc.integer({ min: 3, max: 60 }),
  day: fc.integer({ min: 3, max: 500 }),
});

describe("whatever the order of the answers", () => {
  it("no request is refused where nobody else spends the limit, and every one is settled", async () => {
    await fc.assert(
      fc.asyncProperty(
        limits,
        fc.array(task(["answered"], false), { minLength: 1, maxLength: 60, size: "max" }),
        async (limits, work) => {
          const { statuses, settlements } = await run(limits, work);
          expect(statuses).not.toContain(429);
          expect([...settlements.values()]).toEqual(work.map(() => 1));
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 150) },
    );
  });

  it("every request is settled once and each rank keeps its order, urgent ones first, whatever others spend and the network does", async () => {
    const firstTries: Task["firstTry"][] = ["answered", "answered", "lost", "unavailable", "without headers"];
    await fc.assert(
      fc.asyncProperty(
        limits,
        fc.array(task(firstTries, true), { minLength: 1, maxLength: 60, size: "max" }),
        fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 100 }),
        async (limits, work, othersAtMs) => {
          const { firstSent, settlements } = await run(limits, work, othersAtMs);
          expect([...settlements.values()]).toEqual(work.map(() => 1));
          for (const [position, later] of firstSent.entries()) {
            for (const earlier of firstSent.slice(0, position)) {
              // The task sent earlier must not have had to let the later one go first.
              expect(goesBefore(work, later.index, earlier)).toBe(false);
            }
          }
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 150) },
    );
  });
});

/**
 * True if task `one` had to be sent before the task in `sent`: it had arrived by then and was urgent, or had the same rank and arrived
 * earlier. Events at the very time of sending may count as before or after it.
 */
function goesBefore(work: readonly Task[], one: number, sent: { index: number; atMs: number }): boolean {
  const [a, b] = [work[one]!, work[sent.index]!];
  // The fake clock treats a timer of 0 ms that is set by another timer as one of 1 ms.
  const raises = [a, b].map(({ atMs, raiseAfterMs = Infinity }) => atMs + Math.max(1, raiseAfterMs));
  if (raises.includes(sent.atMs)) return false;
  const [isUrgentA, isUrgentB] = [a, b].map(({ urgent }, index) => urgent || raises[index]! < sent.atMs);
  if (isUrgentA !== isUrgentB) return isUrgentA! && (a.atMs <= b.atMs || a.atMs < sent.atMs);
  return a.atMs < b.atMs || (a.atMs === b.atMs && one < sent.index);
}
