import { serialize } from "node:v8";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnswerCache } from "../../../../src/engine/cache/answer-cache";
import type { CachedAnswer } from "../../../../src/engine/cache/cached-answer";
import { createAnswerPart, type FilledPart, pushRow } from "../../../../src/engine/cache/answer-part";
import { absence, answer, IDBFactory, newPage, overwrite, storedRecords } from "../database";

const dayMs = 86_400_000;
type Answers = Map<number, CachedAnswer>;
type Rows = Record<number, Answers>;

let factory: IDBFactory;
beforeEach(() => {
  factory = new IDBFactory();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Answers to this many types, from the first one on. */
const of = (count: number, text = "text", fetchedAtMs = 1_000, firstType = 1): Answers =>
  new Map(Array.from({ length: count }, (_, index) => [firstType + index, answer(text, fetchedAtMs)]));

const ahjsIn = (rows: Rows) =>
  Object.entries(rows).map(([ahj, answers]): [number, Answers] => [Number(ahj), answers]);

function filledPart(rows: Rows): FilledPart {
  const part = createAnswerPart(ahjsIn(rows).reduce((sum, [, { size }]) => sum + size, 0));
  const filled = ahjsIn(rows).map(([ahj, answers]) => pushRow(part, ahj, answers));
  part.seal();
  return { part, rows: filled };
}

/** Does the work in a newly opened page, and waits until all is written. */
async function write(work: (answers: AnswerCache) => void): Promise<void> {
  const page = newPage(factory);
  work(page.answers);
  await page.flushed();
}
const put = (rows: Rows) =>
  write((answers) => ahjsIn(rows).forEach(([ahj, ofAhj]) => answers.put(ahj, ofAhj)));
const putPart = (rows: Rows) => write((answers) => answers.putPart(filledPart(rows)));
const drop = (...ahjIds: number[]) => write((answers) => answers.drop(ahjIds));

/** All answers to an AHJ that a newly opened page finds. */
async function read(ahjId: number): Promise<Answers> {
  const { answers, flushed } = newPage(factory);
  await answers.load([ahjId]);
  await flushed();
  const found: Answers = new Map();
  for (let typeId = 1; typeId <= 100; typeId += 1) {
    const one = answers.get(ahjId, typeId);
    if (one) found.set(typeId, one);
  }
  return found;
}

/** For each shard, the AHJs with their number of answers in it. */
async function shardsOnDisk(): Promise<Record<number, number>[]> {
  return (await storedRecords(factory)).map(({ record }) => {
    const counts = [...(record.counts as Uint32Array)];
    return Object.fromEntries(
      Array.from(record.ahjIds as Float64Array, (ahj, index) => [ahj, counts[index] ?? 0]),
    );
  });
}

/** Damages the shard that has the answers of this AHJ. */
async function damage(ahjId: number): Promise<void> {
  const records = await storedRecords(factory);
  const own = records.find(({ record }) => (record.ahjIds as Float64Array).includes(ahjId));
  await overwrite(factory, own!, "damaged");
}

describe("a part of answers that is written to disk", () => {
  it("is known at once, and found by another page as it was", async () => {
    const rows = { 7: of(9, "of seven").set(10, absence()), 8: of(10, "of eight") };
    await write((answers) => {
      answers.putPart(filledPart(rows));
      expect(answers.get(7, 9)).toEqual(answer("of seven"));
    });
    expect(await shardsOnDisk()).toEqual([{ 7: 10, 8: 10 }]);
    expect([await read(7), await read(8)]).toEqual([rows[7], rows[8]]);
  });

  it("replaces older answers, while the other answers stay", async () => {
    await put({ 7: of(10, "old"), 8: of(10, "beside"), 999: of(10, "elsewhere") });
    await putPart({ 7: of(10, "new", 2_000), 9: of(10, "more", 2_000) });
    expect(await shardsOnDisk()).toEqual([{ 7: 10, 8: 10, 9: 10 }, { 999: 10 }]);
    expect(await read(7)).toEqual(of(10, "new", 2_000));
    expect(await read(8)).toEqual(of(10, "beside"));
    expect(await read(9)).toEqual(of(10, "more", 2_000));
    expect(await read(999)).toEqual(of(10, "elsewhere"));
  });

  it("leaves no replaced text on the disk", async () => {
    await put({ 7: of(10, "old text"), 8: of(10, "beside") });
    await putPart({ 7: of(10, "new text", 2_000) });
    const bytes = serialize(await storedRecords(factory)).toString("latin1");
    expect(bytes).toContain("new text");
    expect(bytes).not.toContain("old text");
  });

  it("keeps the newer answer of each cell if the disk has newer answers or other types", async () => {
    await put({ 1: of(30), 7: of(8, "old", 1_000).set(2, answer("newest", 3_000)) });
    await putPart({ 7: of(10, "new", 2_000, 4), 8: of(10, "whole") });
    expect(await read(7)).toEqual(
      new Map([
        [1, answer("old", 1_000)],
        [2, answer("newest", 3_000)],
        [3, answer("old", 1_000)],
        ...of(10, "new", 2_000, 4),
      ]),
    );
    expect([await read(1), await read(8)]).toEqual([of(30), of(10, "whole")]);
    expect(await shardsOnDisk()).toEqual([{ 1: 30, 7: 13, 8: 10 }]);
  });

  it("keeps its own answers beside others that were fetched at the same time", async () => {
    await put({ 7: of(10, "before") });
    await putPart({ 7: of(10, "after") });
    expect(await read(7)).toEqual(of(10, "after"));
  });

  it("keeps the later of answers of the same time that are written at once", async () => {
    await write((answers) => {
      answers.putPart(filledPart({ 7: of(10, "first") }));
      answers.put(7, of(9, "second"));
      answers.putPart(filledPart({ 7: of(8, "third") }));
    });
    expect(await read(7)).toEqual(new Map([...of(10, "first"), ...of(9, "second"), ...of(8, "third")]));
  });

  it("adds only other types if every AHJ has newer answers on disk", async () => {
    await put({ 7: of(10, "newest", 3_000) });
    await putPart({ 7: of(12, "new", 2_000) });
    expect(await read(7)).toEqual(new Map([...of(12, "new", 2_000), ...of(10, "newest", 3_000)]));
  });

  it("makes no database if it has no AHJ", async () => {
    const { part } = filledPart({ 7: of(10) });
    await write((answers) => answers.putPart({ part, rows: [] }));
    expect(await factory.databases()).toEqual([]);
  });

  it("is not kept after the end of its space", async () => {
    const page = newPage(factory);
    await page.end();
    page.answers.putPart(filledPart({ 7: of(10) }));
    expect(page.answers.get(7, 1)).toBeUndefined();
    await page.flushed();
    expect((await read(7)).size).toBe(0);
  });

  it("is written without the AHJs that are dropped before", async () => {
    await write((answers) => {
      answers.putPart(filledPart({ 7: of(10), 8: of(10, "beside") }));
      answers.putPart(filledPart({ 7: of(10) }));
      answers.put(7, of(3));
      answers.drop([7]);
      expect(answers.get(7, 1)).toBeUndefined();
    });
    expect(await shardsOnDisk()).toEqual([{ 8: 10 }]);
    expect([await read(7), await read(8)]).toEqual([new Map(), of(10, "beside")]);
  });
});

describe("the shard of an AHJ", () => {
  it("is shared with its neighbors", async () => {
    await put(Object.fromEntries(Array.from({ length: 256 }, (_, ahj) => [ahj, of(1)])));
    expect((await shardsOnDisk()).map((shard) => Object.keys(shard).length)).toEqual([128, 128]);
  });

  it.each([
    ["lie far apart", (index: number) => index * 1_000_003],
    ["are negative", (index: number) => -index],
    ["are as large as ids can be", (index: number) => Number.MAX_SAFE_INTEGER - index * 128],
  ])("is one of 256, also where ids %s", async (_, idOf) => {
    const ahjIds = Array.from({ length: 2_000 }, (__, index) => idOf(index));
    await write((answers) => ahjIds.forEach((ahj) => answers.put(ahj, of(1, `of ${ahj}`))));
    expect((await storedRecords(factory)).length).toBeLessThanOrEqual(256);
    const { answers } = newPage(factory);
    await answers.load(ahjIds);
    expect(ahjIds.map((ahj) => answers.value(ahj, 1))).toEqual(ahjIds.map((ahj) => `of ${ahj}`));
  });

  it("is lost if it is damaged, nothing else is lost, and the next write replaces it", async () => {
    await put({ 7: of(10, "old"), 8: of(5, "lost"), 999: of(40, "elsewhere") });
    await damage(7);
    await put({ 7: of(9, "new", 2_000) });
    expect(await shardsOnDisk()).toEqual([{ 7: 9 }, { 999: 40 }]);
    expect([await read(7), await read(999)]).toEqual([of(9, "new", 2_000), of(40, "elsewhere")]);
  });

  it("that a full disk refuses costs no other shard", async () => {
    const { put: putRecord } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...record) {
      if ((record[0] as { answers?: number }).answers === 20)
        throw new DOMException("full", "QuotaExceededError");
      return putRecord.apply(this, record);
    });
    await put({ 7: of(10, "one"), 300: of(20, "refused"), 999: of(10, "two") });
    expect(await shardsOnDisk()).toEqual([{ 7: 10 }, { 999: 10 }]);
  });
});

