import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { config } from "../../../../src/config";
import { Failure, type FormulaFailureKind } from "../../../../src/errors";
import { type CellsOfAhj, createOpenCells } from "../../../../src/engine/lookup/answers/open-cells";
import type { RectangleOutcome, Query, Source } from "../../../../src/engine/lookup/answers/queries";
import type { MatrixLimit } from "../../../../src/engine/lookup/answers/request-plan";
import { askService, type ServiceOptions } from "../../../../src/engine/lookup/answers/ask-service";
import { onAbort } from "../../../../src/async/on-abort";
import type { ExchangeOptions } from "../../../../src/engine/transport/exchange";

const nowMs = Date.UTC(2026, 2, 12);
beforeEach(() => void vi.useFakeTimers({ now: nowMs, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** Resolves once all work that waits for nothing has been done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

type Cell = [ahjId: number, typeId: number, source: Source];

const names = (cells: readonly CellsOfAhj[]) =>
  cells.flatMap(({ ahjId, typeIds }) => [...typeIds].map((typeId) => `${ahjId}/${typeId}`));

function deferred<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (thrown: unknown) => void;
  const promise = new Promise<Value>((resolved, rejected) => ([resolve, reject] = [resolved, rejected]));
  return { promise, resolve, reject };
}

/** A query whose end the test decides, and how often other readings joined it. */
interface Decided {
  query: Query;
  mayBeCut: boolean;
  hasCome: boolean;
  joins: ExchangeOptions[];
  answer(): Promise<unknown>;
  tooLarge(how: "surely" | "perhaps"): Promise<unknown>;
  fail(thrown: unknown): Promise<unknown>;
}

/** A reading of some cells; the test plays the service. */
function world(cells: Cell[], limit: MatrixLimit = { cells: 100, mostCells: 100 }) {
  const open = createOpenCells();
  const sets = new Map<string, Set<number>>();
  for (const [ahjId, typeId, source] of cells) {
    const typeIds = sets.get(`${source} ${ahjId}`) ?? new Set();
    sets.set(`${source} ${ahjId}`, typeIds.add(typeId));
    open.add(source, ahjId, typeIds);
  }
  const there = new Set<Query>();
  const made: Decided[] = [];
  const told: string[] = [];
  const growth = new Set<() => void>();

  function add(source: Source, rectangle: Query["rectangle"], mayBeCut: boolean): Query {
    const { ahjIds, typeIds } = rectangle;
    const end = deferred<RectangleOutcome>();
    end.promise.catch(() => undefined);
    const decided: Decided = {
      mayBeCut,
      hasCome: false,
      joins: [],
      query: {
        ...{ source, rectangle },
        ...{ ahjIds: new Set(ahjIds), typeIds: new Set(typeIds) },
        hasCome: () => decided.hasCome,
        async join(options) {
          decided.joins.push(options);
          const cancelled = deferred<never>();
          onAbort(options.signal, () => cancelled.reject(new Failure("cancelled")));
          return Promise.race([end.promise, cancelled.promise]);
        },
        leave: () => void there.delete(decided.query),
      },
      answer: () => (end.resolve({ filled: [], undecided: new Set() }), settled()),
      tooLarge: (how) => (there.delete(decided.query), end.resolve({ tooLarge: how }), settled()),
      fail: (thrown) => (there.delete(decided.query), end.reject(thrown), settled()),
    };
    there.add(decided.query);
    made.push(decided);
    return decided.query;
  }

  const reading = {
    open,
    settleAnswered: vi.fn(async (query: Query) => {
      told.push(...names(open.takeOwn(query)));
    }),
    settleFailed: vi.fn(async (failing: readonly CellsOfAhj[], failure: Failure) => {
      told.push(...names(failing).map((name) => `${name}: ${failure.kind}`));
    }),
  };
  const onGrowth = (listener: () => void) => {
    growth.add(listener);
    return () => void growth.delete(listener);
  };
  const asked = () => made.filter(({ joins }) => joins.length > 0);
  return {
    ...{ open, there, made, told, reading, add, growth },
    asked,
    sizes: () =>
      asked().map(({ query: { rectangle } }) => rectangle.ahjIds.length * rectangle.typeIds.length),
    /** Makes the limit this large from now on. */
    async grow(to: MatrixLimit) {
      limit = to;
      for (const tell of growth) tell();
      await settled();
    },
    async start(options: ServiceOptions = {}) {
      let end = "under way";
      void askService(
        reading,
        {
          queries: {
            add,
            open: () => there,
            abandon: (query) => {
              if (!made.some((one) => one.query === query && one.joins.length > 0)) there.delete(query);
            },
          },
          size: { limit: () => limit, onGrowth } as never,
        },
        options,
      ).then(
        () => (end = "done"),
        (thrown: unknown) => (end = thrown instanceof Failure ? thrown.kind : String(thrown)),
      );
      await settled();
      return () => end;
    },
  };
}

const row = (count: number, source: Source = "matrix") =>
  Array.from({ length: count }, (_, at): Cell => [1, at + 1, source]);
/** A limit of one cell, so that no two cells share a request. */
const single: MatrixLimit = { cells: 1, mostCells: 1 };
const most = config.concurrentRequests;

describe("the cells that a reading reads", () => {
  it("are asked for by matrices and lists, and each cell is told", async () => {
    const { start, made, told } = world([...row(2), [2, 9, "data-points"]]);
    const giveUpAtMs = nowMs + 60_000;
    const end = await start({ urgent: true, giveUpAtMs });
    expect(made.map(({ query, mayBeCut }) => [query.source, query.rectangle, mayBeCut])).toEqual([
      ["data-points", { ahjIds: [2], typeIds: [9] }, false],
      ["matrix", { ahjIds: [1], typeIds: [1, 2] }, true],
    ]);
    expect(made[1]?.joins).toMatchObject([{ urgent: true, giveUpAtMs }]);
    await made[1]?.answer();
    expect([told, end()]).toEqual([["1/1", "1/2"], "under way"]);
    await made[0]?.answer();
    expect([told, end()]).toEqual([["1/1", "1/2", "2/9"], "done"]);
  });

  it("are none if no cell waits, also for an asker who has cancelled", async () => {
    const { start, made } = world([]);
    const end = await start({ signal: AbortSignal.abort() });
    expect([made, end()]).toEqual([[], "done"]);
  });

  it("are joined if they are under way, and only the rest is asked for", async () => {
    const { start, add, made, told, asked } = world(row(2));
    add("matrix", { ahjIds: [1, 7], typeIds: [2] }, true);
    add("matrix", { ahjIds: [7], typeIds: [2] }, true);
    const end = await start();
    expect(asked().map(({ query }) => query.rectangle)).toEqual([
      { ahjIds: [1, 7], typeIds: [2] },
      { ahjIds: [1], typeIds: [1] },
    ]);
    for (const one of made) await one.answer();
    expect([told, end()]).toEqual([["1/2", "1/1"], "done"]);
  });

  it("are asked for a few requests at a time, each when the gate lets it through", async () => {
    const { start, made, asked } = world(row(most + 2), single);
    const gates: (() => void)[] = [];
    const end = await start({ gate: () => new Promise((resolve) => gates.push(resolve)) });
    expect(asked()).toEqual([]);
    gates.shift()?.();
    await settled();
    expect(asked()).toHaveLength(1);
    while (gates.length > 0) gates.shift()?.();
    await settled();
    expect(asked()).toHaveLength(most);
    await made[3]?.answer();
    expect(asked()).toHaveLength(most);
    gates.shift()?.();
    await settled();
    expect(asked()).toHaveLength(most + 1);
    for (const one of made) {
      await one.answer();
      while (gates.length > 0) gates.shift()?.();
      await settled();
    }
    expect([asked().length, end()]).toEqual([most + 2, "done"]);
  });

  it("are all told when the reading is over, though more may be asked for before", async () => {
    const { start, made, grow, open, reading } = world(row(1));
    const telling = deferred<void>();
    reading.settleAnswered.mockImplementation((query) => (open.takeOwn(query), telling.promise));
    const end = await start();
    await made[0]?.answer();
    await grow({ cells: 200, mostCells: 200 });
    expect(end()).toBe("under way");
    telling.resolve();
    await settled();
    expect(end()).toBe("done");
  });
});

describe("a reading of which one query fails", () => {
  it("is over when the last of its cells is told, and asks for none of them again", async () => {
    const { start, made, grow, open, reading } = world(row(1));
    const telling = deferred<void>();
    reading.settleFailed.mockImplementation(() => telling.promise);
    const end = await start();
    await made[0]?.fail(new Failure("service-error"));
    await grow({ cells: 200, mostCells: 200 });
    expect([end(), open.isEmpty("matrix"), made.length]).toEqual(["under way", true, 1]);
    telling.resolve();
    await settled();
    expect(end()).toBe("done");
  });
});

describe("matrices that are larger than any that the service took", () => {
  it("wait until one of the others has shown that they pass, and that one is joined again", async () => {
    const { start, made, asked, sizes, grow, told } = world(row(6), { cells: 2, mostCells: 4 });
    const end = await start();
    expect(sizes()).toEqual([2]);
    await grow({ cells: 4, mostCells: 4 });
    expect(sizes()).toEqual([2, 4]);
    expect(asked()[0]?.joins).toHaveLength(2);
    for (const one of made) await one.answer();
    expect([told, end()]).toEqual([["1/1", "1/2", "1/3", "1/4", "1/5", "1/6"], "done"]);
  });

  it("are smaller if the first has shown nothing", async () => {
    const { start, made, asked, sizes } = world(row(6), { cells: 2, mostCells: 4 });
    await start();
    for (let at = 0; at < 3; at += 1) await asked()[at]?.answer();
    expect(sizes()).toEqual([2, 2, 2]);
    expect(made).toHaveLength(3);
  });

  it("replace the matrices that are not sent yet", async () => {
    const { start, asked, sizes, grow, there } = world(row(most + 4), single);
    await start();
    await grow({ cells: 4, mostCells: 4 });
    expect(sizes()).toEqual([...Array.from({ length: most }, () => 1), 4]);
    expect([...there]).toEqual(asked().map(({ query }) => query));
    await asked()[0]?.answer();
    expect(sizes()).toHaveLength(most + 1);
  });
});

describe("a matrix that is refused for its size", () => {
  it("is asked for in halves, however often the service says so", async () => {
    const { start, asked, sizes, told } = world(row(9));
    const end = await start();
    await asked()[0]?.tooLarge("surely");
    expect(sizes()).toEqual([9, 5, 4]);
    await asked()[1]?.tooLarge("surely");
    await asked()[2]?.answer();
    expect(sizes()).toEqual([9, 5, 4, 3, 2]);
    await asked()[3]?.tooLarge("surely");
    await asked()[4]?.answer();
    expect(sizes()).toEqual([9, 5, 4, 3, 2, 2, 1]);
    // A limit that the service itself states is no guess.
    expect(asked().map(({ mayBeCut }) => mayBeCut)).toEqual([true, true, true, true, true, true, false]);
    for (const one of asked()) await one.answer();
    expect([told.length, end()]).toEqual([9, "done"]);
  });

  it("is not made smaller by a refusal of a larger one", async () => {
    const { start, add, asked, sizes, made } = world([...row(8), [2, 1, "matrix"]], {
      cells: 4,
      mostCells: 4,
    });
    add("matrix", { ahjIds: [2], typeIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }, true);
    await start();
    expect(sizes()).toEqual([10, 4, 4]);
    await made[1]?.tooLarge("surely");
    await made[0]?.tooLarge("perhaps");
    await made[2]?.answer();
    expect(sizes().slice(3)).toEqual([1, 2, 2]);
    expect(asked().map(({ mayBeCut }) => mayBeCut)).toEqual([true, true, true, false, true, true]);
  });

  it("is halved only so often if nothing but a cut-off suggests that it is too large", async () => {
    const { start, asked, sizes } = world(row(12), { cells: 6, mostCells: 6 });
    await start();
    const halvings: boolean[] = [];
    for (const requests of [2, 4, 6]) {
      const together = asked().slice(-requests);
      halvings.push(together.every(({ mayBeCut }) => mayBeCut));
      // All queries of one plan that are cut off count as one halving.
      if (halvings[config.blindHalvings] === undefined) {
        await Promise.all(together.map((one) => one.tooLarge("perhaps")));
      }
    }
    expect(sizes()).toEqual([6, 6, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2]);
    expect(halvings).toEqual([true, true, false]);
  });

  it.each([
    [nowMs + config.requestTimeoutMs + 1, true],
    [nowMs + config.requestTimeoutMs, false],
  ])(
    "is tried again rather than halved if its asker would give up before the halves have answered",
    async (giveUpAtMs, mayBeCut) => {
      const { start, asked } = world(row(2));
      await start({ giveUpAtMs });
      expect(asked().map((one) => one.mayBeCut)).toEqual([mayBeCut]);
    },
  );
});

describe("a failure in a reading", () => {
  it.each([
    [new Failure("service-error"), "service-error"],
    [new TypeError("x"), "internal"],
  ])("is told to the cells of its request, while the others are answered", async (thrown, kind) => {
    const { start, asked, told } = world(row(most + 1), single);
    const end = await start();
    await asked()[1]?.fail(thrown);
    expect(told).toEqual([`1/2: ${kind}`]);
    expect(asked()).toHaveLength(most + 1);
    for (const one of asked()) await one.answer();
    expect(told).toEqual([`1/2: ${kind}`, "1/1", ...["1/3", "1/4", "1/5", "1/6", "1/7"]]);
    expect(end()).toBe("done");
  });

  it.each<[FormulaFailureKind, ServiceOptions]>([
    ["wrong-key", {}],
    ["no-rights", {}],
    ["service-error", { failFast: true }],
  ])(
    "that the other requests would meet as well (%s, %j) ends them all, and nothing more is asked",
    async (kind, options) => {
      const { start, asked, told, open } = world([...row(most + 1), [2, 9, "matrix"]], single);
      const end = await start(options);
      await asked()[0]?.answer();
      await asked()[2]?.fail(new Failure(kind));
      expect(end()).toBe("done");
      expect(asked()).toHaveLength(most + 1);
      const others = asked().slice(1);
      expect(others.map(({ joins }) => joins[0]?.signal?.aborted)).toEqual(others.map(() => true));
      const failed = ["1/3", "1/2", "1/4", "1/5", "1/6", "1/7", "2/9"].map((cell) => `${cell}: ${kind}`);
      expect(told).toEqual(["1/1", ...failed]);
      expect(open.isEmpty("matrix")).toBe(true);
    },
  );

  it.each(["rate-limited", "many-requests"] as const)(
    "that says that no more requests may be sent (%s) ends only what was not asked for",
    async (kind) => {
      const { start, asked, told } = world(row(most + 1), single);
      const end = await start();
      await asked()[1]?.fail(new Failure(kind));
      expect([told, end()]).toEqual([[`1/2: ${kind}`], "under way"]);
      for (const index of [0, 2, 3, 4, 5]) await asked()[index]?.answer();
      expect(asked()).toHaveLength(most);
      expect(told).toEqual([`1/2: ${kind}`, "1/1", "1/3", "1/4", "1/5", "1/6", `1/7: ${kind}`]);
      expect(end()).toBe("done");
    },
  );

  it("leaves the answers that had come by then, even unread ones: they have been paid for", async () => {
    const { start, asked, told } = world(row(3), single);
    const end = await start({ failFast: true });
    asked()[0]!.hasCome = true;
    await asked()[1]?.fail(new Failure("service-error"));
    expect([told, end()]).toEqual([["1/2: service-error"], "under way"]);
    await asked()[0]?.answer();
    expect([told, end()]).toEqual([["1/2: service-error", "1/1", "1/3: service-error"], "done"]);
  });

  it("that comes first is told to the cells that were not asked, even if another follows", async () => {
    const { start, asked, told } = world(row(most + 1), single);
    await start();
    void asked()[0]?.fail(new Failure("rate-limited"));
    await asked()[1]?.fail(new Failure("wrong-key"));
    expect(told).toEqual([
      "1/1: rate-limited",
      "1/2: wrong-key",
      ...["1/3", "1/4", "1/5", "1/6", "1/7"].map((cell) => `${cell}: rate-limited`),
    ]);
  });

  it("keeps earlier answers that are still being read", async () => {
    const { start, asked, told, open, reading } = world(row(3), single);
    const turn = deferred<void>();
    reading.settleAnswered.mockImplementation(async (query) => {
      await turn.promise;
      told.push(...names(open.takeOwn(query)));
    });
    const end = await start();
    await asked()[0]?.answer();
    await asked()[1]?.fail(new Failure("wrong-key"));
    expect([told, end()]).toEqual([["1/2: wrong-key"], "under way"]);
    turn.resolve();
    await settled();
    expect([told, end()]).toEqual([["1/2: wrong-key", "1/1", "1/3: wrong-key"], "done"]);
  });
});

describe("a reading that is cancelled", () => {
  it("gives the answers that had come by then, even unread ones", async () => {
    const { start, asked, told } = world(row(2), single);
    const stop = new AbortController();
    const end = await start({ signal: stop.signal });
    asked()[0]!.hasCome = true;
    stop.abort();
    await settled();
    expect([told, end()]).toEqual([[], "under way"]);
    await asked()[0]?.answer();
    expect([told, end()]).toEqual([["1/1"], "cancelled"]);
  });

  it("before anything is asked asks nothing", async () => {
    const { start, made } = world(row(1));
    const end = await start({ signal: AbortSignal.abort() });
    expect([made, end()]).toEqual([[], "cancelled"]);
  });

  it("ends its requests under way, and no cell is told anything", async () => {
    const { start, asked, told, open } = world(row(most + 1), single);
    const stop = new AbortController();
    const end = await start({ signal: stop.signal });
    stop.abort();
    await settled();
    expect([told, end()]).toEqual([[], "cancelled"]);
    expect(asked()).toHaveLength(most);
    expect(names(open.takeAll())).toHaveLength(most + 1);
  });

  it("by another user of the connection ends in the same way", async () => {
    const { start, asked, told } = world(row(most + 1), single);
    const end = await start();
    await asked()[0]?.fail(new Failure("cancelled"));
    expect([told, end()]).toEqual([[], "cancelled"]);
    expect(asked()).toHaveLength(most);
  });
});

it("a reading waits for no growth of the matrix size once it is over, however it ended", async () => {
  const { start, asked, growth } = world(row(most + 2), single);
  await start();
  expect(growth.size).toBe(1);
  await asked()[0]?.answer();
  for (let at = 1; at < most + 1; at += 1) await asked()[at]?.answer();
  expect(growth.size).toBe(1);
  await asked()[most + 1]?.fail(new Failure("wrong-key"));
  expect(growth.size).toBe(0);
});
