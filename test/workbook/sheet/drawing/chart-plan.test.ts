import { describe, expect, it } from "vitest";
import { config } from "../../../../src/config";
import { chartArea, type ChartPlan, chartTable } from "../../../../src/workbook/sheet/drawing/chart-plan";

const plan: ChartPlan = { title: "", kind: "columns", headers: ["", ""], rows: [{ label: "a", value: 1 }] };

describe("the table of a chart", () => {
  it("has headers even if none are given", () => {
    expect(chartTable(plan).columns).toEqual([{ header: "Label" }, { header: "Value" }]);
  });
});

describe("the place of a chart", () => {
  it("is right of its table, and nowhere if the sheet ends there", () => {
    const table = { row: 4, column: 2, rows: 3, columns: 2 };
    expect(chartArea(plan, table)).toEqual({ row: 4, column: 5, rows: 15, columns: 8 });
    expect(chartArea(plan, { ...table, column: config.sheetColumns - 11 })).toMatchObject({ columns: 8 });
    expect(chartArea(plan, { ...table, column: config.sheetColumns - 10 })).toBeNull();
    expect(chartArea(plan, { ...table, row: config.sheetRows - 14 })).toBeNull();
  });
});
