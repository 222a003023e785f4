import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ahj, Page } from "../../../../src/engine/api/schemas";
import { openCache } from "../../../../src/engine/cache/cache";
import { createDisk } from "../../../../src/engine/cache/store";
import { Failure } from "../../../../src/errors";
import type { Resolution } from "../../../../src/engine/lookup/directory/edition";
import { createService } from "../../../../reference-service/service";
import { IDBFactory, overwrite, storedRecords } from "../../cache/database";
import { nationalAhjs } from "../../../nation";
import { connected, countByPath, type Interception } from "../../../recorded-service";

beforeEach(() => {
  // The fake IndexedDB uses setImmediate, so only clocks and timers are faked.
  vi.useFakeTimers({ now: new Date("2026-03-12T12:00:00Z"), toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const nation = await nationalAhjs();

function geoidsOf(state: string, count: number): string[] {
  const geoids = nation.flatMap((ahj) => (ahj.state_code === state && ahj.geoid ? [ahj.geoid] : []));
  const step = Math.max(1, Math.floor(geoids.length / count));
  return [...new Set(geoids.filter((_, index) => index % step === 0))].slice(0, count);
}

const statePages = (state: string) =>
  Math.ceil(nation.filter((ahj) => ahj.state_code === state).length / 500);

function outcomes(resolutions: ReadonlyMap<string, Resolution>): Record<string, unknown> {
  return Object.fromEntries(
    [...resolutions].map(([geoid, found]) => [geoid, found instanceof Failure ? found.kind : found.id]),
  );
}

function cacheOn(factory: IDBFactory) {
  return openCache(createDisk({ indexedDB: factory }), "one key");
}

const noCollections: Interception = (request) =>
  new URL(request.url).pathname === "/v1/collections"
    ? Response.json({
        response_type: "success",
        data: { items: [], pagination: { page: 1, page_size: 500, total: 0, total_pages: 0 } },
      })
    : undefined;

describe("geoIDs of one state", () => {
  it("resolve through that state's pages", async () => {
    const { lookup, requests } = connected("demo-national");
    const resolutions = await lookup.directory.resolve(geoidsOf("TX", 1_000));
    expect([...resolutions.values()].every((found) => !(found instanceof Failure))).toBe(true);
    const filtered = requests.filter((request) => /state_code=TX/.test(request));
    expect(filtered).toHaveLength(statePages("TX"));
    expect(requests).toHaveLength(filtered.length + 1);
  });

  it("resolve through the filter, whatever its name is, which is found once", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    const { lookup, requests } = connected("demo-national", {
      quirks: ["other-filter-names"],
      dependencies: { cache },
    });
    await lookup.directory.resolve(geoidsOf("TX", 300));
    expect(requests.filter((request) => /\?states=TX/.test(request))).toHaveLength(statePages("TX"));
    expect(requests.filter((request) => /\?state(_code|_codes)?=TX/.test(request))).toHaveLength(3);
    await cache.flushed();

    const later = connected("demo-national", {
      quirks: ["other-filter-names"],
      dependencies: { cache: cacheOn(factory) },
    });
    await later.lookup.directory.resolve(geoidsOf("CA", 300));
    expect(later.requests.filter((request) => /state/.test(request))).toHaveLength(statePages("CA"));
    expect(later.requests.every((request) => !/state/.test(request) || /\?states=CA/.test(request))).toBe(
      true,
    );
  });

  it("resolve through all pages if no filter works", async () => {
    const { lookup, requests } = connected("demo-national", {
      async intercept(request) {
        const url = new URL(request.url);
        if (![...url.searchParams.keys()].some((name) => name.startsWith("state"))) return undefined;
        return Response.json(
          { detail: [{ loc: ["query"], msg: "unknown parameter", type: "x" }] },
          { status: 422 },
        );
      },
    });
    const resolutions = await lookup.directory.resolve(geoidsOf("TX", 300));
    expect([...resolutions.values()].every((found) => !(found instanceof Failure))).toBe(true);
    // One request for each of the filter's four possible names, and one for every page.
    expect(requests).toHaveLength(4 + Math.ceil(nation.length / 500));
  });

  it("give the same AHJs, whichever way they resolve", async () => {
    const geoids = geoidsOf("CA", 400);
    const byState = await connected("demo-west").lookup.directory.resolve(geoids);
    const { lookup } = connected("demo-west");
    await lookup.directory.load();
    expect(outcomes(await lookup.directory.resolve(geoids))).toEqual(outcomes(byState));
    for (const geoid of geoids.slice(0, 40)) {
      const alone = await connected("demo-west").lookup.directory.resolve([geoid]);
      expect(outcomes(alone)[geoid]).toBe(outcomes(byState)[geoid]);
    }
  });
});

describe("geoIDs that the directory lacks", () => {
  const foreign = geoidsOf("TX", 150);
  const invented = Array.from({ length: 150 }, (_, index) => `06${String(99_000 + index)}`);

  it("are told apart a hundred at a time through a collection", async () => {
    const { lookup, requests } = connected("demo-west");
    await lookup.directory.load();
    requests.length = 0;
    const resolutions = outcomes(await lookup.directory.resolve([...foreign, ...invented]));
    expect(foreign.map((geoid) => resolutions[geoid])).toEqual(foreign.map(() => "outside-subscription"));
    expect(invented.map((geoid) => resolutions[geoid])).toEqual(invented.map(() => "unknown-jurisdiction"));
    expect(requests.length).toBeLessThanOrEqual(4);
    expect(requests.every((request) => request.startsWith("GET /v1/collections"))).toBe(true);
  });

  it.each(["bare-warnings", "split-warnings", "unmatched-404"] as const)(
    "are told apart even if they are few, against the quirk %s too",
    async (quirk) => {
      const { lookup } = connected("demo-west", { quirks: [quirk] });
      await lookup.directory.load();
      const few = [...foreign.slice(0, 5), ...invented.slice(0, 5)];
      expect(Object.values(outcomes(await lookup.directory.resolve(few))).sort()).toEqual([
        ...Array<string>(5).fill("outside-subscription"),
        ...Array<string>(5).fill("unknown-jurisdiction"),
      ]);
    },
  );

  it("are asked for one by one if there are no collections", async () => {
    const { lookup } = connected("demo-west", {
      intercept: (request) =>
        request.url.includes("/v1/collections")
          ? Response.json({ response_type: "error", error: "NOT_IN_PLAN" }, { status: 403 })
          : undefined,
    });
    await lookup.directory.load();
    const few = [...foreign.slice(0, 5), ...invented.slice(0, 5)];
    expect(new Set(Object.values(outcomes(await lookup.directory.resolve(few))))).toEqual(
      new Set(["outside-subscription", "unknown-jurisdiction"]),
    );
  });

  it("are not called denied if a warning only counts the unmatched", async () => {
    const service = createService();
    const { lookup } = connected("demo-west", {
      async intercept(request) {
        if (!request.url.includes("/data?")) return undefined;
        const answer = (await (await service.fetch(request.clone())).json()) as {
          warnings?: { unmatched_geoids: string[] }[];
        };
        for (const warning of answer.warnings ?? []) warning.unmatched_geoids = [];
        return Response.json(answer);
      },
    });
    await lookup.directory.load();
    const resolutions = outcomes(
      await lookup.directory.resolve([...foreign.slice(0, 30), ...invented.slice(0, 30)]),
    );
    expect(invented.slice(0, 30).map((geoid) => resolutions[geoid])).not.toContain("outside-subscription");
  });

  it("stay undecided if they are many and there is no collection", async () => {
    const { lookup } = connected("demo-west", { intercept: noCollections });
    await lookup.directory.load();
    const resolutions = outcomes(await lookup.directory.resolve([...foreign, ...invented]));
    expect(new Set(Object.values(resolutions))).toEqual(new Set(["unresolved-jurisdiction"]));
    // Only one of the invented geoIDs is asked for.
    const [one = ""] = invented;
    expect(outcomes(await lookup.directory.resolve([one]))).toEqual({ [one]: "unknown-jurisdiction" });
  });

  it("that are denied are checked against their own state's list, not the whole directory", async () => {
    const { lookup, requests } = connected("demo-west");
    const [one = ""] = foreign;
    expect(outcomes(await lookup.directory.resolve([one]))).toEqual({ [one]: "outside-subscription" });
    // Page 1 of the whole list, the state's empty page, and another state's page, which proves that the filter works.
    expect(countByPath(requests)).toEqual({ "GET /v1/geoid/{geoid}": 1, "GET /v1/ahjs": 3 });
  });
});

describe("the directory on disk", () => {
  it.each([
    ["at once", []],
    ["after one of its geoIDs", ["32003"]],
  ])("that another workbook writes has all AHJs of a state, asked for %s", async (_, geoids) => {
    const factory = new IDBFactory();
    const { lookup, requests } = connected("demo-national", { dependencies: { cache: cacheOn(factory) } });
    // This geoID belongs to no state, so the whole directory is looked for on disk, in vain.
    await lookup.directory.resolve(["99999"]);
    const other = cacheOn(factory);
    await connected("demo-national", { dependencies: { cache: other } }).lookup.directory.load();
    await other.flushed();
    requests.length = 0;

    await lookup.directory.resolve(geoids);
    const { ahjs, missing } = await lookup.directory.list("NV");
    const ofNevada = nation.filter((ahj) => ahj.state_code === "NV");
    expect(ofNevada.some((ahj) => ahj.geoid === null)).toBe(true);
    // Some AHJs with Nevada's geoIDs belong to another state.
    expect(nation.some((ahj) => ahj.geoid?.startsWith("32") && ahj.state_code !== "NV")).toBe(true);
    const idsOf = (list: readonly Ahj[]) => list.map(({ id }) => id).sort((one, other) => one - other);
    expect(idsOf(ahjs)).toEqual(idsOf(ofNevada));
    expect(missing).toBe(0);
    expect(requests).toEqual([]);
  });

  it("gives no list of a state if only a part of it is left", async () => {
    const factory = new IDBFactory();
    const other = cacheOn(factory);
    await connected("demo-national", { dependencies: { cache: other } }).lookup.directory.load();
    await other.flushed();
    const { lookup, requests } = connected("demo-national", { dependencies: { cache: cacheOn(factory) } });
    await lookup.directory.resolve(["32003"]);
    expect(requests).toEqual([]);
    for (const record of await storedRecords(factory)) {
      if (String(record.key).endsWith("ahjs whole CA")) await overwrite(factory, record, "spoilt");
    }
    const { ahjs } = await lookup.directory.list("NV");
    expect(ahjs).toHaveLength(nation.filter((ahj) => ahj.state_code === "NV").length);
    expect(requests.length).toBeGreaterThan(0);
  });

  it("is there after a restart, for a day", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    await connected("demo-west", { dependencies: { cache } }).lookup.directory.load();
    await cache.flushed();

    const later = connected("demo-west", { dependencies: { cache: cacheOn(factory) } });
    const { ahjs } = await later.lookup.directory.load();
    expect(later.requests).toEqual([]);
    expect(ahjs).toHaveLength(
      nation.filter((ahj: Ahj) => ["CA", "OR", "WA", "NV", "AZ"].includes(ahj.state_code)).length,
    );

    vi.setSystemTime(Date.now() + 86_400_000);
    const nextDay = connected("demo-west", { dependencies: { cache: cacheOn(factory) } });
    await nextDay.lookup.directory.load();
    expect(nextDay.requests.length).toBeGreaterThan(0);
  });

  it("is as old as its oldest page: pages of the morning and of the night are not one list", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    const { lookup, requests } = connected("demo-national", { dependencies: { cache } });
    const hours = (count: number) => vi.setSystemTime(Date.now() + count * 3_600_000);
    const pages = () => requests.filter((request) => request.includes("/v1/ahjs?page=")).length;
    await lookup.directory.resolve(["CA", "NY", "TX"].flatMap((state) => geoidsOf(state, 1)));
    expect(pages()).toBe(1);
    hours(23);
    await lookup.directory.load();
    expect(pages()).toBe(1 + Math.ceil(nation.length / 500));
    await cache.flushed();
    hours(23);
    const later = connected("demo-national", { dependencies: { cache: cacheOn(factory) } });
    await later.lookup.directory.load();
    expect(later.requests).toEqual([]);
    hours(1);
    const nextDay = connected("demo-national", { dependencies: { cache: cacheOn(factory) } });
    await nextDay.lookup.directory.load();
    expect(nextDay.requests.length).toBeGreaterThan(0);
  });

  it("keeps single geoIDs too, absences among them", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    const geoids = ["06001", "06ZZZ"];
    const first = await connected("demo-national", { dependencies: { cache } }).lookup.directory.resolve(
      geoids,
    );
    await cache.flushed();
    const later = connected("demo-national", { dependencies: { cache: cacheOn(factory) } });
    expect(outcomes(await later.lookup.directory.resolve(geoids))).toEqual(outcomes(first));
    expect(later.requests).toEqual([]);
  });

  it("of yesterday serves if the service can't be reached", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    await connected("demo-west", { dependencies: { cache } }).lookup.directory.load();
    await cache.flushed();
    vi.setSystemTime(Date.now() + 2 * 86_400_000);
    const later = connected("demo-west", {
      dependencies: { cache: cacheOn(factory) },
      intercept: () => new Response("", { status: 500 }),
    });
    const resolutions = outcomes(await later.lookup.directory.resolve(["06001"]));
    expect(resolutions["06001"]).toEqual(expect.any(Number));
    expect((await later.lookup.directory.load()).ahjs.length).toBeGreaterThan(1_000);
  });

  it("is read again by a workbook that has been open for a day", async () => {
    const { lookup, requests } = connected("demo-west");
    await lookup.directory.load();
    const before = requests.length;
    expect(lookup.directory.resolved("06001")).toBeDefined();
    vi.setSystemTime(Date.now() + 86_400_000);
    expect(lookup.directory.resolved("06001")).toBeUndefined();
    await lookup.directory.load();
    expect(requests).toHaveLength(2 * before);
  });
});

