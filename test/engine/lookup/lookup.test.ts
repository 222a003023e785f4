import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Failure } from "../../../src/errors";
import type { Lookup } from "../../../src/engine/lookup/lookup";
import { limitsOf } from "../../reference-service/limits";
import { nationalAhjs } from "../../nation";
import { askOne, connected, countByPath, untilAborted } from "../../recorded-service";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-03-12T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The result of each cell of a sheet: the published text, or the kind of failure. */
async function ask(lookup: Lookup, cells: [geoid: string, typeId: number][], withinMs = 10_000) {
  const outcomes = Promise.all(
    cells.map(([geoid, typeId]) =>
      askOne(lookup, geoid, typeId).then(
        ({ cell }) => cell.value,
        (failure: Failure) => failure.kind,
      ),
    ),
  );
  await vi.advanceTimersByTimeAsync(withinMs);
  return outcomes;
}

/** geoIDs from all over the directory, so that no single page holds them all. */
async function spreadGeoids(count: number): Promise<string[]> {
  const ahjs = await nationalAhjs();
  const geoids = [...new Set(ahjs.flatMap(({ geoid }) => geoid ?? []))];
  const step = Math.floor(geoids.length / count);
  return geoids.filter((_, index) => index % step === 0).slice(0, count);
}

const types = [1001, 1003, 1019, 1030, 1034, 1045, 1049, 1050, 1055, 1057];

describe("one formula", () => {
  it("asks for its geoID, then for its value, and shows what the service says", async () => {
    const { lookup, requests, client } = connected("demo-national");
    const [value] = await ask(lookup, [["06001", 1003]]);
    expect(requests).toEqual(["GET /v1/geoid/06001", "POST /v1/reports/matrix"]);

    const { data: ahj } = await client.resolveGeoid({ geoid: "06001" });
    const { data } = await client.matrix({ ahj_ids: [ahj.id], data_point_type_ids: [1003] });
    expect(value).toBe(data.rows[0]?.values["1003"]?.value);
  });

  it("asks nothing the second time", async () => {
    const { lookup, requests } = connected("demo-national");
    const first = await ask(lookup, [["06001", 1003]]);
    const before = requests.length;
    expect(await ask(lookup, [["06001", 1003]])).toEqual(first);
    expect(requests).toHaveLength(before);
  });
});

describe("one recalculation", () => {
  it("of 2,000 formulas costs no more than the directory's pages and one matrix request", async () => {
    const geoids = await spreadGeoids(200);
    const { lookup, requests } = connected("demo-national");
    const cells = geoids.flatMap((geoid) => types.map((type): [string, number] => [geoid, type]));
    const outcomes = await ask(lookup, cells);

    const { data } = await connected("demo-national").client.listAhjs({ page: 1, page_size: 500 });
    expect(countByPath(requests)).toEqual({
      "GET /v1/ahjs": data.pagination.total_pages,
      "POST /v1/reports/matrix": 1,
    });
    expect(outcomes).toHaveLength(2_000);
    expect(outcomes.filter((outcome) => outcome !== "no-value").length).toBeGreaterThan(1_000);
  });

  it("resolves a few dozen geoIDs singly if the directory has more pages than that", async () => {
    const geoids = await spreadGeoids(20);
    const { lookup, requests } = connected("demo-national");
    await ask(
      lookup,
      geoids.map((geoid) => [geoid, 1003]),
    );
    const counts = countByPath(requests);
    expect(counts["GET /v1/ahjs"]).toBe(1);
    expect(counts["GET /v1/geoid/{geoid}"]).toBeLessThanOrEqual(20);
    expect(counts["POST /v1/reports/matrix"]).toBe(1);
  });

  it("asks the same question once, however often it stands in the sheet", async () => {
    const { lookup, requests } = connected("demo-national");
    const outcomes = await ask(lookup, Array<[string, number]>(500).fill(["06001", 1003]));
    expect(new Set(outcomes).size).toBe(1);
    expect(requests).toHaveLength(2);
  });

  it("settles every cell with its own reason", async () => {
    const { lookup } = connected("demo-west");
    const outcomes = await ask(lookup, [
      ["06001", 1003],
      ["48201", 1003],
      ["4899999", 1003],
      ["06001", 999_999],
    ]);
    expect(outcomes).toEqual([
      expect.any(String),
      "outside-subscription",
      "unknown-jurisdiction",
      "unknown-type",
    ]);
    expect(outcomes[0]).not.toMatch(/^[a-z-]+$/);
  });
});

