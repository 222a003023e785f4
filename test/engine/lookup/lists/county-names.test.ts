import { expect, it } from "vitest";
import { readAtlas } from "../../../../reference-service/geography/atlas";
import { isCounty } from "../../../../src/engine/lookup/directory/counties";
import { countyName } from "../../../../src/engine/lookup/lists/county-names";

it("every county of the atlas has the atlas's name", () => {
  const { counties } = readAtlas();
  expect(counties).toHaveLength(3231);
  const wrong = counties.filter((county) => countyName(county.geoid) !== county.name);
  expect(wrong.map(({ geoid, name }) => [geoid, name, countyName(geoid)])).toEqual([]);
});

it.each([
  ["01001", "Autauga County"],
  ["02063", "Chugach Census Area"],
  ["02066", "Copper River Census Area"],
  ["02158", "Kusilvak Census Area"],
  ["02110", "Juneau City and Borough"],
  ["02195", "Petersburg Borough"],
  ["09110", "Capitol Planning Region"],
  ["09120", "Greater Bridgeport Planning Region"],
  ["09130", "Lower Connecticut River Valley Planning Region"],
  ["09140", "Naugatuck Valley Planning Region"],
  ["09150", "Northeastern Connecticut Planning Region"],
  ["09160", "Northwest Hills Planning Region"],
  ["09170", "South Central Connecticut Planning Region"],
  ["09180", "Southeastern Connecticut Planning Region"],
  ["09190", "Western Connecticut Planning Region"],
  ["09003", "Hartford County"],
  ["11001", "District of Columbia"],
  ["22071", "Orleans Parish"],
  ["24510", "Baltimore city"],
  ["32510", "Carson City"],
  ["35013", "Doña Ana County"],
  ["46102", "Oglala Lakota County"],
  ["48507", "Zavala County"],
  ["51036", "Charles City County"],
  ["51600", "Fairfax city"],
  ["60030", "Rose Island"],
  ["60040", "Swains Island"],
  ["66010", "Guam"],
  ["72021", "Bayamón Municipio"],
  // The retired codes keep the names that they had.
  ["02201", "Prince of Wales-Outer Ketchikan Census Area"],
  ["02270", "Wade Hampton Census Area"],
  ["12025", "Dade County"],
  ["46113", "Shannon County"],
  ["51515", "Bedford city"],
])("%s is %s", (geoid, name) => {
  expect(countyName(geoid)).toBe(name);
});

it("a code has a name exactly if it is a county's", () => {
  const wrong = Array.from({ length: 100_000 }, (_, code) => String(code).padStart(5, "0")).filter(
    (code) => (countyName(code) !== undefined) !== isCounty(code),
  );
  expect(wrong).toEqual([]);
  expect(countyName("2148000")).toBeUndefined();
  expect(countyName("constructor")).toBeUndefined();
});
