import { describe, expect, it } from "vitest";
import type { Absence } from "../../../../src/engine/absence";
import type { CachedAnswer } from "../../../../src/engine/cache/cached-answer";
import { createAnswerMemory } from "../../../../src/engine/cache/answer-memory";
import { createAnswerPart } from "../../../../src/engine/cache/answer-part";
import { config } from "../../../../src/config";
import { filledPart } from "./filled-part";

/** Bytes that an AHJ takes besides its answers. */
const rowBytes = 120;
/** The bytes of the open part, which takes the next answers, with few and short texts in it. */
const openBytes = createAnswerPart(config.answersAPart).bytes();
const absent = (fetchedAtMs: number, absence: Absence = "no-value"): CachedAnswer => ({
  fetchedAtMs,
  absence,
});
const text = (value: string, fetchedAtMs: number): CachedAnswer => ({
  ...{ fetchedAtMs, value, reference: value, section: null, updatedAt: null },
});

describe("adopting a part", () => {
  const three = () =>
    filledPart([7, [[1, text("7", 5)]]], [8, [[1, text("8", 5)]]], [9, [[1, text("9", 5)]]]);

  it("takes the part as it is, and gives it back when its last jurisdiction leaves", () => {
    const memory = createAnswerMemory();
    const filled = three();
    memory.adopt(filled);
    expect([7, 8, 9].map((ahjId) => memory.get(ahjId, 1))).toEqual([
      text("7", 5),
      text("8", 5),
      text("9", 5),
    ]);
    expect([memory.holds(7, 1), memory.holds(7, 2)]).toEqual([true, false]);
    expect(memory.bytes()).toBe(filled.part.bytes() + 3 * rowBytes);
    memory.delete(7);
    expect(memory.of(7)).toEqual([]);
    // Most of the part is still there, so it stays where it is.
    expect(memory.bytes()).toBe(filled.part.bytes() + 2 * rowBytes);
    memory.delete(8);
    expect(memory.bytes()).toBe(openBytes + rowBytes);
    expect(memory.of(9)).toEqual([[1, text("9", 5)]]);
    memory.delete(9);
    expect(memory.bytes()).toBe(openBytes);
  });

  it("rewrites nothing of the parts whose answers it replaces, and gives them back once all their answers are replaced", () => {
    const memory = createAnswerMemory();
    const [first, second] = [three(), filledPart([7, [[1, text("new", 6)]]], [8, [[1, text("new", 6)]]])];
    const third = filledPart([
      9,
      [
        [1, text("new", 6)],
        [2, absent(6)],
      ],
    ]);
    memory.adopt(first);
    memory.adopt(second);
    expect(memory.bytes()).toBe(first.part.bytes() + second.part.bytes() + 3 * rowBytes);
    memory.adopt(third);
    expect(memory.bytes()).toBe(second.part.bytes() + third.part.bytes() + 3 * rowBytes);
    expect([7, 8, 9].map((ahjId) => memory.get(ahjId, 1))).toEqual(
      [6, 6, 6].map((atMs) => text("new", atMs)),
    );
    expect(memory.get(9, 2)).toEqual(absent(6));
  });

  it("prefers the part's answer to another of the same age", () => {
    const memory = createAnswerMemory();
    memory.adopt(three());
    memory.adopt(filledPart([8, [[1, text("other", 5)]]]));
    expect(memory.get(8, 1)).toEqual(text("other", 5));
  });

  it("copies the part's news elsewhere if the part lacks answers of a jurisdiction, or has older ones", () => {
    const memory = createAnswerMemory();
    memory.adopt(
      filledPart(
        [
          7,
          [
            [1, text("7", 5)],
            [2, absent(5)],
          ],
        ],
        [
          8,
          [
            [1, text("8", 5)],
            [2, absent(5)],
          ],
        ],
      ),
    );
    const second = filledPart(
      [7, [[1, text("news", 6)]]],
      [
        8,
        [
          [1, text("older", 4)],
          [2, absent(6, "unknown-type")],
        ],
      ],
      [9, [1, 2, 3, 4].map((typeId) => [typeId, absent(1)])],
    );
    memory.adopt(second);
    expect(new Map(memory.of(7))).toEqual(
      new Map([
        [1, text("news", 6)],
        [2, absent(5)],
      ]),
    );
    expect(new Map(memory.of(8))).toEqual(
      new Map([
        [1, text("8", 5)],
        [2, absent(6, "unknown-type")],
      ]),
    );
    expect(memory.of(9)).toEqual([1, 2, 3, 4].map((typeId) => [typeId, absent(1)]));
    expect(memory.bytes()).toBe(second.part.bytes() + openBytes + 3 * rowBytes);
  });

  it("keeps no part of which half or more would be unused", () => {
    const memory = createAnswerMemory();
    const first = three();
    memory.adopt(first);
    memory.adopt(filledPart([7, [[1, text("older", 4)]]], [10, [[1, text("10", 4)]]]));
    expect([memory.get(7, 1), memory.get(10, 1)]).toEqual([text("7", 5), text("10", 4)]);
    expect(memory.bytes()).toBe(first.part.bytes() + openBytes + 4 * rowBytes);
  });
});

