import { serialize } from "node:v8";
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { config } from "../../../src/config";
import type { CachedAnswer } from "../../../src/engine/cache/cached-answer";
import { createAnswerPart } from "../../../src/engine/cache/answer-part";
import { type Cache, openCache } from "../../../src/engine/cache/cache";
import { createDisk } from "../../../src/engine/cache/store";
import { spaceOf } from "../../../src/engine/cache/space";
import {
  absence,
  answer,
  IDBFactory,
  newPage,
  overwrite,
  requested,
  storedAhjIds,
  storedRecords,
  withDatabase,
} from "./database";

/** The documents have today's date, because the cache removes old ones now and then. */
const today = Date.now();

let factory: IDBFactory;
beforeEach(() => {
  factory = new IDBFactory();
});

describe.each([
  { kind: "with a disk", hasDisk: true },
  { kind: "without a disk", hasDisk: false },
])("a cache $kind", ({ hasDisk }) => {
  let cache: Cache;
  beforeEach(() => {
    cache = newPage(hasDisk ? factory : undefined);
  });

  it("knows an answer as soon as it was put", () => {
    cache.answers.put(7, [
      [1001, answer("12 feet")],
      [1002, absence()],
    ]);
    expect(cache.answers.get(7, 1001)).toEqual(answer("12 feet"));
    expect(cache.answers.get(7, 1002)).toEqual(absence());
    expect(cache.answers.get(7, 1003)).toBeUndefined();
    expect(cache.answers.get(8, 1001)).toBeUndefined();
  });

  it("gives a value alone, and copies an answer into a part, but no reason for having none", () => {
    cache.answers.put(7, [
      [1001, answer("12 feet")],
      [1002, absence()],
    ]);
    const asked = [
      [7, 1001],
      [7, 1002],
      [7, 1003],
      [8, 1001],
    ] as const;
    expect(asked.map(([ahj, type]) => cache.answers.value(ahj, type))).toEqual(["12 feet", null, null, null]);
    const part = createAnswerPart(4);
    expect(asked.map(([ahj, type]) => cache.answers.copy(ahj, type, part))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(part.count()).toBe(1);
    expect(part.at(0)).toEqual(answer("12 feet"));
  });

  it("expects as many bytes of further answers as those that it has take, once it has enough", async () => {
    const room = config.cachedBytes + config.heldBytes;
    const fill = (from: number, to: number) => {
      for (let ahj = from; ahj < to; ahj += 1)
        cache.answers.put(ahj, [[1001, answer(`${ahj}`.padEnd(300, "."))]]);
    };
    fill(0, 9_999);
    expect(cache.answers.shareOfMemory(20_000)).toBe((20_000 * config.expectedAnswerBytes) / room);
    fill(9_999, 10_001);
    const share = cache.answers.shareOfMemory(20_000);
    expect(share).toBeGreaterThan((20_000 * 300) / room);
    expect(share).toBeLessThan((20_000 * 900) / room);
    // The writes of 10,000 answers would disturb later tests.
    await cache.flushed();
  });

  it("keeps the newer of two answers, whichever comes last", () => {
    cache.answers.put(7, [[1001, answer("new", 2_000)]]);
    cache.answers.put(7, [[1001, answer("old", 1_000)]]);
    expect(cache.answers.get(7, 1001)).toEqual(answer("new", 2_000));
    cache.answers.put(7, [[1001, absence(3_000)]]);
    expect(cache.answers.get(7, 1001)).toEqual(absence(3_000));
  });

  it("keeps the later of two answers of the same moment", async () => {
    cache.answers.put(7, [[1001, answer("first")]]);
    await cache.flushed();
    cache.answers.put(7, [[1001, answer("second")]]);
    await cache.answers.load([7]);
    expect(cache.answers.get(7, 1001)).toEqual(answer("second"));
  });

  it("keeps an answer of today, not one dated later by a clock that was once ahead", async () => {
    const ahead = today + 3_600_000;
    cache.answers.put(7, [[1001, answer("ahead", ahead)]]);
    expect(cache.answers.get(7, 1001)).toEqual(answer("ahead", ahead));
    await cache.flushed();
    cache.answers.put(7, [[1001, answer("today", today)]]);
    cache.answers.put(7, [[1001, answer("ahead again", ahead)]]);
    await cache.flushed();
    await cache.answers.load([7]);
    expect(cache.answers.get(7, 1001)).toEqual(answer("today", today));
  });

  it("keeps an answer of this very moment, not an older one", () => {
    const clock = vi.spyOn(Date, "now").mockReturnValue(today);
    cache.answers.put(7, [[1001, answer("now", today)]]);
    cache.answers.put(7, [[1001, answer("older", today - 1)]]);
    clock.mockRestore();
    expect(cache.answers.get(7, 1001)).toEqual(answer("now", today));
  });

  it("still knows its answers after loading, and after everything is written", async () => {
    cache.answers.put(7, [[1001, answer("12 feet")]]);
    await cache.answers.load([7, 8, 7]);
    await cache.flushed();
    await cache.answers.load([7]);
    expect(cache.answers.get(7, 1001)).toEqual(answer("12 feet"));
  });

  it("forgets what is dropped, and nothing else", async () => {
    cache.answers.put(7, [[1001, answer("12 feet")]]);
    cache.answers.put(8, [[1001, answer("8 feet")]]);
    await cache.flushed();
    cache.answers.drop([7]);
    expect(cache.answers.get(7, 1001)).toBeUndefined();
    await cache.answers.load([7, 8]);
    await cache.flushed();
    await cache.answers.load([7, 8]);
    expect(cache.answers.get(7, 1001)).toBeUndefined();
    expect(cache.answers.get(8, 1001)).toEqual(answer("8 feet"));
  });

  it("knows an answer that is put after a drop", async () => {
    cache.answers.put(7, [[1001, answer("before", 2_000)]]);
    cache.answers.drop([7]);
    cache.answers.put(7, [[1002, answer("after", 1_000)]]);
    await cache.flushed();
    await cache.answers.load([7]);
    expect(cache.answers.get(7, 1001)).toBeUndefined();
    expect(cache.answers.get(7, 1002)).toEqual(answer("after", 1_000));
  });

  it("gives the documents that exist, as they were last written", async () => {
    const content = { ahjs: [{ id: 1, name: "Cañon City", geoid: null }] };
    cache.documents.write("directory", { fetchedAtMs: today, content: "old" });
    cache.documents.write("directory", { fetchedAtMs: today + 1, content });
    const expected = new Map([["directory", { fetchedAtMs: today + 1, content }]]);
    expect(await cache.documents.read(["directory", "types"])).toEqual(expected);
    await cache.flushed();
    expect(await cache.documents.read(["directory", "types"])).toEqual(expected);
    expect(await cache.documents.read([])).toEqual(new Map());
  });

  it("that can't write one document still writes the others and later answers, and ends", async () => {
    const endless = {
      toJSON() {
        throw new RangeError("Invalid string length");
      },
    };
    cache.documents.write("types", { fetchedAtMs: today, content: 1 });
    cache.documents.write("snapshot", { fetchedAtMs: today, content: endless });
    cache.answers.put(7, [[1001, answer("beside it")]]);
    await cache.flushed();
    cache.documents.write("directory", { fetchedAtMs: today, content: 2 });
    await cache.flushed();
    expect(
      [...(await cache.documents.read(["types", "directory"])).values()].map(({ content }) => content),
    ).toEqual([1, 2]);
    const onDisk = await newPage(factory).documents.read(["types", "snapshot", "directory"]);
    expect([...onDisk.keys()].sort()).toEqual(hasDisk ? ["directory", "types"] : []);
    expect(await cache.end()).toBe(true);
    expect(await newPage(factory).documents.read(["types", "directory"])).toEqual(new Map());
  });

  it("forgets everything when it ends, even what was still to be written", async () => {
    cache.answers.put(7, [[1001, answer("written")]]);
    cache.documents.write("types", { fetchedAtMs: today, content: 1 });
    await cache.flushed();
    cache.answers.put(8, [[1001, answer("not yet written")]]);
    cache.documents.write("directory", { fetchedAtMs: today, content: 1 });
    const reads = [cache.documents.read(["types", "directory"])];
    const ended = cache.end();
    reads.push(cache.documents.read(["types", "directory"]));
    await cache.answers.load([7, 8]);
    expect(await Promise.all(reads)).toEqual([new Map(), new Map()]);
    expect(await ended).toBe(true);
    await cache.answers.load([7, 8]);
    expect([7, 8].map((ahjId) => cache.answers.get(ahjId, 1001))).toEqual([undefined, undefined]);
    expect(await cache.documents.read(["types", "directory"])).toEqual(new Map());
  });

  it("keeps nothing after its end", async () => {
    cache.answers.put(7, [[1001, answer("before")]]);
    const ended = cache.end();
    cache.answers.put(8, [[1001, answer("during")]]);
    cache.documents.write("types", { fetchedAtMs: today, content: "during" });
    expect(cache.answers.get(8, 1001)).toBeUndefined();
    expect(await ended).toBe(true);
    cache.answers.put(9, [[1001, answer("after")]]);
    cache.answers.drop([9]);
    cache.documents.write("types", { fetchedAtMs: today, content: "after" });
    await cache.flushed();
    await cache.answers.load([7, 8, 9]);
    expect([7, 8, 9].filter((ahjId) => cache.answers.get(ahjId, 1001))).toEqual([]);
    expect(await cache.documents.read(["types"])).toEqual(new Map());
    expect(await cache.end()).toBe(true);
  });
});

describe("a page opened again", () => {
  it("finds answers, absences and documents once they are loaded", async () => {
    const before = newPage(factory);
    before.answers.put(7, [
      [1001, answer("12 feet", 1_000)],
      [1002, { fetchedAtMs: 2_000, absence: "outside-subscription" }],
      [1003, { fetchedAtMs: 3_000, value: "Sí", reference: null, section: null, updatedAt: null }],
    ]);
    before.documents.write("types", { fetchedAtMs: today, content: [{ id: 1001 }] });
    await before.flushed();

    const after = newPage(factory);
    expect(after.answers.get(7, 1001)).toBeUndefined();
    await after.answers.load([7]);
    expect(after.answers.get(7, 1001)).toEqual(answer("12 feet", 1_000));
    expect(after.answers.get(7, 1002)).toEqual({ fetchedAtMs: 2_000, absence: "outside-subscription" });
    expect(after.answers.get(7, 1003)).toEqual({
      fetchedAtMs: 3_000,
      value: "Sí",
      reference: null,
      section: null,
      updatedAt: null,
    });
    expect(await after.documents.read(["types"])).toEqual(
      new Map([["types", { fetchedAtMs: today, content: [{ id: 1001 }] }]]),
    );
  });

  it("finds a thousand jurisdictions in one transaction, written in few", async () => {
    const ahjIds = Array.from({ length: 1_000 }, (_, index) => index + 1);
    const transactions: string[] = [];
    const watched = (page: IDBFactory) =>
      newPage(
        watchOpening(page, (database) => {
          const begin = database.transaction.bind(database);
          database.transaction = (names, mode, options) => {
            transactions.push(`${[names].flat().join()} ${mode}`);
            return begin(names, mode, options);
          };
        }),
      );
    const before = watched(factory);
    for (const ahjId of ahjIds) before.answers.put(ahjId, [[1001, answer(`of ${ahjId}`)]]);
    await before.flushed();
    // One for each of their shards, and two more that check if all is within its bounds.
    expect(transactions).toHaveLength(8 + 2);

    transactions.length = 0;
    const after = watched(factory);
    await after.answers.load(ahjIds);
    expect(transactions).toEqual(["shards readonly"]);
    expect(ahjIds.filter((ahjId) => after.answers.get(ahjId, 1001))).toEqual(ahjIds);
  });

  it("finds today's answer, even if a clock that was once ahead has left later ones on disk", async () => {
    const before = newPage(factory);
    before.answers.put(7, [[1001, answer("ahead", today + 3_600_000)]]);
    await before.flushed();
    const writing = newPage(factory);
    writing.answers.put(7, [[1001, answer("today", today)]]);
    await writing.answers.load([7]);
    expect(writing.answers.get(7, 1001)).toEqual(answer("today", today));
    await writing.flushed();
    const after = newPage(factory);
    await after.answers.load([7]);
    expect(after.answers.get(7, 1001)).toEqual(answer("today", today));
  });

  it("writes each document with columns in a transaction of its own, as they may be large", async () => {
    const { documents, flushed } = newPage(factory);
    const transactions = vi.spyOn(IDBDatabase.prototype, "transaction");
    for (const name of ["a", "b", "c"])
      documents.write(name, { fetchedAtMs: today, content: name, columns: new Uint8Array(10) });
    documents.write("d", { fetchedAtMs: today, content: "d" });
    await flushed();
    const written = transactions.mock.calls.filter(
      ([names, mode]) => mode === "readwrite" && [names].flat().join() === "documents",
    );
    transactions.mockRestore();
    // One more write removes entries that are too old.
    expect(written).toHaveLength(5);
  });

  it("finds a hundred documents that were written in one transaction", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `document ${index}`);
    const first = newPage(factory);
    first.documents.write("first", { fetchedAtMs: today, content: 1 });
    await first.flushed();
    const transactions = vi.spyOn(IDBDatabase.prototype, "transaction");
    const page = newPage(factory);
    for (const name of names) page.documents.write(name, { fetchedAtMs: today, content: name });
    await page.flushed();
    const written = transactions.mock.calls.filter(([, mode]) => mode === "readwrite").length;
    transactions.mockRestore();
    // The other writes remove entries that are too old or too many.
    expect(written).toBeLessThanOrEqual(3);
    expect((await newPage(factory).documents.read(names)).size).toBe(100);
  });

  it("finds nothing of another service or key", async () => {
    const mine = newPage(factory, spaceOf("https://service.test", "my-key"));
    mine.answers.put(7, [[1001, answer("mine")]]);
    mine.documents.write("types", { fetchedAtMs: today, content: "mine" });
    await mine.flushed();
    for (const space of [
      spaceOf("https://service.test", "other-key"),
      spaceOf("https://other.test", "my-key"),
    ]) {
      const other = newPage(factory, space);
      await other.answers.load([7]);
      expect(other.answers.get(7, 1001)).toBeUndefined();
      expect(await other.documents.read(["types"])).toEqual(new Map());
      other.answers.put(7, [[1001, answer("theirs")]]);
      other.answers.drop([7]);
      await other.end();
    }
    const again = newPage(factory, spaceOf("https://service.test", "my-key"));
    await again.answers.load([7]);
    expect(again.answers.get(7, 1001)).toEqual(answer("mine"));
    expect((await again.documents.read(["types"])).get("types")?.content).toBe("mine");
  });

  it("finds nothing of a space that has ended, while others stay", async () => {
    const disk = createDisk({ indexedDB: factory });
    const caches = ["one", "one more"].map((space) => openCache(disk, space));
    for (const cache of caches) {
      cache.answers.put(7, [[1001, answer("12 feet")]]);
      cache.documents.write("types", { fetchedAtMs: today, content: 1 });
    }
    await Promise.all(caches.map((cache) => cache.flushed()));
    await caches[0]?.end();
    expect((await storedRecords(factory)).map(({ store, key }) => [store, key])).toEqual([
      ["documents", ["one more", "types"]],
      ["shards", ["one more", 0]],
    ]);
  });

  it("finds nothing of jurisdictions without an answer", async () => {
    const cache = newPage(factory);
    cache.answers.put(7, []);
    cache.answers.put(8, [[1001, absence()]]);
    await cache.flushed();
    expect(await storedAhjIds(factory)).toEqual([8]);
  });

  it("finds answers that were kept after its space had ended, whatever is asked of the ended space", async () => {
    const [ended, later] = [newPage(factory), newPage(factory)];
    await ended.end();
    for (const ahjId of [7, 8]) later.answers.put(ahjId, [[1001, answer("12 feet")]]);
    await later.flushed();
    ended.answers.drop([7]);
    await ended.flushed();
    expect(await ended.end()).toBe(true);
    expect(await storedAhjIds(factory)).toEqual([7, 8]);
  });

  it("can't learn the key from the disk", async () => {
    const key = "a-very-secret-key";
    const cache = newPage(factory, spaceOf("https://service.test", key));
    cache.answers.put(7, [[1001, answer("12 feet")]]);
    cache.documents.write("types", { fetchedAtMs: today, content: 1 });
    await cache.flushed();
    const records = await storedRecords(factory);
    const names = (await factory.databases()).map(({ name }) => name);
    const bytes = serialize([names, records]).toString("latin1");
    expect(bytes).toContain("12 feet");
    expect(bytes).not.toContain(key);
  });
});

