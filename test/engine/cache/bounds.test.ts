import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Cache } from "../../../src/engine/cache/cache";
import type { Client } from "../../../src/engine/api/client";
import type { Collection } from "../../../src/engine/api/schemas";
import { createOldAnswerNotes } from "../../../src/engine/lookup/old-answers";
import { createCollectionRuns } from "../../../src/engine/lookup/collections/collection-runs";
import { type AnswerMemory, createAnswerMemory } from "../../../src/engine/cache/answer-memory";
import { createAnswerPart } from "../../../src/engine/cache/answer-part";
import { config } from "../../../src/config";
import { answer, IDBFactory, newPage, overwrite, storedAhjIds, storedRecords } from "./database";
import { filledPart } from "./answers/filled-part";
import { playConfig } from "../../play-config";

playConfig({ keptBytes: 6_000, cachedBytes: 6_000, answersAPart: 50 });

const dayMs = 86_400_000;
const today = Date.now() - dayMs;
const types = Array.from({ length: 10 }, (_, index) => 1_001 + index);
const ofAll = (fetchedAtMs: number) =>
  types.map((typeId): [number, ReturnType<typeof answer>] => [typeId, answer("", fetchedAtMs)]);
/** The numbers 1 to 30 in a mixed order. */
const ahjIds = Array.from({ length: 30 }, (_, index) => ((index * 7) % 30) + 1);

/** The number of answers of each AHJ that has any. */
function countsIn(get: (ahjId: number, typeId: number) => unknown): Map<number, number> {
  const counts = ahjIds
    .toSorted((a, b) => a - b)
    .map((ahjId): [number, number] => [ahjId, types.filter((typeId) => get(ahjId, typeId)).length]);
  return new Map(counts.filter(([, count]) => count > 0));
}

const typesOf = (answers: Cache["answers"]) => countsIn(answers.get);
const idsIn = (answers: Cache["answers"]) => [...typesOf(answers).keys()];
const among = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

