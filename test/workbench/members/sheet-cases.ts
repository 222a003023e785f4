import { docs, strictAssumption, type MemberCase, reference } from "./member-case";

export const sheetCases: MemberCase[] = [
  {
    name: "a blank sheet's used range is its top left cell, and a null object where that is asked for",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-getusedrange-member(1)`,
    async work(context, sheet) {
      const used = sheet.getUsedRange().load("address");
      const none = sheet.getUsedRangeOrNullObject().load("address");
      await context.sync();
      return [used.address, none.isNullObject];
    },
    expected: ["Case!A1", true],
  },
  {
    name: "the used range holds cells with a value or with a format, or with values alone",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-getusedrange-member(1)`,
    async work(context, sheet) {
      sheet.getRange("B2").values = [["first"]];
      sheet.getRange("D5").format.fill.color = "#FFFF00";
      const used = sheet.getUsedRange().load("address");
      const filled = sheet.getUsedRange(true).load("address");
      await context.sync();
      return [used.address, filled.address];
    },
    expected: ["Case!B2:D5", "Case!B2"],
  },
  {
    name: "a range without an address is the whole sheet, and whole columns and rows have their addresses",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-getrange-member(1)`,
    async work(context, sheet) {
      const ranges = [sheet.getRange(), sheet.getRange("B:C"), sheet.getRange("2:3")];
      for (const range of ranges) range.load("address,rowCount,columnCount,values");
      await context.sync();
      return ranges.map(({ address, rowCount, columnCount, values }) => [
        address.replace("1:1048576", "A:XFD"),
        rowCount,
        columnCount,
        values,
      ]);
    },
    expected: [
      ["Case!A:XFD", 1_048_576, 16_384, null],
      ["Case!B:C", 1_048_576, 2, null],
      ["Case!2:3", 2, 16_384, null],
    ],
  },
  {
    name: "values of a whole column can't be set",
    source: `${docs}/excel-add-ins-ranges-unbounded`,
    async work(context, sheet) {
      sheet.getRange("B:B").values = [["Due"]];
      return context.sync().then(
        () => "done",
        (error: OfficeExtension.Error) => error.code,
      );
    },
    expected: "InvalidArgument",
  },
  {
    name: "a cell is found by its row and column, also beyond what is used, and a range by indexes",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-getcell-member(1)`,
    async work(context, sheet) {
      const cell = sheet.getCell(9, 2).load("address");
      const range = sheet.getRangeByIndexes(1, 1, 2, 3).load("address");
      await context.sync();
      return [cell.address, range.address];
    },
    expected: ["Case!C10", "Case!B2:D3"],
  },
  {
    name: "the active cell is the upper left one of what is selected",
    source: `${reference}/excel.workbook#excel-excel-workbook-getactivecell-member(1)`,
    async work(context, sheet) {
      sheet.getRange("C3:D9").select();
      const active = context.workbook.getActiveCell().load("address");
      await context.sync();
      return active.address;
    },
    expected: "Case!C3",
  },
  {
    name: "sheets are counted, and the first and the last one found, with hidden ones or without",
    source: `${reference}/excel.worksheetcollection#excel-excel-worksheetcollection-getfirst-member(1)`,
    async work(context) {
      const { worksheets } = context.workbook;
      const hidden = worksheets.add("Last");
      hidden.visibility = "Hidden";
      const counts = [worksheets.getCount(), worksheets.getCount(true)];
      const ends = [worksheets.getFirst(), worksheets.getLast(), worksheets.getLast(true)];
      for (const end of ends) end.load("name,position");
      await context.sync();
      hidden.delete();
      await context.sync();
      return [counts.map(({ value }) => value), ends.map(({ name, position }) => [name, position])];
    },
    expected: [
      [3, 2],
      [
        ["Sheet1", 0],
        ["Last", 2],
        ["Case", 1],
      ],
    ],
  },
  {
    name: "a sheet that is not there is not found, and one that is there is not added twice",
    source: `${docs}/excel-add-ins-error-handling and ${reference}/excel.worksheetcollection`,
    async work(context) {
      const { worksheets } = context.workbook;
      const codeOf = (work: () => unknown) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.code,
        );
      };
      const missing = worksheets.getItemOrNullObject("Nowhere").load("name");
      const twice = await codeOf(() => worksheets.add("case"));
      const gone = await codeOf(() => worksheets.getItem("Nowhere").load("name"));
      return [missing.isNullObject, twice, gone];
    },
    expected: [true, "ItemAlreadyExists", "ItemNotFound"],
  },
  {
    name: "a sheet takes another name, but none that another has, and none with signs that Excel refuses",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-name-member`,
    async work(context, sheet) {
      const codes: string[] = [];
      for (const name of ["Sheet1", "a/b", "Other"]) {
        sheet.name = name;
        codes.push(
          await context.sync().then(
            () => "done",
            (error: OfficeExtension.Error) => error.code,
          ),
        );
      }
      const renamed = context.workbook.worksheets.getItem("Other").load("name");
      await context.sync();
      renamed.name = "Case";
      await context.sync();
      return codes;
    },
    expected: ["ItemAlreadyExists", "InvalidArgument", "done"],
  },
  {
    name: "a VeryHidden sheet is not deleted before it is Hidden or Visible",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-delete-member(1)`,
    async work(context) {
      const sheet = context.workbook.worksheets.add("Secret");
      sheet.visibility = "VeryHidden";
      sheet.load("visibility");
      await context.sync();
      const { visibility } = sheet;
      sheet.delete();
      const refused = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      sheet.visibility = "Hidden";
      sheet.delete();
      await context.sync();
      return [visibility, refused];
    },
    expected: ["VeryHidden", "InvalidOperation"],
  },
  {
    name: "rows, columns and a corner are frozen, and freed again",
    source: `${docs}/excel-add-ins-worksheets`,
    async work(context, sheet) {
      sheet.freezePanes.freezeRows(1);
      sheet.freezePanes.freezeColumns(2);
      sheet.freezePanes.freezeAt(sheet.getRange("A1:B2"));
      sheet.freezePanes.unfreeze();
      await context.sync();
      return "done";
    },
    expected: "done",
  },
  {
    name: "a protected sheet refuses changes, and to be protected again, until the password is given",
    source: `${reference}/excel.worksheetprotection`,
    async work(context, sheet) {
      const { protection } = sheet;
      const cell = sheet.getRange("A1");
      const codeOf = (work: () => unknown) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.code,
        );
      };
      const codes = [
        await codeOf(() => protection.protect(undefined, "one")),
        await codeOf(() => protection.protect()),
        await codeOf(() => (cell.values = [[1]])),
        await codeOf(() => cell.merge()),
        await codeOf(() => cell.sort.apply([{ key: 0 }])),
        await codeOf(() => protection.unprotect("other")),
        await codeOf(() => protection.unprotect("one")),
        await codeOf(() => (cell.values = [[1]])),
      ];
      protection.load("protected");
      await context.sync();
      return [...codes, protection.protected];
    },
    expected: [
      ...["done", "AccessDenied", "AccessDenied", "AccessDenied", "AccessDenied", "AccessDenied"],
      ...["done", "done", false],
    ],
  },
  {
    name: "a protection that allows something is named, since nothing is allowed here",
    source: strictAssumption,
    async work(context, sheet) {
      sheet.protection.protect({ allowSort: true });
      return context.sync().catch((error: OfficeExtension.Error) => [error.code, error.message]);
    },
    expected: [
      "ApiNotFound",
      "The workbench does not model this API. (WorksheetProtection.Protect with allowSort)",
    ],
  },
  {
    name: "a name stands for several areas, each of which follows its cells, and may be hidden from Excel's lists",
    source: `${reference}/excel.nameditem`,
    async work(context, sheet) {
      const { names } = context.workbook;
      const item = names.add("Apart", "=Case!$B$2,Case!$B$3,'Case'!$D$9:$E$9,Case!$A$1");
      item.load("visible");
      await context.sync();
      const before = item.visible;
      item.visible = false;
      sheet.getRange("3:3").insert("Down");
      sheet.getRange("A:A").delete("Left");
      item.load("visible,formula");
      await context.sync();
      const long = await (names.add("Long", `=${"Case!$B$2,".repeat(900)}Case!$B$2`),
      context.sync().catch((error: OfficeExtension.Error) => error.code));
      const [deleted, ...others] = item.formula.split(",").reverse();
      return [before, item.visible, long, deleted?.endsWith("#REF!"), others.reverse()];
    },
    expected: [...[true, false, "InvalidArgument", true], ["=Case!$A$2", "Case!$A$4", "Case!$C$10:$D$10"]],
  },
  {
    name: "a name may stand for a text of 255 characters, and for another one later",
    source: `${reference}/excel.nameditem#excel-excel-nameditem-formula-member`,
    async work(context, sheet) {
      const { names } = context.workbook;
      const item = names.add("Note.Of", '="Since ""May"""', "for all").load("type,value,formula,comment");
      await context.sync();
      const before = [item.type, item.value, item.formula, item.comment];
      item.formula = `="${"x".repeat(255)}"`;
      sheet.getRange("A:A").delete("Left");
      item.load("value");
      await context.sync();
      const { length } = String(item.value);
      item.formula = `="${"x".repeat(256)}"`;
      const long = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      names.getItem("Note.Of").delete();
      await context.sync();
      return [before, length, long];
    },
    expected: [["String", 'Since "May"', '="Since ""May"""', "for all"], 255, "InvalidArgument"],
  },
  {
    name: "a name stands for cells of the workbook or of a sheet, is found whatever its case, and goes",
    source: `${reference}/excel.nameditemcollection`,
    async work(context, sheet) {
      sheet.getRange("B2:B3").values = [[1], [2]];
      const { names } = context.workbook;
      names.add("Rates", sheet.getRange("B2:B3"), "of 2026");
      const own = sheet.names.add("Own", "=Case!$B$3");
      const item = names.getItem("rates").load("name,type,value,formula,comment,scope");
      own.load("scope,value");
      const range = item.getRange().load("address");
      const byName = sheet.getRange("Rates").load("values");
      await context.sync();
      const taken = await (names.add("RATES", sheet.getRange("A1")),
      context.sync().catch((error: OfficeExtension.Error) => error.code));
      const bad = await (names.add("A1", sheet.getRange("A1")),
      context.sync().catch((error: OfficeExtension.Error) => error.code));
      names.getItem("Rates").delete();
      sheet.names.getItem("Own").delete();
      const gone = names.getItemOrNullObject("Rates").load("name");
      await context.sync();
      const { name, type, value, formula, comment, scope } = item;
      return [
        { name, type, value, formula, comment, scope, address: range.address, values: byName.values },
        [own.scope, own.value, taken, bad, gone.isNullObject],
      ];
    },
    expected: [
      {
        ...{ name: "Rates", type: "Range", value: "Case!$B$2:$B$3", formula: "=Case!$B$2:$B$3" },
        ...{ comment: "of 2026", scope: "Workbook", address: "Case!B2:B3", values: [[1], [2]] },
      },
      ["Worksheet", "Case!$B$3", "ItemAlreadyExists", "InvalidArgument", true],
    ],
  },
  {
    name: "DATE gives a day's number to the add-in, by the workbook's date system",
    source: `${reference}/excel.functions#excel-excel-functions-date-member(1)`,
    async work({ workbook, sync }) {
      const day = workbook.functions.date(1970, 1, 1).load("value");
      await sync();
      return day.value;
    },
    expected: 25_569,
  },
];
