import {
  type Destination,
  inspectTarget,
  writeTable,
} from "../../../../src/workbook/sheet/tables/write-table";
import { beforeEach, describe, expect, it } from "vitest";
import type { FormattedCell } from "../../../../src/workbook/sheet/values/cell-value";
import type { SheetTable } from "../../../../src/workbook/sheet/layout/table-plan";
import type { Workbook } from "../../../../src/workbook/sheet/workbook";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { pass, playExcel } from "../../../functions/excel";

playExcel();

let excel: PlayedExcel;
let workbook: Workbook;
let sheetId: string;
beforeEach(() => {
  excel = openExcel();
  ({ workbook } = excel.app);
  sheetId = excel.spreadsheet.sheets()[0]!.id;
});

const text = (value: string): FormattedCell => ({ value, numberFormat: "@" });
const fee = (value: number): FormattedCell => ({ value, numberFormat: '#,##0 "USD"' });
const plan: SheetTable = {
  columns: [{ header: "geoID" }, { header: "Fee" }],
  rows: [
    [text("06001"), fee(1_250)],
    [text("=1+1"), fee(3)],
  ],
};
const size = { rows: 3, columns: 2 };
const shown = [
  ["geoID", "Fee"],
  ["06001", 1_250],
  ["=1+1", 3],
];
const atB2 = () => ({ kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite: null });
const refused = (detail: string) => ({
  kind: "sheet-refused",
  detail: expect.stringContaining(detail) as string,
});
const sheetNames = () => excel.spreadsheet.sheets().map(({ name }) => name);

