import { describe, expect, it } from "vitest";
import { listTables, readColumns } from "../../src/sheet/import-table";
import { createImportTables } from "../../src/sheet/import-tables";
import type { TableEdit } from "../../src/sheet/table-edit";
import { loadable, mustName } from "./played-sheet";

/**
 * As much of Excel as the edit of a table takes: one that begins in A1 of a sheet, with cells of the user's own to its
 * right. `refuse` names the step that Excel does not take.
 */
function sheetWith(cells: unknown[][], size: { width: number; rows: number }, refuse = "") {
  let waiting: (() => void)[] = [];
  const added: unknown[][] = [];
  const asked: number[] = [];
  let read = 0;
  const queue = (step: string, work: () => void) =>
    waiting.push(() => {
      if (step === refuse) throw new Error(`refused: ${step}`);
      work();
    });
  const rangeAt = (row: number, column: number, height: () => number, width: () => number): object => {
    const part = () => cells.slice(row, row + height()).map((line) => line.slice(column, column + width()));
    const put = (rows: unknown[][]) =>
      rows.forEach((line, down) =>
        line.forEach((value, across) => {
          const there = cells[row + down];
          if (there && value !== null) there[column + across] = value;
        }),
      );
    return {
      load(this: object, what: string) {
        mustName(what);
        if (what.includes("numberFormat")) waiting.push(() => (read += height() * width()));
        return this;
      },
      get rowCount() {
        return height();
      },
      get numberFormat() {
        return part();
      },
      set numberFormat(_: unknown) {
        // Formats are of no interest here.
      },
      get values() {
        return part();
      },
      set values(rows: unknown[][]) {
        queue("values", () => put(rows));
      },
      part,
      getCell: (down: number, across: number) => ({
        getAbsoluteResizedRange: (rows: number, columns: number) =>
          rangeAt(
            row + down,
            column + across,
            () => rows,
            () => columns,
          ),
      }),
      copyFrom: (source: { part(): unknown[][] }) => queue("paste", () => put(source.part())),
      delete: () =>
        queue("delete rows", () => {
          cells.splice(row, height());
          size.rows -= height();
        }),
    };
  };
  const columnAt = (name: string) => ({
    load: mustName,
    get isNullObject() {
      return !cells[0]?.slice(0, size.width).includes(name);
    },
    delete: () =>
      queue(`delete ${name}`, () => {
        const place = cells[0]?.indexOf(name) ?? 0;
        for (const line of cells) line.splice(place, 1);
        size.width -= 1;
      }),
  });
  const table = {
    load: mustName,
    isNullObject: false,
    getHeaderRowRange: () =>
      rangeAt(
        0,
        0,
        () => 1,
        () => size.width,
      ),
    getDataBodyRange: () =>
      rangeAt(
        1,
        0,
        () => size.rows,
        () => size.width,
      ),
    columns: {
      add: (place: number, _: undefined, name: string) =>
        queue(`add ${name}`, () => {
          cells.forEach((line, row) => line.splice(place, 0, row === 0 ? name : ""));
          size.width += 1;
        }),
      getItem: columnAt,
      getItemOrNullObject: columnAt,
    },
    rows: {
      add: (_: undefined, rows: unknown[][]) =>
        queue("add rows", () => {
          added.push(...rows);
          cells.splice(1 + size.rows, 0, ...rows.map((row) => row.map((value) => value ?? "calculated")));
          size.rows += rows.length;
        }),
    },
  };
  let kept: unknown[][] = [];
  const aside = {
    delete: () => undefined,
    getRangeByIndexes: () => ({
      part: () => kept,
      copyFrom: (source: { part(): unknown[][] }) =>
        waiting.push(() => (kept = structuredClone(source.part()))),
    }),
  };
  const context = {
    workbook: { tables: { getItemOrNullObject: () => table }, worksheets: { add: () => aside } },
    sync() {
      const work = waiting;
      waiting = [];
      read = 0;
      try {
        for (const step of work) step();
      } catch (thrown) {
        return Promise.reject(thrown as Error);
      }
      asked.push(read);
      return Promise.resolve();
    },
  } as unknown as Excel.RequestContext;
  const tables = createImportTables({ run: (work) => work(context), hasNotes: () => false });
  return { cells, context, tables, added, asked };
}

const sheet = () => [
  ["AHJ ID", "Fee", "Due", "Mine", "beside"],
  [1, 30, "soon", "=1", "a"],
  [2, 40, "late", "=2", "b"],
  ["below", "", "", "", "c"],
];
const size = () => ({ width: 4, rows: 2 });
const edit: TableEdit = {
  read: { ids: ["AHJ ID"], keys: ["[1]", "[2]"] },
  newRows: 0,
  newColumns: [],
  columns: ["AHJ ID", "Fee", "Due"],
  goneColumns: [],
  updates: [],
};

describe("an edit that Excel refuses in the middle", () => {
  it.each<[string, string, Partial<TableEdit>]>([
    ["no row is added", "add rows", { newRows: 2 }],
    ["the second column is not added", "add Two", { newColumns: ["One", "Two"] }],
    [
      "a value is not written after rows and columns came",
      "values",
      {
        newRows: 2,
        newColumns: ["One"],
        updates: [{ row: 0, header: "Fee", cell: { value: 31, numberFormat: "General" } }],
      },
    ],
    ["the second column is not deleted", "delete Due", { goneColumns: ["Fee", "Due"] }],
  ])("leaves the table, and what stands around it, as it was: %s", async (_, refuse, change) => {
    const { cells, tables } = sheetWith(sheet(), size(), refuse);
    await expect(tables.edit("{1}", { ...edit, ...change })).rejects.toThrow(`refused: ${refuse}`);
    expect(cells).toEqual(sheet());
  });
});

describe("rows that are added", () => {
  it("leave calculated columns to themselves", async () => {
    const { tables, added } = sheetWith(sheet(), size());
    await tables.edit("{1}", { ...edit, newRows: 1 });
    expect(added).toEqual([["", "", "", null]]);
  });
});

describe("a table that is read", () => {
  it("comes in pieces that an answer holds, however long it is", async () => {
    const rows = Array.from({ length: 120_000 }, (_, row) => [row, `v${row}`]);
    const { context, asked } = sheetWith([["AHJ ID", "Fee"], ...rows], { width: 2, rows: rows.length });
    const { columns } = await readColumns(context, "{1}", ["AHJ ID", "Fee"]);
    expect(columns.get("AHJ ID")?.values).toEqual(rows.map(([id]) => id));
    expect(columns.get("Fee")?.values).toEqual(rows.map(([, fee]) => fee));
    expect(asked.every((cells) => cells <= 50_000)).toBe(true);
  });

  it("is passed over where it shows no headers", async () => {
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
