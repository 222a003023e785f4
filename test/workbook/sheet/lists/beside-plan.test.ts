import { describe, expect, it } from "vitest";
import {
  type BesideChoice,
  columnsAround,
  headersTaken,
  isInOneTable,
  planBeside,
  roomBehind,
} from "../../../../src/workbook/sheet/lists/beside-plan";
import type { ListHeader } from "../../../../src/workbook/sheet/lists/list-column";

/** A list of three rows in column B, below a header in B1. */
const list = {
  ...{ sheetId: "s", address: "Sheet1!B2:B4", row: 1, column: 1 },
  ...{ values: ["06001", "06003", "06005"], above: "Place", table: null },
};
const header = { from: "above" as const, text: "Place" };
/** A block of the columns Project, Place and kW in A to C. */
const block = {
  column: 0,
  headers: ["Project", "Place", "kW"].map((text) => ({ text, isNew: false })),
};
const inTable = { ...list, table: { id: "1", row: 0, column: 0, headers: ["Project", "Place"], rows: 3 } };
const choice = (changes: Partial<BesideChoice> = {}): BesideChoice => ({
  ...{ list, header, way: { kind: "beside" }, block },
  ...changes,
});

describe("new columns beside a list", () => {
  it("right of it are one table with all of the user's columns", () => {
    const plan = planBeside(choice({ block: { column: 0, headers: block.headers.slice(0, 2) } }), 3);
    expect(plan).toEqual({
      target: { row: 0, rows: 4, column: 2, columns: 3 },
      table: "made",
      whole: { row: 0, rows: 4, column: 0, columns: 5 },
      insertedBefore: null,
      headerCells: null,
    });
  });

  it("inserted beside it push the user's own columns to the right, and the table holds those, too", () => {
    expect(planBeside(choice({ way: { kind: "inserted" } }), 3)).toMatchObject({
      target: { column: 2, columns: 3 },
      whole: { column: 0, columns: 6 },
      insertedBefore: 2,
    });
  });

  it("right after the user's columns are one table with them; after a gap they are a table of their own", () => {
    const behind = (column: number) => choice({ way: { kind: "behind", column } });
    expect(planBeside(behind(3), 2)).toMatchObject({ table: "made", whole: { column: 0, columns: 5 } });
    expect(planBeside(behind(6), 2)).toMatchObject({ table: "apart", whole: { column: 6, columns: 2 } });
    expect([behind(3), behind(6)].map(isInOneTable)).toEqual([true, false]);
  });

  it("make the list's table grow, unless they go behind other cells", () => {
    const inIts = (way: BesideChoice["way"]) =>
      planBeside(choice({ list: inTable, header: { from: "table", text: "Place" }, block: null, way }), 2);
    expect(inIts({ kind: "beside" })).toMatchObject({
      table: "grows",
      target: { row: 0, rows: 4, column: 2 },
    });
    expect(inIts({ kind: "inserted" })).toMatchObject({ table: "grows", insertedBefore: 2 });
    expect(inIts({ kind: "behind", column: 7 })).toMatchObject({ table: "apart", target: { column: 7 } });
  });

  it("are a table of their own if the list does not become one", () => {
    expect(planBeside(choice({ block: null }), 2)).toMatchObject({
      table: "apart",
      whole: { column: 2, columns: 2 },
    });
  });

  it("have their header in inserted cells of all these columns if the list has none", () => {
    const from: ListHeader["from"] = "inserted";
    const plan = (changes: Partial<BesideChoice>) =>
      planBeside(choice({ header: { from, text: "Jurisdiction" }, ...changes }), 2);
    expect(plan({}).headerCells).toEqual({ row: 1, rows: 1, column: 0, columns: 4 });
    expect(plan({ way: { kind: "inserted" } }).headerCells).toMatchObject({ column: 0, columns: 5 });
    expect(plan({ way: { kind: "behind", column: 5 }, block: null }).headerCells).toMatchObject({
      ...{ column: 1, columns: 6 },
    });
  });

  it("have other headers than the columns of their table", () => {
    expect(headersTaken(choice())).toEqual(["Project", "Place", "kW"]);
    expect(headersTaken(choice({ list: inTable, block: null }))).toEqual(["Project", "Place"]);
    expect(headersTaken(choice({ block: null }))).toEqual([]);
  });
});

describe("the columns around a list", () => {
  it("are the ones that stand together with it, up to a blank one", () => {
    const filled = new Set([0, 1, 2, 5]);
    expect(columnsAround({ list, header }, { filled })).toEqual({ column: 0, columns: 3 });
    expect(columnsAround({ list: { ...list, column: 5 }, header }, { filled })).toEqual({
      ...{ column: 5, columns: 1 },
    });
  });
});

describe("the room behind a list", () => {
  const room = (filled: number[], tables: { name: string; column: number; columns: number }[] = []) =>
    roomBehind({ list, header }, { filled: new Set(filled), tables }, 3);

  it("is right behind its own columns if enough columns are free there", () => {
    expect(room([0, 1, 2])).toEqual({ column: 3, after: 2 });
    expect(room([0, 1, 2, 6])).toEqual({ column: 3, after: 2 });
  });

  it("is behind everything else if they are too few", () => {
    expect(room([0, 1, 2, 5])).toEqual({ column: 6, after: 5 });
  });

  it("is a column away from a table, which would take in what is written right beside it", () => {
    const table = { name: "Mine", column: 4, columns: 2 };
    expect(room([1, 4, 5], [table])).toEqual({ column: 7, after: 5 });
    expect(room([0, 1], [{ name: "Mine", column: 2, columns: 2 }])).toMatchObject({ column: 5, after: 3 });
  });
});
