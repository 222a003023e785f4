import { describe, expect, it } from "vitest";
import { questionPicture } from "../../src/pictures/question-picture";
import { answer, answers, fee } from "./pictured";

describe("the picture of a question", () => {
  it("has the mean of two middle amounts as median, as Excel's MEDIAN has", () => {
    const { amounts } = questionPicture(fee, answers([400, 100, 300, 200]));
    expect([amounts?.smallest.text, amounts?.median.text, amounts?.largest.text]).toEqual([
      "$100",
      "$250",
      "$400",
    ]);
  });

  it.each([
    ["USD", '"$"#,##0', [250, 275], "$262.50"],
    ["USD", '"$"#,##0.00', [0.1, 0.2], "$0.15"],
    ["USD", '"$"#,##0.00', [79.75, 125], "$102.38"],
    ["days", "0", [1, 2], "1.5 days"],
    ["days", '0" working days"', [1, 2], "1.5 working days"],
    ["percent", "0%", [0.05, 0.06], "5.5%"],
    ["date", "yyyy-mm-dd", [45_000, 45_001], "2023-03-15"],
    ["feet", "0", [4, 4, 5, 9], "4.5 feet"],
  ])("shows a median in %s with the decimal places it needs", (unit, numberFormat, given, text) => {
    const question = { ...fee, unit_of_measure: unit };
    expect(questionPicture(question, answers(given, numberFormat)).amounts?.median.text).toBe(text);
  });

  it("has bars for six kinds and counts the rest", () => {
    const { kinds, amounts } = questionPicture(
      fee,
      answers(["a", "b", "b", "c", "d", "e", "f", "g", "h", "h"]),
    );
    expect(amounts).toBeNull();
    expect(kinds.bars).toEqual([
      { text: "b", count: 2, share: 0.2 },
      { text: "h", count: 2, share: 0.2 },
      { text: "a", count: 1, share: 0.1 },
      { text: "c", count: 1, share: 0.1 },
      { text: "d", count: 1, share: 0.1 },
      { text: "e", count: 1, share: 0.1 },
    ]);
    expect(kinds.others).toEqual({ values: 2, kinds: 2 });
  });

  it("tells answers without a value from unknown ones", () => {
    const all = [answer(5), answer("no value", { id: 2 }), answer("not known", { id: 3 })];
    expect(questionPicture(fee, all).counts).toEqual({ value: 1, none: 1, unknown: 1, edited: 0 });
  });

  it("says the unit if the cells do not, except for a count", () => {
    const textOf = (unit: string) =>
      questionPicture({ ...fee, unit_of_measure: unit }, answers([12], "0")).amounts?.median.text;
    expect([textOf("USD"), textOf("days"), textOf("Count")]).toEqual(["$12", "12 days", "12"]);
  });
});
