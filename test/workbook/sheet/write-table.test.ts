import { inspectTarget, writeTable } from "../../../src/workbook/sheet/tables/write-table";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createWorkbook } from "../../../src/workbook/sheet/workbook";
import { playedOffice, type PlayedTable, playSheet } from "./played-sheet";

beforeEach(() => {
  vi.stubGlobal("Office", playedOffice);
});

const plan = { columns: [{ header: "geoID" }], rows: [[{ value: "06001", numberFormat: "@" }]] };
const size = { rows: 2, columns: 1 };

function workbookWith(cells: Record<string, unknown>, tables: PlayedTable[]) {
  const sheet = playSheet(new Map(Object.entries(cells)), tables);
  const excel = { run: (_: object, work: (context: object) => unknown) => work(sheet.context) };
  return {
    ...sheet,
    workbook: createWorkbook(
      () => excel as unknown as typeof Excel,
      () => true,
    ),
  };
}

describe("a table at the selected cell", () => {
  it("is not written over another one, whatever is given up, and that one stays a table", async () => {
    const mine = { id: "1", name: "Mine", row: 1, column: 0, rows: 2, columns: 2 };
    const { workbook, log } = workbookWith({ "1 0": "head" }, [mine]);
    const target = { kind: "cell", sheetId: "s", row: 0, column: 0, mayOverwrite: size } as const;
    const refused = { kind: "cells-in-the-way", detail: "A table stands there: Mine." };
    await expect(inspectTarget(workbook, target, size)).rejects.toMatchObject(refused);
    await expect(writeTable(workbook, plan as never, target)).rejects.toMatchObject(refused);
    expect(log).toEqual([]);
  });
});
