import { beforeEach, describe, expect, it, vi } from "vitest";
import { openCache } from "../../../src/engine/cache/cache";
import { createDisk } from "../../../src/engine/cache/store";
import { config } from "../../../src/config";
import { answer, IDBFactory, newPage, storedRecords } from "./database";

vi.mock("../../../src/config", async (original) => {
  const real = await original<{ config: typeof config }>();
  return { config: { ...real.config, cachedAnswers: 100 } };
});

const types = Array.from({ length: 10 }, (_, index) => 1_001 + index);
const ofAll = (fetchedAtMs: number) =>
  types.map((typeId): [number, ReturnType<typeof answer>] => [typeId, answer("", fetchedAtMs)]);
/** 1 to 30, mixed up. */
const ahjIds = Array.from({ length: 30 }, (_, index) => ((index * 7) % 30) + 1);

/** How many answers there are of each AHJ that is there at all. */
function countsIn(get: (ahjId: number, typeId: number) => unknown): Map<number, number> {
  const counts = ahjIds
    .toSorted((a, b) => a - b)
    .map((ahjId): [number, number] => [ahjId, types.filter((typeId) => get(ahjId, typeId)).length]);
  return new Map(counts.filter(([, count]) => count > 0));
}

describe("in memory", () => {
  it("the jurisdictions of the oldest answers go first, and whole", () => {
    const { answers } = newPage(undefined);
    for (const ahjId of ahjIds) answers.put(ahjId, ofAll(ahjId));
    const counts = countsIn(answers.get);
    expect(new Set(counts.values())).toEqual(new Set([10]));
    const lowest = Math.min(...counts.keys());
    expect([...counts.keys()]).toEqual(ahjIds.filter((ahjId) => ahjId >= lowest).toSorted((a, b) => a - b));
    expect(counts.size).toBeGreaterThanOrEqual(9);
    expect(counts.size).toBeLessThanOrEqual(10);
  });

  it("as many stay as there is room for", () => {
    const { answers } = newPage(undefined);
    for (const ahjId of ahjIds.slice(0, 10)) answers.put(ahjId, ofAll(ahjId));
    expect(countsIn(answers.get).size).toBe(10);
  });

  it("one new answer keeps a jurisdiction's old ones", () => {
    const { answers } = newPage(undefined);
    answers.put(1, [...ofAll(1), [1_001, answer("new", 1_000)]]);
    for (const ahjId of ahjIds.filter((id) => id > 1)) answers.put(ahjId, ofAll(ahjId));
    expect(countsIn(answers.get).get(1)).toBe(10);
  });

  it("those that a clock once ahead has dated later go before all others", () => {
    const { answers } = newPage(undefined);
    answers.put(31, ofAll(Date.now() + 3_600_000));
    for (const ahjId of ahjIds.slice(0, 10)) answers.put(ahjId, ofAll(ahjId));
    expect(answers.get(31, 1_001)).toBeUndefined();
    expect(countsIn(answers.get).size).toBeGreaterThanOrEqual(9);
  });

  it("what is dropped and replaced makes room", () => {
    const { answers } = newPage(undefined);
    for (let round = 1; round <= 20; round += 1) {
      for (const ahjId of [1, 2, 3, 4, 5]) answers.put(ahjId, ofAll(round));
      answers.drop([6]);
      answers.put(6, ofAll(round));
    }
    expect(countsIn(answers.get).size).toBe(6);
  });

  it("what is loaded counts as well", async () => {
    const factory = new IDBFactory();
    // Each page writes less than what makes the disk be checked.
    for (const ahjId of ahjIds.slice(0, 10)) {
      const before = newPage(factory);
      before.answers.put(ahjId, ofAll(ahjId));
      await before.flushed();
    }
    const { answers } = newPage(factory);
    for (const ahjId of [101, 102, 103, 104, 105]) answers.put(ahjId, ofAll(ahjId));
    await answers.load(ahjIds);
    const newest = ahjIds.slice(0, 10).toSorted((a, b) => b - a);
    const counts = countsIn(answers.get);
    expect(counts.size).toBeLessThanOrEqual(5);
    expect([...counts.keys()]).toEqual(newest.slice(0, counts.size).reverse());
    expect(answers.get(101, 1_001)).toBeDefined();
  });
});

