import { inspectTarget, writeTable } from "../../src/workbook/sheet/tables/write-table";
import { beforeEach, describe, expect, it } from "vitest";
import { locateFrozen } from "../../src/workbook/cell-formulas/frozen-places";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import type { SheetTable } from "../../src/workbook/sheet/layout/table-plan";
import { MAX_COLUMNS, MAX_ROWS, parseAddress } from "../../workbench/address";
import { pass, playExcel } from "../functions/excel";
import { changingFee } from "./changing-fee";
import { inTime } from "./in-time";
import { openExcel, type PlayedExcel } from "./open-excel";

/** Rules of Excel as the played Excel keeps them, and how the add-in works under them: docs/excel-rules.md names each. */
playExcel();

let excel: PlayedExcel;
beforeEach(() => (excel = openExcel({ excelApi: "1.20" })));

const sheetId = "sheet-1";
const rectOf = (address: string) => parseAddress(address)!.rect;
/** Excel's result for a request: the error code if it refuses. */
const codeOf = (work: (sheet: Excel.Worksheet, context: Excel.RequestContext) => void) =>
  inTime(
    Excel.run(async (context) => {
      work(context.workbook.worksheets.getItem("Sheet1"), context);
      await context.sync();
    }).then(
      () => undefined,
      (thrown: { code: string }) => thrown.code,
    ),
  );
const addTable = (address: string, name = "Fees") =>
  excel.spreadsheet.addTable({ sheetId, rect: rectOf(address), name, style: "TableStyleMedium2" });
const tableAddresses = () => excel.spreadsheet.tables().map(({ name, rect }) => [name, rect]);

const text = (value: string) => ({ value, numberFormat: "@" });
const plan: SheetTable = { columns: [{ header: "geoID" }], rows: [[text("06001")], [text("06037")]] };
const at = (row: number, column: number) => ({
  kind: "cell" as const,
  sheetId,
  row,
  column,
  mayOverwrite: null,
});

describe("with all cells selected", () => {
  beforeEach(() =>
    excel.spreadsheet.select(sheetId, [{ row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS }]),
  );

  it("Excel hangs where the areas are loaded (OfficeDev/office-js#5758)", async () => {
    const loading = codeOf((_, { workbook }) => workbook.getSelectedRanges().areas.load("items/address"));
    expect(await loading).toBe("GeneralException");
  });

  it("the add-in takes the areas one by one", async () => {
    excel.enter("B2", [["06001"], ["06037"]]);
    const { workbook } = excel.app;
    expect(await inTime(workbook.selectedPosition())).toEqual({ sheetId, row: 0, column: 0 });
    expect((await inTime(workbook.selectedCells())).rows.flat().filter((value) => value !== "")).toEqual([
      6001, 6037,
    ]);
    expect((await inTime(workbook.scopeNow("selection"))).areas).toHaveLength(1);
  });
});

describe("while another workbook is in front", () => {
  beforeEach(() => (excel.document.isBehind = true));

  it.each<[string, (sheet: Excel.Worksheet, context: Excel.RequestContext) => void, string]>([
    ["select", (sheet) => sheet.getRange("A1").select(), "GeneralException"],
    ["activate", (sheet) => sheet.activate(), "GeneralException"],
    ["add a sheet", (_, { workbook }) => workbook.worksheets.add("More"), "GeneralException"],
    ["freeze rows", (sheet) => sheet.freezePanes.freezeRows(1), "GeneralException"],
    ["freeze columns", (sheet) => sheet.freezePanes.freezeAt(sheet.getRange("A1")), "GeneralException"],
    [
      "tell the selection",
      (_, { workbook }) => workbook.getSelectedRange().load("address"),
      "InvalidSelection",
    ],
    [
      "tell its areas",
      (_, { workbook }) => workbook.getSelectedRanges().load("areaCount"),
      "InvalidSelection",
    ],
  ])("Excel does not %s (excel-add-ins-troubleshooting.md)", async (_, work, code) => {
    expect(await codeOf(work)).toBe(code);
  });

  it("Excel deletes no sheet", async () => {
    excel.spreadsheet.addSheet("More");
    expect(await codeOf((_, { workbook }) => workbook.worksheets.getItem("More").delete())).toBe(
      "InvalidSelection",
    );
  });

  it("an import that was being written stands, and is only not shown", async () => {
    excel.document.isBehind = false;
    const { address } = await inTime(
      writeTable(
        excel.app.workbook,
        plan,
        { kind: "new-sheet", name: "Fees" },
        {
          gate: () => Promise.resolve(void (excel.document.isBehind = true)),
        },
      ),
    );
    expect(excel.values(address)).toEqual([["geoID"], ["06001"], ["06037"]]);
    expect(excel.spreadsheet.selection().sheetId).toBe(sheetId);
  });
});

