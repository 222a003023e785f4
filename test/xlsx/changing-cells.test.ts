import { describe, expect, it } from "vitest";
import { type CellChange, newWorkbookFile, openWorkbookFile } from "../../xlsx/workbook-file";
import { changedParts, partsOf, relationships, sheetXml, workbookBytes } from "./hand-made";

const sheetPart = "xl/worksheets/sheet1.xml";

/** The rows of the first sheet after changes. */
function rowsAfter(
  rows: string,
  changes: CellChange[],
  more: Partial<Parameters<typeof workbookBytes>[0]> = {},
): string {
  const file = openWorkbookFile(workbookBytes({ sheets: { One: sheetXml(rows) }, ...more }));
  file.sheets[0]!.setCells(changes);
  return /<sheetData\/?>(.*)(?:<\/sheetData>)|$/s.exec(partsOf(file.save())[sheetPart]!)?.[1] ?? "";
}

describe("changing cells", () => {
  it("replaces one cell and leaves each other byte of the sheet as it is", () => {
    const rows =
      '<row r="1" spans="1:3" ht="20"  customHeight="1"><c r="A1" s="0"><v>1</v></c><!-- kept --><c r="B1"><v>2</v></c>\n<c r=\'C1\'><v>3</v></c></row>' +
      '<row r="2"><c r="A2"><f>A1*2</f><v>2</v></c></row>';
    expect(rowsAfter(rows, [{ row: 0, column: 1, value: 5 }])).toBe(rows.replace("<v>2</v>", "<v>5</v>"));
  });

  it("marks a formula to be calculated on opening, and changes neither it nor its result", () => {
    const rows =
      '<row r="1"><c r="A1" s="0" t="str"><f t="shared" ref="A1:A2" si="0">B1&amp;"x"</f><v>x</v></c><c r="C1"><v>3</v></c></row>' +
      '<row r="2"><c r="A2"><f t="shared" si="0"/><v>2</v></c></row>' +
      '<row r="3"><c r="A3"><f aca="1" ca="1">NOW()</f><v>3</v></c></row>';
    const marked = rows.replace('si="0">', 'si="0" ca="1">').replace('si="0"/>', 'si="0" ca="1"/>');
    const marks = [0, 1, 2].map((row) => ({ row, column: 0, calculateOnOpening: true }));
    expect(rowsAfter(rows, [...marks, { row: 0, column: 2, calculateOnOpening: true }])).toBe(
      marked.replace(' s="0"', ""),
    );
    expect(rowsAfter(rows, [{ row: 2, column: 0, calculateOnOpening: false }])).toContain(
      '<f aca="1">NOW()</f><v>3</v>',
    );
    const file = openWorkbookFile(workbookBytes({ sheets: { One: sheetXml(rows) } }));
    const marksOf = () =>
      [...file.sheets[0]!.cells()].map(({ formula }) => formula && formula.calculatesOnOpening === true);
    expect(marksOf()).toEqual([false, undefined, false, true]);
  });

  it("marks a formula that is new", () => {
    expect(
      rowsAfter('<row r="1"><c r="A1" t="e"><f>REGDATA.VALUE(1)</f><v>#NAME?</v></c></row>', [
        {
          row: 0,
          column: 0,
          value: null,
          formula: { text: "_xldudf_REGDATA_VALUE(1)" },
          calculateOnOpening: true,
        },
      ]),
    ).toBe('<row r="1"><c r="A1" cm="1"><f t="array" ref="A1" ca="1">_xldudf_REGDATA_VALUE(1)</f></c></row>');
  });

  it("puts new cells and rows at their places and widens spans and dimension", () => {
    const file = openWorkbookFile(
      workbookBytes({
        sheets: {
          One: sheetXml('<row r="2" spans="2:2"><c r="B2"><v>1</v></c></row><row r="5"/>', {
            before: '<dimension ref="B2:B5"/>',
          }),
        },
      }),
    );
    file.sheets[0]!.setCells([
      { row: 1, column: 3, value: true },
      { row: 1, column: 0, value: 1.5 },
      { row: 0, column: 2, value: "x" },
      { row: 4, column: 1, value: 4 },
      { row: 7, column: 1, value: "#N/A", isError: true },
    ]);
    const xml = partsOf(file.save())[sheetPart]!;
    expect(xml).toContain('<dimension ref="A1:D8"/>');
    expect(xml).toContain(
      '<sheetData><row r="1"><c r="C1" t="inlineStr"><is><t>x</t></is></c></row>' +
        '<row r="2" spans="1:4"><c r="A2"><v>1.5</v></c><c r="B2"><v>1</v></c><c r="D2" t="b"><v>1</v></c></row>' +
        '<row r="5"><c r="B5"><v>4</v></c></row><row r="8"><c r="B8" t="e"><v>#N/A</v></c></row></sheetData>',
    );
  });

  it.each([
    ['<row r="1"><c r="A1"><v>1</v></c></row>', "A1:C3"],
    ["", "C3"],
  ])("widens the dimension A1 of a sheet with the cells %j to %s", (rows, dimension) => {
    const file = openWorkbookFile(
      workbookBytes({ sheets: { One: sheetXml(rows, { before: '<dimension ref="A1"/>' }) } }),
    );
    file.sheets[0]!.setCells([{ row: 2, column: 2, value: 9 }]);
    expect(partsOf(file.save())[sheetPart]).toContain(`<dimension ref="${dimension}"/>`);
  });

  it("puts the rows and cells of a changed sheet in order, because a file must have them so", () => {
    const rows =
      '<row r="2" ht="30"><c r="B2"><v>22</v></c><c r="A2"><v>21</v></c></row><row r="1" spans="1:1"><c r="A1"><v>11</v></c></row>' +
      '<row r="1"><c r="C1" s="0"><v>13</v></c></row>';
    expect(rowsAfter(rows, [{ row: 0, column: 1, value: 12 }])).toBe(
      '<row r="1"><c r="A1"><v>11</v></c><c r="B1"><v>12</v></c><c r="C1" s="0"><v>13</v></c></row>' +
        '<row r="2" ht="30"><c r="A2"><v>21</v></c><c r="B2"><v>22</v></c></row>',
    );
    expect(rowsAfter(rows, [])).toBe(rows);
  });

  it("leaves rows as they are whose places stand behind other attributes, as LibreOffice used to write them", () => {
    const rows =
      '<row collapsed="false" hidden="false" ht="12.1" r="1"><c s="0" r="A1" t="n"><v>1</v></c><c s="0" r="C1"><v>3</v></c></row>' +
      '<row collapsed="false" ht="12.1" r="3"><c s="0" r="A3"><v>4</v></c></row>';
    expect(
      rowsAfter(rows, [
        { row: 0, column: 1, value: 2 },
        { row: 1, column: 0, value: 5 },
      ]),
    ).toBe(
      rows
        .replace('<c s="0" r="C1">', '<c r="B1"><v>2</v></c>$&')
        .replace('<row collapsed="false" ht', '<row r="2"><c r="A2"><v>5</v></c></row>$&'),
    );
  });

  it("fills a sheet that has no cells", () => {
    const bytes = workbookBytes({
      sheets: { One: sheetXml("").replace("<sheetData></sheetData>", "<sheetData/>"), Two: sheetXml("") },
    });
    const file = openWorkbookFile(bytes);
    file.sheets[0]!.setCells([{ row: 1, column: 1, value: 1 }]);
    file.sheets[1]!.setCells([{ row: 0, column: 0, value: 2 }]);
    const parts = partsOf(file.save());
    expect(parts[sheetPart]).toContain('<sheetData><row r="2"><c r="B2"><v>1</v></c></row></sheetData>');
    expect(parts["xl/worksheets/sheet2.xml"]).toContain(
      '<sheetData><row r="1"><c r="A1"><v>2</v></c></row></sheetData>',
    );
  });

  it("gives places to cells and rows that had none, so that a new cell moves no other", () => {
    const rows = "<row><c><v>1</v></c><c><v>2</v></c></row>";
    const changes = [
      { row: 0, column: 0, value: null },
      { row: 0, column: 2, value: 3 },
    ];
    expect(rowsAfter(rows, changes)).toBe('<row r="1"><c r="B1"><v>2</v></c><c r="C1"><v>3</v></c></row>');
  });

  it("clears a value and keeps its format, and removes the element if there is none", () => {
    const rows = '<row r="1"><c r="A1" s="1"><v>1</v></c><c r="B1"><v>2</v></c></row>';
    const styles =
      '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf/><xf numFmtId="9"/></cellXfs></styleSheet>';
    const cleared = [0, 1].map((column) => ({ row: 0, column, value: null }));
    expect(rowsAfter(rows, cleared, { styles })).toBe('<row r="1"><c r="A1" s="1"/></row>');
  });

  it.each([
    ["=1+1", "=1+1", ""],
    [" a\n", " a\n", ' xml:space="preserve"'],
    ["<b> & ]]>", "&lt;b&gt; &amp; ]]&gt;", ""],
    ["bell\u0007", "bell_x0007_", ""],
    ["a\r\nb", "a_x000D_\nb", ' xml:space="preserve"'],
    ["_x0041_", "_x005F_x0041_", ""],
    ["half \ud800", "half \ufffd", ""],
  ])("writes the text %j so that it is read as the same text", (text, content, attribute) => {
    const file = newWorkbookFile(["One"]);
    file.sheets[0]!.setCells([{ row: 0, column: 0, value: text }]);
    const saved = file.save();
    expect(partsOf(saved)[sheetPart]).toContain(
      `<c r="A1" t="inlineStr"><is><t${attribute}>${content}</t></is></c>`,
    );
    const [cell] = openWorkbookFile(saved).sheets[0]!.cells();
    expect(cell?.value).toBe(text.replace("\ud800", "\ufffd"));
    expect(cell?.formula).toBeUndefined();
  });

  it("keeps a formula if only its result changes, and its value if only the formula goes", () => {
    const rows =
      '<row r="1"><c r="A1" t="str" cm="1"><f t="array" aca="1" ref="A1" ca="1">_xldudf_X_Y(1)</f><v>old</v></c></row>';
    expect(rowsAfter(rows, [{ row: 0, column: 0, value: 7 }])).toBe(
      '<row r="1"><c r="A1" cm="1"><f t="array" aca="1" ref="A1" ca="1">_xldudf_X_Y(1)</f><v>7</v></c></row>',
    );
    expect(rowsAfter(rows, [{ row: 0, column: 0, formula: null }])).toBe(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>old</t></is></c></row>',
    );
  });

  it("hands a shared formula on when its first cell changes", () => {
    const rows =
      '<row r="1"><c r="B1"><f t="shared" ref="B1:B3" si="0">A1&lt;2</f><v>1</v></c></row>' +
      '<row r="2"><c r="B2" t="b"><f t="shared" si="0"/><v>0</v></c></row><row r="3"><c r="B3" t="b"><f t="shared" si="0"/><v>0</v></c></row>';
    expect(rowsAfter(rows, [{ row: 0, column: 1, value: 5, formula: null }])).toBe(
      '<row r="1"><c r="B1"><v>5</v></c></row>' +
        '<row r="2"><c r="B2" t="b"><f>A2&lt;2</f><v>0</v></c></row><row r="3"><c r="B3" t="b"><f>A3&lt;2</f><v>0</v></c></row>',
    );
  });

  it("writes a custom function as a formula that spills, with the metadata that Excel wants, and drops the calculation chain", () => {
    const bytes = workbookBytes({
      sheets: { One: sheetXml('<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>') },
      related: [["rId30", "calcChain", "calcChain.xml"]],
      types: {
        "xl/calcChain.xml": "application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml",
      },
      parts: { "xl/calcChain.xml": '<calcChain><c r="A1" i="1"/></calcChain>' },
    });
    const file = openWorkbookFile(bytes);
    file.sheets[0]!.setCells([
      ...[{ row: 0, column: 1, value: "x", formula: { text: '_xldudf_CONTOSO_GET("a")' } }],
      {
        ...{ row: 1, column: 0, value: 1 },
        formula: { text: "_xldudf_CONTOSO_LIST()", area: { row: 1, column: 0, rows: 2, columns: 1 } },
      },
      { row: 2, column: 0, value: 2 },
      { row: 3, column: 0, value: 3, formula: { text: "SUM(A2:A3)" } },
    ]);
    const saved = file.save();
    const parts = partsOf(saved);
    expect(parts[sheetPart]).toContain(
      '<c r="B1" t="str" cm="1"><f t="array" ref="B1">_xldudf_CONTOSO_GET("a")</f><v>x</v></c></row>' +
        '<row r="2"><c r="A2" cm="1"><f t="array" ref="A2:A3">_xldudf_CONTOSO_LIST()</f><v>1</v></c></row>' +
        '<row r="3"><c r="A3"><v>2</v></c></row><row r="4"><c r="A4"><f>SUM(A2:A3)</f><v>3</v></c></row>',
    );
    expect(parts["xl/metadata.xml"]).toContain(
      '<cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata>',
    );
    expect(parts["xl/metadata.xml"]).toContain('fDynamic="1" fCollapsed="0"');
    expect(parts["xl/_rels/workbook.xml.rels"]).toMatch(
      /relationships\/sheetMetadata" Target="metadata\.xml"/,
    );
    expect(parts["[Content_Types].xml"]).toContain('PartName="/xl/metadata.xml"');
    for (const text of [parts["xl/_rels/workbook.xml.rels"], parts["[Content_Types].xml"]]) {
      expect(text).not.toContain("calcChain");
    }
    expect(parts["xl/calcChain.xml"]).toBeUndefined();
    expect(
      openWorkbookFile(saved)
        .customFunctions("contoso")
        .map(({ state }) => state),
    ).toEqual(["live", "spilled"]);
  });

  it("adds to metadata that a workbook has for other purposes", () => {
    const metadata =
      '<metadata xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><metadataTypes count="1"><metadataType name="XLRICHVALUE" copy="1"/></metadataTypes>' +
      '<futureMetadata name="XLRICHVALUE" count="1"><bk><extLst/></bk></futureMetadata><valueMetadata count="1"><bk><rc t="1" v="0"/></bk></valueMetadata></metadata>';
    const file = openWorkbookFile(
      workbookBytes({
        sheets: { One: sheetXml('<row r="1"><c r="A1" vm="1" t="e"><v>#VALUE!</v></c></row>') },
        related: [["rId30", "sheetMetadata", "metadata.xml"]],
        parts: { "xl/metadata.xml": metadata },
      }),
    );
    file.sheets[0]!.setCells([{ row: 0, column: 1, value: 1, formula: { text: "_xldudf_X_Y()" } }]);
    const parts = partsOf(file.save());
    expect(parts[sheetPart]).toContain('<c r="A1" vm="1" t="e"><v>#VALUE!</v></c><c r="B1" cm="1">');
    expect(parts["xl/metadata.xml"]).toMatch(
      /<metadataTypes count="2"><metadataType name="XLRICHVALUE" copy="1"\/><metadataType name="XLDAPR".*<futureMetadata name="XLRICHVALUE".*<futureMetadata name="XLDAPR".*<cellMetadata count="1"><bk><rc t="2" v="0"\/><\/bk><\/cellMetadata><valueMetadata/s,
    );
  });

  it("reads a change before it is saved, and joins two changes of a cell", () => {
    const file = newWorkbookFile(["One"]);
    const [sheet] = file.sheets;
    sheet!.setCells([{ row: 0, column: 0, value: "a" }]);
    sheet!.setCells([{ row: 0, column: 0, formula: { text: '"a"' } }]);
    expect([...sheet!.cells()]).toMatchObject([{ value: "a", formula: { text: '"a"' } }]);
    sheet!.setCells([{ row: 0, column: 0, value: "b" }]);
    expect([...sheet!.cells()]).toMatchObject([{ value: "b", formula: { text: '"a"' } }]);
  });

  it.each([
    [{ row: -1, column: 0, value: 1 }],
    [{ row: 1_048_576, column: 0, value: 1 }],
    [{ row: 0, column: 16_384, value: 1 }],
    [{ row: 0, column: 0, value: Number.NaN }],
    [{ row: 0, column: 0, value: "x".repeat(32_768) }],
    [{ row: 0, column: 0, value: "no error", isError: true }],
    [{ row: 0, column: 0, formula: { text: "" } }],
    [{ row: 0, column: 0, style: 9 }],
  ])("refuses the change %# that no cell can hold", (change) => {
    expect(() => newWorkbookFile(["One"]).sheets[0]!.setCells([change])).toThrow(RangeError);
  });

  it("writes with the prefix that a sheet's elements have", () => {
    const file = openWorkbookFile(
      workbookBytes({
        sheets: {
          One: '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData/></x:worksheet>',
        },
      }),
    );
    const [sheet] = file.sheets;
    sheet!.setCells([{ row: 0, column: 0, value: "a" }]);
    sheet!.setMerged([{ row: 0, column: 0, rows: 2, columns: 1 }]);
    const xml = partsOf(file.save())[sheetPart];
    expect(xml).toContain(
      '<x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c></x:row></x:sheetData>',
    );
    expect(xml).toContain(
      '</x:sheetData><x:mergeCells count="1"><x:mergeCell ref="A1:A2"/></x:mergeCells></x:worksheet>',
    );
  });
});

