import { freeSheetName } from "../../../src/workbook/sheet/layout/sheet-name";
import { inspectTarget, writeTable } from "../../../src/workbook/sheet/tables/write-table";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FormattedCell } from "../../../src/workbook/sheet/values/cell-value";
import type { SheetTable } from "../../../src/workbook/sheet/layout/table-plan";
import { createWorkbook, type Workbook } from "../../../src/workbook/sheet/workbook";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

let excel: PlayedExcel;
let workbook: Workbook;
let sheetId: string;
beforeEach(() => {
  excel = openExcel();
  ({ workbook } = excel.app);
  sheetId = excel.spreadsheet.sheets()[0]!.id;
});

const text = (value: string, link?: string): FormattedCell => ({ value, numberFormat: "@", link });
const plan: SheetTable = {
  columns: [{ header: "geoID" }, { header: "Citation" }],
  rows: [
    [text("06001"), text("Building Code, chapter 7, as amended by the county in 2024")],
    [text("06003"), text("Zoning", "https://example.test/zoning")],
  ],
};
const size = { rows: 3, columns: 2 };
const at = (row: number, column: number) => ({
  kind: "cell" as const,
  ...{ sheetId, row, column },
  mayOverwrite: null,
});

/** A workbook of the app on a played Excel. */
const workbookOn = (played: object, hasExcelApi: (version: string) => boolean = () => true) =>
  createWorkbook(() => played as typeof Excel, hasExcelApi);

/** An Excel that gives this context to its work. */
const running = (context: object) => ({
  run: (_: object, work: (given: object) => unknown) => work(context),
});

