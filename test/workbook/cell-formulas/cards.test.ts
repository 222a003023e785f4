import { expect, it } from "vitest";
import { config } from "../../../src/config";
import { freezeFormulas, unfreezeFormulas } from "../../../src/workbook/cell-formulas/freeze";
import { refreshFormulas } from "../../../src/workbook/cell-formulas/refresh-formulas";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

const finding = { namespace: config.namespace, canSeeSpills: true };
const { signal } = new AbortController();

it("a card is no error: not for the selected cell, nor in refresh, freeze and unfreeze", async () => {
  const { app, enter, values, cells, spreadsheet, problems } = openExcel({ excelApi: "1.20" });
  const { workbook } = app;
  enter("A1", [['=REGDATA.CARD("06001", 1057)'], ['=REGDATA.VALUE("99999", 1057)']]);
  await inTime(spreadsheet.idle());
  // In Excel the value of an entity is an error, but its text is not.
  expect(values("A1")).toEqual([["#VALUE!"]]);
  expect(cells("A1")[0]?.[0]?.text).toBe("$110.00");

  expect(await inTime(workbook.selectedCell(true))).toMatchObject({ value: "$110.00", text: "$110.00" });
  expect(await inTime(workbook.valuesAt("sheet-1", ["A1"]))).toEqual([[["$110.00"]]]);
  spreadsheet.select("sheet-1", [{ row: 0, column: 0, rows: 2, columns: 1 }]);
  expect(await inTime(workbook.selectedCells())).toMatchObject({ rows: [["$110.00"], ["#N/A"]] });
  spreadsheet.select("sheet-1", [{ row: 0, column: 0, rows: 1, columns: 1 }]);

  const found = await inTime(workbook.findFormulas("workbook", finding));
  const refreshed = await inTime(refreshFormulas(found, { workbook, calls: app }, signal));
  expect(refreshed).toMatchObject({ formulas: 2, errors: 1, waiting: 0 });

  const freezing = { canSeeDataTypes: false, signal, onProgress() {} };
  const frozen = await inTime(freezeFormulas(found, workbook, freezing));
  expect(frozen.left).toMatchObject([{ row: 1, reason: "shows #N/A" }]);
  expect(cells("A1")[0]?.[0]).toMatchObject({ value: "$110.00", formula: "$110.00" });

  const unfreezing = { namespace: config.namespace, signal, onProgress() {}, calls: app };
  const back = await inTime(unfreezeFormulas("workbook", workbook, unfreezing));
  expect(back).toMatchObject({ back: [{ formula: '=REGDATA.CARD("06001", 1057)' }], left: [], changes: [] });
  expect(spreadsheet.card("sheet-1", 0, 0)).not.toBeNull();
  expect(problems).toEqual([]);
});
