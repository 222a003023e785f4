import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { openCache } from "../../../../src/engine/cache/cache";
import { createDisk } from "../../../../src/engine/cache/store";
import { Failure } from "../../../../src/errors";
import { runImport } from "../../../../src/workbook/imports/run/run-import";
import type { CellAnswer } from "../../../../src/engine/lookup/answers/kept-answers";
import type { WantedAnswers } from "../../../../src/engine/lookup/answers/request-plan";
import type { Lookup } from "../../../../src/engine/lookup/lookup";
import type { OldAnswers } from "../../../../src/engine/lookup/old-answers";
import { createService } from "../../../../reference-service/service";
// A script that is loaded on demand would arrive in real time, but these tests use fake time, so it is loaded here.
import "../../../../src/engine/lookup/search/did-you-mean";
import { IDBFactory } from "../../cache/database";
import { nationalAhjs } from "../../../nation";
import { askOne, connected, countByPath, type Interception } from "../../../recorded-service";

const dayMs = 86_400_000;

beforeEach(() => {
  // The fake IndexedDB uses setImmediate, so only clocks and timers are faked.
  vi.useFakeTimers({ now: new Date("2026-03-12T12:00:00Z"), toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const nation = await nationalAhjs();
const types = await connected("demo-national").lookup.catalogue.types();

/** Lets everything happen that waits for no timer, the stand-in for IndexedDB included. */
async function pass(ms = 1_000) {
  for (let turn = 0; turn < 40; turn += 1) {
    await vi.advanceTimersByTimeAsync(ms / 40);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function ask(lookup: Lookup, cells: [geoid: string, type: number | string][], withinMs = 2_000) {
  const outcomes = Promise.all(
    cells.map(([geoid, type]) =>
      askOne(lookup, geoid, type).then(
        ({ cell }) => cell.value,
        (failure: Failure) => failure.kind,
      ),
    ),
  );
  await pass(withinMs);
  return outcomes;
}

/** AHJs from all over the country, each with a geoID of its own. */
function someAhjs(count: number): Ahj[] {
  const step = Math.floor(nation.length / count);
  return nation.filter((_, index) => index % step === 0).slice(0, count);
}

const wantedOf = (ahjs: readonly Ahj[], typeCount: number) => {
  const typeIds = new Set(types.slice(0, typeCount).map((type) => type.id));
  return new Map(ahjs.map((ahj) => [ahj.id, typeIds]));
};

/** Notes the number of cells of each matrix that is sent. */
function recordMatrices() {
  const sizes: number[] = [];
  const intercept: Interception = async (request) => {
    if (!request.url.endsWith("/matrix")) return undefined;
    const body = (await request.clone().json()) as { ahj_ids: unknown[]; data_point_type_ids: unknown[] };
    sizes.push(body.ahj_ids.length * body.data_point_type_ids.length);
    return undefined;
  };
  return { sizes, intercept };
}

const cacheOn = (factory: IDBFactory, space = "one key") =>
  openCache(createDisk({ indexedDB: factory }), space);

describe("a matrix that is under way when a read gives up because of the limit", () => {
  it("is answered and taken: it is not asked for again", async () => {
    let answerHeld = () => {};
    const held = new Promise<void>((resolve) => (answerHeld = resolve));
    let matrices = 0;
    const { lookup } = connected("demo-national", {
      async intercept(request) {
        if (!request.url.endsWith("/matrix")) return undefined;
        matrices += 1;
        if (matrices === 2) return new Response("{}", { status: 429, headers: { "Retry-After": "600" } });
        await held;
        return undefined;
      },
    });
    const values = wantedOf(someAhjs(300), 100);
    const limited = { giveUpAtMs: Date.now() + 60_000 };
    const first = lookup.answers.read({ values }, limited);
    await pass(10_000);
    expect(matrices).toBe(2);
    answerHeld();
    await pass(10_000);
    const outcomes = (read: Awaited<typeof first>) =>
      [...values].flatMap(([ahjId, typeIds]) =>
        Array.from(typeIds, (typeId) => {
          const seen = read.see(ahjId, typeId);
          return seen instanceof Failure ? seen.kind : "value";
        }),
      );
    const counted = outcomes(await first);
    expect(counted.filter((kind) => kind !== "rate-limited").length).toBeGreaterThanOrEqual(10_000);
    expect(counted.filter((kind) => kind === "rate-limited").length).toBeGreaterThanOrEqual(10_000);
    const again = lookup.answers.read({ values });
    await pass(900_000);
    expect(outcomes(await again)).not.toContain("rate-limited");
    expect(matrices).toBe(3);
  });
});

describe("the size of a matrix", () => {
  it("doubles while the service accepts, and is remembered by the next session", async () => {
    const factory = new IDBFactory();
    const { sizes, intercept } = recordMatrices();
    const serviceFacts = cacheOn(factory).documents;
    const { lookup } = connected("demo-national", { intercept, dependencies: { serviceFacts } });
    const work = { values: wantedOf(someAhjs(1_000), 100) };
    expect(await lookup.answers.requestsFor(work)).toBe(3);
    await lookup.answers.read(work);
    expect(sizes).toEqual([20_000, 40_000, 40_000]);

    sizes.length = 0;
    const facts = cacheOn(factory).documents;
    await vi.waitFor(async () => expect((await facts.read(["matrix-size"])).size).toBe(1));
    const later = connected("demo-national", { intercept, dependencies: { serviceFacts: facts } });
    await later.lookup.answers.read(work);
    expect(sizes).toEqual([80_000, 20_000]);
  });

  it("stays where the service refused more, also after a restart", async () => {
    const factory = new IDBFactory();
    const { sizes, intercept } = recordMatrices();
    const options = { intercept, quirks: ["matrix-5000"] as const };
    const facts = cacheOn(factory);
    const { lookup } = connected("demo-national", {
      ...options,
      dependencies: { serviceFacts: facts.documents },
    });
    const work = { values: wantedOf(someAhjs(400), 50) };
    await lookup.answers.read(work);
    // Two sizes are refused, and then four requests of 5,000 cells are taken.
    expect(sizes).toEqual([20_000, 10_000, 10_000, 5_000, 5_000, 5_000, 5_000]);
    await facts.flushed();

    sizes.length = 0;
    const later = connected("demo-national", {
      ...options,
      dependencies: { serviceFacts: cacheOn(factory).documents },
    });
    await later.lookup.answers.read(work);
    expect(sizes).toEqual([5_000, 5_000, 5_000, 5_000]);
  });
});

describe("a service that limits something other than cells", () => {
  it("such as AHJs, is asked for fewer this time, and later again for as many cells as it takes", async () => {
    const { sizes, intercept } = recordMatrices();
    const { lookup } = connected("demo-national", {
      async intercept(request) {
        await intercept(request);
        if (!request.url.endsWith("/matrix")) return undefined;
        const { ahj_ids } = (await request.clone().json()) as { ahj_ids: unknown[] };
        return ahj_ids.length > 100 ? new Response("", { status: 413 }) : undefined;
      },
    });
    await lookup.answers.read({ values: wantedOf(someAhjs(150), 1) });
    expect(sizes).toEqual([150, 75, 75]);
    expect(await lookup.answers.requestsFor({ values: wantedOf(someAhjs(500), 40) })).toBe(1);
  });

  it("such as the rows of a page, is asked until every row has come", async () => {
    const service = createService();
    const { lookup } = connected("demo-national", {
      async intercept(request) {
        if (!request.url.endsWith("/matrix")) return undefined;
        const answer = (await (await service.fetch(request.clone())).json()) as {
          data: { rows: unknown[]; pagination?: object };
        };
        const total = answer.data.rows.length;
        answer.data.rows.length = Math.min(5, total);
        answer.data.pagination = { page: 1, page_size: 5, total, total_pages: Math.ceil(total / 5) };
        return Response.json(answer);
      },
    });
    const ahjs = someAhjs(10);
    const read = await lookup.answers.read({ values: wantedOf(ahjs, 3) });
    const kinds = ahjs.flatMap(({ id }) =>
      types.slice(0, 3).map((type) => {
        const answer = read.of(id, type.id);
        return answer instanceof Failure ? answer.kind : "value";
      }),
    );
    expect(new Set(kinds)).toEqual(new Set(["value", "no-value"]));
  });
});

describe("a question in flight", () => {
  it("is joined by an import, and by formulas", async () => {
    const { lookup, client, requests } = connected("demo-national");
    await lookup.directory.load();
    requests.length = 0;
    const ahjs = someAhjs(50).filter((ahj) => ahj.geoid !== null);
    const chosen = types.slice(0, 10);
    const first = runImport({ kind: "matrix", ahjs, types: chosen }, { client, lookup });
    await pass(10);
    const second = runImport({ kind: "matrix", ahjs, types: chosen }, { client, lookup });
    const formulas = ask(
      lookup,
      ahjs.map((ahj) => [ahj.geoid ?? "", chosen[0]?.id ?? 0]),
    );
    await Promise.all([first, second, formulas]);
    expect(countByPath(requests)).toEqual({ "POST /v1/reports/matrix": 1 });
  });

  it("goes on for the others when one of the askers cancels", async () => {
    const { lookup, requests } = connected("demo-national");
    const stop = new AbortController();
    const work = { values: wantedOf(someAhjs(10), 5) };
    const first = lookup.answers
      .read(work, { signal: stop.signal })
      .catch((failure: Failure) => failure.kind);
    const second = lookup.answers.read(work);
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await first).toBe("cancelled");
    const [ahj] = someAhjs(10);
    const alone = await connected("demo-national").lookup.answers.read(work);
    const shown = ({ of }: Awaited<typeof second>) => {
      const answer = of(ahj?.id ?? 0, types[0]?.id ?? 0);
      return answer instanceof Failure ? answer.kind : answer.cell.value;
    };
    expect(shown(await second)).toBe(shown(alone));
    expect(requests).toHaveLength(1);
  });

  it("about a cell is stopped when the cell is cancelled", async () => {
    let isAborted = false;
    const { lookup } = connected("demo-national", {
      intercept: (request) =>
        new Promise(() => request.signal.addEventListener("abort", () => (isAborted = true))),
    });
    const stop = new AbortController();
    const outcome = askOne(lookup, "06001", 1003, { signal: stop.signal }).catch(
      (failure: Failure) => failure.kind,
    );
    await pass(100);
    stop.abort();
    expect(await outcome).toBe("cancelled");
    await pass(10);
    expect(isAborted).toBe(true);
  });
});

describe("answers on disk", () => {
  const cells: [string, number][] = [
    ["06001", 1003],
    ["06001", 1030],
    ["06003", 1003],
    ["06001", 999_999],
    ["99999", 1003],
  ];

  it("are there after a restart, absences too, and cost no request", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    const before = await ask(connected("demo-national", { dependencies: { cache } }).lookup, cells);
    await cache.flushed();
    const later = connected("demo-national", { dependencies: { cache: cacheOn(factory) } });
    expect(await ask(later.lookup, cells)).toEqual(before);
    expect(later.requests).toEqual([]);
  });

  it("are asked again when they are older than the user wants", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    await ask(connected("demo-national", { dependencies: { cache } }).lookup, cells);
    await cache.flushed();
    vi.setSystemTime(Date.now() + 3_600_000);
    const later = connected("demo-national", {
      dependencies: { cache: cacheOn(factory), maxAgeMs: () => 3_600_000 },
    });
    await ask(later.lookup, cells);
    expect(countByPath(later.requests)).toEqual({ "POST /v1/reports/matrix": 1 });
  });

  it("that are old are given as old, with their date, while the service can't be reached", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    const fetchedAtMs = Date.now();
    const [before] = await ask(connected("demo-national", { dependencies: { cache } }).lookup, cells);
    await cache.flushed();
    vi.setSystemTime(Date.now() + 3 * dayMs);
    let isDown = true;
    const told: (OldAnswers | null)[] = [];
    const { lookup } = connected("demo-national", {
      dependencies: { cache: cacheOn(factory), onOldAnswers: (old) => told.push(old) },
      intercept: () => (isDown ? new Response("", { status: 500 }) : undefined),
    });
    expect(await ask(lookup, cells.slice(0, 1))).toEqual([before]);
    expect(told).toEqual([{ count: 1, oldestMs: expect.any(Number) as number }]);
    expect(Math.abs((told[0]?.oldestMs ?? 0) - fetchedAtMs)).toBeLessThan(10_000);
    // An answer that is not in memory fails with the reason.
    expect(await ask(lookup, [["06001", 1049]])).toEqual(["service-error"]);
    isDown = false;
    expect(await ask(lookup, cells.slice(0, 1))).toEqual([before]);
    expect(told.at(-1)).toBeNull();
  });

  it("that are old are counted until each has been answered anew", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    await ask(connected("demo-national", { dependencies: { cache } }).lookup, cells);
    await cache.flushed();
    vi.setSystemTime(Date.now() + 3 * dayMs);
    let isDown = true;
    let told: OldAnswers | null = null;
    const { lookup } = connected("demo-national", {
      dependencies: { cache: cacheOn(factory), onOldAnswers: (old) => (told = old) },
      intercept: () => (isDown ? new Response("", { status: 500 }) : undefined),
    });
    await ask(lookup, cells.slice(0, 1));
    await ask(lookup, cells.slice(1, 2));
    expect(told).toMatchObject({ count: 2 });
    await ask(lookup, [["06001", 1049]]);
    expect(told).toMatchObject({ count: 2 });
    isDown = false;
    await ask(lookup, cells.slice(0, 1));
    expect(told).toMatchObject({ count: 1 });
    await ask(lookup, cells.slice(1, 2));
    expect(told).toBeNull();
  });

  it("that are old are reported even if nobody waits for the other answers that were asked with them", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    const before = connected("demo-national", { dependencies: { cache } });
    await ask(before.lookup, cells);
    await cache.flushed();
    const other = (await before.lookup.directory.list("TX")).ahjs[0];
    if (!other) throw new Error("the sample data have changed");
    vi.setSystemTime(Date.now() + 3 * dayMs);
    const told: (OldAnswers | null)[] = [];
    let answerDetail = () => {};
    const beforeDetail = new Promise<void>((resolve) => (answerDetail = resolve));
    const { lookup } = connected("demo-national", {
      dependencies: { cache: cacheOn(factory), onOldAnswers: (old) => told.push(old) },
      intercept: async ({ url }) => {
        if (/\/v1\/ahjs\/\d/.test(url)) await beforeDetail;
        else if (url.includes("/reports/matrix")) return new Response("", { status: 500 });
        return undefined;
      },
    });
    const detail = lookup.ask({ details: [other.id] });
    await ask(lookup, cells.slice(0, 1));
    answerDetail();
    await detail;
    await vi.waitFor(() => expect(told).toMatchObject([{ count: 1 }]));
  });

  it("that a clock ahead of time has dated are asked again", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    const nowMs = Date.now();
    vi.setSystemTime(nowMs + 365 * dayMs);
    await ask(connected("demo-national", { dependencies: { cache } }).lookup, cells);
    await cache.flushed();
    vi.setSystemTime(nowMs);
    const later = connected("demo-national", { dependencies: { cache: cacheOn(factory) } });
    await ask(later.lookup, cells.slice(0, 1));
    expect(later.requests.length).toBeGreaterThan(0);
    later.requests.length = 0;
    await ask(later.lookup, cells.slice(0, 1));
    expect(later.requests).toEqual([]);
  });

  it("never cross from one key to another", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory, "national");
    const [national] = await ask(connected("demo-national", { dependencies: { cache } }).lookup, [
      ["48201", 1003],
    ]);
    expect(national).not.toBe("outside-subscription");
    await cache.flushed();
    const west = connected("demo-west", { dependencies: { cache: cacheOn(factory, "west") } });
    expect(await ask(west.lookup, [["48201", 1003]])).toEqual(["outside-subscription"]);
  });

  it("of an AHJ are dropped when the service denies it", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    let isDenied = false;
    const { lookup } = connected("demo-national", {
      dependencies: { cache },
      intercept: (request) =>
        isDenied && request.url.endsWith("/matrix")
          ? Response.json({ response_type: "error", error: "AHJ_ACCESS_DENIED" }, { status: 403 })
          : undefined,
    });
    await ask(lookup, [["06001", 1003]]);
    isDenied = true;
    expect(await ask(lookup, [["06001", 1030]])).toEqual(["outside-subscription"]);
    // The earlier value is not shown any more either: it is asked for again.
    expect(await ask(lookup, [["06001", 1003]])).toEqual(["outside-subscription"]);
    await cache.flushed();
    const later = connected("demo-national", { dependencies: { cache: cacheOn(factory) } });
    expect(await ask(later.lookup, [["06001", 1003]])).toEqual(["outside-subscription"]);
    expect(later.requests).toEqual([]);
  });
});

