import { writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FormattedCell } from "../../../../src/workbook/sheet/values/cell-value";
import { createImportTables, type ImportTables } from "../../../../src/workbook/sheet/tables/table-changes";
import { rowsRead } from "../../../../src/workbook/sheet/layout/row-keys";
import type { TableRows } from "../../../../src/workbook/sheet/tables/bound-table";
import type { TableEdit } from "../../../../src/workbook/sheet/tables/table-edit";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

const text = (value: string): FormattedCell => ({ value, numberFormat: "@" });
const number = (value: number): FormattedCell => ({ value, numberFormat: "0" });
const ids = ["AHJ ID"];

let excel: PlayedExcel;
let tables: ImportTables;
let tableId: string;
let read: TableRows;

/** Enters three jurisdictions with a fee and a column of the user's own into B2:D5. */
beforeEach(async () => {
  excel = openExcel();
  const { workbook } = excel.app;
  const sheetId = excel.spreadsheet.sheets()[0]!.id;
  const plan = {
    columns: [{ header: "AHJ ID" }, { header: "Fee" }, { header: "Mine" }],
    rows: [7, 8, 9].map((id) => [number(id), text(`$${id}`), text(`note ${id}`)]),
  };
  const target = { kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite: null };
  ({ tableId } = await inTime(writeTable(workbook, plan, target)));
  tables = createImportTables(workbook);
  read = rowsRead(await inTime(tables.read(tableId, ids)), ids);
});

const edit = (change: Partial<TableEdit>): TableEdit => ({
  read,
  newRows: [],
  newColumns: [],
  columns: ["AHJ ID", "Fee"],
  goneColumns: [],
  updates: [],
  ...change,
});
const fees = { header: "Fee", shown: ["$7", "$8", "$9"] };
const start = [
  ["AHJ ID", "Fee", "Mine"],
  [7, "$7", "note 7"],
  [8, "$8", "note 8"],
  [9, "$9", "note 9"],
];

describe("an import's table", () => {
  it("is refreshed and marked in a workbook whose structure is protected, because no sheet is added", async () => {
    excel.document.isStructureProtected = true;
    await inTime(tables.mayWrite(tableId));
    const updates = [{ row: 0, header: "Fee", shown: "$7", cell: text("$17") }];
    await inTime(tables.edit(tableId, edit({ newRows: [[10]], updates })));
    const marks = await inTime(tables.mark(tableId, read, [{ row: 0, header: "Fee", kind: "changed" }]));
    expect(marks.cells).toHaveLength(1);
    expect(excel.values("B3:C6")).toEqual([
      [7, "$17"],
      [8, "$8"],
      [9, "$9"],
      [10, ""],
    ]);
  });

  it("is listed with its headers and its place", async () => {
    expect(await inTime(tables.list())).toEqual([
      { tableId, tableName: expect.any(String) as string, address: "Sheet1!B2:D5", headers: start[0] },
    ]);
  });

  it("is read by its headers, as far as they are there", async () => {
    const columns = await inTime(tables.read(tableId, ["Fee", "Gone"]));
    expect(columns).toEqual({
      rowCount: 3,
      headers: start[0],
      columns: new Map([["Fee", { values: ["$7", "$8", "$9"], numberFormats: ["@", "@", "@"] }]]),
    });
    await expect(inTime(tables.read("none", []))).rejects.toMatchObject({ kind: "table-gone" });
  });

  it("tells where cells stand, after sorting and with others in between", async () => {
    excel.enter("Sheet1!B3", [[9], [7], [8]]);
    const cells = [
      { row: 0, header: "Fee" },
      undefined,
      { row: 2, header: "AHJ ID" },
      { row: 1, header: "?" },
    ];
    expect(await inTime(tables.addresses(tableId, read, cells))).toEqual([
      "Sheet1!C4",
      undefined,
      "Sheet1!B3",
      undefined,
    ]);
  });

  it("shows a cell, or the table if the cell is gone", async () => {
    await inTime(tables.goTo(tableId, read, { row: 1, header: "Fee" }));
    expect(excel.spreadsheet.selection().rects).toEqual([{ row: 3, column: 2, rows: 1, columns: 1 }]);
    await inTime(tables.goTo(tableId, read, { row: 1, header: "Gone" }));
    expect(excel.spreadsheet.selection().rects).toEqual([{ row: 1, column: 1, rows: 4, columns: 3 }]);
  });

  it("may be written, unless its sheet is protected", async () => {
    await inTime(tables.mayWrite(tableId));
    excel.document.protectedSheets.add("sheet-1");
    await expect(inTime(tables.mayWrite(tableId))).rejects.toMatchObject({ kind: "sheet-refused" });
  });

  it("waits for the user's calculation where the workbook says so", async () => {
    expect(await inTime(tables.isManual())).toBe(false);
  });
});

