import { describe, expect, it, vi } from "vitest";
import type { DataPointType } from "../../../../src/engine/api/schemas";
import { Failure } from "../../../../src/errors";
import { askCollection, askMatrix } from "../../../../src/workbook/imports/refresh/ask-again";
import type { ImportProgress } from "../../../../src/workbook/imports/run/import-types";
import { connected, countByPath, type Interception } from "../../../recorded-service";

const types = await connected("demo-national").lookup.catalogue.types();
const { ahjs: texas } = await connected("demo-national").lookup.directory.list("TX");
const { ahjs: nevada } = await connected("demo-national").lookup.directory.list("NV");
const [first, second, third] = nevada.map(({ id }) => id) as [number, number, number];
const denied = texas[0]?.id ?? 0;
const [fee, code, deadline] = types as [DataPointType, DataPointType, DataPointType];

/** These AHJs, each with the types that are asked of it. */
const wants = (wanted: Record<number, number[]>) =>
  new Map(Object.entries(wanted).map(([ahjId, typeIds]) => [Number(ahjId), new Set(typeIds)]));

const kindOf = (outcome: unknown) => (outcome instanceof Failure ? outcome.kind : outcome);

describe("a matrix that is asked again", () => {
  it("gives the service's present answers, and shows its progress", async () => {
    const { lookup, client, requests } = connected("demo-west");
    const { data } = await client.matrix({
      ahj_ids: [first, second],
      data_point_type_ids: types.map(({ id }) => id),
    });
    const cell = (ahjId: number, typeId: number) =>
      data.rows.find(({ ahj }) => ahj.id === ahjId)?.values[typeId];
    const filled = types.filter(({ id }) => cell(first, id)?.value);
    const blank = types.find(({ id }) => !cell(first, id)?.value);
    const [some, other] = filled as [DataPointType, DataPointType];
    if (!blank) throw new Error("the sample has every value");
    const wanted = wants({ [first]: [some.id, other.id, blank.id], [denied]: [some.id], [second]: [9] });
    const steps: ImportProgress[] = [];
    const onProgress = (step: ImportProgress) => steps.push(step);
    for (const again of [1, 2]) {
      requests.length = 0;
      steps.length = 0;
      // An answer that came within this very millisecond counts as fresh, so it must grow older.
      await new Promise((resolve) => setTimeout(resolve, 5));
      const of = await askMatrix(wanted, lookup, { onProgress });
      expect(of(first, some.id)).toMatchObject({ value: cell(first, some.id)?.value });
      expect(of(first, other.id)).toMatchObject({ value: cell(first, other.id)?.value });
      expect(of(first, blank.id)).toBeNull();
      expect(kindOf(of(denied, some.id))).toBe("outside-subscription");
      expect(kindOf(of(second, 9))).toBe("unknown-type");
      expect(requests.length, `time ${again}`).toBeGreaterThan(0);
      expect(steps.at(-1)).toEqual({ phase: "fetching", done: 5, total: 5 });
    }
  });

  it("asks nothing more once a part of it fails", async () => {
    const { lookup, requests } = connected("demo-national", {
      async intercept(request) {
        if (!request.url.endsWith("/matrix")) return undefined;
        const { ahj_ids } = (await request.clone().json()) as { ahj_ids: number[] };
        if (ahj_ids.length > 2) return new Response("", { status: 413 });
        return new Response("", { status: 500 });
      },
    });
    const wanted = new Map(nevada.slice(0, 60).map(({ id }) => [id, new Set([fee.id])]));
    const of = await askMatrix(wanted, lookup, {});
    expect(() => of(first, fee.id)).toThrow(Failure);
    // There are thirty parts, and a few of them are under way at once.
    expect(requests.length).toBeLessThan(25);
  });
});

interface Point {
  ahjId: number;
  type: DataPointType;
  value: string | null;
}

/** A service whose second collection, "fees", selects these types and gives these values. */
function collectionGiving(
  points: readonly Point[],
  {
    asked = [fee.id, code.id],
    meanwhile,
    lost = 0,
    warnings = [],
  }: { asked?: number[]; meanwhile?: Interception; lost?: number; warnings?: unknown[] } = {},
) {
  const page = (items: unknown[], more: object = {}) =>
    Response.json({
      response_type: "success",
      description: "",
      data: {
        items,
        pagination: { page: 1, page_size: 500, total: items.length + lost, total_pages: 1 },
        ...more,
      },
      warnings,
    });
  const collection = (id: string, typeIds: number[]) => ({
    id,
    name: id,
    description: "",
    organization_id: "",
    data_point_type_ids: typeIds,
    category_ids: [],
    created_at: "2026-01-02T03:04:05Z",
    updated_at: "2026-01-02T03:04:05Z",
  });
  return connected("demo-national", {
    async intercept(request) {
      const { pathname } = new URL(request.url);
      const answer = await meanwhile?.(request);
      if (answer) return answer;
      if (pathname === "/v1/collections") {
        return page([
          collection(
            "another",
            types.map(({ id }) => id),
          ),
          collection("fees", asked),
        ]);
      }
      if (pathname !== "/v1/collections/fees/data") return undefined;
      const items = points.map(({ ahjId, type, value }) => ({
        id: ahjId * 10_000 + type.id,
        ahj: [...nevada, ...texas].find(({ id }) => id === ahjId),
        data_point_type: type,
        value,
        reference: "Code",
        section: "4",
        updated_at: "2026-01-02T03:04:05Z",
      }));
      return page(items, { collection_id: "fees", collection_name: "Fees" });
    },
  });
}