describe("a table written at a cell", () => {
  it("holds texts as texts and numbers with their formats, is an Excel table, and is shown", async () => {
    const progress: number[] = [];
    const written = await inTime(
      writeTable(workbook, plan, atB2(), { onProgress: (rows) => progress.push(rows) }),
    );
    expect(written).toEqual({
      address: "Sheet1!B2:C4",
      tableId: expect.any(String) as string,
      notesKept: [],
    });
    expect(excel.values("B2:C4")).toEqual(shown);
    expect(
      excel
        .cells("B2:C3")
        .flat()
        .map((cell) => cell.numberFormat),
    ).toEqual(["@", "@", "@", '#,##0 "USD"']);
    expect(excel.cells("C3")[0]?.[0]?.text).toBe("1,250 USD");
    expect(excel.spreadsheet.tables()).toMatchObject([
      { id: written.tableId, rect: { row: 1, column: 1, rows: 3, columns: 2 }, style: "TableStyleMedium2" },
    ]);
    expect(excel.spreadsheet.selection()).toMatchObject({ sheetId, rects: [{ row: 1, column: 1 }] });
    expect(progress).toEqual([2]);
    expect(sheetNames()).toEqual(["Sheet1"]);
    expect(excel.problems).toEqual([]);
  });

  it("reports filled cells beforehand, and is not written over them unless the user gives them up", async () => {
    expect(await inTime(inspectTarget(workbook, atB2(), size))).toMatchObject({
      address: "Sheet1!B2:C4",
      filled: null,
    });
    excel.enter("C3", [["mine"]]);
    expect(await inTime(inspectTarget(workbook, atB2(), size))).toMatchObject({
      address: "Sheet1!B2:C4",
      filled: "Sheet1!C3",
    });
    const inTheWay = { kind: "cells-in-the-way", detail: "Sheet1!C3 is not empty." };
    for (const mayOverwrite of [null, { rows: 2, columns: 2 }, { rows: 3, columns: 1 }]) {
      const target = { ...atB2(), mayOverwrite };
      await expect(inTime(writeTable(workbook, plan, target))).rejects.toMatchObject(inTheWay);
    }
    expect(
      excel
        .values("B2:C4")
        .flat()
        .filter((value) => value !== ""),
    ).toEqual(["mine"]);
    await inTime(writeTable(workbook, plan, { ...atB2(), mayOverwrite: size }));
    expect(excel.values("B2:C4")).toEqual(shown);
  });

  it("must be a part of the sheet", async () => {
    const target = { ...atB2(), row: 1_048_574 };
    await expect(inTime(inspectTarget(workbook, target, size))).rejects.toMatchObject({ kind: "too-large" });
    const wide = { ...atB2(), column: 16_383 };
    await expect(inTime(writeTable(workbook, plan, wide))).rejects.toMatchObject({ kind: "too-large" });
  });

  it("that is stopped leaves everything as it was", async () => {
    excel.enter("B2", [["'007", "=B2"]]);
    await pass(500);
    const before = excel.cells("A1:D5");
    const stop = new AbortController();
    const options = { signal: stop.signal, gate: () => Promise.resolve(stop.abort()) };
    const target = { ...atB2(), mayOverwrite: size };
    await expect(inTime(writeTable(workbook, plan, target, options))).rejects.toMatchObject({
      kind: "cancelled",
    });
    expect(excel.cells("A1:D5")).toEqual(before);
    expect(excel.spreadsheet.tables()).toEqual([]);
    expect(sheetNames()).toEqual(["Sheet1"]);
  });

  it("leaves everything as it was if Excel refuses any of its requests", async () => {
    const refusedRequests: number[] = [];
    for (let number = 1; ; number += 1) {
      excel = openExcel();
      ({ workbook } = excel.app);
      excel.enter("B2", [["'007", "=B2"]]);
      await pass(500);
      const before = excel.cells("A1:D5");
      excel.fail(7000, 1, "workbook", number - 1);
      const thrown = await inTime(writeTable(workbook, plan, { ...atB2(), mayOverwrite: size })).then(
        () => null,
        (failure: unknown) => failure,
      );
      if (thrown === null && excel.values("B2:C4")[2]?.[1] === 3) break;
      refusedRequests.push(number);
      expect(thrown, `request ${number}`).toMatchObject({ kind: "not-permitted" });
      expect(excel.cells("A1:D5"), `request ${number}`).toEqual(before);
      expect(excel.spreadsheet.tables()).toEqual([]);
    }
    expect(refusedRequests.length).toBeGreaterThan(4);
  });

  it("is not tried on a protected sheet, nor in a workbook that is only read", async () => {
    excel.document.protectedSheets.add(sheetId);
    const isProtected = refused("The sheet “Sheet1” is protected.");
    await expect(inTime(workbook.selectedPosition())).rejects.toMatchObject(isProtected);
    await expect(inTime(writeTable(workbook, plan, atB2()))).rejects.toMatchObject(isProtected);
    excel.document.protectedSheets.clear();
    Office.context.document.mode = Office.DocumentMode.ReadOnly;
    const isRead = refused("open for reading only");
    await expect(inTime(workbook.selectedPosition())).rejects.toMatchObject(isRead);
    await expect(
      inTime(writeTable(workbook, plan, { kind: "new-sheet", name: "Fees" })),
    ).rejects.toMatchObject(isRead);
    expect(sheetNames()).toEqual(["Sheet1"]);
  });
});

