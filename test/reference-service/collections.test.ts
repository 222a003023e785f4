import { parse as parseDisposition } from "content-disposition";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import type {
  Ahj,
  Collection,
  CollectionResults,
  DataPointType,
  DataPointValue,
  Page,
} from "../../src/engine/api/schemas";
import { allItems, asking, type Asking, type Query } from "./asking";

const keys = ["demo-national", "demo-west", "demo-county", "demo-none", "demo-limited"];
const ask = asking("demo-national");
const west = asking("demo-west");
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const unknownId = "00000000-0000-4000-8000-000000000000";

const types = await allItems<DataPointType>(ask, "/v1/data-points/types");
const california = await allItems<Ahj>(west, "/v1/ahjs", { state_code: "CA" });
const texas = await allItems<Ahj>(ask, "/v1/ahjs", { state_code: "TX" });
const idsOf = (ahjs: readonly { id: number }[]) => ahjs.map(({ id }) => id);
const listOf = (items: readonly (number | string)[]) => items.join(",");

async function collectionsOf(from: Asking): Promise<Collection[]> {
  return (await from.get<Page<Collection>>("/v1/collections")).body.data.items;
}

const [byTypes, byCategories, byBoth, empty, oddName] = await collectionsOf(west);
const run = (from: Asking, { id }: { id: string }, query: Query) =>
  from.get<CollectionResults>(`/v1/collections/${id}/data`, query);
const exported = (from: Asking, { id }: { id: string }, query: Query) =>
  from.post(`/v1/collections/${id}/export`, undefined, query);

/** A geoID whose lowest AHJ lies outside demo-west, though a higher one lies inside. */
const crossingGeoid = await (async () => {
  const inside = await allItems<Ahj>(west, "/v1/ahjs", { state_code: "OR" });
  const idaho = await allItems<Ahj>(ask, "/v1/ahjs", { state_code: "ID" });
  return inside.find(({ geoid }) => idaho.some((ahj) => ahj.geoid === geoid))!.geoid!;
})();

describe("10. GET /v1/collections", () => {
  it("a collection has the fields of docs/interface.md and nothing else", async () => {
    for (const collection of await collectionsOf(west)) {
      expect(Object.keys(collection).sort()).toEqual(
        [
          "category_ids",
          "created_at",
          "data_point_type_ids",
          "description",
          "id",
          "name",
          "organization_id",
          "updated_at",
        ].sort(),
      );
      expect(collection.id).toMatch(uuid);
      expect(collection.organization_id).toMatch(uuid);
      expect(collection.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(collection.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(collection.updated_at >= collection.created_at).toBe(true);
    }
  });

  it("only the caller's organization: each has its own ids, and one organization_id", async () => {
    const lists = await Promise.all(keys.map((key) => collectionsOf(asking(key))));
    expect(lists.map((list) => new Set(list.map(({ organization_id }) => organization_id)).size)).toEqual(
      keys.map(() => 1),
    );
    const ids = lists.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(lists.flat().map(({ organization_id }) => organization_id)).size).toBe(keys.length);
  });

  it("there is one by types, one by categories, one by both, one empty, and one with an odd name", () => {
    const filters = ({ data_point_type_ids, category_ids }: Collection) => [
      data_point_type_ids.length > 0,
      category_ids.length > 0,
    ];
    expect([byTypes!, byCategories!, byBoth!, empty!].map(filters)).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [false, false],
    ]);
    for (const part of ['"', ",", "\n", "é", "'"]) expect(oddName!.name).toContain(part);
  });

  it("the ids are the same each time", async () => {
    expect(idsText(await collectionsOf(asking("demo-west")))).toBe(idsText(await collectionsOf(west)));
  });

  const idsText = (collections: readonly Collection[]) => collections.map(({ id }) => id).join();
});

