import { docs, type MemberCase, reference, strictAssumption } from "./member-case";

export const styleCases: MemberCase[] = [
  {
    name: "a style of one's own has Excel's usual properties, gives its looks to cells, is read there, and leaves them Normal when it goes",
    source: `${reference}/excel.stylecollection`,
    async work(context, sheet) {
      const { styles } = context.workbook;
      styles.add("Slanted");
      const style = styles.getItem("Slanted");
      const names =
        "name,builtIn,textOrientation,horizontalAlignment,autoIndent,readingOrder,wrapText,locked";
      style.load(names);
      await context.sync();
      const shown = () => [
        ...[style.name, style.builtIn, style.textOrientation, style.horizontalAlignment, style.autoIndent],
        ...[style.readingOrder, style.wrapText, style.locked],
      ];
      const before = shown();
      style.textOrientation = 38;
      style.locked = false;
      style.font.bold = true;
      style.fill.color = "yellow";
      const range = sheet.getRange("A1:B1");
      range.values = [["Place", "Fee"]];
      range.style = "Slanted";
      sheet.getRange("A2").values = [["Kern"]];
      style.textOrientation = 45;
      style.load(names);
      range.load("style");
      range.format.load("textOrientation");
      range.format.font.load("bold");
      range.format.fill.load("color");
      const both = sheet.getRange("A1:A2").load("style");
      await context.sync();
      const used = [
        ...[range.style, range.format.textOrientation, range.format.font.bold, range.format.fill.color],
        both.style,
      ];
      const after = shown();
      style.delete();
      const none = styles.getItemOrNullObject("Slanted");
      range.load("style");
      range.format.load("textOrientation");
      range.format.fill.load("color");
      await context.sync();
      return [
        ...[before, used, after],
        [none.isNullObject, range.style, range.format.textOrientation, range.format.fill.color],
      ];
    },
    expected: [
      ["Slanted", false, 0, "General", false, "Context", false, true],
      ["Slanted", 45, true, "#FFFF00", null],
      ["Slanted", false, 45, "General", false, "Context", false, false],
      [true, "Normal", 0, "#FFFFFF"],
    ],
  },
  {
    name: "a built-in style overwrites what it has, is read by its word, and is neither changed nor deleted",
    source: strictAssumption,
    async work(context, sheet) {
      const code = async (work: () => void) => {
        work();
        return context.sync().then(
          () => "done",
          (error: OfficeExtension.Error) => error.code,
        );
      };
      const { styles } = context.workbook;
      const range = sheet.getRange("A1");
      range.format.fill.color = "red";
      range.format.font.bold = true;
      range.format.wrapText = true;
      range.style = "Neutral";
      range.load("style");
      range.format.load("wrapText");
      range.format.fill.load("color");
      range.format.font.load("bold,color");
      const normal = styles.getItem("Normal");
      normal.font.load("bold,color,italic,name,size");
      normal.fill.load("color");
      await context.sync();
      const { bold, color, italic, name, size } = normal.font;
      const looks = [range.style, range.format.fill.color, range.format.font.color];
      return [
        [...looks, range.format.font.bold, range.format.wrapText],
        [bold, color, italic, name, size, normal.fill.color],
        await code(() => styles.getItem("Good").delete()),
        await code(() => (styles.getItem("Good").font.bold = true)),
        await code(() => styles.add("Neutral")),
        await code(() => styles.getItem("No such style")),
      ];
    },
    expected: [
      ["Neutral", "#FFEB9C", "#9C5700", false, true],
      [false, "#000000", false, "Calibri", 11, "#FFFFFF"],
      ...["InvalidOperation", "ApiNotFound", "ItemAlreadyExists", "ItemNotFound"],
    ],
  },
  {
    name: "properties are set and read cell by cell, and rows of another shape are refused",
    source: `${docs}/excel-add-ins-ranges-set-format`,
    async work(context, sheet) {
      const range = sheet.getRange("A1:B2");
      range.values = [
        [1, 2],
        [3, 4],
      ];
      range.setCellProperties([
        [
          { style: "Heading1" },
          { format: { fill: { color: "Blue" }, font: { color: "White", bold: true } } },
        ],
        [{ format: { fill: { pattern: "Gray25" }, borders: { bottom: { style: "Continuous" } } } }, {}],
      ]);
      const cells = range.getCellProperties({
        ...{ address: true, style: true },
        format: { font: { bold: true, color: true }, fill: { color: true }, wrapText: true },
      });
      const border = sheet.getRange("A2").format.borders.getItem("EdgeBottom").load("style");
      const { fill } = sheet.getRange("A2").format;
      fill.load("pattern");
      await context.sync();
      const read = cells.value.map((row) =>
        row.map(({ address, style, format }) => [
          ...[address, style, format?.font?.bold, format?.font?.color, format?.fill?.color, format?.wrapText],
        ]),
      );
      range.setCellProperties([[{}, {}]]);
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [read, border.style, fill.pattern, refusal];
    },
    expected: [
      [
        [
          ["Case!A1", "Heading1", true, "#44546A", "#FFFFFF", false],
          ["Case!B1", "Normal", true, "#FFFFFF", "#0000FF", false],
        ],
        [
          ["Case!A2", "Normal", false, "#000000", "#FFFFFF", false],
          ["Case!B2", "Normal", false, "#000000", "#FFFFFF", false],
        ],
      ],
      ...["Continuous", "Gray25", "InvalidArgument"],
    ],
  },
  {
    name: "a style goes where the formats go: by copying and clearing",
    source: strictAssumption,
    async work(context, sheet) {
      sheet.getRange("A1:B1").values = [[1, 2]];
      sheet.getRange("A1").style = "Good";
      sheet.getRange("B1").format.verticalAlignment = "Justify";
      sheet.getRange("A2").copyFrom("A1", "Formats");
      sheet.getRange("A3").copyFrom("A1", "Values");
      sheet.getRange("A4:B4").copyFrom("A1:B1");
      sheet.getRange("A1").clear("Formats");
      const styles = [1, 2, 3, 4].map((row) => sheet.getRange(`A${row}`).load("style"));
      const { format } = sheet.getRange("B4");
      format.load("verticalAlignment");
      await context.sync();
      return [styles.map(({ style }) => style), format.verticalAlignment];
    },
    expected: [["Normal", "Good", "Normal", "Good"], "Justify"],
  },
];
