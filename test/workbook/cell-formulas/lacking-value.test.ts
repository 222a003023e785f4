import { expect, it } from "vitest";
import { config } from "../../../src/config";
import { freezeFormulas, unfreezeFormulas } from "../../../src/workbook/cell-formulas/freeze";
import { lackingValue } from "../../../src/workbook/cell-formulas/lacking-value";
import { refreshFormulas } from "../../../src/workbook/cell-formulas/refresh-formulas";
import type { FormulaCell } from "../../../src/workbook/sheet/cells/formula-search";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { answering, playExcel } from "../../functions/excel";

playExcel();

const { namespace } = config;
const { signal } = new AbortController();
const quietly = { signal, onProgress() {} };

/** Question 1003 has no value anywhere. */
async function open() {
  const excel = openExcel({
    excelApi: "1.20",
    intercept: answering(/matrix$/, (data) => {
      for (const row of data.rows) row.values[1003] = null;
    }),
  });
  const { app, enter, spreadsheet } = excel;
  enter("A1", [["'06001"]]);
  enter("B1", [
    ["=REGDATA.VALUE(A1, 1003)"],
    ['=REGDATA.VALUE("99999", 1003)'],
    ["=REGDATA.VALUE(A1, {1003,1057})"],
    ["=REGDATA.VALUE(A1, 1057)"],
    ['=REGDATA.VALUE({"06001","99999"}, 1003)'],
  ]);
  enter("E1", [['=REGDATA.VALUE({"06001","06037"}, 1003)']]);
  await inTime(spreadsheet.idle());
  const { lookup } = await inTime(app.session());
  const found = await inTime(app.workbook.findFormulas("workbook", { namespace, canSeeSpills: true }));
  const dependencies = { workbook: app.workbook, lookup, namespace };
  return {
    ...{ ...excel, found },
    lackingValue: (some: readonly FormulaCell[]) => lackingValue(some, { ...dependencies, signal }),
  };
}

it("a refresh counts formulas that have no value recorded apart from those in error", async () => {
  const { app, found, lackingValue } = await open();
  const dependencies = { workbook: app.workbook, calls: app };
  expect(await inTime(refreshFormulas(found, { ...dependencies, lackingValue }, signal))).toMatchObject({
    ...{ formulas: 6, withoutValue: 3, errors: 2 },
  });
  expect(await inTime(refreshFormulas(found, dependencies, signal))).toMatchObject({
    withoutValue: 0,
    errors: 5,
  });
});

it("a formula whose value is not recorded is frozen as #N/A and comes back, one in error stays", async () => {
  const { app, cells, values, found, lackingValue, requests, problems } = await open();
  const before = requests.length;
  const frozen = await inTime(
    freezeFormulas(found, app.workbook, { ...quietly, canSeeDataTypes: false, lackingValue }),
  );
  expect(frozen.left.map(({ row, reason }) => [row, reason])).toEqual([
    [1, "shows #N/A"],
    [4, "shows #N/A"],
  ]);
  expect(frozen.withoutValue).toBe(4);
  expect(values("B1:C4")).toEqual([
    ["#N/A", ""],
    ["#N/A", ""],
    ["#N/A", 110],
    [110, ""],
  ]);
  expect(values("E1:E2")).toEqual([["#N/A"], ["#N/A"]]);
  expect(cells("B1")[0]?.[0]).toMatchObject({ value: "#N/A", formula: "#N/A" });

  const unfreezing = { ...quietly, namespace, calls: app };
  const back = await inTime(unfreezeFormulas("workbook", app.workbook, unfreezing));
  expect(back).toMatchObject({ left: [], changes: [] });
  expect(back.back).toHaveLength(4);
  expect(cells("B1")[0]?.[0]).toMatchObject({ value: "#N/A", formula: "=REGDATA.VALUE(A1, 1003)" });
  expect(requests).toHaveLength(before);
  expect(problems).toEqual([]);
});

it("a formula without a value stays if nothing tells why it is #N/A", async () => {
  const { app, found } = await open();
  const frozen = await inTime(freezeFormulas(found, app.workbook, { ...quietly, canSeeDataTypes: false }));
  expect(frozen.left.map(({ row, column }) => [row, column])).toEqual([
    [0, 1],
    [0, 4],
    [1, 1],
    [4, 1],
  ]);
});
