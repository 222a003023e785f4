import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createService } from "../../../reference-service/service";
import type { Failure } from "../../../src/errors";
import { createTransport } from "../../../src/engine/transport/exchange";
import { config } from "../../../src/config";
import { createGovernor } from "../../../src/engine/transport/governor";
import { pause } from "../../../src/engine/transport/pause";
import { createUrgency } from "../../../src/engine/transport/urgency";
import { limitsOf } from "../../reference-service/limits";
import { decidedService, named, rateHeaders, settled } from "./decided-service";

const start = new Date("2026-03-12T12:00:00Z").getTime();
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Counts the timers that are set, until the function that it returns is called. It is no spy, since a restored spy would bring back this
 * file's fake timers after the file has ended.
 */
function countTimers(): () => number {
  const { setTimeout: played } = globalThis;
  let count = 0;
  globalThis.setTimeout = ((...timer: Parameters<typeof played>) => {
    count += 1;
    return played(...timer);
  }) as typeof played;
  return () => {
    globalThis.setTimeout = played;
    return count;
  };
}

describe("a limit that the headers tell", () => {
  it("is explored with two requests until an answer tells it, then six are under way at once", async () => {
    const { send, underWay, request } = decidedService();
    await send(named("r", 20));
    expect(underWay.size).toBe(2);
    await request("r1").answer(rateHeaders(50, 60));
    expect(underWay.size).toBe(6);
  });

  it("is known when an answer begins, before its body is there", async () => {
    const sent: string[] = [];
    const fetch = async (url: string) => {
      sent.push(url);
      return new Response(new ReadableStream(), { headers: rateHeaders(50, 60) });
    };
    const transport = createTransport(
      { baseUrl: "https://service.test", key: "key" },
      { fetch: fetch as unknown as typeof globalThis.fetch },
    );
    for (const path of named("/r", 20)) void transport.send({ method: "GET", path }).catch(() => {});
    await settled();
    expect(sent).toHaveLength(6);
    expect(transport.limit().left).toBe(50);
  });

  it("is the smallest number seen in the window, whatever the order of the answers", async () => {
    const { send, request, transport } = decidedService();
    await send(named("r", 2));
    await request("r2").answer(rateHeaders(30, 60));
    await request("r1").answer(rateHeaders(31, 60));
    const least = { left: 30, resetsAtMs: start + 60_000 };
    expect(transport.limit()).toEqual({ ...least, windows: [least] });
    await send(["r3", "r4"]);
    await request("r3").answer(rateHeaders(30, 60));
    expect(transport.limit().windows).toEqual([{ ...least, left: 29 }]);
    await request("r4").answer(rateHeaders(28, 60));
    expect(transport.limit().windows).toEqual([{ ...least, left: 28 }]);
  });

  it("is known to the next session, less the requests that were under way and may have been counted", async () => {
    const first = decidedService();
    await first.send(named("r", 8));
    await first.request("r1").answer(rateHeaders(20, 60));
    await first.request("r3").answer({});
    expect(first.underWay.size).toBe(6);
    const { send, request, underWay, transport } = decidedService({
      allowance: first.transport.allowance(),
    });
    expect(transport.limit().left).toBe(20 - 6 - 1);
    await send(named("r", 20));
    expect(underWay.size).toBe(2);
    // The answer's figure includes all requests of the session before, so only the six under way are taken off.
    await request("r1").answer(rateHeaders(13, 60));
    expect(underWay.size).toBe(6);
    expect(transport.limit().left).toBe(13 - 6);
  });

  it("is counted down by every request that is under way", async () => {
    const { send, request, underWay, transport } = decidedService();
    await send(named("r", 20));
    await request("r1").answer(rateHeaders(6, 60));
    // One of the six left is under way already, and two stay in reserve.
    expect(underWay.size).toBe(4);
    expect(transport.limit().left).toBe(2);
  });

  it("is the tightest of the windows that have not ended", async () => {
    const { send, request, transport, underWay } = decidedService();
    await send(named("r", 2));
    await request("r1").answer(rateHeaders(40, 3_000));
    await request("r2").answer(rateHeaders(5, 30));
    expect(transport.limit()).toMatchObject({
      left: 5,
      resetsAtMs: start + 30_000,
      windows: [
        { left: 5, resetsAtMs: start + 30_000 },
        { left: 40, resetsAtMs: start + 3_000_000 },
      ],
    });
    await seconds(30);
    expect(transport.limit()).toMatchObject({ left: 40, resetsAtMs: start + 3_000_000 });
    await send(named("s", 9));
    expect(underWay.size).toBe(6);
  });

  it.each([
    { unit: "seconds", reset: (ms: number) => ms / 1e3 },
    { unit: "milliseconds", reset: (ms: number) => ms },
    { unit: "microseconds", reset: (ms: number) => ms * 1e3 },
  ])("is read with its reset in $unit", async ({ reset }) => {
    const { send, request, transport } = decidedService();
    await send(["r"]);
    await request("r").answer({
      "X-RateLimit-Remaining": "9",
      "X-RateLimit-Reset": String(reset(start + 45_000)),
    });
    expect(transport.limit()).toMatchObject({ left: 9, resetsAtMs: start + 45_000 });
  });

  it("is read against the service's own clock, which is known ever more exactly", async () => {
    const { send, request, transport } = decidedService();
    const serviceAheadMs = 3_600_000;
    const headers = () => ({
      Date: new Date(Date.now() + serviceAheadMs).toUTCString(),
      "X-RateLimit-Remaining": "9",
      "X-RateLimit-Reset": String((start + serviceAheadMs) / 1_000 + 60),
    });
    await send(["r1"]);
    await seconds(1.9);
    await request("r1").answer(headers());
    expect(transport.limit().resetsAtMs).toBe(start + 60_900);
    await send(["r2"]);
    await seconds(0.2);
    await request("r2").answer(headers());
    expect(transport.limit().resetsAtMs).toBe(start + 60_100);
    await send(["r3"]);
    await seconds(0.7);
    await request("r3").answer(headers());
    expect(transport.limit().resetsAtMs).toBe(start + 60_100);
  });

  it("is read again when the clock of this machine is set", async () => {
    const { send, request, transport } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(9, 60));
    const headers = rateHeaders(8, 60);
    vi.setSystemTime(start + 600_000);
    await send(["r2"]);
    await request("r2").answer(headers);
    expect(transport.limit()).toMatchObject({ left: 8, resetsAtMs: start + 660_000 });
  });

  it.each([
    {
      headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": String(start / 1_000 - 5) },
      what: "over",
    },
    {
      headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": String(start / 1_000) },
      what: "now",
    },
    { headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon" }, what: "unreadable" },
    {
      headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999" },
      what: "in some millennia",
    },
    { headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1e20" }, what: "after the last day" },
    {
      headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": String(start / 1_000 + 26 * 3_600) },
      what: "later than any window ends",
    },
    { headers: { "X-RateLimit-Remaining": "0" }, what: "missing" },
  ] as { headers: Record<string, string>; what: string }[])(
    "does not stop the requests when its reset is $what",
    async ({ headers }) => {
      const { send, request, underWay, transport } = decidedService();
      await send(named("r", 9));
      await request("r1").answer(headers);
      expect(underWay.size).toBe(3);
      expect(transport.limit()).toEqual({ windows: [] });
    },
  );

  it("is read by this machine's clock if the service's is years away", async () => {
    const { send, request, transport } = decidedService();
    await send(["r1"]);
    await request("r1").answer({ ...rateHeaders(0, 60), Date: "Thu, 01 Jan 1970 00:00:00 GMT" });
    expect(transport.limit()).toMatchObject({ left: 0, resetsAtMs: start + 60_000 });
  });

  it.each(["99999999999999999999999", "172800", "Fri, 01 Jan 2100 00:00:00 GMT"])(
    "is waited for no longer than a day if a refusal says to retry after %s",
    async (retryAfter) => {
      const { send, request, paths } = decidedService();
      await send(["r1"]);
      await request("r1").answer({ "Retry-After": retryAfter }, 429);
      await seconds(2);
      expect(paths()).toEqual(["r1", "r1"]);
    },
  );

  it.each(["-1", "1.5", "x9", "9x", "", "99999999999999999999"])(
    "is not known if the number left reads %j",
    async (left) => {
      const { send, request, underWay, transport } = decidedService();
      await send(named("r", 9));
      await request("r1").answer({ ...rateHeaders(0, 60), "X-RateLimit-Remaining": left });
      expect(underWay.size).toBe(3);
      expect(transport.limit()).toEqual({ windows: [] });
    },
  );

  it.each(["", "0", "-60", "1e999"])("is not known if its reset reads %j", async (reset) => {
    const { send, request, underWay, transport } = decidedService();
    await send(named("r", 9));
    await request("r1").answer({ ...rateHeaders(0, 60), "X-RateLimit-Reset": reset });
    expect(underWay.size).toBe(3);
    expect(transport.limit()).toEqual({ windows: [] });
  });

  it("counts requests that ended without headers as spent, until an answer to a later one tells", async () => {
    const { send, request, transport } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(9, 60));
    await send(["r2", "r3"]);
    await request("r2").answer({}, 502);
    await request("r3").answer(rateHeaders(8, 60));
    expect(transport.limit().left).toBe(7);
    await seconds(0.5);
    await request("r2").answer(rateHeaders(6, 60));
    expect(transport.limit().left).toBe(6);
  });

  it("counts requests that failed as spent, until an answer to a later one tells", async () => {
    const { send, request, transport } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(9, 60));
    await send(["r2"]);
    await request("r2").fail();
    expect(transport.limit().left).toBe(8);
    await seconds(0.5);
    await request("r2").answer(rateHeaders(7, 60));
    expect(transport.limit().left).toBe(7);
  });

  it("does not let a failing network keep everything waiting for the reset", async () => {
    const { send, request, paths } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(4, 3_000));
    for (const path of named("failing", 9)) {
      await send([path]);
      for (let tries = 0; tries < 4; tries += 1) {
        await request(path).fail();
        await seconds(2);
      }
    }
    await send(["last"]);
    expect(paths().at(-1)).toBe("last");
  });
});