describe("while a chart sheet is in front", () => {
  beforeEach(() => (excel.document.showsChartSheet = true));

  it("Excel gives no active worksheet (OfficeDev/office-js#2444)", async () => {
    const active = codeOf((_, { workbook }) => workbook.worksheets.getActiveWorksheet().load("id"));
    expect(await active).toBe("UnsupportedSheet");
  });

  it("the add-in imports on a new sheet, and finds the formulas of the workbook", async () => {
    const { workbook } = excel.app;
    const written = inTime(writeTable(workbook, plan, { kind: "new-sheet", name: "Fees" }));
    expect((await written).address).toBe("Fees!A1:A3");
    expect(await inTime(workbook.scopeNow("workbook"))).toMatchObject({ areas: null });
  });
});

describe("a hidden sheet", () => {
  const hide = () => {
    const { id } = excel.spreadsheet.addSheet("Aside");
    excel.spreadsheet.hideSheet(id, true);
    return id;
  };

  it("is not shown or selected", async () => {
    hide();
    const refused = (work: (sheet: Excel.Worksheet) => void) =>
      codeOf((_, { workbook }) => work(workbook.worksheets.getItem("Aside")));
    expect(await refused((sheet) => sheet.activate())).toBe("InvalidOperation");
    expect(await refused((sheet) => sheet.getRange("A1").select())).toBe("InvalidOperation");
  });

  it("is named where the add-in is to show its cells", async () => {
    const area = { sheetId: hide(), row: 0, column: 0, rows: 1, columns: 1 };
    await expect(inTime(excel.app.workbook.goToCells(area))).rejects.toMatchObject({
      kind: "sheet-hidden",
      message:
        "The sheet is hidden. It is called “Aside”. Right-click any sheet's tab and choose Unhide, then try again.",
    });
  });
});

describe("a column of a table", () => {
  const write = (address: string, formulas: string[]) =>
    codeOf((sheet) => (sheet.getRange(address).formulas = formulas.map((formula) => [formula])));
  const formulasIn = (address: string) => excel.cells(address).map(([cell]) => cell?.formula);

  it("gets the lowest of the formulas that are written there in each of its rows (OfficeDev/office-js#5909)", async () => {
    excel.enter("A1", [
      ["geoID", "Fee"],
      ["a", ""],
      ["b", ""],
      ["c", "=A4"],
    ]);
    addTable("A1:B4");
    await write("B2:B3", ["=C2", "=D3"]);
    expect(formulasIn("B2:B4")).toEqual(["=D2", "=D3", "=D4"]);
    await write("B4", ["=E4"]);
    expect(formulasIn("B2:B4")).toEqual(["=E2", "=E3", "=E4"]);
  });

  it("keeps different formulas while a row of it holds a value", async () => {
    excel.enter("A1", [
      ["geoID", "Fee"],
      ["a", ""],
      ["b", ""],
      ["c", 5],
    ]);
    addTable("A1:B4");
    await write("B2:B3", ["=C2", "=D3"]);
    expect(formulasIn("B2:B4")).toEqual(["=C2", "=D3", 5]);
  });
});

