import { describe, expect, it } from "vitest";
import type { Category, DataPointType, Page } from "../../src/engine/api/schemas";
import { allItems, asking } from "./asking";

const ask = asking("demo-national");

describe("5. GET /v1/data-points/types", () => {
  it("there are 334 types, by id", async () => {
    const types = await allItems<DataPointType>(ask, "/v1/data-points/types");
    expect(types.map(({ id }) => id)).toEqual(Array.from({ length: 334 }, (_, at) => 1001 + at));
    expect(types[75]).toEqual({
      id: 1076,
      name: "Structural Letter Required",
      description: "Whether a letter from a structural engineer is needed.",
      unit_of_measure: "boolean",
      category_ids: [4, 5],
    });
  });
});

describe("6. GET /v1/categories", () => {
  it("there are 22 categories with id and name", async () => {
    const { body } = await ask.get<Page<Category>>("/v1/categories");
    expect(body.data.items).toHaveLength(22);
    expect(body.data.items[20]).toEqual({ id: 21, name: "Contacts and Hours" });
  });

  it("every category of a type is one of them, and none is unused", async () => {
    const types = await allItems<DataPointType>(ask, "/v1/data-points/types");
    const categories = await allItems<Category>(ask, "/v1/categories");
    const used = [...new Set(types.flatMap(({ category_ids }) => category_ids))].sort(
      (one, other) => one - other,
    );
    expect(used).toEqual(categories.map(({ id }) => id));
  });
});

describe("7. GET /v1/units-of-measure", () => {
  it("there are 30 units with id and name, paged like every list", async () => {
    const { body } = await ask.get<Page<{ id: number; name: string }>>("/v1/units-of-measure");
    expect(body.data.pagination.total).toBe(30);
    expect(body.data.items[0]).toEqual({ id: 1, name: "USD" });
    expect(body.data.items.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["boolean", "USD", "days", "feet"]),
    );
  });
});