describe("on disk", () => {
  let factory: IDBFactory;
  beforeEach(() => {
    factory = new IDBFactory();
  });

  it("the oldest jurisdictions of all spaces go, and whole", async () => {
    const disk = createDisk({ indexedDB: factory });
    const spaces = ["one", "two", "three"];
    const caches = spaces.map((space) => openCache(disk, space));
    for (const ahjId of ahjIds) caches[ahjId % 3]!.answers.put(ahjId, ofAll(ahjId));
    for (const cache of caches) await cache.flushed();

    const kept = await storedRecords(factory);
    const newest = Array.from({ length: 10 }, (_, index) => 21 + index);
    expect(kept.map(({ key }) => (key as [string, number])[1]).toSorted((a, b) => a - b)).toEqual(newest);
    for (const ahjId of newest) {
      const { answers } = newPage(factory, spaces[ahjId % 3]);
      await answers.load([ahjId]);
      expect(countsIn(answers.get)).toEqual(new Map([[ahjId, 10]]));
    }
  });

  it("those that a clock once ahead has dated later go before all others", async () => {
    const cache = newPage(factory);
    const ahead = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_000);
    for (const ahjId of [31, 32]) cache.answers.put(ahjId, ofAll(Date.now()));
    await cache.flushed();
    ahead.mockRestore();
    expect((await storedRecords(factory)).map(({ key }) => (key as [string, number])[1])).toEqual([31, 32]);
    const after = newPage(factory);
    const kept = ahjIds.slice(0, 9);
    for (const ahjId of kept) after.answers.put(ahjId, ofAll(ahjId));
    await after.flushed();
    const left = (await storedRecords(factory)).map(({ key }) => (key as [string, number])[1]);
    expect(left.filter((ahjId) => ahjId <= 30)).toEqual(kept.toSorted((a, b) => a - b));
    expect(left).toHaveLength(10);
  });

  it("those of this very moment are not taken for later ones", async () => {
    const nowMs = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
    const cache = newPage(factory);
    cache.answers.put(31, ofAll(nowMs));
    for (const ahjId of ahjIds) cache.answers.put(ahjId, ofAll(ahjId));
    cache.documents.write("directory", { fetchedAtMs: nowMs, content: "now" });
    await cache.flushed();
    const after = newPage(factory);
    after.answers.put(31, [[1_001, answer("", nowMs)]]);
    await after.flushed();
    clock.mockRestore();
    const kept = (await storedRecords(factory)).map(({ key }) => (key as [string, unknown])[1]);
    expect(kept).toEqual([22, 23, 24, 25, 26, 27, 28, 29, 30, 31, "directory"]);
  });

  it("jurisdictions of one age are not taken for one", async () => {
    const cache = newPage(factory);
    for (const ahjId of ahjIds) cache.answers.put(ahjId, ofAll(1));
    await cache.flushed();
    expect(await storedRecords(factory)).toHaveLength(10);
  });

  it("is checked by a page's first write, and then only after many", async () => {
    const walks = vi.spyOn(IDBIndex.prototype, "openKeyCursor");
    const cache = newPage(factory);
    for (let atMs = 1; atMs <= 11; atMs += 1) {
      cache.answers.put(1, [[1_001, answer("", atMs)]]);
      await cache.flushed();
    }
    expect(walks).toHaveBeenCalledTimes(1);
    cache.answers.put(1, ofAll(20));
    await cache.flushed();
    expect(walks).toHaveBeenCalledTimes(2);
    walks.mockRestore();
  });

  it("what another page renews meanwhile stays", async () => {
    const [one, two] = [newPage(factory), newPage(factory)];
    for (const ahjId of ahjIds.filter((id) => id <= 10)) one.answers.put(ahjId, ofAll(ahjId));
    await one.flushed();
    const walk = IDBIndex.prototype.openKeyCursor;
    // Right after the page has found out what is to go, and before it goes.
    const walks = vi.spyOn(IDBIndex.prototype, "openKeyCursor").mockImplementationOnce(function (
      this: IDBIndex,
      ...query
    ) {
      two.answers.put(1, ofAll(1_000));
      return walk.apply(this, query);
    });
    for (const ahjId of [11, 12]) one.answers.put(ahjId, ofAll(ahjId));
    await one.flushed();
    await two.flushed();
    walks.mockRestore();
    const { answers } = newPage(factory);
    await answers.load(ahjIds);
    expect(countsIn(answers.get).get(1)).toBe(10);
    expect(countsIn(answers.get).has(2)).toBe(false);
  });

  it("documents go at their age, and those that a clock once ahead has dated later", async () => {
    const old = { fetchedAtMs: Date.now() - config.documentAgeMs - 1_000, content: "old" };
    const ahead = { fetchedAtMs: Date.now() + 3_600_000, content: "ahead" };
    const recent = { fetchedAtMs: Date.now() - config.documentAgeMs + 60_000, content: "recent" };
    const before = newPage(factory);
    before.documents.write("recent", recent);
    await before.flushed();
    before.documents.write("old", old);
    before.documents.write("ahead", ahead);
    await before.flushed();
    expect((await newPage(factory).documents.read(["old", "ahead", "recent"])).size).toBe(3);

    const after = newPage(factory);
    after.answers.put(1, ofAll(1));
    await after.flushed();
    expect(await newPage(factory).documents.read(["old", "ahead", "recent"])).toEqual(
      new Map([["recent", recent]]),
    );
  });
});
