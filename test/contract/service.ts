/** The reference service's checks: one for each statement of docs/interface.md that it must keep. */
import Papa from "papaparse";
import { expect } from "vitest";
import { endpoints, type EndpointName } from "../../src/engine/api/endpoints";
import type * as api from "../../src/engine/api/schemas";
import type { RateLimits } from "../../reference-service/http/key-limit";
import { createService } from "../../reference-service/service";
import { limitsOf } from "../reference-service/limits";
import { allItems, asking, type Answer, type Query } from "../reference-service/asking";
import type { Checks, ChecksByHeading } from "./page";

const service = createService();
const national = asking("demo-national", service);
const west = asking("demo-west", service);

type Page<Item> = api.Page<Item>;
const [ahjs, types, categories, units, collections] = await Promise.all([
  allItems<api.Ahj>(west, "/v1/ahjs"),
  allItems<api.DataPointType>(west, "/v1/data-points/types"),
  allItems<api.Category>(west, "/v1/categories"),
  allItems<{ name: string }>(west, "/v1/units-of-measure"),
  allItems<api.Collection>(west, "/v1/collections"),
]);
const every = await allItems<api.Ahj>(national, "/v1/ahjs");
const entitledIds = new Set(ahjs.map(({ id }) => id));

const ofType = (type: string) => ahjs.filter((ahj) => ahj.type === type);
const [california] = ofType("state").filter(({ state_code }) => state_code === "CA");
const [county] = ofType("county").filter(({ geoid }) => geoid === "06073");
const [utility] = ofType("utility");
const texas = every.find(({ type, state_code }) => type === "state" && state_code === "TX")!;
const dallas = every.find(({ geoid }) => geoid === "48113")!;
const collection = collections.find(({ name }) => name === "Permit fees and review times")!;
const foreign = (await national.get<Page<api.Collection>>("/v1/collections")).body.data.items[0]!;

const ahjIds = ahjs.slice(0, 60).map(({ id }) => id);
const typeIds = [1001, 1030, 1045, 1089];
const values = (
  await west.get<Page<api.DataPointValue>>("/v1/data-points", { ahj_ids: ahjIds.join(), page_size: 500 })
).body.data.items;

const matrix = (ahj_ids: readonly number[] = ahjIds, data_point_type_ids = typeIds, ask = west) =>
  ask.post<api.MatrixReport>("/v1/reports/matrix", { ahj_ids, data_point_type_ids });
const report = (await matrix()).body.data;
const cells = report.rows.flatMap((row) => Object.values(row.values));
const runPath = `/v1/collections/${collection.id}/data`;
const run = (query: Query, ask = west) => ask.get<api.CollectionResults>(runPath, query);
const results = (await run({ ahj_ids: ahjIds.join(), page_size: 500 })).body.data;
const exportPath = `/v1/collections/${collection.id}/export`;
const rowsOf = ({ text }: Answer<unknown>) => Papa.parse<string[]>(text).data;
const mixed = [texas.id, county!.id, dallas.id];
// A missing example is left out here, since a fault of a list must fail the list's own test.
const examples = [california, county, ofType("city")[0], utility].filter((ahj) => ahj !== undefined);
const detailAnswers = await Promise.all(
  examples.map(({ id }) => west.get<api.AhjDetail | undefined>(`/v1/ahjs/${id}`)),
);
const details = detailAnswers.map(({ body }) => body.data).filter((detail) => detail !== undefined);

function requestOf(name: EndpointName): [path: string, init: RequestInit] {
  const { method, path, send } = endpoints[name];
  const parameters: Record<string, string> = {
    ahj_id: String(county!.id),
    geoid: "06073",
    collection_id: collection.id,
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => parameters[parameter]!);
  const query = name === "runCollection" || name === "exportCollection" ? `?ahj_ids=${county!.id}` : "";
  const body = { ahj_ids: [county!.id], data_point_type_ids: typeIds };
  return [filled + query, { method, ...(send === "body" && { body: JSON.stringify(body) }) }];
}
const names = Object.keys(endpoints) as EndpointName[];
const paged = names.filter((name) => /^list|^run/.test(name));
const withQuery = ([path, init]: [string, RequestInit], query: string): [string, RequestInit] => [
  `${path}${path.includes("?") ? "&" : "?"}${query}`,
  init,
];

type Is = (value: unknown) => boolean;
const isInteger: Is = Number.isInteger;
const isText: Is = (value) => typeof value === "string" && value !== "";
const isNumber: Is = (value) => typeof value === "number";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const isUuid: Is = (value) => uuid.test(String(value));
const isUtc: Is = (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(value));
const or =
  (one: Is, other: Is): Is =>
  (value) =>
    one(value) || other(value);
const isNull: Is = (value) => value === null;
const listOf =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);
const hasFields =
  (...fields: string[]): Is =>
  (value) =>
    JSON.stringify(Object.keys(value as object).sort()) === JSON.stringify(fields.sort());
const isSummary = hasFields("id", "name", "type", "state_code", "geoid");
const isType = hasFields("id", "name", "description", "unit_of_measure", "category_ids");
const valueFields = ["id", "ahj", "data_point_type", "value", "reference", "section", "updated_at"];
const isValue = hasFields(...valueFields);
const isCollection = hasFields(
  ...["id", "organization_id", "name", "description", "data_point_type_ids", "category_ids"],
  ...["created_at", "updated_at"],
);
const isPagination = hasFields("page", "page_size", "total", "total_pages");

