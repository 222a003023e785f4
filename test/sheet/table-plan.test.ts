import { describe, expect, it } from "vitest";
import { textCell } from "../../src/sheet/cell-value";
import { fitsSheet, planWideTable, wideTableSize, writePieces } from "../../src/sheet/table-plan";
import { freeSheetName } from "../../src/sheet/workbook";

const alameda = { id: 7, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" };

describe("a table", () => {
  it("has headers that Excel takes: unique without regard to case, never empty", () => {
    const types = ["name", "Fee", "fee", "FEE", ""].map((name) => ({ name }));
    expect(planWideTable([], types, () => textCell("")).headers.slice(5)).toEqual([
      "name (2)",
      "Fee",
      "fee (2)",
      "FEE (3)",
      "Column",
    ]);
  });

  it("writes geoIDs as text, and leaves the cell of an AHJ without one blank", () => {
    const utility = { ...alameda, geoid: null };
    const { rows } = planWideTable([alameda, utility], [], () => textCell(""));
    expect(rows.map((row) => row[4])).toEqual([
      { value: "06001", numberFormat: "@" },
      { value: "", numberFormat: "General" },
    ]);
  });

  it("that a sheet can't hold is refused", () => {
    expect(fitsSheet(wideTableSize(1_048_575, 16_379))).toBe(true);
    expect(fitsSheet(wideTableSize(1_048_576, 1))).toBe(false);
    expect(fitsSheet(wideTableSize(1, 16_380))).toBe(false);
  });
});

describe("the pieces of a write", () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => [
    textCell("x".repeat(1_000)),
    textCell(String(index)),
  ]);

  it("keep every row in order and stay below the size", () => {
    const pieces = writePieces(rows, 100_000);
    expect(pieces.flatMap((piece) => piece.rows)).toEqual(rows);
    let start = 0;
    for (const piece of pieces) {
      expect(piece.start).toBe(start);
      start += piece.rows.length;
      expect(JSON.stringify(piece.rows.map((row) => row.map(({ value }) => value))).length).toBeLessThan(
        100_000,
      );
    }
    expect(pieces.length).toBeGreaterThan(10);
  });

  it("hold at least one row each, however large", () => {
    expect(writePieces(rows.slice(0, 3), 10).map(({ rows: { length } }) => length)).toEqual([1, 1, 1]);
  });
});

describe("a new sheet's name", () => {
  it.each([
    ["RegData matrix", [], "RegData matrix"],
    ["RegData matrix", ["regdata MATRIX"], "RegData matrix 2"],
    ['Fees: "a/b" [x]?', [], 'Fees  "a b"  x'],
    ["'quoted'", [], "quoted"],
    ["x".repeat(40), ["x".repeat(31)], `${"x".repeat(29)} 2`],
    ["///", [], "RegData"],
  ])("%s beside %j is %s", (wanted, taken, name) => {
    expect(freeSheetName(wanted, taken)).toBe(name);
  });
});