describe("a table on a sheet of its own", () => {
  const newSheet: Destination = { kind: "new-sheet", name: "Fees" };

  it("begins in A1 and is shown; its sheet has the next free name", async () => {
    expect((await inTime(writeTable(workbook, plan, newSheet))).address).toBe("Fees!A1:B3");
    expect((await inTime(writeTable(workbook, plan, newSheet))).address).toBe("'Fees 2'!A1:B3");
    expect(sheetNames()).toEqual(["Sheet1", "Fees", "Fees 2"]);
    expect(excel.values("Fees!A1:B3")).toEqual(shown);
    expect(excel.spreadsheet.selection().sheetId).toBe(excel.spreadsheet.sheets()[2]?.id);
  });

  it("that is stopped takes the sheet away, and shows the one before", async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, gate: () => Promise.resolve(stop.abort()) };
    await expect(inTime(writeTable(workbook, plan, newSheet, options))).rejects.toMatchObject({
      kind: "cancelled",
    });
    expect(sheetNames()).toEqual(["Sheet1"]);
    expect(excel.spreadsheet.selection().sheetId).toBe(sheetId);
  });

  it("comes with another sheet behind it, which is not shown", async () => {
    const progress: number[] = [];
    const told: string[] = [];
    const companion = {
      sheetName: "Sources",
      plan: async (address: string) => {
        told.push(address);
        return { columns: [{ header: "Source" }], rows: [[text("Code")]] };
      },
    };
    const written = await inTime(
      writeTable(workbook, plan, newSheet, { companion, onProgress: (rows) => progress.push(rows) }),
    );
    expect(written).toMatchObject({ address: "Fees!A1:B3", companionAddress: "Sources!A1:A2" });
    expect(told).toEqual(["Fees!A1:B3"]);
    expect(excel.values("Sources!A1:A2")).toEqual([["Source"], ["Code"]]);
    expect(progress).toEqual([2, 3]);
    const { sheetId: active } = excel.spreadsheet.selection();
    expect(excel.spreadsheet.sheets().find(({ id }) => id === active)?.name).toBe("Fees");
  });

  it("goes with the sheet behind it if that one fails", async () => {
    const companion = {
      sheetName: "Sources",
      plan: async () => ({ columns: [{ header: "Source" }], rows: [[text("Code")]] }),
    };
    let pieces = 0;
    const stop = new AbortController();
    const gate = () => Promise.resolve((pieces += 1) > 1 ? stop.abort() : undefined);
    await expect(
      inTime(writeTable(workbook, plan, newSheet, { companion, gate, signal: stop.signal })),
    ).rejects.toMatchObject({ kind: "cancelled" });
    expect(sheetNames()).toEqual(["Sheet1"]);
  });

  it("leaves given-up cells as they were, whichever request for it or for the sheet behind it Excel refuses", async () => {
    const companion = {
      sheetName: "Sources",
      plan: async () => ({ columns: [{ header: "Source" }], rows: [[text("Code")]] }),
    };
    let refused = 0;
    for (let request = 0; request < 30; request += 1) {
      excel = openExcel();
      ({ workbook } = excel.app);
      excel.enter("C3", [["mine"]]);
      const before = excel.cells("A1:D5");
      excel.fail(7000, 1, "workbook", request);
      const target = { ...atB2(), mayOverwrite: size };
      const isWritten = await inTime(writeTable(workbook, plan, target, { companion })).then(
        () => true,
        () => false,
      );
      if (isWritten) {
        expect(sheetNames()).toEqual(["Sheet1", "Sources"]);
        continue;
      }
      refused += 1;
      expect(excel.cells("A1:D5"), `request ${request}`).toEqual(before);
      expect(excel.spreadsheet.tables(), `request ${request}`).toEqual([]);
      expect(sheetNames()).toEqual(["Sheet1"]);
    }
    expect(refused).toBeGreaterThan(10);
  });
});