describe("an AHJ that is dropped from the disk", () => {
  it("leaves no text on the disk, and keeps the other AHJs of its shard and the other shards", async () => {
    await put({ 7: of(3, "text of seven"), 8: of(3, "text of eight"), 999: of(20, "elsewhere") });
    const elsewhere = (await storedRecords(factory)).at(-1);
    await drop(7);
    expect(await shardsOnDisk()).toEqual([{ 8: 3 }, { 999: 20 }]);
    const records = await storedRecords(factory);
    expect(records.at(-1)).toEqual(elsewhere);
    const bytes = serialize(records).toString("latin1");
    expect(bytes).toContain("text of eight");
    expect(bytes).not.toContain("text of seven");
    expect([await read(7), await read(8)]).toEqual([new Map(), of(3, "text of eight")]);
  });

  it("takes its shard with it if nothing else is in it", async () => {
    await put({ 7: of(20), 8: of(10), 999: of(5, "elsewhere") });
    await drop(7, 8);
    expect(await shardsOnDisk()).toEqual([{ 999: 5 }]);
    expect(await read(999)).toEqual(of(5, "elsewhere"));
  });

  it("goes from a damaged shard together with all that is in that shard", async () => {
    await put({ 7: of(3), 8: of(3), 999: of(40, "elsewhere") });
    await damage(7);
    await drop(7);
    expect(await shardsOnDisk()).toEqual([{ 999: 40 }]);
    expect(await read(999)).toEqual(of(40, "elsewhere"));
  });

  it("costs no write, nor anything else if the disk is full, where the disk has nothing of it", async () => {
    await put({ 8: of(3, "beside") });
    const puts = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await drop(7, 999);
    expect(puts).not.toHaveBeenCalled();
    expect(await read(8)).toEqual(of(3, "beside"));
  });

  it("leaves nothing on the disk if it was still to be written", async () => {
    await write((answers) => {
      answers.putPart(filledPart({ 7: of(10) }));
      answers.drop([7]);
    });
    await write((answers) => {
      answers.put(8, of(10));
      answers.drop([8]);
    });
    expect(await storedRecords(factory)).toEqual([]);
  });
});

