import { describe, expect, it } from "vitest";
import type { Absence } from "../../../../src/engine/absence";
import type { CachedAnswer } from "../../../../src/engine/cache/cached-answer";
import { createAnswerMemory } from "../../../../src/engine/cache/answer-memory";
import { createAnswerPart } from "../../../../src/engine/cache/answer-part";
import { config } from "../../../../src/config";
import { filledPart } from "./filled-part";

const value = (text: string | null, fetchedAtMs = 1): CachedAnswer => ({
  ...{ fetchedAtMs, value: text ?? "", reference: text, section: text, updatedAt: text },
});

describe("the memory of answers", () => {
  it("gives texts as they were, also ones that UTF-8 can't hold, and nothing that was not put", () => {
    const memory = createAnswerMemory();
    const texts = [
      "",
      "\ufeff12 feet",
      "\ud800",
      "x\udc00y",
      "\ud800",
      "Cañon",
      "\0",
      "x".repeat(200),
      "😀".repeat(5_000),
      null,
    ];
    texts.forEach((text, typeId) => memory.add(7, [[typeId, value(text)]]));
    texts.forEach((text, typeId) => expect(memory.get(7, typeId)).toEqual(value(text)));
    expect(memory.of(7)).toHaveLength(texts.length);
    expect(memory.get(7, texts.length)).toBeUndefined();
    expect(memory.get(8, 0)).toBeUndefined();
    expect(memory.of(8)).toEqual([]);
  });

  it("counts the part that takes new answers, even if a newer part has all of its answers", () => {
    const memory = createAnswerMemory();
    memory.add(7, [[1, value("old")]]);
    const bytes = memory.bytes();
    const part = createAnswerPart(1);
    part.push(1, value("new", 2));
    part.seal();
    memory.adopt({ part, rows: [{ ahj: 7, start: 0, count: 1 }] });
    expect(memory.get(7, 1)).toEqual(value("new", 2));
    expect(memory.bytes()).toBe(bytes + part.bytes());
  });

  it.each(["no-value", "unknown-type", "unknown-jurisdiction", "outside-subscription"] as const)(
    "gives the reason why there is no value: %s",
    (absence) => {
      const memory = createAnswerMemory();
      memory.add(7, [[1, value("before", 1)]]);
      memory.add(7, [[1, { fetchedAtMs: 2, absence }]]);
      expect(memory.get(7, 1)).toEqual({ fetchedAtMs: 2, absence });
      memory.add(7, [[1, { fetchedAtMs: 3, absence }]]);
      expect(memory.get(7, 1)).toEqual({ fetchedAtMs: 3, absence });
      memory.add(7, [[1, value("after", 4)]]);
      expect(memory.get(7, 1)).toEqual(value("after", 4));
    },
  );

  it.each(["value", "reference", "section", "updatedAt"] as const)(
    "keeps the newer answer even if only its %s differs, and never an older one",
    (part) => {
      const memory = createAnswerMemory();
      memory.add(7, [
        [1, value("text", 2)],
        [2, value("text", 2)],
      ]);
      const changed = { ...value("text", 3), [part]: "another" };
      memory.add(7, [[1, changed]]);
      memory.add(7, [[2, { ...value("text", 1), [part]: "another" }]]);
      expect(memory.get(7, 1)).toEqual(changed);
      expect(memory.get(7, 2)).toEqual(value("text", 2));
    },
  );

  it("keeps the newest of several answers put at once, and the last of those of the same age", () => {
    const memory = createAnswerMemory();
    memory.add(7, [
      [1, value("newest", 3)],
      [1, value("older", 2)],
      [2, value("first", 1)],
      [2, value("last", 1)],
    ]);
    expect([memory.get(7, 1), memory.get(7, 2)]).toEqual([value("newest", 3), value("last", 1)]);
  });

  it("knows how many answers of a jurisdiction it holds, and forgets all when it is cleared", () => {
    const memory = createAnswerMemory();
    memory.add(7, [
      [1, value("one")],
      [2, value("two")],
    ]);
    expect([memory.holds(7, 2), memory.holds(7, 3), memory.holds(8, 0), memory.holds(8, 1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    memory.clear();
    expect([memory.get(7, 1), memory.bytes()]).toEqual([undefined, 0]);
    memory.add(7, [[1, value("again")]]);
    expect(memory.of(7)).toEqual([[1, value("again")]]);
  });

  it("takes no more room for answers that are confirmed, and gives back the room of replaced ones", () => {
    const memory = createAnswerMemory();
    const types = Array.from({ length: 256 }, (_, index) => index);
    const ahjs = Array.from({ length: (config.answersAPart / types.length) * 3 }, (_, index) => index);
    const put = (text: string, fetchedAtMs: number, some = ahjs) => {
      for (const ahjId of some)
        memory.add(
          ahjId,
          types.map((typeId): [number, CachedAnswer] => [
            typeId,
            typeId === 0 ? { fetchedAtMs, absence: "no-value" } : value(`${text} ${typeId}`, fetchedAtMs),
          ]),
        );
    };
    put("first", 1);
    const takenBytes = memory.bytes();
    put("first", 2);
    expect(memory.bytes()).toBe(takenBytes);
    expect(memory.get(5, 0)).toEqual({ fetchedAtMs: 2, absence: "no-value" });
    expect(memory.get(5, 7)).toEqual(value("first 7", 2));

    // Most of each part is replaced, and its remaining answers move with it.
    const most = ahjs.filter((ahjId) => ahjId % 4 > 0);
    for (let round = 3; round < 8; round += 1) put(`round ${round}`, round, most);
    expect(memory.bytes()).toBeLessThan(takenBytes * 2.5);
    expect(memory.get(4, 7)).toEqual(value("first 7", 2));
    expect(memory.get(5, 7)).toEqual(value("round 7 7", 7));
    for (const ahjId of ahjs) memory.delete(ahjId);
    // The rest is the part that the next answer goes into.
    expect(memory.bytes()).toBeLessThan(takenBytes);
    expect(memory.of(4)).toEqual([]);
  });

  it("takes 16 bytes an answer without a date and its texts once, with a few bytes for each text", () => {
    const memory = createAnswerMemory();
    const types = Array.from({ length: 64 }, (_, index) => index + 1);
    const answers = config.answersAPart * 4;
    let texts = 0;
    for (let ahjId = 1; ahjId <= answers / 64; ahjId += 1) {
      const unique = (typeId: number, what: string) => {
        const one = `${what} of type ${typeId} in ${ahjId}`;
        texts += Buffer.byteLength(one);
        return one;
      };
      memory.add(
        ahjId,
        types.map((typeId): [number, CachedAnswer] => [
          typeId,
          {
            ...{ fetchedAtMs: 1, value: unique(typeId, "Value"), reference: unique(typeId, "Code") },
            ...{ section: unique(typeId, "§"), updatedAt: null },
          },
        ]),
      );
    }
    // Another part begins, and the last full one gives back its spare room.
    memory.add(0, [[1, { fetchedAtMs: 1, absence: "no-value" }]]);
    const others = createAnswerPart(config.answersAPart).bytes() + (answers / 64 + 1) * 120;
    expect(memory.bytes() - others).toBeLessThan(texts + answers * 20);
    expect(memory.bytes() - others).toBeGreaterThan(texts + answers * 16);
  });
});

/** Bytes that an AHJ takes besides its answers. */
const rowBytes = 120;
/** The bytes of the open part, which takes the next answers, with few and short texts in it. */
const openBytes = createAnswerPart(config.answersAPart).bytes();
const absent = (fetchedAtMs: number, absence: Absence = "no-value"): CachedAnswer => ({
  fetchedAtMs,
  absence,
});

describe("looking at an answer in memory", () => {
  it("tells its time, why there is no value, and whether it is dated", () => {
    const memory = createAnswerMemory();
    memory.add(7, [
      [1, { ...value("text", 5), updatedAt: null }],
      [2, value("dated", 6)],
      [3, absent(7)],
      [4, absent(8, "outside-subscription")],
    ]);
    expect([1, 2, 3, 4, 5].map((typeId) => memory.see(7, typeId))).toEqual([
      { fetchedAtMs: 5, absence: null, isDated: false },
      { fetchedAtMs: 6, absence: null, isDated: true },
      { fetchedAtMs: 7, absence: "no-value", isDated: false },
      { fetchedAtMs: 8, absence: "outside-subscription", isDated: false },
      undefined,
    ]);
    expect(memory.see(8, 1)).toBeUndefined();
  });
});

describe("adding answers to memory", () => {
  it("takes some bytes for each jurisdiction besides", () => {
    const memory = createAnswerMemory();
    for (let ahjId = 1; ahjId <= 100; ahjId += 1) memory.add(ahjId, [[1, absent(1)]]);
    expect(memory.bytes()).toBe(openBytes + 100 * rowBytes);
    memory.add(101, []);
    expect(memory.bytes()).toBe(openBytes + 100 * rowBytes);
  });

  it("leaves an answer where it is if it is confirmed or newer", () => {
    const memory = createAnswerMemory();
    const filled = filledPart([
      7,
      [
        [1, value("text", 2)],
        [2, absent(2)],
        [3, value("text", 2)],
      ],
    ]);
    memory.adopt(filled);
    memory.add(7, [
      [1, value("text", 3)],
      [2, absent(3)],
      [3, value("older", 1)],
    ]);
    expect(memory.of(7)).toEqual([
      [1, value("text", 3)],
      [2, absent(3)],
      [3, value("text", 2)],
    ]);
    memory.add(7, [[1, value("older", 2)]]);
    expect(memory.get(7, 1)).toEqual(value("text", 3));
    expect(memory.bytes()).toBe(filled.part.bytes() + rowBytes);
  });

  it("prefers the later of two answers of the same age", () => {
    const memory = createAnswerMemory();
    memory.add(7, [[1, value("first", 5)]]);
    memory.add(7, [[1, value("second", 5)]]);
    expect(memory.get(7, 1)).toEqual(value("second", 5));
  });

  it("tells absences of different reasons apart", () => {
    const memory = createAnswerMemory();
    memory.add(7, [[1, absent(1)]]);
    memory.add(7, [[1, absent(2, "unknown-type")]]);
    expect(memory.get(7, 1)).toEqual(absent(2, "unknown-type"));
  });

  it("adds an answer of another type, even if it is older and says the same", () => {
    const memory = createAnswerMemory();
    const same = (fetchedAtMs: number) => ({ ...value("same", fetchedAtMs), updatedAt: null });
    memory.add(7, [[1, same(5)]]);
    memory.add(7, [[2, same(3)]]);
    memory.add(7, [[3, same(6)]]);
    expect(memory.of(7)).toEqual([
      [1, same(5)],
      [2, same(3)],
      [3, same(6)],
    ]);
  });

  it("gives a confirmed answer a new date, even if its part can't hold another date", () => {
    const memory = createAnswerMemory();
    const filled = filledPart([
      7,
      [
        [1, value("text", 1)],
        [2, absent(0)],
      ],
    ]);
    for (let atMs = 2; atMs < 65_536; atMs += 1) filled.part.redate(1, atMs);
    memory.adopt(filled);
    memory.add(7, [[1, value("text", 65_536)]]);
    expect(memory.get(7, 1)).toEqual(value("text", 65_536));
    expect(memory.get(7, 2)).toEqual(absent(65_535));
  });
});
