import { describe, expect, it } from "vitest";
import { readXlsx } from "../../../workbench/files/read-xlsx";
import { newXlsx, updateXlsx } from "../../../workbench/files/write-xlsx";
import { createDocument } from "../../../workbench/host/office-document";
import {
  createMemorySpreadsheet,
  type MemorySpreadsheet,
} from "../../../workbench/memory/memory-spreadsheet";
import { openWorkbookFile } from "../../../xlsx/workbook-file";

const addin = { id: "4f5a5cf8-1111-4111-8111-111111111111", namespace: "CONTOSO", version: "1.0.0.0" };
const rect = (row: number, column: number, rows = 1, columns = 1) => ({ row, column, rows, columns });

/** What a file of this workbook holds when it is opened again. */
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

describe("a file that is changed", () => {
  it("stays as it is to the byte where nothing changes", () => {
    const { bytes } = reopened(filled());
    expect(changed(bytes, () => {})).toEqual(bytes);
  });

  it("has another value, and everything else as before", () => {
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
