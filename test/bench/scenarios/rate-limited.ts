import { createService } from "../../../reference-service/service";
import { limitsOf } from "../../reference-service/limits";
import { type FakeClock, onFakeClock } from "../play/fake-clock";
import { inFlight } from "../play/floor";
import { finding } from "../result";
import type { Scenario } from "../scenario";
import { addedLatencyMs } from "../service/service-process";

const perMinute = 60;
const work = 180;
const mostOver = 1.05;
const minuteMs = 60_000;

/** A whole second, so that the rounding of the service's headers does not blur the engine's timing. */
const startMs = Date.UTC(2026, 5, 1, 12);

/**
 * 180 requests handed over at once where 60 a minute are allowed. They are as urgent as formulas' requests, since others leave the last
 * two of a minute in reserve. Each answer says how many are left and when the limit resets. Service and engine share a clock on which
 * only waiting takes time; an answer takes the usual latency.
 */
export const rateLimited: Scenario = async ({ createEngine, progress }) => {
  progress(`${work} requests at ${perMinute} a minute, on a fake clock`);
  const { ms, sent, refused } = await onFakeClock(startMs, async (clock) => {
    const { fetch, counts } = limitedService(clock);
    const { client } = await createEngine({ baseUrl: "https://service.test", key: "demo-national" }, fetch);
    const { data } = await client.listAhjs({ page: 1, page_size: work - 1 });
    await Promise.all(data.items.map(({ id }) => client.getAhj({ ahj_id: id }, { urgent: true })));
    return { ms: clock.nowMs() - startMs, ...counts };
  });
  const least = leastMs();
  return finding(
    "rate-limited",
    { size: work, requests: sent, ms, floorMs: least, ratio: ms / least },
    [
      {
        text: "at most 5 % over the least time possible",
        met: ms <= least * mostOver,
        miss: `${((ms / least - 1) * 100).toFixed(1)} % over: ${(ms / 1_000).toFixed(1)} against ${(least / 1_000).toFixed(1)} s.`,
      },
      {
        text: "no 429",
        met: refused === 0,
        miss: `${refused} of ${sent} requests were refused with 429: they were sent when none was left.`,
      },
    ],
    [
      `${(ms / 1_000).toFixed(1)} s on the clock, at least ${(least / 1_000).toFixed(1)} s; ${refused} times 429`,
    ],
  );
};

function limitedService(clock: FakeClock) {
  const service = createService({ limits: limitsOf({ minute: perMinute }), now: () => Date.now() });
  const counts = { sent: 0, refused: 0 };
  const answer = async (request: Request) => {
    const response = await service.fetch(request);
    return new Response(await response.text(), response);
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    counts.sent += 1;
    const request = new Request(input, init);
    await new Promise((resolve) => setTimeout(resolve, addedLatencyMs / 2));
    const response = await clock.during(answer(request));
    await new Promise((resolve) => setTimeout(resolve, addedLatencyMs / 2));
    if (response.status === 429) counts.refused += 1;
    return response;
  };
  return { fetch, counts };
}

/** The least time: all minutes but the last are used up at once; in the last one the rest goes out six at a time. */
function leastMs(): number {
  const minutes = Math.ceil(work / perMinute) - 1;
  const last = work - minutes * perMinute;
  return minutes * minuteMs + Math.ceil(last / inFlight) * addedLatencyMs;
}
