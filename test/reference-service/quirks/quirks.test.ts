import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endpoints, type Endpoint, type EndpointName } from "../../../src/engine/api/endpoints";
import * as schemas from "../../../src/engine/api/schemas";
import { quirkNames, quirks, type QuirkName } from "../../../reference-service/quirks/quirks";
import { createService } from "../../../reference-service/service";
import { allItems, asking, type Answer, type Asking } from "../asking";
import { limitsOf } from "../limits";
import { leftOpen, pageStatements } from "../../contract/page";

const west = asking("demo-west");
const quirky = (...quirks: QuirkName[]) => asking("demo-west", { quirks });

const california = await allItems<schemas.Ahj>(west, "/v1/ahjs", { state_code: "CA" });
const [collection] = (await west.get<schemas.Page<schemas.Collection>>("/v1/collections")).body.data.items;
const ahjIds = california.slice(0, 25).map(({ id }) => id);
const typeIds = [1001, 1012, 1045, 1089, 1256, 1323];
/** Texas, its neighbor in the list of states, and an id that no AHJ has: all outside demo-west. */
const outside = [7, 10_043, 10_044];

const matrix = (ask: Asking, ahj_ids: number[], data_point_type_ids = typeIds) =>
  ask.post<schemas.MatrixReport>("/v1/reports/matrix", { ahj_ids, data_point_type_ids });
const runCollection = (ask: Asking, geoids: string) =>
  ask.get<schemas.CollectionResults>(`/v1/collections/${collection!.id}/data`, { geoids });
const idsOf = (items: readonly { id: number }[]) => items.map(({ id }) => id);
const countsOf = (ids: readonly number[]) =>
  ids.map((id) => ids.filter((other) => other === id).length).sort((one, other) => other - one);

/** Every object in a JSON text, with the name of its field. */
function objectsIn(text: string): { field: string; fields: Record<string, unknown> }[] {
  const found: { field: string; fields: Record<string, unknown> }[] = [];
  const visit = (node: unknown, field: string): void => {
    if (Array.isArray(node)) node.forEach((item) => visit(item, field));
    else if (typeof node === "object" && node !== null) {
      found.push({ field, fields: node as Record<string, unknown> });
      for (const [name, value] of Object.entries(node)) visit(value, name);
    }
  };
  visit(JSON.parse(text), "");
  return found;
}

describe("Each quirk", () => {
  it.each(quirkNames)("reads a point in another way that docs/interface.md leaves open: %s", (name) => {
    const points = pageStatements.filter(({ heading }) => heading === leftOpen);
    expect(points.map(({ rowName }) => rowName)).toContain(quirks[name].silence);
  });
});

describe("page-size-20", () => {
  const ask = quirky("page-size-20");

  it("a page has 20 items when page_size is not given; it is still the first page", async () => {
    const { body } = await ask.get<schemas.Page<schemas.Ahj>>("/v1/ahjs");
    expect(body.data.pagination).toMatchObject({ page: 1, page_size: 20 });
    expect(body.data.items).toHaveLength(20);
    const { data } = (await runCollection(ask, "06001,06003")).body;
    expect(data.pagination.page_size).toBe(20);
  });

  it("a page_size that is given counts", async () => {
    const query = { page_size: 100, page: 2 };
    expect((await ask.get("/v1/ahjs", query)).text).toBe((await west.get("/v1/ahjs", query)).text);
    expect((await ask.get("/v1/ahjs", { page_size: 0 })).status).toBe(422);
  });
});