describe("a read or write under way", () => {
  it("does not bring back an AHJ that is dropped while it is read", async () => {
    const before = newPage(factory);
    before.answers.put(7, [[1001, answer("12 feet")]]);
    before.answers.put(8, [[1001, answer("8 feet")]]);
    await before.flushed();
    const after = newPage(factory);
    const loaded = after.answers.load([7, 8]);
    after.answers.drop([7]);
    await loaded;
    expect(after.answers.get(7, 1001)).toBeUndefined();
    expect(after.answers.get(8, 1001)).toEqual(answer("8 feet"));
  });

  it("gives way to an answer that is written meanwhile", async () => {
    const { answers, documents, flushed } = newPage(factory);
    documents.write("types", { fetchedAtMs: today, content: "old" });
    await new Promise((resolve) => setImmediate(resolve));
    // The answers are written first, so that the document waits longer.
    for (let id = 1; id <= 100; id += 1) answers.put(id, [[1001, answer("12 feet")]]);
    documents.write("types", { fetchedAtMs: today, content: "new" });
    let isWritten = false;
    void flushed().then(() => (isWritten = true));
    while (!isWritten) {
      expect((await documents.read(["types"])).get("types")?.content).toBe("new");
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await documents.read(["types"])).get("types")?.content).toBe("new");
  });

  it("does not bring anything back when all ends while it is read", async () => {
    const before = newPage(factory);
    before.answers.put(7, [[1001, answer("12 feet")]]);
    await before.flushed();
    const after = newPage(factory);
    const loaded = after.answers.load([7]);
    await Promise.all([loaded, after.end()]);
    expect(after.answers.get(7, 1001)).toBeUndefined();
  });

  it("does not write late after the end of its space", async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const fresh = new IDBFactory();
      const cache = newPage(fresh);
      cache.answers.put(7, [[1001, answer("12 feet")]]);
      cache.documents.write("types", { fetchedAtMs: today, content: 1 });
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      cache.answers.put(8, [[1001, answer("8 feet")]]);
      const ended = cache.end();
      cache.answers.put(9, [[1001, answer("9 feet")]]);
      cache.documents.write("units", { fetchedAtMs: today, content: 1 });
      await ended;
      cache.answers.put(10, [[1001, answer("10 feet")]]);
      cache.documents.write("late", { fetchedAtMs: today, content: 1 });
      await cache.flushed();
      expect(await storedRecords(fresh)).toEqual([]);
    }
  });
});

