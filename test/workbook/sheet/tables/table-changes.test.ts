import { describe, expect, it } from "vitest";
import {
  listTables,
  movedRows,
  readColumns,
  rowsRead,
} from "../../../../src/workbook/sheet/tables/bound-table";
import { createImportTables } from "../../../../src/workbook/sheet/tables/table-changes";
import type { TableEdit } from "../../../../src/workbook/sheet/tables/table-edit";
import type { Workbook } from "../../../../src/workbook/sheet/workbook";
import { loadable, mustName } from "../played-sheet";

/**
 * As much of Excel as the edit of a table takes: one that begins in A1 of a sheet, with cells of the user's own to its
 * right. `refuse` names the steps that Excel does not take.
 */
function sheetWith(cells: unknown[][], size: { width: number; rows: number }, ...refuse: string[]) {
  let waiting: (() => void)[] = [];
  const added: unknown[][] = [];
  const asked: number[] = [];
  /** Each write of values: its first row and column in the sheet, its height and width. */
  const writes: string[] = [];
  let read = 0;
  const queue = (step: string, work: () => void) =>
    waiting.push(() => {
      if (refuse.includes(step)) throw new Error(`refused: ${step}`);
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
        writes.push(`${row} ${column} ${rows.length}x${rows[0]?.length}`);
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
    showHeaders: true,
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
    name: "Sheet9",
    visibility: "Visible",
    load: mustName,
    delete: () => queue("delete aside", () => (aside.visibility = "gone")),
    getUsedRangeOrNullObject: () =>
      loadable({
        get isNullObject() {
          return kept.flat().join("") === "";
        },
      }),
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
  const run: Workbook["run"] = (work) => work(context);
  const tables = createImportTables({ run, runAsOneStep: run, hasNotes: () => false });
  return { cells, context, tables, added, asked, writes, aside };
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

describe("an edit that can't be taken back", () => {
  const updates = [{ row: 0, header: "Fee", cell: { value: 31, numberFormat: "General" } }];

  it("says on which sheet the cells stand as they were, and shows it", async () => {
    const { tables, aside } = sheetWith(sheet(), size(), "values", "paste");
    await expect(tables.edit("{1}", { ...edit, updates })).rejects.toMatchObject({
      kind: "sheet-refused",
      detail:
        "What had been written could not be taken back. The cells as they were stand on the sheet “Sheet9”.",
    });
    expect(aside.visibility).toBe("Visible");
  });

  it("lets go of a copy in which there is nothing", async () => {
    const blank = sheet().map((line, row) => (row === 0 ? line : line.map(() => "")));
    const { tables, aside } = sheetWith(blank, size(), "add rows", "paste");
    await expect(tables.edit("{1}", { ...edit, newRows: 1 })).rejects.toMatchObject({
      detail: "What had been written could not be taken back.",
    });
    expect(aside.visibility).toBe("gone");
  });

  it("lets go of its copy where it succeeds, and where it was taken back", async () => {
    const done = sheetWith(sheet(), size());
    await done.tables.edit("{1}", { ...edit, updates });
    expect(done.aside.visibility).toBe("gone");
    const { tables, aside } = sheetWith(sheet(), size(), "values");
    await expect(tables.edit("{1}", { ...edit, updates })).rejects.toThrow("refused: values");
    expect(aside.visibility).toBe("gone");
  });
});

describe("as many columns that come as go", () => {
  it("are an edit", async () => {
    const { tables, cells } = sheetWith(sheet(), size());
    await tables.edit("{1}", { ...edit, newColumns: ["One"], goneColumns: ["AHJ ID"] });
    expect(cells[0]).toEqual(["Fee", "Due", "One", "Mine", "beside"]);
  });
});

describe("a workbook's calculation", () => {
  it.each([
    ["Manual", true],
    ["Automatic", false],
    ["AutomaticExceptTables", false],
  ])("that is %s waits for the user: %s", async (calculationMode, expected) => {
    const application = loadable({ calculationMode });
    const context = { workbook: { application }, sync: () => Promise.resolve() };
    const run = <Result>(work: (context: Excel.RequestContext) => Promise<Result>) => work(context as never);
    const tables = createImportTables({ run, runAsOneStep: run, hasNotes: () => false });
    expect(await tables.isManual()).toBe(expected);
  });
});

describe("rows that are added", () => {
  it("leave calculated columns to themselves", async () => {
    const { tables, added } = sheetWith(sheet(), size());
    await tables.edit("{1}", { ...edit, newRows: 1 });
    expect(added).toEqual([["", "", "", null]]);
  });
});

describe("cells that are updated", () => {
  const tall = (rows: number) => {
    const lines = Array.from({ length: rows }, (_, row) => [row, "fee", "due", `=${row}`, "beside"]);
    const keys = lines.map(([id]) => JSON.stringify([id]));
    const played = sheetWith([["AHJ ID", "Fee", "Due", "Mine", "beside"], ...lines], { width: 4, rows });
    return { ...played, edit: { ...edit, read: { ids: ["AHJ ID"], keys } } };
  };
  const update = (row: number, header: string, value: string) => ({
    ...{ row, header, cell: { value, numberFormat: "@" } },
  });

  it("are written together where they are near each other, and nothing between them", async () => {
    const { tables, cells, writes, edit: given } = tall(64);
    const before = structuredClone(cells);
    const updates = [
      update(62, "Due", "e"),
      update(0, "Due", "a"),
      update(20, "Fee", "b"),
      update(41, "Due", "d"),
    ];
    const counts: number[] = [];
    await tables.edit("{1}", { ...given, updates }, { onWritten: (count) => counts.push(count) });
    // The second row of the sheet is the first of the body; columns from the leftmost to the rightmost that changes.
    expect(writes).toEqual(["1 1 21x2", "42 1 1x2", "63 1 1x2"]);
    expect(counts).toEqual([2, 3, 4]);
    for (const [row, column, value] of [
      [1, 2, "a"],
      [21, 1, "b"],
      [42, 2, "d"],
      [63, 2, "e"],
    ] as const)
      before[row]![column] = value;
    expect(cells).toEqual(before);
  });

  it("are written in pieces that Excel takes", async () => {
    const { tables, writes, edit: given } = tall(3);
    // Three bytes a character, thirty a cell, ten a column: two rows fill a piece exactly.
    const full = "x".repeat(Math.floor((1_000_000 - 40) / 3));
    await tables.edit("{1}", { ...given, updates: [0, 1, 2].map((row) => update(row, "Fee", full)) });
    expect(writes).toEqual(["1 1 2x1", "3 1 1x1"]);
    const more = tall(2);
    await more.tables.edit("{1}", {
      ...more.edit,
      updates: [update(0, "Fee", `${full}xx`), update(1, "Fee", full)],
    });
    expect(more.writes).toEqual(["1 1 1x1", "2 1 1x1"]);
  });

  it("are passed over where their row or column is gone, and found where these have moved", async () => {
    const { tables, cells } = sheetWith(
      [
        ["Fee", "AHJ ID", "beside"],
        [40, 2, "a"],
        [30, 1, "b"],
      ],
      { width: 2, rows: 2 },
    );
    const read = { ids: ["AHJ ID"], keys: ["[1]", "[2]", "[3]"] };
    const updates = [update(0, "Fee", "new"), update(2, "Fee", "gone"), update(1, "Due", "gone")];
    await tables.edit("{1}", { ...edit, read, updates });
    expect(cells).toEqual([
      ["Fee", "AHJ ID", "beside"],
      [40, 2, "a"],
      ["new", 1, "b"],
    ]);
  });

  it("of new rows stand below all others, though rows are gone", async () => {
    const { tables, cells } = sheetWith(sheet(), size());
    const read = { ids: ["AHJ ID"], keys: ["[1]", "[2]", "[3]"] };
    const updates = [update(3, "AHJ ID", "4"), update(4, "AHJ ID", "5")];
    await tables.edit("{1}", { ...edit, read, newRows: 2, updates });
    expect(cells.map(([id]) => id)).toEqual(["AHJ ID", 1, 2, "4", "5", "below"]);
  });

  it("are written after new columns came, right of the import's last one", async () => {
    const { tables, cells } = sheetWith(sheet(), size());
    const updates = [update(0, "One", "1"), update(1, "Two", "2"), update(0, "Mine", "m")];
    await tables.edit("{1}", { ...edit, newColumns: ["One", "Two"], updates });
    expect(cells).toEqual([
      ["AHJ ID", "Fee", "Due", "One", "Two", "Mine", "beside"],
      [1, 30, "soon", "1", "", "m", "a"],
      [2, 40, "late", "", "2", "=2", "b"],
      ["below", "", "", "", "", "", "c"],
    ]);
  });

  it("are not written any more where it is cancelled", async () => {
    const { tables, cells, edit: given } = tall(64);
    const before = structuredClone(cells);
    const stop = new AbortController();
    const options = { signal: stop.signal, onWritten: () => stop.abort() };
    const updates = [update(0, "Fee", "a"), update(60, "Fee", "b")];
    await expect(tables.edit("{1}", { ...given, updates }, options)).rejects.toMatchObject({
      kind: "cancelled",
    });
    expect(cells).toEqual(before);
  });
});

describe("rows that are read", () => {
  it("are found again; of those that are alike the first stays the first", () => {
    expect(movedRows(["a", "b", "a", "c"], ["a", "c", "a", "a", "d"])).toEqual([0, undefined, 2, 1]);
    expect(movedRows([], ["a"])).toEqual([]);
  });

  it("are told apart by what stands in their columns of ids, as far as these are there", () => {
    const columns = new Map([["AHJ ID", { values: [1, "1"], numberFormats: ["0", "@"] }]]);
    const found = { rowCount: 2, headers: ["AHJ ID"], columns };
    expect(rowsRead(found, ["AHJ ID"])).toEqual({ ids: ["AHJ ID"], keys: ["[1]", '["1"]'] });
    expect(rowsRead(found, ["AHJ ID", "Type ID"]).keys).toEqual(["[1,null]", '["1",null]']);
  });
});

describe("a table that is read", () => {
  it("comes in pieces that an answer holds, however long it is", async () => {
    const rows = Array.from({ length: 120_000 }, (_, row) => [row, `v${row}`]);
    const { context, asked } = sheetWith([["AHJ ID", "Fee"], ...rows], { width: 2, rows: rows.length });
    const { columns } = await readColumns(context, "{1}", ["AHJ ID", "Fee"]);
    expect(columns.get("AHJ ID")?.values).toEqual(rows.map(([id]) => id));
    expect(columns.get("Fee")?.values).toEqual(rows.map(([, fee]) => fee));
    expect(asked.filter((read) => read > 0)).toEqual([50_000, 50_000, 20_000, 50_000, 50_000, 20_000]);
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