describe("other-filter-names", () => {
  const ask = quirky("other-filter-names");

  it("the state filter is `states`", async () => {
    for (const path of ["/v1/ahjs", "/v1/data-points"]) {
      const usual = await west.get(path, { state_code: "nv,OR" });
      expect((await ask.get(path, { states: "nv,OR" })).text).toBe(usual.text);
    }
  });

  it("the category filter is `categories`", async () => {
    const usual = await west.get("/v1/data-points", { category_ids: "5,22" });
    expect((await ask.get("/v1/data-points", { categories: "5,22" })).text).toBe(usual.text);
  });

  it.each([
    { title: "with the quirk", from: ask, real: "states" },
    { title: "without", from: west, real: "state_code" },
  ])("of the names for the state one filters, the others are ignored: $title", async ({ from, real }) => {
    const all = (await from.get("/v1/ahjs")).text;
    for (const name of ["state_code", "state", "state_codes", "states"]) {
      const { status, text } = await from.get("/v1/ahjs", { [name]: "NV" });
      expect(status).toBe(200);
      expect(text === all, name).toBe(name !== real);
    }
  });

  it("of the names for the category too", async () => {
    const all = (await ask.get("/v1/data-points")).text;
    expect((await ask.get("/v1/data-points", { category_ids: "5" })).text).toBe(all);
    expect((await ask.get("/v1/data-points", { toString: "5" })).text).toBe(all);
  });

  it("a fault is reported by the name that was sent", async () => {
    const { status, body } = await ask.get("/v1/data-points", { states: "CA,Nevada", categories: "x" });
    expect(status).toBe(422);
    expect(body.detail?.map(({ loc }) => loc)).toEqual([
      ["query", "states", "1"],
      ["query", "categories", "0"],
    ]);
    const twice = await ask.get("/v1/ahjs?states=CA&states=NV");
    expect(twice.body.detail).toMatchObject([{ loc: ["query", "states"], msg: "must be given once" }]);
  });
});

describe("matrix-5000", () => {
  const ask = quirky("matrix-5000");
  const types = Array.from({ length: 50 }, (_, at) => 1001 + at);
  const hundred = idsOf(california.slice(0, 100));

  it.each(["/v1/reports/matrix", "/v1/reports/export"])("5,000 cells are served: %s", async (path) => {
    const body = { ahj_ids: [...hundred, ...hundred], data_point_type_ids: types };
    const answer = await ask.post(path, body);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe((await west.post(path, body)).text);
  });

  it.each(["/v1/reports/matrix", "/v1/reports/export"])("more are 422 and a sentence: %s", async (path) => {
    const { status, body } = await ask.post(path, {
      ahj_ids: [...hundred, california[100]!.id],
      data_point_type_ids: types,
    });
    expect(status).toBe(422);
    expect(body).toEqual({
      detail: [
        {
          loc: ["body"],
          msg: "must ask for at most 5,000 cells (AHJs times types), not 5,050",
          type: "too_many_cells",
        },
      ],
    });
  });

  it("another fault is named as without it", async () => {
    for (const body of [{}, "{", { ahj_ids: [], data_point_type_ids: [1001] }]) {
      const answer = await ask.post("/v1/reports/matrix", body);
      expect(answer.status).toBe(422);
      expect(answer.text).toBe((await west.post("/v1/reports/matrix", body)).text);
    }
  });
});

describe("empty-401", () => {
  it.each([
    { title: "no key", key: null },
    { title: "a wrong key", key: "nobody" },
  ])("$title: 401 without a body, on every method", async ({ key }) => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await asking(key, { quirks: ["empty-401"] }).send("/v1/ahjs", { method });
      expect(answer.status).toBe(401);
      expect(answer.text).toBe("");
      expect(answer.headers.has("Content-Type")).toBe(false);
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
  });
});

describe("html-429", () => {
  it("a 429 is a page of HTML without Retry-After; the rate limit headers stay", async () => {
    const ask = asking("demo-west", { quirks: ["html-429"], limits: limitsOf({ minute: 1 }) });
    expect((await ask.get("/v1/ahjs")).status).toBe(200);
    const { status, headers, text } = await ask.get("/v1/ahjs");
    expect(status).toBe(429);
    expect(headers.get("Content-Type")).toBe("text/html");
    expect(text).toMatch(/^<!doctype html>/);
    expect(headers.has("Retry-After")).toBe(false);
    expect(headers.get("X-RateLimit-Remaining")).toBe("0");
    expect(headers.get("X-RateLimit-Reset")).toMatch(/^\d{10}$/);
  });
});