describe("a full memory drops answers:", () => {
  it("the jurisdictions that were put first go first, and whole", () => {
    const { answers } = newPage(undefined);
    for (const ahjId of ahjIds) answers.put(ahjId, ofAll(1_000 - ahjId));
    expect(new Set(typesOf(answers).values())).toEqual(new Set([10]));
    const left = idsIn(answers);
    expect(left.length).toBeGreaterThan(5);
    expect(left.length).toBeLessThan(25);
    expect(left).toEqual(among(ahjIds.slice(-left.length)));
  });

  it("jurisdictions that are used stay, and a look-up counts as use", () => {
    const { answers } = newPage(undefined);
    const [first = 0, ...others] = ahjIds;
    answers.put(first, ofAll(1));
    for (const ahjId of others) {
      answers.put(ahjId, ofAll(1));
      expect(answers.get(first, 1_001)).toBeDefined();
    }
    const left = idsIn(answers);
    expect(left.length).toBeLessThan(25);
    expect(left).toEqual(among([first, ...others.slice(1 - left.length)]));
  });

  it("a new answer keeps a jurisdiction's other answers", () => {
    const { answers } = newPage(undefined);
    const [first = 0, ...others] = ahjIds;
    answers.put(first, ofAll(1));
    for (const ahjId of others) {
      answers.put(ahjId, ofAll(1));
      answers.put(first, [[1_001, answer("new", ahjId * 1_000)]]);
    }
    expect(typesOf(answers).get(first)).toBe(10);
  });

  it("a confirmed answer counts as use", async () => {
    const { answers, flushed } = newPage(undefined);
    const [first = 0, ...others] = ahjIds;
    answers.put(first, ofAll(1));
    for (const [index, ahjId] of others.entries()) {
      answers.put(ahjId, ofAll(1));
      answers.put(first, [[1_001, answer("", 2 + index)]]);
      await flushed();
    }
    expect(typesOf(answers).get(first)).toBe(10);
  });

  it("answers that are confirmed take no more room", () => {
    const { answers } = newPage(undefined);
    const few = ahjIds.slice(0, 5);
    for (let round = 1; round <= 200; round += 1) for (const ahjId of few) answers.put(ahjId, ofAll(round));
    expect(idsIn(answers)).toEqual(among(few));
    expect(answers.get(few[0]!, 1_001)).toEqual(answer("", 200));
  });

  it("dropped and replaced answers make room", () => {
    const { answers } = newPage(undefined);
    for (let round = 1; round <= 100; round += 1) {
      for (const ahjId of [1, 2, 3, 4, 5]) answers.put(ahjId, [[1_001, answer(`in round ${round}`, round)]]);
      answers.drop([6]);
      answers.put(6, ofAll(round));
    }
    expect(idsIn(answers)).toEqual([1, 2, 3, 4, 5, 6]);
    expect([1, 6].map((ahjId) => answers.get(ahjId, 1_001))).toEqual([
      answer("in round 100", 100),
      answer("", 100),
    ]);
  });

  it("held jurisdictions stay until they are released, while others go as before", () => {
    const { answers } = newPage(undefined);
    const [one, two] = [answers.hold(), answers.hold()];
    const held = ahjIds.slice(0, 20);
    one.keep(held);
    two.keep(held.slice(0, 2));
    for (const ahjId of ahjIds) answers.put(ahjId, ofAll(1));
    expect(idsIn(answers)).toEqual(expect.arrayContaining(among(held)));
    one.release();
    const left = idsIn(answers);
    expect(left.length).toBeLessThan(20);
    expect(left).toEqual(expect.arrayContaining(among(held.slice(0, 2))));
    // A second release does no harm.
    one.release();
    two.release();
    for (const ahjId of ahjIds.slice(20)) answers.put(ahjId, ofAll(2));
    expect(idsIn(answers)).not.toContain(held[0]);
  });

  it("answers loaded from disk count as well", async () => {
    const factory = new IDBFactory();
    // Each page writes less than the amount at which the disk is checked.
    for (const ahjId of ahjIds.slice(0, 10)) {
      const before = newPage(factory);
      before.answers.put(ahjId, ofAll(ahjId));
      await before.flushed();
    }
    const { answers } = newPage(factory);
    for (let ahjId = 101; ahjId <= 120; ahjId += 1) answers.put(ahjId, ofAll(ahjId));
    await answers.load(ahjIds);
    expect(idsIn(answers)).toEqual(among(ahjIds.slice(0, 10)));
    expect(answers.get(101, 1_001)).toBeUndefined();
  });
});

