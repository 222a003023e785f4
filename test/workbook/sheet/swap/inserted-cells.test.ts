import { describe, expect, it } from "vitest";
import { deleteInserted } from "../../../../src/workbook/sheet/swap/inserted-cells";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

/** Inserts columns C and D before a text, and deletes them again. Something happens before one of the requests. */
async function deleteAgain(at: number, meanwhile: (excel: PlayedExcel) => void) {
  let request = -Infinity;
  const excel: PlayedExcel = openExcel({
    onRequest() {
      if (request++ === at) meanwhile(excel);
    },
  });
  excel.enter("C2", [["theirs"]]);
  const sheetId = excel.spreadsheet.sheets()[0]!.id;
  const left = await inTime(
    excel.app.workbook.run(async (context) => {
      const columns = () => context.workbook.worksheets.getItem(sheetId).getRange("C:D");
      columns().insert("Right");
      await context.sync();
      request = 0;
      return deleteInserted(context, columns, "right");
    }),
  );
  return { excel, left };
}

const typed = [
  ["'06001", "=C5"],
  ["", "=C5"],
];
const shown = [
  ["06001", "06001"],
  ["", "06001"],
];

describe("columns that were inserted", () => {
  it("are deleted again, so that the others move back", async () => {
    const { excel, left } = await deleteAgain(-1, () => undefined);
    expect(left).toEqual([]);
    expect(excel.values("C2")).toEqual([["theirs"]]);
  });

  it.each([
    ["before they are looked at", 0],
    ["in the last moment, with texts, formulas and blanks", 1],
  ])("stay if somebody types there %s", async (_, at) => {
    const { excel, left } = await deleteAgain(at, ({ enter }) => enter("C5", typed));
    expect(left).toEqual(["Sheet1!C5:D6"]);
    expect(excel.values("C5:D6")).toEqual(shown);
    expect(excel.cells("D5:D6").map(([cell]) => cell?.formula)).toEqual(["=C5", "=C5"]);
    expect(excel.values("E2")).toEqual([["theirs"]]);
  });
});
