import ExcelJS from "exceljs";
import * as SheetJS from "xlsx";
import { describe, expect, it } from "vitest";
import { newWorkbookFile, openWorkbookFile, type WorkbookFile } from "../../xlsx/workbook-file";
import { changedParts } from "./hand-made";

/** A workbook with one of everything that the module writes. */
function everything(): WorkbookFile {
  const file = newWorkbookFile(["Cells", "O'Brien & Co", "Gone"]);
  const [cells, second, gone] = file.sheets;
  const header = file.styles.styleWith(0, {
    bold: true,
    fillColor: "#DDEBF7",
    wrapText: true,
    verticalAlignment: "top",
  });
  const money = file.styles.styleWith(0, { numberFormat: '"$"#,##0.00', horizontalAlignment: "right" });
  const date = file.styles.styleWith(0, { numberFormat: "m/d/yyyy", italic: true, fontColor: "#C00000" });
  cells!.setCells([
    ...["Name", "Fee", "Since"].map((value, column) => ({ row: 0, column, value, style: header })),
    ...[
      { row: 1, column: 0, value: " Alameda <&> \n\u0007 Ünï 𝒳" },
      { row: 1, column: 1, value: 1234.5, style: money },
    ],
    { row: 1, column: 2, value: 46112, style: date },
    { row: 2, column: 0, value: "=not a formula" },
    { row: 2, column: 1, value: true },
    { row: 2, column: 2, value: "#N/A", isError: true },
    { row: 3, column: 0, value: 6, formula: { text: "SUM(B2,1)*2" } },
    { row: 3, column: 1, value: "kept", formula: { text: '_xldudf_REGDATA_VALUE("06001","t1")' } },
    {
      row: 4,
      column: 0,
      value: 1,
      formula: { text: "_xldudf_REGDATA_LIST()", area: { row: 4, column: 0, rows: 2, columns: 1 } },
    },
    { row: 5, column: 0, value: 2 },
  ]);
  cells!.addTable({
    name: "Fees",
    ref: { row: 0, column: 0, rows: 3, columns: 3 },
    columnNames: ["Name", "Fee", "Since"],
  });
  cells!.setColumnWidths([{ column: 0, columns: 2, width: 24, isHidden: false }]);
  cells!.setMerged([{ row: 8, column: 0, rows: 2, columns: 3 }]);
  cells!.setFrozen({ rows: 1, columns: 0 });
  cells!.setHyperlinks([
    {
      area: { row: 1, column: 0, rows: 1, columns: 1 },
      target: "https://example.com/?a=1&b=2",
      location: null,
      tooltip: null,
    },
  ]);
  second!.setCells([{ row: 99, column: 30, value: 0.1 }]);
  file.setDefinedNames([{ name: "Rate", formula: "Cells!$B$2", comment: "", sheet: null, hidden: false }]);
  file.setVisibility(second!, "hidden");
  file.removeSheet(gone!);
  file.addCustomXml('<data xmlns="urn:example">1</data>');
  file.addWebExtension({
    reference: {
      id: "00000000-0000-0000-0000-000000000001",
      version: "1.0.0.0",
      store: "developer",
      storeType: "Registry",
    },
    properties: { setting: '"a"' },
    customFunctionIds: ["_xldudf_REGDATA_VALUE"],
  });
  file.calculateOnOpening();
  return file;
}

const text = " Alameda <&> \n\u0007 Ünï 𝒳";

