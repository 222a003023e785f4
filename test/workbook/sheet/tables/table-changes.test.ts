import { describe, expect, it } from "vitest";
import { rowsRead } from "../../../../src/workbook/sheet/layout/row-keys";
import { listTables, movedRows, readTableColumns } from "../../../../src/workbook/sheet/tables/bound-table";
import { createImportTables } from "../../../../src/workbook/sheet/tables/table-changes";
import { loadable, mustName } from "../played-sheet";

/** Simulates the part of Excel that reads a table. `asked` receives the number of cells that each request has read. */
function tableOf(cells: unknown[][]) {
  const asked: number[] = [];
  let read = 0;
  const rangeAt = (row: number, column: number, rows: number, columns: number): object => ({
    load(this: object, what: string) {
      mustName(what);
      if (what.includes("numberFormat")) read += rows * columns;
      return this;
    },
    rowCount: rows,
    get values() {
      return cells.slice(row, row + rows).map((line) => line.slice(column, column + columns));
    },
    get numberFormat() {
      return cells.slice(row, row + rows).map((line) => line.slice(column, column + columns));
    },
    getCell: (down: number, across: number) => ({
      getAbsoluteResizedRange: (height: number, width: number) =>
        rangeAt(row + down, column + across, height, width),
    }),
  });
  const width = cells[0]?.length ?? 0;
  const table = {
    load: mustName,
    isNullObject: false,
    showHeaders: true,
    getHeaderRowRange: () => rangeAt(0, 0, 1, width),
    getDataBodyRange: () => rangeAt(1, 0, cells.length - 1, width),
  };
  const context = {
    workbook: { tables: { getItemOrNullObject: () => table } },
    sync() {
      asked.push(read);
      read = 0;
      return Promise.resolve();
    },
  } as unknown as Excel.RequestContext;
  return { context, asked };
}

describe("a workbook's calculation", () => {
  it.each([
    ["Manual", true],
    ["Automatic", false],
    ["AutomaticExceptTables", false],
  ])("that is %s waits for the user: %s", async (calculationMode, expected) => {
    const application = loadable({ calculationMode });
    const context = { workbook: { application }, sync: () => Promise.resolve() };
    const run = <Result>(work: (context: Excel.RequestContext) => Promise<Result>) => work(context as never);
    const tables = createImportTables({
      ...{ run, runAsOneStep: run, hasNotes: () => false },
      learnDates: () => Promise.resolve(),
    });
    expect(await tables.isManual()).toBe(expected);
  });
});

describe("rows that are read", () => {
  it("are matched to the rows that were read before; equal rows keep their order", () => {
    expect(movedRows(["a", "b", "a", "c"], ["a", "c", "a", "a", "d"])).toEqual([0, undefined, 2, 1]);
    expect(movedRows([], ["a"])).toEqual([]);
  });

  it("are identified by those columns of ids that the table has", () => {
    const columns = new Map([["AHJ ID", { values: [1, "1"], numberFormats: ["0", "@"] }]]);
    const found = { rowCount: 2, headers: ["AHJ ID"], columns };
    expect(rowsRead(found, ["AHJ ID"])).toEqual({ ids: ["AHJ ID"], keys: ["[1]", '["1"]'] });
    expect(rowsRead(found, ["AHJ ID", "Type ID"]).keys).toEqual(["[1,null]", '["1",null]']);
  });
});

describe("a table that is read", () => {
  it("is read in requests whose answers Excel can send, however long it is", async () => {
    const rows = Array.from({ length: 120_000 }, (_, row) => [row, `v${row}`]);
    const { context, asked } = tableOf([["AHJ ID", "Fee"], ...rows]);
    const { columns } = await readTableColumns(context, "{1}", ["AHJ ID", "Fee"]);
    expect(columns.get("AHJ ID")?.values).toEqual(rows.map(([id]) => id));
    expect(columns.get("Fee")?.values).toEqual(rows.map(([, fee]) => fee));
    const inPieces = [50_000, 50_000, 20_000];
    // The ids are read again at the end, by which a sort meanwhile is seen.
    expect(asked.filter((read) => read > 0)).toEqual([...inPieces, ...inPieces, ...inPieces]);
  });

  it("is left out of the list if it shows no headers", async () => {
    const table = (id: string, showHeaders: boolean) => ({
      id,
      name: id,
      showHeaders,
      getRange: () => loadable({ address: "S!A1:A2" }),
      getHeaderRowRange: () => {
        if (!showHeaders) throw new Error("no header row");
        return loadable({ values: [["Fee"]] });
      },
    });
    const tables = loadable({ items: [table("bare", false), table("fees", true)] });
    const context = {
      workbook: { tables },
      sync: () => Promise.resolve(),
    } as unknown as Excel.RequestContext;
    expect((await listTables(context)).map(({ tableId }) => tableId)).toEqual(["fees"]);
  });
});
