import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planRectangles, type Wanted } from "../../src/lookup/plan";

function wanted(entries: [number, number[]][]): Wanted {
  return new Map(entries.map(([ahjId, typeIds]) => [ahjId, new Set(typeIds)]));
}

const someWanted = fc
  .array(fc.tuple(fc.nat(30), fc.uniqueArray(fc.nat(12), { maxLength: 8 })), { maxLength: 20 })
  .map(wanted);

describe("the plan of matrix requests", () => {
  it("is one rectangle where everything fits", () => {
    const plan = planRectangles(
      wanted([
        [1, [10, 11]],
        [2, [11, 12]],
      ]),
      20_000,
    );
    expect(plan).toEqual([{ ahjIds: [1, 2], typeIds: [10, 11, 12] }]);
  });

  it("is empty for nothing", () => {
    expect(planRectangles(wanted([[1, []]]), 20_000)).toEqual([]);
  });

  it("covers every wanted cell, and no rectangle has more cells than allowed", () => {
    fc.assert(
      fc.property(someWanted, fc.integer({ min: 1, max: 40 }), (cells, maxCells) => {
        const plan = planRectangles(cells, maxCells);
        for (const { ahjIds, typeIds } of plan) {
          expect(ahjIds.length * typeIds.length).toBeLessThanOrEqual(maxCells);
          expect(ahjIds.length * typeIds.length).toBeGreaterThan(0);
        }
        for (const [ahjId, types] of cells) {
          for (const type of types) {
            expect(plan.some(({ ahjIds, typeIds }) => ahjIds.includes(ahjId) && typeIds.includes(type))).toBe(
              true,
            );
          }
        }
      }),
    );
  });

  it("keeps AHJs that want the same together", () => {
    const plan = planRectangles(
      wanted([
        [1, [1, 2]],
        [2, [8, 9]],
        [3, [1, 2]],
        [4, [8, 9]],
      ]),
      4,
    );
    expect(plan).toEqual([
      { ahjIds: [1, 3], typeIds: [1, 2] },
      { ahjIds: [2, 4], typeIds: [8, 9] },
    ]);
  });
});
