import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { newWorkbookFile, openWorkbookFile } from "../../../xlsx/workbook-file";
import { changedParts, partsOf, relationships, sheetXml, workbookBytes } from "../../xlsx/hand-made";
import { baseUrl } from "../../recorded-service";
import { cleansFolders, regdataFolder } from "../regdata-run";

cleansFolders();

const fee = '_xldudf_REGDATA_VALUE("44",1003)';
/** A stuck cell as Excel saves it, and a healthy one, with a user's comment between them. */
const stuckRow =
  '<row r="1" ht="20"><c r="A1" s="1" t="e" cm="1"><f t="array" aca="1" ref="A1" ca="1">REGDATA.VALUE("44",1003)</f><v>#NAME?</v></c><!-- ours -->' +
  `<c r="B1" t="str" cm="1"><f t="array" ref="B1">${fee}</f><v>old</v></c><c r="C1"><f>SUM(D1:D9)</f><v>7</v></c></row>`;
const protection = '<sheetProtection algorithmName="SHA-512" hashValue="x" sheet="1" objects="1"/>';

const stuckBook = (more: Partial<Parameters<typeof workbookBytes>[0]> = {}) =>
  workbookBytes({
    sheets: {
      Locked: sheetXml(stuckRow, { after: protection }),
      Fine: sheetXml('<row r="1"><c r="A1"><v>1</v></c></row>'),
    },
    ...more,
  });

const cellsOf = (bytes: Uint8Array, sheet = 1) =>
  /<sheetData>(.*)<\/sheetData>/s.exec(partsOf(bytes)[`xl/worksheets/sheet${sheet}.xml`]!)?.[1];

it("regdata repair mends formulas that carry another workbook's name, and regdata check names those that it can't", async () => {
  const { run, write, read } = regdataFolder();
  const cell = (at: string, formula: string) => `<c r="${at}" t="e"><f>${formula}</f><v>#NAME?</v></c>`;
  write(
    "moved.xlsx",
    workbookBytes({
      sheets: {
        One: sheetXml(
          `<row r="1">${cell("A1", '[1]!_xldudf_REGDATA_VALUE("06001",1003)')}${cell("B1", "X.xla!_xldudf_REGDATA_TYPES()")}` +
            `${cell("C1", '_xll.REGDATA.VALUE("06003",1003)')}${cell("D1", '3*#REF!("06001",1003)')}</row>`,
          {
            after:
              '<conditionalFormatting sqref="A1:B2"><cfRule type="expression" priority="1"><formula>_xldudf_REGDATA_VALUE(A1,1003)=1</formula></cfRule></conditionalFormatting>',
          },
        ),
      },
      afterSheets:
        '<definedNames><definedName name="Rate">REGDATA.VALUE("06001",1003)</definedName></definedNames>',
    }),
  );
  expect((await run("check moved.xlsx", {})).printed.split("\n")).toEqual(
    expect.arrayContaining([
      "    One!D1: calls #REF!(…), a function that is gone: if it was one of RegData's, write the formula anew",
      "    the name Rate: calls a function by a name that Excel does not call",
      "    One, conditional format A1:B2: Excel calls no custom function there",
    ]),
  );
  await run("repair moved.xlsx", {});
  const formulas = [...openWorkbookFile(read("moved.xlsx")).sheets[0]!.cells()].map(
    ({ formula }) => formula?.text,
  );
  expect(formulas).toEqual([
    '_xldudf_REGDATA_VALUE("06001",1003)',
    "_xldudf_REGDATA_TYPES()",
    '_xldudf_REGDATA_VALUE("06003",1003)',
    '3*#REF!("06001",1003)',
  ]);
});

