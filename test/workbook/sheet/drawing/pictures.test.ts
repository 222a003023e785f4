import { beforeEach, describe, expect, it } from "vitest";
import { insertPicture } from "../../../../src/workbook/sheet/drawing/pictures";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { samplePicture } from "./sample-picture";

playExcel();

let excel: PlayedExcel;
beforeEach(() => (excel = openExcel()));

const plan = {
  base64: samplePicture,
  altText: "Map of 12 counties by permit fee. The highest is $410 in Alameda County.",
  sheetName: "Permit fee map",
  lines: ["Permit fee", "=12 counties"],
  width: 480,
};
const insert = (picture = plan) => inTime(insertPicture(excel.app.workbook, picture));
const sheetNames = () => excel.spreadsheet.sheets().map(({ name }) => name);

describe("a picture", () => {
  it("stands on a sheet of its own below its lines, with an alternative text", async () => {
    expect(await insert()).toBe("Permit fee map");
    expect(excel.values("'Permit fee map'!A1:A3")).toEqual([["Permit fee"], ["=12 counties"], [""]]);
    expect(excel.cells("'Permit fee map'!A2")[0]?.[0]?.numberFormat).toBe("@");
    const [picture, ...others] = excel.spreadsheet.drawings.of("picture");
    expect(others).toEqual([]);
    expect(picture).toMatchObject({ altTextTitle: "Permit fee", altTextDescription: plan.altText });
    // Twice as wide as high, as its pixels are; two lines and a blank one of 15 points stand above it.
    expect(picture).toMatchObject({ left: 0, top: 45, width: 480, height: 240 });
    expect(excel.spreadsheet.selection().sheetId).toBe(picture?.sheetId);
    expect(excel.problems).toEqual([]);
  });

  it("gets a sheet with a number if the name is taken", async () => {
    await insert();
    expect(await insert()).toBe("Permit fee map 2");
  });

  it("that Excel can't read leaves no sheet", async () => {
    await expect(insert({ ...plan, base64: `data:image/png;base64,${samplePicture}` })).rejects.toMatchObject(
      { kind: "sheet-refused" },
    );
    expect(sheetNames()).toEqual(["Sheet1"]);
  });

  it.each([0, 1, 2, 3])("leaves no sheet if Excel refuses request %i", async (after) => {
    excel.fail(7000, 1, "workbook", after);
    const isInserted = await insert().then(
      () => true,
      () => false,
    );
    expect(sheetNames()).toEqual(isInserted ? ["Sheet1", "Permit fee map"] : ["Sheet1"]);
  });

  it("is there again when the saved file is opened", async () => {
    await insert();
    const { spreadsheet } = openExcel({ file: JSON.parse(JSON.stringify(excel.save())) });
    expect(spreadsheet.drawings.of("picture")).toMatchObject([{ base64: samplePicture, width: 480 }]);
  });
});