describe("11. GET /v1/collections/{collection_id}", () => {
  it("data is the collection", async () => {
    const { status, body } = await west.get<Collection>(`/v1/collections/${byBoth!.id}`);
    expect(status).toBe(200);
    expect(body.data).toEqual(byBoth);
  });

  it("the case of the UUID does not matter", async () => {
    expect((await west.get(`/v1/collections/${byBoth!.id.toUpperCase()}`)).status).toBe(200);
  });

  it("a foreign collection is 404 like an unknown one, on every endpoint", async () => {
    const query = `ahj_ids=${california[0]!.id}`;
    for (const id of [byTypes!.id, unknownId, "not-a-uuid"]) {
      for (const [method, path] of [
        ["GET", `/v1/collections/${id}`],
        ["GET", `/v1/collections/${id}/data?${query}`],
        ["POST", `/v1/collections/${id}/export?${query}`],
        ["GET", `/v1/geoid/06001/collections/${id}`],
      ] as const) {
        const { status, body } = await ask.send(path, { method });
        expect(status, path).toBe(404);
        expect(body).toMatchObject({
          response_type: "error",
          error: "COLLECTION_NOT_FOUND",
          status_code: 404,
        });
      }
    }
  });

  it("whatever else the request lacks", async () => {
    for (const [method, path] of [
      ["GET", `/v1/collections/${byTypes!.id}/data`],
      ["POST", `/v1/collections/${byTypes!.id}/export`],
      ["GET", `/v1/geoid/99999/collections/${byTypes!.id}?page=0`],
    ] as const) {
      expect((await ask.send(path, { method })).body.error, path).toBe("COLLECTION_NOT_FOUND");
    }
  });
});

