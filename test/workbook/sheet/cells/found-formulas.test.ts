import { beforeEach, describe, expect, it } from "vitest";
import { cellKey, doMeet } from "../../../../src/workbook/sheet/cells/formula-search";
import type { Workbook } from "../../../../src/workbook/sheet/workbook";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { pass, playExcel } from "../../../functions/excel";

playExcel();

let excel: PlayedExcel;
let workbook: Workbook;
const sheetId = "sheet-1";
const select = (row: number, column: number, rows = 1, columns = 1) =>
  excel.spreadsheet.select(sheetId, [{ row, column, rows, columns }]);

const single = '=REGDATA.VALUE("06001", 1003)';
const spilling = "=REGDATA.VALUE(A1:A2, 1003)";

/** Two geoIDs in A1:A2, a formula in C1, one that spills from C3 to C4, and others on a second sheet. */
beforeEach(async () => {
  excel = openExcel({ excelApi: "1.12" });
  ({ workbook } = excel.app);
  excel.spreadsheet.addSheet("More");
  excel.enter("Sheet1!A1", [["'06001"], ["'06037"]]);
  excel.enter("Sheet1!C1", [[single], ["=A1"], [spilling]]);
  excel.enter("More!B2", [[single]]);
  excel.spreadsheet.activateSheet(sheetId);
  await inTime(excel.spreadsheet.idle());
});

const find = (scope: "selection" | "sheet" | "workbook", canSeeSpills = true, signal?: AbortSignal) =>
  inTime(workbook.findFormulas(scope, { namespace: "REGDATA", canSeeSpills, signal }));
const placed = async (...args: Parameters<typeof find>) =>
  (await find(...args)).map(({ sheetName, row, column, rows }) => `${sheetName} ${row} ${column} ${rows}`);

describe("formulas of the add-in", () => {
  it("are found in the whole workbook, on the sheet that is shown, among the selected cells", async () => {
    expect(await placed("workbook")).toEqual(["Sheet1 0 2 1", "Sheet1 2 2 2", "More 1 1 1"]);
    expect(await placed("sheet")).toEqual(["Sheet1 0 2 1", "Sheet1 2 2 2"]);
    select(0, 2, 2);
    expect(await find("selection")).toEqual([
      { sheetId, sheetName: "Sheet1", row: 0, column: 2, rows: 1, columns: 1, formula: single },
    ]);
    select(0, 0, 2);
    expect(await placed("selection")).toEqual([]);
    select(20, 20);
    expect(await placed("selection")).toEqual([]);
  });

  it("are found among texts that are too long for one answer of Excel", async () => {
    excel.enter(
      "Sheet1!F1",
      Array.from({ length: 100 }, () => ["x".repeat(32_000), "y".repeat(32_000)]),
    );
    expect(await placed("sheet")).toEqual(["Sheet1 0 2 1", "Sheet1 2 2 2"]);
    const area = { sheetId, row: 0, column: 5, rows: 100, columns: 2 };
    const contents = await inTime(workbook.readCells([area], ["value", "text"]));
    expect(contents.get(cellKey(sheetId, 99, 6))?.text).toBe("y".repeat(32_000));
    expect(contents.size).toBe(200);
  });

  it("are no texts that look like them, after an apostrophe or in a cell formatted as text", async () => {
    const there = { row: 5, column: 5, rows: 1, columns: 1 };
    excel.spreadsheet.writeNumberFormats(sheetId, there, [["@"]]);
    excel.enter("Sheet1!F5", [[`'${single}`], [single]]);
    await inTime(excel.spreadsheet.idle());
    expect(await placed("sheet")).toEqual(["Sheet1 0 2 1", "Sheet1 2 2 2"]);
    select(4, 5);
    expect(await placed("selection")).toEqual([]);
    expect(await inTime(workbook.selectedCell(true))).toMatchObject({ value: single, formula: "" });
  });

  it("count as selected where their result spills into the selected cell", async () => {
    select(3, 2);
    expect(await placed("selection")).toEqual(["Sheet1 2 2 2"]);
  });

  it("are told with the selected cell that their result spills into, and how far it stands from them", async () => {
    select(3, 2);
    expect(await inTime(workbook.selectedCell(true))).toMatchObject({
      ...{ row: 3, column: 2, formula: spilling, offset: { row: 1, column: 0 } },
    });
    expect(await inTime(workbook.selectedCell(false))).toMatchObject({
      formula: "",
      offset: { row: 0, column: 0 },
    });
    select(0, 2);
    expect(await inTime(workbook.selectedCell(true))).toMatchObject({
      ...{ formula: single, offset: { row: 0, column: 0 } },
    });
    select(1, 2);
    expect(await inTime(workbook.selectedCell(true))).toMatchObject({ formula: "=A1" });
    select(9, 9);
    expect(await inTime(workbook.selectedCell(true))).toMatchObject({
      formula: "",
      offset: { row: 0, column: 0 },
    });
  });

  it("spill nowhere in an Excel that can't tell spills", async () => {
    expect(await placed("sheet", false)).toContain("Sheet1 2 2 1");
    select(3, 2);
    expect(await placed("selection", false)).toEqual([]);
  });

  it("are searched for until somebody stops it", async () => {
    await expect(find("workbook", true, AbortSignal.abort())).rejects.toMatchObject({ kind: "cancelled" });
  });
});

