import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { officeMembers } from "../../../scripts/office-members";
import { officeOn } from "../../../workbench/memory/office-js";
import { memorySession } from "./memory-session";

type ObjectOf = (sheet: Excel.Worksheet, workbook: Excel.Workbook) => object;

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const part = '<kept xmlns="urn:kept"/>';

const chart = (sheet: Excel.Worksheet) =>
  sheet.charts.add("ColumnClustered", sheet.getRange("A1:B3"), "Columns");
const scale = (sheet: Excel.Worksheet) => sheet.getRange("H1:H3").conditionalFormats.add("ColorScale");
const table = (sheet: Excel.Worksheet) => sheet.tables.getItem("Fees");
const selected = (workbook: Excel.Workbook) => workbook.getSelectedRanges();
const colors = {
  minimum: { type: "LowestValue", color: "#FFFFFF" },
  maximum: { type: "HighestValue", color: "#0000FF" },
} as const;

/** An object of each class, in a workbook whose table Fees stands in A1:B3 of Sheet1. */
const objects: Record<string, ObjectOf> = {
  Application: (_, workbook) => workbook.application,
  Chart: chart,
  ChartAxes: (sheet) => chart(sheet).axes,
  ChartAxis: (sheet) => chart(sheet).axes.categoryAxis,
  ChartCollection: (sheet) => sheet.charts,
  ChartLegend: (sheet) => chart(sheet).legend,
  ChartTitle: (sheet) => chart(sheet).title,
  ColorScaleConditionalFormat: (sheet) => Object.assign(scale(sheet).colorScale, { criteria: colors }),
  ConditionalFormat: (sheet) => {
    const format = scale(sheet);
    format.colorScale.criteria = colors;
    return format;
  },
  ConditionalFormatCollection: (sheet) => sheet.getRange("H1:H3").conditionalFormats,
  CustomXmlPart: (_, workbook) => workbook.customXmlParts.add(part),
  CustomXmlPartCollection: (_, workbook) => workbook.customXmlParts,
  CustomXmlPartScopedCollection: (_, workbook) => workbook.customXmlParts.getByNamespace("urn:kept"),
  Filter: (sheet) => table(sheet).columns.getItem("Fee").filter,
  FunctionResult: (_, workbook) => workbook.functions.date(1970, 1, 1),
  Functions: (_, workbook) => workbook.functions,
  HeaderFooter: (sheet) => sheet.pageLayout.headersFooters.defaultForAllPages,
  HeaderFooterGroup: (sheet) => sheet.pageLayout.headersFooters,
  NamedItem: (sheet, workbook) => workbook.names.add("Kept", sheet.getRange("B2")),
  NamedItemCollection: (_, workbook) => workbook.names,
  PageLayout: (sheet) => sheet.pageLayout,
  Range: (sheet) => sheet.getRange("H1"),
  RangeAreas: (_, workbook) => selected(workbook),
  RangeCollection: (_, workbook) => selected(workbook).areas,
  RangeFill: (sheet) => sheet.getRange("H1").format.fill,
  RangeFont: (sheet) => sheet.getRange("H1").format.font,
  RangeFormat: (sheet) => sheet.getRange("H1").format,
  Shape: (sheet) => sheet.shapes.addImage(png),
  ShapeCollection: (sheet) => sheet.shapes,
  Table: table,
  TableCollection: (sheet) => sheet.tables,
  TableColumn: (sheet) => table(sheet).columns.getItem("Fee"),
  TableColumnCollection: (sheet) => table(sheet).columns,
  TableRowCollection: (sheet) => table(sheet).rows,
  TableScopedCollection: (sheet) => sheet.getRange("A1:C9").getTables(),
  Workbook: (_, workbook) => workbook,
  WorkbookRangeAreas: (sheet) => {
    sheet.getRange("H2").formulas = [["=H3"]];
    return sheet.getRange("H3").getDirectDependents();
  },
  WorkbookProtection: (_, workbook) => workbook.protection,
  Worksheet: (sheet) => sheet,
  WorksheetCollection: (_, workbook) => workbook.worksheets,
  WorksheetFreezePanes: (sheet) => sheet.freezePanes,
  WorksheetProtection: (sheet) => sheet.protection,
};

