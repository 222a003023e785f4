import { describe, expect, it } from "vitest";
import { config } from "../../../src/config";
import { Failure } from "../../../src/errors";
import { askEach } from "../../../src/engine/lookup/ask-each";

/** Asks that the test answers by hand, in the order in which they were made. */
function world(count: number, signal?: AbortSignal) {
  const asked: { item: number; answer(text: string): void; fail(failure: Failure): void }[] = [];
  const told: string[] = [];
  const items = Array.from({ length: count }, (_, index) => index + 1);
  const done = askEach(
    items,
    (item) => new Promise<string>((answer, fail) => asked.push({ item, answer, fail })),
    (item, outcome) => told.push(`${item} ${outcome instanceof Failure ? outcome.kind : outcome}`),
    signal,
  ).then(
    () => "done",
    (thrown: Failure) => thrown.kind,
  );
  return { asked, told, done };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const most = config.concurrentRequests;

describe("asking about each of many", () => {
  it("asks about as many at once as may be under way, and about the next when one is answered", async () => {
    const { asked, told } = world(most + 2);
    await settled();
    expect(asked).toHaveLength(most);
    asked[2]?.answer("yes");
    await settled();
    expect([asked.length, told]).toEqual([most + 1, ["3 yes"]]);
  });

  it("tells each its own outcome, also a failure that says nothing about the others", async () => {
    const { asked, told, done } = world(2);
    await settled();
    asked[0]?.fail(new Failure("not-found"));
    asked[1]?.answer("yes");
    expect([await done, told]).toEqual(["done", ["1 not-found", "2 yes"]]);
  });

  it.each(["wrong-key", "no-rights", "rate-limited"] as const)(
    "asks no more once a request ends with %s, which the rest is told as well",
    async (kind) => {
      const { asked, told, done } = world(most + 2);
      await settled();
      asked[0]?.fail(new Failure(kind));
      await settled();
      expect(asked).toHaveLength(most);
      expect(told).toEqual([1, most + 1, most + 2].map((item) => `${item} ${kind}`));
      for (const { answer } of asked.slice(1)) answer("yes");
      expect(await done).toBe("done");
      expect(told).toHaveLength(most + 2);
    },
  );

  it("asks no more once two in a row had no answer, which the rest is told as well", async () => {
    const { asked, told } = world(300);
    await settled();
    asked[0]?.fail(new Failure("timeout"));
    asked[1]?.fail(new Failure("timeout"));
    await settled();
    expect(asked.length).toBeLessThanOrEqual(most + 2);
    expect(told).toContain("300 timeout");
  });

  it("takes an unexpected error for a mistake of the add-in", async () => {
    const told: unknown[] = [];
    const ask = () => Promise.reject(new TypeError("no such thing"));
    await askEach([1], ask, (_, outcome) => told.push(outcome));
    expect(told).toMatchObject([{ kind: "internal" }]);
  });

  it("asks about nobody else once it is cancelled", async () => {
    const stop = new AbortController();
    const { asked, told, done } = world(10_000, stop.signal);
    await settled();
    stop.abort();
    for (const { fail } of asked.splice(0)) fail(new Failure("cancelled"));
    expect(await done).toBe("cancelled");
    expect([asked.length, told.length <= most]).toEqual([0, true]);
  });
});
