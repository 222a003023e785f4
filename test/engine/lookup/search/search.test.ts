import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { createPlaces, needingCounty } from "../../../../src/engine/lookup/directory/places";
import { searchAhjs } from "../../../../src/engine/lookup/search/search";
import { isStateCode, stateOfGeoid } from "../../../../src/engine/lookup/directory/states";
import { nationalAhjs } from "../../../nation";

const ahjs = await nationalAhjs();
const places = createPlaces(ahjs);

const search = (text: string, state?: string, limit = 50) => searchAhjs(ahjs, { text, state }, limit);
const geoids = (found: readonly Ahj[]) => found.map(({ geoid }) => geoid);

describe("searching jurisdictions", () => {
  it.each([
    ["alameda", "06001"],
    ["Alameda County, CA", "06001"],
    ["county alam ca", "06001"],
    ["22071", "22071"],
  ])("finds %s by name, state, type or geoID", (text, geoid) => {
    expect(geoids(search(text))[0]).toBe(geoid);
  });

  it("keeps to a state", () => {
    expect(geoids(search("orleans county", "VT"))[0]).toBe("50019");
    expect(search("", "WY", 1_000)).toHaveLength(208);
    expect(search("")).toEqual([]);
  });

  it("finds the same first ones, however many are wanted", () => {
    for (const text of ["s", "sample w", "county", "wash"]) {
      expect(search(text)).toEqual(search(text, undefined, ahjs.length).slice(0, 50));
    }
  });

  it("needs every word at the beginning of a word, and a code or type as a whole", () => {
    for (const text of ["zz", "alameda zz", "lameda", "alameda count zz"]) expect(search(text)).toEqual([]);
    const named = (name: string, id: number): Ahj => ({ ...(ahjs[0] as Ahj), id, name, state_code: "CA" });
    const [within, own] = [named("A San Jose", 1), named("San Jose", 2)];
    expect(searchAhjs([within, own], { text: " san,  jose " }, 5)).toEqual([own, within]);
    expect(searchAhjs([within, own], { text: "nv" }, 5)).toEqual([]);
  });

  it("finds nothing if nothing is wanted", () => {
    expect(search("county", undefined, 0)).toEqual([]);
  });
});

it.each([
  ["06001", "CA"],
  ["06", "CA"],
  ["06x1", undefined],
  ["06x", undefined],
  ["x06", undefined],
  ["99001", undefined],
])("the geoID %s lies in %s", (geoid, state) => {
  expect(stateOfGeoid(geoid)).toBe(state);
  if (state !== undefined) expect(isStateCode(state)).toBe(true);
});

describe("the county of a jurisdiction", () => {
  it("is told by a geoID of ten characters", () => {
    const township = ahjs.find(({ geoid }) => geoid === "2001390001");
    expect(township && places.countyOf(township)).toBe("Brown County");
    expect(ahjs.filter((ahj) => ahj.geoid?.length !== 10 && places.countyOf(ahj) !== undefined)).toEqual([]);
  });

  it("is needed only by jurisdictions that share name and state and whose geoID does not tell it", () => {
    const shown = [
      ...search("sample hillburg", "CA"),
      ...search("alameda"),
      ...search("sample washington township ks"),
      ...search("sample blue ridge electric cooperative ca"),
    ];
    const needing = needingCounty(shown, places, 10);
    expect(geoids(needing)).toEqual(["0690098", "0690213", "0690241", "0690285", "0690295"]);
    expect(needingCounty(shown, places, 3)).toHaveLength(3);
  });
});