describe("a limit that no header tells", () => {
  it("is explored: one request more with each success, up to six", async () => {
    const { send, underWay, transport } = decidedService();
    await send(named("r", 30));
    const widths: number[] = [];
    for (let answers = 0; answers < 6; answers += 1) {
      widths.push(underWay.size);
      const [oldest] = underWay;
      await oldest?.answer();
    }
    expect(widths).toEqual([2, 3, 4, 5, 6, 6]);
    expect(transport.limit()).toEqual({ windows: [] });
  });

  it("does not grow because a service fails", async () => {
    const { send, request, underWay } = decidedService();
    await send(named("r", 9));
    await request("r1").answer({}, 500);
    expect(underWay.size).toBe(2);
  });

  it("after a refusal starts again with one request", async () => {
    const { send, underWay } = decidedService();
    await send(named("r", 30));
    for (let answers = 0; answers < 5; answers += 1) await [...underWay][0]?.answer();
    for (const request of [...underWay]) await request.answer({}, 429);
    expect(underWay.size).toBe(0);
    const widths: number[] = [];
    await seconds(1);
    for (let answers = 0; answers < 3; answers += 1) {
      widths.push(underWay.size);
      await [...underWay][0]?.answer();
    }
    expect(widths).toEqual([1, 2, 3]);
  });

  it("backs off 1, 2, 4 … 60 seconds, counted for the whole connection", async () => {
    const { send, sent, underWay } = decidedService();
    await send(named("r", 6));
    // The two requests under way at first are refused together, which counts as one refusal.
    for (const request of [...underWay]) await request.answer({}, 429);
    for (let refusals = 1; refusals < 8; refusals += 1) {
      while (underWay.size === 0) await seconds(1);
      await [...underWay][0]?.answer({}, 429);
    }
    while (underWay.size === 0) await seconds(1);
    const moments = sent.slice(1).map(({ atMs }) => atMs);
    const pauses = moments.slice(1).map((atMs, index) => (atMs - (moments[index] ?? 0)) / 1_000);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it("backs off from the beginning after a success", async () => {
    const { send, request, paths } = decidedService();
    await send(["r1"]);
    await request("r1").answer({}, 429);
    await seconds(1);
    await request("r1").answer({}, 429);
    await seconds(2);
    await request("r1").answer();
    await send(["r2"]);
    await request("r2").answer({}, 429);
    await seconds(1);
    expect(paths()).toEqual(["r1", "r1", "r1", "r2", "r2"]);
  });

  it("backs off by up to a quarter less or more", async () => {
    for (const [random, waitMs] of [
      [0, 750],
      [1, 1_250],
    ] as const) {
      const { send, request, sent } = decidedService({ random: () => random });
      await send(["r"]);
      await request("r").answer({}, 429);
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      expect(sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(sent).toHaveLength(2);
    }
  });

  it("backs off, and does not ask all the time, if a 429 names a reset that is over", async () => {
    const { send, request, sent } = decidedService();
    await send(["r"]);
    for (let refusals = 0; refusals < 3; refusals += 1) {
      await request("r").answer({ "X-RateLimit-Reset": String(start / 1_000 - 5) }, 429);
      await seconds(2 ** refusals);
    }
    expect(sent.map(({ atMs }) => (atMs - start) / 1_000)).toEqual([0, 1, 3, 7]);
  });
});

describe("the reserve", () => {
  it("is left to others while there is more time, except for urgent requests", async () => {
    const { send, request, paths } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(2, 60));
    await send(["import1", "import2"]);
    await seconds(57.9);
    expect(paths()).toEqual(["r1"]);
    await send(["cell"], { urgent: true });
    expect(paths()).toEqual(["r1", "cell"]);
  });

  it("is released shortly before the reset, oldest request first", async () => {
    const { send, request, paths, sent } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(2, 60));
    await send(named("import", 5));
    await seconds(57.999);
    expect(paths()).toEqual(["r1"]);
    await seconds(0.001);
    expect(paths()).toEqual(["r1", "import1", "import2"]);
    expect(sent[1]?.atMs).toBe(start + 58_000);
  });

  it("ends at nothing: then even urgent requests wait for the reset", async () => {
    const { send, request, paths } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(0, 60));
    await send(["import"]);
    await send(["cell"], { urgent: true });
    await seconds(59.999);
    expect(paths()).toEqual(["r1"]);
    await seconds(0.001);
    expect(paths()).toEqual(["r1", "cell"]);
  });

  it("is released while an answer is still awaited", async () => {
    const { send, request, paths } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(3, 20));
    await send(["slow", "import"]);
    await seconds(17.9);
    expect(paths()).toEqual(["r1", "slow"]);
    await seconds(0.1);
    expect(paths()).toEqual(["r1", "slow", "import"]);
  });
});

