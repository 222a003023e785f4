import { beforeEach, describe, expect, it } from "vitest";
import { spillObstacle } from "../../../../src/workbook/sheet/cells/spill-obstacle";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

let excel: PlayedExcel;
beforeEach(() => {
  excel = openExcel({ excelApi: "1.13" });
});

/** The obstacle for a result of this size in B2 of Sheet1. */
const obstacle = (rows: number, columns: number) => {
  const { workbook } = excel.app;
  const cell = { sheetId: "sheet-1", row: 1, column: 1 };
  return inTime(
    workbook.run((context) => spillObstacle(context, cell, { rows, columns }, workbook.hasExcelApi)),
  );
};

describe("a result that spills", () => {
  it("has room if its cells are blank, whatever stands around them and in its own cell", async () => {
    excel.enter("B2", [["old"]]);
    excel.enter("A1:A5", [[1], [2], [3], [4], [5]]);
    excel.enter("B5", [["below"]]);
    excel.enter("D2", [["beside"]]);
    expect(await obstacle(3, 2)).toBeNull();
  });

  it("is kept out by a filled cell below or beside", async () => {
    excel.enter("B5", [["below"]]);
    expect(await obstacle(4, 1)).toBe("Sheet1!B5 is not empty.");
    excel.enter("D2", [["beside"]]);
    expect(await obstacle(1, 3)).toBe("Sheet1!D2 is not empty.");
    expect(await obstacle(1, 1)).toBeNull();
  });

  it("has no room in a table, nor beyond the end of the sheet", async () => {
    expect(await obstacle(1_048_576, 1)).toBe("The result would reach beyond the end of the sheet.");
    expect(await obstacle(1_048_575, 1)).toBeNull();
    const rect = { row: 0, column: 0, rows: 3, columns: 3 };
    excel.spreadsheet.addTable({
      ...{ name: "Mine", sheetId: "sheet-1", rect, style: "", hidesHeaders: false },
    });
    expect(await obstacle(2, 1)).toBe("Sheet1!B2 is in a table, where no result can spill.");
  });

  it("is kept out by blank rows of a table whose header stands above", async () => {
    const rect = { row: 0, column: 3, rows: 4, columns: 2 };
    excel.spreadsheet.addTable({
      ...{ name: "Mine", sheetId: "sheet-1", rect, style: "", hidesHeaders: false },
    });
    expect(await obstacle(2, 2)).toBeNull();
    expect(await obstacle(2, 3)).toBe("The result would reach into a table, where no result can spill.");
  });

  it("needs no room in an Excel where nothing spills", async () => {
    excel = openExcel({ excelApi: "1.9" });
    excel.enter("B3", [["mine"]]);
    expect(await obstacle(2, 1)).toBeNull();
  });
});