describe("a saved workbook", () => {
  const saved = everything().save();

  it("is read by ExcelJS with the same cells, formats, widths, tables and merged areas", async () => {
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(saved as never);
    expect(book.worksheets.map(({ name, state }) => [name, state])).toEqual([
      ["Cells", "visible"],
      ["O'Brien & Co", "hidden"],
    ]);
    const sheet = book.getWorksheet("Cells")!;
    const value = (address: string) => sheet.getCell(address).value;
    expect([value("A1"), value("B2"), value("A3"), value("B3"), value("C3")]).toEqual([
      ...["Name", 1234.5, "=not a formula", true, { error: "#N/A" }],
    ]);
    // ExcelJS does not decode _x0007_ in inline texts.
    expect(value("A2")).toEqual({
      text: text.replace("\u0007", "_x0007_"),
      hyperlink: "https://example.com/?a=1&b=2",
    });
    expect(value("C2")).toEqual(new Date(Date.UTC(2026, 2, 31)));
    expect(value("A4")).toMatchObject({ formula: "SUM(B2,1)*2", result: 6 });
    expect(value("B4")).toMatchObject({ formula: '_xldudf_REGDATA_VALUE("06001","t1")', result: "kept" });
    expect(value("A5")).toMatchObject({ ref: "A5:A6", formula: "_xldudf_REGDATA_LIST()", result: 1 });
    expect([sheet.getCell("B2").numFmt, sheet.getCell("C2").numFmt]).toEqual(['"$"#,##0.00', "mm-dd-yy"]);
    expect(sheet.getCell("A1").font.bold).toBe(true);
    expect(sheet.getCell("A1").fill).toMatchObject({ fgColor: { argb: "FFDDEBF7" } });
    expect(sheet.getCell("A1").alignment).toMatchObject({ wrapText: true, vertical: "top" });
    expect(sheet.getCell("C2").font).toMatchObject({ italic: true, color: { argb: "FFC00000" } });
    expect([1, 2, 3].map((column) => sheet.getColumn(column).width)).toEqual([24, 24, undefined]);
    expect(sheet.model.merges).toEqual(["A9:C10"]);
    expect(sheet.getTables().map((table) => (table as never as { table: object }).table)).toMatchObject([
      { name: "Fees", tableRef: "A1:C3", columns: [{ name: "Name" }, { name: "Fee" }, { name: "Since" }] },
    ]);
    expect(sheet.views[0]).toMatchObject({ state: "frozen", ySplit: 1 });
    expect(book.getWorksheet("O'Brien & Co")!.getCell("AE100").value).toBe(0.1);
    expect(book.definedNames.getRanges("Rate").ranges).toEqual(["Cells!$B$2"]);
  });

  it("is read by SheetJS with the same cells, formulas, formats, widths and merged areas", () => {
    const book = SheetJS.read(saved, { cellFormula: true, cellNF: true, cellStyles: true });
    expect(book.SheetNames).toEqual(["Cells", "O'Brien & Co"]);
    const sheet = book.Sheets["Cells"]!;
    const seen = (address: string) => {
      const cell = sheet[address] as SheetJS.CellObject;
      return [cell.t, cell.v];
    };
    expect(["A1", "A2", "B2", "C2", "A3", "B3"].map(seen)).toEqual([
      ["s", "Name"],
      ["s", text],
      ["n", 1234.5],
      ["n", 46112],
      ["s", "=not a formula"],
      ["b", true],
    ]);
    expect(sheet["C3"]).toMatchObject({ t: "e", w: "#N/A" });
    expect([sheet["A4"].f, sheet["B4"].f, sheet["B4"].v]).toEqual([
      ...["SUM(B2,1)*2", '_xldudf_REGDATA_VALUE("06001","t1")', "kept"],
    ]);
    expect([sheet["A5"].F, sheet["A6"].v]).toEqual(["A5:A6", 2]);
    expect([sheet["B2"].z, sheet["C2"].z]).toEqual(['"$"#,##0.00', "m/d/yy"]);
    expect(sheet["!cols"]!.slice(0, 2).map((column) => column.width)).toEqual([24, 24]);
    expect(sheet["!merges"]).toEqual([{ s: { r: 8, c: 0 }, e: { r: 9, c: 2 } }]);
    expect(sheet["!ref"]).toBe("A1:C6");
  });

  it("is read by the module itself as it was made", () => {
    const file = openWorkbookFile(saved);
    expect(
      file
        .customFunctions("REGDATA")
        .map(({ shownText, state, cachedValue }) => [shownText, state, cachedValue]),
    ).toEqual([
      ['REGDATA.VALUE("06001","t1")', "live", "kept"],
      ["REGDATA.LIST()", "spilled", 1],
    ]);
    expect(file.customXmlParts).toMatchObject([{ namespace: "urn:example" }]);
    expect(file.webExtensions).toMatchObject([
      { properties: { setting: '"a"' }, customFunctionIds: ["_xldudf_REGDATA_VALUE"] },
    ]);
  });
});