describe("a geoID that two AHJs share", () => {
  it("is the entitled one with the lowest id, asked alone or among many", async () => {
    const { client } = connected("demo-national");
    const byGeoid = new Map<string, number[]>();
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { data } = await client.listAhjs({ page, page_size: 500 });
      pages = data.pagination.total_pages;
      for (const { id, geoid } of data.items) {
        if (geoid) byGeoid.set(geoid, [...(byGeoid.get(geoid) ?? []), id]);
      }
    }
    const shared = [...byGeoid].filter(([, ids]) => ids.length > 1).map(([geoid]) => geoid);
    expect(shared.length).toBeGreaterThanOrEqual(10);

    const alone = new Map<string, unknown>();
    for (const geoid of shared) {
      const { lookup } = connected("demo-west");
      const resolutions = await lookup.directory.resolve([geoid]);
      alone.set(geoid, idOrKind(resolutions.get(geoid)));
    }
    const { lookup } = connected("demo-west");
    await lookup.directory.load();
    const together = await lookup.directory.resolve(shared);
    for (const geoid of shared) expect(idOrKind(together.get(geoid))).toBe(alone.get(geoid));
    expect([...alone.values()].some((found) => typeof found === "number")).toBe(true);
  });
});

function idOrKind(resolution: { id: number } | Failure | undefined) {
  return resolution && ("id" in resolution ? resolution.id : resolution.kind);
}

describe("a service that refuses large matrices", () => {
  it.each([
    ["413", () => new Response("", { status: 413 })],
    [
      "422 about size",
      () => Response.json({ detail: [{ loc: ["body"], msg: "too many cells", type: "x" }] }, { status: 422 }),
    ],
    ["504", () => new Response("<html>", { status: 504 })],
  ])("with %s is asked for halves", async (_, refuse) => {
    const geoids = await spreadGeoids(40);
    const { lookup, requests } = connected("demo-national", {
      async intercept(request) {
        if (!request.url.endsWith("/matrix")) return undefined;
        const body = (await request.clone().json()) as { ahj_ids: unknown[]; data_point_type_ids: unknown[] };
        return body.ahj_ids.length * body.data_point_type_ids.length > 100 ? refuse() : undefined;
      },
    });
    await lookup.directory.load();
    requests.length = 0;
    const cells = geoids.flatMap((geoid) => types.map((type): [string, number] => [geoid, type]));
    const outcomes = await ask(lookup, cells);
    expect(outcomes.some((outcome) => outcome === "service-error" || outcome === "invalid-request")).toBe(
      false,
    );
    // Requests of 400, twice 200 and four times 100 cells.
    expect(countByPath(requests)).toEqual({ "POST /v1/reports/matrix": 7 });
  });
});

describe("a service that refuses a matrix for one unknown type", () => {
  it("is asked again without it, and the other cells are answered", async () => {
    const { lookup } = connected("demo-national", {
      async intercept(request) {
        if (!request.url.endsWith("/matrix")) return undefined;
        const body = (await request.clone().json()) as { data_point_type_ids: number[] };
        return body.data_point_type_ids.includes(999_999)
          ? Response.json({ detail: [{ loc: ["body"], msg: "unknown type", type: "x" }] }, { status: 422 })
          : undefined;
      },
    });
    const cells: [string, number][] = [
      ["06001", 1003],
      ["06001", 999_999],
    ];
    const [value, unknown] = await ask(lookup, cells);
    expect(unknown).toBe("unknown-type");
    expect(value).toBe((await ask(connected("demo-national").lookup, cells.slice(0, 1)))[0]);
  });
});