describe("a written table's look", () => {
  function watched() {
    const { spreadsheet } = excel;
    return {
      styles: vi.spyOn(spreadsheet, "applyStyle"),
      widths: vi.spyOn(spreadsheet, "setColumnWidth"),
      heights: vi.spyOn(spreadsheet, "autofitRows"),
      frozen: vi.spyOn(spreadsheet, "freeze"),
    };
  }
  const rect = (row: number, column: number, rows: number, columns: number) => ({
    row,
    column,
    rows,
    columns,
  });

  it("is wide enough on an empty sheet, its header wrapped and staying in sight, its long texts wrapped", async () => {
    const { styles, widths, heights, frozen } = watched();
    await inTime(writeTable(workbook, plan, at(0, 0)));
    expect(styles.mock.calls).toEqual([
      [sheetId, rect(0, 0, 3, 2), { verticalAlignment: "Top" }],
      [sheetId, rect(0, 0, 1, 2), { wrapText: true }],
      [sheetId, rect(0, 0, 1, 2), { verticalAlignment: "Top" }],
      [sheetId, rect(0, 0, 3, 1), { horizontalAlignment: "Left" }],
      [sheetId, rect(0, 0, 3, 1), { indentLevel: 1 }],
      [sheetId, rect(0, 1, 3, 1), { horizontalAlignment: "Left" }],
      [sheetId, rect(0, 1, 3, 1), { indentLevel: 1 }],
      [sheetId, rect(0, 1, 3, 1), { wrapText: true }],
    ]);
    expect(widths.mock.calls.map(([sheet, column, columns]) => [sheet, column, columns])).toEqual([
      [sheetId, 0, 1],
      [sheetId, 1, 1],
    ]);
    const [narrow = 0, wide = 0] = widths.mock.calls.map(([, , , width]) => width);
    expect(wide).toBeGreaterThan(2 * narrow);
    expect(heights.mock.calls).toEqual([
      [sheetId, rect(0, 0, 1, 2)],
      [sheetId, rect(1, 0, 1, 1)],
    ]);
    expect(frozen.mock.calls).toEqual([[sheetId, { rows: 1, columns: 0 }]]);
  });

  it("indents texts, aligns those between numbers as the numbers are, and grays the ids", async () => {
    const number = (value: number): FormattedCell => ({ value, numberFormat: "0" });
    const mixed: SheetTable = {
      columns: [
        ...[{ header: "Code" }, { header: "Fee" }],
        { header: "AHJ ID", content: { of: "ahj", field: "id" } },
      ],
      rows: [
        [text("NEC 2023"), number(300), number(10_243)],
        [text("NEC 2020"), text("See fee schedule"), number(10_244)],
      ],
    };
    await inTime(writeTable(workbook, mixed, at(0, 0)));
    const look = (row: number, column: number) => {
      const { horizontalAlignment, indentLevel, fontColor } = excel.spreadsheet.look(sheetId, row, column);
      return [horizontalAlignment, indentLevel, fontColor];
    };
    expect([0, 1, 2].map((column) => look(0, column))).toEqual([
      ["Left", 1, null],
      ["General", 0, null],
      ["General", 0, null],
    ]);
    expect([0, 1, 2].map((column) => look(2, column))).toEqual([
      ["Left", 1, null],
      ["Right", 0, null],
      ["Right", 0, "#808080"],
    ]);
  });

  it("keeps the names in sight, too, if they are the sheet's first column", async () => {
    const { frozen } = watched();
    const named = { header: "Name", content: { of: "ahj" as const, field: "name" as const } };
    const names = { columns: [named], rows: [[text("Alameda County")]] };
    await inTime(writeTable(workbook, names, at(0, 0)));
    expect(frozen.mock.calls).toEqual([[sheetId, { rows: 1, columns: 1 }]]);
    excel = openExcel();
    ({ workbook } = excel.app);
    const others = vi.spyOn(excel.spreadsheet, "freeze");
    await inTime(writeTable(workbook, names, at(0, 1)));
    expect(others.mock.calls).toEqual([[sheetId, { rows: 1, columns: 0 }]]);
  });

  const printed = {
    ...{ orientation: "Landscape", titleRows: "1:1", fitToPages: { across: 1, down: 0 } },
    footer: { left: "&A", center: "Page &P of &N", right: "RegData, &D" },
  };

  it("of a sheet of its own prints in landscape, a page wide, with its header on each page", async () => {
    await inTime(writeTable(workbook, plan, { kind: "new-sheet", name: "Fees" }));
    await inTime(writeTable(workbook, plan, at(0, 0)));
    const added = excel.spreadsheet.sheets()[1]!.id;
    expect(new Map(excel.document.printSetups)).toEqual(
      new Map([added, sheetId].map((id) => [id, { ...printed, area: "A:B" }])),
    );
    await inTime(writeTable(workbook, plan, at(0, 5)));
    expect(excel.document.printSetups.get(sheetId)).toEqual({ ...printed, area: "A:B" });
  });

  it("prints neither ids nor more than fits: wide tables take several pages, each with the names", async () => {
    const named = { header: "Name", content: { of: "ahj" as const, field: "name" as const } };
    const id = { header: "AHJ ID", content: { of: "ahj" as const, field: "id" as const } };
    const wide = (questions: number): SheetTable => ({
      columns: [named, ...Array.from({ length: questions }, (_, at) => ({ header: `Q${at}` })), id],
      rows: [[...Array.from({ length: questions + 1 }, () => text("x".repeat(40))), text("1")]],
    });
    const setup = async (questions: number, heading?: string) => {
      await inTime(
        writeTable(workbook, wide(questions), { kind: "new-sheet", name: `${questions}` }, { heading }),
      );
      return [...excel.document.printSetups.values()].at(-1);
    };
    // A column is 144 points wide, and a page at 60 % has room for 1,152.
    expect(await setup(7)).toEqual({ ...printed, area: "A:H", titleColumns: "A:A" });
    expect(await setup(8)).toMatchObject({ area: "A:I", fitToPages: { across: 2, down: 0 } });
    expect(await setup(32)).toMatchObject({ area: "A:AG", fitToPages: { across: 5, down: 0 } });
    expect(await setup(2, "Fee at most 300 & more")).toMatchObject({
      header: { left: "Fee at most 300 && more", center: "", right: "" },
    });
    expect((await setup(3, `${"&".repeat(200)}`))?.header?.left).toBe(`${"&&".repeat(126)}…`);
  });

  it("may fail without harm: the table stands if Excel refuses any step after its cells", async () => {
    let requests = 0;
    excel = openExcel({ onRequest: () => (requests += 1) });
    await inTime(writeTable(excel.app.workbook, plan, { kind: "new-sheet", name: "Fees" }));
    const all = requests;
    // These steps may fail without harm: showing the sheet, the rows' heights, the frozen panes, and two of the print setup.
    for (let last = 1; last <= 5; last += 1) {
      excel = openExcel();
      excel.fail(7000, 1, "workbook", all - last);
      const { address } = await inTime(
        writeTable(excel.app.workbook, plan, { kind: "new-sheet", name: "Fees" }),
      );
      expect(address).toBe("Fees!A1:B3");
      expect(excel.values("Fees!A2")).toEqual([["06001"]]);
    }
  });

  it("has no frozen rows if the table begins further down", async () => {
    const { widths, frozen } = watched();
    await inTime(writeTable(workbook, plan, at(1, 0)));
    expect(widths).toHaveBeenCalledTimes(2);
    expect(frozen).not.toHaveBeenCalled();
  });

  it("leaves the widths and heights of a sheet that holds something else", async () => {
    excel.enter("H9", [["mine"]]);
    const { styles, widths, heights, frozen } = watched();
    await inTime(writeTable(workbook, plan, at(0, 0)));
    expect(styles).toHaveBeenCalled();
    for (const change of [widths, heights, frozen]) expect(change).not.toHaveBeenCalled();
  });

  it("sets widths and heights on a sheet that holds only formats", async () => {
    excel.spreadsheet.writeNumberFormats(sheetId, rect(1, 1, 1, 1), [["0.00"]]);
    expect((await inTime(inspectTarget(workbook, at(0, 0), size))).filled).toBeNull();
    const { frozen } = watched();
    await inTime(writeTable(workbook, plan, at(0, 0)));
    expect(frozen).toHaveBeenCalledTimes(1);
  });

  it("sets the widths and freezes the header on a new sheet", async () => {
    const { widths, frozen } = watched();
    await inTime(writeTable(workbook, plan, { kind: "new-sheet", name: "Fees" }));
    expect(widths).toHaveBeenCalledTimes(2);
    expect(frozen).toHaveBeenCalledTimes(1);
  });

  it("is Excel's usual style, and the user's own if the table is replaced in its place", async () => {
    excel = openExcel({ excelApi: "1.13" });
    ({ workbook } = excel.app);
    const styled = vi.spyOn(excel.spreadsheet, "updateTable");
    const { tableId } = await inTime(writeTable(workbook, plan, at(0, 0)));
    expect(styled).toHaveBeenCalledWith(tableId, { style: "TableStyleMedium2" });
    excel.spreadsheet.updateTable(tableId, { style: "TableStyleLight3" });
    const here = await inTime(workbook.describeTable(tableId));
    const inPlace = { kind: "in-place" as const, tableId, ...here, mayOverwrite: null };
    await inTime(writeTable(workbook, plan, inPlace));
    expect(excel.spreadsheet.tables()).toMatchObject([{ id: tableId, style: "TableStyleLight3" }]);
  });

  it("has links in cells with an address, and shows their text", async () => {
    await inTime(writeTable(workbook, plan, at(0, 0)));
    expect(excel.spreadsheet.link(sheetId, 2, 1)).toBe("https://example.test/zoning");
    expect(excel.values("B3")).toEqual([["Zoning"]]);
    expect(excel.spreadsheet.link(sheetId, 1, 1)).toBeNull();
  });
});

