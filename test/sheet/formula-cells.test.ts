import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areasOf, callsFunction, cellKey, readOwnFormats } from "../../src/sheet/formula-cells";
import { mustName } from "./played-sheet";

describe("a formula that calls REGDATA", () => {
  it.each([
    '=REGDATA.VALUE("06001",1003)',
    "=regdata.value(A1, B1)",
    '=IF(A1>0,REGDATA.VALUE(A1,3),"")',
    "=LET(x,REGDATA.VALUE(A1,3),x*2)",
    "=-REGDATA.VALUE('My ''own'' sheet'!A1,3)",
    '=IFERROR(REGDATA.MATRIX (A1:A9,B1:D1),"no ""value""")',
    "=Table1['#no]&REGDATA.VALUE(A1,3)",
    "=Table1['#no]&REGDATA.VALUE(A1,3)&Table1[[#All],['#yes]]",
    '=Table1[6" or]&REGDATA.VALUE(A1,3)&Table1[8" or]',
  ])("is %s", (formula) => expect(callsFunction(formula, "REGDATA")).toBe(true));

  it.each([
    "",
    "REGDATA.VALUE(1,2)",
    '="=REGDATA.VALUE(1,2)"',
    "='REGDATA.VALUE(1)'!A1",
    '=A1&"say ""REGDATA.VALUE("""',
    "=MYREGDATA.VALUE(1)",
    "=X.REGDATA.VALUE(1)",
    "=REGDATA.VALUE",
    "=SUM(A1:A3)",
    "=Table1[REGDATA.VALUE(1)]",
    "=Table1[['#REGDATA.VALUE(1)]]",
  ])("is not %s", (formula) => expect(callsFunction(formula, "REGDATA")).toBe(false));
});

describe("areas", () => {
  it("hold exactly the cells given, each once, rectangles of them together", () => {
    const cell = fc.record({
      sheetId: fc.constantFrom("a", "b"),
      row: fc.integer({ min: 0, max: 6 }),
      column: fc.integer({ min: 0, max: 6 }),
    });
    const key = ({ sheetId, row, column }: { sheetId: string; row: number; column: number }) =>
      cellKey(sheetId, row, column);
    fc.assert(
      fc.property(fc.uniqueArray(cell, { selector: key }), (cells) => {
        const held = areasOf(cells).flatMap(({ sheetId, row, column, rows, columns }) =>
          Array.from({ length: rows * columns }, (_, index) =>
            cellKey(sheetId, row + Math.floor(index / columns), column + (index % columns)),
          ),
        );
        expect(held.sort()).toEqual(cells.map(key).sort());
      }),
    );
    const block = Array.from({ length: 12 }, (_, index) => ({
      sheetId: "a",
      row: 2 + (index % 4),
      column: 1 + Math.floor(index / 4),
    }));
    expect(areasOf(block)).toEqual([{ sheetId: "a", row: 2, column: 1, rows: 4, columns: 3 }]);
  });
});

describe("the formats that data types bring along", () => {
  it("are asked for in answers that stay small", async () => {
    const sizes: number[] = [];
    let asked = 0;
    const getRangeByIndexes = (_: number, __: number, rows: number, columns: number) => ({
      load(names: string) {
        mustName(names);
        asked += rows * columns;
      },
      valuesAsJson: Array.from({ length: rows }, () =>
        Array.from({ length: columns }, () => ({ type: "FormattedNumber", numberFormat: "yyyy-mm-dd" })),
      ),
    });
    const context = {
      workbook: { worksheets: { getItem: () => ({ getRangeByIndexes }) } },
      sync() {
        sizes.push(asked);
        asked = 0;
        return Promise.resolve();
      },
    };
    const area = { sheetId: "a", row: 5, column: 0, rows: 3_500, columns: 2 };
    const formats = await readOwnFormats(context as unknown as Excel.RequestContext, [area]);
    expect(sizes).toEqual([3_000, 3_000, 1_000]);
    expect(formats?.size).toBe(7_000);
    expect(formats?.get(cellKey("a", 3_504, 1))).toBe("yyyy-mm-dd");
  });
});
