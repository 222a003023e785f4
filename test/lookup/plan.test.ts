import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cellsOf,
  type MatrixLimit,
  planRequests,
  type Rectangle,
  requestsOf,
  type Wanted,
} from "../../src/lookup/plan";

function wanted(entries: [number, number[]][]): Wanted {
  return new Map(entries.map(([ahjId, typeIds]) => [ahjId, new Set(typeIds)]));
}

const fixed = (cells: number): MatrixLimit => ({ cells, mostCells: cells });
const matrices = (values: Wanted, limit: MatrixLimit) => planRequests({ values }, limit).matrices;
const dataPoints = (dated: Wanted) => planRequests({ values: new Map(), dated }, fixed(20_000)).dataPoints;

const someWanted = fc
  .array(fc.tuple(fc.nat(30), fc.uniqueArray(fc.nat(12), { maxLength: 8 })), { maxLength: 20 })
  .map(wanted);

function expectCovered(cells: Wanted, plan: readonly Rectangle[]) {
  for (const [ahjId, types] of cells) {
    for (const type of types) {
      const covering = plan.filter(({ ahjIds, typeIds }) => ahjIds.includes(ahjId) && typeIds.includes(type));
      expect(covering.length, `AHJ ${ahjId}, type ${type}`).toBeGreaterThan(0);
    }
  }
}

describe("the plan of matrix requests", () => {
  it("is one rectangle where everything fits", () => {
    const cells = wanted([
      [1, [10, 11]],
      [2, [11, 12]],
    ]);
    expect(matrices(cells, fixed(20_000))).toEqual([{ ahjIds: [1, 2], typeIds: [10, 11, 12] }]);
  });

  it("is empty for nothing", () => {
    expect(matrices(wanted([[1, []]]), fixed(20_000))).toEqual([]);
  });

  it("covers every wanted cell, and no rectangle has more cells than allowed", () => {
    fc.assert(
      fc.property(someWanted, fc.integer({ min: 1, max: 40 }), (cells, most) => {
        const plan = matrices(cells, fixed(most));
        for (const rectangle of plan) {
          expect(cellsOf(rectangle)).toBeLessThanOrEqual(most);
          expect(cellsOf(rectangle)).toBeGreaterThan(0);
        }
        expectCovered(cells, plan);
      }),
    );
  });

  it("may double from one rectangle to the next while the service accepts", () => {
    fc.assert(
      fc.property(
        someWanted,
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 80 }),
        (cells, first, more) => {
          const plan = matrices(cells, { cells: first, mostCells: first + more });
          plan.forEach((rectangle, index) => {
            expect(cellsOf(rectangle)).toBeLessThanOrEqual(Math.min(first * 2 ** index, first + more));
          });
          expectCovered(cells, plan);
        },
      ),
    );
    const block = new Map(Array.from({ length: 1_000 }, (_, id) => [id, new Set([...Array(100).keys()])]));
    const sizes = matrices(block, { cells: 20_000, mostCells: 160_000 }).map(cellsOf);
    expect(sizes).toEqual([20_000, 40_000, 40_000]);
  });

  it("keeps AHJs that want the same together", () => {
    const cells = wanted([
      [1, [1, 2]],
      [2, [8, 9]],
      [3, [1, 2]],
      [4, [8, 9]],
    ]);
    expect(matrices(cells, fixed(4))).toEqual([
      { ahjIds: [1, 3], typeIds: [1, 2] },
      { ahjIds: [2, 4], typeIds: [8, 9] },
    ]);
  });

  it("asks for a few types of all AHJs where that takes fewer requests than all types of a few", () => {
    // 10 of 300 types each, all different: 66 AHJs at a time would take 16 requests.
    const cells = new Map(
      Array.from({ length: 1_000 }, (_, id) => [
        id,
        new Set(Array.from({ length: 10 }, (_, at) => (id * 7 + at * 31) % 300)),
      ]),
    );
    expect(matrices(cells, fixed(20_000)).length).toBeLessThanOrEqual(15);
  });

  describe("on every pattern of 3 AHJs by 4 types", () => {
    const rows = 3;
    const columns = 4;

    /** Every rectangle, as a mask of cells, with its area. */
    const rectangles = Array.from({ length: (1 << rows) - 1 }, (_, rowMask) =>
      Array.from({ length: (1 << columns) - 1 }, (_, columnMask) => maskOf(rowMask + 1, columnMask + 1)),
    ).flat();

    function maskOf(rowMask: number, columnMask: number) {
      let mask = 0;
      for (let row = 0; row < rows; row += 1) {
        if (rowMask & (1 << row)) mask |= columnMask << (row * columns);
      }
      return { mask, area: bits(mask) };
    }

    function bits(mask: number): number {
      return mask === 0 ? 0 : (mask & 1) + bits(mask >>> 1);
    }

    /** The fewest rectangles that cover each pattern, by trying all. */
    function fewestOf(most: number): Uint8Array {
      const usable = rectangles.filter(({ area }) => area <= most);
      const fewest = new Uint8Array(1 << (rows * columns));
      for (let pattern = 1; pattern < fewest.length; pattern += 1) {
        const lowest = pattern & -pattern;
        let best = Infinity;
        for (const { mask } of usable) {
          if (mask & lowest) best = Math.min(best, 1 + (fewest[pattern & ~mask] ?? 0));
        }
        fewest[pattern] = best;
      }
      return fewest;
    }

    it.each([1, 2, 3, 4, 5, 6, 8, 9, 12])(
      "takes at most one request more than needed: %i cells each",
      (most) => {
        const fewest = fewestOf(most);
        for (let pattern = 1; pattern < fewest.length; pattern += 1) {
          const cells = new Map(
            Array.from({ length: rows }, (_, row) => [
              row,
              new Set(
                [...Array(columns).keys()].filter((column) => pattern & (1 << (row * columns + column))),
              ),
            ]),
          );
          const plan = matrices(cells, fixed(most));
          if (plan.length > (fewest[pattern] ?? 0) + 1)
            expect.fail(`pattern ${pattern}: ${JSON.stringify(plan)}`);
        }
      },
    );
  });
});

