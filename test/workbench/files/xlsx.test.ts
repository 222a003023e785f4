import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { plainStyle } from "../../../workbench/book-contents";
import { createDrawings } from "../../../workbench/drawings";
import { createSheetFilters } from "../../../workbench/sheet-filters";
import { leftOutOf, leftOutText } from "../../../workbench/files/left-out";
import { createXlsxFiles } from "../../../workbench/files/xlsx-files";
import { readXlsx } from "../../../workbench/files/read-xlsx";
import { newXlsx, updateXlsx } from "../../../workbench/files/write-xlsx";
import { createDocument } from "../../../workbench/host/office-document";
import {
  createMemorySpreadsheet,
  type MemorySpreadsheet,
} from "../../../workbench/memory/memory-spreadsheet";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { timed } from "../../bench/timing";
import { bookOfFormats, bookOfSheets } from "../../xlsx/large-files";

const addin = { id: "4f5a5cf8-1111-4111-8111-111111111111", namespace: "CONTOSO", version: "1.0.0.0" };
const rect = (row: number, column: number, rows = 1, columns = 1) => ({ row, column, rows, columns });

/** The contents of a saved file of this workbook when it is opened again. */
function reopened(spreadsheet: MemorySpreadsheet, document = createDocument()) {
  const bytes = newXlsx({ contents: spreadsheet.contents(), document: document.save() }, addin).save();
  return { bytes, ...readXlsx(openWorkbookFile(bytes), addin) };
}

/** Opens a file, changes it as a user would, and saves it into the same file. */
function changed(
  bytes: Uint8Array,
  change: (spreadsheet: MemorySpreadsheet, sheetId: string) => void,
): Uint8Array {
  const file = openWorkbookFile(bytes);
  const opened = readXlsx(file, addin);
  const spreadsheet = createMemorySpreadsheet();
  spreadsheet.openContents(opened.contents);
  change(spreadsheet, spreadsheet.sheets()[0]!.id);
  updateXlsx(file, { contents: spreadsheet.contents(), document: opened.document }, addin);
  return file.save();
}

function filled(): MemorySpreadsheet {
  const spreadsheet = createMemorySpreadsheet();
  const [{ id } = { id: "" }] = spreadsheet.sheets();
  spreadsheet.writeNumberFormats(id, rect(0, 0), [["@"]]);
  spreadsheet.writeFormulas(id, rect(0, 0, 2, 3), [
    ["06001", 1200.5, true],
    ["", "#N/A", "'=not a formula"],
  ]);
  spreadsheet.writeNumberFormats(id, rect(0, 1), [['"$"#,##0.00']]);
  spreadsheet.applyStyle(id, rect(1, 0), { fillColor: "#FFF2CC", bold: true, wrapText: true });
  spreadsheet.applyStyle(id, rect(1, 1), { horizontalAlignment: "Left", indentLevel: 2 });
  spreadsheet.setColumnWidth(id, 1, 1, 180);
  spreadsheet.freeze(id, { rows: 1, columns: 2 });
  spreadsheet.merge(id, rect(9, 0, 1, 2));
  spreadsheet.setLink(id, 0, 1, "https://example.org/a?b=1&c=2");
  spreadsheet.writeFormulas(id, rect(4, 0, 3, 2), [
    ["Place", "Fee"],
    ["Alameda", 300],
    ["Berkeley", 250],
  ]);
  spreadsheet.addTable({ sheetId: id, name: "Fees", rect: rect(4, 0, 3, 2), style: "TableStyleLight2" });
  const other = spreadsheet.addSheet("Notes & sources");
  spreadsheet.hideSheet(other.id, true);
  spreadsheet.writeFormulas(other.id, rect(0, 0), [["hidden"]]);
  return spreadsheet;
}

