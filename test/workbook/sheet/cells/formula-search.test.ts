import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  areasOf,
  calculateCells,
  callCount,
  callsFunction,
  cellKey,
  findFormulas,
  readCellContents,
  readOwnFormats,
} from "../../../../src/workbook/sheet/cells/formula-search";
import { loadable, mustName } from "../played-sheet";

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

describe("the calls of a formula", () => {
  it.each([
    ["=REGDATA.VALUE(1,2)", 1],
    ["=REGDATA.VALUE(1,2)+regdata.value (3,4)&REGDATA.TYPES()", 3],
    ['=REGDATA.VALUE(1,2)&"REGDATA.VALUE(1,2)"', 1],
    ["REGDATA.VALUE(1,2)", 0],
    ["=1", 0],
  ])("are counted in %s: %i", (formula, count) => expect(callCount(formula, "REGDATA")).toBe(count));
});

/** A formula's row, and the number of rows that its result takes. */
interface PlayedFormula {
  row: number;
  rows?: number;
}

/** A sheet of one used column whose formulas spill. It notes the ranges and cells that each request reads. */
function columnWith(formulas: PlayedFormula[], usedRows: number) {
  const requests: { ranges: number; cells: number; spills: number; calculated: number }[] = [];
  const none = { ranges: 0, cells: 0, spills: 0, calculated: 0 };
  let asked = { ...none };
  const spillOf = (row: number) => formulas.find((formula) => formula.row === row)?.rows ?? 1;
  const place = (row: number, column: number, rows: number, columns: number) => ({
    ...{ rowIndex: row, columnIndex: column, rowCount: rows, columnCount: columns, isNullObject: false },
  });
  const rangeAt = (row: number, column: number, rows: number, columns: number): object => {
    const range = {
      ...place(row, column, rows, columns),
      load(names: string) {
        mustName(names);
        asked.ranges += 1;
        if (/values|formulas/.test(names)) asked.cells += rows * columns;
        return range;
      },
      values: Array.from({ length: rows }, (_, down) =>
        Array.from({ length: columns }, (_unused, across) => `${row + down}/${column + across}`),
      ),
      formulas: Array.from({ length: rows }, (_, down) => {
        const isHere = formulas.some((formula) => formula.row === row + down);
        return Array<string>(columns).fill(isHere ? "=REGDATA.VALUE(1,2)" : "x");
      }),
      get hasSpill() {
        const spilling = Array.from({ length: rows }, (_, down) => spillOf(row + down) > 1);
        return spilling.every((one) => one === spilling[0]) ? spilling[0] : null;
      },
      getSpillingToRangeOrNullObject() {
        asked.spills += 1;
        const spilled = spillOf(row);
        return spilled > 1 ? rangeAt(row, column, spilled, 1) : loadable({ isNullObject: true });
      },
      getUsedRangeOrNullObject: () => rangeAt(0, 0, usedRows, 1),
      calculate: () => (asked.calculated += 1),
    };
    return range;
  };
  const sheet = loadable({
    ...{ id: "a", name: "Sheet1" },
    getUsedRangeOrNullObject: () => rangeAt(0, 0, usedRows, 1),
    getRangeByIndexes: rangeAt,
  });
  const context = {
    workbook: {
      worksheets: loadable({ items: [sheet], getActiveWorksheet: () => sheet, getItem: () => sheet }),
    },
    sync() {
      requests.push(asked);
      asked = { ...none };
      return Promise.resolve();
    },
  } as unknown as Excel.RequestContext;
  return { context, requests };
}