/** One check for each field of a table: all records have it, and what it holds is of its kind. */
function fieldChecks(records: readonly object[], fields: Record<string, Is>): Checks {
  return Object.fromEntries(
    Object.entries(fields).map(([field, is]) => [
      field,
      () => {
        expect(records.length).toBeGreaterThan(0);
        const held = records.map((record) => (record as Record<string, unknown>)[field]);
        expect(held.filter((value) => !is(value))).toEqual([]);
      },
    ]),
  );
}

/** Checks that the endpoint's path exists and takes only its method. */
function served(name: EndpointName): Checks {
  return {
    [`\`${endpoints[name].method} ${endpoints[name].path}\``]: async () => {
      const [path, init] = requestOf(name);
      expect((await west.send(path, init)).status).toBe(200);
      const method = init.method === "GET" ? "POST" : "GET";
      expect((await west.send(path, { method })).status).toBe(405);
    },
  };
}

async function expectDenied(answer: Promise<Answer<unknown>>): Promise<void> {
  const { status, body } = await answer;
  expect([status, body.error, body.data]).toEqual([403, "AHJ_ACCESS_DENIED", undefined]);
}
/** Checks a 422: a fault at each of these places and no other, and nothing else in the answer. */
async function expectInvalid(answer: Promise<Answer<unknown>>, ...places: string[][]): Promise<void> {
  const { status, body } = await answer;
  expect([status, Object.keys(body)]).toEqual([422, ["detail"]]);
  expect(body.detail!.map(({ loc }) => loc).sort()).toEqual(places);
  for (const fault of body.detail!) {
    expect(hasFields("loc", "msg", "type")(fault) && isText(fault.msg) && isText(fault.type)).toBe(true);
  }
}
const statusOf = async (answer: Promise<Answer<unknown>>) => (await answer).status;

async function expectCsv(answer: Promise<Answer<unknown>>): Promise<string[][]> {
  const { status, headers, text, body } = await answer;
  expect([status, headers.get("Content-Type"), body]).toEqual([200, "text/csv", undefined]);
  return Papa.parse<string[]>(text).data;
}

/** Checks page and page_size: the second page of size 1 holds the second item of the list. */
async function expectPaged(name: EndpointName): Promise<void> {
  const at = async (query: string) => {
    const { body } = await west.send<Page<{ id: unknown }>>(...withQuery(requestOf(name), query));
    return body.data;
  };
  const whole = await at("page=1&page_size=500");
  const second = await at("page=2&page_size=1");
  expect(second.items).toEqual([whole.items[1]]);
  const { total } = whole.pagination;
  expect(second.pagination).toEqual({ page: 2, page_size: 1, total, total_pages: total });
}

async function expectPageOf(name: EndpointName, isItem: Is, fields = ["items", "pagination"]): Promise<void> {
  const { body } = await west.send<Page<object>>(...requestOf(name));
  expect(Object.keys(body.data).sort()).toEqual([...fields].sort());
  expect(body.data.items.length).toBeGreaterThan(0);
  expect(body.data.items.filter((item) => !isItem(item))).toEqual([]);
  expect(isPagination(body.data.pagination)).toBe(true);
}

const denied = await matrix(mixed);
const unmatched = await run({ geoids: "06073,99999,48113" });
const warnings = [denied, unmatched].flatMap(({ body }) => body.warnings ?? []);
const limited = (limits: Partial<RateLimits>, now?: () => number) =>
  asking("demo-west", { limits: limitsOf(limits), ...(now && { now }) });
const exhausted = limited({ minute: 1 });
await exhausted.get("/v1/categories");
const refused = [
  await west.get(`/v1/ahjs/${texas.id}`),
  await west.get("/v1/geoid/99999"),
  await west.get("/v1/nothing"),
  await exhausted.get("/v1/categories"),
];
const resultFields = ["collection_id", "collection_name", "items", "pagination"];