describe("12. GET /v1/collections/{collection_id}/data", () => {
  it("data has collection_id, collection_name, items and pagination, and nothing else", async () => {
    const { status, body } = await run(west, byTypes!, { ahj_ids: california[0]!.id });
    expect(status).toBe(200);
    expect(Object.keys(body.data).sort()).toEqual([
      "collection_id",
      "collection_name",
      "items",
      "pagination",
    ]);
    expect(body.data).toMatchObject({ collection_id: byTypes!.id, collection_name: byTypes!.name });
    expect(body).not.toHaveProperty("warnings");
  });

  it("an item is a data point value", async () => {
    const { body } = await run(west, byTypes!, { ahj_ids: california[0]!.id, page_size: 1 });
    const item = body.data.items[0]!;
    const { body: listed } = await west.get<Page<DataPointValue>>("/v1/data-points", {
      ahj_ids: item.ahj.id,
      data_point_type_ids: item.data_point_type.id,
    });
    expect(item).toEqual(listed.data.items[0]);
  });

  const matches = ({ data_point_type_ids, category_ids }: Collection) =>
    types
      .filter(
        (type) =>
          data_point_type_ids.includes(type.id) || type.category_ids.some((id) => category_ids.includes(id)),
      )
      .map(({ id }) => id);

  it.each([
    { filter: "types", collection: byTypes! },
    { filter: "categories", collection: byCategories! },
    { filter: "types or categories", collection: byBoth! },
    { filter: "types or categories (odd name)", collection: oddName! },
  ])("gives only values that fit its $filter: one of the two is enough", async ({ collection }) => {
    const ahjIds = idsOf(california.slice(0, 5));
    const found = await allItems<DataPointValue>(west, `/v1/collections/${collection.id}/data`, {
      ahj_ids: listOf(ahjIds),
    });
    const wanted = await allItems<DataPointValue>(west, "/v1/data-points", {
      ahj_ids: listOf(ahjIds),
      data_point_type_ids: listOf(matches(collection)),
    });
    expect(wanted.length).toBeGreaterThan(0);
    expect(found).toEqual(wanted);
  });

  it("a collection with both lists empty returns nothing", async () => {
    const { status, body } = await run(west, empty!, { ahj_ids: california[0]!.id });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ items: [], pagination: { total: 0, total_pages: 0 } });
  });

  it("is paginated", async () => {
    const query = { ahj_ids: listOf(idsOf(california.slice(0, 20))), page_size: 7, page: 3 };
    const { body } = await run(west, byTypes!, query);
    expect(body.data.items).toHaveLength(7);
    expect(body.data.pagination).toMatchObject({ page: 3, page_size: 7 });
    expect((await run(west, byTypes!, { ...query, page_size: 501 })).status).toBe(422);
    expect((await run(west, byTypes!, { ...query, page: 0 })).status).toBe(422);
  });

  it("geoids gives the same as the ids of the AHJs they resolve to", async () => {
    const counties = california.filter(({ type }) => type === "county").slice(0, 3);
    const byId = await run(west, byTypes!, { ahj_ids: listOf(idsOf(counties)) });
    const byGeoid = await run(west, byTypes!, { geoids: listOf(counties.map(({ geoid }) => geoid!)) });
    expect(byGeoid.status).toBe(200);
    expect(byGeoid.body).toEqual(byId.body);
  });

  it("blanks after the commas of a list do not matter", async () => {
    const [first, second] = california.filter(({ type }) => type === "county");
    const plain = await run(west, byTypes!, { ahj_ids: `${first!.id},${second!.id}` });
    for (const query of [
      { ahj_ids: `${first!.id}, ${second!.id}` },
      { geoids: `${first!.geoid}, ${second!.geoid} ` },
    ]) {
      const { status, body } = await run(west, byTypes!, query);
      expect(status).toBe(200);
      expect(body).toEqual(plain.body);
    }
  });

  it("exactly one of ahj_ids and geoids: neither or both is 422", async () => {
    const neither = await run(west, byTypes!, {});
    const both = await run(west, byTypes!, { ahj_ids: california[0]!.id, geoids: "06001" });
    for (const { status, body } of [neither, both]) {
      expect(status).toBe(422);
      expect(body.detail).toHaveLength(1);
    }
  });

  it.each([{ ahj_ids: "1,x" }, { ahj_ids: "" }, { geoids: "" }, { geoids: "06001, ,06003" }])(
    "a malformed list is 422: %j",
    async (query) => {
      expect((await run(west, byTypes!, query)).status).toBe(422);
    },
  );

  it("an AHJ outside the subscription is in a warning of a 200", async () => {
    const { status, body } = await run(west, byTypes!, {
      ahj_ids: listOf([california[0]!.id, texas[0]!.id]),
    });
    expect(status).toBe(200);
    expect(new Set(body.data.items.map(({ ahj }) => ahj.id))).toEqual(new Set([california[0]!.id]));
    expect(body.warnings).toMatchObject([
      { code: "AHJ_ACCESS_DENIED", excluded_ahj_ids: [texas[0]!.id], unmatched_geoids: [] },
    ]);
  });

  it("unknown geoIDs are in the unmatched_geoids of a 200", async () => {
    const { status, body } = await run(west, byTypes!, { geoids: "6001,06001,99999,6001" });
    expect(status).toBe(200);
    expect(body.data.items.length).toBeGreaterThan(0);
    expect(body.warnings).toEqual([
      {
        code: "GEOID_NOT_FOUND",
        message: "No AHJ was found for 2 requested geoIDs.",
        excluded_ahj_ids: [],
        unmatched_geoids: ["6001", "99999"],
      },
    ]);
  });

  it("a warning has code, message, excluded_ahj_ids and unmatched_geoids, and nothing else; both kinds may stand", async () => {
    const { status, body } = await run(west, byTypes!, { geoids: "06001,22071,99999" });
    expect(status).toBe(200);
    expect(body.warnings).toHaveLength(2);
    for (const warning of body.warnings!) {
      expect(Object.keys(warning).sort()).toEqual([
        "code",
        "excluded_ahj_ids",
        "message",
        "unmatched_geoids",
      ]);
    }
    expect(body.warnings!.flatMap(({ unmatched_geoids }) => unmatched_geoids)).toEqual(["99999"]);
    expect(body.warnings!.flatMap(({ excluded_ahj_ids }) => excluded_ahj_ids)).toHaveLength(1);
  });

  it("403 if the subscription has none of the AHJs", async () => {
    for (const query of [
      { ahj_ids: listOf(idsOf(texas.slice(0, 2))) },
      { ahj_ids: "7" },
      { geoids: "22071,48001" },
      { geoids: "22071,99999" },
    ]) {
      const { status, body } = await run(west, byTypes!, query);
      expect(status, JSON.stringify(query)).toBe(403);
      expect(body.error).toBe("AHJ_ACCESS_DENIED");
    }
  });

  it("200, no items and a warning if no geoID has an AHJ", async () => {
    const { status, body } = await run(west, byTypes!, { geoids: "99999,6001" });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ items: [], pagination: { total: 0 } });
    expect(body.warnings).toMatchObject([{ unmatched_geoids: ["99999", "6001"], excluded_ahj_ids: [] }]);
  });

  it("a geoID of several AHJs resolves to the lowest id of all, also when only a higher one is entitled", async () => {
    expect((await run(west, byTypes!, { geoids: crossingGeoid })).status).toBe(403);
    const { body } = await run(west, byTypes!, { geoids: `${crossingGeoid},06001` });
    expect(body.warnings).toMatchObject([{ code: "AHJ_ACCESS_DENIED", unmatched_geoids: [] }]);
    expect(body.warnings![0]!.excluded_ahj_ids).toHaveLength(1);
  });

  it("demo-none may run nothing: 403", async () => {
    const none = asking("demo-none");
    const [first] = await collectionsOf(none);
    expect((await run(none, first!, { ahj_ids: california[0]!.id })).status).toBe(403);
  });
});