describe("a lot of work at 60 requests a minute", () => {
  const answerMs = 300;
  const leastMs = 120_000 + (60 / 6) * answerMs;

  /** The time from the start at which each request ended; fails if one is refused. */
  async function endsOf(count: number, urgent: boolean): Promise<number[]> {
    const beginning = start + 370;
    vi.useFakeTimers({ now: beginning, toFake: ["setTimeout", "clearTimeout", "Date"] });
    const service = createService({ limits: limitsOf({ minute: 60 }), now: Date.now });
    const fetch: typeof globalThis.fetch = async (input, init) => {
      await pause(answerMs / 2);
      const response = await service.fetch(new Request(input, init));
      expect(response.status).toBe(200);
      await pause(answerMs / 2);
      return response;
    };
    const transport = createTransport({ baseUrl: "https://service.test", key: "demo-county" }, { fetch });
    const ends: number[] = [];
    for (let sends = 0; sends < count; sends += 1) {
      void transport
        .send({ method: "GET", path: "/v1/units-of-measure" }, { urgent })
        .then(() => ends.push(Date.now() - beginning));
    }
    while (ends.length < count) {
      await vi.advanceTimersByTimeAsync(25);
      // The service answers by real turns of the event loop.
      await new Promise(setImmediate);
    }
    return ends;
  }

  it("ends at most 5 % later than the limit requires, without one refusal", async () => {
    const ends = await endsOf(180, true);
    expect(ends.at(-1)).toBeGreaterThan(120_000);
    expect(ends.at(-1)).toBeLessThanOrEqual(1.05 * leastMs);
  });

  it("that is not urgent loses only the last window's reserve", async () => {
    const ends = await endsOf(180, false);
    expect(ends.at(-3)).toBeGreaterThan(120_000);
    expect(ends.at(-3)).toBeLessThanOrEqual(1.05 * leastMs);
    expect(ends.at(-1)).toBeLessThanOrEqual(1.05 * 180_000);
  });
});