describe("a workbook saved as .xlsx and opened again", () => {
  it("has its values, formats, looks, widths, links, tables, merged areas, frozen panes and hidden sheets", () => {
    const before = filled().contents();
    const { contents } = reopened(filled());
    const withoutIds = ({ sheets, tables }: typeof before) => ({
      sheets: sheets.map(({ id: _, ...sheet }) => sheet),
      tables: tables.map(({ id: _, sheetId: __, filters: ___, ...table }) => table),
    });
    expect(withoutIds(contents)).toEqual(withoutIds(before));
  });

  it("names the table of a formula over its own row as Excel's files do, and shows it as it was entered", () => {
    const spreadsheet = filled();
    const [{ id } = { id: "" }] = spreadsheet.sheets();
    const entered = ['=CONTOSO.GET("ahj:"&[@Place],Fees[@Fee])', '=CONTOSO.GET("ahj:"&[@Place],[@Fee])'];
    const [table] = spreadsheet.tables();
    spreadsheet.updateTable(table!.id, { rect: rect(4, 0, 3, 3) });
    spreadsheet.writeFormulas(id, rect(4, 2, 3, 1), [["Text"], ...entered.map((formula) => [formula])]);
    const { bytes, contents } = reopened(spreadsheet);
    const stored = openWorkbookFile(bytes)
      .customFunctions("CONTOSO")
      .map(({ storedText }) => storedText);
    const text = '_xldudf_CONTOSO_GET("ahj:"&Fees[[#This Row],[Place]],Fees[[#This Row],[Fee]])';
    expect(stored).toEqual([text, text]);
    const formulas = contents.sheets[0]!.cells.flatMap(({ formula }) => formula ?? []);
    expect(formulas).toEqual([entered[1], entered[1]]);
  });

  it("is printed as before: its pages, the rows and columns that each repeats, its headers and footers", () => {
    const spreadsheet = filled();
    const [first, second] = spreadsheet.sheets();
    const document = createDocument();
    const setup = {
      ...{ orientation: "Landscape" as const, fitToPages: { across: 2, down: 0 } },
      ...{ titleRows: "1:2", titleColumns: "A:B", area: "A:C" },
      header: { left: "Q&&A, L&&L", center: "", right: "" },
      footer: { left: "&A", center: "Page &P of &N", right: "RegData, &D" },
    };
    document.printSetups.set(first!.id, setup);
    document.printSetups.set(second!.id, { titleColumns: "A:A" });
    const read = reopened(spreadsheet, document);
    expect(read.document.printSetups.map(([, printed]) => printed)).toEqual([setup, { titleColumns: "A:A" }]);
    expect(openWorkbookFile(read.bytes).definedNames.map(({ name, formula }) => [name, formula])).toEqual([
      ["_xlnm.Print_Area", "'Sheet1'!$A:$C"],
      ["_xlnm.Print_Titles", "'Sheet1'!$A:$B,'Sheet1'!$1:$2"],
      ["_xlnm.Print_Titles", "'Notes & sources'!$A:$A"],
    ]);
  });

  it("counts its days from 1904 if it did so before, and is not shown by the grid, which can't", () => {
    const spreadsheet = filled();
    expect(openWorkbookFile(reopened(spreadsheet).bytes).uses1904).toBe(false);
    spreadsheet.setDateSystem(true);
    const { bytes, contents } = reopened(spreadsheet);
    expect([openWorkbookFile(bytes).uses1904, contents.uses1904]).toEqual([true, true]);
    expect(openWorkbookFile(changed(bytes, (book) => book.setDateSystem(false))).uses1904).toBe(false);
    const files = createXlsxFiles({ spreadsheet, document: createDocument() }, addin, "Book.xlsx");
    expect(() => files.read(bytes, "days.xlsx")).toThrow(
      "This workbook counts days from 1904, which the grid can't show.",
    );
  });

  it("has its names, those that no list shows too, and has lost those that were deleted", () => {
    const spreadsheet = filled();
    const { id: sheetId, name } = spreadsheet.sheets()[0]!;
    const own = { name: "Own", formula: `=${name}!$A$1`, comment: "mine", sheetId };
    const hidden = { name: "_apart", formula: `=${name}!$A$1,${name}!$A$2`, comment: "", sheetId: null };
    spreadsheet.addName(own);
    spreadsheet.addName({ ...hidden, isHidden: true });
    const { bytes, contents } = reopened(spreadsheet);
    const [first] = contents.sheets;
    expect(contents.names).toEqual([
      { ...own, sheetId: first!.id, isHidden: false },
      { ...hidden, isHidden: true },
    ]);
    const again = changed(bytes, (book) => {
      book.deleteName({ name: "Own", sheetId: book.sheets()[0]!.id });
      book.addName({ ...own, name: "Later", sheetId: null });
    });
    expect(openWorkbookFile(again).definedNames.map((each) => [each.name, each.sheet, each.hidden])).toEqual([
      ["_apart", null, true],
      ["Later", null, false],
    ]);
  });

  it("has the add-in's settings and parts", () => {
    const document = createDocument();
    document.settings.set("import 1", JSON.stringify({ name: "Fees & <more>" }));
    document.customXmlParts.set(
      "{6E5A49C0-0000-4000-8000-000000000001}",
      '<a xmlns="urn:a">text &amp; more</a>',
    );
    expect(reopened(filled(), document).document).toMatchObject({
      settings: [...document.settings],
      customXmlParts: [...document.customXmlParts],
    });
  });
});