describe("two workbooks", () => {
  it("that write the same jurisdiction at once lose no answer", async () => {
    const [one, two] = [newPage(factory), newPage(factory)];
    one.answers.put(7, [
      [1001, answer("one", 1_000)],
      [1002, answer("newer", 2_000)],
    ]);
    two.answers.put(7, [
      [1002, answer("older", 1_000)],
      [1003, answer("two", 1_000)],
    ]);
    await Promise.all([one.flushed(), two.flushed()]);
    const after = newPage(factory);
    await after.answers.load([7]);
    expect([1001, 1002, 1003].map((typeId) => after.answers.get(7, typeId))).toEqual([
      answer("one", 1_000),
      answer("newer", 2_000),
      answer("two", 1_000),
    ]);
  });

  it("see what the other has written since, when they load again", async () => {
    const [one, two] = [newPage(factory), newPage(factory)];
    one.answers.put(7, [[1001, answer("old", 1_000)]]);
    await one.flushed();
    await two.answers.load([7]);
    one.answers.put(7, [[1001, answer("new", 2_000)]]);
    await one.flushed();
    await two.answers.load([7]);
    expect(two.answers.get(7, 1001)).toEqual(answer("new", 2_000));
  });

  it("see the document that the other has written since", async () => {
    const [one, two] = [newPage(factory), newPage(factory)];
    one.documents.write("types", { fetchedAtMs: today, content: "old" });
    await one.flushed();
    two.documents.write("types", { fetchedAtMs: today + 1, content: "new" });
    await two.flushed();
    expect((await one.documents.read(["types"])).get("types")?.content).toBe("new");
  });

  it("do not bring back dropped answers by writing another type", async () => {
    const [one, two] = [newPage(factory), newPage(factory)];
    one.answers.put(7, [[1001, answer("old")]]);
    await one.flushed();
    await two.answers.load([7]);
    one.answers.drop([7]);
    await one.flushed();
    two.answers.put(7, [[1002, answer("another")]]);
    await two.flushed();
    const after = newPage(factory);
    await after.answers.load([7]);
    expect(after.answers.get(7, 1001)).toBeUndefined();
    expect(after.answers.get(7, 1002)).toEqual(answer("another"));
  });
});

