import { docs, type MemberCase, reference } from "./member-case";

export const conditionalFormatCases: MemberCase[] = [
  {
    name: "each kind of conditional format is added with its rule, tells its kind, and is listed from the last one on",
    source: `${docs}/excel-add-ins-conditional-formatting`,
    async work(context, sheet) {
      const range = sheet.getRange("A1:A4");
      range.values = [[-5], [1], [2], [30]];
      const formats = range.conditionalFormats;
      const value = formats.add("CellValue");
      value.cellValue.format.font.color = "red";
      value.cellValue.rule = { formula1: "=0", operator: "LessThan" };
      const contains = formats.add("ContainsText");
      contains.textComparison.format.font.bold = true;
      contains.textComparison.rule = { operator: "Contains", text: "late" };
      const top = formats.add("TopBottom");
      top.topBottom.format.fill.color = "green";
      top.topBottom.rule = { rank: 1, type: "TopItems" };
      const preset = formats.add("PresetCriteria");
      preset.preset.format.font.italic = true;
      preset.preset.rule = { criterion: "OneStdDevBelowAverage" };
      const custom = formats.add("Custom");
      custom.custom.format.font.color = "green";
      custom.custom.rule.formula = "=A1>B1";
      formats.add("DataBar").dataBar.barDirection = "LeftToRight";
      const icons = formats.add("IconSet");
      icons.iconSet.style = "ThreeTriangles";
      icons.iconSet.criteria = [
        {} as Excel.ConditionalIconCriterion,
        { type: "Number", operator: "GreaterThanOrEqual", formula: "=700" },
        { type: "Number", operator: "GreaterThanOrEqual", formula: "=1000" },
      ];
      formats.add("ColorScale").colorScale.criteria = {
        minimum: { type: "LowestValue", color: "blue" },
        midpoint: { type: "Percent", formula: "50", color: "yellow" },
        maximum: { type: "HighestValue", color: "red" },
      };
      formats.load("type");
      value.cellValue.load("rule");
      top.topBottom.load("rule");
      custom.custom.rule.load("formula");
      const scale = formats.getItemAt(0).colorScale.load("threeColorScale");
      icons.iconSet.load("style");
      await context.sync();
      const kinds = formats.items.map(({ type }) => type as string);
      const rules = [value.cellValue.rule, top.topBottom.rule, custom.custom.rule.formula];
      sheet.getRange().conditionalFormats.clearAll();
      const count = formats.getCount();
      await context.sync();
      return [kinds, rules, scale.threeColorScale, icons.iconSet.style, count.value];
    },
    expected: [
      [
        ...["ColorScale", "IconSet", "DataBar", "Custom", "PresetCriteria", "TopBottom", "ContainsText"],
        "CellValue",
      ],
      [{ operator: "LessThan", formula1: "=0" }, { rank: 1, type: "TopItems" }, "=A1>B1"],
      ...[true, "ThreeTriangles", 0],
    ],
  },
  {
    name: "a conditional format gets a place among the others, from the back too, and stops those behind it or not",
    source: `${reference}/excel.conditionalformat#excel-excel-conditionalformat-priority-member`,
    async work(context, sheet) {
      const formats = sheet.getRange("A1:A4").conditionalFormats;
      const first = formats.add("CellValue");
      const second = formats.add("CellValue").load("priority");
      first.load("priority,stopIfTrue");
      await context.sync();
      const before = [first.priority, second.priority, first.stopIfTrue];
      first.priority = 0;
      first.stopIfTrue = true;
      first.load("priority,stopIfTrue");
      second.load("priority");
      await context.sync();
      const after = [first.priority, second.priority, first.stopIfTrue];
      first.priority = -1;
      first.load("priority");
      await context.sync();
      const back = first.priority;
      first.priority = -99;
      first.load("priority");
      await context.sync();
      const front = first.priority;
      first.priority = 99;
      first.load("priority,id");
      const bar = formats.add("DataBar").load("stopIfTrue");
      await context.sync();
      return [before, after, back, front, bar.stopIfTrue];
    },
    expected: [[1, 0, false], [0, 1, true], 1, 0, null],
  },
  {
    name: "a rule of another kind, a rank of more than 1000, a word of no list and a formula for a value are refused",
    source: `${reference}/excel.conditionaltopbottomrule#excel-excel-conditionaltopbottomrule-rank-member`,
    async work(context, sheet) {
      const code = async (work: () => void) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.code,
        );
      };
      const formats = sheet.getRange("A1:A4").conditionalFormats;
      const top = formats.add("TopBottom");
      const value = formats.add("CellValue");
      const bar = formats.add("DataBar");
      await context.sync();
      return [
        await code(() => value.topBottom.load("rule")),
        await code(() => (top.topBottom.rule = { rank: 1001, type: "TopItems" })),
        await code(() => (top.topBottom.rule = { rank: 101, type: "TopPercent" })),
        await code(() => (top.topBottom.rule = { rank: 1, type: "Middle" as "TopItems" })),
        await code(() => (value.cellValue.rule = { formula1: "=B1", operator: "LessThan" })),
        await code(() => (bar.stopIfTrue = true)),
        await code(() => formats.add("Other" as "Custom")),
        await code(() => formats.getItemAt(9)),
      ];
    },
    expected: [
      ...["ItemNotFound", "InvalidArgument", "InvalidArgument", "InvalidArgument", "ApiNotFound"],
      ...["InvalidOperation", "InvalidArgument", "ItemNotFound"],
    ],
  },
];
