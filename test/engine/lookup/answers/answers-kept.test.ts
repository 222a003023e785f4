import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../../../src/engine/api/client";
import type { DataPointType, Warning } from "../../../../src/engine/api/schemas";
import type { AnswerCache } from "../../../../src/engine/cache/answer-cache";
import type { CachedAnswer } from "../../../../src/engine/cache/cached-answer";
import { type AnswerPart, answersIn, createAnswerPart } from "../../../../src/engine/cache/answer-part";
import { Failure, type FormulaFailureKind } from "../../../../src/errors";
import type { CellAnswer } from "../../../../src/engine/lookup/answers/kept-answers";
import { type BegunRead, createAnswers } from "../../../../src/engine/lookup/answers/answers";
import type { Source } from "../../../../src/engine/lookup/answers/queries";
import type { CellCall, ReadAnswers } from "../../../../src/engine/lookup/answers/reading";
import { createMatrixReader } from "../../../../src/engine/lookup/answers/matrix-reader";
import type { WantedAnswers } from "../../../../src/engine/lookup/answers/request-plan";
import { createOldAnswerNotes } from "../../../../src/engine/lookup/old-answers";
import { device } from "../device";
import { listOf, matrixOf, textOf, unread } from "./played-answers";

const nowMs = Date.UTC(2026, 2, 12);
const hourMs = 3_600_000;
beforeEach(() => void vi.useFakeTimers({ now: nowMs, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** A call that wants cells of one AHJ. */
const callOf = (source: Source, ahjId: number, ...typeIds: number[]): CellCall => ({
  source,
  cells: typeIds.map((typeId) => ({ ahjId, typeId })),
});

/** The first answers that come to calls. */
async function firstOf({ arrivals }: BegunRead) {
  for await (const arrived of arrivals) return arrived;
  throw new Error("no answer came");
}

/** The answers to all calls, in the order of the calls. */
async function outcomesOf({ arrivals }: BegunRead) {
  const outcomes: unknown[][] = [];
  for await (const arrived of arrivals)
    for (const { place, result } of arrived) outcomes[place] = result.map((answer) => shown(answer));
  return outcomes;
}

/** A cache with answers in memory, and with the disk's answers, which come when they are loaded. */
function cacheOver(disk = new Map<number, Map<number, CachedAnswer>>()) {
  const memory = new Map<number, Map<number, CachedAnswer>>();
  const put = (ahjId: number, answers: Iterable<readonly [number, CachedAnswer]>) =>
    void memory.set(ahjId, new Map([...(memory.get(ahjId) ?? []), ...answers]));
  return {
    get: (ahjId: number, typeId: number) => memory.get(ahjId)?.get(typeId),
    see(ahjId: number, typeId: number) {
      const answer = memory.get(ahjId)?.get(typeId);
      if (!answer) return undefined;
      const { fetchedAtMs } = answer;
      const absence = "absence" in answer ? answer.absence : null;
      return { fetchedAtMs, absence, isDated: "value" in answer && answer.updatedAt !== null };
    },
    value(ahjId: number, typeId: number) {
      const answer = memory.get(ahjId)?.get(typeId);
      return answer && "value" in answer ? answer.value : null;
    },
    copy(ahjId: number, typeId: number, into: AnswerPart) {
      const answer = memory.get(ahjId)?.get(typeId);
      if (!answer || "absence" in answer) return false;
      into.push(typeId, answer);
      return true;
    },
    load: vi.fn(async (ahjIds: Iterable<number>) => {
      for (const ahjId of ahjIds) put(ahjId, disk.get(ahjId) ?? []);
    }),
    put: vi.fn(put),
    putPart({ part, rows }) {
      for (const row of rows) put(row.ahj, answersIn(part, row));
    },
    drop: vi.fn((ahjIds: Iterable<number>) => {
      for (const ahjId of ahjIds) memory.delete(ahjId);
    }),
    hold: vi.fn(() => ({ keep: vi.fn<(ahjIds: Iterable<number>) => void>(), release: vi.fn() })),
    // Memory has room for ten answers.
    shareOfMemory: (count: number) => count / 10,
    isFull: () => false,
  } satisfies AnswerCache;
}

interface Service {
  disk?: Map<number, Map<number, CachedAnswer>>;
  /** The failure of every request. */
  fails?: () => FormulaFailureKind | undefined;
  /** AHJs outside the subscription, and types without a value. */
  denied?: readonly number[];
  blank?: readonly number[];
  warnings?: Warning[];
}

/** Answers of a service that knows the types below 1000; `asked` are the endpoints in their order. */
function world({ disk, fails, denied = [], blank = [], warnings = [] }: Service = {}) {
  const asked: string[] = [];
  const ask = (endpoint: string) => {
    asked.push(endpoint);
    const kind = fails?.();
    if (kind) throw new Failure(kind);
  };
  const matrix: Client["matrix"] = async (args) => {
    ask("matrix");
    const isAsked = ({ ahj: { id } }: { ahj: { id: number } }) => !denied.includes(id);
    const answer = matrixOf(args);
    const types = answer.data.data_point_types.filter(({ id }) => id < 1_000);
    const none = Object.fromEntries(blank.map((typeId) => [typeId, null]));
    const rows = answer.data.rows
      .filter(isAsked)
      .map((row) => ({ ...row, values: { ...row.values, ...none } }));
    const warning: Warning = {
      ...{ code: "AHJ_ACCESS_DENIED", message: "", unmatched_geoids: [] },
      excluded_ahj_ids: [...denied],
    };
    return {
      ...answer,
      data: { ...answer.data, data_point_types: types, rows },
      warnings: denied.length > 0 ? [warning] : [],
    };
  };
  const listDataPoints: Client["listDataPoints"] = async (args) => {
    ask("data-points");
    const answer = listOf(args, { warnings });
    answer.data.items = answer.data.items.filter((item) => !denied.includes(item.ahj.id));
    answer.data.pagination.total = answer.data.items.length;
    return answer;
  };
  const seen = new Map<number, DataPointType>();
  const catalogue = {
    recall: vi.fn(async () => undefined),
    learn: (types: readonly DataPointType[]) => types.forEach((each) => seen.set(each.id, each)),
    knownType: (typeId: number) => seen.get(typeId),
    // The cache tells which ids are real, without giving their types.
    realTypeIds: async (typeIds: readonly number[]) => new Set(typeIds.filter((id) => id < 1_000)),
  };
  const cache = cacheOver(disk);
  const maxAge = { ms: hourMs };
  const client = { unreadMatrix: unread(matrix), listDataPoints } as Client;
  const answers = createAnswers(client, catalogue as never, {
    ...{ cache, serviceFacts: device(), maxAgeMs: () => maxAge.ms, learnAhjs: () => undefined },
    readBody: createMatrixReader(undefined),
    old: createOldAnswerNotes(() => undefined),
  });
  return { answers, asked, cache, catalogue, maxAge };
}

const wanted = (ahjIds: readonly number[], typeIds: readonly number[]): WantedAnswers => {
  const ids = new Set(typeIds);
  return new Map(ahjIds.map((ahjId) => [ahjId, ids]));
};
const nothing: WantedAnswers = new Map();
const shown = (answer: CellAnswer | undefined) =>
  answer instanceof Failure
    ? answer.kind
    : answer && [answer.cell.value, answer.cell.updatedAt, answer.isOld];
const valueAt = (fetchedAtMs: number, ahjId = 1, typeId = 8): CachedAnswer => ({
  ...{ fetchedAtMs, value: textOf(ahjId, typeId), reference: null, section: null, updatedAt: null },
});
const date = "2026-01-02T00:00:00Z";

describe("a known answer", () => {
  it("is one that was given, as long as it is new enough for the user", async () => {
    const { answers, maxAge } = world({ blank: [9] });
    expect(answers.known(1, 8)).toBeUndefined();
    await answers.read({ values: wanted([1], [8, 9]) });
    expect(shown(answers.known(1, 8))).toEqual(["1/8", null, false]);
    expect(shown(answers.known(1, 9))).toBe("no-value");
    vi.setSystemTime(nowMs + hourMs - 1);
    expect(shown(answers.known(1, 8))).toEqual(["1/8", null, false]);
    vi.setSystemTime(nowMs + hourMs);
    expect([answers.known(1, 8), answers.known(1, 9)]).toEqual([undefined, undefined]);
    maxAge.ms = 2 * hourMs;
    expect(shown(answers.known(1, 8))).toEqual(["1/8", null, false]);
  });

  it("with its date is one that came with a date; an absence is known with or without", async () => {
    const { answers, asked } = world({ blank: [9] });
    await answers.read({ values: wanted([1], [8, 9]) });
    expect(answers.known(1, 8, true)).toBeUndefined();
    expect(shown(answers.known(1, 9, true))).toBe("no-value");
    const { of } = await answers.read({ values: nothing, dated: wanted([1], [8]) });
    expect(shown(of(1, 8))).toEqual(["1/8", date, false]);
    expect(shown(answers.known(1, 8, true))).toEqual(["1/8", date, false]);
    expect(shown(answers.known(1, 8))).toEqual(["1/8", date, false]);
    expect(asked).toEqual(["matrix", "data-points"]);
  });

  it("is none whose type has never been seen, since its unit could not be shown", async () => {
    const disk = new Map([[1, new Map([[8, valueAt(nowMs)]])]]);
    const { answers, asked } = world({ disk });
    await answers.recall([1]);
    expect(answers.known(1, 8)).toBeUndefined();
    const { of } = await answers.read({ values: wanted([1], [8]) });
    expect(of(1, 8)).toMatchObject({ type: { id: 8 } });
    expect(asked).toEqual(["matrix"]);
  });

  it("is also one that came in another way, with its type; a blank text is no value", () => {
    const { answers } = world();
    const [value, blank] = listOf({ ahj_ids: [1], data_point_type_ids: [8, 9], page: 1, page_size: 9 }).data
      .items;
    answers.learn([value!, { ...blank!, value: "" }], nowMs - 5);
    expect(shown(answers.known(1, 8, true))).toEqual(["1/8", date, false]);
    expect(answers.known(1, 8)).toMatchObject({ type: { id: 8 }, cell: { fetchedAtMs: nowMs - 5 } });
    expect(answers.known(1, 9)).toBeUndefined();
  });
});

describe("an answer with its date", () => {
  it("is given with it, even if a matrix brings a newer one without a date before the reading ends", async () => {
    const { answers, cache } = world();
    await answers.read({ values: nothing, dated: wanted([1], [8]) });
    const work = { values: wanted([2], [8]), dated: wanted([1], [8]) };
    const read = answers.begin(work, [callOf("matrix", 2, 8)], { hold: cache.hold() });
    await firstOf(read);
    cache.put(1, [[8, valueAt(nowMs)]]);
    const { of } = await read.whole;
    expect(shown(of(1, 8))).toEqual(["1/8", date, false]);
  });
});

describe("the requests that a question takes", () => {
  it("are the ones for unknown answers, with the date or without", async () => {
    const { answers } = world();
    const values = wanted([1, 2], [8, 9]);
    expect(await answers.requestsFor({ values })).toBe(1);
    await answers.read({ values });
    expect(await answers.requestsFor({ values })).toBe(0);
    expect(await answers.requestsFor({ values, details: new Set([1, 2]) })).toBe(2);
    expect(await answers.requestsFor({ values: nothing, dated: values })).toBe(1);
    await answers.read({ values: nothing, dated: values });
    expect(await answers.requestsFor({ values: nothing, dated: values })).toBe(0);
  });

  it("are fewer if more of an AHJ is known", async () => {
    const { answers } = world();
    const [few, all] = [20_000, 30_000].map((count) =>
      Array.from({ length: count }, (_, index) => index + 1),
    );
    expect(await answers.requestsFor({ values: wanted([1], all!) })).toBe(2);
    await answers.read({ values: wanted([1], few!.slice(0, 15_000)) });
    expect(await answers.requestsFor({ values: wanted([1], all!) })).toBe(1);
  });
});

describe("reading answers", () => {
  it("asks again for answers from before a refresh began, but for nothing twice", async () => {
    const { answers, asked } = world();
    const values = wanted([1], [8]);
    await answers.read({ values });
    await answers.read({ values }, { sinceMs: nowMs });
    expect(asked).toEqual(["matrix"]);
    vi.setSystemTime(nowMs + 1);
    await answers.read({ values }, { sinceMs: nowMs + 1 });
    expect(asked).toEqual(["matrix", "matrix"]);
    await answers.read({ values }, { sinceMs: nowMs + 1 });
    expect(asked).toEqual(["matrix", "matrix"]);
  });

  it("looks on disk first: for a few AHJs, then for more and more, and for none that memory has", async () => {
    const { answers, cache, catalogue } = world();
    const ids = Array.from({ length: 2_010 }, (_, index) => index + 1);
    await answers.read({ values: wanted(ids.slice(0, 10), [8]) });
    expect(cache.load.mock.calls.map(([loaded]) => [...loaded].length)).toEqual([10]);
    expect(catalogue.recall).toHaveBeenCalledTimes(1);
    cache.load.mockClear();
    await answers.read({ values: wanted(ids, [8]) });
    const loads = cache.load.mock.calls.map(([loaded]) => [...loaded]);
    expect(loads.map((loaded) => loaded.length)).toEqual([25, 50, 100, 200, 400, 800, 425]);
    expect(loads.flat()).toEqual(ids.slice(10));
    cache.load.mockClear();
    // One of the two types is not known.
    await answers.read({ values: wanted(ids.slice(0, 25), [8, 9]) });
    expect(cache.load.mock.calls.map(([loaded]) => [...loaded])).toEqual([ids.slice(0, 25)]);
    cache.load.mockClear();
    await answers.read({ values: wanted(ids, [8]) });
    expect(cache.load).not.toHaveBeenCalled();
  });

  it("asks nothing that the disk holds", async () => {
    const disk = new Map([1, 2].map((id) => [id, new Map([[8, valueAt(nowMs, id)]])]));
    const { answers, asked } = world({ disk });
    await answers.read({ values: wanted([3], [8]) });
    asked.length = 0;
    const { of } = await answers.read({ values: wanted([1, 2], [8]) });
    expect([shown(of(1, 8)), shown(of(2, 8))]).toEqual([
      ["1/8", null, false],
      ["2/8", null, false],
    ]);
    expect(asked).toEqual([]);
  });

  it("gives each caller its cells as soon as they are there, known ones first, and counts them", async () => {
    const { answers, cache } = world();
    await answers.read({ values: wanted([1], [8, 9]) });
    const told: unknown[] = [];
    const progress: number[] = [];
    const work = { values: wanted([1, 2], [8, 9]), dated: wanted([3], [8]) };
    const calls = [callOf("data-points", 3, 8), callOf("matrix", 2, 9), callOf("matrix", 1, 9, 8)];
    const read = answers.begin(work, calls, {
      hold: cache.hold(),
      onProgress: (cells) => progress.push(cells),
    });
    for await (const arrived of read.arrivals)
      for (const { result } of arrived) told.push(result.map((answer) => shown(answer)));
    await read.whole;
    expect(told[0]).toEqual([
      ["1/9", null, false],
      ["1/8", null, false],
    ]);
    expect(told).toHaveLength(3);
    expect(told).toContainEqual([["2/9", null, false]]);
    expect(told).toContainEqual([["3/8", date, false]]);
    expect(progress[0]).toBe(2);
    expect(progress.at(-1)).toBe(5);
    expect(progress.toSorted((one, other) => one - other)).toEqual(progress);
  });

  it("gives the failures among a call's cells in their places, and the answer of one cell to all calls that want it", async () => {
    const { answers, cache } = world();
    const refused = new Failure("unknown-type");
    const call = callOf("matrix", 1, 8);
    const calls = [{ ...call, cells: [refused, ...call.cells] }, call, { ...call, cells: [refused] }, call];
    const read = answers.begin({ values: wanted([1], [8]) }, calls, { hold: cache.hold() });
    expect(await outcomesOf(read)).toEqual([
      ["unknown-type", ["1/8", null, false]],
      [["1/8", null, false]],
      ["unknown-type"],
      [["1/8", null, false]],
    ]);
  });

  it("answers a call that wants an answer nobody has asked for, when it ends", async () => {
    const { answers, cache } = world();
    const read = answers.begin({ values: wanted([1], [8]) }, [callOf("matrix", 1, 9)], {
      hold: cache.hold(),
    });
    expect(await outcomesOf(read)).toEqual([["maybe-outside-subscription"]]);
  });

  it("gives a value that the matrix has brought, though the list of dates has failed for the same cell", async () => {
    const { answers, cache, asked } = world({
      fails: () => (asked.at(-1) === "data-points" ? "unexpected-answer" : undefined),
    });
    const work = { values: wanted([1], [8]), dated: wanted([1], [8]) };
    const calls = [callOf("matrix", 1, 8), callOf("data-points", 1, 8)];
    const read = answers.begin(work, calls, { hold: cache.hold() });
    expect(await outcomesOf(read)).toEqual([[["1/8", null, false]], ["unexpected-answer"]]);
  });

  it("fails for everybody who waits if it is cancelled", async () => {
    const { answers, cache } = world();
    const options = { hold: cache.hold(), signal: AbortSignal.abort() };
    const read = answers.begin({ values: wanted([1], [8]) }, [callOf("matrix", 1, 8)], options);
    await expect(firstOf(read)).rejects.toMatchObject({ kind: "cancelled" });
  });

  it("counts cells, and AHJs that are complete, also for a caller that wants no single cell", async () => {
    const { answers } = world();
    await answers.read({ values: wanted([1], [8, 9]) });
    const progress: [cells: number, ahjs: number][] = [];
    await answers.read(
      { values: wanted([1, 2], [8, 9]), dated: wanted([3], [8]) },
      { onProgress: (cells, ahjs) => progress.push([cells, ahjs]) },
    );
    expect(progress[0]).toEqual([2, 1]);
    expect(progress.at(-1)).toEqual([5, 3]);
  });

  it("holds the answers in memory until it ends, or as long as the caller holds them", async () => {
    const { answers, cache } = world();
    await answers.read({ values: wanted([1], [8]), dated: wanted([2], [9]) });
    const own = cache.hold.mock.results[0]?.value;
    expect(own?.keep.mock.calls.flatMap(([ahjIds]: [Iterable<number>]) => [...ahjIds])).toEqual([1, 2]);
    expect(own?.release).toHaveBeenCalledOnce();

    const hold = { keep: vi.fn(), release: vi.fn() };
    await answers.read({ values: wanted([3], [8]) }, { hold });
    expect(hold.keep).toHaveBeenCalled();
    expect(hold.release).not.toHaveBeenCalled();
    expect(cache.hold).toHaveBeenCalledOnce();
  });

  it("holds nothing any more if it is cancelled", async () => {
    const { answers, cache } = world();
    const reading = answers.read({ values: wanted([1], [8]) }, { signal: AbortSignal.abort() });
    await expect(reading).rejects.toMatchObject({ kind: "cancelled" });
    expect(cache.hold.mock.results[0]?.value.release).toHaveBeenCalledOnce();
  });

  it("takes as many batches as memory needs, and at least one", () => {
    const { answers } = world();
    expect([0, 1, 10, 11, 25].map((count) => answers.batchesFor(count))).toEqual([1, 1, 1, 2, 3]);
  });
});

describe("the quick ways to take an answer that was read", () => {
  /** The value and age of an answer by each way, which must agree. Null if there is no value. */
  function taken({ of, see, value, copy }: ReadAnswers, ahjId: number, typeId: number) {
    const part = createAnswerPart(1);
    const isCopied = copy(ahjId, typeId, part);
    const copied = isCopied ? part.at(0) : null;
    const seen = see(ahjId, typeId);
    return {
      of: shown(of(ahjId, typeId)),
      see: seen instanceof Failure ? seen.kind : seen,
      value: value(ahjId, typeId),
      copied: copied && "value" in copied ? [copied.value, copied.updatedAt] : copied,
      copies: part.count(),
    };
  }

  it("give a value with its age, with its date if that was read", async () => {
    const { answers } = world();
    const read = await answers.read({ values: wanted([1], [8]), dated: wanted([2], [8]) });
    const fresh = { see: { fetchedAtMs: nowMs, isOld: false }, copies: 1 };
    expect(taken(read, 1, 8)).toEqual({
      ...{ ...fresh, of: ["1/8", null, false], value: "1/8", copied: ["1/8", null] },
    });
    expect(taken(read, 2, 8)).toEqual({
      ...{ ...fresh, of: ["2/8", date, false], value: "2/8", copied: ["2/8", date] },
    });
  });

  it("give the reason of an absence, of a failure, and of a cell that no answer decides", async () => {
    let isDown = false;
    const { answers } = world({ blank: [9], fails: () => (isDown ? "wrong-key" : undefined) });
    await answers.read({ values: wanted([1], [9, 1_009]) });
    isDown = true;
    const read = await answers.read({ values: wanted([1], [9, 1_009, 7]) });
    const none = { value: null, copied: null, copies: 0 };
    expect(taken(read, 1, 9)).toEqual({ ...none, of: "no-value", see: "no-value" });
    expect(taken(read, 1, 1_009)).toEqual({ ...none, of: "unknown-type", see: "unknown-type" });
    expect(taken(read, 1, 7)).toEqual({ ...none, of: "wrong-key", see: "wrong-key" });
    const undecided = "maybe-outside-subscription";
    expect(taken(read, 5, 5)).toEqual({ ...none, of: undecided, see: undecided });
  });

  it("give an old answer as old", async () => {
    let isDown = false;
    const { answers } = world({ fails: () => (isDown ? "unreachable" : undefined) });
    await answers.read({ values: wanted([1], [8]) });
    vi.setSystemTime(nowMs + hourMs);
    isDown = true;
    expect(taken(await answers.read({ values: wanted([1], [8]) }), 1, 8)).toEqual({
      of: ["1/8", null, true],
      see: { fetchedAtMs: nowMs, isOld: true },
      value: "1/8",
      copied: ["1/8", null],
      copies: 1,
    });
  });

  it("give nothing of a type that was never seen, since its unit could not be shown", async () => {
    const disk = new Map([[1, new Map([[8, valueAt(nowMs)]])]]);
    const { answers } = world({ disk });
    await answers.recall([1]);
    const undecided = "maybe-outside-subscription";
    expect(taken(await answers.read({ values: nothing }), 1, 8)).toEqual({
      ...{ of: undecided, see: undecided, value: null, copied: null, copies: 0 },
    });
  });
});

describe("an answer", () => {
  it("that leaves a cell open keeps it undecided, and nothing of it is kept", async () => {
    const warnings: Warning[] = [
      { code: "AHJ_ACCESS_DENIED", message: "", excluded_ahj_ids: [], unmatched_geoids: [] },
    ];
    const { answers, cache } = world({ denied: [1], warnings });
    const { of } = await answers.read({ values: nothing, dated: wanted([1, 2], [8]) });
    expect([shown(of(1, 8)), shown(of(2, 8))]).toEqual(["maybe-outside-subscription", ["2/8", date, false]]);
    expect([1, 2].map((ahjId) => cache.get(ahjId, 8) !== undefined)).toEqual([false, true]);
    expect(shown(of(5, 5))).toBe("maybe-outside-subscription");
  });

  it("that denies an AHJ takes back its known answers; any other answer leaves them", async () => {
    const denied: number[] = [];
    const { answers, cache } = world({ denied, blank: [9] });
    await answers.read({ values: wanted([1], [7]) });
    await answers.read({ values: wanted([1], [8]) });
    await answers.read({ values: wanted([1], [9]) });
    await answers.read({ values: wanted([1], [1_009]) });
    expect([shown(answers.known(1, 9)), shown(answers.known(1, 1_009))]).toEqual([
      "no-value",
      "unknown-type",
    ]);
    expect(cache.drop).not.toHaveBeenCalled();
    expect(shown(answers.known(1, 7))).toEqual(["1/7", null, false]);
    denied.push(1);
    await answers.read({ values: wanted([1], [10]) });
    expect(answers.known(1, 7)).toBeUndefined();
    expect(shown(answers.known(1, 10))).toBe("outside-subscription");
  });
});

describe("while the service gives no answer", () => {
  /** A value that is an hour old, on a service that from now on fails with this kind. */
  async function afterAnHour(kind: FormulaFailureKind) {
    let isDown = false;
    const played = world({ fails: () => (isDown ? kind : undefined) });
    await played.answers.read({ values: wanted([1], [8]) });
    vi.setSystemTime(nowMs + hourMs);
    isDown = true;
    return played.answers;
  }

  it.each<[FormulaFailureKind, boolean]>([
    ["unreachable", true],
    ["service-error", true],
    ["wrong-key", false],
    ["unexpected-answer", false],
  ])("because of %s, an old answer is given as an old one: %s", async (kind, isGiven) => {
    const answers = await afterAnHour(kind);
    const { of } = await answers.read({ values: wanted([1, 2], [8]) });
    expect(shown(of(1, 8))).toEqual(isGiven ? ["1/8", null, true] : kind);
    expect(shown(of(2, 8))).toBe(kind);
  });

  it("an old answer without its date is better than none", async () => {
    const answers = await afterAnHour("unreachable");
    const { of } = await answers.read({ values: nothing, dated: wanted([1, 2], [8]) });
    expect([shown(of(1, 8)), shown(of(2, 8))]).toEqual([["1/8", null, true], "unreachable"]);
  });

  it("a new enough answer without its date is given as new", async () => {
    let isDown = false;
    const { answers } = world({ fails: () => (isDown ? "unreachable" : undefined) });
    await answers.read({ values: wanted([1], [8]) });
    isDown = true;
    const { of } = await answers.read({ values: nothing, dated: wanted([1], [8]) });
    expect(shown(of(1, 8))).toEqual(["1/8", null, false]);
  });

  it("a refresh gives the reason, not the old answer", async () => {
    const answers = await afterAnHour("unreachable");
    const { of } = await answers.read({ values: wanted([1], [8]) }, { sinceMs: nowMs + 1 });
    expect(shown(of(1, 8))).toBe("unreachable");
  });

  it("an absence from an hour ago is no answer", async () => {
    let isDown = false;
    const { answers } = world({ blank: [9], fails: () => (isDown ? "unreachable" : undefined) });
    await answers.read({ values: wanted([1], [9]) });
    vi.setSystemTime(nowMs + hourMs);
    isDown = true;
    expect(shown((await answers.read({ values: wanted([1], [9]) })).of(1, 9))).toBe("unreachable");
  });

  it("old answers are counted in turns, between which the page answers", async () => {
    const yields = vi.fn(() => Promise.resolve());
    vi.stubGlobal("scheduler", { yield: yields });
    let nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 1));
    const { answers } = world();
    const ids = Array.from({ length: 1_000 }, (_, index) => index);
    await answers.requestsFor({ values: wanted(ids, ids.slice(0, 53)) });
    expect(yields.mock.calls.length).toBeGreaterThan(10);
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
});
