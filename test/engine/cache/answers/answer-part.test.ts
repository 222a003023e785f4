import { describe, expect, it, vi } from "vitest";
import type { CachedAnswer } from "../../../../src/engine/cache/cached-answer";
import {
  answersIn,
  createAnswerPart,
  openAnswerPart,
  type StoredPart,
} from "../../../../src/engine/cache/answer-part";
import { filledPart } from "./filled-part";

const textAt = (value: string, fetchedAtMs = 1): CachedAnswer => ({
  ...{ fetchedAtMs, value, reference: null, section: null, updatedAt: null },
});
const noneAt = (fetchedAtMs: number): CachedAnswer => ({ fetchedAtMs, absence: "no-value" });

describe("a part of answers", () => {
  it("stores texts of any length, and 70,000 types", () => {
    const part = createAnswerPart(70_000);
    const long = "é".repeat(3_000_000);
    for (let typeId = 0; typeId < 70_000; typeId += 1)
      part.push(typeId, {
        ...{ fetchedAtMs: typeId % 9, value: typeId === 69_999 ? long : `${typeId}` },
        ...{ reference: "x".repeat(typeId % 300), section: null, updatedAt: null },
      });
    part.seal();
    expect(part.hasRoomFor(1)).toBe(false);
    for (const typeId of [0, 127, 128, 255, 256, 65_536, 69_998]) {
      const slot = part.find(typeId, 0, 70_000);
      expect(part.typeAt(slot)).toBe(typeId);
      expect(part.at(slot)).toEqual({
        ...{ fetchedAtMs: typeId % 9, value: `${typeId}` },
        ...{ reference: "x".repeat(typeId % 300), section: null, updatedAt: null },
      });
    }
    expect(part.at(69_999)).toMatchObject({ value: long });
  });

  it("copies answers from other parts unchanged, and stores a text that several share once", () => {
    const nothing = { reference: null, section: null, updatedAt: null };
    const one: CachedAnswer[] = [
      { fetchedAtMs: 7, value: "Required", reference: "Code", section: "§ 4", updatedAt: "2026-01-02" },
      { fetchedAtMs: 8, ...nothing, value: "é".repeat(200), reference: "Code" },
      { fetchedAtMs: 7, absence: "unknown-type" },
      // UTF-8 cannot hold half of a surrogate pair.
      { fetchedAtMs: 7, ...nothing, value: "odd \ud83d" },
    ];
    const other: CachedAnswer[] = [{ fetchedAtMs: 9, ...nothing, value: "$250", reference: "Fees" }];
    const sources = [one, other].map((answers) => {
      const source = createAnswerPart(answers.length);
      for (const [index, answer] of answers.entries()) source.push(100 + index, answer);
      source.seal();
      return source;
    });
    const part = createAnswerPart(6);
    part.push(5, textAt("there before"));
    for (const source of sources)
      for (let slot = 0; slot < source.count(); slot += 1) part.pushFrom(source, slot);
    part.seal();
    const all: [number, CachedAnswer][] = [
      [5, textAt("there before")],
      ...one.map((answer, index): [number, CachedAnswer] => [100 + index, answer]),
      [100, other[0]!],
    ];
    for (const each of [part, openAnswerPart(structuredClone(part.stored()))!])
      expect([...answersIn(each, { start: 0, count: 6 })]).toEqual(all);
    expect(new TextDecoder().decode(part.stored().heap).split("Code")).toHaveLength(1 + 1);
  });

  it("gives a value without its citation, and null if there is no value", () => {
    const part = createAnswerPart(2);
    part.push(1, textAt("Required"));
    part.push(2, noneAt(1));
    expect([0, 1].map((slot) => part.valueAt(slot))).toEqual(["Required", null]);
  });

  it("stores the date of a change, and takes 4 more bytes for each answer once any answer has a date", () => {
    const value = (updatedAt: string | null): CachedAnswer => ({
      ...{ fetchedAtMs: 1, value: "2", reference: null, section: null },
      updatedAt,
    });
    const part = createAnswerPart(100);
    part.push(1, value(null));
    part.push(2, { fetchedAtMs: 1, absence: "no-value" });
    const bytes = part.bytes();
    part.push(3, value("2026-01-02"));
    part.push(4, value(null));
    expect(part.bytes() - bytes).toBe(400);
    part.seal();
    for (const one of [part, openAnswerPart(structuredClone(part.stored()))]) {
      expect([0, 2, 3].map((slot) => one?.at(slot))).toEqual([value(null), value("2026-01-02"), value(null)]);
      expect([0, 2, 3].map((slot) => one?.see(slot).isDated)).toEqual([false, true, false]);
    }
    const undated = createAnswerPart(1);
    undated.push(1, value(null));
    undated.seal();
    expect(openAnswerPart(undated.stored())?.at(0)).toEqual(value(null));
  });

  it("can replace the time of an answer, until it has stored too many different times", () => {
    const part = createAnswerPart(2);
    part.push(1, { fetchedAtMs: 0, absence: "no-value" });
    for (let atMs = 1; atMs < 65_536; atMs += 1) expect(part.redate(0, atMs)).toBe(true);
    expect(part.redate(0, 65_536)).toBe(false);
    expect(part.redate(0, 7)).toBe(true);
    expect(part.fetchedAtMs(0)).toBe(7);
  });

  it.each([65_536, 65_537])(
    "takes 16 bytes for each answer if it has room for up to 65,536, and 18 if for more (%i)",
    (capacity) => {
      const part = createAnswerPart(capacity);
      const bytes = capacity * (capacity > 65_536 ? 18 : 16);
      expect(part.bytes() - createAnswerPart(0).bytes()).toBe(bytes);
      expect([part.hasRoomFor(capacity), part.hasRoomFor(capacity + 1)]).toEqual([true, false]);
      for (let typeId = 0; typeId < capacity; typeId += 1) part.push(typeId, noneAt(1));
      expect([part.hasRoomFor(0), part.hasRoomFor(1)]).toEqual([true, false]);
      expect(part.typeAt(capacity - 1)).toBe(capacity - 1);
    },
  );

  it.each([
    [0, 1],
    [126, 1],
    [127, 1],
    [128, 2],
    [16_383, 2],
    [16_384, 3],
  ])("stores a text of %i bytes with %i more bytes for its length", (length, more) => {
    const part = createAnswerPart(2);
    part.push(1, textAt("x".repeat(length)));
    part.push(2, textAt("after"));
    part.seal();
    expect(part.at(0)).toEqual(textAt("x".repeat(length)));
    expect(part.at(1)).toEqual(textAt("after"));
    expect(part.bytes()).toBe(2 * 16 + length + more + "after".length + 1);
  });

  it("stores a text completely if its size was estimated too low", () => {
    for (let length = 330; length < 350; length += 1) {
      const part = createAnswerPart(1);
      part.push(1, textAt("…".repeat(length)));
      expect(part.at(0)).toEqual(textAt("…".repeat(length)));
    }
  });

  it("decodes a text once, until other texts of 4 MB have been read", () => {
    const decode = vi.spyOn(TextDecoder.prototype, "decode");
    let typeId = 0;
    const read = (value: string) => {
      const part = filledPart([1, [[(typeId += 1), textAt(value)]]]).part;
      part.at(0);
      return part;
    };
    /** A text takes 60 bytes more than its characters. */
    const readThousands = (count: number) => {
      for (let left = count; left > 0; left -= 1) read("x".repeat(940));
    };
    const isDecodedAgain = (part: ReturnType<typeof read>) => {
      decode.mockClear();
      part.at(0);
      return decode.mock.calls.length > 0;
    };
    // All texts that were read before are dropped.
    read("x".repeat(4_000_000));
    const first = read("y".repeat(940));
    readThousands(3_999);
    expect(isDecodedAgain(first)).toBe(false);
    const second = read("");
    expect(isDecodedAgain(first)).toBe(true);
    expect(isDecodedAgain(second)).toBe(false);
    // The two texts now take 1,060 bytes.
    readThousands(3_998);
    expect(isDecodedAgain(second)).toBe(false);
    read("x".repeat(880));
    expect(isDecodedAgain(second)).toBe(false);
    read("");
    expect(isDecodedAgain(second)).toBe(true);
  });
});