describe("a type by its name", () => {
  it("is the type with this name, in whatever case", async () => {
    const { lookup, requests } = connected("demo-national");
    const type = types.find(({ id }) => id === 1003);
    const [byName, byId, inCapitals, wrong] = await ask(lookup, [
      ["06001", type?.name ?? ""],
      ["06001", 1003],
      ["06001", type?.name.toUpperCase() ?? ""],
      ["06001", `${type?.name} here`],
    ]);
    expect([byName, inCapitals, wrong]).toEqual([byId, byId, "unknown-type"]);
    expect(countByPath(requests)["GET /v1/data-points/types"]).toBe(1);
  });

  it("is looked up once for all names of a recalculation, even if the look-up fails", async () => {
    const { lookup, requests } = connected("demo-national", {
      intercept: (request) =>
        request.url.includes("/types") ? new Response("", { status: 500 }) : undefined,
    });
    const outcomes = await ask(
      lookup,
      Array.from({ length: 30 }, (_, index): [string, string] => ["06001", `Question ${index}`]),
    );
    expect(new Set(outcomes)).toEqual(new Set(["service-error"]));
    expect(countByPath(requests)["GET /v1/data-points/types"]).toBe(1);
  });

  it("that several types have is refused", async () => {
    const { lookup } = connected("demo-national", {
      intercept: (request) =>
        new URL(request.url).pathname === "/v1/data-points/types"
          ? Response.json({
              response_type: "success",
              data: {
                items: [1, 2].map((id) => ({ id, name: "Twin", unit_of_measure: "" })),
                pagination: { page: 1, page_size: 500, total: 2, total_pages: 1 },
              },
            })
          : undefined,
    });
    expect(await ask(lookup, [["06001", "Twin"]])).toEqual(["ambiguous-name"]);
  });
});

