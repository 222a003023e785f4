import { describe, expect, it } from "vitest";
import { summarizeByState } from "../../../../src/workbook/imports/summary/state-summary";
import { planSummarySheet } from "../../../../src/workbook/imports/summary/summary-sheet";
import { finished } from "../finished";
import { answersOf, rows, wideImport, wideTable } from "./played-summary";

const summed = (...given: Parameters<typeof answersOf>) =>
  finished(summarizeByState(wideImport().types, answersOf(...given)));
const planned = (...given: Parameters<typeof wideTable>) => planSummarySheet(summed(wideTable(...given)));

describe("the summary as a sheet", () => {
  it("has a row for each question and state, with plain values", () => {
    const { columns, rows: cells } = planned();
    expect(columns.map(({ header }) => header)).toEqual([
      ...["Question", "State", "Jurisdictions", "With a value", "Edited", "Amounts", "Median"],
      ...["Most common answer", "Share of most common", "Question ID"],
    ]);
    expect(cells.map((row) => row.map(({ value }) => value))).toEqual([
      ["Permit fee ($)", "AL", 1, 1, 0, 0, "", "varies", 1, 1056],
      ["Permit fee ($)", "CA", 3, 2, 0, 2, 305, "", "", 1056],
      ["Permit fee ($)", "NV", 1, 1, 0, 1, 80, "", "", 1056],
      ["Electrical code", "AL", 1, 1, 0, 0, "", "NEC 2020", 1, 1003],
      ["Electrical code", "CA", 3, 3, 0, 0, "", "NEC 2020", 2 / 3, 1003],
      ["Electrical code", "NV", 1, 0, 0, 0, "", "", "", 1003],
    ]);
    expect(cells[1]?.map(({ numberFormat }) => numberFormat)).toEqual([
      ...["@", "@", "0", "0", "0", "0", "#,##0", "General", "General", "0"],
    ]);
  });

  it("has no median of a minority of amounts, but the most common text, as the pane has", () => {
    const texts = ["$200", "See fee schedule", "See fee schedule", "$90", "$70", "varies"];
    const given = texts.map((text, index): [string, string, string, string, string, number] => [
      `County ${index}`,
      ...([index < 3 ? "OR" : "NV", "", text, "", index + 1] as const),
    ]);
    const cells = planned(given).rows.map((row) => row.map(({ value }) => value));
    expect(cells.slice(0, 2)).toEqual([
      ["Permit fee ($)", "NV", 3, 3, 0, 2, 80, "", "", 1056],
      ["Permit fee ($)", "OR", 3, 3, 0, 1, "", "See fee schedule", 2 / 3, 1056],
    ]);
    const [pane] = summed(wideTable(given));
    expect(pane?.byState.rows.map(({ median, commonest }) => (median ?? commonest)?.text)).toEqual([
      ...["$80", "See fee schedule"],
    ]);
  });

  it("keeps texts as texts, whatever they look like", () => {
    const texts = planned([["Kern County", "CA", "06029", "=1+1", "4-12-7", 12]]).rows.map((row) => row[7]);
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
    const [fee] = planSummarySheet(summed(table)).rows;
    expect(fee?.slice(2, 7).map(({ value }) => value)).toEqual([3, 3, 0, 2, 250]);
  });

  it("names the unit that only the column's header says", () => {
    const table = wideTable();
    table.columns.get("Permit fee")!.numberFormats.fill("#,##0");
    const [name, , , , , , median] = planSummarySheet(summed(table)).rows[1] ?? [];
    expect(name).toEqual({ value: "Permit fee ($)", numberFormat: "@" });
    expect(median).toEqual({ value: 305, numberFormat: "#,##0" });
  });

  it("tells the states of a table without a column for them by the directory, or by geoIDs", () => {
    const known = (id: number) => (id === 14 ? { name: "", state_code: "NV", geoid: null } : undefined);
    const statesOf = (without: string[]) =>
      summed(wideTable(rows, without), known)[0]?.byState.rows.map((row) => [row.state, row.jurisdictions]);
    expect(statesOf(["State"])).toEqual([
      ["AL", 1],
      ["CA", 3],
      ["NV", 1],
    ]);
    expect(statesOf(["State", "geoID"])).toEqual([
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
