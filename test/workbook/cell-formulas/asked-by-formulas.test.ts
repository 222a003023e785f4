import { afterEach, expect, it } from "vitest";
import { askedByFormulas } from "../../../src/workbook/cell-formulas/asked-by-formulas";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

let excel: PlayedExcel;
afterEach(() => {
  expect(excel.problems).toEqual([]);
  excel.close();
});

const namespace = "REGDATA";

it("formulas over the cells of their own table rows are asked for the places of these rows, in few requests", async () => {
  let requests = 0;
  excel = openExcel({ excelApi: "1.20", onRequest: () => (requests += 1) });
  const { id: other } = excel.spreadsheet.addSheet("Other");
  const rows = 30;
  const ids = Array.from({ length: rows }, (_, row) => 10_001 + row);
  for (const [sheetId, sheet, question] of [
    ["sheet-1", "Sheet1", 1056],
    [other, "Other", 1003],
  ] as const) {
    const rect = { row: 4, column: 1, rows: rows + 1, columns: 2 };
    excel.enter(`${sheet}!B5`, [["AHJ ID", "Answer"], ...ids.map((id) => [id, ""])]);
    excel.spreadsheet.addTable({ sheetId, name: `Of${sheet}`, rect, style: "" });
    excel.enter(
      `${sheet}!C6`,
      ids.map(() => [`=REGDATA.VALUE("ahj:"&[@[AHJ ID]],${question})`]),
    );
  }
  const { workbook } = excel.app;
  const cells = await inTime(workbook.findFormulas("workbook", { namespace, canSeeSpills: true }));
  requests = 0;
  const asked = await inTime(askedByFormulas(cells, { workbook, namespace }));
  expect(asked.map(({ isWhole, grids }) => [isWhole, grids[0]?.jurisdictions, grids[0]?.types])).toEqual(
    [1056, 1003].flatMap((question) => ids.map((id) => [true, [id], [question]])),
  );
  expect(requests).toBeLessThan(8);
});
