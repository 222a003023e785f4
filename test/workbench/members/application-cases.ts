import { docs, type MemberCase, reference, strictAssumption } from "./member-case";

export const applicationCases: MemberCase[] = [
  {
    name: "the mode of calculation is set to one of Excel's, everything is calculated, and the culture is that of the United States",
    source: `${reference}/excel.application`,
    async work(context, sheet) {
      const { application } = context.workbook;
      application.calculationMode = "Manual";
      application.load("calculationMode,decimalSeparator,thousandsSeparator,useSystemSeparators");
      const { numberFormat, datetimeFormat } = application.cultureInfo;
      numberFormat.load("numberDecimalSeparator,numberGroupSeparator");
      datetimeFormat.load("longDatePattern,shortDatePattern,dateSeparator,longTimePattern,timeSeparator");
      application.suspendScreenUpdatingUntilNextSync();
      sheet.getRange("A1").values = [[1]];
      await context.sync();
      application.calculate("Full");
      await context.sync();
      const mode = application.calculationMode;
      application.calculationMode = "Automatic";
      await context.sync();
      application.calculationMode = "Sometimes" as "Manual";
      const unknownMode = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      application.calculate("Half" as "Full");
      const unknownKind = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [
        [mode, application.decimalSeparator, application.thousandsSeparator, application.useSystemSeparators],
        [numberFormat.numberDecimalSeparator, numberFormat.numberGroupSeparator],
        [datetimeFormat.longDatePattern, datetimeFormat.shortDatePattern, datetimeFormat.dateSeparator],
        [datetimeFormat.longTimePattern, datetimeFormat.timeSeparator, unknownMode, unknownKind],
      ];
    },
    expected: [
      ["Manual", ".", ",", true],
      [".", ","],
      ["dddd, MMMM d, yyyy", "M/d/yyyy", "/"],
      ["h:mm:ss tt", ":", "InvalidArgument", "InvalidArgument"],
    ],
  },
  {
    name: "the workbook's properties are set and read, and its own ones added and replaced whatever their key's case",
    source: `${reference}/excel.documentproperties`,
    async work(context) {
      const { properties } = context.workbook;
      properties.title = "Fees";
      properties.revisionNumber = 3;
      properties.load("title,author,lastAuthor,revisionNumber,creationDate");
      properties.custom.add("Introduction", "Hello");
      properties.custom.add("introduction", "Good day");
      properties.custom.add("Number", 12);
      const one = properties.custom.getItem("INTRODUCTION").load("key,value,type");
      const count = properties.custom.getCount();
      const none = properties.custom.getItemOrNullObject("Absent");
      const all = properties.custom.load("key,value");
      await context.sync();
      const age = Date.now() - properties.creationDate.getTime();
      const listed = all.items.map(({ key, value }) => [key, value as unknown]);
      properties.custom.deleteAll();
      const after = properties.custom.getCount();
      await context.sync();
      properties.title = "x".repeat(256);
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [
        ...[properties.title.length, properties.revisionNumber, age >= 0 && age < 3_600_000],
        ...[one.key, one.value, one.type, count.value, none.isNullObject, listed, after.value, refusal],
      ];
    },
    expected: [
      ...[256, 3, true, "Introduction", "Good day", "String", 2, true],
      ...[
        [
          ["Introduction", "Good day"],
          ["Number", 12],
        ],
        0,
        "InvalidArgument",
      ],
    ],
  },
  {
    name: "a workbook's structure is protected and unprotected with its password, and twice is refused",
    source: `${reference}/excel.workbookprotection`,
    async work(context) {
      const code = async (work: () => void) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.code,
        );
      };
      const { protection, worksheets } = context.workbook;
      const answers = [
        await code(() => protection.protect("word")),
        await code(() => protection.protect("word")),
        await code(() => worksheets.add("New")),
        await code(() => protection.unprotect("other")),
        await code(() => protection.unprotect("word")),
      ];
      protection.load("protected");
      await context.sync();
      return [...answers, protection.protected];
    },
    expected: ["done", "AccessDenied", "AccessDenied", "AccessDenied", "done", false],
  },
  {
    name: "functions take values, ranges and results of functions, and give the error instead of a value",
    source: `${docs}/excel-add-ins-worksheet-functions`,
    async work(context, sheet) {
      sheet.getRange("A1:C3").values = [
        ["Nuts", 8, true],
        ["Wrench", 12, "text"],
        ["Saw", "", 4],
      ];
      const { functions } = context.workbook;
      const all = sheet.getRange("A1:C3");
      const found = functions.vlookup("wrench", all, 2, false).load("value,error");
      const results = [
        functions.sum(all),
        functions.sum(found, 5, sheet.getRange("C3"), 1),
        functions.vlookup("Saw", all, 2, false),
        functions.vlookup("Hammer", all, 2, false),
        functions.vlookup("Saw", all, 4, false),
        functions.sum(functions.vlookup("Hammer", all, 2, false)),
        functions.randBetween(7, 7),
        functions.randBetween(8, 7),
      ].map((result) => result.load("value,error"));
      await context.sync();
      return [found.value, ...results.map(({ value, error }) => error ?? value)];
    },
    expected: [12, 24, 22, 0, "#N/A", "#REF!", "#N/A", 7, "#NUM!"],
  },
  {
    name: "columns are sorted by a row behind their headers, and handlers hear of sorted columns and of calculated cells",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-oncolumnsorted-member`,
    async work(context, sheet) {
      const heard: unknown[] = [];
      const hear = (...facts: unknown[]) => {
        heard.push(facts);
        return Promise.resolve();
      };
      const range = sheet.getRange("A1:D2");
      range.values = [
        ["Sales", "Q1", "Q2", "Q3"],
        ["Apples", 50, 20, 35],
      ];
      sheet.onColumnSorted.add(({ address }) => hear("columns", address));
      await context.sync();
      range.sort.apply([{ key: 1 }], false, true, "Columns");
      range.load("values");
      await context.sync();
      const { values } = range;
      sheet.onCalculated.add(({ address }) => hear("calculated", address));
      await context.sync();
      sheet.getRange("F1:F2").formulas = [["=A1"], ["=A2"]];
      await context.sync();
      await new Promise((done) => setTimeout(done, 100));
      range.sort.apply([{ key: 1 }], false, true, "Diagonals" as "Columns");
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [values, heard[0], heard.flat().includes("calculated"), heard.flat().includes("F1:F2"), refusal];
    },
    expected: [
      [
        ["Sales", "Q2", "Q3", "Q1"],
        ["Apples", 20, 35, 50],
      ],
      ["columns", "B1:D2"],
      true,
      true,
      "InvalidArgument",
    ],
  },
  {
    name: "a link has a screen tip of 255 characters at most, and is read with its text",
    source: strictAssumption,
    async work(context, sheet) {
      const web = sheet.getRange("A1");
      web.hyperlink = { address: "https://example.com/", screenTip: "Look there", textToDisplay: "Example" };
      const inside = sheet.getRange("A2");
      inside.hyperlink = { documentReference: "Case!A1", textToDisplay: "Top" };
      const none = sheet.getRange("A3").load("hyperlink");
      web.load("hyperlink");
      inside.load("hyperlink");
      await context.sync();
      const links = [web.hyperlink, inside.hyperlink, none.hyperlink];
      web.hyperlink = { address: "https://example.com/", screenTip: "x".repeat(256), textToDisplay: "x" };
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [...links, refusal];
    },
    expected: [
      { address: "https://example.com/", screenTip: "Look there", textToDisplay: "Example" },
      { documentReference: "Case!A1", screenTip: "", textToDisplay: "Top" },
      null,
      "InvalidArgument",
    ],
  },
  {
    name: "items without properties are loaded by a name that asks for none",
    source: "https://github.com/OfficeDev/office-js-snippets",
    async work(context) {
      const sheets = context.workbook.worksheets.load("NoPropertiesNeeded");
      await context.sync();
      return sheets.items.length;
    },
    expected: 2,
  },
  {
    name: "handlers hear of charts that are added and deleted",
    source: `${docs}/excel-add-ins-events`,
    async work(context, sheet) {
      const heard: unknown[] = [];
      const hear = (fact: string) => {
        heard.push(fact);
        return Promise.resolve();
      };
      sheet.getRange("A1:B2").values = [
        ["Kern", 1],
        ["Inyo", 2],
      ];
      sheet.charts.onAdded.add(({ chartId }) => hear(`added ${chartId}`));
      sheet.charts.onDeleted.add(({ chartId }) => hear(`deleted ${chartId}`));
      sheet.charts.onActivated.add(() => hear("activated"));
      await context.sync();
      const chart = sheet.charts.add("ColumnClustered", sheet.getRange("A1:B2"), "Columns").load("id");
      chart.onActivated.add(() => hear("activated"));
      await context.sync();
      const { id } = chart;
      chart.delete();
      await context.sync();
      await new Promise((done) => setTimeout(done, 50));
      return heard.map((fact) => String(fact).replace(id, "it"));
    },
    expected: ["added it", "deleted it"],
  },
];
