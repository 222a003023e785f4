import { type MemberCase, reference, strictAssumption } from "./member-case";

export const chartCases: MemberCase[] = [
  {
    name: "charts are lines, pies, rings and stacked columns of labels and numbers, and other kinds are refused by name",
    source: `${reference}/excel.chartcollection#excel-excel-chartcollection-add-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1:C5").values = [
        ["Place", "Fees", "Rates"],
        ["Kern", 1, 5],
        ["Inyo", 2, 6],
        ["Mono", 3, 7],
        ["Napa", 4, 8],
      ];
      const kinds = ["Line", "LineMarkers", "Pie", "Doughnut", "ColumnStacked", "CylinderCol"] as const;
      const charts = kinds.map((kind) => sheet.charts.add(kind, sheet.getRange("A1:C5"), "Auto"));
      for (const chart of charts) chart.load("chartType");
      const second = charts[0]!.series.getItemAt(1);
      second.name = "Second";
      second.load("name");
      await context.sync();
      const added = charts.map(({ chartType }) => chartType as string);
      sheet.charts.add("Surface", sheet.getRange("A1:C5"), "Auto");
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.message);
      for (const chart of charts) chart.delete();
      await context.sync();
      return [added, second.name, refusal];
    },
    expected: [
      ["Line", "LineMarkers", "Pie", "Doughnut", "ColumnStacked", "CylinderCol"],
      "Second",
      "The workbench does not model this API. (ChartCollection.Add Surface)",
    ],
  },
  {
    name: "looks of axes and titles are kept, and values outside of Excel's limits are refused",
    source: `${reference}/excel.chartaxis#excel-excel-chartaxis-tickmarkspacing-member`,
    async work(context, sheet) {
      const code = async (work: () => void) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.code,
        );
      };
      sheet.getRange("A1:B3").values = [
        ["Place", "Fees"],
        ["Kern", 1],
        ["Inyo", 2],
      ];
      const chart = sheet.charts.add("ColumnClustered", sheet.getRange("A1:B3"), "Columns");
      const { categoryAxis, valueAxis } = chart.axes;
      chart.title.text = "Fees of places";
      chart.title.textOrientation = -45;
      chart.title.showShadow = true;
      chart.title.getSubstring(0, 4).font.color = "Yellow";
      chart.title.format.border.lineStyle = "Dash";
      categoryAxis.tickMarkSpacing = 2;
      categoryAxis.position = "Maximum";
      valueAxis.scaleType = "Logarithmic";
      valueAxis.minorGridlines.visible = true;
      valueAxis.setPositionAt(100);
      chart.title.load("textOrientation,showShadow");
      categoryAxis.load("tickMarkSpacing,position");
      valueAxis.load("scaleType,position,showDisplayUnitLabel");
      valueAxis.minorGridlines.load("visible");
      valueAxis.majorGridlines.load("visible");
      await context.sync();
      return [
        [chart.title.textOrientation, chart.title.showShadow],
        [categoryAxis.tickMarkSpacing, categoryAxis.position],
        [valueAxis.scaleType, valueAxis.position, valueAxis.showDisplayUnitLabel],
        [valueAxis.minorGridlines.visible, valueAxis.majorGridlines.visible],
        await code(() => (categoryAxis.tickMarkSpacing = 0)),
        await code(() => (categoryAxis.tickLabelPosition = "Above" as "High")),
        await code(() => (valueAxis.logBase = 1)),
        await code(() => (chart.title.textOrientation = 91)),
        await code(() => void chart.title.getSubstring(10, 9).font.load("color")),
        await code(() => chart.delete()),
      ];
    },
    expected: [
      ...[
        [-45, true],
        [2, "Maximum"],
        ["Logarithmic", "Custom", true],
        [true, true],
      ],
      ...["InvalidArgument", "InvalidArgument", "InvalidArgument", "InvalidArgument", "InvalidArgument"],
      "done",
    ],
  },
  {
    name: "a chart of as many rows as columns of numbers is refused by name unless its series are told",
    source: strictAssumption,
    async work(context, sheet) {
      sheet.getRange("A1:B2").values = [
        [1, 2],
        [3, 4],
      ];
      sheet.getRange("A1:C3").values = [
        ["", "One", "Two"],
        ["Kern", 1, 2],
        ["Inyo", 3, 4],
      ];
      sheet.charts.add("Line", sheet.getRange("A1:C3"), "Auto");
      return context.sync().catch((error: OfficeExtension.Error) => error.code);
    },
    expected: "ApiNotFound",
  },
];
