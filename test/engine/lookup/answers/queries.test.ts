import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../../../src/engine/api/client";
import type { CachedAnswer } from "../../../../src/engine/cache/cached-answer";
import { createMatrixReader } from "../../../../src/engine/lookup/answers/matrix-reader";
import { config } from "../../../../src/config";
import { Failure } from "../../../../src/errors";
import {
  createQueries,
  type RectangleOutcome,
  type Query,
  type Source,
} from "../../../../src/engine/lookup/answers/queries";
import type { Rectangle } from "../../../../src/engine/lookup/answers/request-plan";
import type { ExchangeOptions } from "../../../../src/engine/transport/exchange";
import { ahj, listOf, matrixOf, type, unread } from "./played-answers";

const nowMs = Date.UTC(2026, 2, 12);
beforeEach(() => void vi.useFakeTimers({ now: nowMs, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** Queries of a service that knows the types below 1000, and answers as the test says. */
function world() {
  const matrix = vi.fn<Client["matrix"]>(async (args) => matrixOf(args));
  const listDataPoints = vi.fn<Client["listDataPoints"]>(async (args) => listOf(args));
  const realTypeIds = vi.fn(
    async (typeIds: readonly number[], _: ExchangeOptions) => new Set(typeIds.filter((id) => id < 1_000)),
  );
  const learn = vi.fn();
  const learnAhjs = vi.fn();
  const size = {
    ...{ accepted: vi.fn(), took: vi.fn(), refused: vi.fn() },
    ...{ recall: vi.fn(), limit: vi.fn(), onGrowth: vi.fn() },
  };
  const queries = createQueries({ unreadMatrix: unread(matrix), listDataPoints } as unknown as Client, {
    catalogue: { learn, realTypeIds } as never,
    size,
    readBody: createMatrixReader(undefined),
    learnAhjs,
  });
  const add = (source: Source, ahjIds: number[], typeIds: number[], mayBeCut = false) =>
    queries.add(source, { ahjIds, typeIds }, mayBeCut);
  return { queries, add, matrix, listDataPoints, realTypeIds, learn, learnAhjs, size };
}

async function outcomeOf(query: Query, options: ExchangeOptions = {}): Promise<RectangleOutcome> {
  const outcome = await query.join(options);
  query.leave();
  return outcome;
}

function answerIn(outcome: RectangleOutcome, ahjId: number, typeId: number): CachedAnswer | undefined {
  if ("tooLarge" in outcome) return undefined;
  for (const { part, rows } of outcome.filled) {
    const row = rows.find(({ ahj }) => ahj === ahjId);
    const slot = row ? part.find(typeId, row.start, row.count) : -1;
    if (slot >= 0) return part.at(slot);
  }
  return undefined;
}

/** The answer of each cell of a rectangle, row by row. */
async function answersOf(query: Query, { ahjIds, typeIds }: Rectangle = query.rectangle) {
  const outcome = await outcomeOf(query);
  if ("tooLarge" in outcome) return outcome;
  return ahjIds.flatMap((ahjId) =>
    typeIds.map((typeId) => {
      const answer = answerIn(outcome, ahjId, typeId);
      return answer && ("value" in answer ? answer.value : answer.absence);
    }),
  );
}

const refusal = (status: number) =>
  new Failure(status >= 500 ? "service-error" : "invalid-request", { status });

/** Resolves once all work that waits for nothing has been done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a query", () => {
  it("covers the cells of its rectangle", () => {
    const query = world().add("matrix", [1, 2], [8, 9]);
    expect([[...query.ahjIds], [...query.typeIds]]).toEqual([
      [1, 2],
      [8, 9],
    ]);
    expect(query).toMatchObject({ source: "matrix", rectangle: { ahjIds: [1, 2], typeIds: [8, 9] } });
  });

  it("is asked for when somebody joins, once however many join", async () => {
    const { queries, add, matrix } = world();
    const query = add("matrix", [1, 2], [8, 9]);
    await settled();
    expect(matrix).not.toHaveBeenCalled();
    expect([...queries.open()]).toEqual([query]);
    expect(await Promise.all([answersOf(query), answersOf(query)])).toEqual([
      ["1/8", "1/9", "2/8", "2/9"],
      ["1/8", "1/9", "2/8", "2/9"],
    ]);
    expect(matrix.mock.calls.map(([args]) => args)).toEqual([
      { ahj_ids: [1, 2], data_point_type_ids: [8, 9] },
    ]);
  });

  it("that was answered can be joined until everybody who joined has left", async () => {
    const { queries, add, matrix } = world();
    const query = add("matrix", [1], [8]);
    await query.join({});
    await outcomeOf(query);
    expect([...queries.open()]).toEqual([query]);
    expect(await answersOf(query)).toEqual(["1/8"]);
    query.leave();
    expect([...queries.open()]).toEqual([]);
    expect(matrix).toHaveBeenCalledTimes(1);
  });

  it("stays while somebody who joined it waits, and goes with the last", async () => {
    const { queries, add, matrix } = world();
    matrix.mockReturnValue(new Promise(() => {}));
    const query = add("matrix", [1], [8]);
    const stops = [new AbortController(), new AbortController()];
    const ends = stops.map(({ signal }) =>
      expect(outcomeOf(query, { signal })).rejects.toMatchObject({ kind: "cancelled" }),
    );
    stops[0]?.abort();
    await ends[0];
    expect([...queries.open()]).toEqual([query]);
    stops[1]?.abort();
    await ends[1];
    expect([...queries.open()]).toEqual([]);
  });

  it.each([
    ["failed", refusal(500)],
    ["was too large", refusal(413)],
  ])("that %s can't be joined later", async (_, failure) => {
    const { queries, add, matrix } = world();
    matrix.mockRejectedValue(failure);
    const query = add("matrix", [1, 2], [8]);
    await query.join({}).catch(() => undefined);
    expect([...queries.open()]).toEqual([]);
  });

  it("is taken back unless somebody has joined it", async () => {
    const { queries, add } = world();
    const [idle, joined] = [add("matrix", [1], [8]), add("data-points", [2], [8])];
    void joined.join({});
    queries.abandon(idle);
    queries.abandon(joined);
    expect([...queries.open()]).toEqual([joined]);
  });

  it("is not taken from those who plan it by a preview, which waits for nothing", async () => {
    const { queries, add, matrix } = world();
    const query = add("matrix", [1], [8]);
    await expect(outcomeOf(query, { keptOnly: true })).rejects.toMatchObject({ kind: "not-asked" });
    expect([...queries.open()]).toEqual([query]);
    await Promise.all([outcomeOf(query), outcomeOf(query)]);
    expect(matrix).toHaveBeenCalledTimes(1);
    expect([...queries.open()]).toEqual([]);
  });
});

describe("a query of a matrix", () => {
  it("teaches which types and AHJs exist, and which size the service takes in which time", async () => {
    const { add, matrix, learn, learnAhjs, size } = world();
    matrix.mockImplementation(async (args, options) => {
      options?.onStatus?.(503);
      expect(size.accepted).not.toHaveBeenCalled();
      options?.onStatus?.(200);
      expect(size.accepted.mock.calls).toEqual([[6]]);
      vi.setSystemTime(nowMs + 700);
      return matrixOf(args);
    });
    await outcomeOf(add("matrix", [1, 2], [7, 8, 9]));
    expect(learn.mock.calls).toEqual([[[type(7), type(8), type(9)]]]);
    expect(learnAhjs.mock.calls).toEqual([[[ahj(1), ahj(2)]]]);
    expect(size.took.mock.calls).toEqual([[6, 700]]);
    expect(size.refused).not.toHaveBeenCalled();
  });

  it.each([true, false])(
    "that may be cut off (%j) is not tried again after that, since its asker would rather ask for less",
    async (mayBeCut) => {
      const { add, matrix } = world();
      await outcomeOf(add("matrix", [1], [8], mayBeCut), { giveUpAtMs: 5 });
      expect(matrix.mock.calls[0]?.[1]).toMatchObject({ retryCutOff: !mayBeCut });
    },
  );

  const many = config.matrixCells;
  it.each([
    { status: 413, cells: 2, mayBeCut: false, tooLarge: "surely", refused: [[2]] },
    { status: 413, cells: 2, mayBeCut: true, tooLarge: "surely", refused: [[2]] },
    { status: 502, cells: 2, mayBeCut: true, tooLarge: "perhaps", refused: [] },
    { status: 504, cells: 1, mayBeCut: true, tooLarge: "perhaps", refused: [] },
    // Our own growth to that size is the likely cause.
    { status: 504, cells: many, mayBeCut: true, tooLarge: "perhaps", refused: [] },
    { status: 504, cells: many + 1, mayBeCut: true, tooLarge: "perhaps", refused: [[many + 1]] },
  ])(
    "of $cells cells, refused with $status: $tooLarge too large",
    async ({ status, cells, mayBeCut, tooLarge, refused }) => {
      const { add, matrix, size } = world();
      matrix.mockRejectedValue(refusal(status));
      const ahjIds = Array.from({ length: cells }, (_, at) => at);
      expect(await outcomeOf(add("matrix", ahjIds, [8], mayBeCut))).toEqual({ tooLarge });
      expect(size.refused.mock.calls).toEqual(refused);
      expect(size.took).not.toHaveBeenCalled();
      expect(matrix).toHaveBeenCalledTimes(1);
    },
  );

  it.each([
    ["a cut-off that counts as a failure", refusal(504), 2, false, { status: 504 }],
    ["a large one that is cut off and may not be", refusal(502), many + 1, false, { status: 502 }],
    ["a failure of the service", refusal(500), 2, true, { status: 500 }],
    ["a key without rights", new Failure("no-rights"), 2, true, { kind: "no-rights" }],
    ["whatever else is thrown", new TypeError("x"), 2, true, { kind: "internal" }],
  ])("fails with %s", async (_, thrown, cells, mayBeCut, failure) => {
    const { add, matrix, size, realTypeIds } = world();
    matrix.mockRejectedValue(thrown);
    const ahjIds = Array.from({ length: cells }, (_, at) => at);
    await expect(outcomeOf(add("matrix", ahjIds, [8], mayBeCut))).rejects.toMatchObject(failure);
    expect(size.refused).not.toHaveBeenCalled();
    expect(realTypeIds).not.toHaveBeenCalled();
    expect(matrix).toHaveBeenCalledTimes(1);
  });

  it("of one cell has failed if even that is too large", async () => {
    const { add, matrix, size } = world();
    matrix.mockRejectedValue(refusal(413));
    await expect(outcomeOf(add("matrix", [1], [8], true))).rejects.toMatchObject({ status: 413 });
    expect(size.refused).not.toHaveBeenCalled();
    expect(matrix).toHaveBeenCalledTimes(1);
  });

  it.each([
    { pages: 2, cells: 2, outcome: { tooLarge: "surely" }, refused: [[2]], took: [] },
    { pages: 2, cells: 1, outcome: ["1/8"], refused: [], took: [[1, 0]] },
    { pages: 1, cells: 2, outcome: ["1/8", "2/8"], refused: [], took: [[2, 0]] },
    { pages: null, cells: 2, outcome: ["1/8", "2/8"], refused: [], took: [[2, 0]] },
  ])(
    "of $cells cells that comes in $pages pages never passes a part for the whole",
    async ({ pages, cells, outcome, refused, took }) => {
      const { add, matrix, size } = world();
      matrix.mockImplementation(async (args) => matrixOf(args, pages));
      const ahjIds = Array.from({ length: cells }, (_, at) => at + 1);
      expect(await answersOf(add("matrix", ahjIds, [8]))).toEqual(outcome);
      expect([size.refused.mock.calls, size.took.mock.calls]).toEqual([refused, took]);
    },
  );

  it("whose AHJs are all denied is answered with that, dated now", async () => {
    const { add, matrix } = world();
    matrix.mockRejectedValue(new Failure("outside-subscription"));
    const outcome = await outcomeOf(add("matrix", [1, 2], [8]));
    expect(answerIn(outcome, 2, 8)).toEqual({
      fetchedAtMs: nowMs,
      absence: "outside-subscription",
    });
  });

  describe("refused for a type that the service does not know", () => {
    /** A service that refuses every request for a type from 1000 on. */
    function strict() {
      const made = world();
      made.matrix.mockImplementation(async (args) => {
        if (args.data_point_type_ids.some((id) => id >= 1_000)) throw refusal(422);
        return matrixOf(args);
      });
      return made;
    }

    it("is asked again without that type", async () => {
      const { add, matrix, realTypeIds } = strict();
      expect(await answersOf(add("matrix", [1, 2], [8, 1_000], true))).toEqual([
        ...["1/8", "unknown-type", "2/8", "unknown-type"],
      ]);
      expect(matrix.mock.calls.map(([args]) => args.data_point_type_ids)).toEqual([[8, 1_000], [8]]);
      expect(matrix.mock.calls.map(([, options]) => options?.retryCutOff)).toEqual([false, true]);
      expect(realTypeIds.mock.calls.map(([ids]) => ids)).toEqual([[8, 1_000]]);
      expect(realTypeIds.mock.calls[0]?.[1].signal).toBeInstanceOf(AbortSignal);
    });

    it("is not asked again if no other type is wanted", async () => {
      const { add, matrix } = strict();
      expect(await answersOf(add("matrix", [1], [1_000, 1_001]))).toEqual(["unknown-type", "unknown-type"]);
      expect(matrix).toHaveBeenCalledTimes(1);
    });

    it("may be too large without that type", async () => {
      const { add, matrix } = strict();
      matrix.mockRejectedValueOnce(refusal(422)).mockRejectedValueOnce(refusal(413));
      expect(await outcomeOf(add("matrix", [1, 2], [8, 1_000]))).toEqual({ tooLarge: "surely" });
    });

    it("has failed if the service knows all of its types", async () => {
      const { add, matrix } = world();
      const failure = refusal(422);
      matrix.mockRejectedValue(failure);
      await expect(outcomeOf(add("matrix", [1], [8, 9]))).rejects.toBe(failure);
      expect(matrix).toHaveBeenCalledTimes(1);
    });
  });
});