describe("a matrix that is cut off without a reason", () => {
  it.each([
    ["502", () => new Response("", { status: 502 }), "service-error"],
    ["a timeout", (request: Request) => untilAborted(request), "timeout"],
  ])("by %s every time is halved twice at most, and every cell is settled", async (_, answer, kind) => {
    const geoids = await spreadGeoids(40);
    const { lookup, requests } = connected("demo-national", {
      intercept: (request) => (request.url.endsWith("/matrix") ? answer(request) : undefined),
    });
    await lookup.directory.load();
    requests.length = 0;
    const cells = geoids.flatMap((geoid) => types.map((type): [string, number] => [geoid, type]));
    const outcomes = await ask(lookup, cells, 200_000);
    expect(new Set(outcomes)).toEqual(new Set([kind]));
    expect(requests.length).toBeLessThanOrEqual(1 + 2 + 4 * 4);
  });
});

describe("a matrix that fails once", () => {
  const cells = types.map((type): [string, number] => ["06001", type]);
  const matrixRequests = (requests: string[]) => requests.filter((request) => request.startsWith("POST"));

  it("with a 503 is sent again", async () => {
    let failures = 1;
    const { lookup, requests } = connected("demo-national", {
      intercept: (request) =>
        request.url.endsWith("/matrix") && failures-- > 0 ? new Response("", { status: 503 }) : undefined,
    });
    expect(await ask(lookup, cells)).not.toContain("service-error");
    expect(matrixRequests(requests)).toHaveLength(2);
  });

  it("with a timeout does not make all later matrices small", async () => {
    let failures = 1;
    const { lookup, requests } = connected("demo-national", {
      intercept: (request) =>
        request.url.endsWith("/matrix") && failures-- > 0 ? untilAborted(request) : undefined,
    });
    await ask(lookup, cells, 60_000);
    requests.length = 0;
    await ask(
      lookup,
      (await spreadGeoids(100)).map((geoid): [string, number] => [geoid, 1001]),
    );
    expect(matrixRequests(requests)).toHaveLength(1);
  });
});

describe("a cell's patience", () => {
  it("begins when the cell asks, not when its batch does", async () => {
    const { lookup } = connected("demo-national", {
      intercept: () => new Response("", { status: 429, headers: { "Retry-After": "40" } }),
    });
    const first = askOne(lookup, "06001", 1003).catch((failure: Failure) => failure.kind);
    await vi.advanceTimersByTimeAsync(1_000);
    const askedAtMs = Date.now();
    let settledAtMs = Infinity;
    const second = askOne(lookup, "06003", 1003).catch((failure: Failure) => {
      settledAtMs = Date.now();
      return failure.kind;
    });
    await vi.advanceTimersByTimeAsync(200_000);
    expect(await first).toBe("rate-limited");
    expect(await second).toBe("rate-limited");
    expect(settledAtMs - askedAtMs).toBeLessThanOrEqual(60_000);
  });

  it("is its own even if the pane waits for the same page without limit", async () => {
    const { lookup } = connected("demo-national", {
      intercept: () => new Response("", { status: 429, headers: { "Retry-After": "3600" } }),
    });
    void lookup.directory.load().catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    const cells: [string, number][] = [
      ["06001", 1003],
      ["06003", 1003],
    ];
    expect(await ask(lookup, cells, 60_000)).toEqual(["rate-limited", "rate-limited"]);
  });
});

describe("an answer that is known already", () => {
  it("does not wait behind a batch that is slow", async () => {
    let isSlow = false;
    const { lookup } = connected("demo-national", {
      intercept: (request) => (isSlow ? untilAborted(request) : undefined),
    });
    const [first] = await ask(lookup, [["06001", 1003]]);
    isSlow = true;
    void askOne(lookup, "06003", 1003).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await askOne(lookup, "06001", 1003)).cell.value).toBe(first);
  });
});