describe("a collection that is run again", () => {
  it("gives its values, with their citations and dates, and nothing for pairs without a value", async () => {
    const service = collectionGiving([
      { ahjId: first, type: fee, value: "$30" },
      { ahjId: first, type: code, value: null },
      { ahjId: second, type: code, value: "NEC" },
    ]);
    const steps: ImportProgress[] = [];
    const of = await askCollection(
      "fees",
      wants({ [first]: [fee.id, code.id], [second]: [fee.id], [third]: [fee.id] }),
      service,
      { onProgress: (step) => steps.push(step) },
    );
    const found = of(first, fee.id);
    expect(found).toMatchObject({
      value: "$30",
      reference: "Code",
      section: "4",
      updatedAt: "2026-01-02T03:04:05Z",
    });
    if (!found || found instanceof Failure) throw new Error("no value");
    expect(Math.abs(found.fetchedAtMs - Date.now())).toBeLessThan(60_000);
    expect([of(first, code.id), of(second, fee.id), of(third, fee.id)]).toEqual([null, null, null]);
    expect(steps.at(-1)).toEqual({ phase: "fetching", done: 3, total: 3 });
    // The answer says which AHJs it is about, and that the collection still selects every type.
    expect(service.lookup.directory.byId(second)?.name).toBe(nevada[1]?.name);
    expect(countByPath(service.requests)).toEqual({ "GET /v1/collections/fees/data": 1 });
    const ids = [first, second, third].join(",");
    expect(decodeURIComponent(service.requests[0] ?? "")).toContain(`ahj_ids=${ids}`);
  });

  it("says whether it still selects a type that it gives no value of", async () => {
    const of = await askCollection(
      "fees",
      wants({ [first]: [fee.id, code.id, deadline.id] }),
      collectionGiving([{ ahjId: first, type: fee, value: "$30" }]),
      {},
    );
    expect(kindOf(of(first, code.id))).toBeNull();
    expect(kindOf(of(first, deadline.id))).toBe("unknown-type");
  });

  it("names the jurisdictions that are denied, and does not ask about their types", async () => {
    const excluded = {
      code: "AHJ_ACCESS_DENIED",
      message: "1 AHJ excluded",
      excluded_ahj_ids: [denied],
    };
    const service = collectionGiving([{ ahjId: first, type: fee, value: "$30" }], { warnings: [excluded] });
    const wanted = wants({ [first]: [fee.id], [denied]: [fee.id, deadline.id] });
    const of = await askCollection("fees", wanted, service, {});
    expect(of(first, fee.id)).toMatchObject({ value: "$30" });
    expect(kindOf(of(denied, fee.id))).toBe("outside-subscription");
    expect(kindOf(of(denied, deadline.id))).toBe("outside-subscription");
    expect(countByPath(service.requests)).toEqual({ "GET /v1/collections/fees/data": 1 });
  });

  it("fails if a value that is counted does not come", async () => {
    const service = collectionGiving([{ ahjId: first, type: fee, value: "$30" }], { lost: 1 });
    await expect(askCollection("fees", wants({ [first]: [fee.id] }), service, {})).rejects.toMatchObject({
      kind: "unexpected-answer",
      detail: "A list changed while it was read.",
    });
  });

  it.each(["/v1/collections/fees/data", "/v1/collections"])(
    "is cancelled while %s is asked",
    async (path) => {
      const stop = new AbortController();
      const service = collectionGiving([{ ahjId: first, type: fee, value: "$30" }], {
        meanwhile(request) {
          if (new URL(request.url).pathname === path) stop.abort();
          return undefined;
        },
      });
      const wanted = wants({ [first]: [fee.id, code.id] });
      await expect(askCollection("fees", wanted, service, { signal: stop.signal })).rejects.toMatchObject({
        kind: "cancelled",
      });
    },
  );

  it("says until when the service makes it wait", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    try {
      let isLimited = true;
      const service = collectionGiving([{ ahjId: first, type: fee, value: "$30" }], {
        meanwhile() {
          if (!isLimited) return undefined;
          isLimited = false;
          return new Response("", { status: 429, headers: { "Retry-After": "5" } });
        },
      });
      const onWait = vi.fn<(untilMs: number) => void>();
      const run = askCollection("fees", wants({ [first]: [fee.id] }), service, { onWait });
      await vi.advanceTimersByTimeAsync(20_000);
      expect((await run)(first, fee.id)).toMatchObject({ value: "$30" });
      expect(onWait).toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });
});