/** A workbook with one part of each kind that the module does not know. */
function richWorkbook(): Uint8Array {
  const binary = Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) & 0xff);
  return workbookBytes({
    sheets: {
      Data: sheetXml('<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="s"><v>0</v></c></row>', {
        after:
          '<conditionalFormatting sqref="A1"><cfRule type="cellIs" dxfId="0" priority="1" operator="greaterThan"><formula>1</formula></cfRule></conditionalFormatting>' +
          '<dataValidations count="1"><dataValidation type="list" sqref="B1"><formula1>"a,b"</formula1></dataValidation></dataValidations>' +
          '<pageSetup r:id="rId1"/><drawing r:id="rId2"/><legacyDrawing r:id="rId3"/>' +
          '<extLst><ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}"><x14:sparklineGroups xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"/></ext></extLst>',
      }),
      Other: sheetXml('<row r="1"><c r="A1" t="s"><v>0</v></c></row>'),
    },
    sharedStrings: "<si><t>shared</t></si>",
    related: [
      ["rId40", "http://schemas.microsoft.com/office/2006/relationships/vbaProject", "vbaProject.bin"],
      ["rId41", "externalLink", "externalLinks/externalLink1.xml"],
      ["rId42", "pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"],
    ],
    parts: {
      "xl/worksheets/_rels/sheet1.xml.rels": relationships(
        ["rId1", "printerSettings", "../printerSettings/printerSettings1.bin"],
        ["rId2", "drawing", "../drawings/drawing1.xml"],
        ["rId3", "vmlDrawing", "../drawings/vmlDrawing1.vml"],
        ["rId4", "comments", "../comments1.xml"],
      ),
      "xl/printerSettings/printerSettings1.bin": binary,
      "xl/drawings/drawing1.xml": "<xdr:wsDr xmlns:xdr='urn:x'/>",
      "xl/drawings/_rels/drawing1.xml.rels": relationships(["rId1", "chart", "../charts/chart1.xml"]),
      "xl/charts/chart1.xml": "<c:chartSpace xmlns:c='urn:c'>\r\n</c:chartSpace>",
      "xl/drawings/vmlDrawing1.vml": "<xml><br></xml>",
      "xl/comments1.xml": "<comments><commentList/></comments>",
      "xl/vbaProject.bin": binary.toReversed(),
      "xl/externalLinks/externalLink1.xml": "<externalLink/>",
      "xl/externalLinks/_rels/externalLink1.xml.rels": relationships([
        "rId1",
        "externalLinkPath",
        "file:///C:/b.xlsx",
        "External",
      ]),
      "xl/pivotCache/pivotCacheDefinition1.xml": "<pivotCacheDefinition/>",
      "xl/strange.part": "anything & not XML",
      "docProps/thumbnail.jpeg": binary.subarray(0, 999),
    },
  });
}