describe("an edit of an import's table", () => {
  it("changes the cells that it names, wherever they stand now, and nothing else", async () => {
    excel.enter("Sheet1!B3", [
      [9, "$9", "note 9"],
      [7, "$7", "note 7"],
      [8, "$8", "note 8"],
    ]);
    const written: number[] = [];
    const updates = [
      { row: 0, header: "Fee", cell: number(70), shown: "$7" },
      { row: 2, header: "Fee", cell: text("=1+1"), shown: "$9" },
      { row: 1, header: "Gone", cell: text("lost"), shown: "" },
    ];
    await inTime(tables.edit(tableId, edit({ updates }), { onWritten: (cells) => written.push(cells) }));
    expect(excel.values("B2:D5")).toEqual([
      start[0],
      [9, "=1+1", "note 9"],
      [7, 70, "note 7"],
      [8, "$8", "note 8"],
    ]);
    expect(excel.cells("C3:C5").map(([cell]) => cell?.numberFormat)).toEqual(["@", "0", "@"]);
    expect(written).toEqual([2]);
  });

  it("adds rows below, and columns right of its own last one, and takes columns away", async () => {
    excel.enter("Sheet1!B7", [["below"]]);
    const updates = [
      { row: 3, header: "Code", cell: text("NEC"), shown: "" },
      { row: 0, header: "Code", cell: text("IRC"), shown: "" },
    ];
    const goneColumns = [fees, { header: "Unknown", shown: [] }];
    const change = edit({ newRows: [[10]], newColumns: ["Code"], goneColumns, updates });
    await inTime(tables.edit(tableId, change));
    expect(excel.values("B2:E6")).toEqual([
      ["AHJ ID", "Code", "Mine", ""],
      [7, "IRC", "note 7", ""],
      [8, "", "note 8", ""],
      [9, "", "note 9", ""],
      [10, "NEC", "", ""],
    ]);
    expect(excel.values("B7:B8").flat()).toContain("below");
    expect(excel.spreadsheet.tables()).toMatchObject([
      { id: tableId, rect: { row: 1, column: 1, rows: 5, columns: 3 } },
    ]);
  });

  it("renames a column, unless somebody renames it before any of its requests", async () => {
    let renamed = 0;
    for (let at = 0; ; at += 1) {
      let request = -Infinity;
      const own: PlayedExcel = openExcel({
        onRequest() {
          request += 1;
          if (request !== at) return;
          renamed += 1;
          own.enter("C9", [["Their fee"]]);
        },
      });
      const there = own.app.workbook;
      const sheetId = own.spreadsheet.sheets()[0]!.id;
      const target = { kind: "cell" as const, sheetId, row: 8, column: 1, mayOverwrite: null };
      const small = { columns: [{ header: "AHJ ID" }, { header: "Fee" }], rows: [[number(7), text("$7")]] };
      const made = await inTime(writeTable(there, small, target));
      const newHeaders = [{ before: "Fee", after: "Fee (USD)" }];
      const change = edit({ read: { ids, keys: ["[7]"] }, updates: [], newHeaders });
      request = -1;
      await inTime(createImportTables(there).edit(made.tableId, change)).catch(() => undefined);
      const isOver = request < at;
      request = Infinity;
      expect(own.values("C9"), `request ${at}`).toEqual([[isOver ? "Fee (USD)" : "Their fee"]]);
      if (isOver) break;
    }
    expect(renamed).toBeGreaterThan(2);
  });

  it("gives two columns each other's names", async () => {
    const own = openExcel({});
    const there = own.app.workbook;
    const target = { kind: "new-sheet" as const, name: "Fees" };
    const columns = ["AHJ ID", "Fee", "Code"].map((header) => ({ header }));
    const small = { columns, rows: [[number(7), text("$7"), text("c 7")]] };
    const made = await inTime(writeTable(there, small, target));
    const newHeaders = [
      { before: "Fee", after: "Code" },
      { before: "Code", after: "Fee" },
    ];
    const change = edit({ read: { ids, keys: ["[7]"] }, updates: [], newHeaders });
    await inTime(createImportTables(there).edit(made.tableId, change));
    expect(own.values("Fees!A1:C1")).toEqual([["AHJ ID", "Code", "Fee"]]);
  });

  it("that changes nothing sends only the request for its turn", async () => {
    excel.fail(7000, 1, "workbook", 1);
    await inTime(tables.edit(tableId, edit({})));
  });

  it("that is stopped leaves everything as it was", async () => {
    const stop = new AbortController();
    stop.abort();
    const updates = [{ row: 0, header: "Fee", cell: text("new"), shown: "$7" }];
    const change = edit({ newRows: [[10], [11]], newColumns: ["Code"], goneColumns: [fees], updates });
    await expect(inTime(tables.edit(tableId, change, { signal: stop.signal }))).rejects.toMatchObject({
      kind: "cancelled",
    });
    expect(excel.values("B2:E7")).toEqual([
      ...start.map((row) => [...row, ""]),
      ["", "", "", ""],
      ["", "", "", ""],
    ]);
    expect(excel.spreadsheet.tables()).toMatchObject([{ rect: { rows: 4, columns: 3 } }]);
    expect(excel.spreadsheet.sheets()).toHaveLength(1);
  });

  it("leaves everything as it was if Excel refuses any of its requests", async () => {
    const updates = [
      { row: 0, header: "Mine", cell: text("new"), shown: "note 7" },
      { row: 3, header: "Code", cell: text("NEC"), shown: "" },
    ];
    const change = edit({ newRows: [[10]], newColumns: ["Code"], goneColumns: [fees], updates });
    const before = excel.cells("B2:F8");
    let refused = 0;
    for (let request = 0; ; request += 1) {
      excel.fail(7000, 1, "workbook", request);
      const thrown = await inTime(tables.edit(tableId, change)).then(
        () => null,
        (failure: unknown) => failure,
      );
      if (thrown === null) break;
      refused += 1;
      expect(thrown, `request ${request}`).toMatchObject({ kind: "not-permitted" });
      expect(excel.cells("B2:F8"), `request ${request}`).toEqual(before);
      expect(excel.spreadsheet.tables(), `request ${request}`).toMatchObject([
        { rect: { rows: 4, columns: 3 } },
      ]);
    }
    expect(refused).toBeGreaterThan(6);
    expect(excel.values("B2:D3")).toEqual([
      ["AHJ ID", "Code", "Mine"],
      [7, "", "new"],
    ]);
  });

  it.each([
    [
      ["Name", "Fee", "AHJ ID", "Mine"],
      ["Name", "Fee", "Rule", "Hours", "AHJ ID", "Mine"],
    ],
    [
      ["AHJ ID", "Name", "Mine", "Fee"],
      ["AHJ ID", "Name", "Mine", "Fee", "Rule", "Hours"],
    ],
    [
      ["Mine", "AHJ ID"],
      ["Mine", "Rule", "Hours", "AHJ ID"],
    ],
  ])("adds columns to %j behind its own last column that holds no ids", async (headers, expected) => {
    const own = headers.filter((header) => header !== "Mine");
    const table = { columns: headers.map((header) => ({ header })), rows: [headers.map(() => number(7))] };
    const { tableId: other } = await inTime(
      writeTable(excel.app.workbook, table, { kind: "new-sheet", name: "Other" }),
    );
    const rows = rowsRead(await inTime(tables.read(other, ids)), ids);
    await inTime(tables.edit(other, edit({ read: rows, columns: own, newColumns: ["Rule", "Hours"] })));
    expect((await inTime(tables.read(other, ids))).headers).toEqual(expected);
  });

  it("prints its new columns too, as wide as a text may be, if its sheet is printed without the ids", async () => {
    const columns = [
      { header: "Fee" },
      { header: "AHJ ID", content: { of: "ahj" as const, field: "id" as const } },
    ];
    const table = { columns, rows: [[text("$7"), number(7)]] };
    const { tableId: other } = await inTime(
      writeTable(excel.app.workbook, table, { kind: "new-sheet", name: "Other" }),
    );
    const { id } = excel.spreadsheet.sheets().find(({ name }) => name === "Other")!;
    const printed = () => excel.document.printSetups.get(id)?.area;
    const widths = vi.spyOn(excel.spreadsheet, "setColumnWidth");
    const add = async (own: string[], newColumns: string[]) => {
      const rows = rowsRead(await inTime(tables.read(other, ids)), ids);
      await inTime(tables.edit(other, edit({ read: rows, columns: [...own, "AHJ ID"], newColumns })));
    };
    expect(printed()).toBe("A:A");
    await add(["Fee"], ["Rule", "Hours"]);
    expect(printed()).toBe("A:C");
    // 22 characters and two more, at 6 points each, in pixels.
    expect(widths.mock.calls).toEqual([[id, 1, 2, 192]]);
    excel.document.printSetups.set(id, { area: "A1:C9" });
    await add(["Fee", "Rule", "Hours"], ["Code"]);
    expect(printed()).toBe("A1:C9");
  });

  it("has its new columns as wide as a text may be beside a list, unless something else stands in them", async () => {
    const widths = vi.spyOn(excel.spreadsheet, "setColumnWidth");
    await inTime(tables.edit(tableId, edit({ newColumns: ["Rule"] })));
    expect(widths.mock.calls).toEqual([["sheet-1", 3, 1, 192]]);
    excel.enter("E9", [["mine"]]);
    read = rowsRead(await inTime(tables.read(tableId, ids)), ids);
    await inTime(tables.edit(tableId, edit({ columns: ["AHJ ID", "Fee", "Rule"], newColumns: ["Hours"] })));
    expect(widths).toHaveBeenCalledTimes(1);
  });

  it("wraps long texts again where cells wrap, and in new columns, because Excel then fits the rows", async () => {
    const long = "Ridge setback reduced to 18 inches on both sides";
    const cell = (row: number) => ({ row, column: 2, rows: 1, columns: 1 });
    // The fees of the jurisdictions 7 and 9 wrap.
    for (const row of [2, 4]) excel.spreadsheet.applyStyle("sheet-1", cell(row), { wrapText: true });
    const styles = vi.spyOn(excel.spreadsheet, "applyStyle");
    const update = (row: number, shown: string, text: FormattedCell) => ({
      row,
      header: "Fee",
      shown,
      cell: text,
    });
    const updates = [update(0, "$7", text(long)), update(1, "$8", text(long)), update(2, "$9", text("$19"))];
    await inTime(tables.edit(tableId, edit({ updates })));
    expect(styles.mock.calls).toEqual([["sheet-1", cell(2), { wrapText: true }]]);

    styles.mockClear();
    const answers = [{ row: 0, header: "Rule", shown: "", cell: text(long) }];
    await inTime(tables.edit(tableId, edit({ newColumns: ["Rule"], updates: answers })));
    expect(styles.mock.calls.at(-1)).toEqual([
      "sheet-1",
      { row: 2, column: 3, rows: 3, columns: 1 },
      { wrapText: true },
    ]);
  });

  it("leads where its text says after an edit, and after one that is taken back", async () => {
    const [old, portal] = ["https://old.example.gov/fees", "https://new.example.gov/fees"];
    const linkOf = (row: number) => excel.spreadsheet.link("sheet-1", row, 2);
    const first = [{ row: 0, header: "Fee", cell: text(old), shown: "$7" }];
    await inTime(tables.edit(tableId, edit({ updates: first })));
    expect([linkOf(2), linkOf(3)]).toEqual([old, null]);
    const updates = [
      { row: 0, header: "Fee", cell: text(portal), shown: old },
      { row: 1, header: "Fee", cell: text(`See ${portal}`), shown: "$8" },
    ];
    // Excel refuses each request in its turn: the ones that read, that write, and that take back.
    for (let request = 0; request < 30; request += 1) {
      excel.fail(7000, 1, "workbook", request);
      const outcome = await inTime(tables.edit(tableId, edit({ updates }))).then(
        () => "written",
        () => "refused",
      );
      const [shown] = excel.values("C3")[0] ?? [];
      expect(linkOf(2), `request ${request}, ${outcome}`).toBe(shown);
      if (outcome === "written" && shown === portal) break;
    }
    expect(excel.values("C3:C4")).toEqual([[portal], [`See ${portal}`]]);
    expect(linkOf(3)).toBeNull();
    const blank = [{ row: 0, header: "Fee", cell: text("by phone"), shown: portal }];
    await inTime(tables.edit(tableId, edit({ updates: blank })));
    expect(linkOf(2)).toBeNull();
  });

  it("links no more than 1,000 cells at once, and leaves none that leads elsewhere", async () => {
    const rows = Array.from({ length: 1_001 }, (_, row) => row);
    const before = "https://old.example.gov/0";
    const plan = {
      columns: ["AHJ ID", "Portal"].map((header) => ({ header })),
      rows: rows.map((row) => [
        number(row + 1),
        row === 0 ? { ...text(before), link: before } : text("by phone"),
      ]),
    };
    const { tableId: other } = await inTime(
      writeTable(excel.app.workbook, plan, { kind: "new-sheet", name: "Portals" }),
    );
    const sheetId = excel.spreadsheet.sheets()[1]!.id;
    const there = rowsRead(await inTime(tables.read(other, ids)), ids);
    const updates = rows.map((row) => ({
      ...{ row, header: "Portal", shown: row === 0 ? before : "by phone" },
      cell: text(`https://new.example.gov/${row}`),
    }));
    expect(excel.spreadsheet.link(sheetId, 1, 1)).toBe(before);
    await inTime(tables.edit(other, edit({ read: there, columns: ["AHJ ID", "Portal"], updates })));
    expect(excel.values("Portals!B2:B3").flat()).toEqual([0, 1].map((row) => updates[row]?.cell.value));
    expect(
      rows.map((row) => excel.spreadsheet.link(sheetId, row + 1, 1)).every((link) => link === null),
    ).toBe(true);
  });

  it("tells how many notes this Excel can't write", async () => {
    const left: number[] = [];
    const updates = [
      { row: 0, header: "Fee", cell: text("a"), shown: "$7", note: "Code § 1" },
      { row: 1, header: "Fee", cell: text("b"), shown: "$8", note: null },
      { row: 2, header: "Fee", cell: text("c"), shown: "$9" },
    ];
    await inTime(tables.edit(tableId, edit({ updates }), { onNotesLeft: (notes) => left.push(notes) }));
    expect(left).toEqual([2]);
    expect(excel.values("C3:C5")).toEqual([["a"], ["b"], ["c"]]);
  });
});