it("regdata repair mends names and calculated columns, and has Excel calculate the cells that use such a name", async () => {
  const { run, write, read } = regdataFolder();
  const code = "REGDATA.VALUE(T1[[#This Row],[geoID]],1003)";
  const table =
    '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T1" displayName="T1" ref="A3:B4"><tableColumns count="2"><tableColumn id="1" name="geoID"/>' +
    `<tableColumn id="2" name="Code"><calculatedColumnFormula>${code}</calculatedColumnFormula></tableColumn></tableColumns></table>`;
  write(
    "named.xlsx",
    workbookBytes({
      sheets: {
        One: sheetXml(
          '<row r="1"><c r="A1" t="e"><f>2*rate</f><v>#NAME?</v></c><c r="B1" t="e"><f>Rates</f><v>#NAME?</v></c></row>',
          { after: '<drawing r:id="rId2"/><tableParts count="1"><tablePart r:id="rId1"/></tableParts>' },
        ),
      },
      afterSheets:
        '<definedNames><definedName name="Rate">REGDATA.VALUE("06001",1003)</definedName><definedName name="Theirs">[1]!REGDATA.VALUE(1)</definedName></definedNames>',
      parts: {
        "xl/worksheets/_rels/sheet1.xml.rels": relationships(
          ["rId1", "table", "../tables/table1.xml"],
          ["rId2", "drawing", "../drawings/drawing1.xml"],
        ),
        "xl/tables/table1.xml": table,
        "xl/drawings/_rels/drawing1.xml.rels": relationships(["rId1", "chart", "../charts/chart1.xml"]),
        "xl/drawings/drawing1.xml":
          '<d xmlns:r="r"><graphicFrame><cNvPr id="2" name="Fees"/><chart r:id="rId1"/></graphicFrame></d>',
        "xl/charts/chart1.xml": '<c><ser><val><f>_xldudf_REGDATA_MATRIX("06001",1003)</f></val></ser></c>',
      },
    }),
  );
  expect((await run("check named.xlsx", {})).printed.split("\n")).toEqual(
    expect.arrayContaining([
      "    the name Theirs: calls a function of another workbook: if it was one of RegData's, write the formula without that workbook's name",
      "    One, calculated column Code: calls a function by a name that Excel does not call",
      "    One, chart Fees: Excel calls no custom function there",
    ]),
  );
  expect((await run("repair named.xlsx", {})).printed.split("\n")).toEqual(
    expect.arrayContaining(['    the name Rate =REGDATA.VALUE("06001",1003)']),
  );
  const parts = partsOf(read("named.xlsx"));
  expect(parts["xl/workbook.xml"]).toContain(
    '<definedName name="Rate">_xldudf_REGDATA_VALUE("06001",1003)</definedName><definedName name="Theirs">[1]!REGDATA.VALUE(1)</definedName>',
  );
  expect(parts["xl/tables/table1.xml"]).toBe(
    table.replace(code, "_xldudf_REGDATA_VALUE(T1[[#This Row],[geoID]],1003)"),
  );
  expect(cellsOf(read("named.xlsx"))).toBe(
    '<row r="1"><c r="A1" t="e"><f ca="1">2*rate</f><v>#NAME?</v></c><c r="B1" t="e"><f>Rates</f><v>#NAME?</v></c></row>',
  );
  expect(await run("repair named.xlsx", {})).toMatchObject({ code: 0 });
});

it("regdata repair mends a stuck formula on a protected sheet, keeps the old file, and leaves all else byte for byte", async () => {
  const { run, write, read, files } = regdataFolder();
  write("book.xlsx", stuckBook());
  const { code, printed, told } = await run("repair book.xlsx", {});
  expect([code, told]).toEqual([10, ""]);
  const backup = files().find((name) => name.includes("backup"))!;
  expect(printed.split("\n")).toEqual([
    "book.xlsx",
    "  1 stuck formula mended (unproven in Excel):",
    '    Locked!A1 (protected sheet) =REGDATA.VALUE("44",1003): #NAME? → calculated when Excel opens the file',
    "  Without a service's address no kept answers can be used: answers belong to one key and service.",
    expect.stringMatching(/^ {2}Written to .*book\.xlsx; the old file is .*backup.*\.xlsx\.$/),
  ]);
  expect(read(backup)).toEqual(stuckBook());
  expect(changedParts(stuckBook(), read("book.xlsx"))).toEqual(
    // The workbook lacked the metadata part that spilling formulas need.
    ["[Content_Types].xml", "xl/_rels/workbook.xml.rels", "xl/metadata.xml", "xl/worksheets/sheet1.xml"],
  );
  expect(cellsOf(read("book.xlsx"))).toBe(
    stuckRow.replace(
      /<c r="A1".*?<\/c>/,
      `<c r="A1" s="1" cm="1"><f t="array" ref="A1" ca="1">${fee}</f></c>`,
    ),
  );
  expect(partsOf(read("book.xlsx"))["xl/worksheets/sheet1.xml"]).toContain(protection);
  expect(await run("repair book.xlsx", {})).toMatchObject({ code: 0 });
});

