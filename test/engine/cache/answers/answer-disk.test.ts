import { serialize } from "node:v8";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnswerCache } from "../../../../src/engine/cache/answer-cache";
import type { CachedAnswer } from "../../../../src/engine/cache/cached-answer";
import {
  createAnswerPart,
  type FilledPart,
  fillParts,
  pushRow,
} from "../../../../src/engine/cache/answer-part";
import { absence, answer, IDBFactory, newPage, overwrite, storedAhjIds, storedRecords } from "../database";
import { playConfig } from "../../../play-config";

/** An eighth of a part, which is what may be moved, is 6 answers. */
playConfig({ answersAPart: 48 });

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
  const { answers } = newPage(factory);
  await answers.load([ahjId]);
  const found: Answers = new Map();
  for (let typeId = 1; typeId <= 100; typeId += 1) {
    const one = answers.get(ahjId, typeId);
    if (one) found.set(typeId, one);
  }
  return found;
}

const stored = async (store: "heads" | "parts") =>
  (await storedRecords(factory)).filter((record) => record.store === store);

/** The parts in the order of their numbers: for each, the AHJs with their number of answers in it. */
async function partsOnDisk(): Promise<Record<number, number>[]> {
  const heads = await stored("heads");
  expect((await stored("parts")).map(({ key }) => key)).toEqual(heads.map(({ key }) => key));
  return heads.map(({ record }) => {
    const counts = [...(record.counts as Uint32Array)];
    return Object.fromEntries(
      Array.from(record.ahjIds as Float64Array, (ahj, index) => [ahj, counts[index] ?? 0]),
    );
  });
}

async function damage(store: "heads" | "parts", number: number): Promise<void> {
  const record = (await stored(store)).find(({ key }) => (key as [string, number])[1] === number);
  await overwrite(factory, record!, "damaged");
}

describe("a part of answers that is written to disk", () => {
  it("is known at once, and found by another page as it was", async () => {
    const rows = { 7: of(9, "of seven").set(10, absence()), 8: of(10, "of eight") };
    await write((answers) => {
      answers.putPart(filledPart(rows));
      expect(answers.get(7, 9)).toEqual(answer("of seven"));
    });
    expect(await partsOnDisk()).toEqual([{ 7: 10, 8: 10 }]);
    expect([await read(7), await read(8)]).toEqual([rows[7], rows[8]]);
  });

  it("stays a part beside the next one of a long list", async () => {
    const filled = await fillParts([1, 2, 3, 4, 5, 6], 10, (ahj, part) =>
      pushRow(part, ahj, of(10, `${ahj}`)),
    );
    await write((answers) => filled.forEach((one) => answers.putPart(one)));
    expect(await partsOnDisk()).toEqual([
      { 1: 10, 2: 10, 3: 10, 4: 10 },
      { 5: 10, 6: 10 },
    ]);
    for (const ahj of [1, 4, 5, 6]) expect(await read(ahj)).toEqual(of(10, `${ahj}`));
  });

  it("replaces older answers, while the older part stays as it is for its other AHJs", async () => {
    await put({ 7: of(10, "old"), 8: of(10, "beside") });
    const [before] = await stored("parts");
    await putPart({ 7: of(10, "new", 2_000), 9: of(10, "more", 2_000) });
    expect(await partsOnDisk()).toEqual([{ 8: 10 }, { 7: 10, 9: 10 }]);
    expect((await stored("parts"))[0]).toEqual(before);
    expect(await read(7)).toEqual(of(10, "new", 2_000));
    expect(await read(8)).toEqual(of(10, "beside"));
    expect(await read(9)).toEqual(of(10, "more", 2_000));
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
    expect(await read(8)).toEqual(of(10, "whole"));
    expect(await partsOnDisk()).toEqual([{ 1: 30 }, { 8: 10 }, { 7: 13 }]);
  });

  it("keeps its own answers beside others that were fetched at the same time", async () => {
    await put({ 7: of(10, "before") });
    await putPart({ 7: of(10, "after") });
    expect(await read(7)).toEqual(of(10, "after"));
  });

  it("is not written if every AHJ has newer answers on disk", async () => {
    await put({ 7: of(10, "newest", 3_000) });
    await putPart({ 7: of(12, "new", 2_000) });
    expect(await partsOnDisk()).toEqual([{ 7: 12 }]);
    expect(await read(7)).toEqual(new Map([...of(12, "new", 2_000), ...of(10, "newest", 3_000)]));
  });

  it("leaves all older parts alone that share no AHJ with it", async () => {
    await put({ 1: of(20, "one") });
    await put({ 2: of(10, "two") });
    await putPart({ 3: of(20, "three") });
    expect(await partsOnDisk()).toEqual([{ 1: 20 }, { 2: 10 }, { 3: 20 }]);
    expect([await read(1), await read(2)]).toEqual([of(20, "one"), of(10, "two")]);
  });

  it.each([
    [6, [{ 7: 6, 8: 6 }]],
    [7, [{ 8: 6 }, { 7: 7 }]],
  ])("with %d answers is merged with a small part only if it is small itself", async (count, expected) => {
    await put({ 8: of(6, "of eight") });
    await putPart({ 7: of(count, "of seven") });
    expect(await partsOnDisk()).toEqual(expected);
    expect([await read(7), await read(8)]).toEqual([of(count, "of seven"), of(6, "of eight")]);
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
    expect(await partsOnDisk()).toEqual([{ 8: 10 }]);
    expect([await read(7), await read(8)]).toEqual([new Map(), of(10, "beside")]);
  });
});