describe("tables that stand in the workbook", () => {
  it("are found wherever they are, shown, and known to be gone", async () => {
    const { tableId } = await inTime(writeTable(workbook, plan, { kind: "new-sheet", name: "Fees" }));
    excel.spreadsheet.select(sheetId, [{ row: 0, column: 0, rows: 1, columns: 1 }]);
    expect(await inTime(workbook.findTables([tableId, "none"]))).toEqual([
      { tableName: expect.any(String) as string, address: "Fees!A1:B3" },
      null,
    ]);
    await inTime(workbook.goTo(tableId));
    expect(excel.spreadsheet.selection()).toMatchObject({
      sheetId: excel.spreadsheet.sheets()[1]?.id,
      rects: [{ row: 0, column: 0, rows: 3, columns: 2 }],
    });
    await expect(inTime(workbook.goTo("none"))).rejects.toMatchObject({ kind: "table-gone" });
    await expect(inTime(workbook.describeTable("none"))).rejects.toMatchObject({ kind: "table-gone" });
    expect(await inTime(workbook.describeTable(tableId))).toEqual({
      address: "Fees!A1:B3",
      rows: 3,
      headers: ["geoID", "Fee"],
    });
  });

  it("are replaced in their place, smaller or larger, and stay the same to Excel", async () => {
    excel = openExcel({ excelApi: "1.13" });
    ({ workbook } = excel.app);
    const { tableId } = await inTime(writeTable(workbook, plan, { ...atB2(), sheetId: "sheet-1" }));
    const here = await inTime(workbook.describeTable(tableId));
    const target = { kind: "in-place" as const, tableId, ...here, mayOverwrite: null };
    const wider: SheetTable = {
      columns: [{ header: "Fee" }, { header: "geoID" }, { header: "More" }],
      rows: [[fee(1), text("1"), text("a")]],
    };
    excel.enter("D2", [["mine"]]);
    expect(await inTime(inspectTarget(workbook, target, { rows: 2, columns: 3 }))).toMatchObject({
      address: "Sheet1!B2:D3",
      filled: "Sheet1!D2",
    });
    await expect(inTime(writeTable(workbook, wider, target))).rejects.toMatchObject({
      kind: "cells-in-the-way",
    });
    expect(excel.values("B2:D4")).toEqual([
      ["geoID", "Fee", "mine"],
      ["06001", 1_250, ""],
      ["=1+1", 3, ""],
    ]);
    const given = { ...target, mayOverwrite: { rows: 2, columns: 3 } };
    expect(await inTime(writeTable(workbook, wider, given))).toMatchObject({
      tableId,
      address: "Sheet1!B2:D3",
    });
    expect(excel.values("B2:D4")).toEqual([
      ["Fee", "geoID", "More"],
      [1, "1", "a"],
      ["", "", ""],
    ]);
    expect(excel.spreadsheet.tables()).toMatchObject([{ id: tableId, rect: { rows: 2, columns: 3 } }]);
  });

  it("come back as they were if a replacement is stopped", async () => {
    excel = openExcel({ excelApi: "1.13" });
    ({ workbook } = excel.app);
    const { tableId } = await inTime(writeTable(workbook, plan, { ...atB2(), sheetId: "sheet-1" }));
    const here = await inTime(workbook.describeTable(tableId));
    const before = excel.cells("A1:E6");
    const stop = new AbortController();
    const options = { signal: stop.signal, gate: () => Promise.resolve(stop.abort()) };
    const target = { kind: "in-place" as const, tableId, ...here, mayOverwrite: { rows: 3, columns: 2 } };
    await expect(inTime(writeTable(workbook, plan, target, options))).rejects.toMatchObject({
      kind: "cancelled",
    });
    expect(excel.cells("A1:E6")).toEqual(before);
    expect(excel.spreadsheet.tables()).toMatchObject([{ id: tableId, rect: { rows: 3, columns: 2 } }]);
  });

  it("come back as they were whichever request of a replacement Excel refuses, larger or smaller", async () => {
    excel = openExcel({ excelApi: "1.13" });
    ({ workbook } = excel.app);
    const { tableId } = await inTime(writeTable(workbook, plan, { ...atB2(), sheetId: "sheet-1" }));
    const before = excel.cells("A1:F7");
    const larger: SheetTable = {
      columns: [{ header: "geoID" }, { header: "A" }, { header: "B" }],
      rows: Array.from({ length: 4 }, (_, row) => [text(`${row}`), fee(row), fee(row)]),
    };
    const smaller: SheetTable = { columns: [{ header: "B" }], rows: [[fee(1)]] };
    for (const replacement of [larger, smaller]) {
      const here = await inTime(workbook.describeTable(tableId));
      const mayOverwrite = { rows: 9, columns: 9 };
      const sheets = sheetNames();
      let refusedCount = 0;
      for (; refusedCount < 30; refusedCount += 1) {
        excel.fail(7000, 1, "workbook", refusedCount);
        const target = { kind: "in-place" as const, tableId, ...here, mayOverwrite };
        const isWritten = await inTime(writeTable(workbook, replacement, target)).then(
          () => true,
          () => false,
        );
        if (isWritten) break;
        expect(excel.cells("A1:F7"), `request ${refusedCount}`).toEqual(before);
        expect(sheetNames()).toEqual(sheets);
        expect(excel.spreadsheet.tables()).toMatchObject([{ id: tableId, rect: { rows: 3, columns: 2 } }]);
      }
      expect(refusedCount).toBeGreaterThan(5);
      if (replacement === larger)
        await inTime(
          writeTable(workbook, plan, {
            kind: "in-place",
            tableId,
            ...(await inTime(workbook.describeTable(tableId))),
            mayOverwrite,
          }),
        );
    }
  });
});