describe("13. POST /v1/collections/{collection_id}/export", () => {
  const columnNames = byTypes!.data_point_type_ids.map((id) => types.find((type) => type.id === id)!.name);

  it("a request without a body gives a CSV file, and its Content-Type says so", async () => {
    const { status, headers } = await exported(west, byTypes!, { ahj_ids: california[0]!.id });
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("text/csv");
  });

  it("Content-Disposition suggests a file name after the collection", async () => {
    const { headers } = await exported(west, byTypes!, { ahj_ids: california[0]!.id });
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="Residential solar.csv"');
  });

  it("an odd name becomes a file name every system takes, after RFC 6266", async () => {
    const { headers } = await exported(west, oddName!, { ahj_ids: california[0]!.id });
    const disposition = headers.get("Content-Disposition")!;
    expect(disposition).toMatch(/^[\x20-\x7e]+$/);
    expect(parseDisposition(disposition)).toMatchObject({
      type: "attachment",
      parameters: { filename: "Toitures été , façades et clôtures; coûts, délais 'à vérifier' – 100 %.csv" },
    });
  });

  it("a client that knows only ASCII file names gets one every system takes as well", async () => {
    const { headers } = await exported(west, oddName!, { ahj_ids: california[0]!.id });
    expect(headers.get("Content-Disposition")).toContain(
      `filename="Toitures ete , facades et clotures; couts, delais 'a verifier' - 100 %.csv";`,
    );
  });

  it("the columns are the AHJ's name, its state, and each type under its name", async () => {
    const { text } = await exported(west, byTypes!, { ahj_ids: california[0]!.id });
    expect(Papa.parse<string[]>(text).data[0]).toEqual(["AHJ", "State", ...columnNames]);
    expect(columnNames).toHaveLength(53);
  });

  it("each AHJ has a row and each type a column; no value is an empty field", async () => {
    const ahjs = california.slice(0, 50);
    const { text } = await exported(west, byTypes!, { ahj_ids: listOf([...idsOf(ahjs), ahjs[0]!.id]) });
    const [, ...rows] = Papa.parse<string[]>(text).data;
    const points = await allItems<DataPointValue>(west, `/v1/collections/${byTypes!.id}/data`, {
      ahj_ids: listOf(idsOf(ahjs)),
    });
    const valueOf = new Map(
      points.map(({ ahj, data_point_type, value }) => [`${ahj.id} ${data_point_type.id}`, value!]),
    );
    expect(rows).toEqual(
      ahjs.map(({ id, name, state_code }) => [
        name,
        state_code,
        ...byTypes!.data_point_type_ids.map((typeId) => valueOf.get(`${id} ${typeId}`) ?? ""),
      ]),
    );
  });

  it("a collection with both lists empty has the two first columns", async () => {
    const { text } = await exported(west, empty!, { ahj_ids: california[0]!.id });
    expect(text).toBe(`AHJ,State\r\n${california[0]!.name},CA`);
  });

  it("geoids go as on endpoint 12", async () => {
    const counties = california.filter(({ type }) => type === "county").slice(0, 3);
    const byId = await exported(west, byTypes!, { ahj_ids: listOf(idsOf(counties)) });
    const byGeoid = await exported(west, byTypes!, { geoids: listOf(counties.map(({ geoid }) => geoid!)) });
    expect(byGeoid.text).toBe(byId.text);
    expect((await exported(west, byTypes!, {})).status).toBe(422);
    expect((await exported(west, byTypes!, { ahj_ids: "1", geoids: "06001" })).status).toBe(422);
  });

  it("AHJs outside the subscription and unknown geoIDs are left out without a warning", async () => {
    const one = await exported(west, byTypes!, { geoids: "06001" });
    const mixed = await exported(west, byTypes!, { geoids: "22071,99999,06001" });
    expect(mixed.status).toBe(200);
    expect(mixed.text).toBe(one.text);
    const ids = await exported(west, byTypes!, { ahj_ids: listOf([texas[0]!.id, california[0]!.id]) });
    expect(Papa.parse<string[]>(ids.text).data).toHaveLength(2);
  });

  it("422 if no geoID has an AHJ", async () => {
    const { status, body } = await exported(west, byTypes!, { geoids: "99999,6001" });
    expect(status).toBe(422);
    expect(body).toEqual({
      detail: [
        { loc: ["query", "geoids"], msg: "no AHJ was found for any of them", type: "geoid_not_found" },
      ],
    });
  });

  it("403 if the subscription has none of the AHJs", async () => {
    expect((await exported(west, byTypes!, { ahj_ids: texas[0]!.id })).status).toBe(403);
    expect((await exported(west, byTypes!, { geoids: "22071,99999" })).body.error).toBe("AHJ_ACCESS_DENIED");
  });
});

