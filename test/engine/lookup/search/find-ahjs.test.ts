import { beforeAll, describe, expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { createPlaces } from "../../../../src/engine/lookup/directory/places";
import { type AhjFinder, createAhjFinder } from "../../../../src/engine/lookup/search/find-ahjs";

const ahj = (id: number, name: string, state_code: string, geoid: string | null, type = "county"): Ahj => ({
  ...{ id, name, state_code, geoid },
  type,
});
const ahjs = [
  ahj(1, "California", "CA", "06", "state"),
  ahj(2, "Alameda County", "CA", "06001"),
  ahj(3, "Orange County", "CA", "06059"),
  ahj(4, "Orange County", "NC", "37135"),
  ahj(5, "Orangeburg County", "SC", "45075"),
  ahj(6, "St. Louis County", "MO", "29189"),
  ahj(7, "St. Louis County", "MN", "27137"),
  ahj(8, "DeKalb County", "GA", "13089"),
  ahj(9, "Miami-Dade County", "FL", "12086"),
  ahj(10, "Prince George's County", "MD", "24033"),
  ahj(11, "Doña Ana County", "NM", "35013"),
  ahj(12, "Clark County", "NV", "32003"),
  ahj(13, "Nevada", "NV", "32", "state"),
  ahj(14, "Berkeley", "CA", "0600106000", "city"),
  ahj(15, "Eastern District", "AS", "60010"),
  ahj(16, "Bay Power", "CA", null, "utility"),
  ahj(17, "Washington County", "OR", "41067"),
  ahj(18, "Washington", "WA", "53", "state"),
  ahj(19, "Los Angeles County", "CA", "06037"),
  ahj(20, "Lake County", "CA", "06033"),
  ahj(21, "Kings County", "NY", "36047"),
];

let finder: AhjFinder;
beforeAll(async () => {
  finder = await createAhjFinder(ahjs, createPlaces(ahjs));
});
const found = (text: string, limits: { state?: string; kind?: string } = {}, limit = 50) =>
  finder.find({ text, ...limits }, limit).map(({ id }) => id);

describe("the search for jurisdictions", () => {
  it.each([
    ["alameda", 2],
    ["Almeda", 2],
    ["county alameda california", 2],
    ["St Louis County, MO", 6],
    ["Saint Louis County, MN", 7],
    ["De Kalb County", 8],
    ["Dade County", 9],
    ["Prince Georges", 10],
    ["Doña Ana", 11],
    ["dona ana", 11],
    ["County of Orange, CA", 3],
    ["clark county nevada", 12],
    ["06059", 3],
    ["6059", 3],
    ["bay power", 16],
    ["LA County", 19],
    ["la county, ca", 19],
    ["PG County", 10],
    ["Brooklyn", 21],
  ])("finds by %s", (text, id) => {
    expect(found(text)[0]).toBe(id);
  });

  it("gives a geoID its lost zero back, and finds geoIDs that begin with the digits as well", () => {
    expect(found("6001")).toEqual([2, 14, 15]);
  });

  it("takes a state's code at the end for the state, if the state has a match", () => {
    expect(found("orange ca")).toEqual([3]);
    expect(found("orange nc")).toEqual([4]);
  });

  it("keeps to a state and to a kind", () => {
    expect(found("orange", { state: "NC" })).toEqual([4]);
    expect(found("", { state: "CA", kind: "utility" })).toEqual([16]);
    expect(found("alameda", { kind: "city" })).toEqual([14]);
  });

  it("brings the exact name first, then other names, then jurisdictions that only lie there", () => {
    expect(found("washington")[0]).toBe(18);
    expect(found("alameda")).toEqual([2, 14]);
  });

  it("finds nothing without a text, a state and a kind, and nothing by letters that no name has", () => {
    expect([found(""), found("  "), found("zzzz"), found("?!")]).toEqual([[], [], [], []]);
  });

  it("gives no more results than are wanted", () => {
    expect(found("county", {}, 3)).toHaveLength(3);
  });
});
