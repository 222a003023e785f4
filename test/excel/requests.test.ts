import { describe, expect, it } from "vitest";
import { pass, playExcel } from "../functions/excel";
import { inTime } from "./in-time";
import { openExcel } from "./open-excel";

playExcel();

const readName = async (context: Excel.RequestContext) => {
  const sheet = context.workbook.worksheets.getActiveWorksheet().load("name");
  await context.sync();
  return sheet.name;
};

describe("while a cell is being edited", () => {
  it("a request waits that says so, and any other fails (excel-add-ins-delay-in-cell-edit.md)", async () => {
    const { spreadsheet } = openExcel();
    spreadsheet.edit(true);
    let read: string | undefined;
    const waiting = Excel.run({ delayForCellEdit: true }, readName).then((name) => (read = name));
    await expect(inTime(Excel.run(readName))).rejects.toMatchObject({
      code: "InvalidOperationInCellEditMode",
    });
    await pass(60_000);
    expect(read).toBeUndefined();
    spreadsheet.edit(false);
    await inTime(waiting);
    expect(read).toBe("Sheet1");
  });

  it("all work of the add-in waits", async () => {
    const { app, spreadsheet, enter, values } = openExcel({ excelApi: "1.20" });
    enter("A1", [["'06001"]]);
    spreadsheet.edit(true);
    const done: string[] = [];
    const note = (what: string) => () => void done.push(what);
    const working = [
      app.workbook.selectedCells().then(note("read")),
      app.workbook
        .writeFormula({ sheetId: "sheet-1", row: 0, column: 1 }, "=A1", "nothing")
        .then(note("write")),
    ];
    await pass(60_000);
    expect(done).toEqual([]);
    spreadsheet.edit(false);
    await inTime(Promise.all(working));
    expect(done.sort()).toEqual(["read", "write"]);
    expect(values("B1")).toEqual([["06001"]]);
  });
});

describe("an Excel that is paced", () => {
  it("executes one request after the other, with time between them", async () => {
    openExcel({ isPaced: true });
    const order: number[] = [];
    const begun = Date.now();
    await inTime(
      Promise.all([1, 2, 3].map((number) => Excel.run(readName).then(() => void order.push(number)))),
    );
    expect(order).toEqual([1, 2, 3]);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(45);
  });
});
