import { afterAll, describe, expect, it, vi } from "vitest";
import { describeTable, inspectInPlace, prepareInPlace } from "../../src/sheet/in-place";
import { playedOffice, playSheet } from "./played-sheet";

vi.stubGlobal("Office", playedOffice);
afterAll(() => {
  vi.unstubAllGlobals();
});

/** An import's table of two columns and as many rows, header included, in A1. */
function tableOf(...headers: string[]) {
  const cells = new Map<string, unknown>(headers.map((header, column) => [`0 ${column}`, header]));
  const table = { id: "1", name: "Fees", row: 0, column: 0, rows: 3, columns: headers.length };
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
    await expect(prepareInPlace(context, told, size, () => false)).rejects.toMatchObject({
      kind: "sheet-refused",
      detail: "This Excel can't give a table another size.",
    });
    expect(cells).toEqual(before);
    expect(log).toEqual([]);
  });
});