describe("the order of requests", () => {
  it("is urgent ones first, and within a rank as they came", async () => {
    const { send, paths, underWay } = decidedService();
    await send(named("import", 4));
    await send(named("cell", 3), { urgent: true });
    while (underWay.size > 0) await [...underWay][0]?.answer();
    expect(paths()).toEqual(["import1", "import2", "cell1", "cell2", "cell3", "import3", "import4"]);
  });

  it("follows the present ranks: a request that becomes urgent overtakes, and goes behind earlier urgent ones", async () => {
    const { send, paths, underWay } = decidedService();
    const urgency = createUrgency(false);
    await send(["r1", "r2", "r3"]);
    await send(["late1"], { urgent: urgency });
    await send(["r4"]);
    await send(["late2"], { urgent: urgency });
    await send(["cell"], { urgent: true });
    urgency.raise();
    while (underWay.size > 0) await [...underWay][0]?.answer();
    expect(paths()).toEqual(["r1", "r2", "late1", "late2", "cell", "r3", "r4"]);
  });

  it("gives a request that became urgent under way its new rank at its next try", async () => {
    const { send, request, paths } = decidedService();
    const urgency = createUrgency(false);
    await send(["r1"], { urgent: urgency });
    await send(["r2"]);
    urgency.raise();
    await request("r2").answer({}, 429);
    await request("r1").answer({}, 429);
    await send(["cell"], { urgent: true });
    await seconds(1);
    expect(paths()).toEqual(["r1", "r2", "r1"]);
  });

  it("stays as they came after a wait for the limit, including refused requests", async () => {
    const { send, request, paths, underWay } = decidedService();
    await send(named("r", 5));
    await request("r2").answer({ "Retry-After": "10" }, 429);
    await request("r1").answer({ "Retry-After": "10" }, 429);
    await send(["cell"], { urgent: true });
    await seconds(10);
    while (underWay.size > 0) await [...underWay][0]?.answer();
    expect(paths()).toEqual(["r1", "r2", "cell", "r1", "r2", "r3", "r4", "r5"]);
  });

  it("loses a cancelled request at once, in the queue and under way", async () => {
    const { send, paths, ends, request } = decidedService();
    const stop = new AbortController();
    await send(["r1", "r2"], { signal: stop.signal });
    await send(["r3"], { signal: stop.signal });
    await send(["r4"]);
    stop.abort();
    await settled();
    for (const path of ["r1", "r2", "r3"]) expect(ends[path]).toMatchObject({ kind: "cancelled" });
    expect(paths()).toEqual(["r1", "r2", "r4"]);
    await send(["r5"], { signal: stop.signal });
    expect(ends.r5).toMatchObject({ kind: "cancelled" });
    await request("r4").answer();
    expect(ends.r4).toMatchObject({ status: 200 });
  });

  it("loses a request that is cancelled in its last try, as cancelled", async () => {
    const { send, request, ends } = decidedService();
    const stop = new AbortController();
    await send(["r"], { signal: stop.signal });
    for (let tries = 0; tries < 3; tries += 1) {
      await request("r").fail();
      await seconds(2);
    }
    stop.abort();
    await settled();
    expect(ends.r).toMatchObject({ kind: "cancelled" });
  });

  it("loses a request at once that is cancelled while it waits for the limit", async () => {
    const { send, ends, request, paths } = decidedService();
    const stop = new AbortController();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(0, 60));
    await send(["r2"], { signal: stop.signal });
    stop.abort();
    await settled();
    expect(ends.r2).toMatchObject({ kind: "cancelled" });
    expect(vi.getTimerCount()).toBe(0);
    await send(["r3"], { signal: stop.signal });
    expect(ends.r3).toMatchObject({ kind: "cancelled" });
    await seconds(60);
    expect(paths()).toEqual(["r1"]);
  });

  it("loses a request that is cancelled at the very moment of being sent", async () => {
    const stop = new AbortController();
    const fetch = vi.fn(async () => {
      stop.abort();
      return new Response();
    });
    const transport = createTransport({ baseUrl: "https://service.test", key: "key" }, { fetch });
    const ends = await Promise.allSettled(
      ["/r1", "/r2"].map((path) => transport.send({ method: "GET", path }, { signal: stop.signal })),
    );
    expect(ends[1]).toMatchObject({ status: "rejected", reason: { kind: "cancelled" } });
    expect(fetch).toHaveBeenCalledOnce();
  });

  it("loses a request, unsent and uncounted, whose caller an answer's status makes stop", async () => {
    const { send, request, ends, paths, transport } = decidedService();
    const stop = new AbortController();
    await send(["r1"], { onStatus: () => stop.abort() });
    await send(["r2"]);
    await send(named("stopped", 9), { signal: stop.signal });
    await request("r1").answer(rateHeaders(50, 60), 401);
    expect(ends.stopped9).toMatchObject({ kind: "cancelled" });
    expect(paths()).toEqual(["r1", "r2"]);
    expect(transport.limit().left).toBe(49);
  });

  it("loses thousands of requests that are cancelled one by one", async () => {
    const governor = createGovernor(() => 0.5, {});
    const admit = (place: number, { signal }: AbortController) =>
      governor.admit({
        ...{ place, signal, urgency: createUrgency(true) },
        ...{ giveUpAtMs: Infinity, onWait: undefined, endpoint: "cells" },
      });
    const permit = await admit(0, new AbortController());
    permit.answered(429, new Headers({ "Retry-After": "50" }));
    permit.ended();
    const stops = Array.from({ length: 5_000 }, () => new AbortController());
    const ends = stops.map((stop, index) => admit(index + 1, stop).catch(({ kind }: Failure) => kind));
    await seconds(1);
    for (const stop of stops) stop.abort();
    expect(new Set(await Promise.all(ends))).toEqual(new Set(["cancelled"]));
    expect(governor.limit().waitingUntilMs).toBeUndefined();
  });

  it("loses all requests when the session ends", async () => {
    const session = new AbortController();
    const { send, ends } = decidedService({ signal: session.signal });
    await send(named("r", 9));
    session.abort();
    await settled();
    expect(named("r", 9).map((path) => ends[path])).toMatchObject(Array(9).fill({ kind: "cancelled" }));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a wait for the limit", () => {
  it("is told to every request that waits, once, and to later ones", async () => {
    const { send, request, transport } = decidedService();
    const onWait = vi.fn();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(0, 60));
    expect(transport.limit().waitingUntilMs).toBeUndefined();
    await send(["r2", "r3"], { onWait });
    await seconds(30);
    await send(["r4"], { onWait });
    expect(onWait.mock.calls).toEqual(Array(3).fill([start + 60_000]));
    expect(transport.limit()).toMatchObject({
      left: 0,
      resetsAtMs: start + 60_000,
      waitingUntilMs: start + 60_000,
    });
    await seconds(30);
    expect(transport.limit()).toEqual({ windows: [] });
  });

  it("is told again, with its own end, to a request that becomes urgent", async () => {
    const { send, request, transport } = decidedService();
    const urgency = createUrgency(false);
    const onWait = vi.fn();
    await send(["r1", "r2"]);
    await request("r1").answer(rateHeaders(2, 3_000));
    await request("r2").answer(rateHeaders(0, 60));
    await send(["r3"], { urgent: urgency, onWait });
    urgency.raise();
    await settled();
    expect(onWait.mock.calls).toEqual([[start + 3_000_000], [start + 60_000]]);
    expect(transport.limit().waitingUntilMs).toBe(start + 60_000);
  });

  it("is never told with another request's end to one that just became urgent", async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      vi.setSystemTime(start);
      const { send, request } = decidedService();
      const urgency = createUrgency(false);
      const told: number[] = [];
      await send(["r1", "r2"]);
      await request("r1").answer(rateHeaders(2, 3_000));
      await request("r2").answer(rateHeaders(0, 60));
      const onWait = (untilMs: number) => urgency.isUrgent() && told.push(untilMs);
      const sent = send(["r3"], { urgent: urgency, onWait });
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      urgency.raise();
      await sent;
      expect(told).toEqual([start + 60_000]);
    }
  });

  it("is not told to a request that only waits for an answer to make room", async () => {
    const { send, request, ends, paths } = decidedService();
    const onWait = vi.fn();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(3, 60));
    await send(["r2", "r3"], { onWait, giveUpAtMs: start });
    expect(paths()).toEqual(["r1", "r2"]);
    await seconds(1);
    expect(onWait).not.toHaveBeenCalled();
    expect(ends).not.toHaveProperty("r3");
  });

  it("fails a request at once, unsent, if its caller gives up before the end, now or later", async () => {
    const { send, request, ends, paths } = decidedService();
    await send(["r1", "r2"]);
    await send(["hurried"], { giveUpAtMs: start + 59_000 });
    await request("r1").answer({ ...rateHeaders(0, 60), "Retry-After": "60" }, 429);
    expect(ends.hurried).toMatchObject({ kind: "rate-limited", untilMs: start + 60_000 });
    await send(["late"], { giveUpAtMs: start + 59_999 });
    expect(ends.late).toMatchObject({ kind: "rate-limited", untilMs: start + 60_000 });
    await send(["patient"], { giveUpAtMs: start + 60_000 });
    expect(ends).not.toHaveProperty("patient");
    expect(paths()).toEqual(["r1", "r2"]);
  });

  it.each([
    { what: "an answer that leaves nothing", status: 200 },
    { what: "a refusal", status: 429 },
  ])("for a used-up day is no wait: all requests fail at once after $what", async ({ status }) => {
    const { send, request, ends, paths } = decidedService();
    await send(named("r", 5));
    const resetS = 10 * 3_600;
    await request("r1").answer(rateHeaders(0, resetS), status);
    const failed = { kind: "rate-limited", untilMs: start + resetS * 1_000 };
    expect([ends.r3, ends.r4, ends.r5]).toMatchObject([failed, failed, failed]);
    await seconds(60);
    await send(["later"]);
    await send(["cell"], { urgent: true });
    expect([ends.later, ends.cell]).toMatchObject([failed, failed]);
    expect(paths()).toEqual(["r1", "r2"]);
  });

  it.each([3_600, 3_660])("for an hour's window is waited for, %d seconds", async (resetS) => {
    const { send, request, paths } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(0, resetS));
    await send(["r2"]);
    await seconds(resetS);
    expect(paths()).toEqual(["r1", "r2"]);
  });

  it("takes one timer", async () => {
    const { send, request } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(0, 3_000));
    await send(named("waiting", 20));
    const timersSet = countTimers();
    await send(named("more", 20));
    expect(vi.getTimerCount()).toBe(1);
    await seconds(2_999);
    expect(timersSet()).toBe(0);
  });

  it("takes one timer if no limit is known, and none while only an answer can make room", async () => {
    const unknown = decidedService();
    await unknown.send(named("r", 9));
    // Each request under way has one timer, in case no answer comes. The other one sends a request to another endpoint if these hang.
    expect(vi.getTimerCount()).toBe(unknown.underWay.size + 1);
    await seconds(1);
    expect(vi.getTimerCount()).toBe(unknown.underWay.size);
    expect(unknown.underWay.size).toBe(config.firstRequests + 1);

    const { send, request, paths } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(1, 20));
    await seconds(18.5);
    await send(["slow", "import"]);
    expect(paths()).toEqual(["r1", "slow"]);
    const timersSet = countTimers();
    await seconds(1);
    expect(timersSet()).toBe(0);
  });

  it("is not upset by a listener that cancels", async () => {
    const { send, request, ends, paths } = decidedService();
    const stop = new AbortController();
    await send(["r1", "r2"]);
    await send(["r3"], { onWait: () => stop.abort() });
    await send(["r4"], { signal: stop.signal, giveUpAtMs: start });
    await send(["r5"], { signal: stop.signal });
    await send(["r6"]);
    await request("r1").answer(rateHeaders(0, 60));
    expect(ends.r4).toMatchObject({ kind: "rate-limited" });
    expect(ends.r5).toMatchObject({ kind: "cancelled" });
    await request("r2").answer(rateHeaders(0, 60));
    await seconds(60);
    await request("r3").answer();
    expect(paths()).toEqual(["r1", "r2", "r3", "r6"]);
  });

  it("that is over still respects the number that requests under way may spend", async () => {
    const { send, request, paths } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(3, 10));
    await send(["r2", "r3"], { urgent: true });
    await seconds(10);
    await send(["r4", "r5"], { urgent: true });
    await request("r2").answer({}, 502);
    expect(paths()).toEqual(["r1", "r2", "r3"]);
    await request("r3").answer(rateHeaders(50, 60));
    expect(paths().slice(3)).toEqual(["r4"]);
    await request("r4").answer(rateHeaders(49, 60));
    expect(paths().slice(3)).toEqual(["r4", "r5"]);
  });

  it("that no request had ends with as many requests as were left for sure, two at most", async () => {
    const { send, request, underWay } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(5, 60));
    await seconds(60);
    await send(named("w", 9));
    expect(underWay.size).toBe(2);

    const tighter = decidedService();
    await tighter.send(["r1", "r2"]);
    await tighter.request("r1").answer(rateHeaders(5, 60));
    await tighter.request("r2").answer(rateHeaders(1, 30));
    await seconds(60);
    await tighter.send(named("w", 9));
    expect(tighter.underWay.size).toBe(1);
  });

  it("ends carefully: one request asks how many are left", async () => {
    const { send, request, underWay } = decidedService();
    await send(["r1"]);
    await request("r1").answer(rateHeaders(0, 60));
    await send(named("w", 9));
    await seconds(60);
    expect(underWay.size).toBe(1);
    await request("w1").answer(rateHeaders(59, 60));
    expect(underWay.size).toBe(6);
  });
});