describe("the plan of data point requests", () => {
  it("covers every wanted cell, in addresses below 2,000 characters", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.nat(2_000_000_000),
            fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 300 }),
          ),
          {
            maxLength: 12,
          },
        ),
        (entries) => {
          const cells = wanted(entries);
          const plan = dataPoints(cells);
          for (const { ahjIds, typeIds } of plan) expect(`${ahjIds},${typeIds}`.length).toBeLessThan(1_650);
          expectCovered(cells, plan);
        },
      ),
    );
  });

  it("asks for cells nobody wants only where they cost no page", () => {
    fc.assert(
      fc.property(someWanted, (cells) => {
        for (const rectangle of dataPoints(cells)) {
          const isFull = rectangle.ahjIds.every((id) =>
            rectangle.typeIds.every((type) => cells.get(id)?.has(type)),
          );
          expect(isFull || cellsOf(rectangle) <= 500).toBe(true);
        }
      }),
    );
  });

  it("leaves cells with a date out of the matrices: the data point has the value too", () => {
    const both = wanted([[1, [10]]]);
    const plan = planRequests({ values: wanted([[1, [10, 11]]]), dated: both }, fixed(20_000));
    expect(plan.matrices).toEqual([{ ahjIds: [1], typeIds: [11] }]);
    expect(plan.dataPoints).toEqual([{ ahjIds: [1], typeIds: [10] }]);
  });
});

describe("the cost of a plan", () => {
  it("counts a request a matrix, a page of data points and a detail", () => {
    const dated = new Map(Array.from({ length: 100 }, (_, id) => [id, new Set([...Array(11).keys()])]));
    const plan = planRequests(
      { values: wanted([[1_000, [10]]]), dated, details: new Set([1, 2]) },
      fixed(20_000),
    );
    // 1,100 data points take three pages of 500.
    expect(requestsOf(plan)).toBe(1 + 3 + 2);
  });
});
