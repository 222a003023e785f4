import { describe, expect, it } from "vitest";
import { newWorkbookFile, openWorkbookFile } from "../../xlsx/workbook-file";
import {
  MAIN,
  bookWithTable,
  changedParts,
  partsOf,
  relationships,
  sheetXml,
  workbookBytes,
  workbookParts,
  zipped,
} from "./hand-made";

const rect = (row: number, column: number, rows: number, columns: number) => ({ row, column, rows, columns });
const reopened = (file: { save(): Uint8Array }) => openWorkbookFile(file.save());

describe("sheets of a file", () => {
  it("are added, renamed, hidden, removed and chosen", () => {
    const file = newWorkbookFile(["One", "Two", "Three"]);
    const [one, two] = file.sheets;
    file.renameSheet(two!, "Zwei & <2>");
    file.setVisibility(one!, "veryHidden");
    file.setActiveSheet(2);
    const again = reopened(file);
    expect(again.sheets.map(({ name, visibility }) => [name, visibility])).toEqual([
      ["One", "veryHidden"],
      ["Zwei & <2>", "visible"],
      ["Three", "visible"],
    ]);
    expect(again.activeSheet).toBe(2);
    again.removeSheet(again.sheets[2]!);
    expect(reopened(again).activeSheet).toBe(1);
    expect(() => again.removeSheet(again.sheets[1]!)).toThrow(RangeError);
    expect(() => again.setVisibility(again.sheets[1]!, "hidden")).toThrow(RangeError);
  });

  it("are selected one at a time, as Excel would change two selected ones together", () => {
    const file = newWorkbookFile(["One", "Two"]);
    file.setActiveSheet(1);
    const selected = Object.entries(partsOf(file.save())).filter(([, text]) => text.includes("tabSelected"));
    expect(selected.map(([name]) => name)).toEqual(["xl/worksheets/sheet2.xml"]);
  });

  it.each(["", "a".repeat(32), "a/b", "a[1]", "'a", "history", "one"])("can't be called %j", (name) => {
    expect(() => newWorkbookFile(["One"]).addSheet(name)).toThrow(RangeError);
  });

  it("give their numbers to names: those after a removed sheet count one less, and its own go", () => {
    const file = openWorkbookFile(
      workbookBytes({
        sheets: { One: sheetXml(""), Two: sheetXml(""), Three: sheetXml("") },
        afterSheets:
          '<definedNames><definedName name="a">One!$A$1</definedName><definedName name="b" localSheetId="1">Two!$A$1</definedName>' +
          '<definedName name="c" localSheetId="2" function="0">Three!$A$1</definedName></definedNames>',
      }),
    );
    file.removeSheet(file.sheets[1]!);
    expect(reopened(file).definedNames.map(({ name, sheet }) => [name, sheet])).toEqual([
      ["a", null],
      ["c", "Three"],
    ]);
  });

  it("say how they are printed, and keep settings that nobody changes", () => {
    const setup = {
      orientation: "landscape",
      fitToPages: { across: 1, down: 0 },
      footer: "&CPage &P",
      header: "&LFees",
    } as const;
    const file = openWorkbookFile(
      workbookBytes({
        sheets: {
          Plain: sheetXml(""),
          Set: sheetXml("")
            .replace(
              /<sheetData/,
              '<sheetPr><tabColor rgb="FF00FF00"/><pageSetUpPr autoPageBreaks="0"/></sheetPr><sheetData',
            )
            .replace(
              "</worksheet>",
              '<pageSetup paperSize="9" scale="80"/><headerFooter alignWithMargins="0"><oddHeader>&amp;LMine</oddHeader>' +
                "<evenFooter>Even</evenFooter></headerFooter></worksheet>",
            ),
        },
      }),
    );
    expect(file.sheets[1]!.printSetup).toEqual({
      ...{ orientation: null, fitToPages: null, footer: null, header: "&LMine" },
    });
    for (const sheet of file.sheets) sheet.setPrintSetup(setup);
    const again = reopened(file);
    expect(again.sheets.map(({ printSetup }) => printSetup)).toEqual([setup, setup]);
    const [plain = "", set = ""] = again.sheets.map(({ part }) => partsOf(file.save())[part]);
    expect(plain).toContain(
      '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/><headerFooter>',
    );
    expect(set).toContain('<tabColor rgb="FF00FF00"/><pageSetUpPr autoPageBreaks="0" fitToPage="1"/>');
    expect(set).toMatch(/<pageSetup paperSize="9" scale="80" orientation="landscape"/);
    expect(set).toContain(
      "<oddHeader>&amp;LFees</oddHeader><oddFooter>&amp;CPage &amp;P</oddFooter><evenFooter>Even</evenFooter>",
    );
    const saved = again.save();
    const untouched = openWorkbookFile(saved);
    for (const sheet of untouched.sheets)
      sheet.setPrintSetup({ orientation: null, fitToPages: null, footer: null, header: null });
    expect(untouched.save()).toEqual(saved);
  });

  it("are renamed in formulas, names, rules, charts and links, and leave #REF! where they go", () => {
    const bytes = workbookBytes({
      sheets: {
        One: sheetXml(
          '<row r="1"><c r="A1"><f>Data!A1+SUM(data!B1:B9)+"Data!A1"+[1]Data!A1+DataX!A1</f><v>1</v></c>' +
            '<c r="B1"><f t="array" ref="B1:B2">\'Data\'!C1:C2&amp;Table[Data]</f></c><c r="C1"><f>SUM(Data:One!A1)</f></c></row>',
          {
            after:
              '<conditionalFormatting sqref="A1"><cfRule type="expression" priority="1"><formula>Data!$A$1=1</formula></cfRule></conditionalFormatting>' +
              '<hyperlinks><hyperlink ref="A1" location="Data!A1" display="Data!A1"/></hyperlinks>',
          },
        ),
        Data: sheetXml(""),
      },
      afterSheets: '<definedNames><definedName name="Rate">Data!$A$1</definedName></definedNames>',
      parts: {
        "xl/charts/chart1.xml":
          '<c:chart xmlns:c="urn:c"><c:f>Data!$A$1:$A$9</c:f><c:v>Data!</c:v></c:chart>',
      },
    });
    const file = openWorkbookFile(bytes);
    file.renameSheet(file.sheets[1]!, "New data's");
    const formulas = (each: typeof file) => [...each.sheets[0]!.cells()].map(({ formula }) => formula?.text);
    expect(formulas(reopened(file))).toEqual([
      "'New data''s'!A1+SUM('New data''s'!B1:B9)+\"Data!A1\"+[1]Data!A1+DataX!A1",
      ...["'New data''s'!C1:C2&Table[Data]", "SUM('New data''s:One'!A1)"],
    ]);
    const parts = partsOf(file.save());
    expect(parts["xl/charts/chart1.xml"]).toBe(
      `<c:chart xmlns:c="urn:c"><c:f>'New data''s'!$A$1:$A$9</c:f><c:v>Data!</c:v></c:chart>`,
    );
    expect(parts["xl/worksheets/sheet1.xml"]).toContain("<formula>'New data''s'!$A$1=1</formula>");
    expect(parts["xl/worksheets/sheet1.xml"]).toContain(`location="'New data''s'!A1" display="Data!A1"`);
    expect(file.definedNames[0]!.formula).toBe("'New data''s'!$A$1");
    file.renameSheet(file.sheets[1]!, "Data");
    expect(changedParts(bytes, file.save())).toEqual(["xl/worksheets/sheet1.xml"]);
    file.removeSheet(file.sheets[1]!);
    expect(formulas(file)[0]).toBe('#REF!+SUM(#REF!)+"Data!A1"+[1]Data!A1+DataX!A1');
    expect(file.definedNames[0]!.formula).toBe("#REF!");
  });

  it("are added beside one whose part is missing, and are not taken for it", () => {
    const related: [string, string, string][] = [["rId77", "worksheet", "worksheets/sheet2.xml"]];
    const parts = workbookParts({ sheets: { One: sheetXml("") }, related });
    const entry = '<sheet name="Lost" sheetId="9" r:id="rId77"/>';
    parts["xl/workbook.xml"] = String(parts["xl/workbook.xml"]).replace("</sheets>", `${entry}</sheets>`);
    const file = openWorkbookFile(zipped(parts));
    file.addSheet("New").setCells([{ row: 0, column: 0, value: 7 }]);
    const again = reopened(file);
    expect([again.sheets.map(({ name }) => name), again.otherSheets]).toEqual([["One", "New"], ["Lost"]]);
    expect(again.partNames).not.toContain("xl/worksheets/sheet2.xml");
  });

  it("that are no worksheets are kept and named", () => {
    const before = workbookBytes({
      sheets: { One: sheetXml("") },
      parts: {
        "xl/chartsheets/sheet1.xml": "<chartsheet/>",
        "xl/_rels/workbook.xml.rels": relationships(
          ["rId1", "worksheet", "worksheets/sheet1.xml"],
          ["rId2", "chartsheet", "chartsheets/sheet1.xml"],
        ),
        "xl/workbook.xml":
          '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><bookViews><workbookView activeTab="0"/></bookViews>' +
          '<sheets><sheet name="Chart" sheetId="2" r:id="rId2"/><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>',
      },
    });
    const file = openWorkbookFile(before);
    expect([file.otherSheets, file.sheets.map(({ name }) => name), file.activeSheet]).toEqual([
      ["Chart"],
      ["One"],
      -1,
    ]);
    file.setActiveSheet(0);
    expect(partsOf(file.save())["xl/workbook.xml"]).toContain('activeTab="1"');
    expect(changedParts(before, file.save())).toEqual(["xl/workbook.xml", "xl/worksheets/sheet1.xml"]);
  });
});

