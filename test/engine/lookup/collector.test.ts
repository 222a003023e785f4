import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createArrivals } from "../../../src/async/arrivals";
import { config } from "../../../src/config";
import { Failure } from "../../../src/errors";
import { createCollector } from "../../../src/engine/lookup/collector";

const nowMs = Date.UTC(2026, 2, 12);
beforeEach(() => void vi.useFakeTimers({ now: nowMs, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** Resolves once all work that waits for nothing has been done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

interface Batch {
  asks: string[];
  signal: AbortSignal;
  /** Gives the ask at this place its answer. */
  settle(place: number, outcome: string | Failure): Promise<unknown>;
  /** Gives no more answers. */
  end(): Promise<unknown>;
  fail(thrown: unknown): Promise<unknown>;
}

/** A collector; the test ends its waits and its batches. */
function world() {
  const batches: Batch[] = [];
  const delays: { ms: number; pass(): void }[] = [];
  const collector = createCollector<string, string>({
    answer(asks, signal) {
      const answers = createArrivals<string | Failure>();
      batches.push({
        ...{ asks, signal },
        settle: (place, outcome) => (answers.put(place, outcome), settled()),
        end: () => (answers.end(), settled()),
        fail: (thrown) => (answers.end(thrown), settled()),
      });
      return answers;
    },
    groupOf: (text) => text.endsWith("!"),
    delay: (ms) => new Promise((pass) => delays.push({ ms, pass })),
  });
  /** How each ask ended, by its text. */
  const ends: Record<string, string> = {};
  return {
    batches,
    delays,
    ends,
    ask(text: string, signal?: AbortSignal) {
      void collector.ask(text, signal).then(
        (answer) => (ends[text] = answer),
        (thrown: unknown) =>
          (ends[text] = thrown instanceof Failure ? thrown.kind : `not a failure: ${thrown}`),
      );
    },
    async pass(ms: number = config.collectMs) {
      vi.setSystemTime(Date.now() + ms);
      delays.at(-1)?.pass();
      await settled();
    },
    asked: () => batches.map(({ asks }) => asks),
  };
}

describe("the calls of one recalculation", () => {
  it("make a batch when a short time passes without a new call", async () => {
    const { ask, pass, asked, delays } = world();
    ask("a");
    ask("b");
    vi.setSystemTime(nowMs + config.collectMs - 10);
    ask("c");
    await pass(10);
    // The last ask came only 10 ms ago.
    expect(asked()).toEqual([]);
    await pass(config.collectMs - 10);
    expect(asked()).toEqual([["a", "b", "c"]]);
    expect(delays.map(({ ms }) => ms)).toEqual([config.collectMs, config.collectMs - 10]);
  });

  it("that come at once make a batch after one such time", async () => {
    const { ask, pass, asked, delays } = world();
    for (const text of ["a", "b", "c"]) ask(text);
    await pass();
    expect([asked(), delays.length]).toEqual([[["a", "b", "c"]], 1]);
  });

  it("that come without an end are cut into batches after some time", async () => {
    const { ask, pass, asked } = world();
    ask("a");
    await pass(config.collectAtMostMs - 1);
    expect(asked()).toEqual([["a"]]);
    const others = world();
    others.ask("first");
    for (let atMs = 0; atMs < config.collectAtMostMs; atMs += 20) {
      expect(others.asked()).toEqual([]);
      others.ask(`at ${atMs}`);
      await others.pass(20);
    }
    expect(others.asked()[0]).toHaveLength(1 + Math.ceil(config.collectAtMostMs / 20));
    // The last wait is only the rest of the longest time that asks may be collected.
    expect(others.delays.at(-1)?.ms).toBe(config.collectAtMostMs % 20);
  });

  it("are settled each by its own promise", async () => {
    const { ask, pass, batches, ends } = world();
    ask("a");
    ask("b");
    ask("c");
    await pass();
    await pass();
    await batches[0]?.settle(1, "two");
    expect(ends).toEqual({ b: "two" });
    await batches[0]?.settle(0, new Failure("no-value"));
    expect(ends).toEqual({ a: "no-value", b: "two" });
    expect(batches[0]?.signal.aborted).toBe(false);
    await batches[0]?.settle(2, "three");
    expect(ends).toEqual({ a: "no-value", b: "two", c: "three" });
  });

  it("of different groups make batches of their own, of which each ends alone", async () => {
    const { ask, pass, batches, asked, ends } = world();
    for (const text of ["a", "b!", "c", "d!"]) ask(text);
    await pass();
    await pass();
    expect(asked()).toEqual([
      ["a", "c"],
      ["b!", "d!"],
    ]);
    await batches[1]?.settle(1, "four");
    await batches[0]?.fail(new Failure("wrong-key"));
    expect(ends).toEqual({ a: "wrong-key", c: "wrong-key", "d!": "four" });
    expect(batches[1]?.signal.aborted).toBe(false);
  });

  it.each([
    [new Failure("wrong-key"), "wrong-key"],
    [new TypeError("x"), "internal"],
  ])("fail with the failure of their batch: %s", async (thrown, kind) => {
    const { ask, pass, batches, ends } = world();
    ask("a");
    ask("b");
    await pass();
    await pass();
    await batches[0]?.fail(thrown);
    expect(ends).toEqual({ a: kind, b: kind });
  });

  it("fail if their batch has no promise for them", async () => {
    const { ask, pass, batches, ends } = world();
    ask("a");
    ask("b");
    await pass();
    await pass();
    await batches[0]?.settle(0, "one");
    await batches[0]?.end();
    expect(ends).toEqual({ a: "one", b: "internal" });
  });

  it("wait for the batch that runs, and make the next one", async () => {
    const { ask, pass, batches, asked, ends, delays } = world();
    ask("a");
    await pass();
    ask("b");
    await pass();
    await pass();
    expect(asked()).toEqual([["a"]]);
    expect(delays).toHaveLength(1);
    await batches[0]?.settle(0, "one");
    await pass();
    expect(asked()).toEqual([["a"], ["b"]]);
    await batches[1]?.settle(0, "two");
    expect(ends).toEqual({ a: "one", b: "two" });
    // Nothing is collected while nobody asks.
    expect(delays).toHaveLength(2);
    ask("c");
    await pass();
    expect(asked()).toEqual([["a"], ["b"], ["c"]]);
  });
});

describe("a call that is cancelled", () => {
  it("before it is made asks nothing", async () => {
    const { ask, ends, delays } = world();
    ask("a", AbortSignal.abort());
    await settled();
    expect([ends, delays]).toEqual([{ a: "cancelled" }, []]);
  });

  it("while calls are gathered ends at once, and is in no batch", async () => {
    const { ask, pass, asked, ends } = world();
    const stop = new AbortController();
    ask("a");
    ask("b", stop.signal);
    stop.abort();
    await settled();
    expect(ends).toEqual({ b: "cancelled" });
    await pass();
    await pass();
    expect(asked()).toEqual([["a"]]);
  });

  it("as the only one makes no batch, and the next call is collected as ever", async () => {
    const { ask, pass, asked, delays } = world();
    const stop = new AbortController();
    ask("a", stop.signal);
    stop.abort();
    await pass();
    expect([asked(), delays.length]).toEqual([[], 1]);
    ask("b");
    await pass();
    expect(asked()).toEqual([["b"]]);
  });

  it("as the last of its batch to wait ends the batch", async () => {
    const { ask, pass, batches, ends } = world();
    const stop = new AbortController();
    ask("a");
    ask("b", stop.signal);
    ask("c", stop.signal);
    await pass();
    await pass();
    stop.abort();
    await settled();
    expect(ends).toEqual({ b: "cancelled", c: "cancelled" });
    expect(batches[0]?.signal.aborted).toBe(false);
    await batches[0]?.settle(0, "one");
    expect(batches[0]?.signal.aborted).toBe(true);
  });

  it("while another batch runs leaves that one alone", async () => {
    const { ask, pass, batches, ends } = world();
    const stop = new AbortController();
    ask("a");
    await pass();
    ask("b", stop.signal);
    stop.abort();
    await settled();
    expect(ends).toEqual({ b: "cancelled" });
    expect(batches[0]?.signal.aborted).toBe(false);
  });

  it("has no effect once it has its answer", async () => {
    const { ask, pass, batches, ends } = world();
    const stop = new AbortController();
    ask("a", stop.signal);
    ask("b");
    await pass();
    await pass();
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
    await batches[0]?.settle(0, "one");
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
    stop.abort();
    await settled();
    expect(ends).toEqual({ a: "one" });
  });
});
