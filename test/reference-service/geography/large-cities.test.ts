import { describe, expect, it } from "vitest";
import { readAtlas } from "../../../reference-service/geography/atlas";
import { createGeography } from "../../../reference-service/geography/geography";
import { readTable } from "../../../reference-service/tsv";
import * as z from "zod/mini";

const { records, byGeoid } = createGeography();

describe("the large cities of the sample", () => {
  // Codes of the Census Bureau's list "Incorporated Places of 50,000 or More".
  it.each([
    ["0668000", "San Jose", "CA", "Santa Clara County"],
    ["0455000", "Phoenix", "AZ", "Maricopa County"],
    ["4752006", "Nashville", "TN", "Davidson County"],
    ["2758000", "St. Paul", "MN", "Ramsey County"],
    ["0644000", "Los Angeles", "CA", "Los Angeles County"],
    ["3651000", "New York", "NY", "New York County"],
    ["1714000", "Chicago", "IL", "Cook County"],
    ["4835000", "Houston", "TX", "Harris County"],
  ])("are real: %s is %s, %s, in %s", (geoid, name, state_code, county) => {
    const city = byGeoid.get(geoid);
    expect(city?.ahj).toMatchObject({ name, state_code, type: "city" });
    expect(city?.jurisdiction.county?.name).toBe(county);
  });

  it("lie in their county and state, each once, and stand for as many generated places", () => {
    const counties = new Map(readAtlas().counties.map((county) => [county.geoid, county]));
    const cities = readTable("cities", z.object({ geoid: z.string(), county_geoid: z.string() }));
    expect(new Set(cities.map(({ geoid }) => geoid)).size).toBe(cities.length);
    for (const { geoid, county_geoid } of cities) {
      const { jurisdiction } = byGeoid.get(geoid)!;
      const county = counties.get(county_geoid)!;
      expect(geoid.slice(0, 2)).toBe(county_geoid.slice(0, 2));
      expect(Math.abs(jurisdiction.lat! - county.lat), geoid).toBeLessThan(county.latReach);
      expect(Math.abs(jurisdiction.lon! - county.lon), geoid).toBeLessThan(county.lonReach);
    }
    expect(records).toHaveLength(32_632);
  });
});
