import { describe, expect, it } from "vitest";
import { type Overwriting, writeFormula } from "../../../../src/workbook/sheet/cells/formula-writing";
import { loadable } from "../played-sheet";

/** A sheet of one cell, behind as much of Excel's API as is used. */
function sheetWith(there: string | number, numberFormat = "General", tables: object[] = []) {
  const writes: [string, unknown][] = [];
  const cell = loadable({
    address: "Sheet1!B2",
    getTables: () => loadable({ items: tables }),
    get formulas() {
      return [[there]];
    },
    set formulas(value: unknown) {
      writes.push(["formulas", value]);
    },
    get numberFormat() {
      return [[numberFormat]];
    },
    set numberFormat(value: unknown) {
      writes.push(["numberFormat", value]);
    },
  });
  const sheet = { getRangeByIndexes: () => cell };
  const context = { workbook: { worksheets: { getItem: () => sheet } }, sync: () => Promise.resolve() };
  const position = { sheetId: "1", row: 1, column: 1 };
  return {
    writes,
    write: (overwriting: Overwriting) =>
      writeFormula(context as unknown as Excel.RequestContext, position, "=A1", overwriting),
  };
}

describe("a formula that is written into a cell", () => {
  it("stands in an empty cell, and in place of what was said to stand there", async () => {
    for (const [there, overwriting] of [
      ["", "nothing"],
      ["=B1", { formula: "=B1" }],
      ["mine", "anything"],
    ] as const) {
      const { writes, write } = sheetWith(there);
      await write(overwriting);
      expect(writes).toEqual([["formulas", [["=A1"]]]]);
    }
  });

  it("never overwrites what nobody has given up", async () => {
    for (const [there, overwriting] of [
      ["mine", "nothing"],
      [0, "nothing"],
      ["=C1", { formula: "=B1" }],
    ] as const) {
      const { writes, write } = sheetWith(there);
      await expect(write(overwriting)).rejects.toMatchObject({ kind: "cells-in-the-way" });
      expect(writes).toEqual([]);
    }
  });

  it("asks before it is written into a table, whose column Excel may fill with it", async () => {
    const { writes, write } = sheetWith("", "General", [{ id: "1" }]);
    await expect(write("nothing")).rejects.toMatchObject({
      kind: "cells-in-the-way",
      detail: "Sheet1!B2 is in a table: Excel may fill its whole column with the formula.",
    });
    expect(writes).toEqual([]);
    await write("anything");
    expect(writes).toEqual([["formulas", [["=A1"]]]]);
  });

  it("is a formula in a cell with the format of texts, too", async () => {
    const { writes, write } = sheetWith("", "@");
    await write("nothing");
    expect(writes).toEqual([
      ["numberFormat", [["General"]]],
      ["formulas", [["=A1"]]],
    ]);
  });
});
