import { parse as parseDisposition } from "content-disposition";
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
const unknownId = "00000000-0000-4000-8000-000000000000";

const types = await allItems<DataPointType>(ask, "/v1/data-points/types");
const california = await allItems<Ahj>(west, "/v1/ahjs", { state_code: "CA" });
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
  it("no collection changed before its owner first saved it", async () => {
    for (const { created_at, updated_at } of await collectionsOf(west)) {
      expect(updated_at >= created_at).toBe(true);
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

  it("exactly one of ahj_ids and geoids, for an export as well: neither or both is 422", async () => {
    for (const query of [{}, { ahj_ids: california[0]!.id, geoids: "06001" }]) {
      for (const { status, body } of [
        await run(west, byTypes!, query),
        await exported(west, byTypes!, query),
      ]) {
        expect(status).toBe(422);
        expect(body.detail).toHaveLength(1);
      }
    }
  });

  it.each([{ ahj_ids: "1,x" }, { ahj_ids: "" }, { geoids: "" }, { geoids: "06001, ,06003" }])(
    "a malformed list is 422: %j",
    async (query) => {
      expect((await run(west, byTypes!, query)).status).toBe(422);
    },
  );

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

  it("403 for an unknown AHJ alone, like for one outside the subscription", async () => {
    expect((await run(west, byTypes!, { ahj_ids: "7" })).body.error).toBe("AHJ_ACCESS_DENIED");
  });

  it("200, no items and a warning if no geoID has an AHJ", async () => {
    const { status, body } = await run(west, byTypes!, { geoids: "99999,6001" });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ items: [], pagination: { total: 0 } });
    expect(body.warnings).toMatchObject([{ unmatched_geoids: ["99999", "6001"], excluded_ahj_ids: [] }]);
  });

  it("a geoID of several AHJs resolves to the lowest id of all, also when only a higher one is entitled", async () => {
    expect((await run(west, byTypes!, { geoids: crossingGeoid })).status).toBe(403);
    expect((await west.get(`/v1/geoid/${crossingGeoid}/collections/${byTypes!.id}`)).status).toBe(403);
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

  it("a collection with both lists empty has the two first columns", async () => {
    const { text } = await exported(west, empty!, { ahj_ids: california[0]!.id });
    expect(text).toBe(`AHJ,State\r\n${california[0]!.name},CA`);
  });
});