/** Changes the reference service's own answer. */
function changed(change: (url: URL, answer: { data: Page<Ahj> }) => unknown): Interception {
  const service = createService();
  return async (request) => {
    const url = new URL(request.url);
    if (url.pathname !== "/v1/ahjs") return undefined;
    const answer = (await (await service.fetch(request.clone())).json()) as { data: Page<Ahj> };
    const result = change(url, answer) ?? answer;
    return result instanceof Response ? result : Response.json(result);
  };
}

describe("a directory that stays short", () => {
  it("says how many AHJs it lacks, and still answers for a geoID that it lacks", async () => {
    const hidden = nation.find((ahj) => ahj.geoid === "06001");
    const { lookup } = connected("demo-west", {
      intercept: changed((_, { data }) => {
        data.items = data.items.filter((ahj) => ahj.id !== hidden?.id);
      }),
    });
    expect((await lookup.directory.load()).missing).toBe(1);
    expect(outcomes(await lookup.directory.resolve(["06001"]))).toEqual({ "06001": hidden?.id });
  });

  it("resolves all that it lists, however many are asked", async () => {
    const { lookup } = connected("demo-west", {
      intercept: changed((_, { data }) => {
        data.pagination.total += 1;
      }),
    });
    const geoids = geoidsOf("CA", 900);
    const resolutions = await lookup.directory.resolve([...geoids, ...geoidsOf("AZ", 100)]);
    expect([...resolutions.values()].every((found) => !(found instanceof Failure))).toBe(true);
  });

  it("because it shrinks while it is read is still read", async () => {
    const { lookup } = connected("demo-west", {
      intercept: changed((url) =>
        Number(url.searchParams.get("page")) > 2 ? new Response("", { status: 404 }) : undefined,
      ),
    });
    const { ahjs, missing } = await lookup.directory.load();
    expect(ahjs).toHaveLength(1_000);
    expect(missing).toBeGreaterThan(0);
  });
});

