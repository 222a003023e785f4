import { expect, it } from "vitest";
import {
  type ChangeReport,
  cellsToMark,
  newsOf,
} from "../../../../src/workbook/imports/refresh/change-lists";

const ahj = { id: 1, name: "Bibb County", type: "county", state_code: "AL", geoid: "01007" };
const type = { id: 10, name: "Fee", unit_of_measure: "USD" };
const answer = (value: string) => ({ value, reference: null, section: null, updatedAt: null });
const place = (row: number, header = "Fee") => ({ row, header });
const change = (row: number) => ({
  ...{ ahj, type, place: place(row), before: answer("$1"), after: answer("$2") },
});
const nothing: ChangeReport = {
  ...{ renamed: [], entered: [], left: [], unchecked: [], changes: [], unsure: [], edited: [] },
  ...{ notRefreshed: [], followed: [], otherEntries: [] },
};

it("a cell that somebody has edited is marked once, as edited, also if its answer has changed", () => {
  const edited = {
    ...change(1),
    part: "value" as const,
    ...{ text: "mine", isChanged: true },
    update: { ...place(1), cell: { value: 2, numberFormat: "General" }, shown: "mine" },
  };
  const report = { ...nothing, changes: [change(0), change(1)], edited: [edited] };
  expect(cellsToMark(report)).toEqual([
    { ...place(0), kind: "changed" },
    { ...place(1), kind: "edited" },
  ]);
});

it("all cells of a jurisdiction that was not refreshed are marked, and one of a jurisdiction that left", () => {
  const report: ChangeReport = {
    ...nothing,
    left: [{ ahj, place: place(3, "Name") }],
    unchecked: [{ ahj, place: place(4, "Name"), reason: "not-searched" }],
    notRefreshed: [
      {
        ahjId: 2,
        name: "Out",
        kind: "outside-subscription",
        places: [place(5), place(5, "Code")],
        values: 0,
      },
    ],
  };
  expect(cellsToMark(report)).toEqual([
    { ...place(3, "Name"), kind: "changed" },
    { ...place(5), kind: "not-refreshed" },
    { ...place(5, "Code"), kind: "not-refreshed" },
  ]);
});

it("the news name values first; what was only left as it is, is none", () => {
  const report: ChangeReport = {
    ...nothing,
    renamed: [{ before: type, after: { ...type, name: "Permit fee" }, headers: [] }],
    entered: [ahj],
    changes: [change(0), change(1)],
    notRefreshed: [{ ahjId: 2, name: "Out", kind: "outside-subscription", places: [], values: 0 }],
  };
  expect(newsOf(report).map(({ count, noun, verb }) => `${count} ${noun} ${verb}`)).toEqual([
    "2 value changed",
    "1 question described otherwise",
    "1 jurisdiction entered",
  ]);
  expect(newsOf(nothing)).toEqual([]);
});
