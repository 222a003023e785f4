import { docs, type MemberCase, reference } from "./member-case";

export const findCases: MemberCase[] = [
  {
    name: "find gives the first cell with the text or the last one, without regard to case unless asked, and no cell is ItemNotFound",
    source: `${docs}/excel-add-ins-ranges-string-match`,
    async work(context, sheet) {
      sheet.getRange("A1:B3").values = [
        ["food", 1],
        ["Foods", 2],
        ["other", 3],
      ];
      const range = sheet.getRange("A1:B3");
      const first = range.find("foo", {}).load("address");
      const last = range.find("foo", { searchDirection: "Backwards" }).load("address");
      const whole = range.find("foods", { completeMatch: true }).load("address");
      const none = range.findOrNullObject("Food", { matchCase: true, completeMatch: true });
      await context.sync();
      range.find("absent", {});
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [first.address, last.address, whole.address, none.isNullObject, refusal];
    },
    expected: ["Case!A1", "Case!A2", "Case!A2", true, "ItemNotFound"],
  },
  {
    name: "all cells of a sheet with a text are areas, and replacing counts",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-findall-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1:B2").values = [
        ["yes", "no"],
        ["yes", "yes"],
      ];
      const areas = sheet.findAll("yes", { completeMatch: true }).load("cellCount");
      const none = sheet.findAllOrNullObject("maybe", {});
      const count = sheet.getRange("A1:B2").replaceAll("no", "yes", {});
      await context.sync();
      const after = sheet.getRange("B1").load("values");
      sheet.findAll("maybe", {});
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      await after.load("values").context.sync();
      return [areas.cellCount, none.isNullObject, count.value, after.values, refusal];
    },
    expected: [3, true, 1, [["yes"]], "ItemNotFound"],
  },
  {
    name: "the edge of filled cells is found as by Ctrl with an arrow key, and a range grows there",
    source: `${docs}/excel-add-ins-ranges-special-cells`,
    async work(context, sheet) {
      sheet.getRange("B2:D4").values = [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
      ];
      const addresses = [
        sheet.getRange("B2").getRangeEdge("Right"),
        sheet.getRange("C3:D3").getRangeEdge("Up", "D3"),
        sheet.getRange("B4").getRangeEdge("Down"),
        sheet.getRange("B9").getRangeEdge("Up"),
        sheet.getRange("C3:D3").getExtendedRange("Left"),
        sheet.getRange("C2:C3").getExtendedRange("Down"),
      ].map((range) => range.load("address"));
      await context.sync();
      sheet.getRange("B2:C2").getRangeEdge("Right", "D4");
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [...addresses.map(({ address }) => address), refusal];
    },
    expected: [
      "Case!D2",
      "Case!D2",
      "Case!B1048576",
      "Case!B4",
      "Case!B3:D3",
      "Case!C2:C4",
      "InvalidArgument",
    ],
  },
  {
    name: "special cells are constants or formulas of a kind, or blank ones, within what is used",
    source: `${docs}/excel-add-ins-ranges-special-cells`,
    async work(context, sheet) {
      sheet.getRange("A1:C2").values = [
        [1, "text", ""],
        [true, 2, 3],
      ];
      sheet.getRange("D1").formulas = [["=A1"]];
      await context.sync();
      const all = sheet.getRange();
      const areas = [
        all.getSpecialCells("Constants"),
        all.getSpecialCells("Constants", "LogicalText"),
        all.getSpecialCells("Formulas", "Numbers"),
        all.getSpecialCells("Blanks"),
      ].map((area) => area.load("address"));
      const none = all.getSpecialCellsOrNullObject("Formulas", "Text");
      await context.sync();
      all.getSpecialCells("Formulas", "Errors");
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [...areas.map(({ address }) => address.replaceAll("Case!", "")), none.isNullObject, refusal];
    },
    expected: ["A1:B1,A2:C2", "B1,A2", "D1", "C1,D2", true, "ItemNotFound"],
  },
  {
    name: "precedents and dependents of a cell are found, direct ones and all, and none is ItemNotFound",
    source: `${docs}/excel-add-ins-ranges-precedents-dependents`,
    async work(context, sheet) {
      sheet.getRange("A1").values = [[1]];
      sheet.getRange("B1:B2").formulas = [["=A1"], ["=B1"]];
      const direct = sheet.getRange("B2").getDirectPrecedents().load("addresses");
      const all = sheet.getRange("B2").getPrecedents().load("addresses");
      const below = sheet.getRange("A1").getDirectDependents().load("addresses");
      const areas = sheet.getRange("A1").getDependents().areas.load("address");
      await context.sync();
      sheet.getRange("A1").getDirectPrecedents();
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [
        direct.addresses,
        all.addresses,
        below.addresses,
        areas.items.map(({ address }) => address),
        refusal,
      ];
    },
    expected: [["Case!B1"], ["Case!B1,Case!A1"], ["Case!B1"], ["Case!B1,Case!B2"], "ItemNotFound"],
  },
];
