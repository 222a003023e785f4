import { beforeEach, describe, expect, it } from "vitest";
import { readColorScales, setColorScale } from "../../../../src/workbook/sheet/drawing/color-scale";
import { formatAddress } from "../../../../workbench/address";
import { scaleColor } from "../../../../workbench/drawings";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { enterFees } from "./played-fees";

playExcel();

let excel: PlayedExcel;
let tableId: string;
beforeEach(() => {
  excel = openExcel();
  tableId = enterFees(excel);
});

const turn = (isOn: boolean, header = "Fee") =>
  inTime(setColorScale(excel.app.workbook, tableId, header, isOn));
const scales = () => excel.spreadsheet.drawings.of("color-scale");
const scaled = async () => [
  ...(await inTime(readColorScales(excel.app.workbook, tableId, ["Fee", "Code", "gone"]))),
];
const addOther = () =>
  excel.spreadsheet.drawings.add<"color-scale">({
    ...{ kind: "color-scale", sheetId: "sheet-1", rect: { row: 1, column: 1, rows: 4, columns: 1 } },
    criteria: { minimum: { color: "#FFFFFF" }, maximum: { color: "#FF0000" } },
  });

describe("a color scale", () => {
  it("colors the cells of a column, header aside, and is known again", async () => {
    expect(await scaled()).toEqual([]);
    await turn(true);
    expect(scales().map(({ rect }) => formatAddress(null, rect))).toEqual(["B2:B5"]);
    expect(await scaled()).toEqual(["Fee"]);
    const colorOf = (row: number, value: unknown) =>
      scaleColor(scales(), { row, column: 1, value }, () => [400, 1200]);
    expect([colorOf(1, 1200), colorOf(2, 400), colorOf(3, "varies"), colorOf(0, 400)]).toEqual([
      ...["#6BAED6", "#F7FBFF", null, null],
    ]);
    expect(excel.problems).toEqual([]);
  });

  it("is there once, however often it is asked for", async () => {
    await turn(true);
    await turn(true);
    expect(scales()).toHaveLength(1);
  });

  it("is removed again, and leaves other formats", async () => {
    const other = addOther();
    await turn(true);
    await turn(false);
    expect(scales()).toEqual([other]);
    expect(await scaled()).toEqual([]);
  });

  it("is refused on a protected sheet, in words", async () => {
    excel.document.protectedSheets.add("sheet-1");
    await expect(turn(true)).rejects.toMatchObject({ detail: "The sheet “Sheet1” is protected." });
    expect(scales()).toEqual([]);
  });

  it("names a column that is gone", async () => {
    await expect(turn(true, "Fees")).rejects.toMatchObject({ detail: "The column Fees is gone." });
  });

  it("follows its cells, and is opened as it was saved", async () => {
    await turn(true);
    excel.spreadsheet.insertColumns("sheet-1", 0, 2);
    const { spreadsheet } = openExcel({ file: JSON.parse(JSON.stringify(excel.save())) });
    const [scale] = spreadsheet.drawings.of("color-scale");
    expect(formatAddress(null, scale!.rect)).toBe("D2:D5");
  });
});