describe("a 404 without a word of the service", () => {
  it("does not pass for an unknown geoID, and is not kept", async () => {
    let isDown = true;
    const { lookup } = connected("demo-west", {
      intercept: () => (isDown ? new Response("<h1>No such route</h1>", { status: 404 }) : undefined),
    });
    const failure = (await lookup.directory.resolve(["06001"])).get("06001");
    expect(failure).toMatchObject({ kind: "not-found" });
    isDown = false;
    const found = nation.find((ahj) => ahj.geoid === "06001");
    expect(outcomes(await lookup.directory.resolve(["06001"]))).toEqual({ "06001": found?.id });
  });
});

describe("many geoIDs that no list shows", () => {
  it("of no state are not asked for one by one", async () => {
    const { lookup, requests } = connected("demo-national");
    await lookup.directory.resolve(Array.from({ length: 600 }, (_, index) => `99${10_000 + index}`));
    expect(countByPath(requests)["GET /v1/geoid/{geoid}"]).toBeUndefined();
  });

  it("of one state stay undecided if there is no collection, and are not asked for one by one", async () => {
    const { lookup, requests } = connected("demo-national", { intercept: noCollections });
    const invented = Array.from({ length: 400 }, (_, index) => `06${99_000 + index}`);
    const resolutions = await lookup.directory.resolve([...geoidsOf("CA", 100), ...invented]);
    expect(invented.every((geoid) => outcomes(resolutions)[geoid] === "unresolved-jurisdiction")).toBe(true);
    expect(countByPath(requests)["GET /v1/geoid/{geoid}"] ?? 0).toBeLessThanOrEqual(20);
  });
});