describe("a table", () => {
  it("takes in what is written right below it (co-authoring-in-excel-add-ins.md)", async () => {
    addTable("A1:B3");
    await codeOf((sheet) => (sheet.getRange("A4:B4").values = [["06001", 1]]));
    await codeOf((sheet) => (sheet.getRange("A7:B7").values = [["06037", 2]]));
    expect(tableAddresses()).toEqual([["Fees", rectOf("A1:B4")]]);
  });

  it("is not written right below another: the add-in asks for a blank row", async () => {
    addTable("A1:B3");
    const { workbook } = excel.app;
    for (const asked of [
      inspectTarget(workbook, at(3, 0), { rows: 3, columns: 1 }),
      writeTable(workbook, plan, at(3, 0)),
    ])
      await expect(inTime<unknown>(asked)).rejects.toMatchObject({
        kind: "cells-in-the-way",
        message: expect.stringMatching(/Fees ends right above.*Leave a blank row/) as unknown,
      });
    expect((await inTime(writeTable(workbook, plan, at(4, 0)))).address).toBe("Sheet1!A5:A7");
  });

  it("does not grow where that would cut another table (OfficeDev/office-scripts-docs#654)", async () => {
    addTable("A1:B3");
    addTable("B6:C8", "Below");
    const row = codeOf((sheet) => sheet.tables.getItem("Fees").rows.add(undefined, [["1", "2"]]));
    expect(await row).toBe("InsertDeleteConflict");
    excel.spreadsheet.updateTable(excel.spreadsheet.tables()[1]!.id, { rect: rectOf("D2:E9") });
    const column = codeOf((sheet) => sheet.tables.getItem("Fees").columns.add(undefined, undefined, "More"));
    expect(await column).toBe("InsertDeleteConflict");
  });

  it("that would cut another is told in a sentence of its own", async () => {
    addTable("A1:B3");
    addTable("B6:C8", "Below");
    const added = excel.app.workbook.run(async (context) => {
      context.workbook.tables.getItem("Fees").rows.add(undefined, [["1", "2"]]);
      await context.sync();
    });
    await expect(inTime(added)).rejects.toMatchObject({ kind: "tables-collide" });
  });

  it("whose header row is switched off has none to give", async () => {
    const { id } = addTable("A1:B3");
    excel.spreadsheet.updateTable(id, { hidesHeaders: true });
    expect(await codeOf((sheet) => sheet.tables.getItem("Fees").getHeaderRowRange().load("values"))).toBe(
      "InvalidOperation",
    );
    const { workbook } = excel.app;
    excel.enter("A2", [["'06001"], ["'06037"]]);
    excel.spreadsheet.select(sheetId, [rectOf("A2:A3")]);
    expect(await inTime(workbook.selectedCell(true))).toMatchObject({ value: "06001", table: null });
    const noHeaders = { kind: "no-headers" };
    await expect(inTime(workbook.readListColumn())).rejects.toMatchObject(noHeaders);
    await expect(inTime(workbook.describeTable(id))).rejects.toMatchObject(noHeaders);
    await expect(inTime(createImportTables(workbook).read(id, ["geoID"]))).rejects.toMatchObject(noHeaders);
    await inTime(workbook.goTo(id));
    expect(excel.spreadsheet.selection().rects).toEqual([rectOf("A1:B3")]);
  });

  it("has a totals row that is none of its rows, and that stays below new ones", async () => {
    excel.enter("A1", [
      ["geoID", "Fee"],
      ["'06001", 1],
      ["'06037", 2],
    ]);
    const { id } = addTable("A1:B3");
    const table = (sheet: Excel.Worksheet) => sheet.tables.getItem("Fees");
    expect(await codeOf((sheet) => table(sheet).getTotalRowRange().load("values"))).toBe("InvalidOperation");
    await codeOf((sheet) => (table(sheet).showTotals = true));
    expect(tableAddresses()).toEqual([["Fees", rectOf("A1:B4")]]);
    expect(excel.cells("A4:B4")[0]?.map(({ formula }) => formula)).toEqual([
      "Total",
      "=SUBTOTAL(109,Fees[Fee])",
    ]);
    await codeOf((sheet) => void table(sheet).rows.add(undefined, [["'06059", 3]]));
    const read = await inTime(
      Excel.run(async (context) => {
        const here = table(context.workbook.worksheets.getItem("Sheet1")).load("showTotals");
        const [body, column, totals] = [
          here.getDataBodyRange(),
          here.columns.getItem("Fee").getDataBodyRange(),
          here.getTotalRowRange(),
        ].map((range) => range.load("address"));
        const rows = here.rows.load("count");
        await context.sync();
        return [here.showTotals, body!.address, column!.address, totals!.address, rows.count];
      }),
    );
    expect(read).toEqual([true, "Sheet1!A2:B4", "Sheet1!B2:B4", "Sheet1!A5:B5", 3]);
    expect(excel.values("A4:A5").flat()).toEqual(["06059", "Total"]);
    expect(await codeOf((sheet) => table(sheet).resize("A1:B9"))).toBe("InvalidOperation");
    await codeOf((sheet) => (sheet.getRange("A6:B6").values = [["below", 1]]));
    expect(tableAddresses()).toEqual([["Fees", rectOf("A1:B5")]]);
    expect(await inTime(createImportTables(excel.app.workbook).read(id, ["geoID"]))).toMatchObject({
      rowCount: 3,
    });
    await codeOf((sheet) => (table(sheet).showTotals = false));
    expect(tableAddresses()).toEqual([["Fees", rectOf("A1:B4")]]);
    expect(excel.values("A5")).toEqual([["below"]]);
  });

  it("has no totals row anymore once that is deleted, and its last row is one of its rows", async () => {
    excel.enter("A1", [
      ["geoID", "Fee"],
      ["'06001", 1],
      ["'06037", 2],
    ]);
    const { id } = addTable("A1:B3");
    await codeOf((sheet) => (sheet.tables.getItem("Fees").showTotals = true));
    await codeOf((sheet) => sheet.getRange("A4:B4").getEntireRow().delete("Up"));
    expect(tableAddresses()).toEqual([["Fees", rectOf("A1:B3")]]);
    expect(await inTime(createImportTables(excel.app.workbook).read(id, ["geoID"]))).toMatchObject({
      rowCount: 2,
    });
  });

  it("pushes down what stands below it, in its own columns, and pulls it up again (TableRowCollection.add)", async () => {
    excel.enter("A1", [
      ["geoID", "Fee"],
      ["'06001", 1],
      ["'06037", 2],
    ]);
    addTable("A1:B3");
    excel.enter("A4", [["note", "=A4"]]);
    excel.enter("C4", [["beside"], ["=A4"]]);
    addTable("A7:B8", "Below");
    excel.spreadsheet.merge(sheetId, rectOf("A11:B11"));
    excel.spreadsheet.addName({ name: "Note", formula: "=Sheet1!$A$4", comment: "", sheetId: null });
    const rows = (sheet: Excel.Worksheet) => sheet.tables.getItem("Fees").rows;
    const formulas = (...addresses: string[]) =>
      addresses.map((address) => excel.cells(address)[0]?.[0]?.formula);
    expect(
      await codeOf(
        (sheet) =>
          void rows(sheet).add(undefined, [
            ["'06059", 3],
            ["'06073", 4],
          ]),
      ),
    ).toBeUndefined();
    expect(formulas("A6", "B6", "C4", "C5")).toEqual(["note", "=A6", "beside", "=A6"]);
    expect(tableAddresses()).toEqual([
      ["Fees", rectOf("A1:B5")],
      ["Below", rectOf("A9:B10")],
    ]);
    expect(excel.spreadsheet.merged(sheetId)).toEqual([rectOf("A13:B13")]);
    expect(excel.spreadsheet.names()).toMatchObject([{ formula: "=Sheet1!$A$6" }]);
    await codeOf((sheet) => void rows(sheet).getItemAt(1).delete());
    expect(formulas("A5", "B5", "C5")).toEqual(["note", "=A5", "=A5"]);
    expect(excel.values("A2:A4").flat()).toEqual(["06001", "06059", "06073"]);
  });

  it("pushes right what stands beside its rows, and pulls it left again, with references and filters", async () => {
    excel.enter("A1", [
      ["geoID", "Fee", "=B2", "=SUM(A2:B2)"],
      ["'06001", 1, "beside", "=C2"],
      ["'06037", 2],
      ["note", "", "below", "=C2"],
    ]);
    const { id } = addTable("A1:B3");
    addTable("E2:F3", "Beside");
    excel.spreadsheet.merge(sheetId, rectOf("C3:D3"));
    excel.spreadsheet.addName({ name: "Note", formula: "=Sheet1!$C$2", comment: "", sheetId: null });
    excel.spreadsheet.filterTable(id, 1, ["1"]);
    const columns = (sheet: Excel.Worksheet) => sheet.tables.getItem("Fees").columns;
    expect(await codeOf((sheet) => void columns(sheet).add(1, undefined, "Unit"))).toBeUndefined();
    const formulas = (address: string) =>
      excel.cells(address).map((row) => row.map(({ formula }) => formula));
    expect(formulas("A1:E1")).toEqual([["geoID", "Unit", "Fee", "=C2", "=SUM(A2:C2)"]]);
    expect(formulas("D2:E2")).toEqual([["beside", "=D2"]]);
    expect(formulas("C4:D4")).toEqual([["below", "=D2"]]);
    expect(tableAddresses()).toEqual([
      ["Fees", rectOf("A1:C3")],
      ["Beside", rectOf("F2:G3")],
    ]);
    expect(excel.spreadsheet.merged(sheetId)).toEqual([rectOf("D3:E3")]);
    expect(excel.spreadsheet.names()).toMatchObject([{ formula: "=Sheet1!$D$2" }]);
    const filters = () => [0, 1, 2].map((column) => excel.spreadsheet.tableFilter(id, column));
    expect(filters()).toEqual([null, null, ["1"]]);
    await codeOf((sheet) => columns(sheet).getItem("Unit").delete());
    expect(formulas("A1:D1")).toEqual([["geoID", "Fee", "=B2", "=SUM(A2:B2)"]]);
    expect(formulas("C2:D2")).toEqual([["beside", "=C2"]]);
    expect(tableAddresses()).toEqual([
      ["Fees", rectOf("A1:B3")],
      ["Beside", rectOf("E2:F3")],
    ]);
    expect(filters()).toEqual([null, ["1"], null]);
  });

  it("is not made or made larger over merged cells", async () => {
    excel.spreadsheet.merge(sheetId, rectOf("A2:B2"));
    expect(await codeOf((sheet) => void sheet.tables.add("A1:B3", true))).toBe("InvalidOperation");
    addTable("D1:E3");
    expect(await codeOf((sheet) => sheet.tables.getItem("Fees").resize("B1:E3"))).toBe("InvalidOperation");
  });

  it("gets no column where that would cut another table or merged cells, or push cells off the sheet", async () => {
    addTable("A1:B3");
    const add = () =>
      codeOf((sheet) => void sheet.tables.getItem("Fees").columns.add(undefined, undefined, "x"));
    excel.spreadsheet.merge(sheetId, rectOf("D3:D4"));
    expect(await add()).toBe("InsertDeleteConflict");
    excel.spreadsheet.unmerge(sheetId, rectOf("D3:D4"));
    excel.enter("XFD2", [["last"]]);
    expect(await add()).toBe("NonBlankCellOffSheet");
    expect(tableAddresses()).toEqual([["Fees", rectOf("A1:B3")]]);
  });

  it("fills a calculated column in new rows: relative references go along, absolute ones stay", async () => {
    excel.enter("A1", [
      ["geoID", "Fee", "Twice", "Text"],
      ["'06001", 1, "=B2*2+$F$1+F$2+$F3", "'=B2"],
      ["'06037", 2, "=B3*2+$F$1+F$2+$F4", "'=B3"],
    ]);
    addTable("A1:D3");
    await codeOf(
      (sheet) =>
        void sheet.tables.getItem("Fees").rows.add(undefined, [
          ["'06059", 3, null, null],
          ["'06073", 4, null, null],
        ] as never),
    );
    expect(excel.cells("C4:D5").map((row) => row.map(({ formula }) => formula))).toEqual([
      ["=B4*2+$F$1+F$2+$F5", ""],
      ["=B5*2+$F$1+F$2+$F6", ""],
    ]);
  });

  it("does not grow where that would cut merged cells, or push cells off the sheet", async () => {
    addTable("A1:B3");
    const add = () => codeOf((sheet) => void sheet.tables.getItem("Fees").rows.add(undefined, [["1", "2"]]));
    excel.spreadsheet.merge(sheetId, rectOf("B9:C9"));
    expect(await add()).toBe("InsertDeleteConflict");
    excel.spreadsheet.unmerge(sheetId, rectOf("B9:C9"));
    excel.enter("A1048576", [["last"]]);
    expect(await add()).toBe("NonBlankCellOffSheet");
    expect(tableAddresses()).toEqual([["Fees", rectOf("A1:B3")]]);
  });

  it("keeps its last column", async () => {
    addTable("A1:A3");
    excel.enter("A1", [["geoID"]]);
    const removed = codeOf((sheet) => sheet.tables.getItem("Fees").columns.getItemAt(0).delete());
    expect(await removed).toBe("InvalidOperation");
  });

  it("takes no spilled result: such a list gets no columns beside it (support.microsoft.com, spilled array behavior)", async () => {
    excel.enter("A1", [["=REGDATA.UNITS(FALSE)"]]);
    await inTime(excel.spreadsheet.idle());
    expect(excel.values("A2")[0]?.[0]).not.toBe("");
    excel.spreadsheet.select(sheetId, [rectOf("A1:A3")]);
    await expect(inTime(excel.app.workbook.readListColumn())).rejects.toMatchObject({
      kind: "no-list",
      message: expect.stringMatching(/the result of a formula.*Copy it, paste its values/) as unknown,
    });
  });
});