describe("a table that can't be written", () => {
  it("says so if what had been written could not be taken back either", async () => {
    const details: unknown[] = [];
    for (let requestsBefore = 0; requestsBefore < 12; requestsBefore += 1) {
      excel = openExcel();
      excel.fail(7000, 20, "workbook", requestsBefore);
      const written = writeTable(excel.app.workbook, plan, { kind: "new-sheet", name: "Fees" });
      const failure: unknown = await inTime(written).catch((thrown: unknown) => thrown);
      const isLeft = excel.spreadsheet.sheets().length > 1;
      if (failure instanceof Error && isLeft) details.push(failure);
    }
    expect(details.length).toBeGreaterThan(1);
    for (const detail of details)
      expect(detail).toMatchObject({
        kind: "sheet-refused",
        detail: "What had been written could not be taken back.",
        cause: expect.objectContaining({ message: expect.any(String) as string }) as unknown,
      });
  });

  it("says where the user's cells stand, and shows them, if they could not be put back", async () => {
    let shownCount = 0;
    for (let requestsBefore = 0; requestsBefore < 14; requestsBefore += 1) {
      excel = openExcel();
      excel.enter("A1", [["mine"]]);
      const hidden = vi.spyOn(excel.spreadsheet, "hideSheet");
      // The write is refused, and so are two tries of the first step of undoing it.
      excel.fail(7000, 3, "workbook", requestsBefore);
      const target = { ...at(0, 0), sheetId: excel.spreadsheet.sheets()[0]!.id, mayOverwrite: size };
      const failure: unknown = await inTime(writeTable(excel.app.workbook, plan, target)).catch(
        (thrown: unknown) => thrown,
      );
      const [, copy] = excel.spreadsheet.sheets();
      const isThere = excel.values("Sheet1!A1")[0]?.[0] === "mine";
      if (isThere || !(failure instanceof Error)) continue;
      shownCount += 1;
      expect(failure, `request ${requestsBefore}`).toMatchObject({
        kind: "sheet-refused",
        detail: `What had been written could not be taken back. The cells as they were stand on the sheet “${copy?.name}”.`,
      });
      expect(excel.values(`${copy?.name}!A1`)).toEqual([["mine"]]);
      expect(hidden.mock.calls.at(-1)).toEqual([copy?.id, false]);
    }
    expect(shownCount).toBeGreaterThan(0);
  });

  it("on a sheet of its own brings back the sheet that was shown, whichever request Excel refuses", async () => {
    const companion = { sheetName: "Sources", plan: async () => plan };
    let refused = 0;
    for (let requestsBefore = 0; requestsBefore < 20; requestsBefore += 1) {
      excel = openExcel();
      const shown = excel.spreadsheet.addSheet("Shown").id;
      excel.spreadsheet.addSheet("Last");
      excel.spreadsheet.activateSheet(shown);
      excel.fail(7000, 1, "workbook", requestsBefore);
      const fees = { kind: "new-sheet", name: "Fees" } as const;
      const written = writeTable(excel.app.workbook, plan, fees, { companion });
      const isWritten = await inTime(written).then(
        () => true,
        () => false,
      );
      // These steps may fail without harm: to learn which sheet is in front, and to show the new one.
      if (isWritten) continue;
      refused += 1;
      expect(excel.spreadsheet.selection().sheetId, `request ${requestsBefore}`).toBe(shown);
    }
    expect(refused).toBeGreaterThan(6);
  });

  it("reports Excel's own words", async () => {
    const refusing = (thrown: unknown) =>
      workbookOn({ run: () => Promise.reject(thrown as Error) }).selectedPosition();
    const excelError = Object.assign(new Error("Not now."), { code: "GeneralException" });
    await expect(refusing(excelError)).rejects.toMatchObject({
      kind: "sheet-refused",
      detail: "Excel says: “Not now.”",
    });
    await expect(refusing("no Error")).rejects.toMatchObject({ kind: "sheet-refused", detail: "" });
  });

  it("does not blame Excel for a mistake of the add-in", async () => {
    const mistaken = workbookOn({ run: () => Promise.reject(new TypeError("x is undefined")) });
    await expect(mistaken.selectedPosition()).rejects.toMatchObject({ kind: "internal" });
  });
});