describe("the date of the last change", () => {
  it("comes with the value from the list of data points", async () => {
    const { lookup, client, requests } = connected("demo-national");
    const value = askOne(lookup, "06001", 1003, { dated: true });
    await pass();
    const { data } = await client.listDataPoints({
      ahj_ids: [(await value).ahj.id],
      data_point_type_ids: [1003],
      page: 1,
      page_size: 500,
    });
    expect((await value).cell.updatedAt).toBe(data.items[0]?.updated_at);
    expect((await value).cell.value).toBe(data.items[0]?.value);
    expect(requests.some((request) => request.includes("/matrix"))).toBe(false);
    requests.length = 0;
    // An answer that was read with its date also serves a question without the date.
    expect(await ask(lookup, [["06001", 1003]])).toEqual([data.items[0]?.value]);
    expect(requests).toEqual([]);
  });

  it("comes also if a matrix brings newer answers, without dates, while the lists are read", async () => {
    let lists = 0;
    const { lookup } = connected("demo-national", {
      intercept: async ({ url }) => {
        const isLaterList = url.includes("/data-points?") && (lists += 1) > 1;
        const delayMs = url.endsWith("/matrix") ? 2_000 : isLaterList ? 3_000 : 0;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        return undefined;
      },
    });
    const wanted = new Map(someAhjs(600).map(({ id }) => [id, new Set([1003])]));
    const plain = lookup.answers.read({ values: wanted });
    await pass(500);
    const dated = lookup.answers.read({ values: new Map(), dated: wanted });
    await pass(20_000);
    await plain;
    const { of } = await dated;
    expect(lists).toBeGreaterThan(1);
    const values = [...wanted.keys()].map((ahjId) => of(ahjId, 1003)).filter((answer) => "cell" in answer);
    expect(values.length).toBeGreaterThan(100);
    expect(values.filter(({ cell }) => cell.updatedAt === null)).toEqual([]);
  });

  it("is not asked for types that the service lacks, so that they make no other type fail", async () => {
    const { lookup, requests } = connected("demo-national", {
      intercept: (request) =>
        /data-points\?.*99999/.test(request.url)
          ? Response.json({ detail: [{ loc: ["query"], msg: "unknown type", type: "x" }] }, { status: 422 })
          : undefined,
    });
    const dated = (ids: number[]) => new Map(someAhjs(2).map((ahj) => [ahj.id, new Set(ids)]));
    const [{ id } = { id: 0 }] = someAhjs(2);
    const kinds = ({ of }: Awaited<ReturnType<typeof lookup.answers.read>>, ids: number[]) =>
      ids.map((typeId) => {
        const answer = of(id, typeId);
        return answer instanceof Failure ? answer.kind : answer.cell.value;
      });
    const plain = { values: dated([1003, 1030]) };
    const expected = kinds(await connected("demo-national").lookup.answers.read(plain), [1003, 1030]);

    const unknown = [999_998, 999_999];
    const none = await lookup.answers.read({ values: new Map(), dated: dated(unknown) });
    expect(kinds(none, unknown)).toEqual(["unknown-type", "unknown-type"]);
    expect(countByPath(requests)).toEqual({ "GET /v1/data-points/types": 1 });

    const all = [1003, 999_997, 1030];
    const some = await lookup.answers.read({ values: new Map(), dated: dated(all) });
    expect(kinds(some, all)).toEqual([expected[0], "unknown-type", expected[1]]);
    expect(expected).not.toContain("invalid-request");
    expect(countByPath(requests)).toEqual({ "GET /v1/data-points/types": 1, "GET /v1/data-points": 1 });
  });

  it("tells absences apart as the matrix does", async () => {
    const { lookup } = connected("demo-west");
    const ahjs = nation.filter((ahj) => ["06001", "48201"].includes(ahj.geoid ?? ""));
    const ids = new Set([1001, 1003, 1019, 1030, 1034, 999_999]);
    const wanted = new Map(ahjs.map((ahj) => [ahj.id, ids]));
    const dated = await lookup.answers.read({ values: new Map(), dated: wanted });
    const matrix = await connected("demo-west").lookup.answers.read({ values: wanted });
    const kindOrText = (answer: ReturnType<typeof dated.of>) =>
      answer instanceof Failure ? answer.kind : answer.cell.value;
    for (const { id } of ahjs) {
      for (const typeId of ids)
        expect(kindOrText(dated.of(id, typeId))).toBe(kindOrText(matrix.of(id, typeId)));
    }
  });
});

