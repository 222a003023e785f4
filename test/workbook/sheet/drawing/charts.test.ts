import { beforeEach, describe, expect, it } from "vitest";
import { type ChartPlan, chartTable } from "../../../../src/workbook/sheet/drawing/chart-plan";
import { addChart } from "../../../../src/workbook/sheet/drawing/charts";
import { writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { formatAddress } from "../../../../workbench/address";
import { chartData } from "../../../../workbench/drawings";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

let excel: PlayedExcel;
beforeEach(() => (excel = openExcel()));

const plan: ChartPlan = {
  title: "Median permit fee by state",
  kind: "columns",
  headers: ["State", "Median"],
  rows: [
    { label: "AL", value: 125.5 },
    { label: "=CA", value: 310 },
    { label: "06", value: null },
  ],
  numberFormat: "$#,##0.00",
};

const insert = (chart: ChartPlan) =>
  inTime(
    writeTable(
      excel.app.workbook,
      chartTable(chart),
      { kind: "new-sheet", name: "Permit fee" },
      { onWritten: ({ tableId }, within) => addChart(within, tableId, chart) },
    ),
  );
const sheetNames = () => excel.spreadsheet.sheets().map(({ name }) => name);

describe("a chart", () => {
  it("stands beside a small table of its own, whose labels stay texts", async () => {
    const { address } = await insert(plan);
    expect(address).toBe("'Permit fee'!A1:B4");
    expect(excel.cells(address).map((row) => row.map(({ text }) => text))).toEqual([
      ["State", "Median"],
      ["AL", "$125.50"],
      ["=CA", "$310.00"],
      ["06", ""],
    ]);
    const [chart, ...others] = excel.spreadsheet.drawings.of("chart");
    expect(others).toEqual([]);
    expect(chart).toMatchObject({ type: "ColumnClustered", title: "Median permit fee by state" });
    expect(formatAddress(null, chart!.place)).toBe("D1:K15");
    expect(chart).toMatchObject({ showsLegend: false, isReversed: false });
    expect(excel.problems).toEqual([]);
  });

  it("does not draw the numbers of answers behind its values, which its table shows", async () => {
    const { address } = await insert({
      ...plan,
      headers: ["State", "Median", "Amounts"],
      rows: [
        { label: "AL", value: 125.5, count: 3 },
        { label: "CA", value: 310, count: 12 },
      ],
    });
    expect(excel.cells(address).map((row) => row.map(({ text }) => text))).toEqual([
      ["State", "Median", "Amounts"],
      ["AL", "$125.50", "3"],
      ["CA", "$310.00", "12"],
    ]);
    const [chart] = excel.spreadsheet.drawings.of("chart");
    expect(chartData(chart!, excel.spreadsheet).points.map(({ label, value }) => [label, value])).toEqual([
      ["AL", 125.5],
      ["CA", 310],
    ]);
    expect(formatAddress(null, chart!.place)).toBe("E1:L15");
  });

  it("changes with its table, and leaves out what a filter hides", async () => {
    const { tableId } = await insert(plan);
    excel.enter("'Permit fee'!B2", [[99]]);
    const [chart] = excel.spreadsheet.drawings.of("chart");
    const values = () =>
      chartData(chart!, excel.spreadsheet).points.map(({ label, value }) => [label, value]);
    expect(values()).toEqual([
      ["AL", 99],
      ["=CA", 310],
      ["06", 0],
    ]);
    excel.spreadsheet.filterTable(tableId, 0, ["AL", "06"]);
    expect(values()).toEqual([
      ["AL", 99],
      ["06", 0],
    ]);
  });

  it("of bars has the table's first row at the top, and room for each", async () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({ label: `Answer ${index}`, value: index }));
    await insert({ ...plan, kind: "bars", rows });
    const [chart] = excel.spreadsheet.drawings.of("chart");
    expect(chart).toMatchObject({ type: "BarClustered", isReversed: true });
    expect(chart?.place.rows).toBe(35);
  });

  it("has a title that is a text, whatever it looks like", async () => {
    await insert({ ...plan, title: "=Sheet1!A1\nand more" });
    expect(excel.spreadsheet.drawings.of("chart")[0]?.title).toBe(" =Sheet1!A1 and more");
  });

  it("is opened as it was saved, and goes with its sheet", async () => {
    await insert(plan);
    const opened = openExcel({ file: JSON.parse(JSON.stringify(excel.save())) });
    const [chart] = opened.spreadsheet.drawings.of("chart");
    expect(chart?.title).toBe("Median permit fee by state");
    opened.spreadsheet.deleteSheet(chart!.sheetId);
    expect(opened.spreadsheet.drawings.of("chart")).toEqual([]);
  });

  it.each([0, 1, 2, 3, 4])(
    "leaves nothing behind if Excel refuses its request %i after the table stands",
    async (after) => {
      let isRefused = false;
      const writing = writeTable(
        excel.app.workbook,
        chartTable(plan),
        { kind: "new-sheet", name: "Permit fee" },
        {
          onWritten({ tableId }, within) {
            excel.fail(7000, 1, "workbook", after);
            isRefused = true;
            return addChart(within, tableId, plan);
          },
        },
      );
      const failed = await inTime(
        writing.then(
          () => false,
          () => true,
        ),
      );
      expect(isRefused).toBe(true);
      const charts = excel.spreadsheet.drawings.of("chart");
      if (failed) expect([sheetNames(), charts]).toEqual([["Sheet1"], []]);
      else expect([sheetNames(), charts.length]).toEqual([["Sheet1", "Permit fee"], 1]);
    },
  );

  it("that Excel does not finish is removed again, and its sheet stays", async () => {
    const rect = { row: 0, column: 0, rows: 3, columns: 2 };
    excel.enter("Sheet1!A1", [
      ["State", "Median"],
      ["AL", 1],
      ["CA", 2],
    ]);
    const table = { sheetId: "sheet-1", name: "Fees", rect, style: "TableStyleMedium2" };
    const { id } = excel.spreadsheet.addTable(table);
    const drawn: number[] = [];
    for (const after of [0, 1, 2, 3]) {
      excel.fail(7000, 1, "workbook", after);
      const adding = addChart(excel.app.workbook, id, plan);
      await expect(inTime(adding)).rejects.toMatchObject({ kind: "not-permitted" });
      drawn.push(excel.spreadsheet.drawings.of("chart").length);
    }
    expect(drawn).toEqual([0, 0, 0, 0]);
  });
});
