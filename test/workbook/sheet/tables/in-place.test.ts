import { beforeEach, describe, expect, it, vi } from "vitest";
import { describeTable } from "../../../../src/workbook/sheet/tables/bound-table";
import { inspectInPlace, prepareInPlace } from "../../../../src/workbook/sheet/tables/in-place";
import { mustBeGivenUp } from "../../../../src/workbook/sheet/tables/target-place";
import { mayWrite } from "../../../../src/workbook/sheet/write-access";
import { playedOffice, type PlayedTable, playSheet } from "../played-sheet";

beforeEach(() => {
  vi.stubGlobal("Office", playedOffice);
});

/** An import's table of two columns and as many rows, header included, in A1. */
function tableOf(...headers: string[]) {
  return tableAmong({}, headers);
}

/** Likewise, with other cells around it. */
function tableAmong(others: Record<string, unknown>, headers = ["geoID", "Fee"]) {
  const cells = new Map<string, unknown>(headers.map((header, column) => [`0 ${column}`, header]));
  for (const [place, value] of Object.entries(others)) cells.set(place, value);
  const table: PlayedTable = { id: "1", name: "Fees", row: 0, column: 0, rows: 3, columns: headers.length };
  return { ...playSheet(cells, [table]), table };
}
const size = { rows: 2, columns: 2 };

describe("a table that another import replaces", () => {
  it.each([
    ["a column", { columns: 3 }],
    ["a row", { rows: 4 }],
  ])("stays as it is where it has got %s since the user was told what would be lost", async (_, change) => {
    const { context, table, log, cells } = tableOf("geoID", "Fee");
    const { rows, headers } = await describeTable(context, "1");
    const told = { tableId: "1", rows, headers, mayOverwrite: null };
    await expect(inspectInPlace(context, told, size, () => true)).resolves.toMatchObject({ filled: null });
    Object.assign(table, change);
    cells.set("0 2", "My notes");
    await expect(prepareInPlace(context, told, size, () => true)).rejects.toMatchObject({
      kind: "cells-in-the-way",
      detail: expect.stringContaining("other rows or columns") as string,
    });
    expect(log).toEqual([]);
  });

  it("stays as it is in an Excel that can't give a table another size", async () => {
    const { context, log, cells } = tableOf("geoID", "Fee");
    const before = new Map(cells);
    const { rows, headers } = await describeTable(context, "1");
    const told = { tableId: "1", rows, headers, mayOverwrite: size };
    await expect(prepareInPlace(context, told, size, () => false)).rejects.toThrow(
      "This Excel can't give a table another size. Choose another place.",
    );
    expect(cells).toEqual(before);
    expect(log).toEqual([]);
  });

  const told = { tableId: "1", rows: 3, headers: ["geoID", "Fee"] };
  const larger = { rows: 5, columns: 3 };
  it.each<[string, Record<string, unknown>, typeof size, string | null]>([
    ["nothing", { "5 0": "x", "0 3": "x" }, larger, null],
    ["cells on its right", { "1 2": "x" }, larger, "R1C2:R1C2"],
    ["cells below", { "4 1": "x" }, larger, "R4C1:R4C1"],
    ["cells on its right and below", { "4 2": "x", "3 0": "x" }, larger, "R4C2:R4C2 and R3C0:R3C0"],
    [
      "cells below, where one of its columns goes",
      { "4 0": "x", "4 1": "y" },
      { rows: 5, columns: 1 },
      "R4C0:R4C0",
    ],
    ["nothing but its own cells", { "1 0": "x" }, { rows: 1, columns: 1 }, null],
    ["cells on its right alone", { "3 2": "x", "2 2": "x" }, { rows: 3, columns: 3 }, "R2C2:R2C2"],
  ])("needs %s beyond it", async (_, others, wanted, filled) => {
    const { context } = tableAmong(others);
    const address = `R0C0:R${wanted.rows - 1}C${wanted.columns - 1}`;
    expect(await inspectInPlace(context, told, wanted, () => true)).toEqual({ address, filled });
  });

  it("is described by its address, its rows and its headers", async () => {
    expect(await describeTable(tableOf("geoID", "Fee").context, "1")).toEqual({
      address: "R0C0:R2C1",
      rows: 3,
      headers: ["geoID", "Fee"],
    });
    await expect(describeTable(tableOf("geoID").context, "2")).rejects.toMatchObject({ kind: "table-gone" });
  });

  it("is emptied in its new size, and comes back from the copy with its old one", async () => {
    const { context, log } = tableAmong({ "4 2": "mine" });
    const prepared = await prepareInPlace(context, { ...told, mayOverwrite: larger }, larger, () => true);
    expect(prepared).toMatchObject({ isAlone: false, mayWiden: false });
    const whole = "R0C0:R4C2";
    // Never all of a table with "All", which may take the table away.
    const emptied = [
      "clear R0C0:R0C1 Contents",
      "clear R0C0:R0C1 Formats",
      "clear R1C0:R2C1 All",
      "clear R0C0:R0C2 Contents",
      "clear R0C0:R0C2 Formats",
      "clear R1C0:R4C2 All",
    ];
    expect(log).toEqual([`copyFrom ${whole} All`, `resize Fees ${whole}`, ...emptied]);
    log.length = 0;
    await prepared.undo();
    expect(log).toEqual([...emptied, "resize Fees R0C0:R2C1", `copyFrom ${whole} All`]);
  });

  it("is copied aside as a whole where the new one is smaller", async () => {
    const { context, log } = tableOf("geoID", "Fee");
    const target = { ...told, mayOverwrite: null };
    await prepareInPlace(context, target, { rows: 2, columns: 1 }, () => true);
    expect(log.slice(0, 2)).toEqual(["copyFrom R0C0:R2C1 All", "resize Fees R0C0:R1C0"]);
  });

  it("stays as it is over cells that nobody gave up, and with a totals row", async () => {
    const { context, log } = tableAmong({ "4 2": "mine" });
    const given = { ...told, mayOverwrite: null };
    await expect(prepareInPlace(context, given, larger, () => true)).rejects.toMatchObject({
      kind: "cells-in-the-way",
      detail: "R4C2:R4C2 is not empty.",
    });
    const other = tableOf("geoID", "Fee");
    other.table.hasTotals = true;
    await expect(prepareInPlace(other.context, given, size, () => true)).rejects.toMatchObject({
      kind: "cells-in-the-way",
      detail: "The table has a totals row.",
    });
    expect([...log, ...other.log]).toEqual([]);
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

describe("what is protected", () => {
  const nextStep = "Take the protection off under Review, then try again.";
  it.each([
    [{ sheet: true }, `The sheet “Sheet1” is protected. ${nextStep}`],
    [{ structure: true }, `The workbook's structure is protected. ${nextStep}`],
  ])("is told with the way to write there: %j", async (protection, words) => {
    const { context } = playSheet(new Map(), [], protection);
    const sheet = context.workbook.worksheets.getItem("s");
    await expect(mayWrite(context, sheet)).rejects.toThrow(words);
  });

  it("is of no interest where another sheet is written", async () => {
    await mayWrite(playSheet(new Map(), [], { sheet: true }).context);
  });
});