describe.each([
  ["answers that are put", put, [{ 7: 10, 8: 6 }]],
  ["a part that is put", putPart, [{ 7: 10 }, { 8: 6 }]],
])("the rest of an older part beside %s", (_, add, moved) => {
  it("moves if it is an eighth of the part or less", async () => {
    await put({ 7: of(10, "old"), 8: of(6, "beside") });
    await add({ 7: of(10, "new", 2_000) });
    expect(await partsOnDisk()).toEqual(moved);
    expect([await read(7), await read(8)]).toEqual([of(10, "new", 2_000), of(6, "beside")]);
  });

  it("stays if it is more, and only the part's head is written anew", async () => {
    await put({ 7: of(10, "old"), 8: of(7, "beside") });
    const [before] = await stored("parts");
    await add({ 7: of(10, "new", 2_000) });
    expect(await partsOnDisk()).toEqual([{ 8: 7 }, { 7: 10 }]);
    expect((await stored("parts"))[0]).toEqual(before);
    expect([await read(7), await read(8)]).toEqual([of(10, "new", 2_000), of(7, "beside")]);
  });

  it.each([5, 10])(
    "is lost if the part is damaged, %d answers as well, and nothing else is lost",
    async (count) => {
      await put({ 1: of(40, "elsewhere") });
      await put({ 7: of(10, "old"), 8: of(count, "lost") });
      await damage("parts", 2);
      await add({ 7: of(10, "new", 2_000) });
      expect(await partsOnDisk()).toEqual([{ 1: 40 }, { 7: 10 }]);
      expect([await read(1), await read(7)]).toEqual([of(40, "elsewhere"), of(10, "new", 2_000)]);
    },
  );
});

describe("small parts of answers", () => {
  it.each([
    [5, [{ 1: 20 }, { 2: 10 }, { 3: 4, 4: 5 }]],
    [6, [{ 1: 20, 2: 10, 3: 4, 4: 6 }]],
    [14, [{ 1: 20, 2: 10, 3: 4, 4: 14 }]],
    [15, [{ 1: 20 }, { 2: 10, 3: 4, 4: 15 }]],
  ])(
    "of 20, 10 and 4 answers are merged with %d more, the smallest first, as far as there is room",
    async (count, expected) => {
      await put({ 1: of(20, "1") });
      await put({ 2: of(10, "2") });
      await put({ 3: of(4, "3") });
      expect(await partsOnDisk()).toEqual([{ 1: 20 }, { 2: 10 }, { 3: 4 }]);
      await put({ 4: of(count, "4") });
      expect(await partsOnDisk()).toEqual(expected);
      for (const [ahj, answers] of [20, 10, 4, count].entries())
        expect(await read(ahj + 1)).toEqual(of(answers, `${ahj + 1}`));
    },
  );

  it("never become many", async () => {
    const page = newPage(factory);
    for (let ahj = 1; ahj <= 47; ahj += 1) {
      page.answers.put(ahj, of(1, `${ahj}`));
      await page.flushed();
      // Parts of 32, 16, 8 and so on: each is larger than all later ones together.
      expect((await partsOnDisk()).length).toBeLessThanOrEqual(6);
    }
    expect(await storedAhjIds(factory)).toEqual(Array.from({ length: 47 }, (_, index) => index + 1));
  });

  it("are deleted if they are damaged, and the new answers with them are written", async () => {
    await put({ 1: of(30) });
    await put({ 7: of(5) });
    await put({ 8: of(3) });
    await damage("parts", 2);
    await damage("heads", 3);
    await put({ 9: of(10, "new") });
    expect(await partsOnDisk()).toEqual([{ 1: 30 }, { 9: 10 }]);
    expect(await read(9)).toEqual(of(10, "new"));
  });
});

describe("more answers than a part has room for", () => {
  it("are written as several parts, each of as many AHJs as there is room for", async () => {
    const rows = Object.fromEntries([1, 2, 3, 4, 5].map((ahj) => [ahj, of(12, `${ahj}`)]));
    await put(rows);
    expect(await partsOnDisk()).toEqual([{ 1: 12, 2: 12, 3: 12, 4: 12 }, { 5: 12 }]);
    for (const ahj of [1, 4, 5]) expect(await read(ahj)).toEqual(rows[ahj]);
  });

  it("stay together where they are of one AHJ", async () => {
    await put({ 7: of(60, "of seven") });
    expect(await partsOnDisk()).toEqual([{ 7: 60 }]);
    await put({ 8: of(3, "of eight") });
    expect(await partsOnDisk()).toEqual([{ 7: 60 }, { 8: 3 }]);
    expect([await read(7), await read(8)]).toEqual([of(60, "of seven"), of(3, "of eight")]);
  });

  it("are cut where an AHJ has grown", async () => {
    await put({ 7: of(40, "old"), 8: of(6, "beside") });
    await put({ 7: of(6, "more", 1_000, 41) });
    expect(await partsOnDisk()).toEqual([{ 7: 46 }, { 8: 6 }]);
    expect(await read(7)).toEqual(new Map([...of(40, "old"), ...of(6, "more", 1_000, 41)]));
    expect(await read(8)).toEqual(of(6, "beside"));
  });
});

