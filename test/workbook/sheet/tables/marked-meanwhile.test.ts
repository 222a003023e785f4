import { describe, expect, it } from "vitest";
import { rowsRead } from "../../../../src/workbook/sheet/layout/row-keys";
import { createImportTables } from "../../../../src/workbook/sheet/tables/table-changes";
import { writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

const ids = [7, 8, 9, 11];
const plan = {
  columns: ["AHJ ID", "Fee"].map((header) => ({ header })),
  rows: ids.map((id) => [
    { value: id, numberFormat: "0" },
    { value: `$${id}`, numberFormat: "@" },
  ]),
};
const own = "#123456";

/** A table in A1:B5 whose fee of AHJ 11 has a fill of the user's own. Its rows are reversed before one request, unless `act` does something else. */
async function openTable(act?: (excel: PlayedExcel) => void) {
  let turnAt = Infinity;
  let request = 0;
  const excel: PlayedExcel = openExcel({
    excelApi: "1.13",
    onRequest() {
      if (request++ !== turnAt) return;
      if (act) act(excel);
      else turnAround();
    },
  });
  const { spreadsheet } = excel;
  const sheetId = spreadsheet.sheets()[0]!.id;
  const row = (at: number) => ({ sheetId, rect: { row: at, column: 0, rows: 1, columns: 2 } });
  function turnAround() {
    for (const at of [1, 2, 3, 4]) spreadsheet.copy(row(at), { sheetId, row: 20 + at, column: 0 });
    for (const at of [1, 2, 3, 4]) spreadsheet.copy(row(20 + at), { sheetId, row: 5 - at, column: 0 });
    spreadsheet.clear(
      sheetId,
      { row: 20, column: 0, rows: 5, columns: 2 },
      { contents: true, formats: true },
    );
  }
  const place = { kind: "cell" as const, sheetId, row: 0, column: 0, mayOverwrite: null };
  const { tableId } = await inTime(writeTable(excel.app.workbook, plan, place));
  spreadsheet.applyStyle(sheetId, { row: 4, column: 1, rows: 1, columns: 1 }, { fillColor: own });
  const tables = createImportTables(excel.app.workbook);
  const read = rowsRead(await inTime(tables.read(tableId, ["AHJ ID"])), ["AHJ ID"]);
  return {
    tables,
    tableId,
    read,
    turnAt(after: number) {
      turnAt = request + after;
    },
    hasTurned: () => request > turnAt,
    /** The fill of each fee, by AHJ. */
    fills: () =>
      Object.fromEntries(
        [1, 2, 3, 4].map((at) => [
          spreadsheet.read(sheetId, row(at).rect)[0]![0]!.value,
          spreadsheet.look(sheetId, at, 1).fillColor,
        ]),
      ),
  };
}

const marks = [1, 3].map((row) => ({ row, header: "Fee", kind: "changed" as const }));

describe("cells that are marked while their rows are reversed", () => {
  it("are those of their own AHJs, at any request, and no other cell keeps a mark", async () => {
    let turned = 0;
    for (let at = 0; ; at += 1) {
      const { tables, tableId, read, turnAt, hasTurned, fills } = await openTable();
      turnAt(at);
      const made = await inTime(tables.mark(tableId, read, marks));
      if (!hasTurned()) break;
      turned += 1;
      expect(fills(), `request ${at}`).toEqual({ 7: null, 8: "#FFF2CC", 9: null, 11: "#FFF2CC" });
      await inTime(tables.unmark(tableId, made));
      expect(fills(), `request ${at}`).toEqual({ 7: null, 8: null, 9: null, 11: own });
    }
    expect(turned).toBeGreaterThan(3);
  });

  it("get their own fills back when their marks are removed, at any request", async () => {
    let turned = 0;
    for (let at = 0; ; at += 1) {
      const { tables, tableId, read, turnAt, hasTurned, fills } = await openTable();
      const made = await inTime(tables.mark(tableId, read, marks));
      turnAt(at);
      await inTime(tables.unmark(tableId, made));
      if (!hasTurned()) break;
      turned += 1;
      expect(fills(), `request ${at}`).toEqual({ 7: null, 8: null, 9: null, 11: own });
    }
    expect(turned).toBeGreaterThan(3);
  });
});

describe("marks of a table that is deleted", () => {
  it("fail with what Excel says, and nothing is said to have been marked, at any request", async () => {
    let deleted = 0;
    for (let at = 0; ; at += 1) {
      const deleteTable = ({ spreadsheet }: PlayedExcel) =>
        spreadsheet.deleteSheet(spreadsheet.sheets()[0]!.id);
      const { tables, tableId, read, turnAt, hasTurned } = await openTable((excel) => {
        excel.spreadsheet.addSheet("Other");
        deleteTable(excel);
      });
      turnAt(at);
      const said = await inTime(tables.mark(tableId, read, marks)).then(
        () => "done",
        (failure: Error) => failure.message,
      );
      if (!hasTurned()) break;
      deleted += 1;
      expect(said, `request ${at}`).not.toMatch(/could not (?:be taken|get their colors) back/);
    }
    expect(deleted).toBeGreaterThan(3);
  });
});
