import type { PlayedExcel } from "../../../excel/open-excel";

/** Enters a table "Fees" of geoIDs, fees and codes into Sheet1!A1:C5, and returns Excel's id of it. */
export function enterFees(excel: PlayedExcel): string {
  const rect = { row: 0, column: 0, rows: 5, columns: 3 };
  excel.spreadsheet.writeNumberFormats(
    "sheet-1",
    rect,
    ["General", "$#,##0", "$#,##0", "$#,##0", "$#,##0"].map((format) => ["@", format, "@"]),
  );
  excel.enter("Sheet1!A1", [
    ["geoID", "Fee", "Code"],
    ["06001", 1200, "NEC 2020"],
    ["06037", 400, "NEC 2017"],
    ["01001", "varies", "NEC 2020"],
    ["01003", "", ""],
  ]);
  const table = { sheetId: "sheet-1", name: "Fees", rect, style: "TableStyleMedium2" };
  return excel.spreadsheet.addTable(table).id;
}