describe("parts that the module does not know", () => {
  it("are unchanged, byte for byte, when a cell, a width, a merged area and a link change", () => {
    const before = richWorkbook();
    const file = openWorkbookFile(before);
    const [sheet] = file.sheets;
    sheet!.setCells([{ row: 0, column: 1, value: "new" }]);
    const saved = file.save();
    expect(changedParts(before, saved)).toEqual([sheetPart]);
    expect(partsOf(saved)[sheetPart]).toBe(
      partsOf(before)[sheetPart]!.replace(
        '<c r="B1" t="s"><v>0</v></c>',
        '<c r="B1" t="inlineStr"><is><t>new</t></is></c>',
      ),
    );
    sheet!.setColumnWidths([{ column: 0, columns: 1, width: 30, isHidden: false }]);
    sheet!.setMerged([{ row: 4, column: 0, rows: 1, columns: 2 }]);
    sheet!.setHyperlinks([
      {
        area: { row: 0, column: 0, rows: 1, columns: 1 },
        target: "https://example.com/",
        location: null,
        tooltip: null,
      },
    ]);
    expect(changedParts(before, file.save())).toEqual(["xl/worksheets/_rels/sheet1.xml.rels", sheetPart]);
    const order = [
      ...partsOf(file.save())[sheetPart]!.matchAll(
        /<(cols|sheetData|mergeCells|conditionalFormatting|dataValidations|hyperlinks|pageSetup|extLst)[ >]/g,
      ),
    ];
    expect(order.map(([, name]) => name)).toEqual([
      ...[
        "cols",
        "sheetData",
        "mergeCells",
        "conditionalFormatting",
        "dataValidations",
        "hyperlinks",
        "pageSetup",
        "extLst",
      ],
    ]);
  });

  it("keep their compressed bytes, dates and order in the zip", () => {
    const before = richWorkbook();
    expect(openWorkbookFile(before).save()).toEqual(before);
  });

  it("stay with other sheets when one is removed, and go with it if they were its own", () => {
    const file = openWorkbookFile(richWorkbook());
    file.removeSheet(file.sheets[0]!);
    const names = Object.keys(partsOf(file.save()));
    expect(names).toContain("xl/vbaProject.bin");
    expect(names).toContain("xl/worksheets/sheet2.xml");
    for (const gone of [sheetPart, "xl/drawings/drawing1.xml", "xl/charts/chart1.xml", "xl/comments1.xml"]) {
      expect(names).not.toContain(gone);
    }
    expect(file.sheets.map(({ name }) => name)).toEqual(["Other"]);
  });
});