it("regdata repair only lists with --dry-run, and writes to another file with -o", async () => {
  const { run, write, read, files } = regdataFolder();
  write("book.xlsx", stuckBook());
  const dry = await run("repair book.xlsx --dry-run", {});
  expect([dry.code, files()]).toEqual([10, ["book.xlsx"]]);
  expect(dry.printed).toContain("1 stuck formula would be mended (unproven in Excel)");
  expect((await run("repair book.xlsx -o mended.xlsx", {})).code).toBe(10);
  expect([files(), read("book.xlsx")]).toEqual([["book.xlsx", "mended.xlsx"], stuckBook()]);
});

it("regdata repair writes over another file only with --force", async () => {
  const { run, write, read } = regdataFolder();
  write("book.xlsx", stuckBook());
  write("other.xlsx", new Uint8Array([1, 2, 3]));
  const { code, told } = await run("repair book.xlsx -o other.xlsx", {});
  expect([code, told]).toEqual([4, "other.xlsx is there already. Write over it with --force."]);
  expect(read("other.xlsx")).toEqual(new Uint8Array([1, 2, 3]));
  expect((await run("repair book.xlsx -o other.xlsx --force", {})).code).toBe(10);
});

it("regdata repair puts the kept answer in the place of the error, without any request", async () => {
  const { run, write, read, requests } = regdataFolder();
  await run("matrix --where RI --question 1003 --question 1001 -o import.xlsx");
  const imported = openWorkbookFile(read("import.xlsx")).sheets[0]!;
  const [header, first] = [0, 1].map((row) => [...imported.cells()].filter((cell) => cell.row === row));
  const [question] = header!.filter(({ value }) => String(value).includes("Electrical Code"));
  const of = (name: string) =>
    first!.find(({ column }) => column === header!.find(({ value }) => value === name)?.column)?.value;
  const [geoid, answer] = [of("geoID"), of(String(question?.value))];
  expect([typeof geoid, typeof answer]).toEqual(["string", "string"]);
  const asked = requests.length;

  const file = newWorkbookFile(["Fees", "O'Hara"]);
  const stuck = (column: number, text: string) =>
    file.sheets[0]!.setCells([{ row: 0, column, value: "#BUSY!", isError: true, formula: { text } }]);
  stuck(0, `_xldudf_REGDATA_VALUE("${geoid}",1003)`);
  stuck(1, "REGDATA.VALUE('O''Hara'!$A$1,'O''Hara'!B1)");
  // None of these can be repaired: the formula needs a calculation, was never asked, or spills over several cells.
  stuck(2, `UPPER(REGDATA.VALUE("${geoid}",1003))`);
  stuck(3, 'REGDATA.VALUE("06001",1003)');
  stuck(4, `REGDATA.VALUE("${geoid}",{1001,1003})`);
  stuck(5, "REGDATA.TYPES()");
  stuck(6, "REGDATA.VALUE(A1,1003)");
  file.sheets[1]!.setCells([
    { row: 0, column: 0, value: geoid! },
    { row: 0, column: 1, value: 1003 },
  ]);
  write("book.xlsx", file.save());

  const { code, printed } = await run("repair book.xlsx --json");
  expect([code, requests.length]).toEqual([10, asked]);
  const [book] = (JSON.parse(printed) as { books: { proof: string; formulas: { kept: unknown }[] }[] }).books;
  expect(book?.proof).toBe("unproven in Excel");
  expect(book?.formulas.map(({ kept }) => kept)).toEqual([answer, answer, null, null, null, null, null]);
  const mended = openWorkbookFile(read("book.xlsx"));
  expect(
    mended.customFunctions("REGDATA").map(({ state, cachedValue, column }) => [column, state, cachedValue]),
  ).toEqual([0, 1, 2, 3, 4, 5, 6].map((column) => [column, "live", column < 2 ? answer : null]));
  const marks = [...mended.sheets[0]!.cells()].map(({ formula }) => formula?.calculatesOnOpening ?? false);
  expect(marks).toEqual([false, false, true, true, true, true, true]);
});

it("regdata repair says that without a key there are no kept answers, and asks nobody for a key", async () => {
  const { run, write } = regdataFolder();
  write("book.xlsx", stuckBook());
  const { code, printed } = await run("repair book.xlsx", { REGDATA_SERVICE: baseUrl });
  expect(code).toBe(10);
  expect(printed).toContain("Without a key no kept answers can be used");
});

