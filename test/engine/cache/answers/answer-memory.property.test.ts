import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CachedAnswer } from "../../../../src/engine/cache/cached-answer";
import { createAnswerMemory } from "../../../../src/engine/cache/answer-memory";

/** Any text that JSON can hold, including ones that UTF-8 cannot. */
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
  it("gives every answer as it was put: the newer of two for a cell, and the later of two of the same age", () => {
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
});
