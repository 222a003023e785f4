import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CachedAnswer } from "../../../src/engine/cache/answer-cache";
import { createAnswerMemory } from "../../../src/engine/cache/answer-memory";
import { createAnswerPart } from "../../../src/engine/cache/answer-part";
import { config } from "../../../src/config";

/** Whatever JSON can hold, texts that UTF-8 can't hold among it. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom("", "\ufeff12 feet", "\ud800", "x\udc00y", "§ 690.12(B)", "\0", "0", "null"),
);
const textOrNull = fc.oneof(text, fc.constant(null));
const fetchedAtMs = fc.integer({ min: 1, max: 5 });
const anyAnswer: fc.Arbitrary<CachedAnswer> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ fetchedAtMs, value: text, reference: textOrNull },
      ...{ section: textOrNull, updatedAt: textOrNull },
    }),
  },
  fc.record({
    fetchedAtMs,
    absence: fc.constantFrom(
      "no-value" as const,
      "unknown-type" as const,
      "unknown-jurisdiction" as const,
      "outside-subscription" as const,
    ),
  }),
);
const anyAnswers = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), anyAnswer), { maxLength: 6 });
const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ahjId: fc.integer({ min: 1, max: 5 }), answers: anyAnswers }) },
  fc.record({ ahjId: fc.integer({ min: 1, max: 5 }), answers: fc.constant(null) }),
);

describe("the memory of answers", () => {
  it("gives every answer as it was put, of two of a cell the newer, of the same age the later", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const memory = createAnswerMemory();
        const expected = new Map<number, Map<number, CachedAnswer>>();
        for (const { ahjId, answers } of steps) {
          if (answers === null) {
            memory.delete(ahjId);
            expected.delete(ahjId);
            continue;
          }
          memory.add(ahjId, answers);
          const ofAhj = expected.get(ahjId) ?? new Map<number, CachedAnswer>();
          expected.set(ahjId, ofAhj);
          for (const [typeId, answer] of answers)
            if ((ofAhj.get(typeId)?.fetchedAtMs ?? 0) <= answer.fetchedAtMs) ofAhj.set(typeId, answer);
        }
        for (let ahjId = 1; ahjId <= 5; ahjId += 1) {
          const ofAhj = expected.get(ahjId) ?? new Map<number, CachedAnswer>();
          expect(new Map(memory.of(ahjId))).toEqual(ofAhj);
          expect(memory.holds(ahjId, ofAhj.size)).toBe(true);
          expect(memory.holds(ahjId, ofAhj.size + 1)).toBe(false);
          for (let typeId = 1; typeId <= 4; typeId += 1)
            expect(memory.get(ahjId, typeId)).toEqual(ofAhj.get(typeId));
        }
      }),
    );
  });

  it("takes 20 bytes an answer and its texts once, with the few bytes that each of them takes besides", () => {
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
    // Another part begins, and the last full one gives back what it had for more.
    memory.add(0, [[1, { fetchedAtMs: 1, absence: "no-value" }]]);
    const others = createAnswerPart(config.answersAPart).bytes() + (answers / 64 + 1) * 120;
    expect(memory.bytes() - others).toBeLessThan(texts + answers * 24);
    expect(memory.bytes() - others).toBeGreaterThan(texts + answers * 20);
  });
});

describe("a part of answers", () => {
  it("takes texts of any length, and more types than it would have room for", () => {
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

  it("can date an answer anew, until it knows too many dates", () => {
    const part = createAnswerPart(2);
    part.push(1, { fetchedAtMs: 0, absence: "no-value" });
    for (let atMs = 1; atMs < 65_536; atMs += 1) expect(part.redate(0, atMs)).toBe(true);
    expect(part.redate(0, 65_536)).toBe(false);
    expect(part.redate(0, 7)).toBe(true);
    expect(part.fetchedAtMs(0)).toBe(7);
  });
});