it("regdata repair adds the functions' ids to the add-in's list, if the file has one", async () => {
  const { run, write, read } = regdataFolder();
  const book = (customFunctionIds: string[]) => {
    const file = openWorkbookFile(stuckBook());
    const reference = {
      id: "cf5e28a7-0000-4000-8000-000000000001",
      version: "1.0.0.0",
      store: "developer",
      storeType: "Registry",
    };
    file.addWebExtension({ reference, customFunctionIds });
    return file.save();
  };
  write("listed.xlsx", book(["_xldudf_CONTOSO_ADD"]));
  await run("repair listed.xlsx --namespace contoso", {});
  expect(openWorkbookFile(read("listed.xlsx")).webExtensions[0]?.customFunctionIds).toEqual([
    "_xldudf_CONTOSO_ADD",
  ]);
  const contoso = sheetXml(
    '<row r="1"><c r="A1" t="e"><f>CONTOSO.GET("x")+CONTOSO.ADD(1,2)</f><v>#NAME?</v></c></row>',
  );
  for (const [ids, expected] of [
    [["_xldudf_CONTOSO_ADD"], ["_xldudf_CONTOSO_ADD", "_xldudf_CONTOSO_GET"]],
    [[], []],
  ]) {
    const file = openWorkbookFile(workbookBytes({ sheets: { One: contoso } }));
    file.addWebExtension({
      reference: { id: "another", version: "1", store: "developer", storeType: "Registry" },
      customFunctionIds: ids,
    });
    write("contoso.xlsx", file.save());
    expect((await run("repair contoso.xlsx --namespace contoso", {})).code).toBe(10);
    const mended = openWorkbookFile(read("contoso.xlsx"));
    expect(mended.webExtensions[0]?.customFunctionIds).toEqual(expected);
    expect(mended.customFunctions("CONTOSO")[0]?.storedText).toBe(
      '_xldudf_CONTOSO_GET("x")+_xldudf_CONTOSO_ADD(1,2)',
    );
  }
});

it("regdata repair leaves a file alone that Excel has open", async () => {
  const { run, write, read } = regdataFolder();
  write("book.xlsx", stuckBook());
  write("~$book.xlsx", new Uint8Array());
  const { code, told } = await run("repair book.xlsx", {});
  expect(code).toBe(4);
  expect(told).toContain("is open in Excel");
  expect(read("book.xlsx")).toEqual(stuckBook());
});

/** The path of a workbook that Excel saved: beside the project, or in the folder that REAL_EXCEL_FOLDER names. */
const realPath = [
  process.env["REAL_EXCEL_FOLDER"],
  resolve(import.meta.dirname, "../../../../shared/data/real-excel"),
]
  .map((folder) => resolve(folder ?? "", "custom-functions-saved-by-excel.xlsx"))
  .find((each) => existsSync(each));
const title = "a workbook that a real Excel saved";

describe.skipIf(!realPath)(
  realPath ? title : `${title} (skipped: ../shared/data/real-excel is not beside the project)`,
  () => {
    it("has its four stuck cells found and mended, and keeps its third sheet and every other part", async () => {
      const { run, write, read } = regdataFolder();
      const before = new Uint8Array(readFileSync(realPath!));
      write("real.xlsx", before);
      const found = await run("check real.xlsx --namespace contoso", {});
      expect([found.code, found.printed]).toEqual([
        10,
        expect.stringContaining("Formulas that are stuck: 4"),
      ]);
      const { code, printed } = await run("repair real.xlsx --namespace contoso --json", {});
      expect(code).toBe(10);
      expect(JSON.parse(printed)).toMatchObject({
        books: [
          {
            formulas: [
              {
                cell: "Protected!A1",
                formula: "=CONTOSO.ADD(1,2)",
                before: "#NAME?",
                isSheetProtected: true,
              },
              { cell: "Protected!B1", formula: '=CONTOSO.GET("test")', isSheetProtected: true },
              { cell: "Unprotected!A1", isSheetProtected: false },
              { cell: "Unprotected!B1", isSheetProtected: false },
            ],
          },
        ],
      });
      // The calculation chain goes, with its content type and relationship: Excel makes it anew.
      expect(changedParts(before, read("real.xlsx"))).toEqual([
        ...["[Content_Types].xml", "xl/_rels/workbook.xml.rels", "xl/calcChain.xml"],
        ...["xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"],
      ]);
      // Apart from the kept results and the mark, the cells equal those that Excel saved as live on the third sheet.
      const live = cellsOf(before, 3)!
        .replace(/<v>.*?<\/v>/g, "")
        .replace(' t="str"', "")
        .replaceAll(/(<f t="array" ref="\w+")/g, '$1 ca="1"');
      expect([cellsOf(read("real.xlsx"), 1), cellsOf(read("real.xlsx"), 2)]).toEqual([live, live]);
      expect((await run("check real.xlsx --namespace contoso", {})).code).toBe(0);
    });
  },
);