describe("unknown-ahj-404", () => {
  const ask = quirky("unknown-ahj-404");

  it.each(["7", "0", "-1", "99999999999999999999"])("an unknown AHJ id is 404: %s", async (id) => {
    const { status, body } = await ask.get(`/v1/ahjs/${id}`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ response_type: "error", error: "AHJ_NOT_FOUND", status_code: 404 });
  });

  it("a known one outside the subscription stays 403, one inside 200, and what is no id 422", async () => {
    expect((await ask.get(`/v1/ahjs/${outside[1]}`)).body.error).toBe("AHJ_ACCESS_DENIED");
    expect((await ask.get(`/v1/ahjs/${california[0]!.id}`)).status).toBe(200);
    expect((await ask.get("/v1/ahjs/abc")).status).toBe(422);
    expect((await ask.get("/v1/geoid/48001")).status).toBe(403);
  });
});

describe("unmatched-404", () => {
  const ask = quirky("unmatched-404");

  it("a collection for geoIDs of which none resolves is 404", async () => {
    for (const geoids of ["99999", "99999, 6001", "6001,6001"]) {
      const { status, body } = await runCollection(ask, geoids);
      expect(status, geoids).toBe(404);
      expect(body).toMatchObject({ response_type: "error", error: "GEOID_NOT_FOUND", status_code: 404 });
    }
  });

  it("when one resolves it is 200, also where the collection is empty", async () => {
    expect((await runCollection(ask, "99999,06001")).status).toBe(200);
    const { data } = (await west.get<schemas.Page<schemas.Collection>>("/v1/collections")).body;
    const empty = data.items.find((item) => item.name === "New collection")!;
    const answer = await ask.get(`/v1/collections/${empty.id}/data`, { geoids: "99999,06001" });
    expect(answer.body).toMatchObject({ data: { items: [] }, warnings: [{ unmatched_geoids: ["99999"] }] });
  });

  it("when one resolves outside the subscription it is 403", async () => {
    expect((await runCollection(ask, "99999,48001")).status).toBe(403);
  });
});

describe("past-end-404", () => {
  const ask = quirky("past-end-404");

  it.each([
    "/v1/ahjs",
    "/v1/data-points",
    "/v1/data-points/types",
    "/v1/categories",
    "/v1/units-of-measure",
    "/v1/collections",
    `/v1/collections/${collection!.id}/data?geoids=06001`,
    `/v1/geoid/06001/collections/${collection!.id}`,
  ])("the page after the last one is 404: %s", async (path) => {
    const at = (page: number) => ask.send(`${path}${path.includes("?") ? "&" : "?"}page=${page}`);
    const { data } = (await at(1)).body as { data: schemas.Page<unknown> };
    expect((await at(data.pagination.total_pages)).status).toBe(200);
    const { status, body } = await at(data.pagination.total_pages + 1);
    expect(status).toBe(404);
    expect(body).toMatchObject({ response_type: "error", error: "NOT_FOUND", status_code: 404 });
  });

  it("the first page of an empty list is there", async () => {
    const none = asking("demo-none", { quirks: ["past-end-404"] });
    expect((await none.get("/v1/ahjs")).status).toBe(200);
    expect((await none.get("/v1/ahjs", { page: 2 })).status).toBe(404);
  });
});

describe("split-warnings", () => {
  const ask = quirky("split-warnings");

  it("excluded AHJs are spread over two warnings, each with its own count", async () => {
    const { body } = await matrix(ask, [...ahjIds, ...outside]);
    expect(body.warnings).toEqual([
      {
        code: "AHJ_ACCESS_DENIED",
        message: "Left out: 2 requested AHJs outside your subscription.",
        excluded_ahj_ids: [7, 10_043],
        unmatched_geoids: [],
      },
      {
        code: "AHJ_ACCESS_DENIED",
        message: "Left out: 1 requested AHJ outside your subscription.",
        excluded_ahj_ids: [10_044],
        unmatched_geoids: [],
      },
    ]);
  });

  it("so are geoIDs that do not resolve, in warnings of their own", async () => {
    const { body } = await runCollection(ask, "06001,48001,22071,99998,99999");
    const lists = body.warnings!.map((warning) => [
      warning.excluded_ahj_ids.length,
      warning.unmatched_geoids,
    ]);
    expect(lists).toEqual([
      [1, []],
      [1, []],
      [0, ["99998"]],
      [0, ["99999"]],
    ]);
  });

  it("a single one stays in one, and none is no warning", async () => {
    expect((await matrix(ask, [...ahjIds, 7])).body.warnings).toHaveLength(1);
    expect((await matrix(ask, ahjIds)).body).not.toHaveProperty("warnings");
  });
});