/** The arguments of members, and the values that they are set to, beside the words that Microsoft lists; none if a member is not here. */
const given: Record<string, (sheet: Excel.Worksheet) => unknown[]> = {
  "Chart.setPosition": (sheet) => [sheet.getRange("D1"), sheet.getRange("F9")],
  "ChartCollection.add": (sheet) => ["ColumnClustered", sheet.getRange("A1:B3"), "Columns"],
  "ChartCollection.getItem": () => ["Chart 1"],
  "ChartTitle.text": () => ["Fees"],
  "ColorScaleConditionalFormat.criteria": () => [colors],
  "CustomXmlPart.setXml": () => [part],
  "CustomXmlPartCollection.add": () => [part],
  "CustomXmlPartCollection.getByNamespace": () => ["urn:kept"],
  "CustomXmlPartCollection.getItemOrNullObject": () => ["none"],
  "Filter.applyValuesFilter": () => [["1"]],
  "Functions.date": () => [1970, 1, 1],
  "HeaderFooter.centerFooter": () => ["Fees"],
  "HeaderFooter.leftFooter": () => ["Fees"],
  "HeaderFooter.leftHeader": () => ["Fees"],
  "HeaderFooter.rightFooter": () => ["Fees"],
  "NamedItem.formula": () => [`="on hold"`],
  "NamedItem.visible": () => [false],
  "NamedItemCollection.add": () => ["Apart", "=Sheet1!$A$1,Sheet1!$B$2"],
  "NamedItemCollection.getItemOrNullObject": () => ["Kept"],
  "PageLayout.setPrintArea": () => ["A1:B3"],
  "PageLayout.setPrintTitleColumns": () => ["$A:$A"],
  "PageLayout.setPrintTitleRows": () => ["$1:$1"],
  "PageLayout.zoom": () => [{ horizontalFitToPages: 1, verticalFitToPages: 0 }],
  "Range.copyFrom": (sheet) => [sheet.getRange("H1")],
  "Range.formulas": () => [[["=1"]]],
  "Range.getAbsoluteResizedRange": () => [2, 2],
  "Range.getCell": () => [0, 0],
  "Range.getCellProperties": () => [
    {
      format: {
        fill: { color: true, pattern: true, patternColor: true, tintAndShade: true },
        font: { color: true },
      },
    },
  ],
  "Range.getColumn": () => [0],
  "Range.getIntersection": () => ["H1"],
  "Range.getIntersectionOrNullObject": () => ["A1"],
  "Range.getOffsetRange": () => [1, 1],
  "Range.getResizedRange": () => [1, 1],
  "Range.getRow": () => [0],
  "Range.hyperlink": () => [{ address: "https://example.com/", textToDisplay: "Fees" }],
  "Range.numberFormat": () => [[["@"]]],
  "Range.values": () => [[["Fees"]]],
  "RangeCollection.getItemAt": () => [0],
  "RangeFill.color": () => ["#FFFFFF"],
  "RangeFill.patternColor": () => ["#FFFFFF"],
  "RangeFont.color": () => ["#808080"],
  "RangeFormat.columnWidth": () => [64],
  "RangeFormat.indentLevel": () => [1],
  "Shape.altTextDescription": () => ["Fees"],
  "Shape.altTextTitle": () => ["Fees"],
  "Shape.left": () => [10],
  "Shape.top": () => [10],
  "Shape.width": () => [10],
  "ShapeCollection.addImage": () => [png],
  "Table.resize": () => ["A1:B5"],
  "Table.style": () => ["TableStyleLight1"],
  "TableCollection.add": () => ["J1:K3", true],
  "TableCollection.getItem": () => ["Fees"],
  "TableCollection.getItemOrNullObject": () => ["Fees"],
  "TableColumnCollection.add": () => [1, undefined, "Code"],
  "TableColumnCollection.getItem": () => ["Fee"],
  "TableColumnCollection.getItemOrNullObject": () => ["Fee"],
  "TableRowCollection.add": () => [undefined, [["Napa", 3]]],
  "Worksheet.getRange": () => ["A1"],
  "Worksheet.getRangeByIndexes": () => [0, 0, 1, 1],
  "WorksheetCollection.add": () => ["New"],
  "WorksheetCollection.getItem": () => ["Sheet1"],
  "WorksheetCollection.getItemOrNullObject": () => ["Sheet1"],
  "WorksheetFreezePanes.freezeAt": (sheet) => [sheet.getRange("A1:B1")],
  "WorksheetFreezePanes.freezeRows": () => [1],
};

/** Where a member needs another object than the others of its class. */
const places: Record<string, ObjectOf> = {
  "ChartCollection.getItem undefined": (sheet) => {
    chart(sheet).name = "Chart 1";
    return sheet.charts;
  },
  "Range.delete Left": (sheet) => sheet.getRange("H:H"),
  "Range.insert Right": (sheet) => sheet.getRange("H:H"),
};

