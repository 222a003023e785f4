import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../../src/errors";
import { createSharedWork } from "../../src/lookup/shared-work";
import type { ExchangeOptions } from "../../src/transport/transport";

beforeEach(() => {
  vi.useFakeTimers();
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

  it("lets each give up alone when the limit lasts too long, at once or on joining", async () => {
    const { runs, shared } = decidable();
    const patient = shared.join();
    const hurried = kindOf(shared.join({ giveUpAtMs: Date.now() + 60_000 }));
    runs[0]?.options.onWait?.(Date.now() + 3_600_000);
    expect(await hurried).toBe("rate-limited");
    expect(await kindOf(shared.join({ giveUpAtMs: Date.now() + 60_000 }))).toBe("rate-limited");
    runs[0]?.resolve("late");
    expect(await patient).toBe("late");
  });

  it("tells those who stay that it waits", () => {
    const { runs, shared } = decidable();
    const onWait = vi.fn();
    void shared.join({ onWait });
    runs[0]?.options.onWait?.(4_711);
    expect(onWait).toHaveBeenCalledWith(4_711);
  });

  it("is stopped when the last has left, and started anew by the next", async () => {
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

  it("goes on while somebody stays", async () => {
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
});