describe("cells that are marked", () => {
  const fill = (address: string) => {
    const [, column = "", row = ""] = /([A-Z])(\d)/.exec(address) ?? [];
    return excel.spreadsheet.look("sheet-1", Number(row) - 1, column.charCodeAt(0) - 65).fillColor;
  };

  it("are filled by the reason of their mark, and get their former fill back", async () => {
    excel.spreadsheet.applyStyle(
      "sheet-1",
      { row: 2, column: 2, rows: 1, columns: 1 },
      { fillColor: "#00FF00" },
    );
    const marks = await inTime(
      tables.mark(tableId, read, [
        { row: 0, header: "Fee", kind: "changed" },
        { row: 1, header: "Fee", kind: "changed" },
        { row: 2, header: "Mine", kind: "not-refreshed" },
        { row: 2, header: "Gone", kind: "changed" },
      ]),
    );
    expect(marks.cells).toHaveLength(3);
    expect([fill("C3"), fill("C4"), fill("D5"), fill("C5")]).toEqual(["#FFF2CC", "#FFF2CC", "#D9D9D9", null]);
    // The user has given this cell a fill meanwhile.
    excel.spreadsheet.applyStyle(
      "sheet-1",
      { row: 4, column: 3, rows: 1, columns: 1 },
      { fillColor: "#0000FF" },
    );
    await inTime(tables.unmark(tableId, marks));
    expect([fill("C3"), fill("C4"), fill("D5")]).toEqual(["#00FF00", null, "#0000FF"]);
  });

  it("are none on a protected sheet", async () => {
    excel.document.protectedSheets.add("sheet-1");
    const marking = tables.mark(tableId, read, [{ row: 0, header: "Fee", kind: "changed" }]);
    await expect(inTime(marking)).rejects.toMatchObject({ kind: "sheet-refused" });
    expect(fill("C3")).toBeNull();
  });
});
