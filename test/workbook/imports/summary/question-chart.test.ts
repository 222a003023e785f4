import { describe, expect, it } from "vitest";
import { summarizeByState } from "../../../../src/workbook/imports/summary/state-summary";
import { chartOfQuestion } from "../../../../src/workbook/imports/summary/question-chart";
import { finished } from "../finished";
import { code, fee, wideImport, wideTable } from "./played-summary";

const chartOf = (typeId: number, ...given: Parameters<typeof wideTable>) => {
  const states = finished(summarizeByState(wideImport(), wideTable(...given), () => undefined));
  return chartOfQuestion(states.filter(({ type }) => type.id === typeId));
};

describe("the chart of a question", () => {
  it("with amounts in several states has the median of each", () => {
    expect(chartOf(fee.id)).toEqual({
      ...{ title: "Permit fee: median by state", kind: "columns", headers: ["State", "Median"] },
      rows: [
        { label: "CA", value: 200 },
        { label: "NV", value: 80 },
      ],
      numberFormat: '"$"#,##0',
    });
  });

  it("with texts has how many cells hold each, the commonest first", () => {
    expect(chartOf(code.id)).toEqual({
      ...{ title: "Electrical code: answers", kind: "bars", headers: ["Answer", "Cells"] },
      rows: [
        { label: "NEC 2020", value: 3 },
        { label: "NEC 2017", value: 1 },
      ],
      numberFormat: "0",
    });
  });

  it("with many answers says how many cells hold others, and cuts long ones with a mark", () => {
    const answers = Array.from({ length: 20 }, (_, index) => `${index}`.padStart(70, "x"));
    const chart = chartOf(
      code.id,
      answers.map((answer, index) => ["A", "CA", "06001", "", answer, index + 1]),
    );
    expect(chart?.rows).toHaveLength(13);
    expect(chart?.rows.at(-1)).toEqual({ label: "All other answers", value: 8 });
    expect(chart?.rows[0]?.label).toBe(`${"x".repeat(60)}…`);
  });

  it("with days has how many cells hold each", () => {
    const table = wideTable();
    table.columns.set(fee.name, {
      values: [45_000, 45_000, 45_001, 45_002, ""],
      numberFormats: Array<string>(5).fill("yyyy-mm-dd"),
    });
    const states = finished(summarizeByState(wideImport(), table, () => undefined));
    expect(chartOfQuestion(states.filter(({ type }) => type.id === fee.id))?.rows).toEqual([
      { label: "2023-03-15", value: 2 },
      { label: "2023-03-16", value: 1 },
      { label: "2023-03-17", value: 1 },
    ]);
  });

  it("is none where no cell holds anything", () => {
    expect(chartOf(fee.id, [["Kern County", "CA", "06029", "", "", 12]])).toBeNull();
  });
});