describe("notes of a new table", () => {
  const notes = [{ row: 0, column: 1, text: "Building Code" }];
  const withNotes = (excelApi: number) => {
    excel = openExcel({ excelApi: String(excelApi) });
    const { run } = Excel;
    const played = { run: run.bind(Excel), Worksheet: { prototype: { notes: {} } } };
    return workbookOn(played, (version) => Number(version) <= excelApi);
  };

  it("are for an Excel and an office.js that both know them", () => {
    expect(workbook.hasNotes()).toBe(false);
    expect(withNotes(1.18).hasNotes()).toBe(true);
    expect(withNotes(1.17).hasNotes()).toBe(false);
    expect(workbookOn({ Worksheet: { prototype: {} } }).hasNotes()).toBe(false);
  });

  it("are left out if Excel has none, and the table is written", async () => {
    const written = await inTime(writeTable(workbook, plan, at(0, 0), { notes }));
    expect(written.address).toBe("Sheet1!A1:B3");
  });

  it("are a part of the table if Excel has notes: it is not written without them", async () => {
    // The office.js at hand has no notes, even if ExcelApi 1.18 is claimed.
    const knowing = withNotes(1.18);
    await expect(inTime(writeTable(knowing, plan, at(0, 0), { notes }))).rejects.toMatchObject({
      kind: "internal",
    });
    expect(excel.values("A1:B3").flat().join("")).toBe("");
    expect((await inTime(writeTable(knowing, plan, at(0, 0)))).address).toBe("Sheet1!A1:B3");
  });
});

