import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRateLimiter, type RateLimits } from "../../src/service/rate-limit";
import { createTransport } from "../../src/transport/transport";

const start = new Date("2026-03-12T12:00:00.250Z").getTime();

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that arrives, and what happens to each of its requests on the way. */
interface Task {
  atMs: number;
  urgent: boolean;
  /** From being sent to being counted by the service, and from there to the answer. */
  thereMs: number;
  backMs: number;
  /** From its arrival on. */
  cancelAfterMs: number | undefined;
  /** What comes of the first try instead of the service's answer. */
  firstTry: "answered" | "lost" | "unavailable" | "without headers";
}

/** A service with three fixed windows, others who spend them too, and a client's work of which everything is noted. */
async function run(limits: RateLimits, work: readonly Task[], othersAtMs: readonly number[] = []) {
  const limiter = createRateLimiter(limits, Date.now);
  const beginning = Date.now();
  const firstSent: number[] = [];
  const statuses: number[] = [];
  const settlements = new Map<number, number>();

  const fetch = async (url: string, { signal }: RequestInit) => {
    const index = Number(url.split("/").at(-1));
    const task = work[index]!;
    const isFirst = !firstSent.includes(index);
    if (isFirst) firstSent.push(index);
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
  const begin = ({ urgent, cancelAfterMs }: Task, index: number) => {
    const stop = new AbortController();
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
    // A few moments only, so that many tasks arrive together.
    atMs: fc.oneof(fc.constantFrom(0, 0, 5_000, 61_000), fc.integer({ min: 0, max: 200_000 })),
    urgent: fc.boolean(),
    thereMs: fc.integer({ min: 0, max: 3_000 }),
    backMs: fc.integer({ min: 0, max: 3_000 }),
    cancelAfterMs: cancels
      ? fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined, freq: 3 })
      : fc.constant(undefined),
    firstTry: fc.constantFrom(...firstTries),
  });

/** What is asked for without knowing anything must be there: config.firstRequests. */
const limits = fc.record({
  minute: fc.integer({ min: 2, max: 20 }),
  hour: fc.integer({ min: 2, max: 60 }),
  day: fc.integer({ min: 2, max: 500 }),
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
              // `earlier` was sent before `later`: it must not have had to let it go first.
              expect(goesBefore(work, later, earlier)).toBe(false);
            }
          }
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 150) },
    );
  });
});

/** Whether one of two tasks had to be sent first: it was there no later, and urgent, or of the same rank and earlier. */
function goesBefore(work: readonly Task[], one: number, other: number): boolean {
  const [a, b] = [work[one]!, work[other]!];
  if (a.urgent !== b.urgent) return a.urgent && a.atMs <= b.atMs;
  return a.atMs < b.atMs || (a.atMs === b.atMs && one < other);
}
