import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import {
  createPlaces,
  hasWordBeginning,
  needingCounty,
} from "../../../../src/engine/lookup/directory/places";

const ahj = (name: string, type: string, geoid: string | null, state_code = "CA"): Ahj => ({
  ...{ id: 1, name, type, geoid, state_code },
});
const california = ahj(" California ", "state", "06");
const alameda = ahj("Alameda County", "county", "06001");
const castro = ahj("Castro", "county subdivision", "0600190000");
const fresno = ahj("Fresno", "city", "0627000");
/** A utility whose geoID is as long as a county's. */
const district = ahj("Bay District", "utility", "06999");
const reno = ahj("Reno", "city", "3260600", "NV");
const places = createPlaces([
  california,
  alameda,
  castro,
  fresno,
  district,
  reno,
  ahj("Nowhere", "county", null),
]);
describe("where AHJs lie", () => {
  it("is told by the digits of a geoID of ten characters, for counties only", () => {
    expect(places.countyOf(castro)).toBe("Alameda County");
    for (const other of [alameda, fresno, reno, ahj("No id", "city", null)])
      expect(places.countyOf(other)).toBeUndefined();
    expect(places.countyOf(ahj("Within no county", "county subdivision", "0699990000"))).toBeUndefined();
  });

  it("is told by the state's own AHJ", () => {
    expect([castro, reno].map(places.stateOf)).toEqual([" California ", undefined]);
  });
});

describe("an AHJ that needs its county's name", () => {
  it("is a city with a namesake in its state, whose geoID does not tell its county", () => {
    const twins = [fresno, { ...fresno, id: 2 }];
    expect(needingCounty([...twins, reno], places, 5)).toEqual(twins);
    expect(needingCounty(twins, places, 1)).toEqual([fresno]);
    expect(needingCounty([fresno, { ...fresno, state_code: "NV" }], places, 5)).toEqual([]);
    for (const other of [alameda, california, castro, ahj("No id", "city", null)])
      expect(needingCounty([other, { ...other, id: 2 }], places, 5)).toEqual([]);
  });
});

it.each([
  ["alameda county", "ala", true],
  ["alameda county", "cou", true],
  ["alameda county", "lam", false],
  ["a1b", "b", false],
  ["mid-city", "city", true],
  ["citycity city", "city", true],
  ["xcity", "city", false],
])("the words of “%s” include one that begins with “%s”: %s", (text, word, expected) => {
  expect(hasWordBeginning(text, word)).toBe(expected);
});
