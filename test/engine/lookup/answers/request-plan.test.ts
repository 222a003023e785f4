import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cellsOf,
  type MatrixLimit,
  planRequests,
  type Rectangle,
  requestsOf,
  type WantedAnswers,
} from "../../../../src/engine/lookup/answers/request-plan";

function wanted(entries: [number, number[]][]): WantedAnswers {
  return new Map(entries.map(([ahjId, typeIds]) => [ahjId, new Set(typeIds)]));
}

const fixed = (cells: number): MatrixLimit => ({ cells, mostCells: cells });
const matrices = (values: WantedAnswers, limit: MatrixLimit) => planRequests({ values }, limit).matrices;
const dataPoints = (dated: WantedAnswers) =>
  planRequests({ values: new Map(), dated }, fixed(20_000)).dataPoints;

const someWanted = fc
  .array(fc.tuple(fc.nat(30), fc.uniqueArray(fc.nat(12), { maxLength: 8 })), { maxLength: 20 })
  .map(wanted);

/** The wanted cells that no request of the plan asks for. */
function uncovered(cells: WantedAnswers, plan: readonly Rectangle[]): string[] {
  return [...cells].flatMap(([ahjId, types]) =>
    [...types]
      .filter((type) => !plan.some(({ ahjIds, typeIds }) => ahjIds.includes(ahjId) && typeIds.includes(type)))
      .map((type) => `AHJ ${ahjId}, type ${type}`),
  );
}

const expectCovered = (cells: WantedAnswers, plan: readonly Rectangle[]) =>
  expect(uncovered(cells, plan)).toEqual([]);

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0);

/** The cells that a number's bits mark, row by row; each bit stands for this many AHJs and types. */
function patternOf(bits: number, rows: number, columns: number, ahjs = 1, types = 1): WantedAnswers {
  return new Map(
    Array.from({ length: rows * ahjs }, (_, ahjId) => [
      ahjId,
      new Set(
        Array.from({ length: columns * types }, (_, typeId) => typeId).filter(
          (typeId) => bits & (1 << (Math.floor(ahjId / ahjs) * columns + Math.floor(typeId / types))),
        ),
      ),
    ]),
  );
}