describe("a range", () => {
  it("takes no null for a whole property, and General for an empty format (excel-add-ins-blank-null-values.md)", async () => {
    const set = (values: unknown) => codeOf((sheet) => (sheet.getRange("A1").values = values as never));
    expect(await set(null)).toBe("InvalidArgument");
    expect(await set([[null]])).toBeUndefined();
    await codeOf((sheet) => (sheet.getRange("A1").numberFormat = [[""]]));
    expect(excel.cells("A1")[0]?.[0]?.numberFormat).toBe("General");
  });

  it("calculates the formulas that name it, and none further on (OfficeDev/office-js#6885)", async () => {
    let fee = 1;
    excel = openExcel({ intercept: changingFee(() => fee) });
    excel.enter("A1", [['=REGDATA.VALUE("06001", 1056)', "=A1", "=B1", "=C1"]]);
    await inTime(excel.spreadsheet.idle());
    expect(excel.values("A1:D1")).toEqual([[1, 1, 1, 1]]);
    fee = 2;
    const anew = excel.app.askAnew(async () => {
      await codeOf((sheet) => sheet.getRange("A1").calculate());
      await excel.spreadsheet.idle();
    });
    await inTime(anew);
    expect(excel.values("A1:D1")).toEqual([[2, 2, 1, 1]]);
    expect(await codeOf((sheet) => sheet.getRange("B1").calculate())).toBeUndefined();
    expect(excel.values("A1:D1")).toEqual([[2, 2, 2, 1]]);
  });

  it("has the cells that name it as direct dependents, and is refused without any (Range.getDirectDependents)", async () => {
    excel.enter("A1", [[1, "=A1", "=B1"]]);
    excel.enter("C7", [["=Sheet1!A1"]]);
    const dependents = await inTime(
      Excel.run(async (context) => {
        const range = context.workbook.worksheets.getItem("Sheet1").getRange("A1");
        const { ranges } = range.getDirectDependents();
        ranges.load("items/address,items/worksheet/id");
        await context.sync();
        return ranges.items.map(({ address, worksheet }) => [worksheet.id, address]);
      }),
    );
    expect(dependents).toEqual([
      [sheetId, "Sheet1!B1"],
      [sheetId, "Sheet1!C7"],
    ]);
    expect(await codeOf((sheet) => void sheet.getRange("C1").getDirectDependents().load("addresses"))).toBe(
      "ItemNotFound",
    );
  });

  it("takes no formula of more than 8,192 characters (Excel specifications and limits)", async () => {
    const formula = (length: number) => `="${"x".repeat(length - 3)}"`;
    const set = (length: number) => codeOf((sheet) => (sheet.getRange("A1").formulas = [[formula(length)]]));
    expect(await set(8_192)).toBeUndefined();
    expect(await set(8_193)).toBe("InvalidArgument");
  });

  it("is refused as a spilling range where nothing spills (Range.getSpillingToRange)", async () => {
    excel.enter("A1", [["=REGDATA.UNITS(FALSE)"]]);
    await inTime(excel.spreadsheet.idle());
    const spill = () => codeOf((sheet) => sheet.getRange("A1").getSpillingToRange().load("address"));
    expect(await spill()).toBeUndefined();
    excel.enter("A3", [["in the way"]]);
    expect(await spill()).toBe("ItemNotFound");
  });

  it("keeps its values, without the formula and what it spills, when it is copied onto itself as values", async () => {
    excel.enter("A1", [["=REGDATA.UNITS(FALSE)"]]);
    await inTime(excel.spreadsheet.idle());
    const { rows, columns } = excel.spreadsheet.spillOf(sheetId, 0, 0)!;
    const before = excel.spreadsheet.read(sheetId, { row: 0, column: 0, rows, columns });
    const keep = (sheet: Excel.Worksheet) => {
      const range = sheet.getRangeByIndexes(0, 0, rows, columns);
      range.copyFrom(range, "Values");
    };
    expect(await codeOf(keep)).toBeUndefined();
    const after = excel.spreadsheet.read(sheetId, { row: 0, column: 0, rows, columns });
    expect(rows).toBeGreaterThan(1);
    expect(after.map((cells) => cells.map(({ formula }) => formula))).toEqual(
      before.map((cells) => cells.map(({ value }) => value)),
    );
    expect(excel.spreadsheet.spillOf(sheetId, 0, 0)).toBeNull();
  });

  it("of several cells has no spill parent (Range.getSpillParentOrNullObject)", async () => {
    excel.enter("A1", [["=REGDATA.UNITS(FALSE)"]]);
    await inTime(excel.spreadsheet.idle());
    const parentOf = (address: string) =>
      inTime(
        Excel.run(async (context) => {
          const range = context.workbook.worksheets.getItem("Sheet1").getRange(address);
          const parent = range.getSpillParentOrNullObject().load("address");
          await context.sync();
          return parent.isNullObject ? null : parent.address;
        }),
      );
    expect(await parentOf("A2")).toBe("Sheet1!A1");
    expect(await parentOf("A2:A3")).toBeNull();
  });

  it("takes a link as long as Excel encodes it, and the add-in makes none that is longer (EPPlusSoftware/EPPlus#778)", async () => {
    const link = (address: string) =>
      codeOf((sheet) => (sheet.getRange("A1").hyperlink = { address, textToDisplay: "code" }));
    expect(await link(`https://x.example/${"a".repeat(2_000)}`)).toBeUndefined();
    expect(await link(`https://x.example/${"ä".repeat(700)}`)).toBe("InvalidArgument");
  });

  it("is named by at most 8,192 characters (Worksheet.getRanges)", async () => {
    const address = Array.from({ length: 3_000 }, (_, row) => `A${row + 1}`).join();
    expect(await codeOf((sheet) => sheet.getRanges(address).format.fill.clear())).toBe("InvalidArgument");
  });

  it("is not inserted on a protected sheet, and no table there is changed", async () => {
    addTable("A1:B3");
    excel.document.protectedSheets.add(sheetId);
    for (const work of [
      (sheet: Excel.Worksheet) => void sheet.getRange("D1").insert("Down"),
      (sheet: Excel.Worksheet) => void sheet.tables.getItem("Fees").convertToRange(),
      (sheet: Excel.Worksheet) => void (sheet.tables.getItem("Fees").style = "TableStyleMedium3"),
    ])
      expect(await codeOf(work)).toBe("AccessDenied");
    expect(excel.spreadsheet.tables()).toMatchObject([{ style: "TableStyleMedium2" }]);
  });
});