export const serviceChecks: ChecksByHeading = {
  Terms: {
    "over 30,000 AHJs": () => expect(every.length).toBeGreaterThan(30_000),
    "answers one type for one AHJ": () => {
      const pairs = values.map(({ ahj, data_point_type }) => `${ahj.id} ${data_point_type.id}`);
      expect(new Set(pairs).size).toBe(values.length);
      expect(new Set(values.map(({ reference }) => reference === null))).toEqual(new Set([true, false]));
    },
    "the one in force for its AHJ": async () => {
      // At least one county has no data of its own and inherits its state's: nothing is duplicated and nothing is missing.
      const both = await matrix(
        [california!.id, county!.id],
        types.map(({ id }) => id),
      );
      const [ofState, ofCounty] = both.body.data.rows.map((row) => row.values);
      const inherited = types.filter(
        ({ id }) => ofState![id] && JSON.stringify(ofState![id]) === JSON.stringify(ofCounty![id]),
      );
      expect(inherited.length).toBeGreaterThan(20);
      expect(types.filter(({ id }) => ofState![id] && !ofCounty![id])).toEqual([]);
    },
    "Each type belongs to categories": () => {
      const known = new Set(categories.map(({ id }) => id));
      const belongs = (ids: readonly number[]) => ids.length > 0 && ids.every((id) => known.has(id));
      expect(types.filter(({ category_ids }) => !belongs(category_ids))).toEqual([]);
    },
    "that one organization has saved": () => {
      const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id);
      expect(new Set(collections.map(({ organization_id }) => organization_id)).size).toBe(1);
      for (const { data_point_type_ids, category_ids } of collections) {
        expect(idsOf(types)).toEqual(expect.arrayContaining(data_point_type_ids));
        expect(idsOf(categories)).toEqual(expect.arrayContaining(category_ids));
      }
    },
    "only values that the collection selects": () => {
      expect(results.items.length).toBeGreaterThan(50);
      const strays = results.items.filter(
        ({ ahj, data_point_type: { id, category_ids } }) =>
          !ahjIds.includes(ahj.id) ||
          !(
            collection.data_point_type_ids.includes(id) ||
            category_ids.some((category) => collection.category_ids.includes(category))
          ),
      );
      expect(strays).toEqual([]);
    },
    "can only read, run and export them": async () => {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        expect(await statusOf(west.send("/v1/collections", { method }))).toBe(405);
        expect(await statusOf(west.send(`/v1/collections/${collection.id}`, { method }))).toBe(405);
      }
    },
    "with one row for each AHJ": async () => {
      expect(report.rows.map(({ ahj }) => ahj.id)).toEqual(ahjIds);
      expect(report.data_point_types.map(({ id }) => id)).toEqual(typeIds);
      const body = { ahj_ids: ahjIds, data_point_type_ids: typeIds };
      expect(await expectCsv(west.post("/v1/reports/export", body))).toHaveLength(1 + ahjIds.length);
    },
    "All organizations see all types": async () => {
      expect(await allItems(asking("demo-none", service), "/v1/data-points/types")).toEqual(types);
    },
    "the list of endpoint 5": () => {
      const known = new Set(types.map(({ id }) => id));
      expect(values.filter(({ data_point_type }) => !known.has(data_point_type.id))).toEqual([]);
      expect(types.length).toBeGreaterThan(53);
    },
  },
  Access: {
    "stands for one organization": () => {
      expect(foreign.organization_id).not.toBe(collection.organization_id);
    },
    "No request reaches an AHJ": async () => {
      expect(ahjs.length).toBeGreaterThan(1_000);
      expect(ahjs.length).toBeLessThan(every.length);
      const [outside] = every.filter(({ id }) => !entitledIds.has(id));
      for (const path of [`/v1/ahjs/${outside!.id}`, `/v1/geoid/${outside!.geoid}`]) {
        expect(await statusOf(west.get(path))).toBe(403);
      }
      expect(await statusOf(west.get("/v1/data-points", { ahj_ids: outside!.id }))).toBe(403);
      expect(await statusOf(matrix([outside!.id]))).toBe(403);
      expect(await statusOf(run({ ahj_ids: outside!.id }))).toBe(403);
    },
    "has AHJs of the subscription only": async () => {
      expect(new Set(ahjs.map(({ state_code }) => state_code))).toEqual(
        new Set(["CA", "OR", "WA", "NV", "AZ"]),
      );
      const { body } = await asking("demo-county", service).get<Page<api.DataPointValue>>("/v1/data-points", {
        page_size: 500,
      });
      expect(body.data.items.filter(({ ahj }) => ahj.state_code !== "CA")).toEqual([]);
    },
    "before it describes a single AHJ": async () => {
      expect(await statusOf(west.get(`/v1/ahjs/${county!.id}`))).toBe(200);
      await expectDenied(west.get(`/v1/ahjs/${texas.id}`));
    },
    "a warning lists the rest": () => {
      expect(denied.status).toBe(200);
      expect(denied.body.data.rows.map(({ ahj }) => ahj.id)).toEqual([county!.id]);
      expect(denied.body.warnings).toMatchObject([{ excluded_ahj_ids: [texas.id, dallas.id].sort() }]);
    },
    "fails with 403 instead of an empty answer": async () => {
      await expectDenied(matrix([texas.id, dallas.id]));
      await expectDenied(west.get("/v1/data-points", { ahj_ids: `${texas.id},${dallas.id}` }));
      await expectDenied(run({ ahj_ids: `${texas.id},${dallas.id}` }));
      const body = { ahj_ids: [texas.id, dallas.id], data_point_type_ids: typeIds };
      await expectDenied(west.post("/v1/reports/export", body));
    },
  },
  Authentication: {
    "Each endpoint demands a valid key": async () => {
      for (const name of names) {
        expect(await statusOf(asking(null, service).send(...requestOf(name))), name).toBe(401);
        expect(await statusOf(asking("nobody", service).send(...requestOf(name))), name).toBe(401);
        expect(await statusOf(west.send(...requestOf(name))), name).toBe(200);
      }
    },
    "in the header `X-API-Key`": async () => {
      const send = (init: RequestInit) => asking(null, service).send("/v1/categories", init);
      expect(await statusOf(send({ headers: { "X-API-Key": "demo-west" } }))).toBe(200);
      expect(await statusOf(send({ headers: { Authorization: "Bearer demo-west" } }))).toBe(401);
    },
    "which AHJs and which collections exist": () => {
      expect(foreign.organization_id).not.toBe(collection.organization_id);
      expect(every.length).toBeGreaterThan(ahjs.length);
    },
  },
  Envelope: {
    response_type: async () => {
      expect(denied.body.response_type).toBe("success");
      expect(refused.map(({ body }) => body.response_type)).toEqual(refused.map(() => "error"));
      expect((await asking(null, service).get("/v1/ahjs")).body.response_type).toBe("error");
    },
    description: () => {
      expect([denied, unmatched, ...refused].filter(({ body }) => !isText(body.description))).toEqual([]);
    },
    data: () => {
      expect(denied.body.data).toBeTypeOf("object");
      expect(Object.keys(unmatched.body.data).sort()).toEqual(resultFields);
    },
    warnings: async () => {
      expect(denied.body.warnings).toHaveLength(1);
      expect(unmatched.body.warnings).toHaveLength(2);
      expect((await matrix()).body).not.toHaveProperty("warnings");
      expect((await run({ geoids: "06073" })).body).not.toHaveProperty("warnings");
    },
    "Each JSON answer": async () => {
      for (const name of names.filter((name) => endpoints[name].answer !== "csv")) {
        const { headers, body } = await west.send(...requestOf(name));
        expect(headers.get("Content-Type")).toBe("application/json");
        expect(Object.keys(body).sort(), name).toEqual(["data", "description", "response_type"]);
      }
    },
  },
  Pagination: {
    page: async () => {
      const { body } = await west.get<Page<object>>("/v1/ahjs", { page: 3 });
      expect(body.data.pagination.page).toBe(3);
    },
    page_size: async () => {
      for (const page_size of [1, 500]) {
        const { body } = await west.get<Page<object>>("/v1/ahjs", { page_size });
        expect(body.data.pagination.page_size).toBe(page_size);
        expect(body.data.items).toHaveLength(page_size);
      }
    },
    total: async () => {
      const { body } = await west.get<Page<object>>("/v1/ahjs", { page_size: 7 });
      expect(body.data.pagination.total).toBe(ahjs.length);
    },
    total_pages: async () => {
      const { body } = await west.get<Page<object>>("/v1/ahjs", { page_size: 7 });
      expect(body.data.pagination.total_pages).toBe(Math.ceil(ahjs.length / 7));
    },
    "into `data.items`": async () => {
      for (const name of paged) {
        const { body } = await west.send<Page<object>>(...requestOf(name));
        expect(Array.isArray(body.data.items), name).toBe(true);
      }
    },
    "All paged lists accept": async () => {
      for (const name of paged) await expectPaged(name);
    },
  },
  Warnings: {
    code: () => {
      expect(warnings.filter(({ excluded_ahj_ids }) => excluded_ahj_ids.length > 0)).toEqual(
        warnings.filter(({ code }) => code === "AHJ_ACCESS_DENIED"),
      );
      expect(warnings.map(({ code }) => code).filter((code) => !isText(code))).toEqual([]);
    },
    message: () => {
      expect(denied.body.warnings![0]!.message).toMatch(/\b2 requested AHJs\b/);
      expect(warnings.filter(({ message }) => !isText(message))).toEqual([]);
    },
    excluded_ahj_ids: () => {
      expect(warnings.map(({ excluded_ahj_ids }) => excluded_ahj_ids)).toEqual([
        [texas.id, dallas.id],
        [dallas.id],
        [],
      ]);
    },
    unmatched_geoids: () => {
      expect(warnings.map(({ unmatched_geoids }) => unmatched_geoids)).toEqual([[], [], ["99999"]]);
    },
  },
  AHJ: {
    "a whole number, never a UUID": () => expect(every.filter(({ id }) => !isInteger(id))).toEqual([]),
    ...fieldChecks([...every, ...details], {
      id: isInteger,
      name: isText,
      type: (type) => ["state", "county", "city", "utility"].includes(type as string),
      state_code: (code) => /^[A-Z]{2}$/.test(String(code)),
      geoid: or(isText, isNull),
    }),
    // The page leaves open which of these fields a state or a utility has. The reference service gives null.
    ...fieldChecks(
      details.filter(({ type }) => type !== "utility" && type !== "state"),
      {
        state_name: isText,
        county: isText,
        population: isInteger,
        lat: (value) => isNumber(value) && Number(value) > 30 && Number(value) < 50,
        lon: (value) => isNumber(value) && Number(value) > -125 && Number(value) < -100,
      },
    ),
    "form the AHJ summary": () => {
      const embedded = [...values, ...results.items, ...report.rows].map(({ ahj }) => ahj);
      expect([...embedded, ...report.ahjs].filter((ahj) => !isSummary(ahj))).toEqual([]);
    },
  },
  GeoID: {
    "A geoID is text": async () => {
      expect(await statusOf(west.get("/v1/geoid/06073"))).toBe(200);
      expect(await statusOf(west.get("/v1/geoid/6073"))).toBe(404);
      expect(every.filter(({ geoid }) => isNumber(geoid))).toEqual([]);
    },
    "5 characters for a county, 7 for a Census place and 10 for a township": () => {
      const lengths = (type: string) =>
        new Set(every.filter((ahj) => ahj.type === type).map(({ geoid }) => geoid?.length));
      expect(lengths("county")).toEqual(new Set([5]));
      expect(lengths("city")).toEqual(new Set([7, 10]));
    },
    "the service picks the lowest id": async () => {
      const first = new Map<string, api.Ahj>();
      const repeated = every.filter((ahj) => {
        if (ahj.geoid === null || !first.has(ahj.geoid)) return void (ahj.geoid && first.set(ahj.geoid, ahj));
        return true;
      });
      expect(repeated.length).toBeGreaterThan(0);
      for (const { geoid } of repeated) {
        const { body } = await national.get<api.AhjDetail>(`/v1/geoid/${geoid}`);
        expect(body.data.id).toBe(first.get(geoid!)!.id);
      }
    },
  },
  "Data point type": {
    ...fieldChecks(types, {
      id: isInteger,
      name: isText,
      description: isText,
      unit_of_measure: (unit) => units.some(({ name }) => name === unit),
      category_ids: listOf((id) => categories.some((category) => category.id === id)),
    }),
  },
  "Data point value": {
    ...fieldChecks(values, {
      id: isInteger,
      ahj: isSummary,
      data_point_type: isType,
      value: isText,
      reference: or(isText, isNull),
      section: or(isText, isNull),
      updated_at: isUtc,
    }),
  },
  Category: {
    ...fieldChecks(categories, { id: isInteger, name: isText }),
  },
  Collection: {
    ...fieldChecks(collections, {
      id: isUuid,
      organization_id: isUuid,
      name: isText,
      description: (value) => typeof value === "string",
      data_point_type_ids: listOf(isInteger),
      category_ids: listOf(isInteger),
      created_at: isUtc,
      updated_at: isUtc,
    }),
    "Only keys of the owner": async () => {
      expect(collections.map(({ id }) => id)).not.toContain(foreign.id);
      expect(await statusOf(west.get(`/v1/collections/${foreign.id}`))).toBe(404);
      const query = { ahj_ids: county!.id };
      expect(await statusOf(west.get(`/v1/collections/${foreign.id}/data`, query))).toBe(404);
      expect(await statusOf(west.post(`/v1/collections/${foreign.id}/export`, undefined, query))).toBe(404);
    },
  },
  "Collection results": {
    ...fieldChecks([results], {
      collection_id: (id) => id === collection.id,
      collection_name: (name) => name === collection.name,
      items: listOf(isValue),
      pagination: isPagination,
    }),
  },
  "Matrix report": {
    ...fieldChecks([report, denied.body.data], {
      ahjs: listOf((ahj) => isSummary(ahj) && entitledIds.has((ahj as api.Ahj).id)),
      data_point_types: listOf(isType),
      rows: listOf(hasFields("ahj", "values")),
    }),
    "under the id of each type": () => {
      expect(report.rows.map(({ ahj }) => ahj)).toEqual(report.ahjs);
      for (const row of report.rows) expect(Object.keys(row.values)).toEqual(typeIds.map(String));
    },
    "A cell has a string in `value`": () => {
      const given = cells.filter((cell) => cell !== null);
      expect(given.length).toBeGreaterThan(0);
      expect(given.filter((cell) => !hasFields("value", "reference", "section")(cell))).toEqual([]);
      expect(given.filter((cell) => !isText(cell!.value))).toEqual([]);
    },
    "The word `null` in place of a cell": () => {
      const answered = new Set(values.map(({ ahj, data_point_type }) => `${ahj.id} ${data_point_type.id}`));
      const first = report.rows[0]!;
      const has = (id: number) => answered.has(`${first.ahj.id} ${id}`);
      for (const id of typeIds) expect(first.values[id] !== null).toBe(has(id));
      expect(cells).toContain(null);
    },
    "null in both citation fields": () => {
      const uncited = cells.filter((cell) => cell?.reference === null);
      expect(uncited.length).toBeGreaterThan(0);
      expect(uncited.filter((cell) => cell!.section !== null)).toEqual([]);
    },
  },
  Errors: {
    "its status is 200": async () => {
      for (const answer of [
        denied,
        unmatched,
        await west.get("/v1/data-points", { ahj_ids: mixed.join() }),
      ]) {
        expect([answer.status, answer.body.response_type]).toEqual([200, "success"]);
        expect(answer.body.warnings!.length).toBeGreaterThan(0);
      }
    },
  },
  "Error body": {
    ...fieldChecks(
      refused.map(({ body }) => body),
      {
        response_type: (type) => type === "error",
        description: isText,
        error: (code) => /^[A-Z_]+$/.test(String(code)),
      },
    ),
    status_code: () => {
      expect(refused.map(({ status }) => status)).toEqual([403, 404, 404, 429]);
      const isError = hasFields("response_type", "description", "error", "status_code");
      for (const { status, headers, body } of refused) {
        expect(body.status_code).toBe(status);
        expect(headers.get("Content-Type")).toBe("application/json");
        expect(isError(body)).toBe(true);
      }
    },
  },
  "Validation error": {
    "A 422 lists faults in `detail`": async () => {
      const answer = west.get("/v1/data-points", { ahj_ids: "1,x", page: 0 });
      await expectInvalid(answer, ["query", "ahj_ids", "1"], ["query", "page"]);
    },
  },
  Statuses: {
    "403": async () => {
      await expectDenied(west.get(`/v1/ahjs/${texas.id}`));
      await expectDenied(matrix([texas.id, dallas.id]));
      await expectDenied(west.get("/v1/geoid/48113"));
    },
    "404": async () => {
      expect(await statusOf(west.get("/v1/geoid/99999"))).toBe(404);
      expect(await statusOf(west.get(`/v1/geoid/99999/collections/${collection.id}`))).toBe(404);
    },
    "422": async () => {
      expect(await statusOf(west.get("/v1/ahjs", { page_size: 501 }))).toBe(422);
      expect(await statusOf(west.post("/v1/reports/matrix", "no JSON"))).toBe(422);
      expect(await statusOf(west.post(exportPath, undefined, { geoids: "99999" }))).toBe(422);
    },
    "429": async () => {
      const ask = limited({ minute: 1 });
      expect(await statusOf(ask.get("/v1/categories"))).toBe(200);
      expect(await statusOf(ask.get("/v1/categories"))).toBe(429);
    },
  },
  Limits: {
    "`page` is 1 or more": async () => {
      for (const name of paged) {
        for (const [page, status] of [
          [1, 200],
          [0, 422],
          [-1, 422],
        ]) {
          const request = withQuery(requestOf(name), `page=${page}`);
          expect(await statusOf(west.send(...request)), `${name} ${page}`).toBe(status);
        }
      }
    },
    "`page_size` is 1 to 500": async () => {
      for (const name of paged) {
        for (const [size, status] of [
          [1, 200],
          [500, 200],
          [0, 422],
          [501, 422],
        ]) {
          const request = withQuery(requestOf(name), `page_size=${size}`);
          expect(await statusOf(west.send(...request)), `${name} ${size}`).toBe(status);
        }
      }
    },
    "one minute, one hour and one day": async () => {
      for (const [window, lengthMs] of [
        ["minute", 60_000],
        ["hour", 3_600_000],
        ["day", 86_400_000],
      ] as const) {
        let now = 1_000_000_000_000;
        const ask = limited({ [window]: 1 }, () => now);
        const { headers } = await ask.get("/v1/categories");
        expect(Number(headers.get("X-RateLimit-Reset")) * 1000, window).toBe(now + lengthMs);
        now += lengthMs - 1;
        expect(await statusOf(ask.get("/v1/categories")), window).toBe(429);
        now += 1;
        expect(await statusOf(ask.get("/v1/categories")), window).toBe(200);
      }
    },
    "the headers `X-RateLimit-Remaining`": async () => {
      const now = () => 1_000_000_000_000;
      for (const name of names) {
        const ask = limited({ minute: 1 }, now);
        const [first, second] = [await ask.send(...requestOf(name)), await ask.send(...requestOf(name))];
        const read = ({ headers }: Answer<unknown>) =>
          ["X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"].map((header) => headers.get(header));
        expect(read(first), name).toEqual(["0", "1000000060", null]);
        expect(read(second), name).toEqual(["0", "1000000060", "60"]);
      }
    },
  },
  Endpoints: {
    "starts with the version": async () => {
      for (const name of names) {
        const [path, init] = requestOf(name);
        expect(path).toMatch(/^\/v1\//);
        expect(await statusOf(west.send(path.replace("/v1/", "/"), init)), name).toBe(404);
      }
    },
  },
  "1. List AHJs": {
    ...served("listAhjs"),
    "a filter by state": async () => {
      const { body } = await west.get<Page<api.Ahj>>("/v1/ahjs", {
        state_code: "OR",
        page: 2,
        page_size: 10,
      });
      expect(body.data.items).toEqual(ahjs.filter(({ state_code }) => state_code === "OR").slice(10, 20));
    },
    "Each item is an AHJ summary": () => expectPageOf("listAhjs", isSummary),
    "No AHJ outside the subscription": () => {
      expect(ahjs).toEqual(
        every.filter(({ state_code }) => ["CA", "OR", "WA", "NV", "AZ"].includes(state_code)),
      );
    },
  },
  "2. Get an AHJ": {
    ...served("getAhj"),
    "must be a whole number": async () => {
      expect(details.map(({ id }) => id)).toContain(county!.id);
      for (const id of ["06073x", "abc", "1.5", "1e4"]) {
        await expectInvalid(west.get(`/v1/ahjs/${id}`), ["path", "ahj_id"]);
      }
    },
    "every field of the AHJ": () => {
      const fields = ["state_name", "county", "population", "lat", "lon"];
      const isDetail = hasFields("id", "name", "type", "state_code", "geoid", ...fields);
      expect(details.filter((detail) => !isDetail(detail))).toEqual([]);
    },
    "gives 403": () => expectDenied(west.get(`/v1/ahjs/${texas.id}`)),
  },
  "3. Resolve a geoID": {
    ...served("resolveGeoid"),
    "keeps all zeros": async () => {
      expect((await west.get<api.AhjDetail>("/v1/geoid/04013")).body.data.name).toBe("Maricopa County");
      for (const geoid of ["4013", "004013"])
        expect(await statusOf(west.get(`/v1/geoid/${geoid}`))).toBe(404);
    },
    "equals that of endpoint 2": async () => {
      for (const { body } of detailAnswers.filter(({ body }) => body.data?.geoid)) {
        expect((await west.get(`/v1/geoid/${body.data!.geoid}`)).body).toEqual(body);
      }
    },
    "gives 404, and one whose AHJ is outside the subscription gives 403": async () => {
      expect(await statusOf(west.get("/v1/geoid/99999"))).toBe(404);
      expect(await statusOf(west.get("/v1/geoid/48113"))).toBe(403);
    },
  },
  "4. List values": {
    ...served("listDataPoints"),
    "Four optional filters": async () => {
      const list = (query: Query) => allItems<api.DataPointValue>(west, "/v1/data-points", query);
      const all = await list({ ahj_ids: ahjIds.join() });
      const wanted = [1001, 1030, 1031, 1045];
      const filtered = await list({
        ahj_ids: ahjIds.join(),
        state_code: "CA",
        data_point_type_ids: wanted.join(),
        category_ids: "3",
      });
      const expected = all.filter(
        ({ ahj, data_point_type: { id, category_ids } }) =>
          ahj.state_code === "CA" && wanted.includes(id) && category_ids.includes(3),
      );
      expect(expected.length).toBeGreaterThan(0);
      expect(filtered).toEqual(expected);
      await expectPaged("listDataPoints");
    },
    "Each item is a data point value": () => expectPageOf("listDataPoints", isValue),
    "Values of the whole subscription": async () => {
      const ofCounty = asking("demo-county", service);
      const covered = await allItems<api.DataPointValue>(ofCounty, "/v1/data-points");
      const own = await allItems<api.Ahj>(ofCounty, "/v1/ahjs");
      expect(new Set(covered.map(({ ahj }) => ahj.id))).toEqual(new Set(own.map(({ id }) => id)));
    },
    "if all of them are outside, the status is 403": async () => {
      const { status, body } = await west.get<Page<api.DataPointValue>>("/v1/data-points", {
        ahj_ids: mixed.join(),
      });
      expect(status).toBe(200);
      expect(new Set(body.data.items.map(({ ahj }) => ahj.id))).toEqual(new Set([county!.id]));
      expect(body.warnings).toEqual(denied.body.warnings);
      await expectDenied(west.get("/v1/data-points", { ahj_ids: texas.id }));
    },
  },
  "5. List types": {
    ...served("listTypes"),
    "takes `page` and `page_size`": () => expectPaged("listTypes"),
    "every subscription includes all types": async () => {
      await expectPageOf("listTypes", isType);
      const none = asking("demo-none", service);
      expect((await none.get<Page<object>>("/v1/data-points/types")).body.data.pagination.total).toBe(
        types.length,
      );
    },
  },
  "6. List categories": {
    ...served("listCategories"),
    "takes `page` and `page_size`": () => expectPaged("listCategories"),
    "Each item is a category": () => expectPageOf("listCategories", hasFields("id", "name")),
  },
  "7. List units": {
    ...served("listUnits"),
    "every unit that a type uses": () => {
      const used = new Set(types.map(({ unit_of_measure }) => unit_of_measure));
      expect(units.map(({ name }) => name)).toEqual(expect.arrayContaining([...used]));
    },
  },
  "8. Compare AHJs": {
    ...served("matrix"),
    "two arrays of integers": async () => {
      expect(await statusOf(matrix())).toBe(200);
      expect(
        await statusOf(west.post("/v1/reports/matrix", { ahj_ids: "x", data_point_type_ids: "y" })),
      ).toBe(422);
    },
    "a warning lists the AHJs": () => {
      expect(denied.status).toBe(200);
      expect(Object.keys(denied.body.data).sort()).toEqual(["ahjs", "data_point_types", "rows"]);
      expect(denied.body.warnings).toMatchObject([
        { code: "AHJ_ACCESS_DENIED", excluded_ahj_ids: [texas.id, dallas.id] },
      ]);
    },
    "shows AHJs of the subscription only": () => {
      expect(denied.body.data.ahjs).toEqual([county]);
      expect(denied.body.data.rows.map(({ ahj }) => ahj)).toEqual([county]);
    },
    "403 if all AHJs are outside the subscription, and 422": async () => {
      await expectDenied(matrix([texas.id, dallas.id]));
      for (const body of [
        "{",
        [],
        {},
        { ahj_ids: [county!.id] },
        { ahj_ids: ["a"], data_point_type_ids: [1] },
      ]) {
        const answer = await west.post("/v1/reports/matrix", body);
        expect(answer.status).toBe(422);
        expect(answer.body.detail!.length).toBeGreaterThan(0);
      }
    },
  },
  "9. Export a comparison": {
    ...served("exportMatrix"),
    "that of endpoint 8": async () => {
      expect(await statusOf(west.send(...requestOf("exportMatrix")))).toBe(200);
      expect(await statusOf(west.post("/v1/reports/export", { ahj_ids: [county!.id] }))).toBe(422);
    },
    "has the values of the matrix": async () => {
      const body = { ahj_ids: ahjIds, data_point_type_ids: typeIds };
      const [header, ...rows] = await expectCsv(west.post("/v1/reports/export", body));
      const columns = report.data_point_types.map(({ name }) => header!.indexOf(name));
      const inFile = rows.map((row) => columns.map((at) => row[at]));
      const inMatrix = report.rows.map((row) => typeIds.map((id) => row.values[id]?.value ?? ""));
      expect(inFile).toEqual(inMatrix);
    },
    "leaves out AHJs": async () => {
      const body = { ahj_ids: mixed, data_point_type_ids: typeIds };
      const rows = await expectCsv(west.post("/v1/reports/export", body));
      expect(rows).toHaveLength(2);
      expect(rows[1]).toContain("San Diego County");
    },
  },
  "10. List collections": {
    ...served("listCollections"),
    "takes `page` and `page_size`": () => expectPaged("listCollections"),
    "of the caller's organization": async () => {
      await expectPageOf("listCollections", isCollection);
      expect(collections.map(({ organization_id }) => organization_id)).not.toContain(
        foreign.organization_id,
      );
    },
  },
  "11. Get a collection": {
    ...served("getCollection"),
    "is the UUID": async () => {
      expect(await statusOf(west.get(`/v1/collections/${collection.id}`))).toBe(200);
    },
    "`data` is the collection": async () => {
      expect((await west.get(`/v1/collections/${collection.id}`)).body.data).toEqual(collection);
    },
  },
  "12. Run a collection": {
    ...served("runCollection"),
    "in `ahj_ids` or in `geoids`": async () => {
      const page = { page: 2, page_size: 3 };
      const byId = await run({ ahj_ids: county!.id, ...page });
      expect(byId.body.data.pagination).toMatchObject(page);
      expect((await run({ geoids: county!.geoid!, ...page })).body.data).toEqual(byId.body.data);
      expect((await run({ geoids: "06073,06001" })).body.data.pagination.total).toBeGreaterThan(
        byId.body.data.pagination.total,
      );
    },
    "warnings for AHJs outside the subscription and unknown geoIDs": () => {
      expect(unmatched.status).toBe(200);
      expect(Object.keys(unmatched.body.data).sort()).toEqual(resultFields);
      expect(unmatched.body.warnings).toMatchObject([
        { excluded_ahj_ids: [dallas.id], unmatched_geoids: [] },
        { excluded_ahj_ids: [], unmatched_geoids: ["99999"] },
      ]);
    },
    "The status is 403": async () => {
      await expectDenied(run({ ahj_ids: `${texas.id},${dallas.id}` }));
      await expectDenied(run({ geoids: "48,48113" }));
      await expectDenied(run({ geoids: "48113,99999" }));
    },
    "decide which values come": async () => {
      const [byTypes, byCategories] = ["Residential solar", "Zoning"].map((name) =>
        collections.find((one) => one.name === name)!,
      );
      const idsOf = async ({ id }: api.Collection) => {
        const query = { ahj_ids: county!.id, page_size: 500 };
        const { body } = await west.get<api.CollectionResults>(`/v1/collections/${id}/data`, query);
        return body.data.items.map(({ data_point_type }) => data_point_type);
      };
      const selectedTypes = await idsOf(byTypes!);
      expect(selectedTypes.length).toBeGreaterThan(10);
      expect(byTypes!.data_point_type_ids).toEqual(expect.arrayContaining(selectedTypes.map(({ id }) => id)));
      const selected = await idsOf(byCategories!);
      expect(selected.length).toBeGreaterThan(10);
      const wanted = byCategories!.category_ids;
      expect(selected.filter(({ category_ids }) => !category_ids.some((id) => wanted.includes(id)))).toEqual(
        [],
      );
    },
  },
  "13. Export a collection": {
    ...served("exportCollection"),
    "that of endpoint 12 without pages": async () => {
      const byId = await expectCsv(west.post(exportPath, undefined, { ahj_ids: county!.id }));
      expect(await expectCsv(west.post(exportPath, undefined, { geoids: "06073" }))).toEqual(byId);
    },
    "`Content-Disposition` suggests a file name": async () => {
      const { headers } = await west.post(exportPath, undefined, { ahj_ids: county!.id });
      expect(headers.get("Content-Type")).toBe("text/csv");
      expect(headers.get("Content-Disposition")).toBe(
        'attachment; filename="Permit fees and review times.csv"',
      );
    },
    "a row for each AHJ and a column for each type": async () => {
      const query = { ahj_ids: [...ahjIds, ahjIds[0]].join() };
      const [header, ...rows] = rowsOf(await west.post(exportPath, undefined, query));
      const selected = types.filter(
        ({ id, category_ids }) =>
          collection.data_point_type_ids.includes(id) ||
          category_ids.some((category) => collection.category_ids.includes(category)),
      );
      expect(header!.slice(2).sort()).toEqual(selected.map(({ name }) => name).sort());
      const items = await allItems<api.DataPointValue>(west, runPath, query);
      const valueOf = (ahjId: number, typeName: string) =>
        items.find(({ ahj, data_point_type }) => ahj.id === ahjId && data_point_type.name === typeName)
          ?.value;
      expect(rows.map((row) => row.slice(2))).toEqual(
        ahjIds.map((ahjId) => header!.slice(2).map((name) => valueOf(ahjId, name) ?? "")),
      );
    },
    "The first columns": async () => {
      const [header, first] = rowsOf(await west.post(exportPath, undefined, { ahj_ids: county!.id }));
      expect(first!.slice(0, 2)).toEqual(["San Diego County", "CA"]);
      expect(header!.slice(0, 2)).toEqual([expect.stringMatching(/AHJ/), expect.stringMatching(/State/)]);
      const typeNames = types.map(({ name }) => name);
      expect(header!.slice(2).filter((name) => !typeNames.includes(name))).toEqual([]);
    },
    "leaves out AHJs": async () => {
      const byId = await expectCsv(west.post(exportPath, undefined, { ahj_ids: mixed.join() }));
      expect(byId.slice(1).map(([name]) => name)).toEqual(["San Diego County"]);
      const byGeoid = await expectCsv(west.post(exportPath, undefined, { geoids: "06073,99999,48113" }));
      expect(byGeoid).toEqual(byId);
    },
    "422 if no geoID has an AHJ, and 403": async () => {
      await expectInvalid(west.post(exportPath, undefined, { geoids: "99999,99998" }), ["query", "geoids"]);
      await expectDenied(west.post(exportPath, undefined, { ahj_ids: texas.id }));
      await expectDenied(west.post(exportPath, undefined, { geoids: "48113,99999" }));
    },
  },
  "14. Run a collection for a geoID": {
    ...served("runCollectionForGeoid"),
    "takes `page` and `page_size`": () => expectPaged("runCollectionForGeoid"),
    "that of endpoint 12 for this AHJ alone": async () => {
      const { body } = await west.send(...requestOf("runCollectionForGeoid"));
      expect(body).toEqual((await run({ geoids: "06073" })).body);
    },
    "gives 404, and one whose AHJ is outside the subscription gives 403": async () => {
      const at = (geoid: string) => west.get(`/v1/geoid/${geoid}/collections/${collection.id}`);
      expect(await statusOf(at("99999"))).toBe(404);
      await expectDenied(at("48113"));
    },
  },
};