describe("a filter that seems to work", () => {
  it("because it gives an empty page is not believed", async () => {
    const { lookup, requests } = connected("demo-national", {
      intercept: changed((url, { data }) => {
        // The service filters only by the state's full name.
        if (!url.searchParams.has("state_code")) return undefined;
        return {
          response_type: "success",
          data: { items: [], pagination: { ...data.pagination, total: 0, total_pages: 0 } },
        };
      }),
    });
    const resolutions = await lookup.directory.resolve(geoidsOf("TX", 300));
    expect([...resolutions.values()].every((found) => !(found instanceof Failure))).toBe(true);
    expect(countByPath(requests)["GET /v1/geoid/{geoid}"]).toBeUndefined();
  });
});

describe("questions that several ask at the same time", () => {
  it("are asked once: a geoID, and the filter's name", async () => {
    const { lookup, requests } = connected("demo-national");
    await Promise.all([1, 2, 3].map(() => lookup.directory.resolve(["06001"])));
    expect(requests).toEqual(["GET /v1/geoid/06001"]);
    requests.length = 0;
    await Promise.all([1, 2].map(() => lookup.directory.resolve(geoidsOf("TX", 300))));
    expect(new Set(requests).size).toBe(requests.length);
  });

  it("are read from disk once", async () => {
    const factory = new IDBFactory();
    const cache = cacheOn(factory);
    await connected("demo-west", { dependencies: { cache } }).lookup.directory.load();
    await cache.flushed();
    const { lookup, requests } = connected("demo-west", { dependencies: { cache: cacheOn(factory) } });
    await Promise.all([1, 2].map(() => lookup.directory.resolve(geoidsOf("CA", 700))));
    expect(requests).toEqual([]);
  });
});