describe("whole columns that are inserted", () => {
  const insert = (address: string) =>
    codeOf((sheet) => void sheet.getRange(address).getEntireColumn().insert("Right"));

  it("move cells, tables, merged cells and references, and look like the column before them", async () => {
    excel.enter("A1", [
      ["Place", "kW", "Twice"],
      ["'06001", 4, "=B2"],
    ]);
    excel.enter("A9", [["=SUM(B1:B2)"], ["=SUM(A1:B2)"]]);
    excel.spreadsheet.addSheet("Other");
    excel.enter("Other!A1", [["=Sheet1!$B$2"], ["=B2"]]);
    addTable("E1:F3");
    excel.spreadsheet.merge(sheetId, rectOf("A12:B12"));
    await codeOf((sheet) => (sheet.getRange("A2").format.fill.color = "#FFF2CC"));
    expect(await insert("B1:C1")).toBeUndefined();
    expect(excel.values("A1:E1")).toEqual([["Place", "", "", "kW", "Twice"]]);
    const formula = (address: string) => excel.cells(address)[0]?.[0]?.formula;
    expect(["E2", "A9", "A10", "Other!A1", "Other!A2"].map(formula)).toEqual([
      "=D2",
      "=SUM(D1:D2)",
      "=SUM(A1:D2)",
      "=Sheet1!$D$2",
      "=B2",
    ]);
    expect(tableAddresses()).toEqual([["Fees", rectOf("G1:H3")]]);
    expect(excel.spreadsheet.merged(sheetId)).toEqual([rectOf("A12:D12")]);
    expect(excel.spreadsheet.look(sheetId, 1, 2).fillColor).toBe("#FFF2CC");
    await codeOf((sheet) => void sheet.getRange("B:C").delete("Left"));
    expect(["C2", "A9", "A10", "Other!A1"].map(formula)).toEqual([
      "=B2",
      "=SUM(B1:B2)",
      "=SUM(A1:B2)",
      "=Sheet1!$B$2",
    ]);
    expect(tableAddresses()).toEqual([["Fees", rectOf("E1:F3")]]);
  });

  it("push nothing off the sheet, not even a format (application-specific-api-error-handling.md)", async () => {
    excel.spreadsheet.writeNumberFormats(sheetId, rectOf("XFD9"), [["@"]]);
    expect(await insert("B1")).toBe("NonBlankCellOffSheet");
  });

  it("in the middle of a table become its own; of two tables at once they are refused", async () => {
    excel.enter("A1", [["geoID", "Fee"]]);
    addTable("A1:B3");
    expect(await insert("B1")).toBeUndefined();
    expect(excel.values("A1:C1")).toEqual([["geoID", "Column2", "Fee"]]);
    expect(tableAddresses()).toEqual([["Fees", rectOf("A1:C3")]]);
    addTable("B6:D8", "Below");
    expect(await insert("C1")).toBe("InsertDeleteConflict");
  });

  it("are not inserted on a protected sheet", async () => {
    excel.document.protectedSheets.add(sheetId);
    expect(await insert("B1")).toBe("AccessDenied");
  });
});