describe("a jurisdiction that the subscription leaves out", () => {
  const refusing: Interception = async (request) => {
    const isAsked = request.url.endsWith("/matrix") && (await request.clone().text()).includes("999999");
    return isAsked
      ? Response.json({ detail: [{ loc: ["body"], msg: "unknown type", type: "x" }] }, { status: 422 })
      : undefined;
  };

  it.each([
    ["leaves unknown types out", undefined],
    ["refuses a matrix with an unknown type", refusing],
  ])(
    "is named as such for every type, also for an unknown one, by a service that %s",
    async (_, intercept) => {
      const { lookup } = connected("demo-west", intercept ? { intercept } : {});
      const ahjs = nation.filter((ahj) => ["06001", "48201"].includes(ahj.geoid ?? ""));
      const { of } = await lookup.answers.read({
        values: new Map(ahjs.map(({ id }) => [id, new Set([1003, 999_999])])),
      });
      const kinds = ahjs.map(({ id }) =>
        [1003, 999_999].map((typeId) => {
          const answer = of(id, typeId);
          return answer instanceof Failure ? answer.kind : "value";
        }),
      );
      expect(Object.fromEntries(ahjs.map(({ geoid }, at) => [geoid, kinds[at]]))).toEqual({
        "06001": ["value", "unknown-type"],
        "48201": ["outside-subscription", "outside-subscription"],
      });
    },
  );
});

