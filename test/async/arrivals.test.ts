import { expect, it } from "vitest";
import { createArrivals } from "../../src/async/arrivals";

it("results that came before they are taken, and while they are taken, come in groups and in their order", async () => {
  const arrivals = createArrivals<string>();
  arrivals.put(2, "c");
  arrivals.put(0, "a");
  const groups: unknown[] = [];
  for await (const arrived of arrivals) {
    groups.push(arrived);
    if (groups.length === 1) setTimeout(() => arrivals.put(1, "b"));
    else arrivals.end();
  }
  expect(groups).toEqual([
    [
      { place: 2, result: "c" },
      { place: 0, result: "a" },
    ],
    [{ place: 1, result: "b" }],
  ]);
});

it("a failure is told after the results that came before it", async () => {
  const arrivals = createArrivals<string>();
  const taken: string[] = [];
  const taking = (async () => {
    for await (const arrived of arrivals) taken.push(...arrived.map(({ result }) => result));
  })();
  arrivals.put(0, "a");
  arrivals.end(new Error("stopped"));
  arrivals.end();
  await expect(taking).rejects.toThrow("stopped");
  expect(taken).toEqual(["a"]);
});
