import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { createPlaces } from "../../../../src/engine/lookup/directory/places";
import { guessNames } from "../../../../src/engine/lookup/search/guess-names";

const ahj = (id: number, name: string, state_code: string, type = "county"): Ahj => ({
  ...{ id, name, state_code, type },
  geoid: null,
});
const ahjs = [
  ahj(1, "St. Louis County", "MO"),
  ahj(2, "St. Louis County", "MN"),
  ahj(3, "DeKalb County", "GA"),
  ahj(4, "DeKalb County", "AL"),
  ahj(5, "Miami-Dade County", "FL"),
  ahj(6, "Orange County", "CA"),
  ahj(7, "Orange County", "NC"),
  ahj(8, "Prince George's County", "MD"),
  ahj(9, "Clark County", "NV"),
  ahj(10, "Nevada", "NV", "state"),
  ahj(11, "New Mexico", "NM", "state"),
  ahj(12, "Doña Ana County", "NM"),
  ahj(13, "Alameda County", "CA"),
  ahj(14, "Twin", "CA", "city"),
  ahj(15, "Twin", "CA", "town"),
  ahj(16, "Tucson", "AZ", "city"),
  ahj(17, "Placer County", "CA"),
];
const places = createPlaces(ahjs);
async function guess(name: string, state?: string) {
  const found = (await guessNames([name], ahjs, { places, state })).get(name);
  return found && [found.isCertain ? "certain" : "perhaps", ...found.candidates.map(({ id }) => id)];
}

describe("the guess for a name that nobody has", () => {
  it.each([
    ["St Louis County, MO", 1],
    ["Saint Louis County, MN", 2],
    ["De Kalb County, GA", 3],
    ["County of Orange, CA", 6],
    ["Prince Georges County, MD", 8],
    ["PRINCE GEORGE’S COUNTY MD", 8],
    ["clark county nevada", 9],
    ["Dona Ana County, New Mexico", 12],
    // The list has no AHJ for the state itself.
    ["orange county north carolina", 7],
  ])("is certain of %s", async (name, id) => {
    expect(await guess(name)).toEqual(["certain", id]);
  });

  it("is certain in the state that is meant if the name has none", async () => {
    expect(await guess("De Kalb County", "AL")).toEqual(["certain", 4]);
    expect(await guess("De Kalb County")).toEqual(["perhaps", 4, 3]);
    expect(await guess("Prince Georges County")).toEqual(["perhaps", 8]);
  });

  it("is never certain if letters differ, or if two jurisdictions have the name", async () => {
    expect(await guess("Alamedda County, CA")).toEqual(["perhaps", 13]);
    expect(await guess("Dade County, FL")).toEqual(["perhaps", 5]);
    expect(await guess("twin, CA")).toEqual(["perhaps", 14, 15]);
  });

  it("finds a single word with letters changed, left out or in another order if its state stands behind it", async () => {
    for (const name of ["Tuscon, AZ", "Tucsan AZ", "Tucsn, Arizona"])
      expect(await guess(name)).toEqual(["perhaps", 16]);
    for (const header of ["Tuscon", "Place"]) expect(await guess(header)).toBeUndefined();
  });

  it("is every jurisdiction with the name and any kind, in the states that have one, and never for certain", async () => {
    expect(await guess("Orange")).toEqual(["perhaps", 6, 7]);
    expect(await guess("Saint Louis")).toEqual(["perhaps", 2, 1]);
    expect(await guess("orange, NC")).toEqual(["perhaps", 7]);
    expect(await guess("Saint Louis", "MO")).toEqual(["perhaps", 1]);
    expect(await guess("Orange, NV")).toBeUndefined();
  });

  it("is nothing for a word that a list may have as its header", async () => {
    expect([await guess("County"), await guess("Doñ"), await guess("Orang")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await guess("Alameda")).toEqual(["perhaps", 13]);
  });

  it("is nothing if no name is close, or none in the state that is named", async () => {
    expect([await guess("Atlantis"), await guess("Alameda County, NV")]).toEqual([undefined, undefined]);
  });

  it("compares letters for the first fifty names only, as a long list may be of something else", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Alamedda ${"x".repeat(index)}, CA`);
    const lost = [...names, "St Louis County, MO"];
    const found = await guessNames(lost, ahjs, { places });
    expect(found.get("St Louis County, MO")?.isCertain).toBe(true);
    expect(found.size).toBeLessThanOrEqual(51);
  });
});
