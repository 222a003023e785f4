import { afterEach, describe, expect, it, vi } from "vitest";
import { config } from "../../../../src/config";
import type { ImportData } from "../../../../src/workbook/imports/run/import-types";
import { planned } from "../../../../src/workbook/imports/run/run-import";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";

/** A matrix of this many AHJs and types without any value. */
function readOf(ahjs: number, types: number): ImportData {
  const counted = <Item>(count: number, make: (id: number) => Item) =>
    Array.from({ length: count }, (_, index) => make(index + 1));
  return {
    answers: {
      ahjs: counted(ahjs, (id) => ({ id, name: `AHJ ${id}`, type: "city", state_code: "CA", geoid: null })),
      types: counted(types, (id) => ({ id, name: `Type ${id}`, unit_of_measure: "text" })),
      of: () => null,
    },
    report: {},
  } as unknown as ImportData;
}

describe("the plan of a table", () => {
  const { sheetRows } = config;
  afterEach(() => void Object.assign(config, { sheetRows }));

  it.each([
    [2_500, 2, 0],
    [2_501, 2, 1],
    [7_500, 2, 2],
    [5_001, 0, 1],
  ])("of %i by %i lets the page answer its user %i times meanwhile", async (ahjs, types, pauses) => {
    const delay = vi.fn(() => Promise.resolve());
    const { table, rows } = await planned(readOf(ahjs, types), plainForm, { delay });
    expect(delay).toHaveBeenCalledTimes(pauses);
    expect(table.rows.map((row) => row.at(-1)?.value)).toEqual(rows.map((row) => row?.ahj.id));
    expect([rows.length, rows[0]?.ahj.id, rows.at(-1)?.ahj.id]).toEqual([ahjs, 1, ahjs]);
  });

  it("has as many rows as a sheet has below the headers, and no more", async () => {
    // A sheet of a million rows would take seconds.
    Object.assign(config, { sheetRows: 10_000 });
    const delay = () => Promise.resolve();
    expect((await planned(readOf(9_999, 0), plainForm, { delay })).table.rows).toHaveLength(9_999);
    await expect(planned(readOf(10_000, 0), plainForm, { delay })).rejects.toMatchObject({
      kind: "too-large",
    });
  });
});