describe("bare-warnings", () => {
  it("a warning has code and message, and nothing else", async () => {
    const ask = quirky("bare-warnings");
    const usual = (await runCollection(west, "06001,48001,99999")).body.warnings!;
    expect(usual).toHaveLength(2);
    expect((await runCollection(ask, "06001,48001,99999")).body.warnings).toEqual(
      usual.map(({ code, message }) => ({ code, message })),
    );
    expect((await matrix(ask, [...ahjIds, 7])).body.warnings).toEqual([
      { code: "AHJ_ACCESS_DENIED", message: "Left out: 1 requested AHJ outside your subscription." },
    ]);
  });
});

describe("bare-units", () => {
  it("units are bare strings; paging is the same", async () => {
    const usual = await west.get<schemas.Page<schemas.Unit>>("/v1/units-of-measure", {
      page_size: 3,
      page: 2,
    });
    const { body } = await quirky("bare-units").get("/v1/units-of-measure", { page_size: 3, page: 2 });
    expect(body.data).toEqual({
      items: usual.body.data.items.map(({ name }) => name),
      pagination: usual.body.data.pagination,
    });
  });

  it("categories stay objects", async () => {
    const usual = await west.get("/v1/categories");
    expect((await quirky("bare-units").get("/v1/categories")).text).toBe(usual.text);
  });
});

describe("other-order", () => {
  const ask = quirky("other-order");

  it("the rows, AHJs and columns of a matrix come in other orders, rows and AHJs not in the same", async () => {
    const usual = (await matrix(west, ahjIds)).body.data;
    const other = (await matrix(ask, ahjIds)).body.data;
    const orders = [
      idsOf(usual.ahjs),
      idsOf(other.ahjs),
      other.rows.map(({ ahj }) => ahj.id),
      idsOf(usual.data_point_types),
      idsOf(other.data_point_types),
    ].map(String);
    expect(new Set(orders).size).toBe(orders.length);
    const sorted = [...other.rows].sort((one, another) => one.ahj.id - another.ahj.id);
    expect(sorted).toEqual(usual.rows);
  });

  it("the items of a page come in another order; each page has the same ones", async () => {
    for (const page of [1, 2, 4]) {
      const usual = await west.get<schemas.Page<schemas.Ahj>>("/v1/ahjs", { page, page_size: 50 });
      const { data } = (await ask.get<schemas.Page<schemas.Ahj>>("/v1/ahjs", { page, page_size: 50 })).body;
      expect(idsOf(data.items)).not.toEqual(idsOf(usual.body.data.items));
      expect([...data.items].sort((one, other) => one.id - other.id)).toEqual(usual.body.data.items);
      expect(data.pagination).toEqual(usual.body.data.pagination);
    }
  });

  it("so do the fields of every object", async () => {
    const usual = objectsIn((await matrix(west, ahjIds.slice(0, 1))).text);
    const other = objectsIn((await matrix(ask, ahjIds.slice(0, 1))).text);
    for (const place of ["", "data", "ahjs", "data_point_types", "rows", "ahj"]) {
      const [names, otherNames] = [usual, other].map((objects) =>
        Object.keys(objects.find(({ field }) => field === place)!.fields),
      );
      expect(otherNames, place).not.toEqual(names);
      expect(otherNames!.sort()).toEqual(names!.sort());
    }
  });
});