describe("the plan of matrix requests", () => {
  it("is one rectangle if everything fits", () => {
    const cells = wanted([
      [1, [10, 11]],
      [2, [11, 12]],
    ]);
    expect(matrices(cells, fixed(20_000))).toEqual([{ ahjIds: [1, 2], typeIds: [10, 11, 12] }]);
  });

  it("is empty if nothing is wanted", () => {
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

  it("is of rectangles of about one size where the limit is known, in no more requests than there must be", () => {
    const block = new Map(Array.from({ length: 1_000 }, (_, id) => [id, new Set([...Array(10).keys()])]));
    expect(matrices(block, fixed(4_000)).map(cellsOf)).toEqual([3_340, 3_340, 3_320]);
    expect(matrices(block, fixed(5_000)).map(cellsOf)).toEqual([5_000, 5_000]);
    expect(matrices(block, fixed(10_000)).map(cellsOf)).toEqual([10_000]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 12 }), (ahjs, types) => {
        const all = new Map(Array.from({ length: ahjs }, (_, id) => [id, new Set([...Array(types).keys()])]));
        const plan = matrices(all, fixed(100));
        const ahjsEach = Math.floor(100 / types);
        expect(plan.length).toBeLessThanOrEqual(Math.ceil(ahjs / ahjsEach));
        expect(Math.max(...plan.map(cellsOf))).toBeLessThanOrEqual(100);
        expectCovered(all, plan);
      }),
    );
  });

  it("keeps AHJs together that want the same types", () => {
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
    // Each AHJ wants 10 of 300 types, all different: 66 AHJs at a time would take 16 requests.
    const cells = new Map(
      Array.from({ length: 1_000 }, (_, id) => [
        id,
        new Set(Array.from({ length: 10 }, (_, at) => (id * 7 + at * 31) % 300)),
      ]),
    );
    expect(matrices(cells, fixed(20_000)).length).toBeLessThanOrEqual(15);
  });

  it("keeps AHJs together that want similar types, so that no other types are asked for", () => {
    const cells = wanted([
      [1, [11, 12]],
      [2, [8, 9]],
      [3, [11, 13]],
      [4, [8, 10]],
      [5, []],
    ]);
    const inOrder = (ids: number[]) => [...ids].sort((one, other) => one - other);
    expect(
      matrices(cells, fixed(6)).map(({ ahjIds, typeIds }) => [inOrder(ahjIds), inOrder(typeIds)]),
    ).toEqual([
      [
        [1, 3],
        [11, 12, 13],
      ],
      [
        [2, 4],
        [8, 9, 10],
      ],
    ]);
  });

  it("asks for all types of each AHJ in as many matrices as they need, alone", () => {
    const types = [30, 10, 50, 20, 40];
    expect(matrices(wanted([[1, types]]), fixed(2))).toEqual([
      { ahjIds: [1], typeIds: [10, 20] },
      { ahjIds: [1], typeIds: [30, 40] },
      { ahjIds: [1], typeIds: [50] },
    ]);
    expect(matrices(wanted([[1, types]]), { cells: 1, mostCells: 3 })).toEqual([
      { ahjIds: [1], typeIds: [10] },
      { ahjIds: [1], typeIds: [20, 30] },
      { ahjIds: [1], typeIds: [40, 50] },
    ]);
  });

  // Sums over 125 patterns of 3 by 4 cells.
  it.each([
    [{ cells: 1, mostCells: 1 }, 750, 750],
    [{ cells: 2, mostCells: 2 }, 448, 750],
    [{ cells: 3, mostCells: 3 }, 364, 750],
    [{ cells: 4, mostCells: 4 }, 297, 811],
    [{ cells: 6, mostCells: 6 }, 230, 925],
    [{ cells: 8, mostCells: 8 }, 224, 958],
    [{ cells: 12, mostCells: 12 }, 125, 1247],
    [{ cells: 1, mostCells: 4 }, 428, 777],
    [{ cells: 2, mostCells: 6 }, 331, 816],
  ])("of %j takes %i requests, for %i cells", (limit, allRequests, allCells) => {
    const total = { requests: 0, cells: 0 };
    for (let bits = 1; bits < 1 << 12; bits += 33) {
      const cells = patternOf(bits, 3, 4);
      const plan = matrices(cells, limit);
      expectCovered(cells, plan);
      total.requests += plan.length;
      total.cells += sum(plan, cellsOf);
    }
    expect(total.requests).toBeLessThanOrEqual(allRequests);
    expect(total.cells).toBeLessThanOrEqual(allCells);
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

  it("asks for unwanted cells only if they cost no page", () => {
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

  // Sums over 43 patterns of 3 by 4 blocks.
  it.each([
    [20, 5, 93, 32_120],
    [40, 4, 119, 45_756],
    [10, 15, 119, 44_120],
    [5, 30, 118, 41_170],
    [60, 2, 97, 35_984],
  ])(
    "in blocks of %i AHJs and %i types takes %i pages, for %i cells",
    (ahjs, types, allRequests, allCells) => {
      const total = { requests: 0, cells: 0 };
      for (let bits = 1; bits < 1 << 12; bits += 97) {
        const cells = patternOf(bits, 3, 4, ahjs, types);
        const plan = planRequests({ values: new Map(), dated: cells }, fixed(1));
        expectCovered(cells, plan.dataPoints);
        total.requests += requestsOf(plan);
        total.cells += sum(plan.dataPoints, cellsOf);
      }
      expect(total.requests).toBeLessThanOrEqual(allRequests);
      expect(total.cells).toBeLessThanOrEqual(allCells);
    },
  );

  const some = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);

  it("takes as many AHJs and types together as fit into an address", () => {
    const sizesFor = (ahjs: number, types: number) =>
      dataPoints(wanted(some(ahjs).map((id) => [id, some(types)]))).map(({ ahjIds, typeIds }) => [
        ...[ahjIds.length, typeIds.length],
      ]);
    expect(sizesFor(10, 140)).toEqual([[10, 140]]);
    expect(sizesFor(11, 140)).toEqual([
      [10, 140],
      [1, 140],
    ]);
    expect(sizesFor(1, 300)).toEqual([
      [1, 149],
      [1, 149],
      [1, 2],
    ]);
  });

  it("joins AHJs that want different types while all fits on one page", () => {
    const joined = (types: number) =>
      dataPoints(
        wanted([
          ...some(10).map((id): [number, number[]] => [id, some(types - 1)]),
          ...some(10, 10).map((id): [number, number[]] => [id, some(types - 1, 1)]),
        ]),
      ).map(cellsOf);
    expect(joined(25)).toEqual([500]);
    expect(joined(26)).toHaveLength(2);
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
    // The 1,100 data points take three pages of 500.
    expect(requestsOf(plan)).toBe(1 + 3 + 2);
    expect(plan.details).toEqual([1, 2]);
  });

  it.each([
    [500, 1],
    [501, 2],
  ])("of %i data points is %i pages", (cells, pages) => {
    const rectangle = { ahjIds: [1], typeIds: Array.from({ length: cells }, (_, id) => id) };
    expect(requestsOf({ matrices: [], dataPoints: [rectangle, rectangle], details: [] })).toBe(2 * pages);
  });

  it("is zero if nothing is wanted", () => {
    const plan = planRequests({ values: new Map() }, fixed(1));
    expect(plan).toEqual({ matrices: [], dataPoints: [], details: [] });
    expect(requestsOf(plan)).toBe(0);
  });
});

describe("the plan of every pattern of 3 AHJs by 4 types", () => {
  const rows = 3;
  const columns = 4;

  /** Every rectangle, as a bit mask of cells, with its area. */
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

  /** The fewest rectangles that cover each pattern, found by trying all. */
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
        const cells = patternOf(pattern, rows, columns);
        const plan = matrices(cells, fixed(most));
        if (plan.length > (fewest[pattern] ?? 0) + 1 || uncovered(cells, plan).length > 0)
          expect.fail(`pattern ${pattern}: ${JSON.stringify(plan)}`);
      }
    },
  );
});
