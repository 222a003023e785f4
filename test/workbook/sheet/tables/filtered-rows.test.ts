import { beforeEach, describe, expect, it } from "vitest";
import { config } from "../../../../src/config";
import { freezeFormulas, unfreezeFormulas } from "../../../../src/workbook/cell-formulas/freeze";
import { writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { parseAddress } from "../../../../workbench/address";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import {
  close,
  excel as imported,
  open as openImported,
  refreshed,
  reportOf,
  tableOf,
} from "../../../taskpane/refresh/imported-workbook";

playExcel();

const sheetId = "sheet-1";
let excel: PlayedExcel;
beforeEach(() => {
  excel = openExcel({ excelApi: "1.16" });
});

const text = (value: string) => ({ value, numberFormat: "@" });
const geoids = ["06001", "06003", "06005", "06007", "06009"];
const answers = ["one", "two", "three", "four", "five"];
const plan = { columns: [{ header: "Rule" }], rows: answers.map((answer) => [text(answer)]) };

/** Makes a table at this place, and filters it so that its second and third row are hidden. */
function addFiltered(address: string): string {
  const { rect } = parseAddress(address)!;
  const table = excel.spreadsheet.addTable({ sheetId, name: "List", rect, style: "TableStyleMedium2" });
  excel.spreadsheet.filterTable(table.id, 0, ["06001", "06007", "06009"]);
  expect([1, 2, 3, 4, 5].filter((row) => excel.spreadsheet.isRowHidden(sheetId, row))).toEqual([2, 3]);
  return table.id;
}
const enterList = (address = "A1") => excel.enter(address, [["geoID"], ...geoids.map((id) => [`'${id}`])]);

describe("where a filter hides rows", () => {
  it("each answer of an import beside the list stands in its own row", async () => {
    enterList();
    addFiltered("A1:A6");
    excel.spreadsheet.select(sheetId, [{ row: 0, column: 0, rows: 6, columns: 1 }]);
    const list = await inTime(excel.app.workbook.readListColumn());
    const header = { from: "list" as const, text: "geoID" };
    const target = { kind: "beside" as const, list, header, mayOverwrite: null };
    await inTime(writeTable(excel.app.workbook, plan, target));
    expect(excel.values("A1:B6")).toEqual([
      ["geoID", "Rule"],
      ...geoids.map((geoid, row) => [geoid, answers[row]]),
    ]);
    expect(excel.problems).toEqual([]);
  });

  it("a table that is inserted beside them has all of its rows", async () => {
    enterList();
    addFiltered("A1:A6");
    const target = { kind: "cell" as const, sheetId, row: 0, column: 3, mayOverwrite: null };
    await inTime(writeTable(excel.app.workbook, plan, target));
    expect(excel.values("D1:D6")).toEqual([["Rule"], ...answers.map((answer) => [answer])]);
  });

  it("each formula is frozen with its own value, and comes back in its own cell", async () => {
    enterList();
    const formulas = [...geoids.slice(0, 4).map((geoid) => [`=REGDATA.GEOID("${geoid}")`]), ["none"]];
    excel.enter("B1", [["Answer"], ...formulas]);
    addFiltered("A1:B6");
    await inTime(excel.spreadsheet.idle());
    const shown = excel.values("B2:B6");
    expect(new Set(shown.flat()).size).toBe(5);
    const { workbook } = excel.app;
    const { namespace } = config;
    const { signal } = new AbortController();
    const found = await inTime(workbook.findFormulas("workbook", { namespace, canSeeSpills: true }));
    const frozen = { canSeeDataTypes: false, signal, onProgress() {} };
    await inTime(freezeFormulas(found, workbook, frozen));
    expect(excel.cells("B2:B6").map(([cell]) => cell!.formula)).toEqual(shown.flat());
    const back = { signal, namespace, calls: excel.app, onProgress() {} };
    await inTime(unfreezeFormulas("workbook", workbook, back));
    expect(excel.cells("B2:B6").map(([cell]) => cell!.formula)).toEqual(formulas.flat());
  });

  it("thousands of names are replaced in their own cells, in requests that Excel on the web takes", async () => {
    const sizes: number[] = [];
    excel = openExcel({
      deliver(request, carryOut) {
        sizes.push(JSON.stringify(request).length);
        return carryOut(request);
      },
    });
    const rows = 3_000;
    const numbers = Array.from({ length: rows }, (_, row) => row);
    excel.enter("A1", [["geoID", "Place"], ...numbers.map((row) => [row % 3, `name ${row}`])]);
    const rect = { row: 0, column: 0, rows: rows + 1, columns: 2 };
    const { id } = excel.spreadsheet.addTable({ sheetId, name: "List", rect, style: "TableStyleMedium2" });
    excel.spreadsheet.filterTable(id, 0, ["1"]);
    const change = {
      ...{ sheetId, row: 1, column: 1, rows, columns: 1 },
      before: numbers.map((row) => [{ content: `name ${row}`, numberFormat: null }]),
      after: numbers.map((row) => [{ content: `id ${row}`, numberFormat: "@" }]),
    };
    await inTime(excel.app.workbook.replaceCells([change], {}));
    expect(excel.values(`B2:B${rows + 1}`).flat()).toEqual(numbers.map((row) => `id ${row}`));
    // All in one request would take more. At some 500 bytes for each cell, 5 MB are 10,000 cells.
    expect(Math.max(...sizes)).toBeLessThan(1_250_000);
  });

  it("a refresh gives each row its own answers", async () => {
    await openImported();
    await refreshed("Counties");
    const expected = imported.values("Counties!A1:AZ4");
    close();
    await openImported();
    const before = imported.values("Counties!A1:AZ4");
    expect(before).not.toEqual(expected);
    const { id, rect } = imported.spreadsheet.tables().find((table) => table.id === tableOf("Counties"))!;
    const column = before[0]!.indexOf("geoID");
    imported.spreadsheet.filterTable(id, column, ["06001", "06059"]);
    expect(imported.spreadsheet.isRowHidden(imported.spreadsheet.tables()[0]!.sheetId, rect.row + 2)).toBe(
      true,
    );
    await refreshed("Counties");
    expect(imported.values("Counties!A1:AZ4")).toEqual(expected);
    expect(reportOf("Counties").edited).toEqual([]);
    close();
  });
});
