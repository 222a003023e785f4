import { describe, expect, it } from "vitest";
import { planChanges, reportedCells } from "../../../../src/workbook/imports/refresh/changes-sheet";
import type { RefreshReport } from "../../../../src/workbook/imports/refresh/plan-refresh";
import { setConfig } from "../../../play-config";
import { noNews } from "./no-news";

const known = (value: string) => ({ value, reference: "Code", section: "4-12-7", updatedAt: "2026-01-02" });
const type = { id: 1, name: "Fee", unit_of_measure: "USD" };
const change = (row: number, before: string | null, after: string | null) => ({
  ahj: { id: row, name: `County ${row}`, state_code: "AL", geoid: null },
  type,
  place: { row, header: "Fee" },
  before: before === null ? null : known(before),
  after: after === null ? null : known(after),
});
const report: RefreshReport = {
  ...noNews,
  changes: [change(0, "$1", "=1+1"), change(1, null, "$2"), change(2, "$3", null)],
  notRefreshed: [
    {
      ahjId: 9,
      name: "County 9",
      kind: "outside-subscription",
      places: [{ row: 9, header: "Fee" }],
      values: 0,
    },
    { ahjId: 10, name: "County 10", kind: "outside-subscription", places: [], values: 0 },
  ],
};

describe("the sheet of changes", () => {
  it("has a row of texts for each change, and for each jurisdiction that was not refreshed", () => {
    expect(reportedCells(report).map((cell) => cell?.row)).toEqual([0, 1, 2, 9, undefined]);
    const { columns, rows } = planChanges(report, ["S!F2", "S!F3", undefined, "S!F11", "S!F12"]);
    const what = columns.findIndex(({ header }) => header === "Change");
    expect(rows.map((row) => row.slice(0, what + 3).map(({ value }) => value))).toEqual([
      ["S!F2", "County 0, AL", "Fee", "changed", "$1", "=1+1"],
      ["S!F3", "County 1, AL", "Fee", "new", "", "$2"],
      ["", "County 2, AL", "Fee", "gone", "$3", ""],
      ["S!F11", "County 9", "", "not refreshed: outside your subscription", "", ""],
      ["S!F12", "County 10", "", "not refreshed: outside your subscription", "", ""],
    ]);
    expect(rows[0]?.slice(what + 3).map(({ value }) => value)).toEqual([
      "",
      "Code",
      "Code",
      "4-12-7",
      "4-12-7",
      "2026-01-02",
      "2026-01-30T08:15:00Z",
      "",
    ]);
    expect(rows.flat().every(({ numberFormat }) => numberFormat === "@")).toBe(true);
  });

  it("names the jurisdictions that a find found or no longer found, or could not check", () => {
    const ahj = (id: number) => ({ id, name: `County ${id}`, type: "county", state_code: "AL", geoid: null });
    const found: RefreshReport = {
      ...report,
      ...{
        changes: [],
        notRefreshed: [],
        entered: [ahj(1), { ...ahj(4), place: { row: 4, header: "AHJ ID" } }],
      },
      left: [{ ahj: ahj(2), place: { row: 2, header: "AHJ ID" } }],
      unchecked: [{ ahj: ahj(3), reason: "not-searched", place: { row: 3, header: "AHJ ID" } }],
    };
    expect(reportedCells(found).map((cell) => cell?.row)).toEqual([undefined, 4, 2, 3]);
    const { rows } = planChanges(found, [undefined, "S!A6", "S!A4", "S!A5"]);
    expect(rows.map((row) => row.slice(0, 4).map(({ value }) => value))).toEqual([
      ["", "County 1, AL", "", "entered"],
      ["S!A6", "County 4, AL", "", "entered again"],
      ["S!A4", "County 2, AL", "", "left: it no longer meets the conditions"],
      ["S!A5", "County 3, AL", "", "not checked: outside the area that is searched"],
    ]);
  });

  it("is refused if a sheet could not hold it with its header", () => {
    setConfig({ sheetRows: 6 });
    expect(planChanges(report, []).rows).toHaveLength(5);
    setConfig({ sheetRows: 5 });
    expect(() => planChanges(report, [])).toThrow(expect.objectContaining({ kind: "too-large" }));
  });
});
