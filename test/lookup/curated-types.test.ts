import { describe, expect, it } from "vitest";
import { curatedLists } from "../../src/lookup/curated-types";
import { connected } from "../recorded-service";

describe("the published lists", () => {
  it("have 53 and 46 types, each once, all of them real", async () => {
    const types = await connected("demo-national").lookup.catalogue.types();
    const real = new Set(types.map(({ id }) => id));
    expect(curatedLists.map(({ name, typeIds }) => [name, new Set(typeIds).size])).toEqual([
      ["Residential solar", 53],
      ["Commercial solar", 46],
    ]);
    expect(curatedLists.flatMap(({ typeIds }) => typeIds).filter((id) => !real.has(id))).toEqual([]);
  });
});