describe("duplicates", () => {
  const ask = quirky("duplicates");

  it("a matrix has some rows twice, with the same cells", async () => {
    const { ahjs, rows } = (await matrix(ask, ahjIds)).body.data;
    const usual = (await matrix(west, ahjIds)).body.data;
    expect(ahjs).toEqual(usual.ahjs);
    expect(countsOf(rows.map(({ ahj }) => ahj.id)).slice(0, 7)).toEqual([2, 2, 2, 2, 2, 2, 1]);
    const texts = new Set(rows.map((row) => JSON.stringify(row)));
    expect([...texts]).toEqual(usual.rows.map((row) => JSON.stringify(row)));
  });

  it("a page has some items twice; the total and the other pages stay", async () => {
    const page = async (from: Asking, number: number) =>
      (
        await from.get<schemas.Page<schemas.DataPointValue>>("/v1/data-points", {
          page: number,
          page_size: 25,
        })
      ).body.data;
    for (const number of [1, 2]) {
      const [usual, doubled] = [await page(west, number), await page(ask, number)];
      expect(doubled.pagination).toEqual(usual.pagination);
      expect(doubled.items).toHaveLength(28);
      expect([...new Set(idsOf(doubled.items))]).toEqual(idsOf(usual.items));
    }
  });

  it("an empty page stays empty", async () => {
    expect((await ask.get("/v1/categories", { page: 9 })).body.data).toMatchObject({ items: [] });
  });
});

describe("offset-timestamps", () => {
  it("timestamps end in +00:00 and mean the same", async () => {
    const ask = quirky("offset-timestamps");
    const query = { ahj_ids: ahjIds[0] };
    const usual = (await west.get<schemas.Page<schemas.DataPointValue>>("/v1/data-points", query)).body.data;
    const other = (await ask.get<schemas.Page<schemas.DataPointValue>>("/v1/data-points", query)).body.data;
    for (const { updated_at } of other.items) {
      expect(updated_at).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    }
    const instants = (items: schemas.DataPointValue[]) =>
      items.map(({ updated_at }) => Date.parse(updated_at));
    expect(instants(other.items)).toEqual(instants(usual.items));

    const { body } = await ask.get(`/v1/collections/${collection!.id}`);
    expect(body.data).toMatchObject({
      created_at: collection!.created_at.replace("Z", "+00:00"),
      updated_at: collection!.updated_at.replace("Z", "+00:00"),
    });
  });
});

describe("string-ids", () => {
  const ask = quirky("string-ids");

  it.each<{ title: string; request: (from: Asking) => Promise<Answer<unknown>> }>([
    { title: "AHJs", request: (from) => from.get("/v1/ahjs") },
    { title: "an AHJ", request: (from) => from.get(`/v1/ahjs/${ahjIds[0]}`) },
    { title: "data points", request: (from) => from.get("/v1/data-points") },
    { title: "types", request: (from) => from.get("/v1/data-points/types") },
    { title: "categories", request: (from) => from.get("/v1/categories") },
    { title: "units", request: (from) => from.get("/v1/units-of-measure") },
    { title: "collections", request: (from) => from.get("/v1/collections") },
    { title: "a matrix", request: (from) => matrix(from, [...ahjIds, ...outside]) },
    { title: "a collection's results", request: (from) => runCollection(from, "06001,48001,99999") },
  ])("every id is a string of digits, but a collection's: $title", async ({ request }) => {
    const idFields = (text: string) =>
      objectsIn(text).flatMap(({ fields }) =>
        Object.entries(fields)
          .filter(([name]) => name === "id" || name.endsWith("_ids"))
          .flatMap(([, value]) => value),
      );
    const usual = idFields((await request(west)).text);
    const strings = idFields((await request(ask)).text);
    expect(usual.some((id) => typeof id === "number")).toBe(true);
    expect(strings).toEqual(usual.map(String));
  });

  it("other numbers stay numbers", async () => {
    const { body } = await ask.get<schemas.Page<unknown>>("/v1/ahjs");
    expect(body.data.pagination).toMatchObject({ page: 1, page_size: 100 });
    const { data } = (await ask.get<schemas.AhjDetail>("/v1/geoid/06001")).body;
    expect([typeof data.id, typeof data.population, typeof data.lat]).toEqual(["string", "number", "number"]);
  });
});

