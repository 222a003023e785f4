import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cancelled, Failure } from "../../../src/errors";
import { createSharedWork, createSharedWorks } from "../../../src/engine/lookup/shared-work";
import type { ExchangeOptions } from "../../../src/engine/transport/exchange";
import { createRequestBudget } from "../../../src/engine/transport/request-budget";
import { createUrgency, urgencyOf } from "../../../src/engine/transport/urgency";
import { decidedService, rateHeaders, settled } from "../transport/decided-service";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-03-12T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work whose end, waits and stop the test decides. */
function decidable() {
  const runs: { options: ExchangeOptions; resolve(value: string): void; reject(failure: Failure): void }[] =
    [];
  const shared = createSharedWork<string>(
    (options) => new Promise((resolve, reject) => runs.push({ options, resolve, reject })),
  );
  return { runs, shared };
}

const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "fulfilled",
    (failure: Failure) => failure.kind,
  );

describe("shared work", () => {
  it("runs once for all who join, and its result is kept", async () => {
    const { runs, shared } = decidable();
    const both = Promise.all([shared.join(), shared.join()]);
    runs[0]?.resolve("done");
    expect(await both).toEqual(["done", "done"]);
    expect(await shared.join()).toBe("done");
    expect(runs).toHaveLength(1);
  });

  it("forgets a failure", async () => {
    const { runs, shared } = decidable();
    const first = kindOf(shared.join());
    runs[0]?.reject(new Failure("timeout"));
    expect(await first).toBe("timeout");
    const second = shared.join();
    runs[1]?.resolve("done");
    expect(await second).toBe("done");
  });

  it("lets each caller give up alone when the limit lasts too long, at once or on joining", async () => {
    const { runs, shared } = decidable();
    const patient = shared.join();
    const hurried = kindOf(shared.join({ giveUpAtMs: Date.now() + 60_000 }));
    runs[0]?.options.onWait?.(Date.now() + 3_600_000);
    expect(await hurried).toBe("rate-limited");
    expect(await kindOf(shared.join({ giveUpAtMs: Date.now() + 60_000 }))).toBe("rate-limited");
    runs[0]?.resolve("late");
    expect(await patient).toBe("late");
  });

  it("tells the callers who stay that it waits", () => {
    const { runs, shared } = decidable();
    const onWait = vi.fn();
    void shared.join({ onWait });
    runs[0]?.options.onWait?.(4_711);
    expect(onWait).toHaveBeenCalledWith(4_711);
  });

  it("that joins other work tells at once how long that work waits already", async () => {
    const { runs, shared } = decidable();
    void shared.join();
    const untilMs = Date.now() + 4_711;
    runs[0]?.options.onWait?.(untilMs);
    const onWait = vi.fn();
    const outer = createSharedWork((options) => shared.join(options)).join({ onWait });
    runs[0]?.resolve("done");
    expect(await outer).toBe("done");
    expect(onWait.mock.calls).toEqual([[untilMs]]);
  });

  it("is stopped when the last caller has left, and started again by the next", async () => {
    const { runs, shared } = decidable();
    const stop = new AbortController();
    const one = kindOf(shared.join({ signal: stop.signal }));
    stop.abort();
    expect(await one).toBe("cancelled");
    expect(runs[0]?.options.signal?.aborted).toBe(true);
    const next = shared.join();
    runs[1]?.resolve("again");
    expect(await next).toBe("again");
  });

  it("whose last caller gave up because of the limit can be joined as long as its requests are under way", async () => {
    const { runs, shared } = decidable();
    const hurried = kindOf(shared.join({ giveUpAtMs: Date.now() + 60_000 }));
    runs[0]?.options.onWait?.(Date.now() + 600_000);
    expect(await hurried).toBe("rate-limited");
    expect(runs[0]?.options.signal?.reason).toMatchObject({ kind: "rate-limited" });
    const patient = shared.join();
    runs[0]?.resolve("late");
    expect(await patient).toBe("late");
    expect(await shared.join()).toBe("late");
    expect(runs).toHaveLength(1);
  });

  it("whose last caller could not pay for more requests can be joined as long as its requests are under way", async () => {
    const { runs, shared } = decidable();
    const poor = kindOf(shared.join({ budget: createRequestBudget(1) }));
    runs[0]?.options.budget?.spend();
    expect(() => runs[0]?.options.budget?.spend()).toThrow();
    expect(await poor).toBe("many-requests");
    const rich = shared.join();
    runs[0]?.resolve("late");
    expect(await rich).toBe("late");
    expect(runs).toHaveLength(1);
  });

  it("begins again for a caller who has joined what others left because of the limit, once it has ended", async () => {
    const { runs, shared } = decidable();
    const hurried = kindOf(shared.join({ giveUpAtMs: Date.now() + 60_000 }));
    runs[0]?.options.onWait?.(Date.now() + 600_000);
    const patient = shared.join();
    runs[0]?.reject(cancelled);
    await settled();
    runs[1]?.resolve("again");
    expect(await Promise.all([hurried, patient])).toEqual(["rate-limited", "again"]);
    expect(runs).toHaveLength(2);
  });

  it("goes on while one caller stays", async () => {
    const { runs, shared } = decidable();
    const stop = new AbortController();
    const leaving = kindOf(shared.join({ signal: stop.signal }));
    const staying = shared.join();
    stop.abort();
    expect(await leaving).toBe("cancelled");
    expect(runs[0]?.options.signal?.aborted).toBe(false);
    runs[0]?.resolve("done");
    expect(await staying).toBe("done");
  });

  it.each([
    [-1, "rate-limited"],
    [0, "waits"],
  ])(
    "is left by a caller who gives up %i ms after the limit ends, whether at once or on joining: %s",
    async (laterMs, end) => {
      const { runs, shared } = decidable();
      const untilMs = Date.now() + 60_000;
      const options = { giveUpAtMs: untilMs + laterMs, onWait: vi.fn() };
      const ends = [kindOf(shared.join()), kindOf(shared.join(options))];
      runs[0]?.options.onWait?.(untilMs);
      ends.push(kindOf(shared.join(options)));
      const orWaits = (promise?: Promise<string>) => Promise.race([promise, settled().then(() => "waits")]);
      expect(await Promise.all(ends.map(orWaits))).toEqual(["waits", end, end]);
      expect(options.onWait.mock.calls).toEqual(end === "waits" ? [[untilMs], [untilMs]] : []);
      await expect(shared.join({ giveUpAtMs: 0 })).rejects.toMatchObject({ untilMs });
      expect(runs[0]?.options.signal?.aborted).toBe(false);
    },
  );

  it("tells a new caller of a wait that has not ended yet, and of no other", async () => {
    const { runs, shared } = decidable();
    const [first, early, late] = [vi.fn(), vi.fn(), vi.fn()];
    void shared.join({ onWait: first });
    expect(first).not.toHaveBeenCalled();
    const untilMs = Date.now() + 1_000;
    runs[0]?.options.onWait?.(untilMs);
    await vi.advanceTimersByTimeAsync(999);
    void shared.join({ onWait: early });
    await vi.advanceTimersByTimeAsync(1);
    void shared.join({ onWait: late });
    expect([early.mock.calls, late.mock.calls]).toEqual([[[untilMs]], []]);
  });

  it("tells nothing more to a caller who has left", async () => {
    const { runs, shared } = decidable();
    const stop = new AbortController();
    const onWait = vi.fn();
    void shared.join();
    const left = kindOf(shared.join({ signal: stop.signal, onWait }));
    stop.abort();
    await left;
    runs[0]?.options.onWait?.(Date.now() + 1_000);
    expect(onWait).not.toHaveBeenCalled();
  });

  it("of a signal that is aborted already is cancelled", async () => {
    const { runs, shared } = decidable();
    expect(await kindOf(shared.join({ signal: AbortSignal.abort() }))).toBe("cancelled");
    expect(runs.map(({ options }) => options.signal?.aborted)).toEqual([true]);
    void shared.join();
    runs[1]?.options.onWait?.(Date.now() + 1_000);
    const onWait = vi.fn();
    expect(await kindOf(shared.join({ signal: AbortSignal.abort(), onWait }))).toBe("cancelled");
    expect(onWait).not.toHaveBeenCalled();
  });

  it("that has ended is not stopped any more", async () => {
    const { runs, shared } = decidable();
    const done = shared.join();
    runs[0]?.resolve("done");
    await done;
    expect(await shared.join()).toBe("done");
    expect(runs[0]?.options.signal?.aborted).toBe(false);
    expect(runs).toHaveLength(1);
  });

  it("whose failure comes after a new run began does not end the new run", async () => {
    const { runs, shared } = decidable();
    const stop = new AbortController();
    const left = kindOf(shared.join({ signal: stop.signal }));
    stop.abort();
    await left;
    const second = shared.join();
    runs[0]?.reject(new Failure("cancelled"));
    await settled();
    const third = shared.join();
    expect(runs).toHaveLength(2);
    runs[1]?.resolve("done");
    expect(await Promise.all([second, third])).toEqual(["done", "done"]);
  });

  it("is neither started nor waited for by a caller who wants only kept results", async () => {
    const { runs, shared } = decidable();
    expect(await kindOf(shared.join({ keptOnly: true }))).toBe("not-asked");
    expect(runs).toEqual([]);
    const first = shared.join();
    expect(await kindOf(shared.join({ keptOnly: true }))).toBe("not-asked");
    runs[0]?.resolve("done");
    await first;
    expect(await shared.join({ keptOnly: true })).toBe("done");
  });

  it("adds one listener to a signal that many join with, and leaves none", async () => {
    const { signal } = new AbortController();
    const works = Array.from({ length: 30 }, decidable);
    const ends = works.map(({ shared }) => kindOf(shared.join({ signal })));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    works.forEach(({ runs }, index) =>
      index % 2 === 0 ? runs[0]?.resolve("done") : runs[0]?.reject(new Failure("timeout")),
    );
    await Promise.all(ends);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("shared work by key", () => {
  it("runs once for all who join, also after somebody has left and before that run has ended", async () => {
    const runs: { key: string; resolve(value: string): void; reject(failure: Failure): void }[] = [];
    const works = createSharedWorks<string, string>(
      (key) => new Promise((resolve, reject) => runs.push({ key, resolve, reject })),
    );
    const stop = new AbortController();
    const left = kindOf(works.join("06001", { signal: stop.signal }));
    stop.abort();
    expect(await left).toBe("cancelled");
    const second = works.join("06001");
    runs[0]?.reject(new Failure("cancelled"));
    await vi.advanceTimersByTimeAsync(1);
    const third = works.join("06001");
    expect(runs).toHaveLength(2);
    runs[1]?.resolve("done");
    expect(await Promise.all([second, third])).toEqual(["done", "done"]);

    const later = works.join("06001");
    expect(runs.map(({ key }) => key)).toEqual(["06001", "06001", "06001"]);
    runs[2]?.resolve("again");
    expect(await later).toBe("again");
  });
});

describe("several pieces of shared work", () => {
  function decidableWorks() {
    const runs: { key: string; options: ExchangeOptions; resolve(): void; reject(failure: Failure): void }[] =
      [];
    const works = createSharedWorks<string, string>(
      (key, options) =>
        new Promise((resolve, reject) => runs.push({ key, options, resolve: () => resolve(key), reject })),
    );
    return { runs, works };
  }

  it("are run once for each key while they are under way, and their results are not kept", async () => {
    const { runs, works } = decidableWorks();
    const answers = Promise.all(["a", "b", "a"].map((key) => works.join(key)));
    expect(runs.map(({ key }) => key)).toEqual(["a", "b"]);
    for (const run of runs) run.resolve();
    expect(await answers).toEqual(["a", "b", "a"]);
    expect(await kindOf(works.join("a", { keptOnly: true }))).toBe("not-asked");
    const failing = kindOf(works.join("a", { urgent: true }));
    expect(urgencyOf(runs[2]?.options.urgent).isUrgent()).toBe(true);
    runs[2]?.reject(new Failure("timeout"));
    expect(await failing).toBe("timeout");
    void works.join("a");
    expect(runs).toHaveLength(4);
  });

  it("are neither started nor waited for by a caller who wants only kept results", async () => {
    const { runs, works } = decidableWorks();
    expect(await kindOf(works.join("a", { keptOnly: true }))).toBe("not-asked");
    expect(runs).toEqual([]);
    void works.join("a");
    expect(await kindOf(works.join("a", { keptOnly: true }))).toBe("not-asked");
  });
});

describe("the urgency of shared work", () => {
  const isUrgent = ({ options }: { options: ExchangeOptions }) => urgencyOf(options.urgent).isUrgent();

  it("is that of the most urgent caller, and stays when that caller leaves", () => {
    const { runs, shared } = decidable();
    const stop = new AbortController();
    void shared.join();
    expect(runs.map(isUrgent)).toEqual([false]);
    void kindOf(shared.join({ urgent: true, signal: stop.signal }));
    expect(runs.map(isUrgent)).toEqual([true]);
    stop.abort();
    expect(runs.map(isUrgent)).toEqual([true]);
  });

  it("is there from the beginning if the first caller is urgent", () => {
    let atStart: boolean | undefined;
    const shared = createSharedWork(({ urgent }) => {
      atStart = urgencyOf(urgent).isUrgent();
      return Promise.resolve();
    });
    void shared.join({ urgent: true });
    expect(atStart).toBe(true);
  });

  it("rises with a caller who has joined, and not with one who has left", () => {
    const { runs, shared } = decidable();
    const stop = new AbortController();
    const [left, stayed] = [createUrgency(false), createUrgency(false)];
    void shared.join({ urgent: stayed });
    void kindOf(shared.join({ urgent: left, signal: stop.signal }));
    stop.abort();
    left.raise();
    expect(runs.map(isUrgent)).toEqual([false]);
    stayed.raise();
    expect(runs.map(isUrgent)).toEqual([true]);
  });

  it("is not refused for a limit that holds back only the lower rank", async () => {
    const { runs, shared } = decidable();
    void shared.join();
    runs[0]?.options.onWait?.(Date.now() + 3_600_000);
    const urgent = shared.join({ urgent: true, giveUpAtMs: Date.now() + 60_000 });
    runs[0]?.resolve("done");
    expect(await urgent).toBe("done");
  });
});

describe("a wait of urgent work", () => {
  it("holds for the next urgent caller, too", async () => {
    const { runs, shared } = decidable();
    void shared.join({ urgent: true });
    const untilMs = Date.now() + 3_600_000;
    runs[0]?.options.onWait?.(untilMs);
    const onWait = vi.fn();
    void shared.join({ urgent: true, onWait });
    expect(onWait.mock.calls).toEqual([[untilMs]]);
  });

  it("is forgotten when it was a wait of the lower rank", () => {
    const { runs, shared } = decidable();
    void shared.join();
    runs[0]?.options.onWait?.(Date.now() + 3_600_000);
    void shared.join({ urgent: true });
    const onWait = vi.fn();
    void shared.join({ onWait });
    expect(onWait).not.toHaveBeenCalled();
  });
});

describe("an import's request that a formula joins", () => {
  /** A service whose limit has this many requests left until a reset in an hour, and the work that reads a path. */
  async function hourWith(left: number) {
    const service = decidedService();
    await service.send(["first"]);
    await service.request("first").answer(rateHeaders(left, 3_600));
    const reading = (path: string) =>
      createSharedWork((options) => service.transport.send({ method: "GET", path: `/${path}` }, options));
    return { ...service, reading };
  }
  const formula = () => ({ urgent: true, giveUpAtMs: Date.now() + 60_000 });

  it("is sent at once, from the reserve, and both have the answer", async () => {
    const { reading, request, paths } = await hourWith(2);
    const work = reading("cell");
    const onWait = vi.fn();
    const importing = work.join({ onWait });
    await settled();
    expect(onWait).toHaveBeenCalledExactlyOnceWith(Date.now() + 3_600_000);
    expect(paths()).toEqual(["first"]);

    const cell = work.join(formula());
    await settled();
    expect(paths()).toEqual(["first", "cell"]);
    await request("cell").answer(rateHeaders(1, 3_600));
    expect(await cell).toMatchObject({ status: 200 });
    expect(await importing).toMatchObject({ status: 200 });
  });

  it("goes before other requests that wait", async () => {
    const { reading, send, paths, request } = await hourWith(1);
    await send(["import1", "import2"]);
    const work = reading("cell");
    void work.join();
    await send(["import3"]);
    void work.join(formula());
    await settled();
    await request("cell").answer(rateHeaders(0, 3_600));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(paths()).toEqual(["first", "cell", "import1"]);
  });

  it("is joined in the very moment in which it learns that it has to wait", async () => {
    const { reading, paths } = await hourWith(2);
    const work = reading("cell");
    void work.join();
    // The governor has decided, but has not announced it yet.
    await Promise.resolve();
    const cell = kindOf(work.join(formula()));
    await settled();
    expect(paths()).toEqual(["first", "cell"]);
    expect(await Promise.race([cell, Promise.resolve("waits")])).toBe("waits");
  });

  it("tells the formula at once if even the reserve is used up", async () => {
    const { reading } = await hourWith(0);
    const work = reading("cell");
    void work.join();
    await settled();
    const cell = kindOf(work.join(formula()));
    await settled();
    expect(await Promise.race([cell, Promise.resolve("waits")])).toBe("rate-limited");
  });

  it("makes its later requests urgent too, also in work within it", async () => {
    const { reading, paths, request } = await hourWith(2);
    const inner = ["page1", "page2"].map(reading);
    const outer = createSharedWork(async (options) => {
      for (const page of inner) await page.join(options);
    });
    void outer.join();
    await settled();
    expect(paths()).toEqual(["first"]);
    void outer.join(formula());
    await settled();
    await request("page1").answer(rateHeaders(1, 3_600));
    expect(paths()).toEqual(["first", "page1", "page2"]);
  });
});
