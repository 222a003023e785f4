import { beforeEach, describe, expect, it } from "vitest";
import { filterRows } from "../../../../src/workbook/sheet/tables/row-filter";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { enterFees } from "../drawing/played-fees";

playExcel();

let excel: PlayedExcel;
let tableId: string;
beforeEach(() => {
  excel = openExcel();
  tableId = enterFees(excel);
});

const filter = (header: string, wanted: unknown[]) =>
  inTime(filterRows(excel.app.workbook, tableId, header, (value) => wanted.includes(value)));
const hidden = () => [0, 1, 2, 3, 4, 5].filter((row) => excel.spreadsheet.isRowHidden("sheet-1", row));

describe("a filter of a table", () => {
  it("hides the rows with other texts, and moves and changes none", async () => {
    const before = excel.values("Sheet1!A1:C6");
    await filter("Code", ["NEC 2020"]);
    expect(hidden()).toEqual([2, 4]);
    expect(excel.values("Sheet1!A1:C6")).toEqual(before);
    expect(excel.problems).toEqual([]);
  });

  it("goes by what cells show, and joins the filters of other columns", async () => {
    expect(await filter("Fee", [1200, "varies"])).toEqual({ shown: 2, rows: 4 });
    expect(hidden()).toEqual([2, 4]);
    await filter("geoID", ["06001", "06037"]);
    expect(hidden()).toEqual([2, 3, 4]);
  });

  it("leaves all rows in sight if no row is wanted", async () => {
    expect(await filter("Code", ["NEC 1896"])).toEqual({ shown: 0, rows: 4 });
    expect(hidden()).toEqual([]);
  });

  it("is opened as it was saved", async () => {
    await filter("Code", ["", "NEC 2017"]);
    const { spreadsheet } = openExcel({ file: JSON.parse(JSON.stringify(excel.save())) });
    expect([1, 2, 3, 4].filter((row) => spreadsheet.isRowHidden("sheet-1", row))).toEqual([1, 3]);
  });

  it("is refused on a protected sheet, and names a column that is gone", async () => {
    await expect(filter("Codes", [1])).rejects.toMatchObject({ detail: "The column “Codes” is missing." });
    excel.document.protectedSheets.add("sheet-1");
    await expect(filter("Code", ["NEC 2020"])).rejects.toMatchObject({
      detail: "The sheet “Sheet1” is protected.",
    });
  });
});
