import { describe, expect, it } from "vitest";
import { geoidOfCell, parseGeoidCells, parsePastedGeoids } from "../../src/lookup/geoid";

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

describe("a pasted list", () => {
  it("takes lines, commas, tabs and quotes, once each, and lists what it repaired or can't read", () => {
    expect(parsePastedGeoids('06001\n6003,"41051"\t06001\n\nAlameda')).toEqual({
      geoids: ["06001", "06003", "41051"],
      repaired: [{ given: "6003", geoid: "06003" }],
      unreadable: ["Alameda"],
    });
  });
});

describe("selected cells", () => {
  it("are one geoID each: numbers get their zero back, text stays, other text is no geoID", () => {
    expect(parseGeoidCells([6003, "06001", "6005", "Fire District 9", "", "06001"])).toEqual({
      geoids: ["06003", "06001", "6005"],
      repaired: [{ given: "6003", geoid: "06003" }],
      unreadable: ["Fire District 9"],
    });
  });
});