describe("the memory of answers", () => {
  const text = (value: string, fetchedAtMs = 1) => ({
    ...{ fetchedAtMs, value, reference: null, section: null, updatedAt: null },
  });
  /** An AHJ's part that takes this many bytes: 16 for the answer, 2 for the length of its text, and 120 for the AHJ. */
  const partOf = (ahjId: number, bytes: number) =>
    filledPart([ahjId, [[1_001, text("x".repeat(bytes - 16 - 2 - 120))]]]);
  const memoryOf = (ahjs: readonly number[], bytes: number) => {
    const memory = createAnswerMemory();
    for (const ahjId of ahjs) memory.adopt(partOf(ahjId, bytes));
    return memory;
  };
  const idsOf = (memory: AnswerMemory) => ahjIds.filter((ahjId) => memory.holds(ahjId, 1));

  it("may take all the room that it is given", () => {
    const memory = memoryOf([1, 2, 3, 4, 5, 6], 1_000);
    expect(memory.bytes()).toBe(6_000);
    expect(among(idsOf(memory))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("drops a tenth if it takes more, and no more than that", () => {
    const memory = memoryOf([1, 2, 3, 4, 5, 6], 900);
    memory.see(1, 1_001);
    memory.adopt(partOf(7, 900));
    expect(memory.bytes()).toBe(5_400);
    expect(among(idsOf(memory))).toEqual([1, 3, 4, 5, 6, 7]);
  });

  it("grows a little beyond its bound if held answers can't go, and looks for room again only then", () => {
    const memory = createAnswerMemory();
    const hold = memory.hold();
    hold.keep([1, 2, 3, 4, 5, 6, 7]);
    for (const ahjId of [1, 2, 3, 4, 5, 6, 7]) memory.adopt(partOf(ahjId, 900));
    expect(memory.bytes()).toBe(6_300);
    memory.adopt(partOf(8, 300));
    expect(among(idsOf(memory))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    memory.adopt(partOf(9, 300));
    expect(among(idsOf(memory))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    hold.release();
    expect(among(idsOf(memory))).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it("gives back parts that are mostly replaced before it drops anything", () => {
    const memory = createAnswerMemory();
    memory.adopt(
      filledPart(
        [1, [[1_001, text("x".repeat(3_000))]]],
        [2, [[1_001, text("2")]]],
        [3, [[1_001, text("3")]]],
      ),
    );
    memory.adopt(filledPart([1, [[1_001, text("new 1", 2)]]], [2, [[1_001, text("new 2", 2)]]]));
    expect(memory.bytes()).toBeGreaterThan(3_000);
    memory.adopt(partOf(4, 2_800));
    expect(memory.bytes()).toBeLessThan(6_000);
    expect([1, 2, 3].map((ahjId) => memory.get(ahjId, 1_001))).toEqual([
      ...[text("new 1", 2), text("new 2", 2), text("3")],
    ]);
    expect(memory.holds(4, 1)).toBe(true);
  });

  it("keeps no full part of which no answer is left", () => {
    const memory = createAnswerMemory();
    for (let round = 1; round <= 6; round += 1)
      memory.add(
        1,
        ofAll(round).map(([typeId]) => [typeId, text(`${round}`, round)]),
      );
    // At the sixth answer the first part, of 50, was full.
    expect(memory.bytes()).toBe(createAnswerPart(50).bytes() + 120);
    expect(memory.get(1, 1_001)).toEqual(text("6", 6));
  });
});

describe("the answers of a collection", () => {
  it("are given whole, and kept as far as there is room; missing ones are asked for again", async () => {
    const asked: string[] = [];
    const client = {
      runCollection({ ahj_ids }: { ahj_ids: number[] }) {
        asked.push(ahj_ids.join());
        const items = ahj_ids.flatMap((id) =>
          types.map((typeId) => ({
            ...{ id: id * 10_000 + typeId, ahj: { id }, data_point_type: { id: typeId }, value: "3" },
            ...{ reference: null, section: null, updated_at: "2026-01-01T00:00:00Z" },
          })),
        );
        const pagination = { page: 1, page_size: 500, total: items.length, total_pages: 1 };
        return Promise.resolve({ data: { items, pagination }, warnings: [], atMs: Date.now() });
      },
    } as unknown as Client;
    const old = createOldAnswerNotes(() => {});
    const dependencies = {
      client,
      old,
      learn() {},
      maxAgeMs: () => 3_600_000,
      delay: () => Promise.resolve(),
    };
    const runs = createCollectionRuns(dependencies);
    const collection = { id: "C", updated_at: "2026-01-01T00:00:00Z" } as Collection;
    const given = [...(await runs.read(collection, ahjIds, {})).values()];
    expect(given.map((answer) => (answer as Map<number, unknown>).size)).toEqual(ahjIds.map(() => 10));
    await runs.read(collection, ahjIds.slice(-3), {});
    expect(asked).toHaveLength(1);
    await runs.read(collection, ahjIds, {});
    const again = asked[1]?.split(",").map(Number) ?? [];
    expect(again.length).toBeGreaterThan(5);
    expect(again.length).toBeLessThan(28);
    expect(again).toEqual(ahjIds.slice(0, again.length));
  });
});

describe("a full disk store drops answers:", () => {
  let factory: IDBFactory;
  beforeEach(() => {
    factory = new IDBFactory();
  });

  /** Writes the answers of five jurisdictions, which make a shard of some 1,200 bytes. */
  async function writeShard(number: number, space: string, atMs: number) {
    const clock = vi.spyOn(Date, "now").mockReturnValue(atMs);
    const cache = newPage(factory, space);
    for (let ahjId = number * 1_000; ahjId < number * 1_000 + 5; ahjId += 1)
      cache.answers.put(ahjId, ofAll(atMs));
    await cache.flushed();
    clock.mockRestore();
  }

  const shardsOnDisk = async () =>
    new Set((await storedAhjIds(factory)).map((ahjId) => Math.floor(ahjId / 1_000)));

  it("the shards of all spaces that were written first go first, and whole", async () => {
    for (let number = 1; number <= 9; number += 1)
      await writeShard(number, `space ${number % 3}`, today + number);
    const left = await shardsOnDisk();
    expect(left.size).toBeGreaterThanOrEqual(3);
    expect(left.size).toBeLessThanOrEqual(5);
    expect(left).toEqual(new Set(Array.from({ length: left.size }, (_, index) => 10 - left.size + index)));
    const { answers } = newPage(factory, "space 0");
    await answers.load([9_004]);
    expect(types.filter((typeId) => answers.get(9_004, typeId))).toEqual(types);
  });

  it("a shard that was read since counts as used", async () => {
    for (let number = 1; number <= 4; number += 1)
      await writeShard(number, "space", today - dayMs * (10 - number));
    const page = newPage(factory);
    await page.answers.load([1_000]);
    await page.flushed();
    // The check does not run again on the same day.
    const puts = vi.spyOn(IDBObjectStore.prototype, "put");
    const again = newPage(factory);
    await again.answers.load([1_000]);
    await again.flushed();
    expect(puts).not.toHaveBeenCalled();
    puts.mockRestore();
    for (const number of [5, 6, 7]) await writeShard(number, "space", Date.now() + number);
    expect(await shardsOnDisk()).toContain(1);
    expect(await shardsOnDisk()).not.toContain(2);
  });

  it("a shard dated later by a clock that was once ahead goes before all others", async () => {
    await writeShard(1, "space", today + dayMs);
    for (const number of [2, 3, 4, 5, 6]) await writeShard(number, "space", today - 10 + number);
    const left = await shardsOnDisk();
    expect(left).not.toContain(1);
    expect(left).toContain(3);
  });

  it("a damaged shard does not get in the way, and the next write to it replaces it", async () => {
    await writeShard(1, "space", today - 10);
    const [shard] = await storedRecords(factory);
    await overwrite(factory, shard!, "damaged");
    for (const number of [2, 3, 4]) await writeShard(number, "space", today + number - 10);
    const undamaged = (await storedRecords(factory)).filter(({ record }) => typeof record === "object");
    expect(undamaged).toHaveLength(3);
    await writeShard(1, "space", today);
    expect(await shardsOnDisk()).toContain(1);
  });

  it("a page's first write checks the bounds, and then only a write after many", async () => {
    const checks = vi.spyOn(IDBIndex.prototype, "getAllKeys");
    // Each check asks the disk twice: for entries that are too old, and for ones from the future.
    const checked = () => checks.mock.calls.length / 2;
    const cache = newPage(factory);
    const write = async (atMs: number) => {
      cache.answers.put(1, [[1_001, answer("", atMs)]]);
      await cache.flushed();
    };
    await write(1);
    expect(checked()).toBe(1);
    for (const atMs of [2, 3, 4]) await write(atMs);
    expect(checked()).toBe(1);
    for (let atMs = 5; atMs <= 12; atMs += 1) await write(atMs);
    expect(checked()).toBe(2);
    checks.mockRestore();
  });

  it("documents go at their age, and so do those dated later by a clock that was once ahead", async () => {
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