describe("extra-fields", () => {
  const ask = quirky("extra-fields");

  it.each<{ title: string; places: string[]; request: (from: Asking) => Promise<Answer<unknown>> }>([
    {
      title: "a page of data points",
      places: ["", "ahj", "data", "data_point_type", "items", "pagination", "warnings"],
      request: (from) => from.get("/v1/data-points", { ahj_ids: `${ahjIds[0]},7` }),
    },
    {
      title: "a matrix",
      places: ["", "1001", "ahj", "ahjs", "data", "data_point_types", "rows", "warnings"],
      request: (from) => matrix(from, [...ahjIds, 7], [1001]),
    },
    { title: "an AHJ in detail", places: ["", "data"], request: (from) => from.get("/v1/geoid/06001") },
  ])("every object has more fields than docs/interface.md lists: $title", async ({ places, request }) => {
    const usual = objectsIn((await request(west)).text).filter(({ field }) => field !== "values");
    const extended = objectsIn((await request(ask)).text).filter(
      ({ field }) => field !== "values" && !field.startsWith("x_"),
    );
    expect([...new Set(extended.map(({ field }) => field))].sort()).toEqual(places);
    expect(extended).toHaveLength(usual.length);
    for (const [at, { fields }] of extended.entries()) {
      const names = Object.keys(usual[at]!.fields);
      expect(Object.keys(fields).slice(0, names.length)).toEqual(names);
      expect(Object.keys(fields).length).toBeGreaterThan(names.length);
    }
  });

  it("the keys of a row's values are ids of types and nothing else", async () => {
    const { rows } = (await matrix(ask, ahjIds)).body.data;
    expect(Object.keys(rows[0]!.values)).toEqual(typeIds.map(String));
  });
});

describe("hidden-headers", () => {
  const limits = limitsOf({ minute: 2 });
  const names = ["X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "Date", "Content-Disposition"];
  const origin = { Origin: "https://addin.test" };

  it("no header is exposed to pages, and those that would have to be are left out", async () => {
    const ask = asking("demo-west", { quirks: ["hidden-headers"], limits });
    const file = await ask.post("/v1/reports/export", { ahj_ids: ahjIds, data_point_type_ids: typeIds });
    const list = await ask.send("/v1/ahjs", { headers: origin });
    const late = await ask.send("/v1/ahjs", { headers: origin });
    const keyless = await asking(null, { quirks: ["hidden-headers"] }).get("/v1/ahjs");
    expect([file, list, late, keyless].map(({ status }) => status)).toEqual([200, 200, 429, 401]);
    for (const { headers } of [file, list, late, keyless]) {
      expect(headers.has("Access-Control-Expose-Headers")).toBe(false);
      expect(names.filter((name) => headers.has(name))).toEqual([]);
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.has("Content-Type")).toBe(true);
    }
  });
});

const jsonEndpoints = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => endpoints[name].answer !== "csv",
);

const pathValues: Record<string, string> = {
  ahj_id: String(ahjIds[0]),
  geoid: "06001",
  collection_id: collection!.id,
};

/** Sends a request to an endpoint that gives warnings if the endpoint can. */
function askEndpoint(from: Asking, name: EndpointName): Promise<Answer<unknown>> {
  const endpoint: Endpoint = endpoints[name];
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, parameter: string) => pathValues[parameter]!);
  if (endpoint.send === "body") {
    return from.post(path, { ahj_ids: [...ahjIds, ...outside], data_point_type_ids: typeIds });
  }
  const query = {
    page: 1,
    page_size: 50,
    ...(name === "listDataPoints" && { ahj_ids: [...ahjIds, ...outside].join() }),
    ...(/\/(data|export)$/.test(path) && { geoids: "06001,06003,48001,99998,99999" }),
  };
  return endpoint.method === "GET" ? from.get(path, query) : from.post(path, undefined, query);
}

/** An answer's meaning: lists without order and duplicates, timestamps as instants. */
function meaning(node: unknown): unknown {
  if (Array.isArray(node)) {
    const texts = node.map((item) => JSON.stringify(meaning(item)));
    return [...new Set(texts)].sort();
  }
  if (typeof node === "string" && /^\d{4}-\d\d-\d\dT/.test(node)) return Date.parse(node);
  if (typeof node !== "object" || node === null) return node;
  const fields = Object.entries(node).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, value]) => [name, meaning(value)]));
}