const { members } = officeMembers(resolve(import.meta.dirname, "../../.."));
const used = members
  .filter(({ isOfObject }) => isOfObject)
  .map(({ name, ...member }) => ({ name: name.replace(/^Excel\./, ""), ...member }))
  .filter(({ name }) => !/\.(load|items)$/.test(name));
const cases = used.flatMap(({ name, isSet, words }) => [
  ...(words.size === 0 ? [{ name, isSet, index: 0, word: undefined }] : []),
  ...[...words.values()].map((word) => ({ name, isSet, ...word })),
]);

/** Plays a member through office.js, as the add-in uses it. Gives the code and words of a refusal, and "absent" if office.js lacks it. */
async function played({ name, isSet, index, word }: (typeof cases)[number]): Promise<string> {
  const session = memorySession();
  try {
    return await officeOn(session).run(async (context) => {
      const { workbook } = context;
      const sheet = workbook.worksheets.getItem("Sheet1");
      workbook.worksheets.add("Second");
      sheet.getRange("A1:B3").values = [
        ["Place", "Fee"],
        ["Kern", 1],
        ["Inyo", 2],
      ];
      sheet.tables.add("A1:B3", true).name = "Fees";
      await context.sync();
      const [className = "", member = ""] = name.split(".");
      const objectOf = places[`${name} ${word}`] ?? objects[className];
      if (!objectOf) return "absent";
      const object = objectOf(sheet, workbook) as Record<string, unknown> & { load(names?: string): void };
      const values = given[name]?.(sheet) ?? [];
      if (word !== undefined) values[index] = word;
      const isScalar = isUnread(object, member);
      if (!isScalar && object[member] === undefined) return "absent";
      const value = isScalar ? undefined : object[member];
      if (isSet) object[member] = values[0];
      else if (isScalar) object.load(member);
      else if (typeof value === "function") (value as (...all: unknown[]) => void).apply(object, values);
      else if (typeof value === "object") begin(value as Linked);
      await context.sync();
      return "played";
    });
  } catch (error) {
    return String(error);
  }
}

interface Linked {
  load(): void;
  add(listener: () => Promise<void>): void;
}

/** Uses an object that is another's member, or an event. An object that has neither `load` nor `add` is used where its own members are. */
function begin(linked: Partial<Linked>): void {
  if (linked.load) linked.load();
  else linked.add?.(() => Promise.resolve());
}

/** True for a value that office.js gives only once it is loaded. */
function isUnread(object: Record<string, unknown>, member: string): boolean {
  try {
    return Reflect.get(object, member) === isUnread;
  } catch {
    return true;
  }
}

/** The answers of all that is not played, by member and word. */
async function refusals(wanted: typeof cases): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const one of wanted) {
    const answer = await played(one);
    if (answer !== "played") answers[one.word === undefined ? one.name : `${one.name} ${one.word}`] = answer;
  }
  return answers;
}

describe("what the add-in asks of Excel", () => {
  it("is played by the workbench, with each word that is given: all but what the office.js of the package lacks", async () => {
    expect(await refusals(cases)).toEqual({
      ...{ "Note.content": "absent", "Note.delete": "absent", "Worksheet.notes": "absent" },
      ...{ "NoteCollection.add": "absent", "NoteCollection.getItemOrNullObject": "absent" },
      "Range.valuesAsJson": "absent",
      // Nothing spills from this cell.
      "Range.getSpillingToRange": expect.stringMatching(/^ItemNotFound/),
      // "LinearGradient and RectangularGradient are not supported" (RangeFill.pattern in @types/office-js).
      "RangeFill.pattern LinearGradient": expect.stringMatching(/^InvalidArgument/),
      "RangeFill.pattern RectangularGradient": expect.stringMatching(/^InvalidArgument/),
      // No formula names it.
      "Range.getDirectDependents": expect.stringMatching(/^ItemNotFound/),
    });
  });

  it("is refused if the word is one that Microsoft does not list", async () => {
    const worded = cases.filter(({ word }) => typeof word === "string");
    const others = new Map(worded.map((one) => [`${one.name} ${one.index}`, { ...one, word: "Other" }]));
    const refused = Object.keys(await refusals([...others.values()]));
    expect(refused).toContain("Range.copyFrom Other");
    expect(refused).toHaveLength(new Set([...others.values()].map(({ name }) => name)).size);
  });
});
