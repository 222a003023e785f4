import { docs, strictAssumption, type MemberCase, reference } from "./member-case";

export const tableCases: MemberCase[] = [
  {
    name: "a column is found by its name in any case",
    source:
      "https://github.com/OfficeDev/office-js-snippets/blob/prod/samples/excel/46-table/get-data-from-table.yaml",
    async work(context, sheet) {
      sheet.getRange("A1:B2").values = [
        ["Place", "Fee"],
        ["Kern", 1],
      ];
      const table = sheet.tables.add("A1:B2", true);
      const column = table.columns.getItem("FEE").load("index");
      const none = table.columns.getItemOrNullObject("Fees");
      await context.sync();
      return [column.index, none.isNullObject];
    },
    expected: [1, true],
  },
  {
    name: "a table made of a header alone takes rows without a blank one before them",
    source: `${docs}/excel-add-ins-tables`,
    async work(context, sheet) {
      const table = sheet.tables.add("A1:B1", true);
      table.name = "Expenses";
      table.getHeaderRowRange().values = [["Date", "Amount"]];
      table.rows.add(undefined, [
        ["1/1/2017", "$120"],
        ["1/2/2017", "$142"],
      ]);
      table.rows.add(undefined, [["1/5/2017", "$27"]]);
      const body = table.getDataBodyRange().load("address,text");
      const count = table.rows.getCount();
      await context.sync();
      return [body.address, body.text, count.value];
    },
    expected: [
      "Case!A2:B4",
      [
        ["1/1/2017", "$120"],
        ["1/2/2017", "$142"],
        ["1/5/2017", "$27"],
      ],
      3,
    ],
  },
  {
    name: "data without headers moves down by a row, and gets some",
    source: `${reference}/excel.tablecollection#excel-excel-tablecollection-add-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1:B2").values = [
        ["x", 1],
        ["y", 2],
      ];
      const range = sheet.tables.add("A1:B2", false).getRange().load("address,values");
      await context.sync();
      return [range.address, range.values];
    },
    expected: [
      "Case!A1:B3",
      [
        ["Column1", "Column2"],
        ["x", 1],
        ["y", 2],
      ],
    ],
  },
  {
    name: "a row goes in at its index and those below move down; an index that is none is refused",
    source: `${reference}/excel.tablerowcollection#excel-excel-tablerowcollection-add-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1:B3").values = [
        ["Name", "Fee"],
        ["a", 1],
        ["b", 2],
      ];
      const table = sheet.tables.add("A1:B3", true);
      table.rows.add(0, [["first", 0]]);
      const added = table.rows.add(2, [["third", 9]]).load("index,values");
      const blank = table.rows.add().load("index");
      const whole = table.getRange().load("values");
      await context.sync();
      const codes: unknown[] = [];
      for (const [index, values] of [
        [9, [["x", 1]]],
        [0, [["x"]]],
        [0, [["x", 1, 2]]],
      ] as const) {
        table.rows.add(index, values as unknown as string[][]);
        codes.push(await context.sync().catch((error: OfficeExtension.Error) => error.code));
      }
      return [added.index, added.values, blank.index, whole.values, codes];
    },
    expected: [
      ...[2, [["third", 9]], 4],
      [
        ["Name", "Fee"],
        ["first", 0],
        ["a", 1],
        ["third", 9],
        ["b", 2],
        ["", ""],
      ],
      ["InvalidArgument", "InvalidArgument", "InvalidArgument"],
    ],
  },
  {
    name: "a row is the place in the table, whatever stands there, and goes with its cells",
    source: `${reference}/excel.tablerow`,
    async work(context, sheet) {
      sheet.getRange("A1:B4").values = [
        ["Name", "Fee"],
        ["a", 1],
        ["b", 2],
        ["c", 3],
      ];
      const table = sheet.tables.add("A1:B4", true);
      const second = table.rows.getItemAt(1);
      second.values = [["B", 20]];
      const range = second.getRange().load("address");
      await context.sync();
      table.rows.getItemAt(0).delete();
      second.load("values");
      const left = sheet.getRange("A1:B4").load("values");
      table.rows.load("items/index,count");
      await context.sync();
      table.rows.getItemAt(5).load("values");
      const none = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [
        ...[range.address, second.values, left.values],
        ...[table.rows.items.map(({ index }) => index), table.rows.count, none],
      ];
    },
    expected: [
      ...["Case!A3:B3", [["c", 3]]],
      [
        ["Name", "Fee"],
        ["B", 20],
        ["c", 3],
        ["", ""],
      ],
      ...[[0, 1], 2, "InvalidArgument"],
    ],
  },
  {
    name: "a row of a filtered table is not deleted",
    source: `${reference}/excel.tablerowcollection#excel-excel-tablerowcollection-deleterows-member(1); of one row: ${strictAssumption}`,
    async work(context, sheet) {
      sheet.getRange("A1:A3").values = [["Name"], ["a"], ["b"]];
      const table = sheet.tables.add("A1:A3", true);
      table.columns.getItemAt(0).filter.applyValuesFilter(["a"]);
      table.rows.getItemAt(0).delete();
      return context.sync().catch((error: OfficeExtension.Error) => error.code);
    },
    expected: "InsertDeleteConflict",
  },
  {
    name: "a column has a range, a header and a body; its values have the header with them",
    source: `${reference}/excel.tablecolumn`,
    async work(context, sheet) {
      sheet.getRange("B2:C4").values = [
        ["Name", "Fee"],
        ["a", 1],
        ["b", 2],
      ];
      const column = sheet.tables.add("B2:C4", true).columns.getItem("Fee");
      column.load("id,index,name,values");
      const parts = [column.getRange(), column.getHeaderRowRange(), column.getDataBodyRange()];
      for (const part of parts) part.load("address");
      await context.sync();
      column.getTotalRowRange().load("address");
      const totals = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      const { id, index, name, values } = column;
      return [{ id, index, name, values }, parts.map(({ address }) => address.slice(5)), totals];
    },
    expected: [
      { id: 2, index: 1, name: "Fee", values: [["Fee"], [1], [2]] },
      ["C2:C4", "C2", "C3:C4"],
      "InvalidOperation",
    ],
  },
  {
    name: "a column is added with its values, header first, and of another length refused",
    source: `${docs}/excel-add-ins-tables`,
    async work(context, sheet) {
      sheet.getRange("A1:B3").values = [
        ["Name", "Fee"],
        ["a", 1],
        ["b", 2],
      ];
      const table = sheet.tables.add("A1:B3", true);
      table.columns.add(undefined, [["Day"], ["Saturday"], ["Friday"]]);
      table.columns.add(1, [["Half"], ["=1/2"], ["=2/2"]]);
      table.columns.load("count");
      const whole = table.getRange().load("values");
      await context.sync();
      table.columns.add(undefined, [["Short"], [1]]);
      const code = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [whole.values.map((row) => row.filter((_value, at) => at !== 1)), table.columns.count, code];
    },
    expected: [
      [
        ["Name", "Fee", "Day"],
        ["a", 1, "Saturday"],
        ["b", 2, "Friday"],
      ],
      4,
      "InvalidArgument",
    ],
  },
  {
    name: "a column takes another name, but none that another has",
    source: `${reference}/excel.tablecolumn#excel-excel-tablecolumn-name-member; the second: ${strictAssumption}`,
    async work(context, sheet) {
      sheet.getRange("A1:B2").values = [
        ["Name", "Fee"],
        ["a", 1],
      ];
      const table = sheet.tables.add("A1:B2", true);
      const column = table.columns.getItemAt(1);
      column.name = "2026";
      const header = table.getHeaderRowRange().load("values");
      await context.sync();
      column.name = "name";
      const code = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [header.values, code];
    },
    expected: [[["Name", "2026"]], "InvalidArgument"],
  },
  {
    name: "tables are counted and found by their place",
    source: `${reference}/excel.tablecollection`,
    async work(context, sheet) {
      sheet.tables.add("A1:A2", true).name = "First";
      sheet.tables.add("C1:C2", true).name = "Second";
      const count = sheet.tables.getCount();
      const second = sheet.tables.getItemAt(1).load("name");
      sheet.tables.load("count");
      await context.sync();
      sheet.tables.getItemAt(2).load("name");
      const code = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [count.value, sheet.tables.count, second.name, code];
    },
    expected: [2, 2, "Second", "InvalidArgument"],
  },
  {
    name: "a cell of the formula's own row is named by its header, with the table elsewhere, and shown without it",
    source: "https://support.microsoft.com/office/using-structured-references-with-excel-tables",
    async work(context, sheet) {
      sheet.getRange("B2:D4").values = [
        ["AHJ ID", "Fee", "Copy"],
        [7, 90, ""],
        [8, 120, ""],
      ];
      sheet.tables.add("B2:D4", true).name = "Fees";
      await context.sync();
      sheet.getRange("D3:D4").formulas = [["=[@[AHJ ID]]"], ["=Fees[[#This Row],[AHJ ID]]"]];
      sheet.getRange("F3:F5").formulas = [["=Fees[@Fee]"], ["=Fees[@Fee]"], ["=Fees[@Fee]"]];
      await context.sync();
      sheet.getRange("B4").values = [[9]];
      const own = sheet.getRange("D3:D4");
      const beside = sheet.getRange("F3:F5");
      // The grid calculates a moment later.
      for (let tries = 0; tries < 50; tries += 1) {
        own.load("values,formulas");
        beside.load("values,formulas");
        await context.sync();
        if (own.values[1]?.[0] === 9 && beside.values[2]?.[0] !== "") break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return [own.values, own.formulas, beside.values.map(([value]) => typeof value), beside.formulas];
    },
    expected: [
      [[7], [9]],
      [["=[@[AHJ ID]]"], ["=[@[AHJ ID]]"]],
      ["number", "number", "string"],
      [["=Fees[@Fee]"], ["=Fees[@Fee]"], ["=Fees[@Fee]"]],
    ],
  },
  {
    name: "a formula over its own row stands in every row of the column, whichever rows are written",
    source: "https://github.com/OfficeDev/office-js/issues/6745",
    async work(context, sheet) {
      sheet.getRange("A1:B4").values = [
        ["Id", "Copy"],
        [7, ""],
        [8, ""],
        [9, ""],
      ];
      sheet.tables.add("A1:B4", true).name = "Ids";
      await context.sync();
      sheet.getRange("B2").formulas = [["=[@Id]"]];
      const cells = sheet.getRange("B2:B4");
      for (let tries = 0; tries < 50; tries += 1) {
        cells.load("values,formulas");
        await context.sync();
        if (cells.values[2]?.[0] === 9) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return [cells.values, cells.formulas];
    },
    expected: [
      [[7], [8], [9]],
      [["=[@Id]"], ["=[@Id]"], ["=[@Id]"]],
    ],
  },
];
