import { type MemberCase, reference, strictAssumption } from "./member-case";

export const autoFilterCases: MemberCase[] = [
  {
    name: "a sheet's AutoFilter hides rows by all its columns, keeps them until it is applied again, and is removed",
    source: `${reference}/excel.autofilter`,
    async work(context, sheet) {
      sheet.getRange("A1:B6").values = [
        ["Place", "Fee"],
        ["Apple", 1],
        ["Lime", 2],
        ["Orange", 3],
        ["Kiwi", 4],
        ["Grape", 5],
      ];
      const { autoFilter } = sheet;
      const none = autoFilter.getRangeOrNullObject();
      autoFilter.load("enabled,isDataFiltered");
      await context.sync();
      const before = [none.isNullObject, autoFilter.enabled, autoFilter.isDataFiltered];
      const hidden = async () => {
        const rows = [2, 3, 4, 5, 6].map((row) => sheet.getRange(`A${row}`).load("rowHidden"));
        autoFilter.load("enabled,isDataFiltered");
        await context.sync();
        return rows.map(({ rowHidden }) => (rowHidden ? "-" : "x")).join("");
      };
      autoFilter.apply("A1:B6", 0, { filterOn: "Custom", criterion1: "=*e" });
      const range = autoFilter.getRange().load("address");
      const byText = await hidden();
      autoFilter.apply(sheet.getRange("A1:B6"), 1, { filterOn: "TopItems", criterion1: "2" });
      const byBoth = await hidden();
      const seen = sheet.getRange("A1:B6").getVisibleView().load("values");
      sheet.getRange("B2").values = [[9]];
      const unchanged = await hidden();
      autoFilter.reapply();
      const again = await hidden();
      autoFilter.clearColumnCriteria(0);
      const byNumber = await hidden();
      autoFilter.clearCriteria();
      const all = [await hidden(), autoFilter.enabled, autoFilter.isDataFiltered];
      autoFilter.remove();
      return [
        ...[before, range.address, byText, byBoth, seen.values, unchanged, again, byNumber, all],
        ...[await hidden(), autoFilter.enabled],
      ];
    },
    expected: [
      [true, false, false],
      "Case!A1:B6",
      "xxx-x",
      "----x",
      [
        ["Place", "Fee"],
        ["Grape", 5],
      ],
      "----x",
      "x---x",
      "x---x",
      ["xxxxx", true, false],
      "xxxxx",
      false,
    ],
  },
  {
    name: "a write over rows that a sheet's AutoFilter hides leaves those, and rows that move take the filter along",
    source: strictAssumption,
    async work(context, sheet) {
      sheet.getRange("A1:A4").values = [["Place"], ["Kern"], ["Inyo"], ["Mono"]];
      sheet.autoFilter.apply("A1:A4", 0, { filterOn: "Values", values: ["Kern", "Mono"] });
      sheet.getRange("B2:B4").values = [[1], [2], [3]];
      const written = sheet.getRange("B2:B4").load("values");
      sheet.getRange("1:1").insert("Down");
      const range = sheet.autoFilter.getRange().load("address");
      const rows = [3, 4, 5].map((row) => sheet.getRange(`A${row}`).load("rowHidden"));
      await context.sync();
      return [written.values, range.address, rows.map(({ rowHidden }) => rowHidden)];
    },
    expected: [[[1], [""], [1]], "Case!A2:A5", [false, true, false]],
  },
  {
    name: "an AutoFilter refuses a column outside of its range, a column without criteria, a table there, and a protected sheet",
    source: `${reference}/excel.autofilter#excel-excel-autofilter-clearcolumncriteria-member(1)`,
    async work(context, sheet) {
      const code = async (work: () => void) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.code,
        );
      };
      sheet.getRange("A1:A2").values = [["Place"], ["Kern"]];
      const { autoFilter } = sheet;
      const refusals = [
        await code(() => autoFilter.getRange()),
        await code(() => autoFilter.apply("A1:A2")),
        await code(() => autoFilter.clearColumnCriteria(1)),
        await code(() => autoFilter.clearColumnCriteria(-1)),
        await code(() => autoFilter.apply("A1:A2", 1, { filterOn: "Values", values: [] })),
        await code(() => autoFilter.apply("A1:A2", 0)),
        await code(() => sheet.tables.add("A1:B5", true)),
      ];
      sheet.protection.protect();
      refusals.push(await code(() => autoFilter.remove()));
      sheet.protection.unprotect();
      return refusals;
    },
    expected: [
      ...["ItemNotFound", "done", "InvalidArgument", "InvalidArgument", "InvalidArgument"],
      ...["InvalidArgument", "FilteredRangeConflict", "AccessDenied"],
    ],
  },
];