describe("a workbook in the strict dialect", () => {
  it("gets new sheets, tables and links in its dialect", () => {
    const strict = "http://purl.oclc.org/ooxml/officeDocument/relationships";
    const main = "http://purl.oclc.org/ooxml/spreadsheetml/main";
    const file = openWorkbookFile(
      workbookBytes({
        sheets: { One: `<worksheet xmlns="${main}"><sheetData/></worksheet>` },
        parts: {
          "_rels/.rels": relationships(["rId1", `${strict}/officeDocument`, "xl/workbook.xml"]),
          "xl/_rels/workbook.xml.rels": relationships([
            "rId1",
            `${strict}/worksheet`,
            "worksheets/sheet1.xml",
          ]),
          "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${strict}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        },
      }),
    );
    const sheet = file.addSheet("Two");
    sheet.addTable({ name: "Fees", ref: rect(0, 0, 2, 1), columnNames: ["a"] });
    sheet.setHyperlinks([
      { area: rect(0, 0, 1, 1), target: "https://example.com/", location: null, tooltip: null },
    ]);
    sheet.setCells([
      {
        row: 5,
        column: 0,
        value: 1,
        formula: { text: "_xldudf_X_Y()" },
        style: file.styles.styleWith(0, { bold: true }),
      },
    ]);
    for (const text of Object.values(partsOf(file.save()))) {
      expect(text).not.toMatch(
        /schemas\.openxmlformats\.org\/(?:spreadsheetml|officeDocument)\/2006\/(?:main|relationships)/,
      );
    }
    expect(reopened(file).sheets[1]!.tables).toHaveLength(1);
  });
});

describe("names of a file", () => {
  it("are replaced, and keep the file's other properties of them", () => {
    const file = openWorkbookFile(
      workbookBytes({
        sheets: { One: sheetXml("") },
        afterSheets:
          '<definedNames><definedName name="a" xlm="1" function="1">One!$A$1</definedName></definedNames><calcPr calcId="1"/>',
      }),
    );
    const names = [
      { name: "a", formula: "One!$A$2", comment: "", sheet: null, hidden: false },
      { name: "b", formula: '"<x>"', comment: "says & so", sheet: "One", hidden: true },
    ];
    file.setDefinedNames(names);
    expect(reopened(file).definedNames).toEqual(names);
    expect(partsOf(file.save())["xl/workbook.xml"]).toContain(
      '<definedName name="a" xlm="1" function="1">One!$A$2</definedName>',
    );
    file.setDefinedNames([]);
    expect(partsOf(file.save())["xl/workbook.xml"]).not.toContain("definedName");
  });

  it("stand in front of the calculation's settings, which can ask for all formulas", () => {
    const file = newWorkbookFile(["One"]);
    file.calculateOnOpening();
    file.setDefinedNames([{ name: "a", formula: "1", comment: "", sheet: null, hidden: false }]);
    expect(partsOf(file.save())["xl/workbook.xml"]).toMatch(
      /<\/definedNames><calcPr fullCalcOnLoad="1"\/><\/workbook>/,
    );
  });
});

describe("a sheet's layout", () => {
  it("has widths that split the file's ranges and keep formats of columns", () => {
    const before = '<cols><col min="1" max="5" width="10" style="1" customWidth="1"/></cols>';
    const file = openWorkbookFile(workbookBytes({ sheets: { One: sheetXml("", { before }) } }));
    const [sheet] = file.sheets;
    sheet!.setColumnWidths([
      { column: 1, columns: 2, width: 30, isHidden: false },
      { column: 7, columns: 1, width: null, isHidden: true },
    ]);
    expect(/<cols>.*<\/cols>/.exec(partsOf(file.save())["xl/worksheets/sheet1.xml"]!)?.[0]).toBe(
      '<cols><col min="1" max="1" width="10" style="1" customWidth="1"/><col min="2" max="3" width="30" style="1" customWidth="1"/>' +
        '<col min="4" max="5" width="10" style="1" customWidth="1"/><col min="8" max="8" width="9.140625" hidden="1"/></cols>',
    );
    sheet!.setColumnWidths([{ column: 7, columns: 1, width: null, isHidden: false }]);
    expect(reopened(file).sheets[0]!.columnWidths.at(-1)?.column).toBe(3);
  });

  it("has panes that freeze and thaw and keep the selection", () => {
    const before =
      '<sheetViews><sheetView workbookViewId="0"><selection activeCell="C7" sqref="C7:D8"/></sheetView></sheetViews>';
    const bytes = workbookBytes({ sheets: { One: sheetXml("", { before }) } });
    const file = openWorkbookFile(bytes);
    const [sheet] = file.sheets;
    sheet!.setFrozen({ rows: 1, columns: 2 });
    expect(reopened(file).sheets[0]!.frozen).toEqual({ rows: 1, columns: 2 });
    expect(partsOf(file.save())["xl/worksheets/sheet1.xml"]).toContain(
      '<pane xSplit="2" ySplit="1" topLeftCell="C2" activePane="bottomRight" state="frozen"/><selection pane="bottomRight" activeCell="C7" sqref="C7:D8"/>',
    );
    sheet!.setFrozen({ rows: 0, columns: 0 });
    expect(changedParts(bytes, file.save())).toEqual([]);
  });

  it("has merged areas and links that go again, with their relationships", () => {
    const bytes = workbookBytes({ sheets: { One: sheetXml("") } });
    const file = openWorkbookFile(bytes);
    const [sheet] = file.sheets;
    sheet!.setMerged([rect(0, 0, 1, 2)]);
    const links = [
      { area: rect(0, 0, 1, 1), target: "mailto:a@example.com", location: null, tooltip: 'say "hi"' },
      { area: rect(1, 0, 1, 1), target: null, location: "One!A1", tooltip: null },
    ];
    sheet!.setHyperlinks(links);
    const [again] = reopened(file).sheets;
    expect([again!.merged, again!.hyperlinks]).toEqual([[rect(0, 0, 1, 2)], links]);
    sheet!.setMerged([]);
    sheet!.setHyperlinks([]);
    const parts = partsOf(file.save());
    expect(parts["xl/worksheets/sheet1.xml"]).toBe(partsOf(bytes)["xl/worksheets/sheet1.xml"]);
    expect(parts["xl/worksheets/_rels/sheet1.xml.rels"]).not.toContain("hyperlink");
  });
});

describe("tables of a file", () => {
  const withTable = () => {
    const file = newWorkbookFile(["One", "Two"]);
    const [sheet] = file.sheets;
    const table = sheet!.addTable({
      name: "Fees",
      ref: rect(1, 1, 4, 3),
      columnNames: ["Name", "name", ""],
      styleName: "TableStyleLight1",
    });
    return { file, sheet: sheet!, table };
  };

  it("get unlike names of columns, which stand in the header row as texts", () => {
    const { file, table } = withTable();
    expect(table.columnNames).toEqual(["Name", "name2", "Column3"]);
    const [sheet] = reopened(file).sheets;
    expect([...sheet!.cells()].map(({ row, column, value }) => [row, column, value])).toEqual([
      ...[
        [1, 1, "Name"],
        [1, 2, "name2"],
        [1, 3, "Column3"],
      ],
    ]);
    expect(sheet!.tables).toEqual([{ ...table, filteredColumns: [] }]);
  });

  it("change their area, name, style and columns; a column that stays keeps its formula and filter", () => {
    const table =
      '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="4" name="T_1" displayName="T_1" ref="A1:C9" totalsRowShown="0">' +
      '<autoFilter ref="A1:C9"><filterColumn colId="0"><filters><filter val="x"/></filters></filterColumn><filterColumn colId="2"><top10 val="3"/></filterColumn></autoFilter>' +
      '<sortState ref="A2:C9"><sortCondition ref="A2"/></sortState>' +
      '<tableColumns count="3"><tableColumn id="1" name="Gone"/><tableColumn id="2" name="Kept" dataDxfId="5"/>' +
      '<tableColumn id="7" name="Sum"><calculatedColumnFormula>1+1</calculatedColumnFormula></tableColumn></tableColumns><tableStyleInfo name="S" showRowStripes="1"/></table>';
    const file = openWorkbookFile(bookWithTable(table));
    file.sheets[0]!.updateTable(4, {
      name: "Other",
      ref: rect(0, 0, 5, 4),
      columnNames: ["Sum", "New", "Kept", "Newer"],
      styleName: "TableStyleDark1",
    });
    expect(partsOf(file.save())["xl/tables/table1.xml"]).toBe(
      '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="4" name="Other" displayName="Other" ref="A1:D5" totalsRowShown="0">' +
        '<autoFilter ref="A1:D5"><filterColumn colId="0"><top10 val="3"/></filterColumn></autoFilter>' +
        '<tableColumns count="4"><tableColumn id="7" name="Sum"><calculatedColumnFormula>1+1</calculatedColumnFormula></tableColumn>' +
        '<tableColumn id="8" name="New"/><tableColumn id="2" name="Kept" dataDxfId="5"/><tableColumn id="9" name="Newer"/></tableColumns><tableStyleInfo name="TableStyleDark1" showRowStripes="1"/></table>',
    );
  });

  it("become plain cells, and their part goes", () => {
    const { file, sheet, table } = withTable();
    const second = sheet.addTable({ name: "Second_", ref: rect(9, 0, 2, 1), columnNames: ["A"] });
    sheet.removeTable(table.id);
    expect(reopened(file).sheets[0]!.tables.map(({ name }) => name)).toEqual(["Second_"]);
    sheet.removeTable(second.id);
    const parts = partsOf(file.save());
    expect(Object.keys(parts).filter((name) => name.includes("tables/"))).toEqual([]);
    expect(parts["xl/worksheets/sheet1.xml"]).not.toContain("tableParts");
    expect(parts["[Content_Types].xml"]).not.toContain("table+xml");
  });

  it.each([
    ["a name that another has", { name: "FEES", ref: rect(20, 0, 2, 1), columnNames: ["A"] }],
    ["the name of a cell", { name: "AB12", ref: rect(20, 0, 2, 1), columnNames: ["A"] }],
    ["cells of another", { name: "Other", ref: rect(4, 3, 2, 1), columnNames: ["A"] }],
    ["too few names of columns", { name: "Other", ref: rect(20, 0, 2, 2), columnNames: ["A"] }],
  ])("are refused with %s", (_, table) => {
    expect(() => withTable().sheet.addTable(table)).toThrow(RangeError);
  });
});

describe("looks of cells", () => {
  const styles =
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="2"><font><sz val="12"/><color theme="1"/><name val="Aptos"/><scheme val="minor"/></font>' +
    '<font><b/><i val="0"/><color theme="4" tint="-0.249977111117893"/><name val="Aptos"/></font></fonts>' +
    '<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
    '<fill><patternFill patternType="solid"><fgColor theme="0" tint="-0.14999847407452621"/></patternFill></fill><fill><patternFill patternType="solid"><fgColor indexed="13"/></patternFill></fill></fills>' +
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
    '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
    '<xf numFmtId="14" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1"><alignment horizontal="center" vertical="top" wrapText="1" indent="2"/><protection locked="0"/></xf>' +
    '<xf numFmtId="44" fontId="0" fillId="3" borderId="0" xfId="0"/></cellXfs><dxfs count="0"/></styleSheet>';
  const bytes = workbookBytes({ sheets: { One: sheetXml("") }, styles });

  it("are read with the theme's colors, tints and indexed colors", () => {
    const file = openWorkbookFile(bytes);
    // A quarter darker than 4472C4, Office’s first accent.
    expect(file.styles.look(1)).toEqual({
      ...{
        numberFormat: "m/d/yyyy",
        bold: true,
        italic: false,
        wrapText: true,
        fillColor: "#D9D9D9",
        fontColor: "#2F5597",
      },
      ...{ horizontalAlignment: "center", verticalAlignment: "top", indent: 2, isLocked: false },
    });
    expect(file.styles.look(2)).toMatchObject({
      ...{
        numberFormat: '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)',
        fillColor: "#FFFF00",
        isLocked: true,
      },
    });
    expect(file.styles.look(99)).toEqual(file.styles.look(0));
  });

  it("are found again, or added at the end of the lists", () => {
    const file = openWorkbookFile(bytes);
    expect(file.styles.styleWith(1, {})).toBe(1);
    expect(file.styles.styleWith(1, { bold: true, fillColor: "#D9D9D9" })).toBe(1);
    const bold = file.styles.styleWith(0, { bold: true });
    expect(bold).toBe(3);
    expect(file.styles.styleWith(0, { bold: true })).toBe(bold);
    const other = file.styles.styleWith(1, {
      numberFormat: '0.0 "kW"',
      fillColor: null,
      isLocked: true,
      wrapText: false,
      indent: 1,
    });
    const wanted = {
      ...file.styles.look(1),
      numberFormat: '0.0 "kW"',
      fillColor: null,
      isLocked: true,
      wrapText: false,
      indent: 1,
    };
    expect(file.styles.look(other)).toEqual(wanted);
    const again = reopened(file);
    expect(again.styles.look(other)).toEqual(wanted);
    expect(again.styles.look(1)).toEqual(file.styles.look(1));
    const xml = partsOf(file.save())["xl/styles.xml"]!;
    expect(xml).toContain('<cellXfs count="5">');
    expect(xml).toContain(
      '<numFmts count="1"><numFmt numFmtId="164" formatCode="0.0 &quot;kW&quot;"/></numFmts><fonts count="3">',
    );
    expect(xml).toContain(
      '<font><b/><sz val="12"/><color theme="1"/><name val="Aptos"/><scheme val="minor"/></font></fonts>',
    );
    expect(xml).toContain('<alignment horizontal="center" vertical="top" indent="1"/>');
    expect(xml.slice(xml.indexOf("<fills"), xml.indexOf("</fills>"))).toBe(
      styles.slice(styles.indexOf("<fills"), styles.indexOf("</fills>")),
    );
  });

  it("are no more than Excel allows: a further one is refused, and one that is there is found", () => {
    const formats = Array.from(
      { length: 65_489 },
      (_, at) => `<xf numFmtId="${at + 1_000}" fontId="0" fillId="0" borderId="0" xfId="0"/>`,
    );
    const file = openWorkbookFile(
      workbookBytes({
        sheets: { One: sheetXml("") },
        styles: styles.replace(/<cellXfs.*<\/cellXfs>/s, `<cellXfs>${formats.join("")}</cellXfs>`),
      }),
    );
    expect(file.styles.styleWith(0, { bold: true })).toBe(65_489);
    expect(file.styles.styleWith(0, { bold: true })).toBe(65_489);
    expect(() => file.styles.styleWith(0, { italic: true })).toThrow(
      /as many formats of cells as Excel allows/,
    );
  });

  it.each([
    ["none", ""],
    ["a font and a fill", '<fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'],
    ["formats alone", '<cellXfs count="1"><xf/></cellXfs>'],
  ])(
    "leave a cell without a format plain, where another program has written of all formats %s",
    (_, inner) => {
      const styles = `<styleSheet xmlns="${MAIN}">${inner}</styleSheet>`.replace(
        "></styleSheet>",
        inner === "" ? "/>" : "$&",
      );
      const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>';
      const file = openWorkbookFile(workbookBytes({ sheets: { One: sheetXml(rows) }, styles }));
      const style = file.styles.styleWith(0, { bold: true, numberFormat: "@", fillColor: "#DDE6F0" });
      file.sheets[0]!.setCells([{ row: 0, column: 1, style }]);
      const again = reopened(file);
      const looks = [...again.sheets[0]!.cells()].map((cell) => again.styles.look(cell.style));
      const plain = { bold: false, numberFormat: "General", fillColor: null };
      expect(looks).toMatchObject([plain, { bold: true, numberFormat: "@", fillColor: "#DDE6F0" }]);
      // In every file that Excel writes, the first two fills are none and a gray pattern.
      const [, fills = ""] = /<fills[^>]*>(.*)<\/fills>/s.exec(partsOf(file.save())["xl/styles.xml"]!) ?? [];
      expect(fills.match(/<fill\b/g)).toHaveLength(3);
    },
  );

  it("stay as they are where a file names a font and a fill that it does not have", () => {
    const styles = `<styleSheet xmlns="${MAIN}"><fonts count="1"><font><color rgb="FF123456"/></font></fonts><cellXfs count="2"><xf/><xf fontId="1" fillId="2"/></cellXfs></styleSheet>`;
    const file = openWorkbookFile(workbookBytes({ sheets: { One: sheetXml("") }, styles }));
    const added = file.styles.styleWith(0, { bold: true, fillColor: "#DDE6F0" });
    const again = reopened(file);
    // They are as in the file's first font and fill.
    expect(again.styles.look(1)).toMatchObject({ bold: false, fillColor: null, fontColor: "#123456" });
    expect(again.styles.look(added)).toMatchObject({ bold: true, fillColor: "#DDE6F0" });
  });

  it("can be given in a workbook that has no styles", () => {
    const file = openWorkbookFile(workbookBytes({ sheets: { One: sheetXml("") } }));
    const index = file.styles.styleWith(0, {
      italic: true,
      fontColor: "#0A0B0C",
      verticalAlignment: "center",
    });
    file.sheets[0]!.setCells([{ row: 0, column: 0, value: 1, style: index }]);
    const again = reopened(file);
    expect([...again.sheets[0]!.cells()][0]!.style).toBe(index);
    expect(again.styles.look(index)).toMatchObject({
      italic: true,
      fontColor: "#0A0B0C",
      verticalAlignment: "center",
    });
    // Some programs find the formats by this name, whatever the relationship says.
    expect(again.partNames).toContain("xl/styles.xml");
  });
});

describe("parts of add-ins", () => {
  it.each([
    ["none", ""],
    [
      "the workbook's",
      '<Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>',
    ],
  ])("have a content type each, where the file's own type for XML is %s", (_, ofXml) => {
    const bytes = workbookBytes({ sheets: { One: sheetXml("") } });
    const parts: Record<string, string> = partsOf(bytes);
    const types = parts["[Content_Types].xml"]!;
    const workbookType = /ContentType="([^"]*sheet\.main\+xml)"/.exec(types)![1]!;
    parts["[Content_Types].xml"] = types
      .replace(/<Default Extension="xml"[^>]*>/, ofXml)
      .replace(
        "</Types>",
        types.includes('"/xl/workbook.xml"')
          ? "</Types>"
          : `<Override PartName="/xl/workbook.xml" ContentType="${workbookType}"/></Types>`,
      );
    const file = openWorkbookFile(zipped(parts));
    file.addCustomXml('<a xmlns="urn:one">1</a>');
    expect(partsOf(file.save())["[Content_Types].xml"]).toContain(
      '<Override PartName="/customXml/item1.xml" ContentType="application/xml"/>',
    );
  });

  it("are added, replaced and removed as custom XML", () => {
    const bytes = newWorkbookFile(["One"]).save();
    const file = openWorkbookFile(bytes);
    const id = file.addCustomXml('<a xmlns="urn:one">1</a>');
    file.addCustomXml("<b/>", "{00000000-0000-0000-0000-00000000000B}");
    expect(id).toMatch(/^\{[0-9A-F-]{36}\}$/);
    file.replaceCustomXml(file.customXmlParts[0]!, '<a xmlns="urn:one">2</a>');
    const again = reopened(file);
    expect(again.customXmlParts.map(({ namespace, xml, id: each }) => [namespace, xml, each])).toEqual([
      ["urn:one", '<a xmlns="urn:one">2</a>', id],
      ["", "<b/>", "{00000000-0000-0000-0000-00000000000B}"],
    ]);
    expect(() => file.addCustomXml("<a>")).toThrow(/can't be read/);
    for (const part of again.customXmlParts) again.removeCustomXml(part);
    expect(changedParts(bytes, again.save())).toEqual([]);
  });

  it("are web extensions with settings and the list of functions", () => {
    const file = newWorkbookFile(["One"]);
    const reference = {
      id: "11111111-2222-3333-4444-555555555555",
      version: "2.0.0.0",
      store: "developer",
      storeType: "Registry",
    };
    const extension = file.addWebExtension({ reference, properties: { a: '{"b":"<&\\n"}' } });
    file.addWebExtension({ reference: { ...reference, id: "other" } });
    file.setExtensionFunctions(extension, ["_xldudf_X_A", "_xldudf_X_B"]);
    const again = reopened(file);
    expect(
      again.webExtensions.map((each) => [each.reference, { ...each.properties }, each.customFunctionIds]),
    ).toEqual([
      [reference, { a: '{"b":"<&\\n"}' }, ["_xldudf_X_A", "_xldudf_X_B"]],
      [{ ...reference, id: "other" }, {}, []],
    ]);
    again.setExtensionProperties(again.webExtensions[0]!, { c: "1" });
    again.setExtensionFunctions(again.webExtensions[0]!, []);
    expect(reopened(again).webExtensions[0]).toMatchObject({ properties: { c: "1" }, customFunctionIds: [] });
    const parts = partsOf(file.save());
    expect(parts["_rels/.rels"]).toContain(
      "http://schemas.microsoft.com/office/2011/relationships/webextensiontaskpanes",
    );
    expect(parts["[Content_Types].xml"]).toContain(
      'ContentType="application/vnd.ms-office.webextensiontaskpanes+xml"',
    );
    expect(parts["[Content_Types].xml"]).toContain(
      'ContentType="application/vnd.ms-office.webextension+xml"',
    );
    expect(parts["xl/webextensions/webextension1.xml"]).toContain(
      'uri="{7C84B067-C214-45C3-A712-C9D94CD141B2}"',
    );
  });
});