describe("a part that memory has adopted", () => {
  it("is given back once half or more of it is replaced, and the rest is written elsewhere", () => {
    const memory = createAnswerMemory();
    memory.adopt(filledPart([7, [[1, text("7", 1)]]], [8, [[1, text("old", 1)]]]));
    memory.add(8, [[1, text("new", 2)]]);
    expect([memory.get(7, 1), memory.get(8, 1)]).toEqual([text("7", 1), text("new", 2)]);
    expect(memory.bytes()).toBe(openBytes + 2 * rowBytes);
  });

  it("counts with its full size as long as anything in it is used", () => {
    const memory = createAnswerMemory();
    const long = text("x".repeat(1_000_000), 1);
    memory.adopt(
      filledPart(
        [7, [[1, long]]],
        [
          8,
          [
            [1, absent(1)],
            [2, absent(1)],
          ],
        ],
      ),
    );
    memory.add(8, [[1, text("new", 2)]]);
    expect(memory.get(7, 1)).toEqual(long);
    expect(memory.bytes()).toBeGreaterThan(openBytes + 1_000_000);
  });
});

describe("restoring a part from disk", () => {
  const wanted = () => true;

  it("brings jurisdictions that memory lacks, and of the others only the wanted ones", () => {
    const memory = createAnswerMemory();
    for (const ahjId of [7, 8]) memory.add(ahjId, [[1, text("here", 5)]]);
    const newer: [number, CachedAnswer][] = [
      [1, text("newer", 6)],
      [2, absent(1)],
    ];
    memory.restore(filledPart([7, newer], [8, newer], [9, newer]), (ahjId) => ahjId === 8);
    expect(memory.of(7)).toEqual([[1, text("here", 5)]]);
    expect(memory.of(8)).toEqual(newer);
    expect(memory.of(9)).toEqual(newer);
  });

  it("leaves an answer in memory if it is as new or newer", () => {
    const memory = createAnswerMemory();
    memory.add(7, [
      [1, text("same age", 5)],
      [2, text("newer", 5)],
      [3, text("older", 5)],
    ]);
    memory.restore(
      filledPart([
        7,
        [
          [4, absent(1)],
          [1, text("another", 5)],
          [2, text("another", 4)],
          [3, text("another", 6)],
        ],
      ]),
      wanted,
    );
    expect([1, 2, 3, 4].map((typeId) => memory.get(7, typeId))).toEqual([
      ...[text("same age", 5), text("newer", 5), text("another", 6), absent(1)],
    ]);
    expect(memory.holds(7, 4)).toBe(true);
  });

  it("keeps a part as it is if that saves room, and keeps nothing of a part without news", () => {
    const memory = createAnswerMemory();
    const filled = filledPart([7, [[1, text("7", 5)]]], [8, [[1, text("8", 5)]]]);
    memory.restore(filled, wanted);
    const bytes = filled.part.bytes() + 2 * rowBytes;
    expect(memory.bytes()).toBe(bytes);
    memory.restore(filledPart([8, [[1, text("8", 5)]]], [7, [[1, text("7", 4)]]]), wanted);
    memory.restore(filledPart([10, []]), wanted);
    expect(memory.bytes()).toBe(bytes);
    expect([7, 8, 10].map((ahjId) => memory.of(ahjId))).toEqual([
      [[1, text("7", 5)]],
      [[1, text("8", 5)]],
      [],
    ]);
  });
});
