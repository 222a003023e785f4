import { describe, expect, it } from "vitest";
import type { CachedAnswer } from "../../../../src/engine/cache/cached-answer";
import { fillParts, supersedes } from "../../../../src/engine/cache/answer-part";
import { config } from "../../../../src/config";
import { filledPart } from "./filled-part";

type Answers = [typeId: number, fetchedAtMs: number][];
const noneAt = (fetchedAtMs: number): CachedAnswer => ({ fetchedAtMs, absence: "no-value" });
const answers = (some: Answers) =>
  some.map(([typeId, atMs]): [number, CachedAnswer] => [typeId, noneAt(atMs)]);

describe("filling parts of answers", () => {
  /** More answers than half a part holds. */
  const most = Math.ceil(config.answersAPart * 0.6);

  it("begins another part where an AHJ may not fit, and takes no more room than may be needed", async () => {
    const filled = await fillParts([7, 8, 9], most, (ahjId, part) => {
      for (let typeId = 1; typeId <= most; typeId += 1) part.push(typeId, noneAt(ahjId));
    });
    expect(filled.map(({ rows }) => rows)).toEqual([7, 8, 9].map((ahj) => [{ ahj, start: 0, count: most }]));
    const capacities = [config.answersAPart, config.answersAPart, most];
    expect(filled.map(({ part }) => part.bytes())).toEqual(capacities.map((capacity) => capacity * 16));
    expect(filled.map(({ part }) => part.at(most - 1))).toEqual([7, 8, 9].map(noneAt));
  });

  it("puts AHJs side by side, and leaves out AHJs without answers", async () => {
    const filled = await fillParts([7, 8, 9], 2, (ahjId, part) => {
      if (ahjId !== 8) for (const typeId of [1, 2]) part.push(typeId, noneAt(ahjId));
    });
    const rows = [
      { ahj: 7, start: 0, count: 2 },
      { ahj: 9, start: 2, count: 2 },
    ];
    expect(filled).toEqual([{ part: expect.anything(), rows }]);
    expect(filled[0]?.part.bytes()).toBe(6 * 16);
    expect(filled[0]?.part.fetchedAtMs(2)).toBe(9);
  });

  it("makes parts as large as an AHJ may need, and none if there is no AHJ", async () => {
    const most = config.answersAPart * 2;
    const [filled] = await fillParts([7], most, (_, part) => part.push(1, noneAt(1)));
    expect(filled?.part.hasRoomFor(most - 1)).toBe(true);
    expect(filled?.part.hasRoomFor(most)).toBe(false);
    expect(await fillParts([], most, () => expect.unreachable())).toEqual([]);
  });
});

describe("whether answers supersede others", () => {
  /** True if `others` supersede `some`, which stand between other answers whose times do not count. */
  function isSuperseded(others: Answers, some: Answers, before: Answers = [], after: Answers = []): boolean {
    const part = filledPart([1, answers(before)], [2, answers(some)], [3, answers(after)]);
    const otherPart = filledPart([1, answers(before)], [2, answers(others)], [3, answers(after)]);
    return supersedes(part.part, part.rows[1]!, otherPart.part, otherPart.rows[1]!);
  }
  const older: Answers = [
    [1, 1],
    [2, 1],
  ];
  const newer: Answers = [
    [1, 9],
    [2, 9],
  ];

  it.each<[what: string, others: Answers, some: Answers, expected: boolean]>([
    [
      "all newer",
      [
        [1, 1],
        [2, 2],
      ],
      [
        [1, 2],
        [2, 3],
      ],
      true,
    ],
    [
      "all of the same age",
      [
        [1, 1],
        [2, 2],
      ],
      [
        [1, 1],
        [2, 2],
      ],
      true,
    ],
    [
      "one older",
      [
        [1, 1],
        [2, 5],
      ],
      [
        [1, 9],
        [2, 4],
      ],
      false,
    ],
    [
      "in another order",
      [
        [1, 5],
        [2, 1],
      ],
      [
        [2, 1],
        [1, 9],
      ],
      true,
    ],
    [
      "in another order, the first of them newer",
      [
        [1, 1],
        [2, 5],
      ],
      [
        [2, 9],
        [1, 1],
      ],
      true,
    ],
    [
      "in another order, and one older",
      [
        [1, 5],
        [2, 1],
      ],
      [
        [2, 9],
        [1, 4],
      ],
      false,
    ],
    [
      "of more types",
      [[2, 5]],
      [
        [1, 1],
        [2, 6],
        [3, 1],
      ],
      true,
    ],
    [
      "of fewer types",
      [
        [1, 5],
        [2, 5],
      ],
      [[1, 5]],
      false,
    ],
    ["of other types", [[1, 5]], [[2, 5]], false],
    ["of no type", [[1, 5]], [], false],
    ["where there are no others", [], [], true],
  ])("is told of answers that are %s", (_, others, some, expected) => {
    for (const before of [[], older, newer])
      for (const after of [[], older, newer])
        expect(isSuperseded(others, some, before, after)).toBe(expected);
  });

  it("is told with answers of the future as the oldest", () => {
    const futureMs = Date.now() + 3_600_000;
    expect(isSuperseded([[1, futureMs]], [[1, 1]])).toBe(true);
    expect(isSuperseded([[1, 1]], [[1, futureMs]])).toBe(false);
  });
});
