import { describe, expect, it } from "vitest";
import { questionPicture } from "../../src/pictures/question-picture";
import { answer, answers, fee } from "./pictured";

describe("the picture of a question", () => {
  it("has the lower of two middle amounts as median, which is an answer", () => {
    const { amounts } = questionPicture(fee, answers([400, 100, 300, 200]));
    expect([amounts?.smallest.text, amounts?.median.text, amounts?.largest.text]).toEqual([
      "$100",
      "$200",
      "$400",
    ]);
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
    expect(questionPicture(fee, all).counts).toEqual({ value: 1, none: 1, unknown: 1 });
  });

  it("says the unit if the cells do not, except for a count", () => {
    const textOf = (unit: string) =>
      questionPicture({ ...fee, unit_of_measure: unit }, answers([12], "0")).amounts?.median.text;
    expect([textOf("USD"), textOf("days"), textOf("Count")]).toEqual(["$12", "12 days", "12"]);
  });
});
