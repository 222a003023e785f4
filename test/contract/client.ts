/**
 * The client's checks: one for each statement of docs/interface.md that it must keep. Each gives the client answers as the page
 * describes them, and checks the requests that it sends.
 */
import { expect, vi } from "vitest";
import { createClient, type Arguments, type Client } from "../../src/engine/api/client";
import { readAll } from "../../src/engine/api/paged-list";
import { endpoints, stateFilters, type EndpointName } from "../../src/engine/api/endpoints";
import type { Warning } from "../../src/engine/api/schemas";
import { config } from "../../src/config";
import { Failure, type FailureKind } from "../../src/errors";
import { curatedLists } from "../../src/engine/lookup/catalogue/curated-types";
import { createTransport, type Transport } from "../../src/engine/transport/exchange";
import { askOne, connected } from "../recorded-service";
import type { Checks, ChecksByHeading } from "./page";

const baseUrl = "https://service.test/regulatory";
const key = "the-key";
const uuid = "3c1f6a52-0d8b-4b7e-9a64-51f0f2a8c001";
const organization = "8e2d9b10-7c4f-4a35-8f21-6b0c9d7e1002";

const ahj = { id: 7, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" };
const detail = {
  ...ahj,
  state_name: "California",
  county: "Alameda County",
  population: 8,
  lat: 37.6,
  lon: -121,
};
const type = {
  id: 1045,
  name: "Fee",
  description: "How much?",
  unit_of_measure: "USD",
  category_ids: [3, 4],
};
const value = {
  id: 70_001,
  ahj,
  data_point_type: type,
  value: "$18.50 per $1,000",
  reference: "Fee Schedule",
  section: "2.1",
  updated_at: "2026-03-01T12:00:00Z",
};
const uncited = { ...value, id: 70_002, reference: null, section: null };
const category = { id: 3, name: "Fees" };
const collection = {
  id: uuid,
  organization_id: organization,
  name: "Solar",
  description: "For the west",
  data_point_type_ids: [1045],
  category_ids: [3],
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-02-01T00:00:00Z",
};
const pagination = { page: 2, page_size: 1, total: 5, total_pages: 5 };
const page = (item: unknown) => ({ items: [item], pagination });
const results = { collection_id: uuid, collection_name: "Solar", items: [value], pagination };
const cell = { value: "$18.50", reference: null, section: null };
const matrix = {
  ahjs: [ahj],
  data_point_types: [type],
  rows: [{ ahj, values: { "1045": cell, "1046": null } }],
};
const csv = 'AHJ,State,"Fee, total"\r\nAlameda County,CA,$5\r\n';

/** An answer of each endpoint as docs/interface.md describes it; for a CSV file, its text. */
const data: Record<EndpointName, unknown> = {
  listAhjs: page(ahj),
  getAhj: detail,
  resolveGeoid: detail,
  listDataPoints: page(value),
  listTypes: page(type),
  listCategories: page(category),
  listUnits: page({ name: "USD" }),
  matrix,
  exportMatrix: csv,
  listCollections: page(collection),
  getCollection: collection,
  runCollection: results,
  exportCollection: csv,
  runCollectionForGeoid: results,
};

const paging = { page: 2, page_size: 1 };
const report = { ahj_ids: [7, 8], data_point_type_ids: [1045, 1046] };
const args: { [Name in EndpointName]: Arguments[Name] } = {
  listAhjs: paging,
  getAhj: { ahj_id: 7 },
  resolveGeoid: { geoid: "06001" },
  listDataPoints: { ...report, ...paging },
  listTypes: paging,
  listCategories: paging,
  listUnits: {},
  matrix: report,
  exportMatrix: report,
  listCollections: paging,
  getCollection: { collection_id: uuid },
  runCollection: { collection_id: uuid, ahj_ids: [7, 8], ...paging },
  exportCollection: { collection_id: uuid, ahj_ids: [7, 8] },
  runCollectionForGeoid: { geoid: "06001", collection_id: uuid, ...paging },
};

/** The request that each call, with the arguments of this test, must send. */
const requests: Record<EndpointName, string> = {
  listAhjs: "GET /v1/ahjs?page=2&page_size=1",
  getAhj: "GET /v1/ahjs/7",
  resolveGeoid: "GET /v1/geoid/06001",
  listDataPoints: "GET /v1/data-points?ahj_ids=7,8&data_point_type_ids=1045,1046&page=2&page_size=1",
  listTypes: "GET /v1/data-points/types?page=2&page_size=1",
  listCategories: "GET /v1/categories?page=2&page_size=1",
  listUnits: "GET /v1/units-of-measure",
  matrix: "POST /v1/reports/matrix",
  exportMatrix: "POST /v1/reports/export",
  listCollections: "GET /v1/collections?page=2&page_size=1",
  getCollection: `GET /v1/collections/${uuid}`,
  runCollection: `GET /v1/collections/${uuid}/data?ahj_ids=7,8&page=2&page_size=1`,
  exportCollection: `POST /v1/collections/${uuid}/export?ahj_ids=7,8`,
  runCollectionForGeoid: `GET /v1/geoid/06001/collections/${uuid}?page=2&page_size=1`,
};
const names = Object.keys(endpoints) as EndpointName[];

interface Told {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** A client whose service gives these answers in turn, and repeats the last one. */
function told(...answers: Told[]) {
  const sent: Request[] = [];
  const fetch = (async (input, init) => {
    sent.push(new Request(input, init));
    const { status = 200, headers = {}, body } = answers[Math.min(sent.length, answers.length) - 1]!;
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
  }) as typeof globalThis.fetch;
  const transport: Transport = createTransport({ baseUrl, key }, { fetch, random: () => 0.5 });
  return { sent, transport, client: createClient(transport) };
}

const success = (payload: unknown, rest: object = {}): Told => ({
  body: { response_type: "success", description: "Fine.", data: payload, ...rest },
});
const answerTo = (name: EndpointName): Told =>
  endpoints[name].answer === "csv"
    ? { headers: { "Content-Type": "text/csv" }, body: data[name] }
    : success(data[name]);

/** The answer about the AHJ of a geoID. */
const of = (geoid: string) => success({ ...detail, geoid });

const fileOf = (text: string) => ({ bytes: new TextEncoder().encode(text).buffer, charset: null });

type Result = { data: unknown; warnings: Warning[] };
const call = (client: Client, name: EndpointName, given: object = args[name]) =>
  (client[name] as (given: object) => Promise<Result>)(given);

/** The client's result for an answer of this endpoint, and the request that it sent to get it. */
async function asked(name: EndpointName, given?: object, answer = answerTo(name)) {
  const { client, sent } = told(answer);
  const result = await call(client, name, given);
  const [request] = sent;
  const { pathname, search } = new URL(request!.url);
  const line = `${request!.method} ${pathname.replace("/regulatory", "")}${search}`;
  return { ...result, request: request!, line };
}
const read = async (name: EndpointName, payload: unknown = data[name]) =>
  (await asked(name, undefined, success(payload))).data as Record<string, unknown>;
const firstOf = async (name: EndpointName, item: unknown) => (await read(name, page(item))).items as [object];

async function failure(name: EndpointName, answer: Told): Promise<Failure> {
  const thrown: unknown = await asked(name, undefined, answer).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Failure);
  return thrown as Failure;
}
async function expectKind(kind: FailureKind, answer: Told, ...of: EndpointName[]): Promise<void> {
  for (const name of of) expect((await failure(name, answer)).kind, name).toBe(kind);
}

const refusal = (status: number, error: string): Told => ({
  status,
  body: { response_type: "error", description: "No.", error, status_code: status },
});
const denied = refusal(403, "AHJ_ACCESS_DENIED");
const unknownGeoid = refusal(404, "GEOID_NOT_FOUND");
const invalid: Told = {
  status: 422,
  body: { detail: [{ loc: ["query", "page"], msg: "must be at least 1", type: "too_small" }] },
};
const warning: Warning = {
  code: "AHJ_ACCESS_DENIED",
  message: "Left out: 2 AHJs.",
  excluded_ahj_ids: [8, 9],
  unmatched_geoids: ["99999"],
};
const warned = async (name: EndpointName) =>
  asked(name, undefined, success(data[name], { warnings: [warning] }));

/** Each field of a record comes out as it was sent; without its kind of value the whole answer is refused. */
function fieldChecks(
  record: object,
  give: (record: object) => Promise<unknown>,
  fields: readonly string[] = Object.keys(record),
): Checks {
  return Object.fromEntries(
    fields.map((field) => [
      field,
      async () => {
        const sent = record as Record<string, unknown>;
        expect((await give(record)) as Record<string, unknown>).toHaveProperty([field], sent[field]);
        await expect(give({ ...sent, [field]: { no: "such thing" } })).rejects.toMatchObject({
          kind: "unexpected-answer",
        });
      },
    ]),
  );
}

/** The client sends the endpoint's method and path, and takes its answer. */
function served(name: EndpointName): Checks {
  return {
    [`\`${endpoints[name].method} ${endpoints[name].path}\``]: async () => {
      const { line, data: given } = await asked(name);
      expect(line).toBe(requests[name]);
      expect(given).toBeTruthy();
    },
  };
}

const withPaging = names.filter((name) => "page" in args[name]);
async function expectPaging(name: EndpointName): Promise<void> {
  const { line } = await asked(name);
  expect(line).toMatch(/[?&]page=2&page_size=1$/);
}

/** The pages that the client asks for to read a whole list of three. */
async function pagesAsked(): Promise<URLSearchParams[]> {
  const { client, sent } = told(
    ...[1, 2].map((number) =>
      success({
        items: [{ ...ahj, id: number }],
        pagination: { page: number, page_size: 1, total: 2, total_pages: 2 },
      }),
    ),
  );
  const { items } = await readAll((given) => client.listAhjs(given));
  expect(items.map(({ id }) => id)).toEqual([1, 2]);
  return sent.map(({ url }) => new URL(url).searchParams);
}

export const clientChecks: ChecksByHeading = {
  Terms: {
    "answers one type for one AHJ": async () => {
      expect(await firstOf("listDataPoints", value)).toEqual([value]);
      expect(await firstOf("listDataPoints", uncited)).toEqual([uncited]);
    },
    "combines no levels of government": async () => {
      const bodies: string[] = [];
      const { lookup, requests: sent } = connected("demo-national", {
        intercept: async (request) => {
          if (request.method === "POST") bodies.push(await request.clone().text());
          return undefined;
        },
      });
      // The AHJ is a place: a county, a utility and a state stand above it.
      const { ahj: place } = await askOne(lookup, "0690000", 1045);
      expect(bodies.map((body) => JSON.parse(body) as object)).toEqual([
        { ahj_ids: [place.id], data_point_type_ids: [1045] },
      ]);
      expect(sent.filter((line) => line.includes("/data"))).toEqual([]);
    },
    "can only read, run and export them": () => {
      const changing = names.filter((name) => endpoints[name].method !== "GET");
      expect(changing).toEqual(["matrix", "exportMatrix", "exportCollection"]);
    },
    "53 types for residential solar and 46 for commercial solar": () => {
      expect(curatedLists.map(({ name, typeIds }) => [name, new Set(typeIds).size])).toEqual([
        ["Residential solar", 53],
        ["Commercial solar", 46],
      ]);
    },
    "The recommended types are in the catalog": async () => {
      const { lookup } = connected("demo-national");
      const known = new Set((await lookup.catalogue.types()).map(({ id }) => id));
      expect(curatedLists.flatMap(({ typeIds }) => typeIds).filter((id) => !known.has(id))).toEqual([]);
    },
    "the list of endpoint 5": async () => {
      const { lookup, requests: sent } = connected("demo-national");
      expect(await lookup.catalogue.types()).toHaveLength(334);
      expect(sent.map((line) => line.replace(/\?.*/, ""))).toEqual(["GET /v1/data-points/types"]);
    },
  },
  Access: {
    "a warning lists the rest": async () => {
      for (const name of ["listDataPoints", "matrix", "runCollection"] as const) {
        expect(await warned(name), name).toMatchObject({
          data: { ...(data[name] as object) },
          warnings: [warning],
        });
      }
    },
    "fails with 403 instead of an empty answer": () =>
      expectKind(
        "outside-subscription",
        denied,
        "listDataPoints",
        "matrix",
        "exportMatrix",
        "runCollection",
        "exportCollection",
      ),
  },
  Authentication: {
    "Each endpoint demands a valid key": async () => {
      for (const name of names) expect((await asked(name)).request.headers.get("X-API-Key"), name).toBe(key);
    },
    "in the header `X-API-Key`": async () => {
      const { request } = await asked("matrix");
      expect(request.headers.get("X-API-Key")).toBe(key);
      expect(request.url).not.toContain(key);
      expect(await request.text()).not.toContain(key);
    },
  },
  Envelope: {
    response_type: async () => {
      expect(await read("listAhjs")).toEqual(page(ahj));
      const error = { body: { response_type: "error", description: "Broken.", data: page(ahj) } };
      await expectKind("service-error", error, "listAhjs");
    },
    description: async () => {
      const error = { body: { response_type: "error", description: "Broken.", data: page(ahj) } };
      expect((await failure("listAhjs", error)).message).toContain("Broken.");
    },
    data: async () => {
      for (const name of names.filter((name) => endpoints[name].answer !== "csv" && name !== "listUnits")) {
        expect((await asked(name)).data, name).toEqual(data[name]);
      }
      await expectKind("unexpected-answer", { body: data.getAhj }, "getAhj");
    },
    warnings: async () => {
      expect((await warned("matrix")).warnings).toEqual([warning]);
      expect((await asked("matrix")).warnings).toEqual([]);
    },
  },
  Pagination: {
    ...fieldChecks(pagination, async (record) => {
      const given = await read("listAhjs", { items: [ahj], pagination: record });
      return given.pagination;
    }),
    "into `data.items`": async () => {
      for (const name of names.filter((name) => name.startsWith("list") && name !== "listUnits")) {
        expect((await read(name)).items, name).toEqual((data[name] as { items: unknown[] }).items);
        await expectKind("unexpected-answer", success({ records: [], pagination }), name);
      }
    },
    "All paged lists accept": async () => {
      for (const name of withPaging) await expectPaging(name);
    },
  },
  Warnings: {
    ...fieldChecks(warning, async (record) => {
      const given = await asked("matrix", undefined, success(matrix, { warnings: [record] }));
      return given.warnings[0];
    }),
  },
  AHJ: {
    ...fieldChecks(ahj, async (record) => (await firstOf("listAhjs", record))[0]),
    ...fieldChecks(detail, (record) => read("getAhj", record), [
      "state_name",
      "county",
      "population",
      "lat",
      "lon",
    ]),
    "form the AHJ summary": async () => {
      expect((await firstOf("listDataPoints", value))[0]).toMatchObject({ ahj });
      expect(await read("runCollection")).toMatchObject({ items: [{ ahj }] });
      expect(await read("matrix")).toMatchObject({ ahjs: [ahj], rows: [{ ahj }] });
    },
  },
  GeoID: {
    "A geoID is text": async () => {
      expect((await firstOf("listAhjs", { ...ahj, geoid: "06001" }))[0]).toMatchObject({ geoid: "06001" });
      await expectKind("unexpected-answer", success(page({ ...ahj, geoid: 6001 })), "listAhjs");
      expect((await asked("resolveGeoid", { geoid: "0600a1B" }, of("0600a1B"))).line).toBe(
        "GET /v1/geoid/0600a1B",
      );
    },
  },
  "Data point type": {
    ...fieldChecks(type, async (record) => (await firstOf("listTypes", record))[0]),
  },
  "Data point value": {
    ...fieldChecks(value, async (record) => (await firstOf("listDataPoints", record))[0]),
  },
  Category: {
    ...fieldChecks(category, async (record) => (await firstOf("listCategories", record))[0]),
  },
  Collection: {
    ...fieldChecks(collection, (record) => read("getCollection", record)),
  },
  "Collection results": {
    ...fieldChecks(results, (record) => read("runCollection", record)),
  },
  "Matrix report": {
    ...fieldChecks(matrix, (record) => read("matrix", record)),
    "under the id of each type": async () => {
      const { rows } = (await read("matrix")) as unknown as typeof matrix;
      expect(rows.map((row) => [row.ahj, Object.keys(row.values)])).toEqual([[ahj, ["1045", "1046"]]]);
    },
    "A cell has a string in `value`": async () => {
      const cited = { value: "5", reference: "Code", section: "7" };
      const { rows } = (await read("matrix", {
        ...matrix,
        rows: [{ ahj, values: { "1": cited } }],
      })) as unknown as typeof matrix;
      expect(rows[0]!.values).toEqual({ "1": cited });
      const odd = { ...matrix, rows: [{ ahj, values: { "1": { ...cited, value: 5 } } }] };
      await expectKind("unexpected-answer", success(odd), "matrix");
    },
    "The word `null` in place of a cell": async () => {
      const { rows } = (await read("matrix")) as unknown as typeof matrix;
      expect(rows[0]!.values["1046"]).toBeNull();
    },
    "null in both citation fields": async () => {
      expect((await firstOf("listDataPoints", uncited))[0]).toMatchObject({ reference: null, section: null });
      const { rows } = (await read("matrix")) as unknown as typeof matrix;
      expect(rows[0]!.values["1045"]).toEqual(cell);
    },
  },
  Errors: {
    "its status is 200": async () => {
      for (const name of ["listDataPoints", "matrix", "runCollection"] as const) {
        expect((await warned(name)).warnings, name).toEqual([warning]);
      }
    },
  },
  "Error body": {
    description: async () => {
      expect((await failure("resolveGeoid", unknownGeoid)).detail).toContain("No.");
    },
    error: async () => {
      await expectKind("outside-subscription", denied, "getAhj");
      await expectKind("no-rights", refusal(403, "SOMETHING_ELSE"), "getAhj");
    },
  },
  "Validation error": {
    "A 422 lists faults in `detail`": async () => {
      expect((await failure("listAhjs", invalid)).detail).toContain("query.page: must be at least 1");
    },
  },
  Statuses: {
    "403": () => expectKind("outside-subscription", denied, "getAhj", "matrix", "resolveGeoid"),
    "404": () => expectKind("not-found", unknownGeoid, "resolveGeoid", "runCollectionForGeoid"),
    "422": () => expectKind("invalid-request", invalid, "listAhjs", "matrix", "exportCollection"),
    "429": async () => {
      vi.useFakeTimers();
      const { client } = told({ status: 429, headers: { "Retry-After": "90000" }, body: "" });
      const thrown = client.listAhjs({}).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(0);
      expect(await thrown).toMatchObject({ kind: "rate-limited" });
    },
  },
  Limits: {
    "`page` is 1 or more": async () => {
      expect((await pagesAsked()).map((query) => query.get("page"))).toEqual(["1", "2"]);
    },
    "`page_size` is 1 to 500": async () => {
      const sizes = (await pagesAsked()).map((query) => Number(query.get("page_size")));
      expect(sizes).toEqual([config.pageSize, config.pageSize]);
      expect(config.pageSize).toBeGreaterThanOrEqual(1);
      expect(config.pageSize).toBeLessThanOrEqual(500);
    },
    "the headers `X-RateLimit-Remaining`": async () => {
      const resetsAtMs = Math.ceil(Date.now() / 1000 + 60) * 1000;
      const headers = { "X-RateLimit-Remaining": "17", "X-RateLimit-Reset": String(resetsAtMs / 1000) };
      const { client, transport } = told({ ...success(page(ahj)), headers });
      await client.listAhjs({});
      expect(transport.limit()).toMatchObject({ left: 17, resetsAtMs });
    },
    "only after the reset": async () => {
      vi.useFakeTimers({ now: 1_000_000_000_000 });
      const limit = { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000000030", "Retry-After": "30" };
      const { client, sent } = told({ status: 429, headers: limit, body: "" }, success(page(ahj)));
      const answer = client.listAhjs({});
      await vi.advanceTimersByTimeAsync(29_999);
      expect(sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect((await answer).data.items).toEqual([ahj]);
    },
  },
  Endpoints: {
    "follows the base address": async () => {
      const { request } = await asked("listAhjs");
      expect(request.url).toBe(`${baseUrl}/v1/ahjs?page=2&page_size=1`);
    },
    "starts with the version": async () => {
      for (const name of names) expect((await asked(name)).line, name).toMatch(/^(GET|POST) \/v1\//);
    },
  },
  "1. List AHJs": {
    ...served("listAhjs"),
    "a filter by state": async () => {
      for (const filter of stateFilters) {
        const { line } = await asked("listAhjs", { [filter]: "CA", ...paging });
        expect(line).toBe(`GET /v1/ahjs?${filter}=CA&page=2&page_size=1`);
      }
    },
  },
  "2. Get an AHJ": {
    ...served("getAhj"),
    "gives 403": () => expectKind("outside-subscription", denied, "getAhj"),
  },
  "3. Resolve a geoID": {
    ...served("resolveGeoid"),
    "keeps all zeros": async () => {
      expect((await asked("resolveGeoid", { geoid: "04013" }, of("04013"))).line).toBe("GET /v1/geoid/04013");
    },
    "gives 404, and one whose AHJ is outside the subscription gives 403": async () => {
      await expectKind("not-found", unknownGeoid, "resolveGeoid");
      await expectKind("outside-subscription", denied, "resolveGeoid");
    },
  },
  "4. List values": {
    ...served("listDataPoints"),
    "Four optional filters": async () => {
      expect((await asked("listDataPoints", {})).line).toBe("GET /v1/data-points");
      expect((await asked("listDataPoints", { ahj_ids: [7, 8] })).line).toBe(
        "GET /v1/data-points?ahj_ids=7,8",
      );
    },
    "if all of them are outside, the status is 403": async () => {
      expect((await warned("listDataPoints")).warnings).toEqual([warning]);
      await expectKind("outside-subscription", denied, "listDataPoints");
    },
  },
  "5. List types": {
    ...served("listTypes"),
    "takes `page` and `page_size`": () => expectPaging("listTypes"),
  },
  "6. List categories": {
    ...served("listCategories"),
    "takes `page` and `page_size`": () => expectPaging("listCategories"),
  },
  "7. List units": {
    ...served("listUnits"),
    "every unit that a type uses": async () => {
      const { line, data: units } = await asked("listUnits");
      expect(line).toBe("GET /v1/units-of-measure");
      expect(units).toEqual([{ name: "USD" }]);
    },
  },
  "8. Compare AHJs": {
    ...served("matrix"),
    "two arrays of integers": async () => {
      const { request } = await asked("matrix");
      expect(request.headers.get("Content-Type")).toBe("application/json");
      expect(await request.json()).toEqual(report);
    },
    "a warning lists the AHJs": async () => {
      expect(await warned("matrix")).toMatchObject({
        data: matrix,
        warnings: [{ excluded_ahj_ids: [8, 9] }],
      });
    },
    "403 if all AHJs are outside the subscription, and 422": async () => {
      await expectKind("outside-subscription", denied, "matrix");
      await expectKind("invalid-request", invalid, "matrix");
    },
  },
  "9. Export a comparison": {
    ...served("exportMatrix"),
    "that of endpoint 8": async () => {
      const { request } = await asked("exportMatrix");
      expect(await request.json()).toEqual(report);
    },
    "has the values of the matrix": async () => {
      const { request, data: file } = await asked("exportMatrix");
      expect(request.headers.get("Accept")).toContain("text/csv");
      expect(file).toEqual(fileOf(csv));
    },
  },
  "10. List collections": {
    ...served("listCollections"),
    "takes `page` and `page_size`": () => expectPaging("listCollections"),
  },
  "11. Get a collection": {
    ...served("getCollection"),
    "is the UUID": async () => {
      expect((await asked("getCollection")).line).toBe(`GET /v1/collections/${uuid}`);
    },
  },
  "12. Run a collection": {
    ...served("runCollection"),
    "in `ahj_ids` or in `geoids`": async () => {
      const { line } = await asked("runCollection", {
        collection_id: uuid,
        geoids: ["06001", "0653000"],
        ...paging,
      });
      expect(line).toBe(`GET /v1/collections/${uuid}/data?geoids=06001,0653000&page=2&page_size=1`);
      expect(requests.runCollection).not.toContain("geoids");
    },
    "warnings for AHJs outside the subscription and unknown geoIDs": async () => {
      const { data: given, warnings } = await warned("runCollection");
      expect(given).toEqual(results);
      expect(warnings).toEqual([warning]);
    },
    "The status is 403": () => expectKind("outside-subscription", denied, "runCollection"),
  },
  "13. Export a collection": {
    ...served("exportCollection"),
    "that of endpoint 12 without pages": async () => {
      const byId = await asked("exportCollection");
      expect(await byId.request.text()).toBe("");
      const { line } = await asked("exportCollection", { collection_id: uuid, geoids: ["06001", "0653000"] });
      expect(line).toBe(`POST /v1/collections/${uuid}/export?geoids=06001,0653000`);
    },
    "`Content-Disposition` suggests a file name": async () => {
      expect((await asked("exportCollection")).data).toEqual(fileOf(csv));
    },
    "422 if no geoID has an AHJ, and 403": async () => {
      await expectKind("invalid-request", invalid, "exportCollection");
      await expectKind("outside-subscription", denied, "exportCollection");
    },
  },
  "14. Run a collection for a geoID": {
    ...served("runCollectionForGeoid"),
    "takes `page` and `page_size`": () => expectPaging("runCollectionForGeoid"),
    "that of endpoint 12 for this AHJ alone": async () => {
      expect(await read("runCollectionForGeoid")).toEqual(results);
    },
    "gives 404, and one whose AHJ is outside the subscription gives 403": async () => {
      await expectKind("not-found", unknownGeoid, "runCollectionForGeoid");
      await expectKind("outside-subscription", denied, "runCollectionForGeoid");
    },
  },
};
