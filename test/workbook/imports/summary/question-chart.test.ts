import { describe, expect, it } from "vitest";
import { chartOfQuestion, type ChartSubject } from "../../../../src/workbook/imports/summary/question-chart";
import { answersOf, code, fee, wideTable } from "./played-summary";

const chartOf = (question: typeof fee, subject: ChartSubject, ...given: Parameters<typeof wideTable>) =>
  chartOfQuestion(question, answersOf(wideTable(...given)).answersTo(question), subject);

describe("the chart of a question", () => {
  it("with amounts has the bins of the histogram that the pane shows", () => {
    const amounts = [80, 120, 130, 150, 210, 260].map((amount) => `$${amount}`);
    const chart = chartOf(
      fee,
      "answers",
      amounts.map((text, index) => ["A", "CA", "06001", text, "", index + 1]),
    );
    expect(chart).toEqual({
      ...{ title: "Permit fee", kind: "columns", headers: ["Answer", "Jurisdictions"] },
      rows: [
        { label: "$50 to $99", value: 1 },
        { label: "$100 to $149", value: 2 },
        { label: "$150 to $199", value: 1 },
        { label: "$200 to $249", value: 1 },
        { label: "$250 to $299", value: 1 },
      ],
      numberFormat: "0",
    });
  });

  it("of jurisdictions has a bar for each of up to 40 amounts, the largest first", () => {
    expect(chartOf(fee, "jurisdictions")).toEqual({
      ...{ title: "Permit fee by jurisdiction", kind: "bars", headers: ["Jurisdiction", "Amount ($)"] },
      leftOut: "of 5 jurisdictions, 1 not one amount in this unit, 1 no value",
      rows: [
        { label: "Alameda County, CA", value: 410 },
        { label: "Kern County, CA", value: 200 },
        { label: "Clark County, NV", value: 80 },
      ],
      numberFormat: "#,##0",
    });
    const many = (count: number) =>
      chartOf(
        fee,
        "jurisdictions",
        Array.from({ length: count }, (_, at) => ["A", "CA", "06001", "$5", "", at + 1]),
      );
    expect(many(40)?.rows).toHaveLength(40);
    expect(many(41)).toBeNull();
    expect(chartOf(code, "jurisdictions")).toBeNull();
  });

  it("of states has the median of each", () => {
    expect(chartOf(fee, "states")).toEqual({
      ...{ title: "Permit fee: median by state", kind: "columns" },
      headers: ["State", "Median ($)", "Amounts"],
      leftOut: "of 5 jurisdictions, 1 not one amount in this unit, 1 no value",
      rows: [
        { label: "CA", value: 305, count: 2 },
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
      "states",
      rows.map(([state, text], index) => [`County ${index}`, state, "", text, "", index + 1]),
    );
    // The median of 100, 150 and 300.50 is 150.
    expect(chart?.rows).toEqual([
      { label: "CA", value: 150, count: 3 },
      { label: "NV", value: 80, count: 1 },
    ]);
    expect(chart?.leftOut).toBe(
      "of 8 jurisdictions, 3 not one amount in this unit, 1 in states with mostly other answers",
    );
  });

  it("with texts shows how many jurisdictions have each text, the most common first", () => {
    expect(chartOf(code, "answers")).toEqual({
      ...{ title: "Electrical code: answers", kind: "bars", headers: ["Answer", "Jurisdictions"] },
      leftOut: "of 5 jurisdictions, 1 no value",
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
      "answers",
      answers.map((answer, index) => ["A", "CA", "06001", "", answer, index + 1]),
    );
    expect(chart?.rows).toHaveLength(13);
    expect(chart?.rows.at(-1)).toEqual({ label: "All other answers", value: 8 });
    expect(chart?.rows[0]?.label).toBe(`${"x".repeat(60)}…`);
  });

  it("with days shows how many have each day, and has neither bars nor medians", () => {
    const table = wideTable();
    table.columns.set(fee.name, {
      values: [45_000, 45_000, 45_001, 45_002, ""],
      numberFormats: Array<string>(5).fill("yyyy-mm-dd"),
    });
    const answers = answersOf(table).answersTo(fee);
    expect(chartOfQuestion(fee, answers, "answers")?.rows).toEqual([
      { label: "2023-03-15", value: 2 },
      { label: "2023-03-16", value: 1 },
      { label: "2023-03-17", value: 1 },
    ]);
    expect(chartOfQuestion(fee, answers, "jurisdictions")).toBeNull();
    expect(chartOfQuestion(fee, answers, "states")).toBeNull();
  });

  it("is none if no cell holds anything", () => {
    expect(chartOf(fee, "answers", [["Kern County", "CA", "06029", "", "", 12]])).toBeNull();
  });
});