describe("a played workbook", () => {
  it("tells of each other selection, until that is stopped", async () => {
    let select: (() => Promise<void>) | undefined;
    const handler = { remove: () => (select = undefined) };
    const onSelectionChanged = {
      add(listener: () => Promise<void>) {
        select = listener;
        return handler;
      },
    };
    const context = {
      workbook: { worksheets: { onSelectionChanged } },
      sync: vi.fn(() => Promise.resolve()),
    };
    const told = vi.fn();
    const stop = await workbookOn(running(context)).onSelection(told);
    expect(context.sync).toHaveBeenCalledTimes(1);
    expect(told).not.toHaveBeenCalled();
    await select?.();
    await select?.();
    expect(told).toHaveBeenCalledTimes(2);
    stop();
    expect(select).toBeUndefined();
    expect(context.sync).toHaveBeenCalledTimes(2);
  });

  it("takes it quietly if Excel refuses to stop telling of selections", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const handler = { remove: () => undefined };
    const worksheets = { onSelectionChanged: { add: () => handler } };
    const sync = vi.fn(() => Promise.resolve());
    const stop = await workbookOn(running({ workbook: { worksheets }, sync })).onSelection(() => undefined);
    sync.mockImplementation(() => Promise.reject(new Error("refused")));
    stop();
    await new Promise((settle) => setImmediate(settle));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("calculates one cell", async () => {
    const calculate = vi.fn();
    const sync = vi.fn(() => Promise.resolve());
    const getCell = vi.fn(() => ({ calculate }));
    const worksheets = { getItem: () => ({ getCell, getRangeByIndexes: getCell }) };
    await workbookOn(running({ workbook: { worksheets }, sync })).calculateCell({
      ...{ sheetId: "s", row: 4, column: 2 },
    });
    expect(calculate).toHaveBeenCalledTimes(1);
    expect(sync).toHaveBeenCalledTimes(1);
    expect(getCell.mock.calls[0]?.slice(0, 2)).toEqual([4, 2]);
  });
});

describe("a name that Excel keeps for itself", () => {
  it.each(["History", "HISTORY", "history"])("is not given to a sheet: %s", (name) => {
    expect(freeSheetName(name, [])).toBe(`${name} 2`);
  });
});