describe("a range that becomes a table", () => {
  it("gets texts as its headers, whatever number or formula stood there", async () => {
    excel.enter("A1", [
      ["geoID", 2026, "=A2"],
      ["'06001", 1, 2],
    ]);
    await codeOf((sheet) => void sheet.tables.add("A1:C2", true));
    expect(excel.cells("A1:C1")[0]?.map(({ formula }) => formula)).toEqual(["geoID", "2026", "06001"]);
  });
});

describe("a table's headers", () => {
  it("get a number if another column has them, one after the other, and a name if they are emptied", async () => {
    excel.enter("A1", [
      ["geoID", "Fee", "Code"],
      ["'06001", 1, 2],
    ]);
    await codeOf((sheet) => void sheet.tables.add("A1:C2", true));
    const headers = () => excel.values("A1:C1")[0];
    // Fee is still there when the first column gets it.
    await codeOf((sheet) => void (sheet.getRange("A1:B1").values = [["fee", "geoID"]]));
    expect(headers()).toEqual(["fee2", "geoID", "Code"]);
    await codeOf((sheet) => void (sheet.getRange("C1").values = [[""]]));
    expect(headers()).toEqual(["fee2", "geoID", "Column3"]);
    excel.enter("E5", [["Column3", "x", "y"]]);
    await codeOf((sheet) => void sheet.getRange("A1:C1").copyFrom("E5:G5"));
    expect(headers()).toEqual(["Column32", "x", "y"]);
  });
});