type Step =
  | { step: "put"; workbook: number; ahjId: number; typeId: number; atMs: number }
  | { step: "drop" | "load"; workbook: number; ahjId: number }
  | { step: "restart"; workbook: number };

const workbook = fc.nat(1);
const ahjId = fc.integer({ min: 1, max: 3 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      step: fc.constant("put" as const),
      workbook,
      ahjId,
      typeId: fc.integer({ min: 1, max: 2 }),
      atMs: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constantFrom("drop" as const, "load" as const), workbook, ahjId }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("restart" as const), workbook }) },
);

describe("whatever two workbooks write and drop", () => {
  it("the newest answer put after the last drop stays", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        const shared = new IDBFactory();
        const workbooks = [newPage(shared), newPage(shared)];
        const expected = new Map<string, CachedAnswer>();
        let last = 0;
        for (const [index, step] of steps.entries()) {
          // Another workbook sees the answers only once they are on disk. Within one workbook nothing needs to be waited for.
          if (step.workbook !== last) await workbooks[last]?.flushed();
          last = step.workbook;
          const { answers, flushed } = workbooks[last]!;
          if (step.step === "put") {
            const put = answer(`step ${index}`, step.atMs);
            answers.put(step.ahjId, [[step.typeId, put]]);
            const cell = `${step.ahjId} ${step.typeId}`;
            const present = expected.get(cell);
            if (!present || present.fetchedAtMs <= put.fetchedAtMs) expected.set(cell, put);
          } else if (step.step === "drop") {
            answers.drop([step.ahjId]);
            for (const typeId of [1, 2]) expected.delete(`${step.ahjId} ${typeId}`);
          } else if (step.step === "load") {
            void answers.load([step.ahjId]);
          } else {
            await flushed();
            workbooks[last] = newPage(shared);
          }
        }
        await Promise.all(workbooks.map(({ flushed }) => flushed()));
        const after = newPage(shared);
        await after.answers.load([1, 2, 3]);
        for (const cell of ["1 1", "1 2", "2 1", "2 2", "3 1", "3 2"]) {
          const [ahj, type] = cell.split(" ").map(Number);
          expect(after.answers.get(ahj!, type!)).toEqual(expected.get(cell));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("the newest of the answers put at once stays", async () => {
    const puts = fc.uniqueArray(
      fc.record({
        workbook,
        ahjId,
        typeId: fc.integer({ min: 1, max: 2 }),
        atMs: fc.integer({ min: 1, max: 99 }),
      }),
      { maxLength: 30, selector: ({ atMs }) => atMs },
    );
    await fc.assert(
      fc.asyncProperty(puts, async (all) => {
        const shared = new IDBFactory();
        const workbooks = [newPage(shared), newPage(shared)];
        for (const put of all) {
          workbooks[put.workbook]!.answers.put(put.ahjId, [[put.typeId, answer("", put.atMs)]]);
        }
        await Promise.all(workbooks.map(({ flushed }) => flushed()));
        const after = newPage(shared);
        await after.answers.load([1, 2, 3]);
        for (const { ahjId: ahj, typeId: type } of all) {
          const ages = all.filter((put) => put.ahjId === ahj && put.typeId === type).map(({ atMs }) => atMs);
          expect(after.answers.get(ahj, type)?.fetchedAtMs).toBe(Math.max(...ages));
        }
      }),
      { numRuns: 50 },
    );
  });
});

/** Puts an answer into a database of an earlier build, which then has today's stores alone and gives the answer to the next page. */
async function expectToBeWrittenAsAnyOther(page: ReturnType<typeof newPage>): Promise<void> {
  page.answers.put(7, [[1001, answer("new")]]);
  await page.flushed();
  expect(await withDatabase(factory, ({ objectStoreNames }) => [...objectStoreNames])).toEqual([
    "documents",
    "shards",
  ]);
  const after = newPage(factory);
  await after.answers.load([7]);
  expect(after.answers.get(7, 1001)).toEqual(answer("new"));
}

describe("a database that a build of 2026-11-22 (0fe6d77) has written", () => {
  const written = {
    answers: {
      format: 1,
      atMs: today,
      count: 2,
      content: [
        [1001, today, "12 feet", "City Code", "§ 12", null],
        [1002, today, "no-value"],
      ],
    },
    documents: { format: 1, atMs: today, count: 1, content: '[{"id":1001}]' },
  };

  it("keeps its documents, loses its answers, and is written as any other", async () => {
    const opening = factory.open("regdata", 1);
    opening.onupgradeneeded = () => {
      for (const [store, record] of Object.entries(written)) {
        const records = opening.result.createObjectStore(store);
        records.createIndex("age", ["atMs", "count"]);
        records.put(record, ["space", store === "answers" ? 7 : "types"]);
      }
    };
    (await requested(opening)).close();

    const page = newPage(factory);
    await page.answers.load([7]);
    expect(page.answers.get(7, 1001)).toBeUndefined();
    expect((await page.documents.read(["types"])).get("types")).toEqual({
      fetchedAtMs: today,
      content: [{ id: 1001 }],
    });
    await expectToBeWrittenAsAnyOther(page);
  });

  it("removes its old documents at their age", async () => {
    const opening = factory.open("regdata", 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("answers").createIndex("age", ["atMs", "count"]);
      const records = opening.result.createObjectStore("documents");
      records.createIndex("age", ["atMs", "count"]);
      records.put({ ...written.documents, atMs: 1 }, ["space", "types"]);
    };
    (await requested(opening)).close();
    const page = newPage(factory);
    expect((await page.documents.read(["types"])).size).toBe(1);
    page.answers.put(7, [[1001, answer("new")]]);
    await page.flushed();
    expect((await page.documents.read(["types"])).size).toBe(0);
  });
});

describe("a database that a build of 2026-11-28 has written", () => {
  it("keeps its documents, loses its answers, and is written as any other", async () => {
    const opening = factory.open("regdata", 2);
    opening.onupgradeneeded = () => {
      const [documents, heads, parts] = ["documents", "heads", "parts"].map((store) =>
        opening.result.createObjectStore(store),
      );
      documents?.createIndex("age", "atMs");
      documents?.put({ format: 1, atMs: today, content: '[{"id":1001}]' }, ["space", "types"]);
      heads?.put({ format: 1 }, ["space", 1]);
      parts?.put({ format: 1 }, ["space", 1]);
    };
    (await requested(opening)).close();

    const page = newPage(factory);
    expect((await page.documents.read(["types"])).get("types")?.content).toEqual([{ id: 1001 }]);
    page.documents.write("old", { fetchedAtMs: 1, content: 1 });
    await expectToBeWrittenAsAnyOther(page);
  });
});

type Fields = Record<string, unknown>;

describe("a document that is", () => {
  const damages: Record<string, (record: Fields) => unknown> = {
    "of a format to come": (record) => ({ ...record, format: 2 }),
    "without a format": ({ format: _, ...record }) => record,
    "no record": () => "text",
    null: () => null,
    "without content": ({ content: _, ...record }) => record,
    "cut off": (record) => ({ ...record, content: String(record.content).slice(0, -1) }),
    "without a time": (record) => ({ ...record, atMs: "now" }),
  };

  it.each(Object.entries(damages))("%s is left out, and later overwritten", async (_, damage) => {
    const before = newPage(factory);
    before.documents.write("types", { fetchedAtMs: today, content: [1, 2, 3] });
    before.documents.write("units", { fetchedAtMs: today, content: [1] });
    await before.flushed();
    const [stored] = await storedRecords(factory);
    await overwrite(factory, stored!, damage(stored!.record));

    const after = newPage(factory);
    expect([...(await after.documents.read(["types", "units"])).keys()]).toEqual(["units"]);
    after.documents.write("types", { fetchedAtMs: today + 1, content: "new" });
    await after.flushed();
    expect((await newPage(factory).documents.read(["types"])).get("types")?.content).toBe("new");
  });
});

describe("a shard of the answers that is", () => {
  const inPart = (change: (part: Fields) => unknown) => (record: Fields) => ({
    ...record,
    part: change(record.part as Fields),
  });
  const withColumn = (name: string, change: (column: Uint32Array) => unknown) =>
    inPart((part) => {
      const columns = part.columns as Fields;
      return { ...part, columns: { ...columns, [name]: change((columns[name] as Uint32Array).slice()) } };
    });
  const damages: Record<string, (record: Fields) => unknown> = {
    "of a format to come": (record) => ({ ...record, format: 2 }),
    "no record": () => "text",
    null: () => null,
    "without its jurisdictions": ({ ahjIds: _, ...record }) => record,
    "with jurisdictions of another type": (record) => ({ ...record, ahjIds: [7] }),
    "with counts of another type": (record) => ({ ...record, counts: Uint16Array.of(1) }),
    "with more jurisdictions than counts": (record) => ({ ...record, ahjIds: Float64Array.of(7, 9) }),
    "with more counts than jurisdictions": (record) => ({ ...record, counts: Uint32Array.of(1, 0) }),
    "with more answers than its part": (record) => ({ ...record, counts: Uint32Array.of(2) }),
    "with fewer answers than its part": (record) => ({ ...record, counts: Uint32Array.of(0) }),
    "without a time of use": (record) => ({ ...record, usedAtMs: "now" }),
    "with a part of a format to come": inPart((part) => ({ ...part, format: 2 })),
    "with a part that is no record": inPart(() => null),
    "without texts": inPart(({ heap: _, ...part }) => part),
    "with texts cut off": inPart((part) => ({ ...part, heap: (part.heap as Uint8Array).slice(0, -1) })),
    "with a text that lies elsewhere": withColumn("value", (column) => column.fill(1_000)),
    "with a citation that lies elsewhere": withColumn("section", (column) => column.fill(1_000)),
    "of an unknown absence": withColumn("value", (column) => column.fill(0xffff_fff9)),
    "with a text that UTF-8 can't hold, and that is not there": withColumn("value", (column) =>
      column.fill(0xf000_0000),
    ),
    "of an unknown type": withColumn("type", (column) => column.fill(1)),
    "of an unknown time": withColumn("time", (column) => column.fill(1)),
    "with columns of several lengths": withColumn("time", () => new Uint16Array(2)),
    "with times that are none": inPart((part) => ({ ...part, times: [Number.NaN] })),
  };

  it.each(Object.entries(damages))("%s costs itself alone, and is later overwritten", async (_, damage) => {
    const before = newPage(factory);
    before.answers.put(7, [[1001, answer("12 feet")]]);
    before.answers.put(800, [
      [1001, answer("8 feet")],
      [1002, answer("8 feet")],
    ]);
    await before.flushed();
    const [stored] = await storedRecords(factory);
    await overwrite(factory, stored!, damage(stored!.record));

    const after = newPage(factory);
    await after.answers.load([7, 800]);
    expect(after.answers.get(7, 1001)).toBeUndefined();
    expect(after.answers.get(800, 1001)).toEqual(answer("8 feet"));

    after.answers.put(7, [[1002, answer("new")]]);
    await after.flushed();
    const again = newPage(factory);
    await again.answers.load([7, 800]);
    expect([7, 800].map((ahjId) => again.answers.get(ahjId, 1002))).toEqual([
      answer("new"),
      answer("8 feet"),
    ]);
    expect(await storedAhjIds(factory)).toEqual([7, 800]);
  });
});

/** A factory that shows every connection to `see` before it is used. */
function watchOpening(inner: IDBFactory, see: (database: IDBDatabase) => void): IDBFactory {
  const open: IDBFactory["open"] = (name, version) => {
    const request = inner.open(name, version);
    request.addEventListener("success", () => see(request.result));
    return request;
  };
  return Object.assign(Object.create(inner), { open });
}