describe("an AHJ that is dropped from the disk", () => {
  it("leaves no text on the disk, and keeps the other AHJs of its part and the other parts", async () => {
    await put({ 9: of(20, "elsewhere") });
    await put({ 7: of(3, "text of seven"), 8: of(3, "text of eight") });
    const [elsewhere] = await storedRecords(factory);
    await drop(7);
    expect(await partsOnDisk()).toEqual([{ 9: 20 }, { 8: 3 }]);
    const records = await storedRecords(factory);
    expect(records[0]).toEqual(elsewhere);
    const bytes = serialize(records).toString("latin1");
    expect(bytes).toContain("text of eight");
    expect(bytes).not.toContain("text of seven");
    expect([await read(7), await read(8)]).toEqual([new Map(), of(3, "text of eight")]);
  });

  it("takes its part with it if nothing else is in it", async () => {
    await put({ 7: of(20) });
    await put({ 8: of(10), 9: of(5, "beside") });
    await drop(7, 8);
    expect(await partsOnDisk()).toEqual([{ 9: 5 }]);
    expect(await storedAhjIds(factory)).toEqual([9]);
    expect(await read(9)).toEqual(of(5, "beside"));
  });

  it("leaves as many parts as the remaining answers need", async () => {
    await put({ 1: of(10), 2: of(35, "two") });
    await put({ 3: of(10), 4: of(35, "four") });
    await drop(1, 3);
    expect(await partsOnDisk()).toEqual([{ 2: 35 }, { 4: 35 }]);
    expect([await read(2), await read(4)]).toEqual([of(35, "two"), of(35, "four")]);
  });

  it("goes from a damaged part together with all that is in that part", async () => {
    await put({ 1: of(40, "elsewhere") });
    await put({ 7: of(3), 8: of(3) });
    await damage("parts", 2);
    await drop(7);
    expect(await partsOnDisk()).toEqual([{ 1: 40 }]);
    expect(await read(1)).toEqual(of(40, "elsewhere"));
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
    expect(await partsOnDisk()).toEqual([]);
  });
});

describe("a read of many parts", () => {
  const parts = Array.from({ length: 40 }, (_, index): Rows => ({ [index]: of(48, `of ${index}`) }));

  it("finds all of them, and lets another page write in between", async () => {
    await write((answers) => parts.forEach((part) => answers.putPart(filledPart(part))));
    expect(await partsOnDisk()).toHaveLength(40);
    const { answers } = newPage(factory);
    const ended: string[] = [];
    const reading = answers.load(parts.map((_, index) => index)).then(() => ended.push("read"));
    const writing = putPart({ 39: of(48, "newer", 2_000) }).then(() => ended.push("written"));
    await Promise.all([reading, writing]);
    expect(ended).toEqual(["written", "read"]);
    const texts = parts.map((_, index) => [1, 48].map((typeId) => answers.get(index, typeId)));
    const expected = parts.map((_, index) => [answer(`of ${index}`), answer(`of ${index}`)]);
    expect(texts.slice(0, 39)).toEqual(expected.slice(0, 39));
    expect(texts[39]).toEqual([answer("newer", 2_000), answer("newer", 2_000)]);
  });
});

describe("the head of a part", () => {
  const usedAtMs = async () => (await stored("heads")).map(({ record }) => record.usedAtMs);
  const atMs = Date.parse("2026-03-12T12:00:00Z");

  it.each([
    ["not noted a day later", dayMs, false],
    ["noted more than a day later", dayMs + 1, true],
    ["noted where the clock was ahead by more", -dayMs - 1, true],
  ])("tells when its part was last used: reading is %s", async (_, laterMs, isNoted) => {
    const clock = vi.spyOn(Date, "now").mockReturnValue(atMs);
    await put({ 7: of(20) });
    await put({ 8: of(10) });
    clock.mockReturnValue(atMs + laterMs);
    expect(await read(7)).toEqual(of(20));
    expect(await usedAtMs()).toEqual([isNoted ? atMs + laterMs : atMs, atMs]);
    expect(await partsOnDisk()).toEqual([{ 7: 20 }, { 8: 10 }]);
  });

  it("tells the bytes of the texts, and of each column of head and part", async () => {
    await put({ 7: of(20), 8: of(10) });
    const [[head], [part]] = [await stored("heads"), await stored("parts")];
    const { columns, heap } = part!.record as { columns: object; heap: Uint8Array };
    const arrays = [...Object.values(head!.record), ...Object.values(columns), heap].filter(
      ArrayBuffer.isView,
    );
    expect(head!.record.bytes).toBe(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  });
});