describe("the ids of sheets and tables", () => {
  const idsOf = (bytes: Uint8Array) => {
    const { sheets, tables } = readXlsx(openWorkbookFile(bytes), addin).contents;
    return { sheets: sheets.map(({ id }) => id), tables: tables.map(({ id }) => id) };
  };

  it("are GUIDs that a workbook keeps through its file", () => {
    const spreadsheet = filled();
    const [{ id } = { id: "" }] = spreadsheet.tables();
    expect(id).toMatch(/^\{[\dA-F]{8}-([\dA-F]{4}-){3}[\dA-F]{12}\}$/);
    const { bytes, contents } = reopened(spreadsheet);
    expect(contents.tables.map((table) => table.id)).toEqual([id]);
    expect(strFromU8(unzipSync(bytes)["xl/tables/table1.xml"]!)).toContain(
      `xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision" xr:uid="${id}"`,
    );
  });

  it("are those of Excel if a file has none, and stay when an earlier sheet with a table goes", () => {
    const spreadsheet = filled();
    const [first] = spreadsheet.sheets();
    const last = spreadsheet.addSheet("Last");
    spreadsheet.writeFormulas(last.id, rect(0, 0, 2, 1), [["Place"], ["Alameda"]]);
    spreadsheet.addTable({
      sheetId: last.id,
      name: "Places",
      rect: rect(0, 0, 2, 1),
      style: "TableStyleLight1",
    });
    const { bytes } = reopened(spreadsheet);
    const parts = unzipSync(bytes);
    for (const [name, content] of Object.entries(parts))
      if (/sheet\d|table\d/.test(name))
        parts[name] = strToU8(strFromU8(content).replace(/ xr:uid="[^"]*"/, ""));
    const without = zipSync(parts);
    expect(idsOf(without)).toEqual({
      sheets: [
        "{00000000-0001-0000-0000-000000000000}",
        "{00000000-0001-0000-0100-000000000000}",
        "{00000000-0001-0000-0200-000000000000}",
      ],
      tables: ["{00000000-000C-0000-FFFF-FFFF00000000}", "{00000000-000C-0000-FFFF-FFFF01000000}"],
    });
    const after = changed(without, (book) => {
      const gone = book.sheets().find(({ name }) => name === first!.name);
      book.deleteSheet(gone!.id);
    });
    expect(idsOf(after)).toEqual({
      sheets: ["{00000000-0001-0000-0100-000000000000}", "{00000000-0001-0000-0200-000000000000}"],
      tables: ["{00000000-000C-0000-FFFF-FFFF01000000}"],
    });
  });
});

describe("a formula that a file stores by the name which Excel only shows", () => {
  it("is #NAME? however often it is calculated, and stays so in the file, until it is entered anew", () => {
    const spreadsheet = createMemorySpreadsheet();
    const [{ id } = { id: "" }] = spreadsheet.sheets();
    spreadsheet.writeFormulas(id, rect(0, 0), [["=CONTOSO.ADD(1,2)"]]);
    const { bytes } = reopened(spreadsheet);
    const parts = unzipSync(bytes);
    const sheet = "xl/worksheets/sheet1.xml";
    parts[sheet] = strToU8(strFromU8(parts[sheet]!).replace("_xldudf_CONTOSO_ADD", "CONTOSO.ADD"));
    const stuck = zipSync(parts);
    const stateOf = (file: Uint8Array) => openWorkbookFile(file).customFunctions("CONTOSO")[0]?.state;
    expect(stateOf(stuck)).toBe("stuck");

    const calls: unknown[] = [];
    const after = changed(stuck, (book, sheetId) => {
      book.registerFunctions(
        [{ id: "ADD", name: "CONTOSO.ADD", description: "", parameters: [], usesDataTypes: false }],
        {
          call: (all) => {
            calls.push(...all);
            book.settle(all.map((each) => ({ id: each.id, result: 3 })));
          },
          cancel: () => undefined,
        },
      );
      book.recalculate(sheetId);
      expect(book.read(sheetId, rect(0, 0))[0]?.[0]).toMatchObject({
        value: "#NAME?",
        formula: "=CONTOSO.ADD(1,2)",
      });
    });
    expect(after).toEqual(stuck);
    expect(calls).toEqual([]);
    const repaired = changed(stuck, (book, sheetId) =>
      book.writeFormulas(sheetId, rect(0, 0), [["=CONTOSO.ADD(1,2)"]]),
    );
    expect(openWorkbookFile(repaired).customFunctions("CONTOSO")[0]?.storedText).toBe(
      "_xldudf_CONTOSO_ADD(1,2)",
    );
  });
});

describe("the list of what a file does not carry", () => {
  it("has names and counts, and only of things made since the file was opened", () => {
    const spreadsheet = filled();
    const { contents, document } = reopened(spreadsheet);
    const [table] = contents.tables;
    const now = {
      contents: { ...contents, tables: [{ ...table!, filters: { 0: ["Alameda"] } }] },
      document: { ...document, protectedSheets: [table!.sheetId] },
    };
    const drawings = createDrawings();
    const scale = { sheetId: table!.sheetId, rect: rect(0, 0), criteria: null };
    drawings.add({ kind: "color-scale", ...scale });
    drawings.add({ kind: "color-scale", ...scale });
    const rule = { ...{ type: "Custom", rule: null, look: {}, stopsIfTrue: false }, ...scale };
    drawings.add({ kind: "cell-rule", ...rule });
    const sheetFilters = createSheetFilters();
    sheetFilters.set(now.contents.sheets[0]!.id, { rect: rect(0, 0), criteria: [], hiddenRows: [] });
    expect(leftOutText(leftOutOf(now, { contents, document }, { drawings, sheetFilters }))).toBe(
      "2 color scales, 1 conditional format, 2 filters, 1 sheet's protection",
    );
    const nothing = { drawings: createDrawings(), sheetFilters: createSheetFilters() };
    expect(leftOutOf(now, now, nothing)).toEqual([]);
  });
});

describe("a file that is changed", () => {
  it("stays as it is to the byte where nothing changes", () => {
    const { bytes } = reopened(filled());
    expect(changed(bytes, () => {})).toEqual(bytes);
  });

  it("has the new value, and everything else as before", () => {
    const { bytes, contents: before } = reopened(filled());
    const after = readXlsx(
      openWorkbookFile(changed(bytes, (book, id) => book.writeFormulas(id, rect(5, 1), [[275]]))),
      addin,
    ).contents;
    before.sheets[0]!.cells.find(({ row, column }) => row === 5 && column === 1)!.value = 275;
    expect(after).toEqual(before);
  });

  it("has a new sheet, and no longer one that was deleted", () => {
    const { bytes } = reopened(filled());
    const after = readXlsx(
      openWorkbookFile(
        changed(bytes, (book) => {
          const added = book.addSheet("Changes");
          book.writeFormulas(added.id, rect(0, 0), [["new"]]);
          book.deleteSheet(book.sheets()[1]!.id);
        }),
      ),
      addin,
    ).contents;
    expect(after.sheets.map(({ name, cells }) => [name, cells.length])).toEqual([
      ["Sheet1", 12],
      ["Changes", 1],
    ]);
  });

  it("has a table with more rows and another column", () => {
    const { bytes } = reopened(filled());
    const after = readXlsx(
      openWorkbookFile(
        changed(bytes, (book, id) => {
          const [table] = book.tables();
          book.writeFormulas(id, rect(4, 2, 1, 1), [["Days"]]);
          book.writeFormulas(id, rect(7, 0, 1, 3), [["Oakland", 400, 7]]);
          book.updateTable(table!.id, { rect: rect(4, 0, 4, 3) });
        }),
      ),
      addin,
    ).contents;
    expect(after.tables).toMatchObject([{ name: "Fees", rect: rect(4, 0, 4, 3) }]);
  });
});

it("a spreadsheet gives cells that nobody has changed as the very objects that it was opened with", () => {
  const style = { ...plainStyle, bold: true };
  const cells = [
    { row: 0, column: 0, value: "Oregon", style: plainStyle },
    { row: 0, column: 1, value: 7, style, link: "https://example.org/" },
    { row: 1, column: 0, value: "", style },
    { row: 1, column: 1, value: 8, style },
  ];
  const spreadsheet = createMemorySpreadsheet({ calculates: false });
  const [sheet] = spreadsheet.contents().sheets;
  spreadsheet.openContents({ ...spreadsheet.contents(), sheets: [{ ...sheet!, cells }] });
  const one = { rows: 1, columns: 1 };
  spreadsheet.writeFormulas(sheet!.id, { row: 1, column: 1, ...one }, [[9]]);
  spreadsheet.writeFormulas(sheet!.id, { row: 2, column: 0, ...one }, [["new"]]);
  const now = spreadsheet.contents().sheets[0]!.cells;
  expect(now.map((cell) => cells.indexOf(cell as (typeof cells)[0]))).toEqual([0, 1, 2, -1, -1]);
  expect(now.slice(3)).toEqual([
    { row: 1, column: 1, value: 9, style },
    { row: 2, column: 0, value: "new", style: plainStyle },
  ]);
  expect(now[3]?.style).toBe(style);
});

describe("a large workbook", () => {
  it.each([
    ["1,024 sheets, each with a table and names", bookOfSheets(1_024)],
    ["45,000 formats", bookOfFormats(45_000)],
  ])("of %s is opened and brought up to date in 3 s of the processor", async (_, bytes) => {
    const { result, busyMs } = await timed(() => {
      const file = openWorkbookFile(bytes);
      const opened = readXlsx(file, addin);
      const [first, ...others] = opened.contents.sheets;
      const [cell, ...cells] = first!.cells;
      const sheets = [{ ...first!, cells: [{ ...cell!, value: "changed" }, ...cells] }, ...others];
      updateXlsx(file, { ...opened, contents: { ...opened.contents, sheets } }, addin, opened);
      return Promise.resolve({ file, opened, others });
    });
    const { file, opened, others } = result;
    expect(busyMs).toBeGreaterThan(50);
    expect(busyMs).toBeLessThan(3_000);
    expect(opened.contents.tables).toHaveLength(others.length === 0 ? 0 : 1_024);
    expect(opened.document.printSetups).toHaveLength(opened.contents.tables.length);
    expect([...openWorkbookFile(file.save()).sheets[0]!.cells()][0]).toMatchObject({ value: "changed" });
  });
});

const realFile = resolve(
  process.env["REAL_EXCEL_FOLDER"] ?? resolve(import.meta.dirname, "../../../../shared/data/real-excel"),
  "custom-functions-saved-by-excel.xlsx",
);

describe.skipIf(!existsSync(realFile))(
  "a workbook that a real Excel saved (skipped where it is not beside the project)",
  () => {
    it("shows its four stuck cells as #NAME?, its two live ones with their values, and is saved to the byte", () => {
      const bytes = new Uint8Array(readFileSync(realFile));
      const { contents } = readXlsx(openWorkbookFile(bytes), addin);
      expect(
        contents.sheets.map(({ name, cells }) => [
          name,
          ...cells.filter(({ formula }) => formula).map(({ value, isStuck }) => [value, isStuck ?? false]),
        ]),
      ).toEqual([
        ["Protected", ["#NAME?", true], ["#NAME?", true]],
        ["Unprotected", ["#NAME?", true], ["#NAME?", true]],
        ["Correct", [3, false], ["test", false]],
      ]);
      expect(changed(bytes, () => {})).toEqual(bytes);
    });
  },
);