describe("formulas", () => {
  it("go before an import that is under way", async () => {
    const order: string[] = [];
    const { lookup } = connected("demo-national", {
      async intercept(request) {
        if (!request.url.endsWith("/matrix")) return undefined;
        const { ahj_ids } = (await request.clone().json()) as { ahj_ids: unknown[] };
        order.push(ahj_ids.length === 1 ? "formula" : "import");
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return undefined;
      },
      quirks: ["matrix-5000"],
    });
    await lookup.directory.load();
    const reading = lookup.answers.read({ values: wantedOf(someAhjs(1_000), 100) });
    await pass(5_000);
    const sentBefore = order.length;
    void askOne(lookup, "06001", 1003);
    await pass(20_000);
    await reading;
    expect(order.indexOf("formula")).toBeLessThanOrEqual(sentBefore + 1);
    expect(order.length).toBeGreaterThan(sentBefore + 6);
  });
});

describe("an address that is too long for a server on the way", () => {
  it.each([414, 431])(
    "with a %i is asked in halves: for data points, and for a collection",
    async (status) => {
      const { lookup, client, requests } = connected("demo-national", {
        intercept: (request) => (request.url.length > 400 ? new Response("", { status }) : undefined),
      });
      const plain = connected("demo-national");
      const dated = wantedOf(someAhjs(60), 4);
      const shown = async ({ answers }: Lookup) => {
        const read = await answers.read({ values: new Map(), dated });
        return [...dated].flatMap(([ahjId, typeIds]) =>
          [...typeIds].map((typeId) => {
            const answer = read.of(ahjId, typeId);
            return answer instanceof Failure ? answer.kind : answer.cell.value;
          }),
        );
      };
      expect(await shown(lookup)).toEqual(await shown(plain.lookup));
      expect(requests.length).toBeGreaterThan(2);

      // If only one of the two halves is denied, the other is not.
      const west = connected("demo-west", {
        intercept: (request) => (request.url.length > 400 ? new Response("", { status }) : undefined),
      });
      expect(await shown(west.lookup)).toEqual(await shown(connected("demo-west").lookup));

      const [collection] = await lookup.catalogue.collections();
      if (!collection) throw new Error("no collection");
      const question = { kind: "collection", ahjs: someAhjs(60), collection } as const;
      const halved = await runImport(question, { client, lookup });
      const whole = await runImport(question, plain);
      expect(halved.table).toEqual(whole.table);
    },
  );
});

