import { writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { describe, expect, it } from "vitest";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

const note = "Ann's note";
const plan = {
  columns: ["AHJ ID", "Fee"].map((header) => ({ header })),
  rows: [7, 8, 9].map((id) => [
    { value: id, numberFormat: "0" },
    { value: `$${id}`, numberFormat: "@" },
  ]),
};
const size = { rows: 4, columns: 2 };

describe.each([
  ["a new sheet", "Fees"],
  ["blank cells", "Sheet1"],
  ["cells that were given up", "Sheet1"],
] as const)("while a table is written to %s", (place, sheetName) => {
  it.each(["not refused", "refused"])(
    "a note that is typed into it before any request stays, the next request being %s",
    async (next) => {
      let typed = 0;
      for (let at = 0; at < 40; at += 1) {
        let request = -1;
        let hasTyped = false;
        const excel: PlayedExcel = openExcel({
          onRequest() {
            request += 1;
            if (request !== at || !excel.spreadsheet.sheets().some(({ name }) => name === sheetName)) return;
            hasTyped = true;
            excel.enter(`${sheetName}!B3`, [[note]]);
            if (next === "refused") excel.fail(7000, 1, "workbook", 1);
          },
        });
        if (place === "cells that were given up")
          excel.enter("A1", [
            ["a", "b"],
            ["c", "d"],
            ["e", "f"],
          ]);
        const sheetId = excel.spreadsheet.sheets()[0]!.id;
        const destination =
          place === "a new sheet"
            ? ({ kind: "new-sheet", name: "Fees" } as const)
            : {
                ...({ kind: "cell", sheetId, row: 0, column: 0 } as const),
                mayOverwrite: place === "blank cells" ? null : size,
              };
        const outcome = await inTime(writeTable(excel.app.workbook, plan, destination)).then(
          () => "written",
          (failure: { kind?: string }) => failure.kind,
        );
        const isThere = excel.spreadsheet.sheets().some(({ name }) => name === sheetName);
        // Before the copy is made, the cell is one of those that the user has given up.
        const isGivenUp = place === "cells that were given up" && at < 5;
        if (hasTyped && !isGivenUp) {
          typed += 1;
          expect(isThere && excel.values(`${sheetName}!B3`)[0]?.[0], `request ${at}: ${outcome}`).toBe(note);
        }
      }
      expect(typed).toBeGreaterThan(3);
    },
  );
});
