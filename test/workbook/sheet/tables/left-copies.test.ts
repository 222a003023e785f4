import { beforeEach, describe, expect, it } from "vitest";
import { createImportTables, type ImportTables } from "../../../../src/workbook/sheet/tables/table-changes";
import { playExcel } from "../../../functions/excel";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";

playExcel();

let excel: PlayedExcel;
let tables: ImportTables;
beforeEach(() => {
  excel = openExcel({ excelApi: "1.20", undo: "desktop" });
  tables = createImportTables(excel.app.workbook);
});

function sheet(name: string, visibility: "Visible" | "Hidden" | "VeryHidden") {
  const { id } = excel.spreadsheet.addSheet(name);
  excel.spreadsheet.hideSheet(id, visibility !== "Visible");
  if (visibility === "VeryHidden") excel.document.veryHiddenSheets.add(id);
  return id;
}
const names = () => excel.spreadsheet.sheets().map(({ name }) => name);

describe("hidden sheets that were left behind", () => {
  it("are those of earlier builds, very hidden and without a name, and those with the add-in's name", async () => {
    const old = sheet("Sheet3", "VeryHidden");
    const german = sheet("Tabelle4", "VeryHidden");
    const own = sheet("RegData copy 1a2b", "Hidden");
    sheet("Sheet9", "Hidden");
    sheet("Config", "VeryHidden");
    sheet("RegData copy", "Visible");
    excel.enter("Sheet3!B2", [["a former value"]]);
    expect(await inTime(tables.leftCopies())).toEqual([
      { sheetId: old, sheetName: "Sheet3", filled: "Sheet3!B2" },
      { sheetId: german, sheetName: "Tabelle4", filled: null },
      { sheetId: own, sheetName: "RegData copy 1a2b", filled: null },
    ]);
  });

  it("are deleted, very hidden ones too, and those that are gone passed over", async () => {
    const ids = [sheet("Sheet3", "VeryHidden"), sheet("RegData copy 1a2b", "Hidden")];
    await inTime(tables.deleteSheets(["gone", ...ids]));
    expect(names()).toEqual(["Sheet1"]);
  });

  it("can be looked at before they are deleted", async () => {
    const id = sheet("Sheet3", "VeryHidden");
    await inTime(tables.showSheet(id));
    expect(excel.spreadsheet.sheets()).toMatchObject([{ isHidden: false }, { id, isHidden: false }]);
    expect(excel.spreadsheet.selection().sheetId).toBe(id);
    expect(await inTime(tables.leftCopies())).toEqual([]);
    await inTime(tables.showSheet("gone"));
  });
});
