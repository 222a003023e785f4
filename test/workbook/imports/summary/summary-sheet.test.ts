import { describe, expect, it } from "vitest";
import { summarizeByState } from "../../../../src/workbook/imports/summary/state-summary";
import { planSummarySheet } from "../../../../src/workbook/imports/summary/summary-sheet";
import { finished } from "../finished";
import { rows, wideImport, wideTable } from "./played-summary";

const nobody = () => undefined;
const planned = (...given: Parameters<typeof wideTable>) =>
  planSummarySheet(finished(summarizeByState(wideImport(), wideTable(...given), nobody)));

describe("the summary as a sheet", () => {
  it("has a row for each question and state, with plain values", () => {
    const { columns, rows: cells } = planned();
    expect(columns.map(({ header }) => header)).toEqual([
      ...["Question", "State", "Jurisdictions", "With a value", "Median", "Unit"],
      ...["Commonest answer", "Share of the commonest", "Question ID"],
    ]);
    expect(cells.map((row) => row.map(({ value }) => value))).toEqual([
      ["Permit fee", "AL", 1, 1, "", "", "varies", 1, 1056],
      ["Permit fee", "CA", 3, 2, 200, "", 410, 1 / 2, 1056],
      ["Permit fee", "NV", 1, 1, 80, "", 80, 1, 1056],
      ["Electrical code", "AL", 1, 1, "", "", "NEC 2020", 1, 1003],
      ["Electrical code", "CA", 3, 3, "", "", "NEC 2020", 2 / 3, 1003],
      ["Electrical code", "NV", 1, 0, "", "", "", "", 1003],
    ]);
    expect(cells[1]?.map(({ numberFormat }) => numberFormat)).toEqual([
      ...["@", "@", "0", "0", '"$"#,##0', "@", '"$"#,##0', "0%", "0"],
    ]);
  });

  it("keeps texts as texts, whatever they look like", () => {
    const texts = planned([["Kern County", "CA", "06029", "=1+1", "4-12-7", 12]]).rows.map((row) => row[6]);
    expect(texts).toEqual([
      { value: "=1+1", numberFormat: "@" },
      { value: "4-12-7", numberFormat: "@" },
    ]);
  });

  it("takes the median of the amounts in the unit that most cells have, as the pane does", () => {
    const table = wideTable([
      ["Kern County", "CA", "06029", "$300", "NEC 2020", 12],
      ["Inyo County", "CA", "06027", "$200", "NEC 2020", 13],
      ["Mono County", "CA", "06051", "$900", "NEC 2020", 14],
    ]);
    table.columns.get("Permit fee")!.numberFormats[2] = "0%";
    const [fee] = planSummarySheet(finished(summarizeByState(wideImport(), table, nobody))).rows;
    expect(fee?.slice(2, 5).map(({ value }) => value)).toEqual([3, 3, 200]);
  });

  it("names the unit that only the column's header says", () => {
    const table = wideTable();
    table.columns.get("Permit fee")!.numberFormats.fill("#,##0");
    const states = finished(summarizeByState(wideImport(), table, nobody));
    expect(planSummarySheet(states).rows[1]?.slice(4, 6)).toEqual([
      { value: 200, numberFormat: "#,##0" },
      { value: "$", numberFormat: "@" },
    ]);
  });

  it("tells the states of a table that has no column for them from what the add-in knows, or from geoIDs", () => {
    const known = (id: number) => (id === 14 ? { name: "", state_code: "NV", geoid: null } : undefined);
    const states = finished(summarizeByState(wideImport(), wideTable(rows, ["State"]), known));
    expect(states.slice(0, 3).map(({ state, jurisdictions }) => [state, jurisdictions])).toEqual([
      ["AL", 1],
      ["CA", 3],
      ["NV", 1],
    ]);
    const without = finished(summarizeByState(wideImport(), wideTable(rows, ["State", "geoID"]), known));
    expect(without.slice(0, 2).map(({ state, jurisdictions }) => [state, jurisdictions])).toEqual([
      ["NV", 1],
      ["", 4],
    ]);
  });

  it("leaves out a question whose column is gone", () => {
    expect(planned(rows, ["Permit fee"]).rows.map(([question]) => question?.value)).toEqual([
      ...["Electrical code", "Electrical code", "Electrical code"],
    ]);
  });
});
