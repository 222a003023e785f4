import { expect, it } from "vitest";
import { outcomeWords } from "../../../src/taskpane/formulas/FormulaReportView";
import { createFormulaControl } from "../../../src/taskpane/formulas/formula-control";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

/** Refreshes formulas that have an answer while the service can be reached or not, and says in words how that went. */
async function refreshed(formulas: string[], isDown: boolean): Promise<string> {
  let fails = false;
  const excel = openExcel({
    excelApi: "1.13",
    intercept: () => (fails ? Promise.reject(new TypeError("Failed to fetch")) : undefined),
  });
  excel.enter(
    "A1",
    formulas.map((formula) => [formula]),
  );
  await inTime(excel.spreadsheet.idle());
  fails = isDown;
  const control = createFormulaControl(excel.app);
  const done = new Promise<void>((resolve) =>
    control.subscribe(({ status }) => (status === "done" || status === "failed") && resolve()),
  );
  control.run("refresh", "workbook");
  await inTime(done);
  const state = control.getState();
  excel.close();
  if (state.status !== "done" || state.result.action !== "refresh") throw new Error(state.status);
  return outcomeWords(state.result);
}

const asking = '=REGDATA.VALUE("06001", 1003)';
const skipped = `=IF(FALSE, ${asking.slice(1)}, "none")`;

it.each([
  ["1 formula refreshed. Nothing has changed.", [asking], false],
  [
    "2 formulas calculated again. The service could not be asked for 1 answer: it is an earlier one.",
    [asking, skipped],
    true,
  ],
  ["1 formula refreshed. No formula needed the service.", [skipped], true],
])("says: %s", async (words, formulas, isDown) => {
  expect(await refreshed(formulas, isDown)).toBe(words);
});