describe("the scope of a search for formulas", () => {
  it("lists the sheets that there are", async () => {
    const sheets = [
      { id: sheetId, name: "Sheet1" },
      { id: excel.spreadsheet.sheets()[1]?.id, name: "More" },
    ];
    select(1, 1, 2, 3);
    expect(await inTime(workbook.scopeNow("workbook"))).toEqual({ sheets, areas: null });
    expect(await inTime(workbook.scopeNow("selection"))).toEqual({
      sheets,
      areas: [{ sheetId, row: 1, column: 1, rows: 2, columns: 3 }],
    });
    expect(await inTime(workbook.scopeNow("sheet"))).toEqual({
      sheets,
      areas: [{ sheetId, row: 0, column: 0, rows: Infinity, columns: Infinity }],
    });
  });

  it("meets another area if they share a cell", () => {
    const area = { sheetId: "s", row: 2, column: 2, rows: 2, columns: 2 };
    const others = [
      { row: 3, column: 3 },
      { row: 1, column: 1 },
      { row: 4, column: 2 },
      { row: 0, column: 2 },
      { row: 2, column: 4 },
      { row: 2, column: 0 },
    ].map((place) => ({ ...area, ...place }));
    expect(others.map((other) => doMeet(area, other))).toEqual([true, true, false, false, false, false]);
    expect(doMeet(area, { ...area, sheetId: "t" })).toBe(false);
  });
});

describe("the cells of formulas", () => {
  it("are read with the requested properties, each by its place", async () => {
    const areas = [
      { sheetId, row: 0, column: 0, rows: 1, columns: 1 },
      { sheetId, row: 1, column: 0, rows: 1, columns: 1 },
      { sheetId, row: 0, column: 2, rows: 2, columns: 1 },
    ];
    const cells = await inTime(workbook.readCells(areas, ["value", "formula"]));
    expect(Object.fromEntries(cells)).toEqual({
      [cellKey(sheetId, 0, 0)]: { value: "06001", formula: "06001" },
      [cellKey(sheetId, 1, 0)]: { value: "06037", formula: "06037" },
      [cellKey(sheetId, 0, 2)]: { value: expect.stringMatching(/^NEC/) as string, formula: single },
      [cellKey(sheetId, 1, 2)]: { value: "06001", formula: "=A1" },
    });
    await expect(inTime(workbook.readCells(areas, ["value"], AbortSignal.abort()))).rejects.toMatchObject({
      kind: "cancelled",
    });
  });

  it("are calculated again, several or one", async () => {
    const asked = excel.requests.length;
    await inTime(workbook.calculate([{ sheetId, row: 0, column: 2, rows: 1, columns: 1 }]));
    await inTime(workbook.calculateCell({ sheetId, row: 0, column: 2 }));
    await inTime(excel.spreadsheet.idle());
    expect(excel.values("C1")[0]?.[0]).toMatch(/^NEC/);
    // A formula whose answer is known is not asked again.
    expect(excel.requests).toHaveLength(asked);
  });

  it("are shown", async () => {
    const [, more] = excel.spreadsheet.sheets();
    await inTime(workbook.goToCells({ sheetId: more!.id, row: 1, column: 1, rows: 1, columns: 2 }));
    expect(excel.spreadsheet.selection()).toEqual({
      sheetId: more!.id,
      rects: [{ row: 1, column: 1, rows: 1, columns: 2 }],
    });
  });
});

describe("cells that are replaced", () => {
  const state = (content: string | number, numberFormat: string | null = null) => ({ content, numberFormat });
  const change = (before: string, after: string | number, row = 0) => ({
    ...{ sheetId, row, column: 5, rows: 1, columns: 1 },
    before: [[state(before)]],
    after: [[state(after, "@")]],
  });

  it("hold the given contents, with their format first", async () => {
    excel.enter("F1", [["=A1"], ["text"]]);
    await pass(500);
    const replaced: number[] = [];
    await inTime(
      workbook.replaceCells([change("=A1", "0601"), change("text", "=x", 1)], {
        onReplaced: (cells) => replaced.push(cells),
      }),
    );
    expect(excel.cells("F1:F2").map(([cell]) => [cell?.value, cell?.numberFormat])).toEqual([
      ["0601", "@"],
      ["=x", "@"],
    ]);
    expect(replaced).toEqual([2]);
  });

  it("are left as they are if one no longer holds its old content, or somebody stops it", async () => {
    excel.enter("F1", [["=A2"], ["text"]]);
    await pass(500);
    const before = excel.cells("F1:F2");
    const changes = [change("=A1", "x"), change("text", "y", 1)];
    await expect(inTime(workbook.replaceCells(changes))).rejects.toMatchObject({
      kind: "sheet-refused",
      detail: "Somebody has changed cells meanwhile, and they were left as they are: Sheet1!F1.",
    });
    await expect(
      inTime(workbook.replaceCells([change("=A2", "x")], { signal: AbortSignal.abort() })),
    ).rejects.toMatchObject({ kind: "cancelled" });
    expect(excel.cells("F1:F2")).toEqual(before);
  });
});
