import { describe, expect, it } from "vitest";
import { pages, queryChunks } from "../../src/api/client";
import { endpoints } from "../../src/api/endpoints";
import { connected } from "../recorded-service";

describe("the client", () => {
  it("reaches each of the fourteen endpoints", async () => {
    const { client, requests } = connected("demo-national");
    const { data: alameda } = await client.resolveGeoid({ geoid: "06001" });
    const ahj_ids = [alameda.id];
    const { data: collections } = await client.listCollections({ page: 1, page_size: 1 });
    const collection_id = collections.items[0]?.id ?? "";
    const paging = { page: 1, page_size: 2 };

    expect((await client.listAhjs({ ...paging, state_code: "CA" })).data.items).toHaveLength(2);
    expect((await client.getAhj({ ahj_id: alameda.id })).data).toMatchObject({ name: "Alameda County" });
    expect((await client.listDataPoints({ ...paging, ahj_ids })).data.items).toHaveLength(2);
    expect((await client.listTypes(paging)).data.pagination.total).toBe(334);
    expect((await client.listCategories(paging)).data.pagination.total).toBe(22);
    expect((await client.listUnits({})).data).toContainEqual({ name: "USD" });
    const body = { ahj_ids, data_point_type_ids: [1003, 1045] };
    expect((await client.matrix(body)).data.rows).toHaveLength(1);
    expect((await client.exportMatrix(body)).data).toContain("Alameda County");
    expect((await client.getCollection({ collection_id })).data.id).toBe(collection_id);
    expect((await client.runCollection({ ...paging, collection_id, ahj_ids })).data.collection_id).toBe(
      collection_id,
    );
    expect((await client.exportCollection({ collection_id, ahj_ids })).data).toContain("Alameda County");
    expect(
      (await client.runCollectionForGeoid({ ...paging, collection_id, geoid: "06001" })).data.collection_id,
    ).toBe(collection_id);

    const reached = new Set(
      requests.map((request) =>
        request
          .split(" ")
          .map((part) => part.replace(/\?.*/, ""))
          .join(" "),
      ),
    );
    expect(reached.size).toBe(Object.keys(endpoints).length);
  });

  it("sends lists with plain commas", async () => {
    let address = "";
    const { client } = connected("demo-national", {
      intercept: (request) => {
        address = request.url;
        return undefined;
      },
    });
    await client.listDataPoints({ page: 1, page_size: 1, data_point_type_ids: [1003, 1045] });
    expect(address).toContain("data_point_type_ids=1003,1045");
  });
});

describe("paging", () => {
  it("reads page after page until the last", async () => {
    const { client } = connected("demo-national");
    const ids = new Set<number>();
    for await (const { data } of pages(client.listTypes)) data.items.forEach(({ id }) => ids.add(id));
    expect(ids.size).toBe(334);
  });

  it("ends when the list has become shorter meanwhile", async () => {
    const answers = [
      { items: [1], pagination: { page: 1, page_size: 1, total: 3, total_pages: 3 } },
      { items: [], pagination: { page: 2, page_size: 1, total: 3, total_pages: 3 } },
    ];
    const read: unknown[] = [];
    for await (const { data } of pages(({ page }) =>
      Promise.resolve({ data: answers[page - 1] as (typeof answers)[0], warnings: [] }),
    )) {
      read.push(data.items);
    }
    expect(read).toEqual([[1], []]);
  });
});

describe("lists in an address", () => {
  it("are cut so that each address stays below 2,000 characters, and nothing is lost", () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => 10_000 + index);
    const chunks = queryChunks(ids, 350);
    expect(chunks.flat()).toEqual(ids);
    for (const chunk of chunks) expect(chunk.join(",").length + 350).toBeLessThanOrEqual(2_000);
    expect(chunks).toHaveLength(4);
  });
});
