import { describe, expect, it } from "vitest";
import { sortAnswers, unitOfFormat } from "../../src/pictures/pictured-answers";
import { questionPicture } from "../../src/pictures/question-picture";
import { importCell } from "../../src/workbook/sheet/values/cell-value";
import { createValueColumn } from "../../src/workbook/sheet/values/value-column";
import { answer } from "./pictured";

/** Answers as a find has them: each text has a format of its own. */
const found = (texts: readonly string[], unit: string) =>
  texts.map((text, index) => answer(importCell(text, unit), { id: index + 1 }));

/** Answers as the table of a find has them: with their column's common format, if there is one. */
function inColumn(texts: readonly string[], unit: string) {
  const column = createValueColumn(unit);
  const cells = texts.map((text) => column.cell(text));
  column.settle();
  return cells.map(({ value, numberFormat }, index) => answer({ value, numberFormat }, { id: index + 1 }));
}

const sorted = (texts: readonly string[], unit: string) => {
  const { amounts, texts: others } = sortAnswers({ unit_of_measure: unit }, found(texts, unit));
  return { amounts: amounts.map(({ text }) => text), texts: others.map(({ text }) => text) };
};

describe("the amounts among answers", () => {
  it.each([
    ["days", ["26 days", "1 day", "12", "3 Days"], ["1 day", "3 days", "12 days", "26 days"]],
    ["kWh", ["20 kWh", "13.5", "7.5kwh"], ["7.5 kWh", "13.5 kWh", "20.0 kWh"]],
    ["feet", ["5 ft", "1 foot", "10 feet", "3"], ["1 foot", "3 feet", "5 feet", "10 feet"]],
    ["USD", ["$300.00", "0", "150 USD"], ["$0.00", "$150.00", "$300.00"]],
    ["USD per kWh", ["0.15/kWh", "$0.2"], ["$0.15 per kWh", "$0.20 per kWh"]],
    ["business days", ["10 business days", "3"], ["3 business days", "10 business days"]],
    ["percent", ["7.5%", "5"], ["5.0%", "7.5%"]],
    ["count", ["2 count", "1,200"], ["2", "1,200"]],
    // A wait of no days, as a find reads it.
    ["days", ["3", "Same day", "Instant (automated)"], ["0 days", "0 days", "3 days"]],
  ])("in %s are of one unit, whether a text names it or not, and look alike", (unit, texts, shown) => {
    expect(sorted(texts, unit)).toEqual({ amounts: shown, texts: [] });
  });

  it.each([
    ["days", ["10", "5 working days", "4 days"], ["4 days", "10 days"], ["5 working days"]],
    ["days", ["10", "5 business days", "4 days"], ["4 days", "10 days"], ["5 business days"]],
    ["kW", ["10", "5 kW DC", "4 kW"], ["4 kW", "10 kW"], ["5 kW DC"]],
  ])("in %s leave out an answer that names another unit", (unit, texts, amounts, others) => {
    expect(sorted(texts, unit)).toEqual({ amounts, texts: others });
  });

  it("of another unit than the question's are compared if they are the majority, of one unit or more", () => {
    expect(sorted(["5 working days", "1 working day", "10"], "days")).toEqual({
      amounts: ["1 working day", "5 working days"],
      texts: ["10 days"],
    });
  });

  it.each([
    ["days", ["26 days", "1 day", "12", "5 working days", "See chapter 4", "26"]],
    ["days", ["26 days", "1 day", "12", "26"]],
    ["USD", ["$0", "$300.00", "$150", "See fee schedule"]],
    ["kWh", ["20 kWh", "13.5", "40 kWh per unit"]],
  ])("in %s are the same in a find as in its table", (unit, texts) => {
    const question = { id: 1, name: "Question", unit_of_measure: unit };
    const drawn = questionPicture(question, found(texts, unit));
    expect(drawn).toEqual(questionPicture(question, inColumn(texts, unit)));
  });

  it("have no place for a row of another unit", () => {
    const question = { unit_of_measure: "days" };
    const { numberFormat } = sortAnswers(question, found(["26 days", "1 day", "12"], "days"));
    const { isAmount } = unitOfFormat(question, numberFormat);
    const among = (text: string) => isAmount(importCell(text, "days"));
    expect(["1 day", "7", "7 working days", "soon"].map(among)).toEqual([true, true, false, false]);
  });
});