/** A matrix without fields that nobody reads. Its cells are checked in place, which keeps such fields. */
function withoutStrayFields(data: unknown): unknown {
  if (typeof data !== "object" || data === null || !("rows" in data)) return data;
  const { rows } = data as schemas.MatrixReport;
  const read = (cell: schemas.MatrixCellSent | null | undefined) =>
    cell ? { value: cell.value, reference: cell.reference, section: cell.section } : null;
  return {
    ...data,
    rows: rows.map(({ ahj, values }) => ({
      ahj,
      values: Object.fromEntries(Object.entries(values).map(([id, cell]) => [id, read(cell)])),
    })),
  };
}

/** The data that a client reads from an answer with the schemas; fails if the schemas refuse it. */
function read(name: EndpointName, { status, body }: Answer<unknown>) {
  expect(status).toBe(200);
  const { answer }: Endpoint = endpoints[name];
  if (answer === "csv") throw new Error(`${name} answers with a file`);
  const { response_type, description, data, warnings } = schemas.envelope.parse(body);
  return {
    said: { response_type, description, data: meaning(withoutStrayFields(answer.parse(data))) },
    excluded: meaning(warnings.flatMap(({ excluded_ahj_ids }) => excluded_ahj_ids)),
    unmatched: meaning(warnings.flatMap(({ unmatched_geoids }) => unmatched_geoids)),
    codes: meaning(warnings.map(({ code }) => code)),
  };
}

async function expectSameMeaning(names: readonly EndpointName[], quirks: readonly QuirkName[]) {
  const from = asking("demo-west", { quirks });
  for (const name of names) {
    const usual = read(name, await askEndpoint(west, name));
    const listless = quirks.includes("bare-warnings") ? { excluded: [], unmatched: [] } : {};
    expect(read(name, await askEndpoint(from, name)), `${name} with ${quirks}`).toEqual({
      ...usual,
      ...listless,
    });
  }
}

describe("quirks together", () => {
  const typical: EndpointName[] = ["listDataPoints", "matrix", "runCollection"];

  it.each(jsonEndpoints)(
    "with all at once the schemas accept the answer, and it tells the same: %s",
    (name) => expectSameMeaning([name], quirkNames),
  );

  it.each(["exportMatrix", "exportCollection"] as const)(
    "with all at once a file is the same: %s",
    async (name) => {
      const usual = await askEndpoint(west, name);
      const { status, text } = await askEndpoint(quirky(...quirkNames), name);
      expect(status).toBe(200);
      expect(text).toBe(usual.text);
    },
  );

  it.each(quirkNames)(
    "with any other beside it the schemas accept the answers, and they tell the same: %s",
    async (one) => {
      for (const other of quirkNames.slice(quirkNames.indexOf(one)))
        await expectSameMeaning(typical, [one, other]);
    },
  );

  it("so they do with any set of them, in any order", async () => {
    const sets = fc.shuffledSubarray(quirkNames);
    await fc.assert(
      fc.asyncProperty(sets, (names) => expectSameMeaning(typical, names)),
      { numRuns: 50 },
    );
  });

  it("a large matrix is still sent piece by piece", async () => {
    const service = createService({ quirks: quirkNames.filter((name) => name !== "matrix-5000") });
    const request = new Request("http://service.test/v1/reports/matrix", {
      method: "POST",
      headers: { "X-API-Key": "demo-west" },
      body: JSON.stringify({ ahj_ids: idsOf(california), data_point_type_ids: typeIds }),
    });
    const pieceLengths: number[] = [];
    for await (const piece of (await service.fetch(request)).body!) pieceLengths.push(piece.length);
    expect(pieceLengths.length).toBeGreaterThan(10);
    expect(Math.max(...pieceLengths)).toBeLessThan(100_000);
  });

  it("without any the service is the plain one", async () => {
    for (const name of jsonEndpoints) {
      const { text } = await askEndpoint(asking("demo-west", { quirks: [] }), name);
      expect(text).toBe((await askEndpoint(west, name)).text);
    }
  });
});
