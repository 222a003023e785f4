import { docs, strictAssumption, type MemberCase, reference, support } from "./member-case";

export const rangeCases: MemberCase[] = [
  {
    name: "one number format in one row is that of all cells; of values, and of another shape, it is refused",
    source: "OfficeDev/office-js-docs-pr#5400, OfficeDev/office-js-docs-reference#578",
    async work(context, sheet) {
      const range = sheet.getRange("A1:B2");
      range.values = [
        [1, 2],
        [3, 4],
      ];
      range.numberFormat = [["0.00"]];
      range.load("numberFormat,text");
      await context.sync();
      const { numberFormat, text } = range.toJSON();
      const codes: unknown[] = [];
      for (const change of [
        { numberFormat: [["0", "0.0"]] },
        { numberFormat: [["0"], ["0.0"]] },
        { values: [[1]] },
        { formulas: [["=1"]] },
      ]) {
        range.set(change);
        codes.push(await context.sync().catch((error: OfficeExtension.Error) => error.code));
      }
      return [numberFormat, text, codes];
    },
    expected: [
      [
        ["0.00", "0.00"],
        ["0.00", "0.00"],
      ],
      [
        ["1.00", "2.00"],
        ["3.00", "4.00"],
      ],
      ["InvalidArgument", "InvalidArgument", "InvalidArgument", "InvalidArgument"],
    ],
  },
  {
    name: "a range has a last cell, row and column",
    source: `${reference}/excel.range#excel-excel-range-getlastcell-member(1)`,
    async work(context, sheet) {
      const range = sheet.getRange("B2:D5");
      const parts = [range.getLastCell(), range.getLastRow(), range.getLastColumn()];
      for (const part of parts) part.load("address");
      await context.sync();
      return parts.map(({ address }) => address);
    },
    expected: ["Case!D5", "Case!B5:D5", "Case!D2:D5"],
  },
  {
    name: "neighbors lie outside the range, or inside it with a negative count",
    source: `${reference}/excel.range#excel-excel-range-getrowsabove-member(1)`,
    async work(context, sheet) {
      const range = sheet.getRange("C3:E6");
      const parts = [
        range.getRowsAbove(),
        range.getRowsAbove(-1),
        range.getRowsBelow(2),
        range.getRowsBelow(-2),
        range.getColumnsBefore(2),
        range.getColumnsBefore(-1),
        range.getColumnsAfter(),
        range.getColumnsAfter(-2),
      ];
      for (const part of parts) part.load("address");
      await context.sync();
      return parts.map(({ address }) => address.slice(5));
    },
    expected: ["C2:E2", "C3:E3", "C7:E8", "C5:E6", "A3:B6", "C3:C6", "F3:F6", "D3:E6"],
  },
  {
    name: "a neighbor beyond the sheet's edge is refused",
    source: strictAssumption,
    async work(context, sheet) {
      sheet.getRange("A1").getRowsAbove().load("address");
      return context.sync().catch((error: OfficeExtension.Error) => error.code);
    },
    expected: "InvalidArgument",
  },
  {
    name: "an offset and a new size give another range",
    source: `${docs}/excel-add-ins-ranges-get`,
    async work(context, sheet) {
      const range = sheet.getRange("B4:C5");
      const parts = [range.getOffsetRange(2, -1), range.getResizedRange(1, 2), range.getBoundingRect("E9")];
      for (const part of parts) part.load("address");
      await context.sync();
      return parts.map(({ address }) => address);
    },
    expected: ["Case!A6:B7", "Case!B4:E6", "Case!B4:E9"],
  },
  {
    name: "ranges without common cells have no intersection",
    source: `${reference}/excel.range#excel-excel-range-getintersection-member(1)`,
    async work(context, sheet) {
      const common = sheet.getRange("A1:C3").getIntersection("B2:D4").load("address");
      const none = sheet.getRange("A1").getIntersectionOrNullObject("B2").load("address");
      await context.sync();
      sheet.getRange("A1").getIntersection("B2").load("address");
      const code = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [common.address, none.isNullObject, code];
    },
    expected: ["Case!B2:C3", true, "ItemNotFound"],
  },
  {
    name: "a range without used cells has no used range",
    source: `${reference}/excel.range#excel-excel-range-getusedrange-member(1)`,
    async work(context, sheet) {
      sheet.getRange("C3").values = [[1]];
      const used = sheet.getRange("A:D").getUsedRange().load("address");
      await context.sync();
      sheet.getRange("A1:B2").getUsedRange().load("address");
      const code = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [used.address, code];
    },
    expected: ["Case!C3", "ItemNotFound"],
  },
  {
    name: "the surrounding region goes as far as no blank row and column bounds it",
    source: `${reference}/excel.range#excel-excel-range-getsurroundingregion-member(1)`,
    async work(context, sheet) {
      sheet.getRange("B2:C3").values = [
        ["a", "b"],
        ["c", "d"],
      ];
      sheet.getRange("D4").values = [["touches a corner"]];
      sheet.getRange("F2").values = [["beyond a blank column"]];
      const regions = ["B2:C9", "H20"].map((address) => sheet.getRange(address).getSurroundingRegion());
      for (const region of regions) region.load("address");
      await context.sync();
      return regions.map(({ address }) => address);
    },
    expected: ["Case!B2:D4", "Case!H20"],
  },
  {
    name: "values of another shape than the range's are refused, and one value fills all cells",
    source: `${docs}/excel-add-ins-ranges-set-get-values`,
    async work(context, sheet) {
      const range = sheet.getRange("A1:B2");
      range.values = [[1, 2, 3]];
      const code = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      range.values = "x" as unknown as string[][];
      range.load("values");
      await context.sync();
      return [code, range.values];
    },
    expected: [
      "InvalidArgument",
      [
        ["x", "x"],
        ["x", "x"],
      ],
    ],
  },
  {
    name: "merged cells keep the upper left value alone, and stay merged until they are unmerged",
    source: `${support}/merge-and-unmerge-cells-5cbd15d5-9375-4540-907f-c673a93fcedf`,
    async work(context, sheet) {
      const range = sheet.getRange("A1:B2");
      range.values = [
        [1, 2],
        [3, 4],
      ];
      range.merge();
      range.load("values");
      const merged = range.getMergedAreasOrNullObject().load("address");
      await context.sync();
      const after = range.values;
      sheet.getRange("B2").unmerge();
      const none = range.getMergedAreasOrNullObject().load("areaCount");
      await context.sync();
      return [after, merged.address, none.isNullObject];
    },
    expected: [
      [
        [1, ""],
        ["", ""],
      ],
      "Case!A1:B2",
      true,
    ],
  },
  {
    name: "merged across, each row is an area of its own",
    source: `${reference}/excel.range#excel-excel-range-merge-member(1)`,
    async work(context, sheet) {
      const range = sheet.getRange("A1:C2");
      range.values = [
        [1, 2, 3],
        [4, 5, 6],
      ];
      range.merge(true);
      const areas = range.getMergedAreasOrNullObject().load("areaCount");
      range.load("values");
      await context.sync();
      return [areas.areaCount, range.values];
    },
    expected: [
      2,
      [
        [1, "", ""],
        [4, "", ""],
      ],
    ],
  },
  {
    name: "cells of a table are not merged",
    source: `${support}/merge-and-unmerge-cells-5cbd15d5-9375-4540-907f-c673a93fcedf`,
    async work(context, sheet) {
      sheet.tables.add("A1:B3", true);
      sheet.getRange("A2:B2").merge();
      return context.sync().catch((error: OfficeExtension.Error) => error.code);
    },
    expected: "InvalidOperation",
  },
  {
    name: "contents, formats or all of it is cleared; without formats cells are no longer merged",
    source: `${docs}/excel-add-ins-ranges-clear-delete`,
    async work(context, sheet) {
      const states: unknown[] = [];
      for (const what of ["Contents", "Formats", "All"] as const) {
        const range = sheet.getRange("A1:B1");
        range.values = [["kept", ""]];
        range.format.fill.color = "#FFFF00";
        range.merge();
        range.clear(what);
        range.load("values");
        range.format.fill.load("color");
        const merged = range.getMergedAreasOrNullObject().load("areaCount");
        await context.sync();
        states.push([what, range.values[0]?.[0], range.format.fill.color, !merged.isNullObject]);
        range.clear();
        await context.sync();
      }
      return states;
    },
    expected: [
      ["Contents", "", "#FFFF00", true],
      ["Formats", "kept", "#FFFFFF", false],
      ["All", "", "#FFFFFF", false],
    ],
  },
  {
    name: "RemoveHyperlinks leaves contents and takes the formatting of linked cells",
    source: `${reference}/excel.clearapplyto`,
    async work(context, sheet) {
      const cell = sheet.getRange("A1");
      cell.hyperlink = { address: "https://example.gov/", textToDisplay: "See" };
      cell.format.fill.color = "#FFFF00";
      cell.clear("RemoveHyperlinks");
      cell.load("values");
      cell.format.fill.load("color");
      await context.sync();
      return [cell.values, cell.format.fill.color];
    },
    expected: [[["See"]], "#FFFFFF"],
  },
  {
    name: "colors are taken by the names of HTML, whatever their case, and as #RRGGBB",
    source: `${reference}/excel.rangefill#excel-excel-rangefill-color-member`,
    async work(context, sheet) {
      const seen: string[] = [];
      for (const color of ["yellow", "Orange", "#ffa500", "rebeccapurple"]) {
        const { format } = sheet.getRange("A1");
        format.fill.color = color;
        format.font.color = color;
        format.load("fill/color,font/color");
        await context.sync();
        seen.push(format.fill.color, format.font.color);
      }
      return seen;
    },
    expected: [...["#FFFF00", "#FFFF00", "#FFA500", "#FFA500", "#FFA500", "#FFA500", "#663399", "#663399"]],
  },
  {
    name: "what is no color is refused",
    source: `${reference}/excel.rangefill#excel-excel-rangefill-color-member`,
    async work(context, sheet) {
      const codes: unknown[] = [];
      for (const color of ["yelow", "FFA500", "#FFF", "rgb(1,2,3)", ""]) {
        sheet.getRange("A1").format.fill.color = color;
        codes.push(await context.sync().catch((error: OfficeExtension.Error) => error.code));
      }
      return codes;
    },
    expected: Array(5).fill("InvalidArgument"),
  },
  {
    name: "a cell without a fill says white, one without a font color black, and cleared it says so again",
    source: "OfficeDev/office-js#4900",
    async work(context, sheet) {
      const { format } = sheet.getRange("B2");
      format.fill.color = "red";
      format.fill.clear();
      format.load("fill/color,font/color");
      await context.sync();
      return [format.fill.color, format.font.color];
    },
    expected: ["#FFFFFF", "#000000"],
  },
  {
    name: "a look that differs from cell to cell is null",
    source: "https://learn.microsoft.com/office/dev/add-ins/excel/excel-add-ins-blank-null-values",
    async work(context, sheet) {
      const { format } = sheet.getRange("A1:B1");
      format.font.bold = true;
      format.wrapText = true;
      sheet.getRange("B1").format.font.bold = false;
      sheet.getRange("B1").format.font.color = "red";
      format.load("wrapText,horizontalAlignment,font/bold,font/italic,font/color");
      await context.sync();
      const { wrapText, horizontalAlignment, font } = format;
      return [wrapText, horizontalAlignment, font.bold, font.italic, font.color];
    },
    expected: [true, "General", null, false, null],
  },
  {
    name: "an indent is a whole number from 0 to 250",
    source:
      "https://learn.microsoft.com/javascript/api/excel/excel.rangeformat#excel-excel-rangeformat-indentlevel-member",
    async work(context, sheet) {
      const { format } = sheet.getRange("A1:B1");
      format.indentLevel = 1;
      format.load("indentLevel");
      await context.sync();
      const code = async (level: number) => {
        sheet.getRange("C1").format.indentLevel = level;
        return context.sync().then(
          () => null,
          ({ code: refused }: { code: string }) => refused,
        );
      };
      return [format.indentLevel, await code(250), await code(251), await code(0.5)];
    },
    expected: [1, null, "InvalidArgument", "InvalidArgument"],
  },
  {
    name: "alignments, italics and number formats are set and read",
    source: `${docs}/excel-add-ins-ranges-set-format`,
    async work(context, sheet) {
      const range = sheet.getRange("A1:B1");
      range.values = [[1.5, 2]];
      range.numberFormat = [["0.00", "0%"]];
      range.format.horizontalAlignment = "Center";
      range.format.verticalAlignment = "Top";
      range.format.font.italic = true;
      range.format.autofitColumns();
      range.format.autofitRows();
      range.load("text,numberFormat,format/horizontalAlignment,format/verticalAlignment,format/font/italic");
      await context.sync();
      const { horizontalAlignment, verticalAlignment, font } = range.format;
      return [range.text, range.numberFormat, horizontalAlignment, verticalAlignment, font.italic];
    },
    expected: [[["1.50", "200%"]], [["0.00", "0%"]], "Center", "Top", true],
  },
  {
    name: "an alignment that Excel does not know is refused; null is no value of a look",
    source: "https://learn.microsoft.com/office/dev/add-ins/excel/excel-add-ins-blank-null-values",
    async work(context, sheet) {
      const { format } = sheet.getRange("A1");
      const codeOf = (work: () => unknown) => {
        work();
        return context.sync().catch((error: OfficeExtension.Error) => error.code);
      };
      return [
        await codeOf(() => (format.horizontalAlignment = "Middle" as "Center")),
        await codeOf(() => (format.font.bold = null as unknown as boolean)),
        await codeOf(() => (format.fill.color = null as unknown as string)),
      ];
    },
    expected: ["InvalidArgument", "InvalidArgument", "InvalidArgument"],
  },
  {
    name: "a number stays a number and a text a text, whatever format it gets, loses or is copied",
    source: strictAssumption,
    async work(_context, sheet) {
      const range = sheet.getRange("A1:B1");
      const read = async () => {
        range.load("values");
        await sheet.context.sync();
        return range.values[0]?.map((value: unknown) => typeof value);
      };
      range.numberFormat = [["General", "@"]];
      range.values = [[5, "5"]];
      range.numberFormat = [["@", "0.00"]];
      const set = await read();
      range.clear("Formats");
      const cleared = await read();
      const other = sheet.getRange("A2:B2");
      other.numberFormat = [["@", "0.00"]];
      range.copyFrom("A2:B2", "Formats");
      return [set, cleared, await read()];
    },
    expected: [
      ["number", "string"],
      ["number", "string"],
      ["number", "string"],
    ],
  },
  {
    name: "a copy of formats leaves the contents, one of formulas leaves the formats, and neither makes a table",
    source: `${reference}/excel/excel.rangecopytype`,
    async work(context, sheet) {
      const [source, target] = [sheet.getRange("A1:B2"), sheet.getRange("A1:B2").getOffsetRange(0, 3)];
      source.numberFormat = [
        ["0%", "General"],
        ["0%", "0.00"],
      ];
      source.formulas = [
        ["geoID", "Fee"],
        ["'06001", "=1+1"],
      ];
      source.getCell(1, 1).format.font.bold = true;
      sheet.tables.add(source, true);
      target.values = [
        [1, 2],
        [3, 4],
      ];
      await context.sync();
      const read = async () => {
        const font = target.getCell(1, 1).format.font.load("bold");
        target.load("formulas,numberFormat");
        const tables = target.getTables(false).load("items/name");
        await context.sync();
        return [target.formulas, target.numberFormat[1], font.bold, tables.items.length];
      };
      target.copyFrom(source, "Formats");
      const formats = await read();
      target.clear("Formats");
      target.copyFrom(source, "Formulas");
      return [formats, await read()];
    },
    expected: [
      [
        [
          [1, 2],
          [3, 4],
        ],
        ["0%", "0.00"],
        true,
        0,
      ],
      [
        [
          ["geoID", "Fee"],
          ["06001", "=1+1"],
        ],
        ["General", "General"],
        false,
        0,
      ],
    ],
  },
  {
    name: "a copy is of everything if nothing is said; one that would move references, skip blanks or turn the cells fails by name",
    source: `${reference}/excel/excel.range#excel-excel-range-copyfrom-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1:B1").formulas = [["=D4", "mine"]];
      sheet.getRange("B1").numberFormat = [["@"]];
      const copied = sheet.getRange("B3");
      copied.copyFrom("B1");
      copied.load("values,numberFormat");
      await context.sync();
      const answers = [copied.values, copied.numberFormat];
      const messageOf = (work: () => unknown) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.message,
        );
      };
      const target = sheet.getRange("C3");
      return [...answers, await messageOf(() => target.copyFrom("B1", "Link"))];
    },
    expected: [[["mine"]], [["@"]], "The workbench does not model this API. (Range.CopyFrom Link)"],
  },
  {
    name: "lines across cells fail by name",
    source: "the workbench does not simulate them",
    async work(context, sheet) {
      const range = sheet.getRange("A1");
      const messageOf = (work: () => unknown) => {
        work();
        return context.sync().catch((error: OfficeExtension.Error) => error.message);
      };
      return [await messageOf(() => (range.format.borders.getItem("DiagonalUp").style = "Continuous"))];
    },
    expected: ["The workbench does not model this API. (RangeBorderCollection.GetItem DiagonalUp)"],
  },
];
