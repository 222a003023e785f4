import { beforeEach, describe, expect, it, vi } from "vitest";
import { inspectBeside, prepareBeside } from "../../../../src/workbook/sheet/tables/beside-list";
import type { ListColumn, ListHeader } from "../../../../src/workbook/sheet/tables/list-column";
import { playedOffice, type PlayedTable, playSheet } from "../played-sheet";

beforeEach(() => {
  vi.stubGlobal("Office", playedOffice);
});

/** Two geoIDs in B2:B3 of a sheet with these cells besides, by row and column from zero. */
function listWith(
  others: Record<string, unknown>,
  header: ListHeader["from"],
  above: unknown = "",
  tables: PlayedTable[] = [],
) {
  const cells = new Map<string, unknown>([["1 1", "06001"], ["2 1", "06003"], ...Object.entries(others)]);
  const list: ListColumn = {
    ...{ sheetId: "s", address: "Sheet1!B2:B3", row: 1, column: 1 },
    values: ["06001", "06003"],
    above,
    hasLeft: false,
    table: null,
  };
  return { ...playSheet(cells, tables), beside: { list, header: { from: header, text: "geoID" } } };
}

describe("a list without a header, and no room for one above it", () => {
  it.each([
    ["on its left", { "2 0": "Alameda" }],
    ["on its right", { "1 4": "note" }],
    ["further down", { "9 7": 1 }],
  ])("is refused where something stands %s: its rows would be torn", async (_, others) => {
    const { context, beside, log } = listWith({ "0 1": "title", ...others }, "inserted", "title");
    const refused = { kind: "no-list", detail: expect.stringContaining("other columns") as string };
    await expect(inspectBeside(context, beside, 2, () => true)).rejects.toMatchObject(refused);
    const prepared = prepareBeside(context, { ...beside, mayOverwrite: null }, 2, () => true);
    await expect(prepared).rejects.toMatchObject(refused);
    expect(log).toEqual([]);
  });
});

describe("a list whose header is new", () => {
  it("stays as it is where something was typed into that cell meanwhile", async () => {
    const { context, beside, log } = listWith({ "0 1": "mine" }, "new");
    const prepared = prepareBeside(context, { ...beside, mayOverwrite: null }, 2, () => true);
    await expect(prepared).rejects.toMatchObject({ detail: "It has changed since it was read." });
    expect(log).toEqual([]);
  });

  it("is refused where a table stands beside it: Excel makes none over another", async () => {
    const table = { id: "1", name: "Mine", row: 2, column: 2, rows: 4, columns: 3 };
    const { context, beside, log } = listWith({ "2 2": "head" }, "new", "", [table]);
    const refused = { kind: "cells-in-the-way", detail: "A table stands there: Mine." };
    await expect(inspectBeside(context, beside, 2, () => true)).rejects.toMatchObject(refused);
    const mayOverwrite = { rows: 3, columns: 2 };
    await expect(prepareBeside(context, { ...beside, mayOverwrite }, 2, () => true)).rejects.toMatchObject(
      refused,
    );
    expect(log).toEqual([]);
  });
});
