import type { Engine } from "../play/engine";
import { finding } from "../result";
import type { Scenario } from "../scenario";
import { median } from "../timing";

const counts = [10, 10_000] as const;
const rounds = 2_000;
const mostRatio = 1.5;
/** The limit ends later than any caller here waits. */
const limitEndsMs = 1_800_000;

/**
 * The cost of one request in the queue that waits for the limit, with 10 others and with 10,000: to join it, to be shared with another
 * caller, to be raised by a formula, to be cancelled, and to be refused because the wait is too long, each until nothing is left to do.
 * All calls use the engine's public interface, so the layers between a caller and the queue are measured, too.
 */
export const queue: Scenario = async ({ credentials, createEngine, progress }) => {
  const [few, many] = [await measured(10), await measured(10_000)];

  async function measured(count: number) {
    progress(`with ${count} waiting`);
    const engine = await createEngine(credentials, limitedFetch());
    await engine.detail(1);
    const waiting = Array.from({ length: count }, (_, index) => asked(engine, index + 2));
    await settled();
    const times = new Map(steps.map((step) => [step, [] as number[]]));
    for (let round = 0; round < rounds; round += 1) {
      const id = 1_000_000 + round;
      const [first, other] = [new AbortController(), new AbortController()];
      let refused: ReturnType<typeof asked> | undefined;
      const acts: Record<Step, () => void> = {
        come: () => void asked(engine, id, first),
        join: () => void asked(engine, id, other),
        raise: () => void asked(engine, id, other, { urgent: true }),
        cancel: () => (first.abort(), other.abort()),
        refuse: () =>
          void (refused = asked(engine, id + rounds, undefined, { giveUpAtMs: Date.now() + 1_000 })),
      };
      for (const step of steps) {
        const startMs = performance.now();
        acts[step]();
        await settled();
        times.get(step)?.push((performance.now() - startMs) * 1_000);
      }
      if ((await refused?.end) !== "rate-limited") throw new Error("what has no patience was not refused");
    }
    const startMs = performance.now();
    for (const { stop } of waiting) stop.abort();
    const ends = await Promise.all(waiting.map(({ end }) => end));
    const cancelAllUs = ((performance.now() - startMs) * 1_000) / count;
    if (ends.some((end) => end !== "cancelled"))
      throw new Error(`not all waited: ${[...new Set(ends)].join()}`);
    return { of: (step: Step) => median(times.get(step) ?? []), cancelAllUs };
  }

  const figures = steps.map((step) => {
    const [few10, many10k] = [few.of(step), many.of(step)];
    return { step, few: few10, many: many10k, ratio: many10k / few10 };
  });
  const worst = figures.reduce((one, other) => (other.ratio > one.ratio ? other : one));
  const listed = figures
    .map(({ step, few: one, many: other }) => `to ${step} ${one.toFixed(1)} and ${other.toFixed(1)}`)
    .join(", ");
  return finding(
    "queue",
    { size: counts[1], ratio: worst.ratio },
    [
      {
        text: `no step costs more than ${mostRatio} x with ${counts[1]} waiting what it costs with ${counts[0]}`,
        met: worst.ratio <= mostRatio,
        miss: `to ${worst.step} costs ${worst.ratio.toFixed(1)} x as much with ${counts[1]} waiting.`,
      },
    ],
    [
      `µs a request with ${counts[0]} and with ${counts[1]} waiting: ${listed}`,
      `all ${counts[1]} cancelled at once: ${many.cancelAllUs.toFixed(1)} µs each`,
    ],
  );
};

const steps = ["come", "join", "raise", "cancel", "refuse"] as const;
type Step = (typeof steps)[number];

/** A question, and how it ended once it has. */
function asked(
  engine: Engine,
  ahjId: number,
  stop = new AbortController(),
  options: { urgent?: boolean; giveUpAtMs?: number } = {},
) {
  const end = engine.detail(ahjId, { ...options, signal: stop.signal }).then(
    () => "answered",
    (failure: { kind: string }) => failure.kind,
  );
  return { stop, end };
}

/** Resolves once all work that waits for nothing has been done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A service whose limit is used up by the first request, and which says when it resets. */
function limitedFetch(): typeof globalThis.fetch {
  const resetAt = Math.floor((Date.now() + limitEndsMs) / 1_000);
  const detail = {
    state_name: null,
    county: null,
    population: null,
    lat: null,
    lon: null,
    id: 1,
    name: "One",
    type: "County",
    state_code: "CA",
    geoid: "06001",
  };
  return async () =>
    Response.json(
      { response_type: "success", data: detail, warnings: [] },
      { headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": String(resetAt) } },
    );
}