describe("a stored part of answers", () => {
  const all: CachedAnswer[] = [
    { fetchedAtMs: 1, value: "a", reference: "b", section: "c", updatedAt: "d" },
    { fetchedAtMs: 2, absence: "no-value" },
    { fetchedAtMs: 3, value: "\ud800", reference: "\udc00", section: null, updatedAt: null },
  ];
  const filled = () => filledPart([1, all.map((answer, slot) => [slot + 1, answer])]).part;
  const stored = () => structuredClone(filled().stored());

  it("has the same contents when it is opened, and when it is stored and opened again", () => {
    const once = openAnswerPart(stored());
    const twice = openAnswerPart(structuredClone(once!.stored()));
    for (const part of [once, twice]) {
      expect([...answersIn(part!, { start: 0, count: 3 })]).toEqual(
        all.map((answer, slot) => [slot + 1, answer]),
      );
      expect(part?.bytes()).toBe(filled().bytes());
      expect(part?.hasRoomFor(1)).toBe(false);
    }
  });

  it("may have no texts, and no answers at all", () => {
    const absent = filledPart([1, [[1, noneAt(5)]]]).part;
    expect(openAnswerPart(absent.stored())?.at(0)).toEqual(noneAt(5));
    expect(openAnswerPart(filledPart().part.stored())?.count()).toBe(0);
  });

  it("is no larger than its contents, even if the open part has room for more", () => {
    const part = createAnswerPart(100);
    part.push(1, textAt("12 feet"));
    expect(openAnswerPart(part.stored())?.bytes()).toBe(16 + "12 feet".length + 1);
    part.push(2, textAt("13 feet"));
    expect(part.at(1)).toEqual(textAt("13 feet"));
  });

  it("is refused if it is of another format, or no part at all", () => {
    const of = (other: object) => openAnswerPart({ ...stored(), ...other });
    expect(of({})).toBeDefined();
    expect(of({ format: 2 })).toBeUndefined();
    expect(of({ typeIds: [1, 2.5, 3] })).toBeUndefined();
    expect(of({ times: ["1", 2, 3] })).toBeUndefined();
    expect(of({ oddTexts: [1, 2] })).toBeUndefined();
    expect(of({ heap: [...stored().heap] })).toBeUndefined();
    expect([undefined, null, "text", {}].map(openAnswerPart)).toEqual(Array(4).fill(undefined));
  });

  it.each(["type", "time", "value", "reference", "section", "updatedAt"] as const)(
    "is refused if its column %s is shorter or longer than others, or of another type",
    (name) => {
      const withColumn = (column: unknown) => {
        const part = stored();
        return openAnswerPart({ ...part, columns: { ...part.columns, [name]: column } });
      };
      const column = stored().columns[name];
      const Numbers = column.constructor as new (entries: Iterable<number>) => typeof column;
      expect(withColumn(column)).toBeDefined();
      expect(withColumn(column.slice(0, 2))).toBeUndefined();
      expect(withColumn(new Numbers([...column, column[0]!]))).toBeUndefined();
      expect(withColumn([...column])).toBeUndefined();
    },
  );

  it.each<[what: string, damage: (part: StoredPart) => void]>([
    ["a type that it does not have", ({ columns, typeIds }) => (columns.type[0] = typeIds.length)],
    ["a time that it does not have", ({ columns, times }) => (columns.time[0] = times.length)],
    ["a value beyond its texts", ({ columns, heap }) => (columns.value[0] = heap.length)],
    ["a reference beyond its texts", ({ columns, heap }) => (columns.reference[0] = heap.length)],
    ["a section beyond its texts", ({ columns, heap }) => (columns.section[0] = heap.length)],
    ["a date beyond its texts", ({ columns, heap }) => (columns.updatedAt[0] = heap.length)],
    ["a text that is cut off", (part) => (part.heap = part.heap.slice(0, -1))],
    ["an unknown reason for having no value", ({ columns }) => (columns.value[1]! += 4)],
    ["a published value that is null", ({ columns }) => (columns.value[0] = columns.section[2]!)],
    ["a value among its odd texts that it does not have", ({ columns }) => (columns.value[2]! += 2)],
    ["a reference among its odd texts that it does not have", ({ oddTexts }) => oddTexts.pop()],
  ])("is refused if it refers to %s", (_, damage) => {
    const part = stored();
    damage(part);
    expect(openAnswerPart(part)).toBeUndefined();
  });
});