describe("the selection", () => {
  const select = (row: number, column: number, rows = 1, columns = 1) =>
    excel.spreadsheet.select(sheetId, [{ row, column, rows, columns }]);

  it("is told by its place, its address and its values", async () => {
    excel.enter("B2", [
      ["'06001", 2],
      [true, "=1"],
    ]);
    select(1, 1, 2, 2);
    expect(await inTime(workbook.selectedPosition())).toEqual({ sheetId, row: 1, column: 1 });
    expect(await inTime(workbook.selectedArea())).toEqual({ sheetId, address: "Sheet1!B2:C3" });
    const { rows, rowNumbers } = await inTime(workbook.selectedCells());
    expect(rows.flat().slice(0, 3)).toEqual(["06001", 2, true]);
    expect(rowNumbers).toEqual([2, 3]);
    select(9, 9);
    expect(await inTime(workbook.selectedCells())).toEqual({ rows: [], rowNumbers: [] });
  });

  it("of several areas is told by the first of them, and by the values of all", async () => {
    excel.enter("A1", [["'06001"], ["'06037"], ["'32003"]]);
    const cell = (row: number) => ({ row, column: 0, rows: 1, columns: 1 });
    excel.spreadsheet.select(sheetId, [cell(2), cell(0)]);
    expect(await inTime(workbook.selectedPosition())).toEqual({ sheetId, row: 2, column: 0 });
    expect(await inTime(workbook.selectedCell(false))).toMatchObject({ row: 2, value: "32003" });
    expect(await inTime(workbook.selectedCells())).toEqual({
      rows: [["32003"], ["06001"]],
      rowNumbers: [3, 1],
    });
    const refused = { kind: "no-cells-selected" };
    await expect(inTime(workbook.selectedArea())).rejects.toMatchObject(refused);
    await expect(inTime(workbook.readListColumn())).rejects.toMatchObject(refused);
  });

  it("of a chart or a picture is told in a sentence of its own", async () => {
    excel.spreadsheet.select(sheetId, []);
    for (const asked of [
      () => workbook.selectedPosition(),
      () => workbook.selectedCell(false),
      () => workbook.selectedCells(),
      () => workbook.selectedArea(),
      () => workbook.readListColumn(),
    ])
      await expect(inTime<unknown>(asked())).rejects.toMatchObject({
        kind: "no-cells-selected",
        message: expect.stringMatching(/a chart or a picture.*Select one block of cells/) as unknown,
      });
  });

  it("moves to a cell", async () => {
    await inTime(workbook.selectCell({ sheetId, row: 4, column: 2 }));
    expect(excel.spreadsheet.selection()).toMatchObject({
      sheetId,
      rects: [{ row: 4, column: 2, rows: 1, columns: 1 }],
    });
  });

  it("is a cell with its value, its formula and the row of the table that it stands in", async () => {
    const { tableId } = await inTime(writeTable(workbook, plan, atB2()));
    select(2, 2);
    expect(await inTime(workbook.selectedCell(false))).toEqual({
      address: "Sheet1!C3",
      sheetId,
      row: 2,
      column: 2,
      value: 1_250,
      text: "1,250 USD",
      formula: "",
      offset: { row: 0, column: 0 },
      table: { tableId, headers: ["geoID", "Fee"], values: ["06001", 1_250], column: 1, row: 0 },
      header: null,
    });
    select(1, 1);
    expect(await inTime(workbook.selectedCell(false))).toMatchObject({
      value: "geoID",
      table: null,
      header: { tableId, headers: ["geoID", "Fee"], column: 0 },
    });
    excel.enter("A9", [["=B3"]]);
    select(8, 0);
    expect(await inTime(workbook.selectedCell(false))).toMatchObject({
      value: "06001",
      formula: "=B3",
      table: null,
    });
  });
});
