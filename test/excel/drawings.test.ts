import { beforeEach, describe, expect, it } from "vitest";
import { playExcel } from "../functions/excel";
import { samplePicture } from "../workbook/sheet/drawing/sample-picture";
import { enterFees } from "../workbook/sheet/drawing/played-fees";
import { inTime } from "./in-time";
import { openExcel, type PlayedExcel } from "./open-excel";

/** Rules of Excel for charts, pictures, conditional formats and filters, as the played Excel keeps them. */
playExcel();

let excel: PlayedExcel;
beforeEach(() => {
  excel = openExcel({ excelApi: "1.20" });
  enterFees(excel);
});

/** Excel's result for a request: the error code if it refuses. */
const codeOf = (work: (sheet: Excel.Worksheet) => void) =>
  inTime(
    Excel.run(async (context) => {
      work(context.workbook.worksheets.getItem("Sheet1"));
      await context.sync();
    }).then(
      () => undefined,
      (thrown: { code: string }) => thrown.code,
    ),
  );
const addChart = (sheet: Excel.Worksheet) =>
  sheet.charts.add("ColumnClustered", sheet.getRange("A1:B5"), "Columns");
const addScale = (sheet: Excel.Worksheet) => {
  const format = sheet.getRange("B2:B5").conditionalFormats.add("ColorScale");
  format.colorScale.criteria = {
    minimum: { type: "LowestValue", color: "#FFFFFF" },
    maximum: { type: "HighestValue", color: "#FF0000" },
  };
};
const columnFilter = (sheet: Excel.Worksheet, column: string) =>
  sheet.tables.getItem("Fees").columns.getItem(column).filter;

describe("a protected sheet", () => {
  it.each<[string, (sheet: Excel.Worksheet) => void]>([
    ["a chart", addChart],
    ["a picture", (sheet) => sheet.shapes.addImage(samplePicture)],
    ["a conditional format", addScale],
    ["a filter", (sheet) => columnFilter(sheet, "Fee").applyValuesFilter(["varies"])],
  ])("takes no %s", async (_, work) => {
    excel.document.protectedSheets.add("sheet-1");
    expect(await codeOf(work)).toBe("AccessDenied");
    excel.document.protectedSheets.clear();
    expect(await codeOf(work)).toBeUndefined();
  });
});

describe("a chart", () => {
  it("gets the first free name, and none that another chart has", async () => {
    await codeOf(addChart);
    await codeOf(addChart);
    expect(excel.spreadsheet.drawings.of("chart").map(({ name }) => name)).toEqual(["Chart 1", "Chart 2"]);
    expect(await codeOf((sheet) => (sheet.charts.getItem("Chart 2").name = "chart 1"))).toBe(
      "InvalidArgument",
    );
  });

  it("has no title that begins like a formula", async () => {
    expect(await codeOf((sheet) => (addChart(sheet).title.text = "=A1"))).toBe("InvalidArgument");
  });

  it("of a kind that the workbench lacks fails by name", async () => {
    expect(await codeOf((sheet) => sheet.charts.add("Surface", sheet.getRange("A1:B5")))).toBe("ApiNotFound");
    expect(await codeOf((sheet) => (addChart(sheet).axes.valueAxis.reversePlotOrder = true))).toBe(
      "ApiNotFound",
    );
    expect(excel.problems).toEqual([
      expect.stringContaining("ChartCollection.Add Surface"),
      expect.stringContaining("ChartAxis.ReversePlotOrder"),
    ]);
  });
});

describe("a picture", () => {
  it.each([`data:image/png;base64,${samplePicture}`, "bm90IGEgcGljdHVyZQ==", ""])(
    "is a PNG or JPEG in Base64: %s is refused",
    async (base64) => {
      expect(await codeOf((sheet) => sheet.shapes.addImage(base64))).toBe("InvalidArgument");
    },
  );

  it("keeps its shape while its aspect ratio is locked", async () => {
    await codeOf((sheet) => {
      const picture = sheet.shapes.addImage(samplePicture);
      picture.width = 100;
      picture.lockAspectRatio = false;
      picture.height = 10;
    });
    expect(excel.spreadsheet.drawings.of("picture")).toMatchObject([{ width: 100, height: 10 }]);
  });
});

describe("a conditional format", () => {
  it("goes when the formats of all its cells are cleared", async () => {
    await codeOf(addScale);
    await codeOf((sheet) => sheet.getRange("B2:B4").clear("Formats"));
    expect(excel.spreadsheet.drawings.of("color-scale")).toHaveLength(1);
    await codeOf((sheet) => sheet.getRange("B2:B5").clear("Formats"));
    expect(excel.spreadsheet.drawings.of("color-scale")).toEqual([]);
  });

  it("comes before those that were there", async () => {
    await codeOf(addScale);
    await codeOf(addScale);
    const [first, second] = excel.spreadsheet.drawings.of("color-scale");
    expect(first!.id > second!.id).toBe(true);
  });
});

describe("a filter", () => {
  it("stays with its column where one is added or deleted before it", async () => {
    await codeOf((sheet) => columnFilter(sheet, "Fee").applyValuesFilter(["varies"]));
    const { id } = excel.spreadsheet.tables()[0]!;
    const filters = () => [0, 1, 2, 3].map((column) => excel.spreadsheet.tableFilter(id, column));
    await codeOf((sheet) => sheet.tables.getItem("Fees").columns.add(1, undefined, "Mine"));
    expect(filters()).toEqual([null, null, ["varies"], null]);
    await codeOf((sheet) => sheet.tables.getItem("Fees").columns.getItem("Mine").delete());
    expect(filters()).toEqual([null, ["varies"], null, null]);
    await codeOf((sheet) => sheet.tables.getItem("Fees").clearFilters());
    expect(filters()).toEqual([null, null, null, null]);
  });
});