describe("a query of data points", () => {
  it("is a list of the real types, with the time of each value's last change", async () => {
    const { add, matrix, listDataPoints, realTypeIds, learnAhjs } = world();
    const query = add("data-points", [1, 2], [8, 1_000]);
    expect(await answersOf(query)).toEqual(["1/8", "unknown-type", "2/8", "unknown-type"]);
    expect(listDataPoints.mock.calls.map(([args]) => args)).toEqual([
      { ahj_ids: [1, 2], data_point_type_ids: [8], page: 1, page_size: config.pageSize },
    ]);
    expect(listDataPoints.mock.calls[0]?.[1]?.signal).toBeInstanceOf(AbortSignal);
    expect(realTypeIds.mock.calls[0]?.[1].signal).toBeInstanceOf(AbortSignal);
    expect(learnAhjs.mock.calls).toEqual([[[ahj(1), ahj(2)]]]);
    expect(matrix).not.toHaveBeenCalled();

    const outcome = await outcomeOf(query);
    expect(answerIn(outcome, 1, 8)).toEqual({
      ...{ fetchedAtMs: nowMs, value: "1/8", reference: null, section: null },
      updatedAt: "2026-01-02T00:00:00Z",
    });
  });

  it("is not asked for if no type is real", async () => {
    const { add, listDataPoints } = world();
    const outcome = await outcomeOf(add("data-points", [1], [1_000]));
    expect(answerIn(outcome, 1, 1_000)).toEqual({
      fetchedAtMs: nowMs,
      absence: "unknown-type",
    });
    expect(listDataPoints).not.toHaveBeenCalled();
  });

  it("whose AHJs are all denied is answered with that, dated now", async () => {
    const { add, listDataPoints, learnAhjs } = world();
    listDataPoints.mockRejectedValue(new Failure("outside-subscription"));
    const outcome = await outcomeOf(add("data-points", [1], [8]));
    expect(answerIn(outcome, 1, 8)).toEqual({
      fetchedAtMs: nowMs,
      absence: "outside-subscription",
    });
    expect(learnAhjs.mock.calls).toEqual([[[]]]);
  });

  it("in several addresses denies the AHJs of one of them, and is as old as the oldest", async () => {
    const { add, listDataPoints } = world();
    listDataPoints.mockImplementation(async (args) => {
      if ((args.ahj_ids ?? []).length > 1) throw refusal(414);
      if (args.ahj_ids?.includes(2)) throw new Failure("outside-subscription");
      return listOf(args, { ageMs: args.ahj_ids?.includes(1) ? 60_000 : 0 });
    });
    const query = add("data-points", [1, 2, 3], [8]);
    expect(await answersOf(query)).toEqual(["1/8", "outside-subscription", "3/8"]);
    const outcome = await outcomeOf(query);
    expect([1, 2, 3].map((id) => answerIn(outcome, id, 8)?.fetchedAtMs)).toEqual([
      ...[nowMs - 60_000, nowMs - 60_000, nowMs - 60_000],
    ]);
  });

  it("denies the AHJs that a warning names", async () => {
    const { add, listDataPoints } = world();
    const warning = { code: "AHJ_ACCESS_DENIED", message: "", excluded_ahj_ids: [1], unmatched_geoids: [] };
    listDataPoints.mockImplementation(async (args) =>
      listOf({ ...args, ahj_ids: [2] }, { warnings: [warning] }),
    );
    expect(await answersOf(add("data-points", [1, 2], [8]))).toEqual(["outside-subscription", "2/8"]);
  });

  it("has failed if one of its lists changes each time it is read", async () => {
    const { queries, add, listDataPoints } = world();
    listDataPoints.mockImplementation(async (args) => {
      if ((args.ahj_ids ?? []).length > 1) throw refusal(414);
      return listOf(args, { total: args.ahj_ids?.includes(2) ? 2 : 1 });
    });
    await expect(outcomeOf(add("data-points", [1, 2], [8]))).rejects.toMatchObject({
      kind: "unexpected-answer",
      detail: "A list changed while it was read.",
    });
    expect([...queries.open()]).toEqual([]);
  });

  it("fails as the service does", async () => {
    const { add, listDataPoints } = world();
    listDataPoints.mockRejectedValue(refusal(500));
    await expect(outcomeOf(add("data-points", [1], [8]))).rejects.toMatchObject({ status: 500 });
  });
});