/** The cells of all sheets, without blank ones. */
const valuesOf = (bytes: Uint8Array) =>
  openWorkbookFile(bytes).sheets.flatMap((sheet) =>
    [...sheet.cells()]
      .filter(({ value }) => value !== null)
      .map(({ row, column, value, formula }) => [row, column, value, formula?.text]),
  );

describe("a workbook that another library wrote", () => {
  async function byExcelJS(): Promise<Uint8Array> {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet("One", { views: [{ state: "frozen", xSplit: 1, ySplit: 1 }] });
    sheet.addRow(["Name", "Value"]);
    sheet.addRow(["a", 1.5]);
    sheet.addRow([
      { richText: [{ text: "b" }, { text: "old", font: { bold: true } }] },
      { formula: "B2*2", result: 3 },
    ]);
    sheet.fillFormula("C1:C3", "B1+1", [1, 2, 3]);
    sheet.getCell("A5").note = "a comment";
    sheet.getCell("A6").dataValidation = { type: "list", formulae: ['"x,y"'] };
    sheet.addConditionalFormatting({
      ref: "B1:B3",
      rules: [
        {
          type: "cellIs",
          operator: "greaterThan",
          formulae: [1],
          priority: 1,
          style: { font: { bold: true } },
        },
      ],
    });
    const image = book.addImage({ base64: "iVBORw0KGgo=", extension: "png" });
    sheet.addImage(image, "E1:F2");
    await sheet.protect("secret", {});
    return new Uint8Array((await book.xlsx.writeBuffer()) as ArrayBuffer);
  }

  const bySheetJS = () => {
    const book = SheetJS.utils.book_new();
    const sheet = SheetJS.utils.aoa_to_sheet([
      ["Name", "Value"],
      ["a", 1.5],
      [null, true],
    ]);
    SheetJS.utils.book_append_sheet(book, sheet, "One");
    return new Uint8Array(SheetJS.write(book, { type: "array", bookType: "xlsx" }) as ArrayBuffer);
  };

  it("is read with its values and formulas", async () => {
    expect(valuesOf(await byExcelJS())).toEqual([
      ...[
        [0, 0, "Name", undefined],
        [0, 1, "Value", undefined],
        [0, 2, 1, "B1+1"],
      ],
      ...[
        [1, 0, "a", undefined],
        [1, 1, 1.5, undefined],
        [1, 2, 2, "B2+1"],
      ],
      ...[
        [2, 0, "bold", undefined],
        [2, 1, 3, "B2*2"],
        [2, 2, 3, "B3+1"],
      ],
    ]);
    expect(openWorkbookFile(await byExcelJS()).sheets[0]).toMatchObject({
      isProtected: true,
      frozen: { rows: 1, columns: 1 },
    });
    expect(valuesOf(bySheetJS())).toEqual([
      ...[
        [0, 0, "Name", undefined],
        [0, 1, "Value", undefined],
      ],
      ...[
        [1, 0, "a", undefined],
        [1, 1, 1.5, undefined],
        [2, 1, true, undefined],
      ],
    ]);
  });

  it("keeps all but the changed sheet, and the other library reads it again", async () => {
    for (const before of [await byExcelJS(), bySheetJS()]) {
      const file = openWorkbookFile(before);
      file.sheets[0]!.setCells([{ row: 1, column: 1, value: "changed" }]);
      const after = file.save();
      expect(changedParts(before, after)).toEqual(["xl/worksheets/sheet1.xml"]);
      const book = new ExcelJS.Workbook();
      await book.xlsx.load(after as never);
      expect(book.worksheets[0]!.getCell("B2").value).toBe("changed");
      expect(book.worksheets[0]!.getCell("A2").value).toBe("a");
      expect(SheetJS.read(after).Sheets["One"]!["B2"].v).toBe("changed");
    }
  });
});