describe("a workbook whose structure is protected", () => {
  it("takes no new, renamed, hidden or deleted sheet, while its cells can be changed", async () => {
    const { id } = excel.spreadsheet.addSheet("Other");
    excel.document.isStructureProtected = true;
    for (const work of [
      (sheets: Excel.WorksheetCollection) => void sheets.add("New"),
      (sheets: Excel.WorksheetCollection) => void (sheets.getItem(id).name = "Mine"),
      (sheets: Excel.WorksheetCollection) => void (sheets.getItem(id).visibility = "Hidden"),
      (sheets: Excel.WorksheetCollection) => sheets.getItem(id).delete(),
    ])
      expect(await codeOf((_, { workbook }) => work(workbook.worksheets))).toBe("AccessDenied");
    expect(await codeOf((sheet) => (sheet.getRange("A1").values = [[1]]))).toBeUndefined();
    expect(excel.spreadsheet.sheets().map(({ name }) => name)).toEqual(["Sheet1", "Other"]);
  });
});

describe("a sheet", () => {
  it.each(["History", "history", "a\u0007b", "'quoted", "a/b", "x".repeat(32)])(
    "is not called %j",
    async (name) => {
      expect(await codeOf((_, { workbook }) => workbook.worksheets.add(name))).toBe("InvalidArgument");
    },
  );

  it("is found again by its name where its id is another's now (excel-add-ins-worksheets.md)", () => {
    const frozen = { sheetId: "1", sheetName: "Fees" };
    const sheets = (...known: [id: string, name: string][]) => known.map(([id, name]) => ({ id, name }));
    expect(locateFrozen(frozen, sheets(["1", "Other"], ["2", "Fees"]))?.id).toBe("2");
    expect(locateFrozen(frozen, sheets(["1", "Renamed"], ["2", "Other"]))?.id).toBe("1");
    expect(locateFrozen(frozen, sheets(["2", "Fees"], ["1", "Fees"]))?.id).toBe("1");
    expect(locateFrozen(frozen, sheets(["2", "Other"]))).toBeUndefined();
  });
});