describe("details of AHJs", () => {
  const [first, second] = someAhjs(2);
  const ids = [first?.id ?? 0, second?.id ?? 0];

  it("cost one request each, once, and the plan counts these requests", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    const { lookup, requests, client } = connected("demo-national", { dependencies: { cache } });
    const work = { values: wantedOf(someAhjs(2), 3), details: new Set(ids) };
    expect(await lookup.requestsFor(work)).toBe(3);
    const [details] = await Promise.all([lookup.details.read(ids), lookup.details.read(ids)]);
    expect(requests).toHaveLength(2);
    expect(await lookup.requestsFor(work)).toBe(1);
    expect(details.get(ids[0] ?? 0)).toEqual((await client.getAhj({ ahj_id: ids[0] ?? 0 })).data);
    await cache.flushed();

    const later = connected("demo-national", { dependencies: { cache: cacheOn(factory) } });
    expect(await later.lookup.details.read(ids)).toEqual(details);
    expect(later.requests).toEqual([]);
  });

  it.each([[], ["unknown-ahj-404"]] as const)(
    "of an AHJ that does not exist say so (quirks %s)",
    async (...quirks) => {
      const { lookup } = connected("demo-national", { quirks });
      const kind = (await lookup.details.read([999_999])).get(999_999);
      expect(kind instanceof Failure && kind.kind).toBe(
        quirks.length > 0 ? "unknown-jurisdiction" : "outside-subscription",
      );
    },
  );
});

