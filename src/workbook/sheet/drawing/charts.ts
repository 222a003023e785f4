import { Failure } from "../../../errors";
import type { Workbook } from "../workbook";
import { tableThatStands } from "../tables/bound-table";
import { chartArea, type ChartPlan, chartTitle, drawnColumns } from "./chart-plan";

/**
 * Adds an Excel chart beside a table that `chartTable` planned. The chart follows the table's cells. If Excel does not finish the chart, it
 * is deleted again. Fails with the workbook's kinds, table-gone and too-large.
 */
export async function addChart(
  { run }: Pick<Workbook, "run">,
  tableId: string,
  plan: ChartPlan,
): Promise<void> {
  await run(async (context) => {
    const table = await tableThatStands(context, tableId);
    const range = table.getRange().load("rowIndex,columnIndex,rowCount,columnCount");
    await context.sync();
    const { rowIndex: row, columnIndex: column, rowCount: rows, columnCount: columns } = range;
    const area = chartArea(plan, { row, column, rows, columns });
    if (!area) throw new Failure("too-large");
    const sheet = range.worksheet;
    // The text is written out, because Excel.ChartType.columnClustered has it only after office.js has run.
    const type = plan.kind === "bars" ? "BarClustered" : "ColumnClustered";
    const drawn = sheet.getRangeByIndexes(row, column, rows, drawnColumns);
    const chart = sheet.charts.add(type, drawn, "Columns");
    chart.load("id");
    await context.sync();
    try {
      const place = sheet.getRangeByIndexes(area.row, area.column, area.rows, area.columns);
      chart.setPosition(place.getCell(0, 0), place.getCell(area.rows - 1, area.columns - 1));
      chart.title.text = chartTitle(plan);
      // A legend would repeat the title, because there is only one series.
      chart.legend.visible = false;
      // Excel puts the first bar at the bottom; the order is reversed so that the first row is at the top.
      if (plan.kind === "bars") chart.axes.categoryAxis.reversePlotOrder = true;
      await context.sync();
    } catch (thrown) {
      chart.delete();
      await context.sync().catch(() => undefined);
      throw thrown;
    }
  });
}
