import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { foundCalls } from "../../xlsx/formulas/found-calls";
import { openWorkbookFile } from "../../xlsx/workbook-file";
import { partsOf, relationships, sheetXml, workbookBytes, workbookParts, zipped } from "./hand-made";

/** The cells of the first sheet, with their addresses as row and column numbers. */
function cellsOf(rows: string, more: Partial<Parameters<typeof workbookBytes>[0]> = {}) {
  const file = openWorkbookFile(workbookBytes({ sheets: { One: sheetXml(rows) }, ...more }));
  return [...file.sheets[0]!.cells(["CONTOSO"])];
}

describe("reading the cells of a file", () => {
  it("reads numbers, booleans, errors, texts of formulas, and blank cells with a format", () => {
    const cells = cellsOf(
      '<row r="1"><c r="A1"><v>1.5E-3</v></c><c r="B1" t="b"><v>1</v></c><c r="C1" t="e"><v>#N/A</v></c>' +
        '<c r="D1" t="str"><f>A1&amp;"x"</f><v>0.0015x</v></c><c r="F1" s="0"/></row>',
    );
    expect(cells).toEqual([
      { row: 0, column: 0, value: 0.0015, isError: false, style: 0 },
      { row: 0, column: 1, value: true, isError: false, style: 0 },
      { row: 0, column: 2, value: "#N/A", isError: true, style: 0 },
      {
        ...{ row: 0, column: 3, value: "0.0015x", isError: false, style: 0 },
        formula: { text: 'A1&"x"', shown: 'A1&"x"', isArray: false, isDynamic: false },
      },
      { row: 0, column: 5, value: null, isError: false, style: 0 },
    ]);
  });

  it("reads shared and inline texts, joins their formats, leaves phonetic hints out and decodes escapes", () => {
    const cells = cellsOf(
      '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c>' +
        '<c r="D2" t="inlineStr"><is><t xml:space="preserve"> in </t></is></c>' +
        '<c r="E2" t="inlineStr"><is><r><t>a</t></r><r><rPr><b/></rPr><t>b</t></r></is></c></row>',
      {
        sharedStrings:
          "<si><t>plain &lt;&amp;</t></si>" +
          '<si><r><t>bold </t></r><r><rPr><b/></rPr><t xml:space="preserve">and not</t></r><rPh sb="0" eb="1"><t>hint</t></rPh></si>' +
          "<si><t>line_x000D_ _x005F_x0041_ _x0007_</t></si>",
      },
    );
    expect(cells.map(({ value }) => value)).toEqual([
      "plain <&",
      "bold and not",
      "line\r _x0041_ \u0007",
      " in ",
      "ab",
    ]);
  });

  it("reads what other programs write: an index of no text as a blank, booleans as words, and what is no number as a text", () => {
    const cells = cellsOf(
      '<row r="1"><c r="A1" t="s"><v></v></c><c r="B1" t="s"><v/></c><c r="C1" t="s"><v>-1</v></c><c r="D1" t="s"><v>9</v></c>' +
        '<c r="E1" t="s"><v>1</v></c><c r="F1" t="s"><v>0</v></c></row>' +
        '<row r="2"><c r="A2" t="b"><v>TRUE</v></c><c r="B2" t="b"><v>true</v></c><c r="C2" t="b"><v>False</v></c></row>' +
        '<row r="3"><c r="A3"><v>NaN</v></c><c r="B3"><v>INF</v></c><c r="C3"><v>28.01.2007</v></c><c r="D3"><v>7</v></c></row>',
      { sharedStrings: "<si><t>first</t></si><si><t></t></si>" },
    );
    expect(cells.map(({ value }) => value)).toEqual([
      ...[null, null, null, null, "", "first"],
      ...[true, true, false],
      ...["NaN", "INF", "28.01.2007", 7],
    ]);
  });

  it("reads an error that is newer than the file format by the value behind it, and finds formulas that are stuck at it", () => {
    const rich = "http://schemas.microsoft.com/office/spreadsheetml/2017/richdata";
    const bytes = workbookBytes({
      sheets: {
        One: sheetXml(
          '<row r="1"><c r="A1" t="e" vm="1"><f>_xldudf_CONTOSO_ADD(1)</f><v>#VALUE!</v></c>' +
            '<c r="B1" t="e" vm="2"><v>#VALUE!</v></c><c r="C1" t="e"><v>#VALUE!</v></c><c r="D1" t="e" vm="9"><v>#VALUE!</v></c></row>',
        ),
      },
      parts: {
        "xl/metadata.xml":
          `<metadata xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:xlrd="${rich}">` +
          '<metadataTypes count="1"><metadataType name="XLRICHVALUE" minSupportedVersion="120000"/></metadataTypes>' +
          '<futureMetadata name="XLRICHVALUE" count="2"><bk><extLst><ext uri="{3e2802c4-a4d2-4d8b-9148-e3be6c30e623}"><xlrd:rvb i="1"/></ext></extLst></bk>' +
          '<bk><extLst><ext uri="{3e2802c4-a4d2-4d8b-9148-e3be6c30e623}"><xlrd:rvb i="0"/></ext></extLst></bk></futureMetadata>' +
          '<valueMetadata count="2"><bk><rc t="1" v="0"/></bk><bk><rc t="1" v="1"/></bk></valueMetadata></metadata>',
        "xl/richData/rdrichvalue.xml": `<rvData xmlns="${rich}" count="2"><rv s="1"><v>0</v><v>8</v></rv><rv s="0"><v>14</v></rv></rvData>`,
        "xl/richData/rdrichvaluestructure.xml":
          `<rvStructures xmlns="${rich}" count="2"><s t="_error"><k n="errorType" t="i"/></s>` +
          '<s t="_error"><k n="colOffset" t="i"/><k n="errorType" t="i"/></s></rvStructures>',
      },
      related: [
        ["rId91", "sheetMetadata", "metadata.xml"],
        [
          "rId92",
          "http://schemas.microsoft.com/office/2017/06/relationships/rdRichValue",
          "richData/rdrichvalue.xml",
        ],
        [
          "rId93",
          "http://schemas.microsoft.com/office/2017/06/relationships/rdRichValueStructure",
          "richData/rdrichvaluestructure.xml",
        ],
      ],
    });
    const { sheets } = openWorkbookFile(bytes);
    expect([...sheets[0]!.cells()].map(({ value }) => value)).toEqual([
      "#BUSY!",
      "#SPILL!",
      "#VALUE!",
      "#VALUE!",
    ]);
    expect(foundCalls(sheets, "CONTOSO")).toMatchObject([{ state: "stuck", cachedValue: "#BUSY!" }]);
  });

  it.each([
    ["no relationship", '<sheet name="Module1" sheetId="9" state="veryHidden" r:id=""/>'],
    ["a relationship to no part", '<sheet name="Module1" sheetId="9" r:id="rId77"/>'],
  ])("reads the other sheets of a file in which a sheet has %s, and keeps its entry", (_, entry) => {
    const parts = workbookParts({
      sheets: { One: sheetXml('<row r="1"><c r="A1"><v>1</v></c></row>') },
      related: [["rId77", "worksheet", "worksheets/sheet77.xml"]],
    });
    parts["xl/workbook.xml"] = String(parts["xl/workbook.xml"]).replace("</sheets>", `${entry}</sheets>`);
    const file = openWorkbookFile(zipped(parts));
    expect(file.sheets.map(({ name }) => name)).toEqual(["One"]);
    expect(file.otherSheets).toEqual(["Module1"]);
    file.sheets[0]!.setCells([{ row: 0, column: 0, value: 2 }]);
    expect(partsOf(file.save())["xl/workbook.xml"]).toContain(entry);
  });

  it("reads rows and cells in any order, and of a cell that stands there twice the last one", () => {
    const cells = cellsOf(
      '<row r="3" ht="30" customHeight="1"><c r="C3"><v>33</v></c><c r="A3"><v>31</v></c></row>' +
        '<row r="1"><c r="A1"><v>0</v></c></row><row r="1"><c r="B1"><v>12</v></c></row><row r="1"><c r="A1"><v>11</v></c></row>' +
        '<row r="2"><c r="A4"><v>41</v></c><c><v>42</v></c></row><row r="0"><c><v>51</v></c></row>',
    );
    expect(cells.map(({ row, column, value }) => [row, column, value])).toEqual([
      ...[
        [0, 0, 11],
        [0, 1, 12],
        [2, 0, 31],
        [2, 2, 33],
      ],
      ...[
        [3, 0, 41],
        [3, 1, 42],
        [4, 0, 51],
      ],
    ]);
  });

  it("gives a cell that shares its formula that formula, if it comes before the cell that has it", () => {
    const rows =
      '<row r="1"><c r="A1"><f t="shared" si="0"/><v>1</v></c></row>' +
      '<row r="2"><c r="A2"><f t="shared" ref="A1:A2" si="0">B2*2</f><v>2</v></c></row>';
    expect(cellsOf(rows).map(({ formula }) => formula?.text)).toEqual(["B1*2", "B2*2"]);
    // The other cell keeps it when the one that has it gets another value.
    const file = openWorkbookFile(workbookBytes({ sheets: { One: sheetXml(rows) } }));
    file.sheets[0]!.setCells([{ row: 1, column: 0, formula: null, value: 5 }]);
    const [sheet] = openWorkbookFile(file.save()).sheets;
    expect([...sheet!.cells()].map(({ formula, value }) => [formula?.text, value])).toEqual([
      ["B1*2", 1],
      [undefined, 5],
    ]);
  });

  it("gives each cell of a shared formula its own, with references that go along and some that stay", () => {
    const cells = cellsOf(
      '<row r="1"><c r="C1"><f t="shared" ref="C1:C3" si="0">A1+$B$1+Sheet2!A1+SUM(A:A)+"A1"</f><v>1</v></c></row>' +
        '<row r="2"><c r="C2"><f t="shared" si="0"/><v>2</v></c></row><row r="3"><c r="C3"><f t="shared" si="0"/><v>3</v></c></row>',
    );
    expect(cells.map(({ formula }) => formula?.text)).toEqual([
      'A1+$B$1+Sheet2!A1+SUM(A:A)+"A1"',
      'A2+$B$1+Sheet2!A2+SUM(A:A)+"A1"',
      'A3+$B$1+Sheet2!A3+SUM(A:A)+"A1"',
    ]);
  });

  it("tells array formulas of the old kind from those that spill", () => {
    const cells = cellsOf(
      '<row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2*2</f><v>2</v></c>' +
        '<c r="C1" cm="2"><f t="array" ref="C1:D2">_xldudf_CONTOSO_LIST(1)</f><v>5</v></c></row>',
      {
        related: [["rId50", "sheetMetadata", "metadata.xml"]],
        parts: {
          "xl/metadata.xml":
            '<metadata xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
            '<metadataTypes count="2"><metadataType name="XLRICHVALUE"/><metadataType name="XLDAPR"/></metadataTypes>' +
            '<futureMetadata name="XLDAPR" count="1"><bk><extLst><ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}">' +
            '<d:dynamicArrayProperties xmlns:d="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray" fDynamic="1" fCollapsed="0"/>' +
            '</ext></extLst></bk></futureMetadata><cellMetadata count="2"><bk><rc t="1" v="0"/></bk><bk><rc t="2" v="0"/></bk></cellMetadata></metadata>',
        },
      },
    );
    expect(cells[0]!.formula).toEqual({
      ...{ text: "B1:B2*2", shown: "B1:B2*2", area: { row: 0, column: 0, rows: 2, columns: 1 } },
      ...{ isArray: true, isDynamic: false },
    });
    expect(cells[1]!.formula).toEqual({
      ...{ text: "_xldudf_CONTOSO_LIST(1)", shown: "CONTOSO.LIST(1)" },
      ...{ area: { row: 0, column: 2, rows: 2, columns: 2 }, isArray: true, isDynamic: true },
    });
  });

  it("reads cells and rows without references by their order", () => {
    const cells = cellsOf(
      '<row><c><v>1</v></c><c><v>2</v></c></row><row r="5"><c r="C5"><v>3</v></c><c><v>4</v></c></row>',
    );
    expect(cells.map(({ row, column, value }) => [row, column, value])).toEqual([
      [0, 0, 1],
      [0, 1, 2],
      [4, 2, 3],
      [4, 3, 4],
    ]);
  });

  it("reads ISO dates as days in both calendars", () => {
    const rows =
      '<row r="1"><c r="A1" t="d"><v>2026-03-31</v></c><c r="B1" t="d"><v>1900-02-28T12:00:00</v></c></row>';
    // 31 March 2026 is day 46,112 of Excel's calendar, and 28 February 1900 day 59.
    expect(cellsOf(rows).map(({ value }) => value)).toEqual([46112, 59.5]);
    const [first] = cellsOf('<row r="1"><c r="A1" t="d"><v>2026-03-31</v></c></row>', {
      beforeSheets: '<workbookPr date1904="1"/>',
    });
    expect(first!.value).toBe(46112 - 1462);
  });

  it("reads a workbook whose elements all have a prefix, and one in the strict dialect", () => {
    const prefixed = openWorkbookFile(
      zipped({
        ...workbookParts({ sheets: { One: "" } }),
        "xl/workbook.xml":
          '<x:workbook xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:q="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
          '<x:sheets><x:sheet name="One" sheetId="1" q:id="rId1"/></x:sheets></x:workbook>',
        "xl/worksheets/sheet1.xml":
          '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>' +
          '<x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>yes</x:t></x:is></x:c><x:c r="B1"><x:f>1+1</x:f><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      }),
    );
    expect([...prefixed.sheets[0]!.cells()].map(({ value }) => value)).toEqual(["yes", 2]);

    const strictType = "http://purl.oclc.org/ooxml/officeDocument/relationships";
    const strict = openWorkbookFile(
      zipped({
        ...workbookParts({ sheets: { One: "" } }),
        "_rels/.rels": relationships(["rId1", `${strictType}/officeDocument`, "xl/workbook.xml"]),
        "xl/_rels/workbook.xml.rels": relationships([
          "rId1",
          `${strictType}/worksheet`,
          "worksheets/sheet1.xml",
        ]),
        "xl/workbook.xml": `<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:r="${strictType}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        "xl/worksheets/sheet1.xml":
          '<worksheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><sheetData><row r="1"><c r="A1"><v>7</v></c></row></sheetData></worksheet>',
      }),
    );
    expect([...strict.sheets[0]!.cells()].map(({ value }) => value)).toEqual([7]);
  });

  it("reads a part in the encoding that it declares, and writes it in UTF-8", () => {
    const xml = sheetXml(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>Caf\u00e9</t></is></c><c r="B1"><v>1</v></c></row>',
    );
    const latin1 = Uint8Array.from(xml.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"'), (character) =>
      character.charCodeAt(0),
    );
    const parts = workbookParts({ sheets: { One: "" } });
    parts["xl/worksheets/sheet1.xml"] = latin1;
    const file = openWorkbookFile(zipped(parts));
    expect([...file.sheets[0]!.cells()].map(({ value }) => value)).toEqual(["Café", 1]);
    file.sheets[0]!.setCells([{ row: 0, column: 1, value: 2 }]);
    const saved = file.save();
    expect(partsOf(saved)["xl/worksheets/sheet1.xml"]).toMatch(/^<\?xml [^>]*encoding="UTF-8"[^>]*>/);
    expect([...openWorkbookFile(saved).sheets[0]!.cells()].map(({ value }) => value)).toEqual(["Café", 2]);
  });

  it("reads a part in UTF-16", () => {
    const xml = sheetXml('<row r="1"><c r="A1" t="inlineStr"><is><t>Ä</t></is></c></row>').replace(
      "UTF-8",
      "UTF-16",
    );
    const bytes = new Uint8Array(2 + xml.length * 2);
    bytes.set([0xff, 0xfe]);
    [...xml].forEach((character, index) => {
      bytes[2 + index * 2] = character.charCodeAt(0) & 0xff;
      bytes[3 + index * 2] = character.charCodeAt(0) >> 8;
    });
    const file = openWorkbookFile(
      workbookBytes({ sheets: { One: "" }, parts: { "xl/worksheets/sheet1.xml": bytes } }),
    );
    expect([...file.sheets[0]!.cells()].map(({ value }) => value)).toEqual(["Ä"]);
  });
});

describe("reading a zip", () => {
  it("whose sizes and places stand in fields of 64 bits, as streaming writers make it", () => {
    const parts = Object.entries(
      workbookParts({ sheets: { One: sheetXml('<row r="1"><c r="A1"><v>5</v></c></row>') } }),
    );
    const pieces: Uint8Array[] = [];
    const directory: Uint8Array[] = [];
    let offset = 0;
    const record = (length: number, name: string, write: (view: DataView) => void) => {
      const bytes = new Uint8Array(length + name.length);
      write(new DataView(bytes.buffer));
      return bytes;
    };
    for (const [name, text] of parts) {
      const content = new TextEncoder().encode(String(text));
      // The checksum is taken from a zip of the same content that fflate makes.
      const crc = new DataView(zipSync({ a: [content, { level: 0 }] }).buffer).getUint32(14, true);
      const head = record(30, name, (view) => {
        view.setUint32(0, 0x04034b50, true);
        view.setUint16(26, name.length, true);
      });
      head.set(new TextEncoder().encode(name), 30);
      const entry = record(46 + 28, name, (view) => {
        view.setUint32(0, 0x02014b50, true);
        view.setUint32(16, crc, true);
        for (const at of [20, 24, 42]) view.setUint32(at, 0xffffffff, true);
        view.setUint16(28, name.length, true);
        view.setUint16(30, 28, true);
        view.setUint16(46 + name.length, 1, true);
        view.setUint16(48 + name.length, 24, true);
        for (const [index, value] of [content.length, content.length, offset].entries()) {
          view.setUint32(50 + name.length + index * 8, value, true);
        }
      });
      entry.set(new TextEncoder().encode(name), 46);
      pieces.push(head, content);
      directory.push(entry);
      offset += head.length + content.length;
    }
    const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
    const end = record(56 + 20 + 22, "", (view) => {
      view.setUint32(0, 0x06064b50, true);
      view.setUint32(32, parts.length, true);
      view.setUint32(40, directoryBytes, true);
      view.setUint32(48, offset, true);
      view.setUint32(56, 0x07064b50, true);
      view.setUint32(64, offset + directoryBytes, true);
      view.setUint32(76, 0x06054b50, true);
      view.setUint16(86, 0xffff, true);
      view.setUint32(92, 0xffffffff, true);
    });
    const all = [...pieces, ...directory, end];
    const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
    all.reduce((at, piece) => (bytes.set(piece, at), at + piece.length), 0);
    const file = openWorkbookFile(bytes);
    expect([...file.sheets[0]!.cells()].map(({ value }) => value)).toEqual([5]);
    // The saved file has fields of 32 bits, which every reader understands.
    expect(Object.keys(partsOf(file.save()))).toEqual(parts.map(([name]) => name));
  });
});

describe("reading a sheet's properties", () => {
  const file = openWorkbookFile(
    workbookBytes({
      sheets: {
        First: sheetXml(
          '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row><row r="2" hidden="1"/><row r="4" hidden="true"><c r="A4"><v>1</v></c></row>',
          {
            before:
              '<sheetViews><sheetView workbookViewId="0"><pane xSplit="1" ySplit="2" topLeftCell="B3" activePane="bottomRight" state="frozen"/></sheetView></sheetViews>' +
              '<cols><col min="1" max="2" width="20.5" customWidth="1"/><col min="5" max="5" width="9" hidden="1"/></cols>',
            after:
              '<sheetProtection sheet="1"/><mergeCells count="1"><mergeCell ref="B2:C3"/></mergeCells>' +
              '<hyperlinks><hyperlink ref="A1" r:id="rId1" tooltip="Go"/><hyperlink ref="B1:C1" location="Second!A1"/></hyperlinks>' +
              '<tableParts count="1"><tablePart r:id="rId2"/></tableParts>',
          },
        ),
        Second: sheetXml(""),
        Third: sheetXml(""),
      },
      beforeSheets: '<bookViews><workbookView activeTab="1"/></bookViews>',
      afterSheets:
        '<definedNames><definedName name="Rate" comment="a rate">First!$A$1</definedName>' +
        '<definedName name="_xlnm.Print_Area" localSheetId="1" hidden="1">Second!$A$1:$B$2</definedName></definedNames>',
      parts: {
        "xl/worksheets/_rels/sheet1.xml.rels": relationships(
          ["rId1", "hyperlink", "https://example.com/a?b=1&amp;c=2", "External"],
          ["rId2", "table", "/xl/tables/table7.xml"],
        ),
        "xl/tables/table7.xml":
          '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="3" name="Sales" displayName="Sales" ref="A1:B5" totalsRowCount="1">' +
          '<autoFilter ref="A1:B4"><filterColumn colId="1"><filters blank="1"><filter val="x"/><filter val="y"/></filters></filterColumn></autoFilter>' +
          '<tableColumns count="2"><tableColumn id="1" name="Name"/><tableColumn id="2" name="Two_x000a_lines"/></tableColumns><tableStyleInfo name="TableStyleLight9"/></table>',
        "customXml/item1.xml": '<a:data xmlns:a="urn:mine"><a:b/></a:data>',
        "customXml/_rels/item1.xml.rels": relationships(["rId1", "customXmlProps", "itemProps1.xml"]),
        "customXml/itemProps1.xml":
          '<ds:datastoreItem ds:itemID="{11111111-2222-3333-4444-555555555555}" xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"/>',
      },
      related: [["rId20", "customXml", "../customXml/item1.xml"]],
    }),
  );
  const [first] = file.sheets;

  it("tells the sheets, the one that is shown, and names", () => {
    expect(file.sheets.map(({ name, visibility }) => [name, visibility])).toEqual([
      ["First", "visible"],
      ["Second", "visible"],
      ["Third", "visible"],
    ]);
    expect(file.activeSheet).toBe(1);
    expect(file.definedNames).toEqual([
      { name: "Rate", formula: "First!$A$1", comment: "a rate", sheet: null, hidden: false },
      { name: "_xlnm.Print_Area", formula: "Second!$A$1:$B$2", comment: "", sheet: "Second", hidden: true },
    ]);
    expect(file.uses1904).toBe(false);
  });

  it("tells widths, frozen panes, merged areas, hidden rows, links and protection", () => {
    expect(first!.columnWidths).toEqual([
      { column: 0, columns: 2, width: 20.5, isHidden: false },
      { column: 4, columns: 1, width: 9, isHidden: true },
    ]);
    expect(first!.frozen).toEqual({ rows: 2, columns: 1 });
    expect(first!.merged).toEqual([{ row: 1, column: 1, rows: 2, columns: 2 }]);
    expect(first!.hiddenRows).toEqual([1, 3]);
    expect(first!.isProtected).toBe(true);
    expect(file.sheets[1]!.isProtected).toBe(false);
    expect(first!.hyperlinks).toEqual([
      ...[
        {
          area: { row: 0, column: 0, rows: 1, columns: 1 },
          target: "https://example.com/a?b=1&c=2",
          location: null,
          tooltip: "Go",
        },
      ],
      ...[
        {
          area: { row: 0, column: 1, rows: 1, columns: 2 },
          target: null,
          location: "Second!A1",
          tooltip: null,
        },
      ],
    ]);
  });

  it("tells tables with their filters by value", () => {
    expect(first!.tables).toEqual([
      {
        ...{ id: 3, name: "Sales", displayName: "Sales", ref: { row: 0, column: 0, rows: 5, columns: 2 } },
        ...{ styleName: "TableStyleLight9", hasHeaderRow: true, hasTotalsRow: true },
        ...{ columnNames: ["Name", "Two\nlines"], part: "xl/tables/table7.xml" },
        uid: "{00000000-000C-0000-FFFF-FFFF00000000}",
        filteredColumns: [{ column: 1, values: ["x", "y"], withBlanks: true }],
      },
    ]);
  });

  it("tells custom XML parts by namespace and id", () => {
    expect(file.customXmlParts).toEqual([
      {
        ...{
          namespace: "urn:mine",
          xml: '<a:data xmlns:a="urn:mine"><a:b/></a:data>',
          part: "customXml/item1.xml",
        },
        id: "{11111111-2222-3333-4444-555555555555}",
      },
    ]);
  });
});