describe("a read of many shards", () => {
  /** One in each of 40 shards. */
  const ahjIds = Array.from({ length: 40 }, (_, index) => index * 128);

  it("finds all of them, and lets another page write in between", async () => {
    await write((answers) =>
      ahjIds.forEach((ahj) => answers.putPart(filledPart({ [ahj]: of(48, `of ${ahj}`) }))),
    );
    expect(await shardsOnDisk()).toHaveLength(40);
    const { answers } = newPage(factory);
    const ended: string[] = [];
    const reading = answers.load(ahjIds).then(() => ended.push("read"));
    const writing = putPart({ [39 * 128]: of(48, "newer", 2_000) }).then(() => ended.push("written"));
    await Promise.all([reading, writing]);
    expect(ended).toEqual(["written", "read"]);
    const texts = ahjIds.map((ahj) => [1, 48].map((typeId) => answers.get(ahj, typeId)));
    const expected = ahjIds.map((ahj) => [answer(`of ${ahj}`), answer(`of ${ahj}`)]);
    expect(texts.slice(0, 39)).toEqual(expected.slice(0, 39));
    expect(texts[39]).toEqual([answer("newer", 2_000), answer("newer", 2_000)]);
  });
});

describe("a shard", () => {
  const usedAtMs = async () => (await storedRecords(factory)).map(({ record }) => record.usedAtMs);
  const atMs = Date.parse("2026-03-12T12:00:00Z");

  it.each([
    ["not noted a day later", dayMs, false],
    ["noted more than a day later", dayMs + 1, true],
    ["noted where the clock was ahead by more", -dayMs - 1, true],
  ])("tells when it was last used: reading is %s", async (_, laterMs, isNoted) => {
    const clock = vi.spyOn(Date, "now").mockReturnValue(atMs);
    await put({ 7: of(20), 999: of(10) });
    clock.mockReturnValue(atMs + laterMs);
    expect(await read(7)).toEqual(of(20));
    expect(await usedAtMs()).toEqual([isNoted ? atMs + laterMs : atMs, atMs]);
    expect(await shardsOnDisk()).toEqual([{ 7: 20 }, { 999: 10 }]);
  });

  it("tells the bytes of its texts and of each column", async () => {
    await put({ 7: of(20), 8: of(10) });
    const { record } = (await storedRecords(factory))[0]!;
    const { columns, heap } = record.part as { columns: object; heap: Uint8Array };
    const arrays = [...Object.values(record), ...Object.values(columns), heap].filter(ArrayBuffer.isView);
    expect(record.bytes).toBe(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  });
});
