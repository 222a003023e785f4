import { describe, expect, it } from "vitest";
import {
  type CellsOfAhj,
  createOpenCells,
  type OpenCells,
} from "../../../../src/engine/lookup/answers/open-cells";
import type { Query, Source } from "../../../../src/engine/lookup/answers/queries";

type Cell = [ahjId: number, typeId: number, source: Source];

function openCells(...cells: Cell[]) {
  const open = createOpenCells();
  for (const source of ["matrix", "data-points"] as const) {
    const ofSource = cells.filter((cell) => cell[2] === source);
    for (const ahjId of new Set(ofSource.map(([id]) => id))) {
      const typeIds = ofSource.filter(([id]) => id === ahjId).map(([, typeId]) => typeId);
      open.add(source, ahjId, new Set(typeIds));
    }
  }
  return open;
}

const cellsIn = (taken: readonly CellsOfAhj[]) =>
  taken.flatMap(({ ahjId, source, typeIds }) => [...typeIds].map((typeId): Cell => [ahjId, typeId, source]));

const takenBy = (open: OpenCells, by: Query, ahjIds: readonly number[] = by.rectangle.ahjIds) =>
  cellsIn(ahjIds.flatMap((ahjId) => open.take(by, ahjId)));

function query(source: Source, ahjIds: number[], typeIds: number[]): Query {
  return {
    ...{ source, rectangle: { ahjIds, typeIds } },
    ...{ ahjIds: new Set(ahjIds), typeIds: new Set(typeIds) },
    hasCome: () => false,
    join: () => Promise.reject(new Error("Nothing is asked here.")),
    leave: () => undefined,
  };
}

const some = (): Cell[] => [
  [1, 10, "matrix"],
  [1, 11, "matrix"],
  [2, 10, "matrix"],
  [1, 10, "data-points"],
  [3, 12, "data-points"],
];
const plain = (wanted: ReadonlyMap<number, ReadonlySet<number>> | undefined) =>
  [...(wanted ?? [])].map(([ahjId, typeIds]) => [ahjId, [...typeIds]]);

describe("cells that wait for an answer", () => {
  it("keep the set of types that several AHJs share, as long as none of the cells is taken", () => {
    const open = createOpenCells();
    const typeIds = new Set([10, 11]);
    for (const ahjId of [1, 2, 3]) open.add("matrix", ahjId, typeIds);
    takenBy(open, query("matrix", [2], [11]));
    takenBy(open, query("matrix", [3], [12]));
    const { values } = open.workBeside([query("matrix", [1], [9])]);
    expect([1, 2, 3].map((ahjId) => values.get(ahjId) === typeIds)).toEqual([true, false, true]);
    expect(open.ahjs()).toBe(3);
    expect([...typeIds]).toEqual([10, 11]);
  });

  it("are each there once, by the way in which they are asked", () => {
    const open = openCells(...some());
    expect(cellsIn(open.takeAll())).toEqual(some());
    expect((["matrix", "data-points"] as const).map(open.isEmpty)).toEqual([true, true]);
    const both = openCells([1, 10, "matrix"], [1, 10, "data-points"]);
    expect((["matrix", "data-points"] as const).map(both.isEmpty)).toEqual([false, false]);
    expect(cellsIn(open.takeAll())).toEqual([]);
  });

  it.each<Source>(["matrix", "data-points"])("are none when the last of the %s is taken", (source) => {
    const open = createOpenCells();
    expect(open.isEmpty(source)).toBe(true);
    open.add(source, 1, new Set([10, 11]));
    expect(open.ahjs()).toBe(1);
    takenBy(open, query(source, [1], [10]));
    expect([open.isEmpty(source), open.ahjs()]).toEqual([false, 1]);
    takenBy(open, query(source, [1], [11]));
    expect([open.isEmpty(source), open.ahjs()]).toEqual([true, 0]);
    expect(plain(open.workBeside([]).values)).toEqual([]);
    expect(plain(open.workBeside([]).dated)).toEqual([]);
  });

  it.each<{ by: Query; ahjId?: number; taken: Cell[] }>([
    {
      by: query("matrix", [1, 2], [10]),
      taken: [
        [1, 10, "matrix"],
        [2, 10, "matrix"],
      ],
    },
    // A data point answers all that a matrix cell does, but not the other way round.
    {
      by: query("data-points", [1], [10]),
      taken: [
        [1, 10, "data-points"],
        [1, 10, "matrix"],
      ],
    },
    { by: query("matrix", [1, 2], [10]), ahjId: 2, taken: [[2, 10, "matrix"]] },
    { by: query("data-points", [3], [12]), taken: [[3, 12, "data-points"]] },
    { by: query("matrix", [3, 4], [12]), taken: [] },
    { by: query("matrix", [1], [12]), ahjId: 1, taken: [] },
  ])("are taken by the query that answers them: $taken", ({ by, ahjId, taken }) => {
    const open = openCells(...some());
    expect(open.wants(by)).toBe(taken.length > 0);
    const isOfSource = taken.some(([, , source]) => source === by.source);
    expect(open.wants(by, [by.source])).toBe(isOfSource);
    expect(takenBy(open, by, ahjId === undefined ? undefined : [ahjId])).toEqual(taken);
    const left = some().filter((cell) => !taken.some((other) => `${other}` === `${cell}`));
    expect(cellsIn(open.takeAll())).toEqual(left);
  });

  it("want the queries that would answer something", () => {
    const open = openCells(...some());
    expect(open.wants(query("matrix", [9, 2], [10]))).toBe(true);
    expect(open.wants(query("matrix", [2], [11]))).toBe(false);
    const list = query("data-points", [2], [10]);
    expect([open.wants(list), open.wants(list, ["data-points"])]).toEqual([true, false]);
  });

  it("are left to the other endpoint if the query of one has failed", () => {
    const open = openCells(...some());
    expect(cellsIn(open.takeOwn(query("data-points", [1], [10])))).toEqual([[1, 10, "data-points"]]);
    expect(plain(open.workBeside([]).values)).toEqual([
      [1, [10, 11]],
      [2, [10]],
    ]);
  });

  it.each([
    {
      queries: [],
      values: [
        [1, [10, 11]],
        [2, [10]],
      ],
      dated: [
        [1, [10]],
        [3, [12]],
      ],
    },
    {
      queries: [query("matrix", [1, 2], [10])],
      values: [[1, [11]]],
      dated: [
        [1, [10]],
        [3, [12]],
      ],
    },
    {
      queries: [query("data-points", [1, 3], [10, 12])],
      values: [
        [1, [11]],
        [2, [10]],
      ],
      dated: [],
    },
    {
      queries: [query("matrix", [1], [11]), query("data-points", [1], [10])],
      values: [[2, [10]]],
      dated: [[3, [12]]],
    },
  ])("are work as far as no query will answer them: $values, $dated", ({ queries, values, dated }) => {
    const open = openCells(...some());
    const work = open.workBeside(queries);
    expect([plain(work.values), plain(work.dated)]).toEqual([values, dated]);
    expect(cellsIn(open.takeAll())).toEqual(some());
  });
});
