import { inspectBeside } from "../../../../src/workbook/sheet/lists/beside-list";
import { writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { beforeEach, describe, expect, it } from "vitest";
import type { FormattedCell } from "../../../../src/workbook/sheet/values/cell-value";
import { besideArea, type ListHeader, rowsAbove } from "../../../../src/workbook/sheet/lists/list-column";
import type { Workbook } from "../../../../src/workbook/sheet/workbook";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

let excel: PlayedExcel;
let workbook: Workbook;
const open = (excelApi?: string) => {
  excel = openExcel(excelApi === undefined ? {} : { excelApi });
  ({ workbook } = excel.app);
};
beforeEach(() => open());

const sheetId = "sheet-1";
const select = (row: number, column: number, rows = 1, columns = 1) =>
  excel.spreadsheet.select(sheetId, [{ row, column, rows, columns }]);
const text = (value: string): FormattedCell => ({ value, numberFormat: "@" });
const plan = { columns: [{ header: "Fee" }], rows: [[text("$1")], [text("$2")]] };

/** Reads the selected list and writes a column of fees beside it. */
async function fillBeside(
  from: ListHeader["from"],
  {
    headerText = "geoID",
    mayOverwrite = null as { rows: number; columns: number } | null,
    options = {},
  } = {},
) {
  const list = await inTime(workbook.readListColumn());
  const target = { kind: "beside" as const, list, header: { from, text: headerText }, mayOverwrite };
  return inTime(writeTable(workbook, plan, target, options));
}

/** Enters geoIDs into B2:B3, and selects the whole column. */
function enterList(header?: string) {
  if (header !== undefined) excel.enter("B1", [[header]]);
  excel.enter("B2", [["'06001"], ["'06003"]]);
  select(header === undefined ? 1 : 0, 1, 1_000);
}

describe("the selected list", () => {
  it("is read as far as it is used, with what is above it and on its left", async () => {
    excel.enter("A3", [["Alameda"]]);
    excel.enter("B1", [["title"], ["'06001"], ["'06003"]]);
    select(1, 1, 100);
    expect(await inTime(workbook.readListColumn())).toEqual({
      sheetId,
      address: "Sheet1!B2:B3",
      row: 1,
      column: 1,
      values: ["06001", "06003"],
      above: "title",
      table: null,
    });
  });

  it("at the top left of a sheet has nothing above or beside it", async () => {
    excel.enter("A1", [["'06001"]]);
    select(0, 0);
    const list = await inTime(workbook.readListColumn());
    expect(list).toMatchObject({ row: 0, column: 0, values: ["06001"] });
    expect(list.above).toBeUndefined();
  });

  it("is the column of one selected cell, as far as the block around it goes", async () => {
    excel.enter("B3", [
      ["Project", "City", "State"],
      ["Roof", "Reno", "NV"],
      ["Field", "", "CA"],
      ["Store", "Fresno", "CA"],
    ]);
    excel.enter("C8", [["not of the block"]]);
    for (const row of [2, 3, 5]) {
      select(row, 2, 1, 1);
      expect(await inTime(workbook.readListColumn())).toMatchObject({
        address: "Sheet1!C3:C6",
        values: ["City", "Reno", "", "Fresno"],
      });
    }
    select(4, 2, 1, 1);
    await expect(inTime(workbook.readListColumn())).rejects.toMatchObject({ kind: "no-list" });
  });

  it("in a table is its column's part below the header", async () => {
    const given = {
      columns: [{ header: "Name" }, { header: "geoID" }],
      rows: [
        [text("A"), text("06001")],
        [text("B"), text("06003")],
      ],
    };
    const target = { kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite: null };
    const { tableId } = await inTime(writeTable(workbook, given, target));
    select(0, 2, 100);
    expect(await inTime(workbook.readListColumn())).toEqual({
      sheetId,
      address: "Sheet1!C3:C4",
      row: 2,
      column: 2,
      values: ["06001", "06003"],
      above: undefined,
      table: { id: tableId, row: 1, column: 1, headers: ["Name", "geoID"], rows: 2 },
    });
    select(1, 1, 10, 2);
    expect(await inTime(workbook.readListColumn())).toMatchObject({
      address: "Sheet1!B3:B4",
      column: 1,
      together: {
        address: "Sheet1!B3:C4",
        column: 1,
        columns: 2,
        rows: [
          [expect.anything(), "06001"],
          [expect.anything(), "06003"],
        ],
      },
    });
  });

  it("is none where the cells lie in two tables", async () => {
    const given = { columns: [{ header: "geoID" }], rows: [[text("06001")]] };
    for (const row of [0, 4]) {
      const target = { kind: "cell" as const, sheetId, row, column: 0, mayOverwrite: null };
      await inTime(writeTable(workbook, given, target));
    }
    select(0, 0, 10);
    await expect(inTime(workbook.readListColumn())).rejects.toMatchObject({
      kind: "no-list",
      detail: "The selected cells lie in more than one table.",
    });
  });

  it("is read in answers that stay small", async () => {
    const requests: number[] = [];
    excel = openExcel({ onRequest: (before) => requests.push(before) });
    ({ workbook } = excel.app);
    const rows = 50_001;
    excel.enter(
      "A1",
      Array.from({ length: rows }, (_, row) => [row]),
    );
    select(0, 0, rows);
    const { values } = await inTime(workbook.readListColumn());
    expect([values.length, values[0], values.at(-1)]).toEqual([rows, 0, rows - 1]);
    const forAll = requests.length;
    select(0, 0, rows - 1);
    await inTime(workbook.readListColumn());
    expect(forAll - (requests.length - forAll)).toBe(1);
  });

  it("is none if nothing is selected, or more columns than a list has", async () => {
    enterList();
    select(1, 5, 10, 1);
    await expect(inTime(workbook.readListColumn())).rejects.toMatchObject({ kind: "no-list" });
    excel.enter("A20", [Array.from({ length: 51 }, () => 1)]);
    select(19, 0, 1, 51);
    await expect(inTime(workbook.readListColumn())).rejects.toMatchObject({
      kind: "no-list",
      detail: "More than 50 columns are selected.",
    });
  });
});

describe("columns beside a list", () => {
  it("make a table with the header at its top", async () => {
    enterList("My geoIDs");
    expect(await fillBeside("list")).toMatchObject({ address: "Sheet1!C1:C3" });
    expect(excel.values("B1:C3")).toEqual([
      ["My geoIDs", "Fee"],
      ["06001", "$1"],
      ["06003", "$2"],
    ]);
    expect(excel.spreadsheet.tables()).toMatchObject([{ rect: { row: 0, column: 1, rows: 3, columns: 2 } }]);
  });

  it("make a table with the header above the list, or with a new header", async () => {
    enterList();
    await fillBeside("new");
    expect(excel.values("B1:C2")).toEqual([
      ["geoID", "Fee"],
      ["06001", "$1"],
    ]);
    open();
    excel.enter("B1", [["Mine"]]);
    enterList();
    await fillBeside("above");
    expect(excel.values("B1:C1")).toEqual([["Mine", "Fee"]]);
  });

  it("make room for a header if there is none, in their own columns only", async () => {
    excel.enter("B1", [["title"]]);
    enterList();
    await fillBeside("inserted", { headerText: "=geoID" });
    expect(excel.values("B1:C4")).toEqual([
      ["title", ""],
      ["=geoID", "Fee"],
      ["06001", "$1"],
      ["06003", "$2"],
    ]);
  });

  it.each(["1.9", "1.13"])(
    "widen the table that the list is in, in Excel with ExcelApi %s",
    async (excelApi) => {
      open(excelApi);
      const given = { columns: [{ header: "geoID" }], rows: [[text("06001")], [text("06003")]] };
      const target = { kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite: null };
      const { tableId } = await inTime(writeTable(workbook, given, target));
      select(2, 1, 2);
      expect(await fillBeside("table")).toMatchObject({ tableId, address: "Sheet1!C2:C4" });
      expect(excel.values("B2:C4")).toEqual([
        ["geoID", "Fee"],
        ["06001", "$1"],
        ["06003", "$2"],
      ]);
      expect(excel.spreadsheet.tables()).toMatchObject([{ id: tableId, rect: { rows: 3, columns: 2 } }]);
    },
  );

  it("are reported as filled beforehand, and overwrite only cells that the user gave up", async () => {
    enterList();
    excel.enter("C3", [["mine"]]);
    const list = await inTime(workbook.readListColumn());
    const beside = { list, header: { from: "new" as const, text: "geoID" } };
    const size = { rows: 3, columns: 1 };
    const inspected = inspectBeside(workbook, beside, { together: 1, apart: 3 }, true);
    expect(await inTime(inspected)).toMatchObject({
      right: { address: "Sheet1!C1:C3", refusal: null, isInOneTable: true },
      filled: "Sheet1!C3",
    });
    await expect(fillBeside("new")).rejects.toMatchObject({ kind: "cells-in-the-way" });
    expect(excel.values("B1:C3").flat()).toEqual(["", "", "06001", "", "06003", "mine"]);
    await fillBeside("new", { mayOverwrite: size });
    expect(excel.values("C1:C3")).toEqual([["Fee"], ["$1"], ["$2"]]);
  });

  it.each([
    ["a value", () => excel.enter("B3", [["'06005"]])],
    ["the header", () => excel.enter("B1", [["other"]])],
  ])("are not written if %s has changed since the list was read", async (_, change) => {
    excel.enter("B1", [["Mine"]]);
    enterList();
    const list = await inTime(workbook.readListColumn());
    change();
    const before = excel.cells("A1:D5");
    const header = { from: "above" as const, text: "Mine" };
    const target = { kind: "beside" as const, list, header, mayOverwrite: null };
    await expect(inTime(writeTable(workbook, plan, target))).rejects.toMatchObject({
      kind: "no-list",
      detail: "It has changed since it was read.",
    });
    expect(excel.cells("A1:D5")).toEqual(before);
  });

  it.each<ListHeader["from"]>(["new", "inserted"])(
    "leave everything as it was if Excel refuses any of the requests: header %s",
    async (from) => {
      enterList();
      if (from === "inserted") excel.enter("B1", [["title"]]);
      const before = excel.cells("A1:D6");
      let refused = 0;
      const list = await inTime(workbook.readListColumn());
      const target = { kind: "beside" as const, list, header: { from, text: "geoID" }, mayOverwrite: null };
      for (let request = 0; ; request += 1) {
        excel.fail(7000, 1, "workbook", request);
        const thrown = await inTime(writeTable(workbook, plan, target)).then(
          () => null,
          (failure: unknown) => failure,
        );
        if (thrown === null) break;
        refused += 1;
        expect(excel.cells("A1:D6"), `request ${request}`).toEqual(before);
        expect(excel.spreadsheet.tables(), `request ${request}`).toEqual([]);
      }
      expect(refused).toBeGreaterThan(5);
    },
  );

  it.each(["1.9", "1.13"])(
    "leave the list's table as it was if Excel refuses any of the requests: ExcelApi %s",
    async (excelApi) => {
      open(excelApi);
      const given = { columns: [{ header: "geoID" }], rows: [[text("06001")], [text("06003")], [text("")]] };
      const place = { kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite: null };
      const { tableId } = await inTime(writeTable(workbook, given, place));
      excel.enter("C3", [["mine"]]);
      select(2, 1, 2);
      const list = await inTime(workbook.readListColumn());
      const target = {
        ...{ kind: "beside" as const, list, header: { from: "table" as const, text: "geoID" } },
        mayOverwrite: { rows: 4, columns: 2 },
      };
      const wide = {
        columns: [{ header: "Fee" }, { header: "Code" }],
        rows: plan.rows.map((row) => [...row, ...row]),
      };
      const before = excel.cells("A1:F6");
      let refused = 0;
      for (; ; refused += 1) {
        excel.fail(7000, 1, "workbook", refused);
        const isWritten = await inTime(writeTable(workbook, wide, target)).then(
          () => true,
          () => false,
        );
        if (isWritten) break;
        expect(excel.cells("A1:F6"), `request ${refused}`).toEqual(before);
        expect(excel.spreadsheet.sheets(), `request ${refused}`).toHaveLength(1);
        expect(excel.spreadsheet.tables()).toMatchObject([{ id: tableId, rect: { rows: 4, columns: 1 } }]);
      }
      expect(refused).toBeGreaterThan(5);
      expect(excel.spreadsheet.tables()).toMatchObject([{ id: tableId, rect: { rows: 4, columns: 3 } }]);
    },
  );
});

describe("the place of columns beside a list", () => {
  const list = {
    ...{ sheetId, address: "Sheet1!C5:C7", row: 4, column: 2, values: ["a", "b", "c"] },
    ...{ above: "", table: null },
  };
  it.each<[ListHeader["from"], { row: number; rows: number }]>([
    ["list", { row: 4, rows: 3 }],
    ["above", { row: 3, rows: 4 }],
    ["new", { row: 3, rows: 4 }],
    ["inserted", { row: 4, rows: 4 }],
  ])("depends on where the list's header stands: %s", (from, rows) => {
    const beside = { list, header: { from, text: "geoID" } };
    expect(besideArea(beside, 2)).toEqual({ column: 3, columns: 2, ...rows });
    expect(rowsAbove(beside)).toBe(0);
  });

  it("is the table's right edge if the list is in a table, even without its first rows", () => {
    const table = { id: "1", row: 1, column: 2, headers: ["A", "B"], rows: 9 };
    const beside = { list: { ...list, table }, header: { from: "table" as const, text: "A" } };
    expect(besideArea(beside, 3)).toEqual({ row: 1, column: 4, rows: 10, columns: 3 });
    expect(rowsAbove(beside)).toBe(2);
  });
});

describe("columns beside a list look like it", () => {
  const lookAt = (row: number, column: number) => {
    const { bold, verticalAlignment } = excel.spreadsheet.look(sheetId, row, column);
    return [verticalAlignment, bold];
  };

  it("stand at the bottom of their rows if its cells do, and their header like its header", async () => {
    enterList("geoID");
    await fillBeside("list");
    expect([lookAt(0, 2), lookAt(1, 2), lookAt(2, 2)]).toEqual([
      ["Bottom", false],
      ["Bottom", false],
      ["Bottom", false],
    ]);
  });

  it("take over the looks that the user has set", async () => {
    enterList("geoID");
    const area = (row: number, rows: number) => ({ row, column: 1, rows, columns: 1 });
    excel.spreadsheet.applyStyle(sheetId, area(0, 1), { bold: true, verticalAlignment: "Center" });
    excel.spreadsheet.applyStyle(sheetId, area(1, 2), { verticalAlignment: "Top" });
    await fillBeside("list");
    expect([lookAt(0, 2), lookAt(1, 2), lookAt(2, 2)]).toEqual([
      ["Center", true],
      ["Top", false],
      ["Top", false],
    ]);
    // The user's own cells keep their looks.
    expect([lookAt(0, 1), lookAt(1, 1)]).toEqual([
      ["Center", true],
      ["Top", false],
    ]);
  });
});
