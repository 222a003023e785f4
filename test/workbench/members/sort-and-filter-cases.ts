import { docs, strictAssumption, type MemberCase, reference, support } from "./member-case";

export const sortAndFilterCases: MemberCase[] = [
  {
    name: "a table is sorted by fields, one after the other, and tells what it was sorted by",
    source: `${reference}/excel.tablesort#excel-excel-tablesort-apply-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1:B5").values = [
        ["Name", "Fee"],
        ["b", 1],
        ["A", 2],
        ["a", 3],
        ["c", 1],
      ];
      const table = sheet.tables.add("A1:B5", true);
      table.sort.apply([{ key: 1, ascending: false }, { key: 0 }]);
      table.sort.load("fields,matchCase");
      const body = table.getDataBodyRange().load("values");
      await context.sync();
      const before = table.sort.fields;
      table.sort.clear();
      table.sort.load("fields");
      await context.sync();
      return [body.values, before, table.sort.fields];
    },
    expected: [
      [
        ["a", 3],
        ["A", 2],
        ["b", 1],
        ["c", 1],
      ],
      [
        { key: 1, ascending: false },
        { key: 0, ascending: true },
      ],
      [],
    ],
  },
  {
    name: "numbers come before texts, texts before truth values, and blanks last, whichever way",
    source: `${support}/sort-data-in-a-range-or-table-62d0b95d-2a90-4610-a6ae-2e545c4a4654`,
    async work(context, sheet) {
      const range = sheet.getRange("A1:A6");
      const seen: unknown[] = [];
      for (const ascending of [true, false]) {
        range.values = [[""], ["text"], [true], [10], [false], [-2]];
        range.sort.apply([{ key: 0, ascending }]);
        range.load("values");
        await context.sync();
        seen.push(range.values.map(([value]) => value as unknown));
      }
      return seen;
    },
    expected: [
      [-2, 10, "text", false, true, ""],
      [true, false, "text", 10, -2, ""],
    ],
  },
  {
    name: "a range's first row stays where it is a header, and formats go with their cells",
    source: `${reference}/excel.rangesort#excel-excel-rangesort-apply-member(1)`,
    async work(context, sheet) {
      const range = sheet.getRange("B2:B4");
      range.values = [["z"], ["b"], ["a"]];
      sheet.getRange("B4").format.fill.color = "red";
      sheet.getRange("B4").numberFormat = [["@"]];
      range.sort.apply([{ key: 0, ascending: true }], false, true);
      range.load("values,numberFormat");
      const cell = sheet.getRange("B3").load("format/fill/color");
      await context.sync();
      return [range.values, range.numberFormat, cell.format.fill.color];
    },
    expected: [[["z"], ["a"], ["b"]], [["General"], ["@"], ["General"]], "#FF0000"],
  },
  {
    name: "a sort over merged cells is refused",
    source: `${support}/sort-data-in-a-range-or-table-62d0b95d-2a90-4610-a6ae-2e545c4a4654; its code: ${strictAssumption}`,
    async work(context, sheet) {
      sheet.getRange("A1:B3").values = [
        [3, ""],
        [2, ""],
        [1, ""],
      ];
      sheet.getRange("A1:B1").merge();
      sheet.getRange("A1:B3").sort.apply([{ key: 0 }]);
      const code = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      const range = sheet.getRange("A1:A3").load("values");
      await context.sync();
      return [code, range.values];
    },
    expected: ["InvalidOperation", [[3], [2], [1]]],
  },
  {
    name: "a sort on a column that is not there, or on nothing, is refused",
    source: `${reference}/excel.sortfield; the code: ${strictAssumption}`,
    async work(context, sheet) {
      const codes: unknown[] = [];
      for (const fields of [[{ key: 2 }], [{ key: -1 }], []]) {
        sheet.getRange("A1:B3").sort.apply(fields);
        codes.push(await context.sync().catch((error: OfficeExtension.Error) => error.code));
      }
      return codes;
    },
    expected: ["InvalidArgument", "InvalidArgument", "InvalidArgument"],
  },
  {
    name: "hidden rows are not sorted, and a filter hides rows and moves none",
    source: `${support}/sort-data-in-a-range-or-table-62d0b95d-2a90-4610-a6ae-2e545c4a4654`,
    async work(context, sheet) {
      sheet.getRange("A1:B5").values = [
        ["Kind", "Fee"],
        ["x", 3],
        ["y", 9],
        ["x", 1],
        ["x", 2],
      ];
      const table = sheet.tables.add("A1:B5", true);
      table.columns.getItem("Kind").filter.applyValuesFilter(["x"]);
      const body = table.getDataBodyRange().load("values");
      await context.sync();
      const filtered = body.values;
      table.sort.apply([{ key: 1 }]);
      body.load("values");
      await context.sync();
      return [filtered, body.values];
    },
    expected: [
      [
        ["x", 3],
        ["y", 9],
        ["x", 1],
        ["x", 2],
      ],
      [
        ["x", 1],
        ["y", 9],
        ["x", 2],
        ["x", 3],
      ],
    ],
  },
  {
    name: "what formulas refer to would have to follow a sort: such a sort is named",
    source: "the workbench does not simulate it",
    async work(context, sheet) {
      sheet.getRange("A1:B2").formulas = [
        [2, "=A1*2"],
        [1, "=A2*2"],
      ];
      sheet.getRange("A1:B2").sort.apply([{ key: 0 }]);
      return context.sync().catch((error: OfficeExtension.Error) => error.message);
    },
    expected: "The workbench does not model this API. (a sort of formulas that refer to cells)",
  },
  {
    name: "a column is filtered by values, by criteria, by the highest and by the average, and tells so",
    source: `${docs}/excel-add-ins-tables and ${reference}/excel.filter`,
    async work(context, sheet) {
      sheet.getRange("A1:B6").values = [
        ["Name", "Fee"],
        ["Alpha", 10],
        ["beta", 20],
        ["Gamma", 30],
        ["delta", 40],
        ["", 100],
      ];
      const table = sheet.tables.add("A1:B6", true);
      const [name, fee] = [table.columns.getItem("Name").filter, table.columns.getItem("Fee").filter];
      const seen: unknown[] = [];
      const filters: [Excel.Filter, () => void][] = [
        [name, () => name.applyValuesFilter(["beta", "delta"])],
        [name, () => name.applyCustomFilter("=*a", "<>b*", "And")],
        [fee, () => fee.applyCustomFilter("<20", ">=40", "Or")],
        [fee, () => fee.apply({ filterOn: "Custom", criterion1: ">50" })],
        [fee, () => fee.applyTopItemsFilter(2)],
        [fee, () => fee.applyBottomPercentFilter(40)],
        [fee, () => fee.apply({ filterOn: "Dynamic", dynamicCriteria: "BelowAverage" })],
      ];
      for (const [filter, apply] of filters) {
        apply();
        filter.load("criteria");
        const rows = [2, 3, 4, 5, 6].map((row) => sheet.getRange(`A${row}`).load("rowHidden"));
        await context.sync();
        const shown = rows.flatMap(({ rowHidden }, index) => (rowHidden ? [] : [index + 2]));
        const { filterOn, criterion1 } = filter.criteria;
        seen.push([filterOn, criterion1 ?? null, ...shown]);
        filter.clear();
      }
      name.load("criteria");
      await context.sync();
      return [seen, name.criteria];
    },
    expected: [
      [
        ["Values", null, 3, 5],
        ["Custom", "=*a", 2, 4, 5],
        ["Custom", "<20", 2, 5, 6],
        ["Custom", ">50", 6],
        ["TopItems", "2", 5, 6],
        ["BottomPercent", "40", 2, 3],
        ["Dynamic", null, 2, 3, 4],
      ],
      null,
    ],
  },
  {
    name: "dates and colors to filter by, and wrong criteria, are not taken",
    source: `${reference}/excel.filtercriteria; the codes: ${strictAssumption}`,
    async work(context, sheet) {
      const { filter } = sheet.tables.add("A1:A3", true).columns.getItemAt(0);
      const codeOf = (criteria: object) => {
        filter.apply(criteria as Excel.FilterCriteria);
        return context.sync().catch((error: OfficeExtension.Error) => error.code);
      };
      return [
        await codeOf({ filterOn: "CellColor", color: "red" }),
        await codeOf({ filterOn: "Values", values: [{ date: "2026", specificity: "Year" }] }),
        await codeOf({ filterOn: "Custom" }),
        await codeOf({ filterOn: "TopItems", criterion1: "none" }),
      ];
    },
    expected: ["ApiNotFound", "ApiNotFound", "InvalidArgument", "InvalidArgument"],
  },
  {
    name: "the filters of a table are reapplied and cleared together, and its AutoFilter sets them, too",
    source: `${docs}/excel-add-ins-tables`,
    async work(context, sheet) {
      sheet.getRange("A1:A3").values = [["Fee"], [1], [9]];
      const table = sheet.tables.add("A1:A3", true);
      const { autoFilter } = table;
      const { filter } = table.columns.getItemAt(0);
      autoFilter.apply(table.getRange(), 0, { filterOn: "Custom", criterion1: ">5" });
      table.reapplyFilters();
      autoFilter.load("isDataFiltered");
      filter.load("criteria");
      await context.sync();
      const before = [autoFilter.isDataFiltered, filter.criteria];
      table.clearFilters();
      autoFilter.load("isDataFiltered");
      await context.sync();
      return [...before, autoFilter.isDataFiltered];
    },
    expected: [true, { filterOn: "Custom", criterion1: ">5" }, false],
  },
];
