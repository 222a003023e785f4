import { describe, expect, it } from "vitest";
import { geoidOfCell } from "../../../../src/engine/lookup/directory/geoid";

describe("a geoID in a cell", () => {
  it.each([
    [6001, "06001"],
    [6, "06"],
    [123456, "0123456"],
    [600101234, "0600101234"],
    [48201, "48201"],
    [1234567, "1234567"],
  ])("the number %i gets its lost zero back: %s", (cell, geoid) => {
    expect(geoidOfCell(cell)).toBe(geoid);
  });

  it.each([
    ["6001", "6001"],
    [" 06001 ", "06001"],
    ["0500000US06001", "06001"],
  ])("the text %s is taken as %s", (cell, geoid) => {
    expect(geoidOfCell(cell)).toBe(geoid);
  });

  it.each([[6001.5], [-6001], [true], [""], ["Alameda County"], ["Alameda"], [null]])(
    "%s is none",
    (cell) => {
      expect(geoidOfCell(cell)).toBeNull();
    },
  );
});
