import { docs, type MemberCase, reference, strictAssumption, support } from "./member-case";

export const copyAndFillCases: MemberCase[] = [
  {
    name: "relative references of a copied formula go along, and dollar signs hold others",
    source: `${docs}/excel-add-ins-ranges-cut-copy-paste`,
    async work(context, sheet) {
      sheet.getRange("A1:B2").values = [
        [1, 2],
        [3, 4],
      ];
      sheet.getRange("C1").formulas = [["=A1"]];
      sheet.getRange("D1").formulas = [["=$A1"]];
      sheet.getRange("C2").copyFrom("C1:D1");
      sheet.getRange("F2").copyFrom("C1:D1", "Formulas");
      const copies = sheet.getRange("C2:G2").load("formulas");
      await context.sync();
      return copies.formulas;
    },
    expected: [["=A2", "=$A2", "", "=D2", "=$A2"]],
  },
  {
    name: "values are copied without formulas, blank cells may be skipped, and rows become columns with their references",
    source: `${docs}/excel-add-ins-ranges-cut-copy-paste`,
    async work(context, sheet) {
      sheet.getRange("A1:C1").values = [[3, "", "06001"]];
      sheet.getRange("D1").formulas = [["=A1"]];
      sheet.getRange("F3:I3").values = [["old", "old", "old", "old"]];
      await context.sync();
      sheet.getRange("F2").copyFrom("A1:D1", "Values");
      sheet.getRange("F3").copyFrom("A1:D1", "All", true);
      sheet.getRange("F4").copyFrom("A1:D1", "All", false, true);
      const [values, kept, turned] = ["F2:I2", "F3:I3", "F4:F7"].map((address) =>
        sheet.getRange(address).load("formulas"),
      );
      await context.sync();
      return [values!.formulas, kept!.formulas, turned!.formulas];
    },
    expected: [[[3, "", 6001, 3]], [[3, "old", 6001, "=F3"]], [[3], [""], [6001], ["=F4"]]],
  },
  {
    name: "cells are copied to each of several areas",
    source: `${reference}/excel.rangeareas#excel-excel-rangeareas-copyfrom-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1").values = [[7]];
      const areas = sheet.getRanges("C1,E2:E3");
      areas.copyFrom("A1");
      const copies = sheet.getRange("C1:E3").load("values");
      areas.load("cellCount,isEntireColumn,isEntireRow");
      await context.sync();
      return [copies.values, areas.cellCount, areas.isEntireColumn, areas.isEntireRow];
    },
    expected: [
      [
        [7, "", ""],
        ["", "", 7],
        ["", "", 7],
      ],
      3,
      false,
      false,
    ],
  },
  {
    name: "formulas follow cells that move, and the cells that are left are blank",
    source: `${reference}/excel.range#excel-excel-range-moveto-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1:B1").values = [[1, 2]];
      sheet.getRange("D1:D2").formulas = [["=A1"], ["=$A$1"]];
      sheet.getRange("A1:B1").moveTo("A5");
      const [moved, left, formulas] = ["A5:B5", "A1:B1", "D1:D2"].map((address) =>
        sheet.getRange(address).load("formulas"),
      );
      await context.sync();
      sheet.getRange("F1").formulas = [["=SUM(A4:A5)"]];
      sheet.getRange("A5").moveTo("H5");
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.message);
      return [moved!.formulas, left!.formulas, formulas!.formulas, refusal];
    },
    expected: [
      [[1, 2]],
      [["", ""]],
      [["=A5"], ["=$A$5"]],
      "The workbench does not model this API. (Range.MoveTo of cells that formulas refer to in part)",
    ],
  },
  {
    name: "AutoFill goes on with formulas and steady numbers, and copies formats with them",
    source: `${support}/2e79a709-c814-4b27-8bc2-c4dc84d49464`,
    async work(context, sheet) {
      sheet.getRange("A1:A2").values = [[2], [4]];
      sheet.getRange("B1").formulas = [["=A1"]];
      sheet.getRange("B1").format.font.bold = true;
      sheet.getRange("A1:A2").autoFill("A1:A5", "FillDefault");
      sheet.getRange("B1").autoFill("B1:B3");
      sheet.getRange("B1").autoFill("B1:D1", "FillValues");
      const all = sheet.getRange("A1:D5").load("formulas");
      const [below, beside] = ["B3", "D1"].map((address) => sheet.getRange(address).format.font.load("bold"));
      await context.sync();
      return [all.formulas, below!.bold, beside!.bold];
    },
    expected: [
      [
        [2, "=A1", "=B1", "=C1"],
        [4, "=A2", "", ""],
        [6, "=A3", "", ""],
        [8, "", "", ""],
        [10, "", "", ""],
      ],
      true,
      false,
    ],
  },
  {
    name: "AutoFill refuses a destination that does not extend the range, and texts that Excel counts on by name",
    source: `${reference}/excel.range#excel-excel-range-autofill-member(1)`,
    async work(context, sheet) {
      const codeOf = async (work: () => void) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.code,
        );
      };
      sheet.getRange("A1").values = [["Quarter 1"]];
      return [
        await codeOf(() => sheet.getRange("A1").autoFill("B1:B3")),
        await codeOf(() => sheet.getRange("A1").autoFill("A1:B3")),
        await codeOf(() => sheet.getRange("A1").autoFill("A1:A3")),
        await codeOf(() => sheet.getRange("A1").autoFill("A1:A3", "FlashFill")),
      ];
    },
    expected: ["InvalidArgument", "InvalidArgument", "ApiNotFound", "ApiNotFound"],
  },
  {
    name: "repeated rows go, the rows below close up, and the header stays",
    source: `${reference}/excel.range#excel-excel-range-removeduplicates-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1:B5").values = [
        ["Kern", 9],
        ["Kern", 1],
        ["Inyo", 2],
        ["kern", 3],
        ["Mono", 4],
      ];
      const result = sheet.getRange("A1:B5").removeDuplicates([0], true).load("removed,uniqueRemaining");
      const rows = sheet.getRange("A1:B5").load("values");
      await context.sync();
      sheet.getRange("A1:B5").removeDuplicates([], true);
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [result.removed, result.uniqueRemaining, rows.values, refusal];
    },
    expected: [
      1,
      3,
      [
        ["Kern", 9],
        ["Kern", 1],
        ["Inyo", 2],
        ["Mono", 4],
        ["", ""],
      ],
      "InvalidArgument",
    ],
  },
  {
    name: "formulas in R1C1 are those of the cells, read and written",
    source: `${reference}/excel.range#excel-excel-range-formulasr1c1-member`,
    async work(context, sheet) {
      sheet.getRange("A1:B1").values = [[1, true]];
      sheet.getRange("C2:D2").formulasR1C1 = [["=R[-1]C[-2]", "=R1C1"]];
      const range = sheet.getRange("C2:D2").load("formulas,formulasR1C1,isEntireRow,isEntireColumn");
      const kinds = sheet.getRange("A1:D1").load("valueTypes");
      await context.sync();
      return [range.formulas, range.formulasR1C1, range.isEntireRow, range.isEntireColumn, kinds.valueTypes];
    },
    expected: [
      [["=A1", "=$A$1"]],
      [["=R[-1]C[-2]", "=R1C1"]],
      false,
      false,
      [["Double", "Boolean", "Empty", "Empty"]],
    ],
  },
  {
    name: "a formula that is written spills within the same request",
    source: `${docs}/excel-add-ins-ranges-dynamic-arrays`,
    async work(context, sheet) {
      sheet.getRange("A1:B1").values = [[1, 2]];
      sheet.getRange("D1").formulas = [["=A1:B1"]];
      const spill = sheet.getRange("D1").getSpillingToRange().load("address,values");
      await context.sync();
      return [spill.address, spill.values];
    },
    expected: ["Case!D1:E1", [[1, 2]]],
  },
  {
    name: "AutoFill of numbers without a steady step is refused by name",
    source: strictAssumption,
    async work(context, sheet) {
      sheet.getRange("A1:A3").values = [[1], [2], [4]];
      sheet.getRange("A1:A3").autoFill("A1:A6");
      return context.sync().then(
        () => "done",
        (error: OfficeExtension.Error) => error.code,
      );
    },
    expected: "ApiNotFound",
  },
];
