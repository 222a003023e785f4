import { describe, expect, it } from "vitest";
import { openWorkbookFile } from "../../xlsx/workbook-file";
import { bookWithTable, MAIN, partsOf, relationships, sheetXml, workbookBytes } from "./hand-made";

describe("a column of a table", () => {
  const table =
    `<table xmlns="${MAIN}" id="4" name="Fees" displayName="Fees" ref="A1:C3" totalsRowShown="0"><tableColumns count="3">` +
    '<tableColumn id="1" name="Place"/><tableColumn id="7" name="Fee"/><tableColumn id="3" name="Code"/></tableColumns></table>';
  const opened = (parts = {}) =>
    openWorkbookFile(
      bookWithTable(table, {
        parts: {
          ...parts,
          "xl/slicerCaches/slicerCache1.xml":
            '<slicerCacheDefinition xmlns="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" name="Slicer_Fee" sourceName="Fee"><extLst><x:ext xmlns:x="urn:x">' +
            '<tableSlicerCache tableId="4" column="7"/></x:ext></extLst></slicerCacheDefinition>',
          "xl/pivotCache/pivotCacheDefinition1.xml":
            `<pivotCacheDefinition xmlns="${MAIN}"><cacheSource type="worksheet"><worksheetSource name="fees"/></cacheSource>` +
            '<cacheFields count="1"><cacheField name="Code"/></cacheFields></pivotCacheDefinition>',
        },
        related: [
          [
            "rIdS",
            "http://schemas.microsoft.com/office/2007/relationships/slicerCache",
            "slicerCaches/slicerCache1.xml",
          ],
          ["rIdP", "pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"],
        ],
      }),
    );
  const ref = (columns: number) => ({ row: 0, column: 0, rows: 3, columns });

  it("that a slicer or a pivot table uses is kept with the reason: the one that a sheet shows, by its name and sheet", () => {
    const slicer = "http://schemas.microsoft.com/office/2007/relationships/slicer";
    const [sheet] = opened({
      "xl/worksheets/_rels/sheet1.xml.rels": relationships(
        ["rId1", "table", "../tables/table1.xml"],
        ["rId2", slicer, "../slicers/slicer1.xml"],
        ["rId3", "pivotTable", "../pivotTables/pivotTable1.xml"],
      ),
      "xl/slicers/slicer1.xml":
        '<slicers xmlns="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><slicer name="Other" cache="Slicer_Other" caption="Other"/>' +
        '<slicer name="Fee 1" cache="Slicer_Fee" caption="Fee in $"/></slicers>',
      "xl/pivotTables/pivotTable1.xml": `<pivotTableDefinition xmlns="${MAIN}" name="Fees by code" cacheId="1"/>`,
      "xl/pivotTables/_rels/pivotTable1.xml.rels": relationships([
        "rId1",
        "pivotCacheDefinition",
        "../pivotCache/pivotCacheDefinition1.xml",
      ]),
    }).sheets;
    const without = (...columnNames: string[]) =>
      sheet!.updateTable(4, { ref: ref(columnNames.length), columnNames });
    expect(() => without("Place", "Code")).toThrow(
      "The column “Fee” of the table Fees can't be removed from the file, because the slicer “Fee in $” on the sheet “One” uses it. Remove the column in Excel.",
    );
    expect(() => without("Place", "Fee")).toThrow(
      /“Code” of the table Fees.*because the pivot table “Fees by code” on the sheet “One” uses it/,
    );
  });

  it("that a slicer or a pivot table uses is not removed: the reason names it, and nothing changes", () => {
    const file = opened();
    const before = partsOf(file.save());
    const [sheet] = file.sheets;
    const without = (...columnNames: string[]) =>
      sheet!.updateTable(4, { ref: ref(columnNames.length), columnNames });
    expect(() => without("Place", "Code")).toThrow(/“Fee” of the table Fees.*a slicer uses it/);
    expect(() => without("Place", "Fee")).toThrow(/“Code” of the table Fees.*a pivot table uses it/);
    expect(partsOf(file.save())).toEqual(before);
    without("Fee", "New", "Code");
    expect(sheet!.tables[0]!.columnNames).toEqual(["Fee", "New", "Code"]);
  });
});

describe("a cell that shows a checkbox", () => {
  const complement = (index: number) =>
    `<extLst><ext xmlns:xfpb="http://schemas.microsoft.com/office/spreadsheetml/2022/featurepropertybag" uri="{C7286773-470A-42A8-94C5-96B5CB345126}"><xfpb:xfComplement i="${index}"/></ext></extLst>`;

  it("keeps it when its look changes, and is never mixed up with one that shows another", () => {
    const file = openWorkbookFile(
      workbookBytes({
        sheets: { One: sheetXml("") },
        styles:
          `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders>` +
          `<cellXfs count="3"><xf/><xf numFmtId="0">${complement(0)}</xf><xf numFmtId="0">${complement(1)}</xf></cellXfs></styleSheet>`,
      }),
    );
    const [first, second] = [1, 2].map((style) => file.styles.styleWith(style, { fillColor: "#FFF2CC" }));
    expect(first).not.toBe(second);
    file.sheets[0]!.setCells([{ row: 0, column: 0, value: true, style: first! }]);
    const formats = partsOf(file.save())["xl/styles.xml"]!;
    const added = formats
      .slice(formats.indexOf("<cellXfs"), formats.indexOf("</cellXfs>"))
      .split("<xf ")
      .slice(-2);
    expect(added[0]).toContain(complement(0));
    expect(added[1]).toContain(complement(1));
  });
});

describe("a note", () => {
  it("goes right with its cell, with its frame", () => {
    const parts = (column: number) => ({
      "xl/comments1.xml": `<comments xmlns="${MAIN}"><commentList><comment ref="${"ABCD"[column]}2"/></commentList></comments>`,
      "xl/drawings/vmlDrawing1.vml":
        '<xml xmlns:v="urn:v" xmlns:x="urn:x"><v:shape><x:ClientData ObjectType="Note">' +
        `<x:Anchor>${column + 1},15,0,10,${column + 3},15,4,4</x:Anchor><x:Row>1</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape></xml>`,
    });
    const file = openWorkbookFile(
      workbookBytes({
        sheets: { One: sheetXml('<row r="2"><c r="C2"><v>1</v></c></row>') },
        parts: {
          ...parts(2),
          "xl/worksheets/_rels/sheet1.xml.rels": relationships(
            ["rId1", "comments", "../comments1.xml"],
            ["rId2", "vmlDrawing", "../drawings/vmlDrawing1.vml"],
          ),
        },
      }),
    );
    file.sheets[0]!.moveCells(
      (area) => ({ ...area, column: area.column + 1 }),
      (formula) => formula,
    );
    expect(partsOf(file.save())).toMatchObject(parts(3));
  });
});
