import { inspectTarget, writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { beforeEach, describe, expect, it } from "vitest";
import type { SheetTable } from "../../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../../excel/in-time";
import { openExcel, type ExcelOptions, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

let excel: PlayedExcel;
let sheetId: string;
const open = (options: ExcelOptions) => {
  excel = openExcel(options);
  sheetId = excel.spreadsheet.sheets()[0]!.id;
};
beforeEach(() => open({ excelApi: "1.15" }));

const plan: SheetTable = {
  columns: [{ header: "geoID" }, { header: "Fee" }],
  rows: [
    [
      { value: "06001", numberFormat: "@" },
      { value: 1_250, numberFormat: "General" },
    ],
    [
      { value: "06037", numberFormat: "@" },
      { value: 3, numberFormat: "General" },
    ],
  ],
};
const size = { rows: 3, columns: 2 };
const atB2 = (mayOverwrite: typeof size | null = null) => ({
  ...{ kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite },
});
const refused = (address: string) =>
  `There are cells in the way. Cells are merged there: ${address}. Unmerge them, or choose another place.`;

describe("a table where cells are merged", () => {
  it.each([
    ["within its place", { row: 2, column: 1, rows: 2, columns: 2 }, "Sheet1!B3:C4"],
    ["from above and left into it", { row: 0, column: 0, rows: 2, columns: 2 }, "Sheet1!A1:B2"],
    ["out of it", { row: 3, column: 2, rows: 4, columns: 4 }, "Sheet1!C4:F7"],
  ])("is refused before anything is asked or written: %s", async (_, area, address) => {
    excel.spreadsheet.merge(sheetId, { row: 8, column: 0, rows: 1, columns: 2 });
    excel.spreadsheet.merge(sheetId, area);
    const { workbook } = excel.app;
    await expect(inTime(inspectTarget(workbook, atB2(), size))).rejects.toThrow(refused(address));
    const written = writeTable(workbook, plan, atB2({ rows: 9, columns: 9 }));
    await expect(inTime(written)).rejects.toThrow(refused(address));
    expect(excel.values("A1:F7").flat().join("")).toBe("");
    expect(excel.spreadsheet.tables()).toEqual([]);
    expect(excel.problems).toEqual([]);
  });

  it("is written if cells are merged above, left of, below and right of its place", async () => {
    for (const [row, column] of [
      [0, 1],
      [2, 3],
      [4, 1],
    ] as const)
      excel.spreadsheet.merge(sheetId, { row, column, rows: 1, columns: 2 });
    excel.spreadsheet.merge(sheetId, { row: 1, column: 0, rows: 2, columns: 1 });
    const { address } = await inTime(writeTable(excel.app.workbook, plan, atB2()));
    expect(address).toBe("Sheet1!B2:C4");
  });

  it("is written where more areas are merged than Excel tells of at once, and refused where one of them is in the way", async () => {
    for (let row = 10; row < 710; row += 1)
      excel.spreadsheet.merge(sheetId, { row, column: 0, rows: 1, columns: 2 });
    const { workbook } = excel.app;
    const below = (row: number) => ({ ...atB2(), row });
    await expect(inTime(writeTable(workbook, plan, below(705)))).rejects.toThrow(refused("Sheet1!A706:B706"));
    const { address } = await inTime(writeTable(workbook, plan, below(720)));
    expect(address).toBe("Sheet1!B721:C723");
  });

  it("is written without a question in an Excel that can't tell which cells are merged", async () => {
    open({ excelApi: "1.12" });
    await inTime(writeTable(excel.app.workbook, plan, atB2()));
    expect(excel.values("B2:C2")).toEqual([["geoID", "Fee"]]);
    expect(excel.problems).toEqual([]);
  });
});
