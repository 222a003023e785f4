import { describe, expect, it } from "vitest";
import { chartOfQuestion } from "../../../../src/workbook/imports/summary/question-chart";
import { answersOf, code, fee, wideTable } from "./played-summary";

const chartOf = (question: typeof fee, ...given: Parameters<typeof wideTable>) =>
  chartOfQuestion(question, answersOf(wideTable(...given)).answersTo(question));

describe("the chart of a question", () => {
  it("with amounts in several states has the median of each", () => {
    expect(chartOf(fee)).toEqual({
      ...{ title: "Permit fee: median by state", kind: "columns" },
      headers: ["State", "Median ($)", "Amounts"],
      rows: [
        { label: "CA", value: 200, count: 2 },
        { label: "NV", value: 80, count: 1 },
      ],
      numberFormat: "#,##0",
    });
  });

  it("has no column for a state whose answers are mostly texts, and one for all amounts of a unit", () => {
    const rows = [
      ...["$200", "See fee schedule", "See fee schedule"].map((text) => ["OR", text] as const),
      ...["$100", "$300.50", "150 USD", "varies"].map((text) => ["CA", text] as const),
      ...["$80"].map((text) => ["NV", text] as const),
    ];
    const chart = chartOf(
      fee,
      rows.map(([state, text], index) => [`County ${index}`, state, "", text, "", index + 1]),
    );
    // The median of 100, 150 and 300.50 is 150.
    expect(chart?.rows).toEqual([
      { label: "CA", value: 150, count: 3 },
      { label: "NV", value: 80, count: 1 },
    ]);
  });

  it("with texts shows how many jurisdictions have each text, the most common first", () => {
    expect(chartOf(code)).toEqual({
      ...{ title: "Electrical code: answers", kind: "bars", headers: ["Answer", "Jurisdictions"] },
      rows: [
        { label: "NEC 2020", value: 3 },
        { label: "NEC 2017", value: 1 },
      ],
      numberFormat: "0",
    });
  });

  it("with many answers says how many have other ones, and cuts long texts with a mark", () => {
    const answers = Array.from({ length: 20 }, (_, index) => `${index}`.padStart(70, "x"));
    const chart = chartOf(
      code,
      answers.map((answer, index) => ["A", "CA", "06001", "", answer, index + 1]),
    );
    expect(chart?.rows).toHaveLength(13);
    expect(chart?.rows.at(-1)).toEqual({ label: "All other answers", value: 8 });
    expect(chart?.rows[0]?.label).toBe(`${"x".repeat(60)}…`);
  });

  it("with days shows how many have each day", () => {
    const table = wideTable();
    table.columns.set(fee.name, {
      values: [45_000, 45_000, 45_001, 45_002, ""],
      numberFormats: Array<string>(5).fill("yyyy-mm-dd"),
    });
    expect(chartOfQuestion(fee, answersOf(table).answersTo(fee))?.rows).toEqual([
      { label: "2023-03-15", value: 2 },
      { label: "2023-03-16", value: 1 },
      { label: "2023-03-17", value: 1 },
    ]);
  });

  it("is none if no cell holds anything", () => {
    expect(chartOf(fee, [["Kern County", "CA", "06029", "", "", 12]])).toBeNull();
  });
});