describe("when the service fails", () => {
  const cells: [string, number][] = [
    ["06001", 1003],
    ["06003", 1003],
  ];

  it.each([
    ["is down", () => Promise.reject(new TypeError("Failed to fetch")), "unreachable"],
    ["answers in HTML", () => new Response("<html>Welcome</html>"), "unexpected-answer"],
    ["answers in another shape", () => Response.json({ hello: "world" }), "unexpected-answer"],
    [
      "answers 200 with an error",
      () => Response.json({ response_type: "error", data: null }),
      "service-error",
    ],
    ["answers 500", () => new Response("", { status: 500 }), "service-error"],
    ["refuses the key", () => new Response("", { status: 401 }), "wrong-key"],
    ["gives the key no rights", () => Response.json({ error: "FORBIDDEN" }, { status: 403 }), "no-rights"],
  ])("every cell says so: it %s", async (_, answer, kind) => {
    const { lookup } = connected("demo-national", { intercept: answer });
    expect(await ask(lookup, cells)).toEqual([kind, kind]);
  });

  it("the next calculation tries again", async () => {
    let isDown = true;
    const { lookup } = connected("demo-national", {
      intercept: () => (isDown ? new Response("", { status: 500 }) : undefined),
    });
    expect(await ask(lookup, cells)).toEqual(["service-error", "service-error"]);
    isDown = false;
    expect(await ask(lookup, cells)).not.toContain("service-error");
  });
});

describe("a used-up request limit", () => {
  it("is waited for if it resets within a minute", async () => {
    const { lookup, requests } = connected("demo-national", { limits: limitsOf({ minute: 2 }) });
    await ask(lookup, [["06001", 1003]], 20_000);
    const [outcome] = await ask(lookup, [["06003", 1003]], 60_000);
    expect(outcome).not.toBe("rate-limited");
    // No request was refused: the answers say how much of the limit is left.
    expect(requests).toHaveLength(4);
  });

  it("fails the cell at once, with the reset's time, if it lasts longer", async () => {
    const { lookup } = connected("demo-national", { limits: limitsOf({ hour: 2 }) });
    await ask(lookup, [["06001", 1003]]);
    const failure = askOne(lookup, "06003", 1003).catch((thrown: Failure) => thrown);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await failure).toMatchObject({ kind: "rate-limited", untilMs: expect.any(Number) as number });
    expect(String(await failure)).toMatch(/It resets at \d/);
  });
});

describe("a cancelled formula", () => {
  it("that was the last of its batch to wait ends the batch's request, and the next batch does not wait for it", async () => {
    let isSlow = true;
    let ended = 0;
    const { lookup } = connected("demo-national", {
      intercept(request) {
        if (!isSlow || !request.url.endsWith("/matrix")) return undefined;
        isSlow = false;
        request.signal.addEventListener("abort", () => (ended += 1));
        return untilAborted(request);
      },
    });
    // Response bodies need turns of the event loop, which fake timers do not give.
    const oneSecond = async () => {
      for (let turn = 0; turn < 20; turn += 1) await vi.advanceTimersByTimeAsync(50);
    };
    const stop = new AbortController();
    const kindOf = (outcome: Promise<unknown>) => outcome.catch((failure: Failure) => failure.kind);
    const first = kindOf(askOne(lookup, "4899999", 1003));
    const last = kindOf(askOne(lookup, "06001", 1003, { signal: stop.signal }));
    await oneSecond();
    expect(await first).toBe("unknown-jurisdiction");

    let next: unknown;
    void askOne(lookup, "06003", 1003).then(({ cell }) => (next = cell.value));
    await oneSecond();
    expect([next, ended]).toEqual([expect.any(String), 0]);
    stop.abort();
    expect(await last).toBe("cancelled");
    await oneSecond();
    expect([next, ended]).toEqual([expect.any(String), 1]);
  });

  it("ends at once, and nothing is asked for it", async () => {
    const { lookup, requests } = connected("demo-national");
    const stop = new AbortController();
    const outcome = askOne(lookup, "06001", 1003, { signal: stop.signal }).catch(
      (failure: Failure) => failure.kind,
    );
    stop.abort();
    expect(await outcome).toBe("cancelled");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requests).toEqual([]);
  });
});
