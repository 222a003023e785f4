import { type MemberCase, reference } from "./member-case";

export const lookCases: MemberCase[] = [
  {
    name: "fonts, underlines and the direction of texts are kept, with the usual ones where nothing is set",
    source: `${reference}/excel.rangefont`,
    async work(context, sheet) {
      const { format } = sheet.getRange("A1:B1");
      const plain = sheet.getRange("C1").format;
      plain.font.load("name,size,underline,strikethrough");
      plain.load("textOrientation");
      format.font.name = "Arial";
      format.font.size = 15;
      format.font.underline = "Single";
      format.font.strikethrough = true;
      format.textOrientation = 38;
      format.load("textOrientation");
      format.font.load("name,size,underline,strikethrough");
      await context.sync();
      const shown = ({ font, textOrientation }: Excel.RangeFormat) => [
        ...[font.name, font.size, font.underline, font.strikethrough],
        textOrientation,
      ];
      return [shown(plain), shown(format)];
    },
    expected: [
      ["Calibri", 11, "None", false, 0],
      ["Arial", 15, "Single", true, 38],
    ],
  },
  {
    name: "a font's size, its name and a direction outside of Excel's limits are refused",
    source: `${reference}/excel.rangeformat#excel-excel-rangeformat-textorientation-member`,
    async work(context, sheet) {
      const codeOf = async (work: () => void) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.code,
        );
      };
      const { format } = sheet.getRange("A1");
      return [
        await codeOf(() => (format.textOrientation = 91)),
        await codeOf(() => (format.font.size = 410)),
        await codeOf(() => (format.font.name = "a".repeat(32))),
        await codeOf(() => (format.font.underline = "DoubleAccountant")),
      ];
    },
    expected: ["InvalidArgument", "InvalidArgument", "InvalidArgument", "ApiNotFound"],
  },
  {
    name: "a border of a range is that of the cells at its side, and lines inside lie between cells",
    source: `${reference}/excel.rangebordercollection`,
    async work(context, sheet) {
      const { borders } = sheet.getRange("A1:B2").format;
      borders.getItem("EdgeBottom").style = "Double";
      borders.getItem("EdgeBottom").color = "#FF0000";
      borders.getItem("InsideVertical").style = "Dash";
      const [below, beside, above] = (
        [
          ["B2", "EdgeBottom"],
          ["A1", "EdgeRight"],
          ["A1", "EdgeTop"],
        ] as const
      ).map(([address, side]) => sheet.getRange(address).format.borders.getItem(side).load("style,color"));
      await context.sync();
      borders.getItem("DiagonalUp").style = "Continuous";
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [below!.style, below!.color, beside!.style, above!.style, refusal];
    },
    expected: ["Double", "#FF0000", "Dash", "None", "ApiNotFound"],
  },
  {
    name: "a built-in style gives its look, and one that is not known fails by name",
    source: `${reference}/excel.builtinstyle`,
    async work(context, sheet) {
      sheet.getRange("A1").style = "Neutral";
      sheet.getRanges("A3,C3").style = "Heading1";
      const neutral = sheet.getRange("A1").format.fill.load("color");
      const heading = sheet.getRange("C3").format.font.load("size,bold");
      await context.sync();
      sheet.getRange("A1").style = "Currency";
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.message);
      return [neutral.color, heading.size, heading.bold, refusal];
    },
    expected: ["#FFEB9C", 15, true, "The workbench does not model this API. (Range.Style Currency)"],
  },
  {
    name: "the rows of a view are those that no filter hides",
    source: `${reference}/excel.range#excel-excel-range-getvisibleview-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1:B3").values = [
        ["Place", "Fee"],
        ["Kern", 1],
        ["Inyo", 2],
      ];
      const table = sheet.tables.add("A1:B3", true);
      table.columns.getItem("Fee").filter.applyValuesFilter(["2"]);
      await context.sync();
      const view = table.getRange().getVisibleView().load("values,rowCount,columnCount,cellAddresses");
      const rows = view.rows.load("values");
      await context.sync();
      return [view.values, view.rowCount, view.columnCount, view.cellAddresses[1], rows.items[1]?.values];
    },
    expected: [
      [
        ["Place", "Fee"],
        ["Inyo", 2],
      ],
      2,
      2,
      ["Case!A3", "Case!B3"],
      [["Inyo", 2]],
    ],
  },
  {
    name: "a chart of columns of numbers has a series for each, with its name, points and colors; what nobody has set of its looks is refused by name",
    source: `${reference}/excel.chartseriescollection`,
    async work(context, sheet) {
      const code = (error: OfficeExtension.Error) => error.code;
      sheet.getRange("A1:C3").values = [
        ["Place", "Permit", "Review"],
        ["Kern", 4, 7],
        ["Inyo", 5, 9],
      ];
      const chart = sheet.charts.add("ColumnClustered", sheet.getRange("A1:C3"), "Columns");
      const { series } = chart;
      series.load("count,items/name");
      const second = series.getItemAt(1).points.load("count");
      const point = series.getItemAt(1).points.getItemAt(1).load("value");
      chart.legend.load("visible");
      await context.sync();
      const read = [series.count, series.items.map(({ name }) => name), second.count, point.value];
      point.format.fill.setSolidColor("pink");
      chart.legend.position = "Right";
      chart.legend.format.font.size = 15;
      chart.dataLabels.format.font.color = "black";
      chart.axes.valueAxis.title.text = "Dollars";
      chart.axes.valueAxis.load("displayUnit");
      await context.sync();
      const { displayUnit } = chart.axes.valueAxis;
      chart.axes.valueAxis.displayUnit = "Hundreds";
      chart.legend.load("position");
      chart.legend.format.font.load("size");
      chart.axes.valueAxis.title.load("text");
      await context.sync();
      const set = [chart.legend.position, chart.legend.format.font.size, chart.axes.valueAxis.title.text];
      chart.dataLabels.format.font.load("size");
      const unset = await context.sync().catch(code);
      series.getItemAt(2).load("name");
      const outside = await context.sync().catch(code);
      chart.legend.position = "Custom";
      const custom = await context.sync().catch(code);
      chart.axes.valueAxis.displayUnit = "Dozens" as "Hundreds";
      const unit = await context.sync().catch(code);
      return [...read, chart.legend.visible, ...set, unset, outside, custom, displayUnit, unit];
    },
    expected: [
      ...[2, ["Permit", "Review"], 2, 9, true],
      ...["Right", 15, "Dollars", "ApiNotFound", "ItemNotFound", "InvalidArgument"],
      ...["None", "InvalidArgument"],
    ],
  },
  {
    name: "a chart of numbers alone, or of labels and numbers without headers, has series by number; text among the numbers is refused by name",
    source: `${reference}/excel.chartcollection#excel-excel-chartcollection-add-member(1)`,
    async work(context, sheet) {
      const code = (error: OfficeExtension.Error) => error.code;
      sheet.getRange("A1:C3").values = [
        ["Kern", 4, 7],
        ["Inyo", 5, 9],
        ["Mono", 6, "none"],
      ];
      const add = (address: string) =>
        sheet.charts.add("ColumnClustered", sheet.getRange(address), "Columns").series.load("items/name");
      const alone = add("B1:B3");
      const labeled = add("A1:C2");
      await context.sync();
      add("A1:C3");
      const mixed = await context.sync().catch(code);
      sheet.charts.add("ColumnClustered", sheet.getRange("A1:C2"), "Rows");
      const inRows = await context.sync().catch(code);
      const names = [alone, labeled].map(({ items }) => items.map(({ name }) => name));
      return [...names, mixed, inRows];
    },
    expected: [["Series1"], ["Series1", "Series2"], "ApiNotFound", "ApiNotFound"],
  },
];