describe("a workbook that counts days from 1904", () => {
  const dateOf = (...parts: [number, number, number]) =>
    inTime(
      Excel.run(async ({ workbook, sync }) => {
        const result = workbook.functions.date(...parts).load("value,error");
        await sync();
        return result.error ?? result.value;
      }),
    );

  it("gives each day a number that is 1,462 less (support.microsoft.com, Date systems in Excel)", async () => {
    expect([await dateOf(1970, 1, 1), await dateOf(1904, 1, 1)]).toEqual([25_569, 1_462]);
    excel.spreadsheet.setDateSystem(true);
    expect([await dateOf(1970, 1, 1), await dateOf(1904, 1, 1)]).toEqual([24_107, 0]);
    // "A number from 1900 or 1904 (depending on the workbook's date system) to 9999" (Functions.date in @types/office-js).
    expect([await dateOf(1903, 12, 31), await dateOf(10_000, 1, 1)]).toEqual(["#NUM!", "#NUM!"]);
    excel.enter("A1", [["4/12/2026", "=DATE(2026,4,12)", "12/31/1903"]]);
    await excel.spreadsheet.calculated();
    expect(excel.values("A1:C1")).toEqual([[44_662, 44_662, "12/31/1903"]]);
    expect(excel.cells("A1").map(([cell]) => cell?.text)).toEqual(["4/12/2026"]);
  });

  it("shows other days for the same numbers once the user has changed the date system", () => {
    excel.enter("A1", [["1/31/2026", 46_053, 1.5, -1]]);
    excel.spreadsheet.writeNumberFormats(sheetId, rectOf("C1:D1"), [["[h]:mm", "m/d/yyyy"]]);
    excel.spreadsheet.setDateSystem(true);
    const [cells] = excel.cells("A1:D1");
    expect(cells?.map(({ text }) => text)).toEqual(["2/1/2030", "46053", "36:00", "-1/2/1904"]);
  });
});

describe("a selection that stays the same", () => {
  it("is told to nobody (OfficeDev/office-js#4691)", () => {
    const told: unknown[] = [];
    excel.spreadsheet.on((event) => void told.push(event));
    for (const address of ["B2", "B2", "B3"]) excel.spreadsheet.select(sheetId, [rectOf(address)]);
    expect(told).toHaveLength(2);
  });
});

describe("a custom function", () => {
  it("is not called with a whole column: #CALC! on the web (OfficeDev/office-js#4613)", async () => {
    excel.enter("C1", [["=REGDATA.CITATION(A:A, 1003)"]]);
    await inTime(excel.spreadsheet.idle());
    expect(excel.values("C1")).toEqual([["#CALC!"]]);
    expect(excel.requests).toEqual([]);
  });
});

describe("a range that the add-in holds", () => {
  it("follows its cells where somebody inserts or deletes rows between two requests", async () => {
    excel.enter("B2", [["first"], ["second"]]);
    const seen: unknown[] = [];
    await inTime(
      Excel.run(async (context) => {
        const range = context.workbook.worksheets.getItem("Sheet1").getRange("B3").load("values");
        await context.sync();
        seen.push(range.values[0]?.[0]);
        excel.spreadsheet.shift(sheetId, { axis: "row", at: 1, by: 2 });
        range.load("values,address");
        await context.sync();
        seen.push(range.values[0]?.[0], range.address);
        excel.spreadsheet.shift(sheetId, { axis: "row", at: 0, by: -1 });
        range.load("address");
        await context.sync();
        seen.push(range.address);
      }),
    );
    expect(seen).toEqual(["second", "second", "Sheet1!B5", "Sheet1!B4"]);
  });

  it("is no longer there once its cells are deleted", async () => {
    const reading = Excel.run(async (context) => {
      const range = context.workbook.worksheets.getItem("Sheet1").getRange("B3").load("values");
      await context.sync();
      excel.spreadsheet.shift(sheetId, { axis: "row", at: 2, by: -1 });
      range.load("values");
      await context.sync();
    });
    await expect(inTime(reading)).rejects.toMatchObject({ code: "ItemNotFound" });
  });
});

describe("whoever listens to tables and sheets", () => {
  it("hears of a table that is added or deleted, and of a deleted sheet, but not of that sheet's tables", async () => {
    const heard: string[] = [];
    const hear = ({ type }: { type: string }) => Promise.resolve(void heard.push(type));
    await inTime(
      Excel.run(async (context) => {
        const { workbook } = context;
        workbook.tables.onAdded.add(hear);
        workbook.tables.onDeleted.add(hear);
        workbook.worksheets.onDeleted.add(hear);
        await context.sync();
      }),
    );
    const { id } = addTable("A1:B3");
    excel.spreadsheet.deleteTable(id);
    addTable("A1:B3");
    excel.spreadsheet.addSheet("Other");
    excel.spreadsheet.deleteSheet(sheetId);
    await pass(1_000);
    expect(heard).toEqual(["TableAdded", "TableDeleted", "TableAdded", "WorksheetDeleted"]);
  });
});

describe("a write over several rows of which a filter hides some", () => {
  it("leaves the hidden ones, and each run of rows in sight begins with the first value (OfficeDev/office-js#224)", async () => {
    excel.enter("A1", [["geoID"], ["a"], ["b"], ["c"], ["d"], ["e"]]);
    const { id } = addTable("A1:A6");
    excel.spreadsheet.filterTable(id, 0, ["a", "d", "e"]);
    excel.enter("B1", [["Rule"], ["-"], ["-"], ["-"], ["-"], ["-"]]);
    const wanted = [["1"], ["2"], ["3"], ["4"], ["5"]];
    await codeOf((sheet) => (sheet.getRange("B2:B6").values = wanted));
    expect(excel.values("B2:B6")).toEqual([[1], ["-"], ["-"], [1], [2]]);
    expect(await codeOf((sheet) => (sheet.getRange("B3").values = [["2"]]))).toBeUndefined();
    expect(excel.values("B2:B6")).toEqual([[1], [2], ["-"], [1], [2]]);
  });
});
