import { expect, it } from "vitest";
import { config } from "../../../src/config";
import { lackingValueFor } from "../../../src/taskpane/formulas/formula-control";
import { answerWaiting, countWaiting } from "../../../src/workbook/cell-formulas/answer-waiting";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";
import { baseUrl } from "../../recorded-service";

playExcel();

it("counts the formulas that wait, and after connecting what their cells show", async () => {
  const excel = openExcel({ key: null, excelApi: "1.13" });
  const { app } = excel;
  // Two counties of the subscription, one in Texas, a type without an answer, and a geoID that is none.
  excel.enter("A1", [
    ['=REGDATA.VALUE("06001", 1003)'],
    ['=REGDATA.VALUE("32003", 1003)'],
    ['=REGDATA.VALUE("48113", 1003)'],
    ['=REGDATA.VALUE("48113", 1056)'],
    ['=REGDATA.VALUE("06001", 1003, "no such field")'],
    ["plain"],
  ]);
  await inTime(excel.spreadsheet.idle());
  const { signal } = new AbortController();
  const options = { namespace: config.namespace, canSeeSpills: true, signal };
  const formulas = await inTime(app.workbook.findFormulas("workbook", options));
  expect(formulas).toHaveLength(5);
  // The last one is refused for its own reason, which no key mends.
  expect(await inTime(countWaiting(app.workbook, formulas))).toBe(4);

  await inTime(app.connect(baseUrl, "demo-west"));
  const { lookup } = await inTime(app.session());
  let begun = 0;
  const answered = await inTime(
    answerWaiting(app.workbook, {
      ...options,
      onBegun: (count) => (begun = count),
      calls: app,
      lookup,
      lackingValue: lackingValueFor(app)!,
    }),
  );
  expect(begun).toBe(5);
  expect(answered).toEqual({ answered: 2, outside: 2, withoutValue: 0, inError: 1 });
  expect(excel.values("A1:A4").map(([value]) => value === "#N/A")).toEqual([false, false, true, true]);
  excel.close();
});
