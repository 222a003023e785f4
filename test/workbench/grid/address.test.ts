import { describe, expect, it } from "vitest";
import {
  MAX_COLUMNS,
  MAX_ROWS,
  between,
  columnLetters,
  contains,
  formatAddress,
  intersect,
  parseAddress,
  union,
} from "../../../workbench/address";

describe("an address", () => {
  it.each([
    ["B2", null, { row: 1, column: 1, rows: 1, columns: 1 }],
    ["A1:C3", null, { row: 0, column: 0, rows: 3, columns: 3 }],
    ["Sheet1!XFD1048576", "Sheet1", { row: 1_048_575, column: 16_383, rows: 1, columns: 1 }],
    ["A:C", null, { row: 0, column: 0, rows: MAX_ROWS, columns: 3 }],
    ["Sheet1!2:3", "Sheet1", { row: 1, column: 0, rows: 2, columns: MAX_COLUMNS }],
    ["'My sheet'!A1", "My sheet", { row: 0, column: 0, rows: 1, columns: 1 }],
    ["'Bob''s'!AA10", "Bob's", { row: 9, column: 26, rows: 1, columns: 1 }],
    ["'R1C1'!A1", "R1C1", { row: 0, column: 0, rows: 1, columns: 1 }],
    ["'2024'!A1", "2024", { row: 0, column: 0, rows: 1, columns: 1 }],
  ])("%s is read and written back", (address, sheetName, rect) => {
    expect(parseAddress(address)).toEqual(sheetName === null ? { rect } : { sheetName, rect });
    expect(formatAddress(sheetName, rect)).toBe(address);
  });

  it("may have its corners in any order, dollar signs and small letters", () => {
    expect(parseAddress("$c$3:a1")).toEqual({ rect: { row: 0, column: 0, rows: 3, columns: 3 } });
  });

  it.each(["", "A0", "XFE1", "A1048577", "Total", "A1:B", "Sheet1!", "A1 B2"])("%j is no address", (text) => {
    expect(parseAddress(text)).toBeNull();
  });

  it("counts columns in letters", () => {
    expect([0, 25, 26, 701, 702, MAX_COLUMNS - 1].map(columnLetters)).toEqual([
      ...["A", "Z", "AA", "ZZ", "AAA", "XFD"],
    ]);
  });
});

describe("a rectangle", () => {
  const rect = between(2, 3, 4, 5);

  it("shares cells with another, or none", () => {
    expect(intersect(rect, between(4, 0, 9, 3))).toEqual({ row: 4, column: 3, rows: 1, columns: 1 });
    expect(intersect(rect, between(5, 0, 9, 9))).toBeNull();
  });

  it("has a smallest rectangle around itself and another", () => {
    expect(union(rect, between(4, 0, 9, 3))).toEqual(between(2, 0, 9, 5));
    expect(union(null, rect)).toEqual(rect);
  });

  it("contains its corners and nothing outside", () => {
    expect([contains(rect, 2, 3), contains(rect, 4, 5)]).toEqual([true, true]);
    expect([contains(rect, 1, 3), contains(rect, 5, 5), contains(rect, 2, 6)]).toEqual([false, false, false]);
  });
});
