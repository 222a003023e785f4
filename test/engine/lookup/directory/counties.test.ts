import { expect, it } from "vitest";
import { readAtlas } from "../../../../reference-service/geography/atlas";
import { countyGeoids, isCounty } from "../../../../src/engine/lookup/directory/counties";
import { stateGeoids } from "../../../../src/engine/lookup/directory/states";

/** Counties that the atlas of 2017 lacks: newer ones, those that had ended before, and two islands that it leaves out. */
const notInAtlas = [
  ...["02063", "02066"],
  ...["09110", "09120", "09130", "09140", "09150", "09160", "09170", "09180", "09190"],
  ...["60030", "60040"],
  ...["02201", "02232", "02270", "02280", "12025", "46113", "51515", "51560", "51780"],
];

const atlas = readAtlas().counties.map((county) => county.geoid);
const ofToday = [...atlas, ...notInAtlas.slice(0, 13)];

it("the counties are those of the atlas and the ones that it lacks, and no other code is one", () => {
  const known = new Set([...atlas, ...notInAtlas]);
  expect(known.size).toBe(3231 + notInAtlas.length);
  const wrong = Array.from({ length: 100_000 }, (_, code) => String(code).padStart(5, "0")).filter(
    (code) => isCounty(code) !== known.has(code),
  );
  expect(wrong).toEqual([]);
});

it.each([
  "",
  "06",
  "6001",
  "006001",
  "0600101234",
  "0644000",
  "06 01",
  "0600a",
  "+6001",
  "__proto__",
  "constructor",
])("%s is no county", (text) => {
  expect(isCounty(text)).toBe(false);
});

it("the counties of the states, in ascending order, are those that exist now", () => {
  const ended = new Set(["02261", "09001", "09003", "09005", "09007", "09009", "09011", "09013", "09015"]);
  expect(stateGeoids.flatMap((state) => countyGeoids(state))).toEqual(
    ofToday.filter((geoid) => !ended.has(geoid)).sort(),
  );
  expect(countyGeoids("03")).toEqual([]);
  expect(countyGeoids("constructor")).toEqual([]);
});
