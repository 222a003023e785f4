import { beforeEach, describe, expect, it, vi } from "vitest";
import { mustBeGivenUp } from "../../../../src/workbook/sheet/tables/target-place";
import { inspectTarget, writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { mayWrite } from "../../../../src/workbook/sheet/write-access";
import { inTime } from "../../../excel/in-time";
import { openExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { playedOffice, playSheet } from "../played-sheet";

playExcel();
beforeEach(() => {
  vi.stubGlobal("Office", playedOffice);
});

const size = { rows: 2, columns: 2 };
const planOf = (...headers: string[]) => ({
  columns: headers.map((header) => ({ header })),
  rows: [1, 2].map((row) => headers.map((header) => ({ value: `${header} ${row}`, numberFormat: "@" }))),
});

/** An import's table of two columns in A1:B3, as the user confirmed it, among other cells. */
async function tableAmong(others: Record<string, string> = {}, excelApi = "1.13") {
  const excel = openExcel({ excelApi });
  const { workbook } = excel.app;
  const sheetId = excel.spreadsheet.sheets()[0]!.id;
  const place = { kind: "cell" as const, sheetId, row: 0, column: 0, mayOverwrite: null };
  const { tableId } = await inTime(writeTable(workbook, planOf("geoID", "Fee"), place));
  const { rows, headers } = await inTime(workbook.describeTable(tableId));
  for (const [address, value] of Object.entries(others)) excel.enter(address, [[value]]);
  return {
    excel,
    workbook,
    target: { kind: "in-place" as const, tableId, rows, headers, mayOverwrite: null },
  };
}

describe("a table that another import replaces", () => {
  it.each([
    ["a column", { columns: 3 }],
    ["a row", { rows: 4 }],
  ])("stays as it is if it has got %s since the user was told what would be lost", async (_, change) => {
    const { excel, workbook, target } = await tableAmong();
    const { id, rect } = excel.spreadsheet.tables()[0]!;
    excel.enter("C1", [["My notes"]]);
    excel.spreadsheet.updateTable(id, { rect: { ...rect, ...change } });
    const before = excel.cells("A1:D5");
    await expect(inTime(writeTable(workbook, planOf("geoID"), target))).rejects.toMatchObject({
      kind: "cells-in-the-way",
      detail: expect.stringContaining("rows or columns changed after you chose it") as string,
    });
    expect(excel.cells("A1:D5")).toEqual(before);
  });

  it("stays as it is in an Excel that can't resize a table", async () => {
    const { excel, workbook, target } = await tableAmong({}, "1.12");
    const before = excel.cells("A1:D5");
    const given = { ...target, mayOverwrite: size };
    await expect(inTime(writeTable(workbook, planOf("geoID"), given))).rejects.toThrow(
      "This Excel can't give a table another size. Choose another place.",
    );
    expect(excel.cells("A1:D5")).toEqual(before);
  });

  it("stays as it is if somebody has typed into it since the user was told what would be lost", async () => {
    const { excel, workbook, target } = await tableAmong();
    const { contents } = await inTime(inspectTarget(workbook, target, size));
    excel.enter("B2", [["Ann's note"]]);
    const before = excel.cells("A1:D5");
    await expect(
      inTime(writeTable(workbook, planOf("geoID", "Code"), { ...target, contents })),
    ).rejects.toMatchObject({
      kind: "cells-in-the-way",
      detail: "Somebody has changed cells there since you chose the place. Nothing was overwritten.",
    });
    expect(excel.cells("A1:D5")).toEqual(before);
    expect(excel.spreadsheet.sheets()).toHaveLength(1);
  });

  const larger = { rows: 5, columns: 3 };
  it.each<[string, Record<string, string>, typeof size, string | null]>([
    ["nothing", { A6: "x", D1: "x" }, larger, null],
    ["cells on its right", { C2: "x" }, larger, "Sheet1!C2"],
    ["cells below", { B5: "x" }, larger, "Sheet1!B5"],
    ["cells on its right and below", { C5: "x", A4: "x" }, larger, "Sheet1!C5 and Sheet1!A4"],
    [
      "cells below, where one of its columns goes",
      { A5: "x", B5: "y" },
      { rows: 5, columns: 1 },
      "Sheet1!A5",
    ],
    ["nothing but its own cells", {}, { rows: 1, columns: 1 }, null],
    ["cells on its right alone", { C4: "x", C3: "x" }, { rows: 3, columns: 3 }, "Sheet1!C3"],
  ])("needs %s beyond its own area", async (_, others, wanted, filled) => {
    const { workbook, target } = await tableAmong(others);
    expect(await inTime(inspectTarget(workbook, target, wanted))).toMatchObject({ filled });
  });

  it("leaves nothing of a wider table in the sheet, and no name that Excel has given its headers", async () => {
    const { excel, workbook, target } = await tableAmong();
    await inTime(writeTable(workbook, planOf("Code"), target));
    expect(excel.values("A1:C4")).toEqual([
      ["Code", "", ""],
      ["Code 1", "", ""],
      ["Code 2", "", ""],
      ["", "", ""],
    ]);
  });

  it("gives its headers to other columns, and gets them back in their order if that is stopped", async () => {
    const { excel, workbook, target } = await tableAmong();
    const before = excel.values("A1:D5");
    const turned = planOf("Fee", "geoID", "Code");
    const onWritten = () => Promise.reject(new Error("stopped"));
    await expect(inTime(writeTable(workbook, turned, target, { onWritten }))).rejects.toThrow();
    expect(excel.values("A1:D5")).toEqual(before);
    await inTime(writeTable(workbook, turned, target));
    expect(excel.values("A1:C1")).toEqual([["Fee", "geoID", "Code"]]);
  });

  it("stays as it is if the new one would overwrite cells that nobody gave up", async () => {
    const { excel, workbook, target } = await tableAmong({ C3: "mine" });
    const before = excel.cells("A1:D5");
    await expect(inTime(writeTable(workbook, planOf("A", "B", "C"), target))).rejects.toMatchObject({
      kind: "cells-in-the-way",
      detail: "Sheet1!C3 is not empty.",
    });
    expect(excel.cells("A1:D5")).toEqual(before);
  });
});

describe("cells in the way", () => {
  it.each([
    ["none", null, null, false],
    ["some", "S!A1", null, true],
    ["some, of as many rows and columns as were given up", "S!A1", size, false],
    ["some, of fewer rows and columns", "S!A1", { rows: 3, columns: 3 }, false],
    ["some, of more rows", "S!A1", { rows: 1, columns: 2 }, true],
    ["some, of more columns", "S!A1", { rows: 2, columns: 1 }, true],
  ])("are refused unless they are given up: %s", (_, filled, given, isRefused) => {
    const check = () => mustBeGivenUp(filled, given, size);
    if (!isRefused) expect(check).not.toThrow();
    else expect(check).toThrow("S!A1 is not empty.");
  });
});

describe("a protected sheet", () => {
  const nextStep = "Unprotect the sheet under Review, then try again.";
  it.each([
    [{ sheet: true }, `The sheet “Sheet1” is protected. ${nextStep}`],
    [{ structure: true }, `The workbook's structure is protected. ${nextStep}`],
  ])("is reported with the way to write there: %j", async (protection, words) => {
    const { context } = playSheet(new Map(), [], protection);
    const sheet = context.workbook.worksheets.getItem("s");
    await expect(mayWrite(context, sheet)).rejects.toThrow(words);
  });

  it("does not matter if another sheet is written", async () => {
    await mayWrite(playSheet(new Map(), [], { sheet: true }).context);
  });
});