describe("the search for formulas in a sheet", () => {
  const find = async (formulas: PlayedFormula[], usedRows: number, canSeeSpills = true) => {
    const { context, requests } = columnWith(formulas, usedRows);
    const found = await findFormulas(context, "workbook", { namespace: "REGDATA", canSeeSpills });
    return { found: found.map(({ row, rows }) => `${row} ${rows}`), requests };
  };

  it("gives each formula the size of its result; a spilled cell is no formula, whatever it shows", async () => {
    const formulas = [{ row: 0 }, { row: 2, rows: 3 }, { row: 3 }, { row: 4 }, { row: 5 }];
    expect((await find(formulas, 9)).found).toEqual(["0 1", "2 3", "5 1"]);
    expect((await find(formulas, 9, false)).found).toEqual(["0 1", "2 1", "3 1", "4 1", "5 1"]);
  });

  it("finds formulas among thousands, each result with its own size", async () => {
    const rows = 5_000;
    const none = loadable({ isNullObject: true });
    /** In column A each formula spills into column B, which shows its formula; column D has no formulas. */
    const rangeAt = (row: number, column: number, height: number, width: number): object =>
      loadable({
        ...{ isNullObject: false, rowIndex: row, columnIndex: column, rowCount: height, columnCount: width },
        ...{ hasSpill: column < 2 ? null : false },
        get formulas() {
          const line = Array.from({ length: width }, (_, across) =>
            column + across === 2 ? "" : "=REGDATA.TYPES()",
          );
          return Array.from({ length: height }, () => line);
        },
        getSpillingToRangeOrNullObject: () => (column === 0 ? rangeAt(row, 0, 1, 2) : none),
      });
    const sheet = loadable({
      ...{ id: "a", name: "Sheet1" },
      ...{ getUsedRangeOrNullObject: () => rangeAt(0, 0, rows, 4), getRangeByIndexes: rangeAt },
    });
    const worksheets = loadable({ items: [sheet], getActiveWorksheet: () => sheet, getItem: () => sheet });
    const context = { workbook: { worksheets }, sync: async () => {} } as unknown as Excel.RequestContext;
    const found = await findFormulas(context, "workbook", { namespace: "REGDATA", canSeeSpills: true });
    const sizes = new Set(found.map(({ column, columns }) => `${column} ${columns}`));
    expect([found.length, sizes]).toEqual([2 * rows, new Set(["0 2", "3 1"])]);
  });

  it("asks for results only if some formulas spill", async () => {
    const { found, requests } = await find([{ row: 0 }, { row: 1 }, { row: 5 }], 9);
    expect(found).toEqual(["0 1", "1 1", "5 1"]);
    expect(requests.reduce((sum, { spills }) => sum + spills, 0)).toBe(0);
    const spilling = await find([{ row: 0 }, { row: 1 }, { row: 5, rows: 2 }, { row: 9 }], 12);
    expect(spilling.found).toEqual(["0 1", "1 1", "5 2", "9 1"]);
    expect(spilling.requests.map(({ spills }) => spills)).toEqual([0, 0, 0, 0, 1]);
  });

  it("reads answers that stay small, and asks in requests of few ranges", async () => {
    const formulas = Array.from({ length: 1_200 }, (_, index) => ({ row: 4 * index, rows: 2 }));
    const { found, requests } = await find(formulas, 50_000);
    expect(found).toHaveLength(1_200);
    expect(requests.map(({ cells }) => cells).filter(Boolean)).toEqual([20_000, 20_000, 10_000]);
    expect(requests.slice(-6).map(({ ranges, spills }) => [ranges, spills])).toEqual([
      ...[500, 500, 200].map((count) => [count, 0]),
      ...[500, 500, 200].map((count) => [count, count]),
    ]);
  });
});

describe("the ranges in which cells are read", () => {
  const single = (row: number, column = 0) => ({ sheetId: "a", row, column, rows: 1, columns: 1 });

  it("join cells that stand beside each other", async () => {
    const { context, requests } = columnWith([], 0);
    const areas = [single(1), single(2), single(1, 1), single(2, 1), { ...single(7), rows: 2, columns: 2 }];
    const contents = await readCellContents(context, areas, ["value"]);
    expect(requests).toEqual([{ ranges: 2, cells: 8, spills: 0, calculated: 0 }]);
    expect(contents.size).toBe(8);
    expect(contents.get(cellKey("a", 2, 1))).toEqual({ value: "2/1" });
    expect(contents.get(cellKey("a", 8, 1))).toEqual({ value: "8/1" });
  });

  it("come in requests of few, and in rows if an area is large", async () => {
    const far = columnWith([], 0);
    await readCellContents(
      far.context,
      Array.from({ length: 1_001 }, (_, index) => single(2 * index)),
      ["formula"],
    );
    expect(far.requests.map(({ ranges }) => ranges)).toEqual([500, 500, 1]);
    const large = columnWith([], 0);
    const area = { ...single(3), rows: 9, columns: 7_000 };
    expect((await readCellContents(large.context, [area], ["value"])).size).toBe(63_000);
    expect(large.requests.map(({ cells }) => cells)).toEqual([14_000, 14_000, 14_000, 14_000, 7_000]);
  });

  it("are calculated in requests of few", async () => {
    const { context, requests } = columnWith([], 0);
    await calculateCells(
      context,
      Array.from({ length: 1_001 }, (_, index) => single(2 * index)),
    );
    expect(requests.map(({ calculated }) => calculated)).toEqual([500, 500, 1]);
  });
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