describe("14. GET /v1/geoid/{geoid}/collections/{collection_id}", () => {
  const runFor = (geoid: string, query: Query = {}) =>
    west.get<CollectionResults>(`/v1/geoid/${geoid}/collections/${byTypes!.id}`, query);

  it("the answer is that of endpoint 12 for this AHJ alone", async () => {
    const single = await runFor("06001");
    const many = await run(west, byTypes!, { geoids: "06001" });
    expect(single.status).toBe(200);
    expect(single.body).toEqual(many.body);
    expect(new Set(single.body.data.items.map(({ ahj }) => ahj.geoid))).toEqual(new Set(["06001"]));
  });

  it("page and page_size (1 to 500)", async () => {
    expect((await runFor("06001", { page: 2, page_size: 5 })).body.data).toMatchObject({
      pagination: { page: 2, page_size: 5 },
    });
    expect((await runFor("06001", { page_size: 501 })).status).toBe(422);
    expect((await runFor("06001", { page_size: 0 })).status).toBe(422);
    expect((await runFor("06001", { page: 0 })).status).toBe(422);
  });

  it("404 for a geoID without an AHJ", async () => {
    expect((await runFor("99999")).body).toMatchObject({ error: "GEOID_NOT_FOUND", status_code: 404 });
  });

  it("403 for a geoID whose AHJ is outside the subscription", async () => {
    expect((await runFor("22071")).body).toMatchObject({ error: "AHJ_ACCESS_DENIED", status_code: 403 });
    expect((await runFor(crossingGeoid)).status).toBe(403);
  });
});
