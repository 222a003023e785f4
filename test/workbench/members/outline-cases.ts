import { docs, type MemberCase, reference, strictAssumption } from "./member-case";

export const outlineCases: MemberCase[] = [
  {
    name: "grouped rows and columns are shown by their levels, which follow their lines, and are hidden in writing but written",
    source: `${docs}/excel-add-ins-ranges-group`,
    async work(context, sheet) {
      const hidden = async () => {
        const rows = [2, 3, 4, 5, 6].map((row) => sheet.getRange(`A${row}`).load("rowHidden"));
        const columns = ["B", "C", "D"].map((column) => sheet.getRange(`${column}1`).load("columnHidden"));
        await context.sync();
        return [
          rows.map(({ rowHidden }) => (rowHidden ? "-" : "x")).join(""),
          columns.map(({ columnHidden }) => (columnHidden ? "-" : "x")).join(""),
        ].join(" ");
      };
      sheet.getRange("2:5").group("ByRows");
      sheet.getRange("2:3").group("ByRows");
      sheet.getRange("B:C").group("ByColumns");
      sheet.showOutlineLevels(2, 1);
      const second = await hidden();
      sheet.showOutlineLevels(1, 0);
      const first = await hidden();
      sheet.getRange("A2:A3").values = [[1], [2]];
      const written = sheet.getRange("A2:A3").load("values");
      sheet.getRange("1:1").insert("Down");
      const moved = await hidden();
      sheet.showOutlineLevels(8, 8);
      const all = await hidden();
      sheet.getRange("A1:D9").ungroup("ByRows");
      sheet.showOutlineLevels(1, 0);
      return [second, first, written.values, moved, all, await hidden()];
    },
    expected: ["--xxx --x", "----x --x", [[1], [2]], "x---- --x", "xxxxx xxx", "x--xx xxx"],
  },
  {
    name: "the details of one group are hidden and shown, and rows and columns by hand; some hidden ones are null",
    source: `${reference}/excel.range#excel-excel-range-hidegroupdetails-member(1)`,
    async work(context, sheet) {
      const rows = sheet.getRange("A1:A4");
      const columns = sheet.getRange("A1:C1");
      sheet.getRange("2:3").group("ByRows");
      sheet.getRange("2:3").hideGroupDetails("ByRows");
      sheet.getRange("B:C").columnHidden = true;
      const inside = sheet.getRange("B2:C3").load("rowHidden,columnHidden");
      rows.load("rowHidden");
      columns.load("columnHidden");
      await context.sync();
      const before = [inside.rowHidden, inside.columnHidden, rows.rowHidden, columns.columnHidden];
      sheet.getRange("2:3").showGroupDetails("ByRows");
      sheet.getRange("A1").rowHidden = true;
      sheet.getRange("C1").columnHidden = false;
      const seen = sheet.getRange("A1:C1").load("columnHidden,rowHidden");
      inside.load("rowHidden");
      await context.sync();
      return [before, inside.rowHidden, seen.columnHidden, seen.rowHidden];
    },
    expected: [[true, true, null, null], false, null, true],
  },
  {
    name: "a group of the other kind, a number of levels outside of 0 to 8, and an outline of nothing are refused",
    source: `${reference}/excel.range#excel-excel-range-group-member(1)`,
    async work(context, sheet) {
      const code = async (work: () => void) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.code,
        );
      };
      return [
        await code(() => sheet.showOutlineLevels(1, 1)),
        await code(() => sheet.getRange("2:3").group("ByColumns")),
        await code(() => sheet.getRange("B:C").group("ByRows")),
        await code(() => sheet.getRange("B2:C3").group("ByColumns")),
        await code(() => sheet.showOutlineLevels(9, 1)),
        await code(() => sheet.showOutlineLevels(1, -1)),
      ];
    },
    expected: [
      ...["InvalidOperation", "InvalidArgument", "InvalidArgument", "done"],
      ...["InvalidArgument", "InvalidArgument"],
    ],
  },
  {
    name: "a row has the height that it is given in points, up to 409, and rows that differ have none in common",
    source: `${reference}/excel.rangeformat#excel-excel-rangeformat-rowheight-member`,
    async work(context, sheet) {
      const one = sheet.getRange("A1").format;
      const both = sheet.getRange("A1:A2").format;
      one.rowHeight = 30;
      one.load("rowHeight");
      both.load("rowHeight");
      await context.sync();
      const heights = [one.rowHeight, both.rowHeight];
      one.rowHeight = 410;
      return [...heights, await context.sync().catch((error: OfficeExtension.Error) => error.code)];
    },
    expected: [30, null, "InvalidArgument"],
  },
  {
    name: "an outline has eight levels at most",
    source: strictAssumption,
    async work(context, sheet) {
      for (let level = 1; level <= 7; level += 1) sheet.getRange("2:3").group("ByRows");
      await context.sync();
      sheet.getRange("2:3").group("ByRows");
      return context.sync().catch((error: OfficeExtension.Error) => error.code);
    },
    expected: "InvalidOperation",
  },
];