describe("an answer that is processed in several turns", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** Makes each turn of the event loop as slow as that of a page that also serves its user. */
  function takeSlowTurns(ms = 50) {
    vi.useRealTimers();
    vi.stubGlobal("scheduler", { yield: () => new Promise((resolve) => setTimeout(resolve, ms)) });
    // The fake clock lets only a few jurisdictions into a turn, however fast the machine is.
    let nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 0.1));
  }

  /** Reads a matrix, and calls `tell` with the answers of each AHJ as soon as they are there. */
  function readAndTell(
    { answers }: Pick<Lookup, "answers">,
    values: WantedAnswers,
    tell: (answers: CellAnswer[]) => void,
  ) {
    const hold = answers.hold();
    const calls = [...values].map(([ahjId, typeIds]) => ({
      source: "matrix" as const,
      cells: Array.from(typeIds, (typeId) => ({ ahjId, typeId })),
    }));
    const read = answers.begin({ values }, calls, { hold });
    const telling = (async () => {
      for await (const arrived of read.arrivals) for (const { result } of arrived) tell(result);
    })();
    return Promise.all([read.whole, telling])
      .then(([whole]) => whole)
      .finally(hold.release);
  }

  it("is whole before anything is given back", async () => {
    takeSlowTurns();
    const { lookup, requests } = connected("demo-national");
    const ahjs = someAhjs(3_000);
    const read = await lookup.answers.read({ values: wantedOf(ahjs, 20) });
    const typeIds = types.slice(0, 20).map((type) => type.id);
    const undecided = ahjs.flatMap(({ id }) =>
      typeIds.filter((typeId) => {
        const answer = read.of(id, typeId);
        return answer instanceof Failure && answer.kind === "maybe-outside-subscription";
      }),
    );
    expect(undecided).toEqual([]);
    const sent = requests.length;
    await lookup.answers.read({ values: wantedOf(ahjs, 20) });
    expect(requests.length).toBe(sent);
  });

  it("is asked by nobody else meanwhile", async () => {
    takeSlowTurns();
    const { sizes, intercept } = recordMatrices();
    const { lookup } = connected("demo-national", { intercept });
    const work = { values: wantedOf(someAhjs(1_000), 20) };
    let [toldOfFirst, toldOfFirstWhenOtherBegan] = [0, 0];
    let other: ReturnType<typeof lookup.answers.read> | undefined;
    const begin = () => {
      toldOfFirstWhenOtherBegan = toldOfFirst;
      other = lookup.answers.read(work);
    };
    await readAndTell(lookup, work.values, ({ length }) => {
      if (toldOfFirst === 0) setTimeout(begin, 1);
      toldOfFirst += length;
    });
    const read = await other;
    expect(toldOfFirstWhenOtherBegan).toBeLessThan(20_000);
    expect(sizes).toEqual([20_000]);
    for (const [ahjId, typeIds] of work.values)
      for (const typeId of typeIds)
        expect(read?.of(ahjId, typeId)).not.toMatchObject({ kind: "maybe-outside-subscription" });
  });

  it("is processed in turns even if it failed", async () => {
    takeSlowTurns(0);
    const { lookup } = connected("demo-national", {
      intercept: (request) =>
        request.url.endsWith("/matrix") ? new Response("", { status: 401 }) : undefined,
    });
    let [told, turns] = [0, 0];
    const toldAtTurn: number[] = [];
    vi.stubGlobal("scheduler", {
      yield: () => {
        toldAtTurn[(turns += 1)] = told;
        return Promise.resolve();
      },
    });
    await readAndTell(lookup, wantedOf(someAhjs(3_000), 20), ({ length }) => void (told += length));
    expect(told).toBe(60_000);
    expect(toldAtTurn.filter((count) => count > 0 && count < 60_000).length).toBeGreaterThan(10);
  });

  it("is not taken back by a failure that ends the rest", async () => {
    takeSlowTurns();
    let matrices = 0;
    let refuse = () => {};
    const isToldOfFirst = new Promise<void>((resolve) => (refuse = resolve));
    const { lookup } = connected("demo-national", {
      intercept(request) {
        if (!request.url.endsWith("/matrix") || (matrices += 1) === 1) return undefined;
        return isToldOfFirst.then(() => new Response("", { status: 401 }));
      },
    });
    const ahjs = someAhjs(2_000);
    const read = await readAndTell(lookup, wantedOf(ahjs, 20), ([answer]) => {
      if (!(answer instanceof Failure)) setTimeout(refuse, 1);
    });
    const typeIds = types.slice(0, 20).map((type) => type.id);
    const kinds = ahjs.flatMap(({ id }) =>
      typeIds.map((typeId) => {
        const answer = read.of(id, typeId);
        return answer instanceof Failure ? answer.kind : "value";
      }),
    );
    expect(matrices).toBe(2);
    expect(kinds.filter((kind) => kind === "wrong-key")).toHaveLength(20_000);
  });
});
