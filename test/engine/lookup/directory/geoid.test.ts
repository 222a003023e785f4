import { describe, expect, it } from "vitest";
import { isImpossible, mayBeSent, plainGeoid } from "../../../../src/engine/lookup/directory/geoid";

describe("a geoID in a cell", () => {
  it.each([
    [6001, "06001"],
    [6, "06"],
    [123456, "0123456"],
    [600101234, "0600101234"],
    [48201, "48201"],
    [1234567, "1234567"],
  ])("the number %i gets its lost zero back: %s", (cell, geoid) => {
    expect(plainGeoid(cell)).toBe(geoid);
  });

  it.each([
    [" 06001 ", "06001"],
    ["46113", "46113"],
    ["09110", "09110"],
  ])("the text %s is taken as %s", (cell, geoid) => {
    expect(plainGeoid(cell)).toBe(geoid);
  });

  it.each([[6001.5], [-6001], [true], [""], ["Alameda"], [null], ["6001"], ["0500000US06001"], [6002]])(
    "%s is none without further reading",
    (cell) => {
      expect(plainGeoid(cell)).toBeNull();
    },
  );
});

it("a code of no state or of no county is the code of nothing, and never sent", () => {
  const codes = ["06002", "99999", "0600290010", "03", "9912345"];
  expect(codes.filter((code) => mayBeSent(code) || !isImpossible(code))).toEqual([]);
});

it.each(["6001-2", "12345678", "CA-1", "06001400100"])(
  "%s may be a service's own code, and is never sent",
  (text) => {
    expect([mayBeSent(text), isImpossible(text)]).toEqual([false, false]);
  },
);
