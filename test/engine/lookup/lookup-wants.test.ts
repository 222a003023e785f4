import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../../src/engine/api/client";
import type { Ahj } from "../../../src/engine/api/schemas";
import { Failure, type FormulaFailureKind } from "../../../src/errors";
import { createLookup, type LookedUp, type Wants } from "../../../src/engine/lookup/lookup";
import type { OldAnswers } from "../../../src/engine/lookup/old-answers";
import type { ExchangeOptions } from "../../../src/engine/transport/exchange";
import { ahj, listOf, matrixOf, unread, type } from "./answers/played-answers";

const nowMs = Date.UTC(2026, 2, 12);
const hourMs = 3_600_000;
beforeEach(() => void vi.useFakeTimers({ now: nowMs, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** The geoID of AHJ 1, 2 and so on. */
const geoidOf = (id: number) => `06${String(id).padStart(5, "0")}`;
const listed = (id: number): Ahj => ({ ...ahj(id), geoid: geoidOf(id) });
const detailOf = (id: number) => ({
  ...listed(id),
  ...{ state_name: "California", county: `County ${id}`, population: id, lat: 1, lon: 2 },
});
const date = "2026-01-02T00:00:00Z";

interface Service {
  /** The failure of a request, which is given as `geoid`, `detail`, `matrix`, `data-points` or `types` and its arguments. */
  fails?: (request: string) => FormulaFailureKind | undefined;
  denied?: readonly number[];
}

/** A lookup over a service of 99 AHJs in one page and 20 types; `asked` notes the service's requests. */
function world({ fails, denied = [] }: Service = {}) {
  const asked: string[] = [];
  const given: ExchangeOptions[] = [];
  const ask = (request: string, options: ExchangeOptions = {}) => {
    if (options.keptOnly) throw new Failure("not-asked");
    asked.push(request);
    given.push(options);
    const kind = fails?.(request);
    if (kind) throw new Failure(kind, kind === "not-found" ? { detail: "Nobody." } : {});
  };
  const page = { page: 1, page_size: 500, total_pages: 1 };
  const client = {
    async resolveGeoid({ geoid }: { geoid: string }, options?: ExchangeOptions) {
      ask(`geoid ${geoid}`, options);
      return { data: detailOf(Number(geoid.slice(2))) };
    },
    async getAhj({ ahj_id }: { ahj_id: number }, options?: ExchangeOptions) {
      ask(`detail ${ahj_id}`, options);
      return { data: detailOf(ahj_id) };
    },
    async listAhjs(_: object, options?: ExchangeOptions) {
      ask("ahjs", options);
      const items = Array.from({ length: 99 }, (__, index) => listed(index + 1));
      return { data: { items, pagination: { ...page, total: 99 } } };
    },
    async listTypes(_: object, options?: ExchangeOptions) {
      ask("types", options);
      const items = Array.from({ length: 20 }, (__, index) => type(index + 1));
      return { data: { items, pagination: { ...page, total: 20 } }, warnings: [], atMs: Date.now() };
    },
    unreadMatrix: unread(async (args, options) => {
      ask(`matrix ${args.ahj_ids.join()} x ${args.data_point_type_ids.join()}`, options);
      const answer = matrixOf(args);
      answer.data.rows = answer.data.rows.filter((row) => !denied.includes(row.ahj.id));
      answer.data.data_point_types = answer.data.data_point_types.filter(({ id }) => id <= 20);
      answer.data.ahjs = answer.data.ahjs
        .filter(({ id }) => !denied.includes(id))
        .map(({ id }) => listed(id));
      const warning = { code: "AHJ_ACCESS_DENIED", message: "", unmatched_geoids: [] };
      const warnings = denied.length > 0 ? [{ ...warning, excluded_ahj_ids: [...denied] }] : [];
      return { ...answer, warnings };
    }),
    async listDataPoints(args: Parameters<Client["listDataPoints"]>[0], options?: ExchangeOptions) {
      ask(`data-points ${args.ahj_ids?.join()} x ${args.data_point_type_ids?.join()}`, options);
      const answer = listOf(args);
      for (const item of answer.data.items) item.ahj = listed(item.ahj.id);
      return answer;
    },
  } as unknown as Client;
  const told: (OldAnswers | null)[] = [];
  const maxAge = { ms: hourMs };
  /** True if calls are collected. If they were not, a caller that waits for the batch would wait for ever. */
  const calls = { areGathered: true };
  const lookup = createLookup(client, {
    delay: () => (calls.areGathered ? Promise.resolve() : new Promise(() => undefined)),
    maxAgeMs: () => maxAge.ms,
    onOldAnswers: (old) => void told.push(old),
  });
  return { lookup, asked, given, told, maxAge, calls };
}

const outcome = (found: LookedUp) => ({
  values: found.values.map((answer) => (answer instanceof Failure ? answer.kind : answer.cell.value)),
  ahjs: found.ahjs.map((each) => (each instanceof Failure ? each.kind : each.id)),
  details: found.details.map((each) => (each instanceof Failure ? each.kind : each.county)),
  types: found.types.map((each) => each?.name ?? null),
  codes: found.codes.map((each) => (each instanceof Failure ? each.kind : each)),
});
const of = (wanted: Partial<ReturnType<typeof outcome>>) => ({
  ...{ values: [], ahjs: [], details: [], types: [], codes: [] },
  ...wanted,
});
const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "found",
    (failure: Failure) => failure.kind,
  );

describe("the result of one call", () => {
  it("has everything in the order asked: values, AHJs, details, types, by geoIDs, ids and names", async () => {
    const { lookup, asked } = world();
    const wants: Wants = {
      questions: [
        { ahj: geoidOf(2), type: "Type 9" },
        { ahj: 1, type: 8 },
        { ahj: geoidOf(2), type: 8 },
        { ahj: 1, type: "No such type" },
      ],
      ahjs: [1, geoidOf(2), 3],
      details: [geoidOf(2), 3],
      types: ["Type 9", 8, 19, "No such type"],
    };
    expect(outcome(await lookup.ask(wants))).toEqual({
      values: ["2/9", "1/8", "2/8", "unknown-type"],
      ahjs: [1, 2, 3],
      details: ["County 2", "County 3"],
      // The names were looked up in the list of all types.
      types: ["Type 9", "Type 8", "Type 19", null],
      codes: [],
    });
    // The look-up by geoID has already brought the AHJ's details.
    expect(asked).toEqual(["types", "geoid 0600002", "detail 3", "matrix 1,2 x 8,9"]);
    asked.length = 0;
    expect(lookup.directory.byId(3)).toMatchObject({ geoid: geoidOf(3) });
    expect(outcome(await lookup.ask({ ...wants, questions: [] })).details).toEqual(["County 2", "County 3"]);
    expect(asked).toEqual([]);
  });

  it("is a value without its date even if the date of the same cell, wanted by another call, can't be had", async () => {
    const { lookup } = world({
      fails: (request) => (request.startsWith("data-points") ? "unexpected-answer" : undefined),
    });
    const questions = [{ ahj: 1, type: 8 }];
    const [plain, dated] = await Promise.all([
      lookup.ask({ questions }),
      lookup.ask({ questions, dated: true }),
    ]);
    expect([outcome(plain).values, outcome(dated).values]).toEqual([["1/8"], ["unexpected-answer"]]);
  });

  it("is empty if nothing is wanted", async () => {
    const { lookup, asked } = world();
    expect(outcome(await lookup.ask({}))).toEqual(of({}));
    expect(outcome(await lookup.ask({ details: [] }))).toEqual(of({}));
    expect(asked).toEqual([]);
  });

  it("by ids only needs no list: the answers bring names and types", async () => {
    const { lookup, asked } = world();
    const wants = { questions: [{ ahj: 5, type: 3 }], ahjs: [5], types: [3, 4] };
    expect(outcome(await lookup.ask(wants))).toEqual(
      of({ values: ["5/3"], ahjs: [5], types: ["Type 3", null] }),
    );
    expect(asked).toEqual(["matrix 5 x 3"]);
    expect(outcome(await lookup.ask(wants))).toEqual(
      of({ values: ["5/3"], ahjs: [5], types: ["Type 3", null] }),
    );
    expect(asked).toEqual(["matrix 5 x 3"]);
  });

  it("with dates comes from the list that has them, and without from memory", async () => {
    const { lookup, asked } = world();
    const questions = [{ ahj: 5, type: 3 }];
    await lookup.ask({ questions });
    const [dated] = (await lookup.ask({ questions, dated: true })).values;
    expect(dated).toMatchObject({ cell: { value: "5/3", updatedAt: date } });
    expect(asked).toEqual(["matrix 5 x 3", "types", "data-points 5 x 3"]);
    await Promise.all([lookup.ask({ questions, dated: true }), lookup.ask({ questions })]);
    expect(asked).toHaveLength(3);
  });

  it("is settled for each call on its own, with shared wants asked once", async () => {
    const { lookup, asked } = world();
    const found = await Promise.all([
      lookup.ask({ questions: [{ ahj: 1, type: 8 }] }),
      lookup.ask({
        questions: [
          { ahj: 1, type: 8 },
          { ahj: 1, type: 9 },
        ],
      }),
      lookup.ask({ questions: [{ ahj: 2, type: 8 }], dated: true }),
      lookup.ask({ details: [7, 7] }),
      lookup.ask({ details: [7] }),
      lookup.ask({ ahjs: [8, 8] }),
      lookup.ask({ ahjs: [8] }),
    ]);
    expect(found.map(outcome)).toEqual([
      of({ values: ["1/8"] }),
      of({ values: ["1/8", "1/9"] }),
      of({ values: ["2/8"] }),
      of({ details: ["County 7", "County 7"] }),
      of({ details: ["County 7"] }),
      ...[of({ ahjs: [8, 8] }), of({ ahjs: [8] })],
    ]);
    expect(asked.toSorted()).toEqual([
      ...["data-points 2 x 8", "detail 7", "detail 8", "matrix 1 x 8,9", "types"],
    ]);
  });

  it("is asked for as urgent", async () => {
    const { lookup, given } = world();
    await lookup.ask({ questions: [{ ahj: geoidOf(1), type: "Type 8" }], details: [2] });
    expect(given).toHaveLength(4);
    for (const { urgent } of given) {
      expect(typeof urgent === "object" ? urgent.isUrgent() : urgent).toBe(true);
    }
  });
});

describe("a known answer", () => {
  it("is given without waiting for others: values, AHJs, types, and a failure, too", async () => {
    const { lookup, calls } = world({
      fails: (request) => (request === "geoid 0600066" ? "not-found" : undefined),
    });
    const wants = {
      questions: [
        { ahj: geoidOf(5), type: 3 },
        { ahj: 5, type: 3 },
      ],
      ahjs: [geoidOf(5), 5, geoidOf(66)],
      types: [3],
    };
    const before = outcome(
      await lookup.ask({ ...wants, questions: [...wants.questions, { ahj: geoidOf(66), type: 3 }] }),
    );
    expect(before).toEqual(
      of({
        values: ["5/3", "5/3", "unknown-jurisdiction"],
        ahjs: [5, 5, "unknown-jurisdiction"],
        types: ["Type 3"],
      }),
    );
    calls.areGathered = false;
    expect(outcome(await lookup.ask(wants))).toEqual(
      of({ values: ["5/3", "5/3"], ahjs: [5, 5, "unknown-jurisdiction"], types: ["Type 3"] }),
    );
  });

  it("does not serve a question by an unknown name, with a date or with new details, and not once it is too old", async () => {
    const { lookup, asked, maxAge } = world();
    const questions = [{ ahj: 5, type: 3 }];
    await lookup.ask({ questions, ahjs: [5] });
    asked.length = 0;
    for (const [wants, request] of [
      [{ questions: [{ ahj: 5, type: "Type 3" }] }, "types"],
      [{ types: ["Type 4"] }, undefined],
      [{ questions, dated: true }, "data-points 5 x 3"],
      [{ questions: [{ ahj: geoidOf(6), type: 3 }] }, "geoid 0600006"],
      [{ ahjs: [geoidOf(7)] }, "geoid 0600007"],
      [{ questions, ahjs: [9] }, "detail 9"],
      [{ questions, details: [10] }, "detail 10"],
    ] as [Wants, string | undefined][]) {
      asked.length = 0;
      const { values, ahjs, types } = outcome(await lookup.ask(wants));
      expect([...values, ...ahjs, ...types]).not.toContain(undefined);
      expect(asked[0]).toBe(request);
    }
    maxAge.ms = 0;
    asked.length = 0;
    await lookup.ask({ questions });
    expect(asked).toEqual(["matrix 5 x 3"]);
    vi.setSystemTime(nowMs + 24 * hourMs);
    asked.length = 0;
    await lookup.ask({ ahjs: [5] });
    expect(asked).toEqual(["detail 5"]);
  });

  it("is all that a call gets if nothing may be sent", async () => {
    const { lookup, asked, told } = world();
    const questions = [{ ahj: 5, type: 3 }];
    expect(outcome(await lookup.ask({ questions, ahjs: [geoidOf(5)] }, { keptOnly: true }))).toEqual(
      of({ values: ["not-asked"], ahjs: ["not-asked"] }),
    );
    await lookup.ask({ questions });
    vi.setSystemTime(nowMs + hourMs);
    asked.length = 0;
    expect(outcome(await lookup.ask({ questions }, { keptOnly: true }))).toEqual(of({ values: ["5/3"] }));
    expect(asked).toEqual([]);
    // No failure to reach the service is reported, since it was not asked.
    expect(told).toEqual([]);
  });
});

describe("a jurisdiction or type that can't be had", () => {
  it("says why in each place, and leaves the others", async () => {
    const { lookup } = world({
      denied: [4],
      fails: (request) =>
        ({ "geoid 0600066": "not-found", "geoid 0600067": "wrong-key", "detail 12": "not-found" } as const)[
          request
        ],
    });
    const wants: Wants = {
      questions: [
        ...[geoidOf(66), geoidOf(67), 4, 5].map((each) => ({ ahj: each, type: 3 })),
        { ahj: 5, type: 999 },
      ],
      ahjs: [geoidOf(66), 4, 12, 5],
      details: [geoidOf(66), 12],
    };
    expect(outcome(await lookup.ask(wants))).toEqual(
      of({
        values: ["unknown-jurisdiction", "wrong-key", "outside-subscription", "5/3", "unknown-type"],
        ahjs: ["unknown-jurisdiction", "outside-subscription", "unknown-jurisdiction", 5],
        details: ["unknown-jurisdiction", "unknown-jurisdiction"],
      }),
    );
  });

  it("is not asked for if an answer has called it outside the subscription", async () => {
    const { lookup, asked } = world({ denied: [4] });
    await lookup.ask({ questions: [{ ahj: 4, type: 3 }], ahjs: [4] });
    expect(asked).toEqual(["matrix 4 x 3"]);
  });

  it("has a failing catalogue's reason for names only", async () => {
    const { lookup } = world({ fails: (request) => (request === "types" ? "service-error" : undefined) });
    const wants = { questions: ["Type 3", 4].map((each) => ({ ahj: 5, type: each })), types: ["Type 3", 4] };
    expect(outcome(await lookup.ask(wants))).toEqual(
      of({ values: ["service-error", "5/4"], types: [null, "Type 4"] }),
    );
  });

  it("is cancelled for the one call that cancels, before anything is sent or after", async () => {
    const { lookup, asked } = world();
    const questions = [{ ahj: 5, type: 3 }];
    expect(await kindOf(lookup.ask({ questions }, { signal: AbortSignal.abort() }))).toBe("cancelled");
    const stop = new AbortController();
    const ends = [lookup.ask({ questions }, { signal: stop.signal }), lookup.ask({ questions })].map(kindOf);
    stop.abort();
    expect(await Promise.all(ends)).toEqual(["cancelled", "found"]);
    expect(asked).toEqual(["matrix 5 x 3"]);
    const kept = lookup.ask(
      { questions: [{ ahj: 6, type: 3 }] },
      { keptOnly: true, signal: AbortSignal.abort() },
    );
    expect(await kindOf(kept)).toBe("cancelled");
  });
});

describe("old answers", () => {
  /** Asks for some values; the cells have their answers before anything is reported. */
  const askingIn =
    (lookup: ReturnType<typeof world>["lookup"]) =>
    async (...ids: number[]) => {
      const found = await lookup.ask({ questions: ids.map((id) => ({ ahj: id, type: 3 })) });
      await new Promise((resolve) => setImmediate(resolve));
      return outcome(found).values;
    };

  it("are reported with their number and the oldest one's time, until each is new again", async () => {
    let isDown = false;
    const { lookup, told } = world({ fails: () => (isDown ? "unreachable" : undefined) });
    const ask = askingIn(lookup);
    await ask(1);
    vi.setSystemTime(nowMs + 60_000);
    await ask(2, 3);
    expect(told).toEqual([]);
    vi.setSystemTime(nowMs + 2 * hourMs);
    isDown = true;
    expect(await ask(2, 3)).toEqual(["2/3", "3/3"]);
    expect(told).toEqual([{ count: 2, oldestMs: nowMs + 60_000 }]);
    expect(await ask(1, 99)).toEqual(["1/3", "unreachable"]);
    expect(told.slice(1)).toEqual([{ count: 3, oldestMs: nowMs }]);
    expect(await ask(98)).toEqual(["unreachable"]);
    expect(told).toHaveLength(2);
    isDown = false;
    await ask(98);
    expect(told).toHaveLength(2);
    await ask(1);
    expect(told.slice(2)).toEqual([{ count: 2, oldestMs: nowMs + 60_000 }]);
    await ask(2, 3);
    expect(told.slice(3)).toEqual([null]);
    await ask(2, 3);
    expect(told).toHaveLength(4);
  });

  it("are no longer reported once an import has the service's answer for them", async () => {
    let isDown = false;
    const { lookup, told } = world({ fails: () => (isDown ? "unreachable" : undefined) });
    const ask = askingIn(lookup);
    await ask(1, 2, 3);
    vi.setSystemTime(nowMs + 2 * hourMs);
    isDown = true;
    await ask(1, 2, 3);
    expect(told).toEqual([{ count: 3, oldestMs: nowMs }]);
    isDown = false;
    await lookup.answers.read({ values: new Map([1, 2].map((id) => [id, new Set([3])])) });
    expect(told.slice(1)).toEqual([{ count: 1, oldestMs: nowMs }]);
    // A collection's values count as answers, too.
    const { data } = listOf({ ahj_ids: [3], data_point_type_ids: [3] });
    lookup.answers.learn(data.items, Date.now());
    expect(told.slice(2)).toEqual([null]);
    await ask(1, 2, 3);
    expect(told).toHaveLength(3);
  });

  it("of formulas that are gone are no longer reported once all formulas are recalculated", async () => {
    let isDown = false;
    const { lookup, told } = world({ fails: () => (isDown ? "unreachable" : undefined) });
    const ask = askingIn(lookup);
    await ask(1, 2);
    lookup.recalculating();
    expect(told).toEqual([]);
    vi.setSystemTime(nowMs + 2 * hourMs);
    isDown = true;
    await ask(1, 2);
    lookup.recalculating();
    expect(told.slice(1)).toEqual([null]);
    // The first county's formula was deleted; the other's answer is still old.
    await ask(2);
    expect(told.slice(2)).toEqual([{ count: 1, oldestMs: nowMs }]);
    isDown = false;
    lookup.recalculating();
    await ask(2);
    expect(told.slice(3)).toEqual([null]);
  });

  it("stay old if they would pass as new again, until the service gives a new answer", async () => {
    let isDown = false;
    const { lookup, told, maxAge } = world({ fails: () => (isDown ? "unreachable" : undefined) });
    const ask = askingIn(lookup);
    await ask(1);
    vi.setSystemTime(nowMs + 1);
    maxAge.ms = 0;
    isDown = true;
    await ask(1);
    maxAge.ms = hourMs;
    isDown = false;
    await ask(1, 2);
    expect(told.at(-1)).toEqual({ count: 1, oldestMs: nowMs });
    maxAge.ms = 0;
    await ask(1);
    expect(told.at(-1)).toBeNull();
  });
});

describe("the requests of a piece of work", () => {
  it("count details that are not known", async () => {
    const { lookup } = world();
    const work = { values: new Map([[1, new Set([8])]]), details: new Set([1, 2]) };
    expect(await lookup.requestsFor(work)).toBe(3);
    await lookup.ask({ questions: [{ ahj: 1, type: 8 }], details: [2] });
    expect(await lookup.requestsFor(work)).toBe(1);
    expect(await lookup.requestsFor({ values: new Map() })).toBe(0);
  });
});
