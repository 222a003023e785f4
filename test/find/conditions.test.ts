import { describe, expect, it } from "vitest";
import { createAnswerColumn } from "../../src/find/answer-column";
import { type Condition } from "../../src/find/conditions/condition";
import { readOperator } from "../../src/find/conditions/operators";
import { findIn } from "../../src/find/find";
import { Failure } from "../../src/errors";

const nowMs = Date.UTC(2026, 10, 26);

/** The group into which an answer puts its jurisdiction, and the reason if the result is not known. */
function judge(unit: string, text: string | null, operator: string, operand = "", updated?: string) {
  const type = { id: 1, name: "Question", unit_of_measure: unit };
  const { column, set } = createAnswerColumn(type, 1, updated !== undefined);
  set(
    0,
    text === null
      ? { absent: "no-value" }
      : { text, updatedMs: updated === undefined ? NaN : Date.parse(updated) },
  );
  const condition: Condition = { type, operator: readOperator(operator)!, operand };
  const heaps = findIn(1, () => column, { match: "all", conditions: [condition] }, nowMs);
  const [reason] = heaps.reasonsFor(0);
  return reason ? `${heaps.heapOf(0)}: ${reason.reason}` : heaps.heapOf(0);
}

describe("a condition on an amount", () => {
  it.each<[unit: string, text: string, operator: string, operand: string, expected: string]>([
    ["USD", "$250", "at most", "300", "yes"],
    ["megawatts", "5 - 5,500 kW", "at least", "4", "not-known: limit-within-range"],
    ["megawatts", "5 - 5,500 kW", "at most", "5.5", "yes"],
    ["megawatts", "0.005 MW", "between", "5 to 5,500 kW", "yes"],
    ["days", "2 - 3 weeks", "at most", "14", "not-known: limit-within-range"],
    ["USD", "$1 - $2 million", "at most", "900,000", "no"],
    ["USD", "$500,000 - $2 million", "at least", "500,000", "yes"],
    ["kW", "5 mW", "at most", "10", "not-known: other-unit"],
    ["megawatts", "5 mW", "at least", "4", "not-known: other-unit"],
    ["megawatts", "5 Mw", "at least", "4", "yes"],
    ["USD", "$200 - $300", "is", "$200 to $300", "yes"],
    ["USD", "$200 - $300", "is not", "$200 to $300", "no"],
    ["USD", "$200 - $301", "is", "$200 to $300", "no"],
    ["USD", "See fee schedule", "is", "$200 to $300", "not-known: not-an-amount"],
    ["USD", "$300.00", "at most", "$300", "yes"],
    ["USD", "$301", "at most", "300", "no"],
    ["USD", "$300", "less than", "300", "no"],
    ["USD", "$299.99", "<", "300", "yes"],
    ["USD", "$299.99", "under", "$300", "yes"],
    ["USD", "$45 - $70", "below", "70", "not-known: limit-within-range"],
    ["USD", "$45 - $70", "less than", "45", "no"],
    ["USD", "$300", "more than", "300", "no"],
    ["USD", "$300.01", ">", "300", "yes"],
    ["USD", "$300.01", "over", "300", "yes"],
    ["USD", "$45 - $70", "above", "45", "not-known: limit-within-range"],
    ["USD", "Minimum $75", "more than", "75", "not-known: limit-within-range"],
    ["USD", "Minimum $75", "more than", "74", "yes"],
    ["USD", "Maximum $75", "less than", "76", "yes"],
    ["USD", "See fee schedule", "less than", "300", "not-known: not-an-amount"],
    ["date", "2026-01-31", "before", "2026-01-31", "no"],
    ["date", "2026-01-30", "before", "2026-01-31", "yes"],
    ["date", "2026-01-31", "after", "2026-01-31", "no"],
    ["date", "2026-02-01", "after", "2026-01-31", "yes"],
    ["code edition", "2020 NEC", "less than", "2020 NEC", "no"],
    ["code edition", "2017 NEC", "less than", "2020 NEC", "yes"],
    ["code edition", "2023 NEC", "more than", "2020", "yes"],
    ["code edition", "2020 NEC", "more than", "2020", "no"],
    ["USD", "$45 - $70", "at most", "50", "not-known: limit-within-range"],
    ["USD", "$45 - $70", "at most", "70", "yes"],
    ["USD", "$45 - $70", "at most", "44", "no"],
    ["USD", "$45 - $70", "at least", "45", "yes"],
    ["USD", "See fee schedule", "at most", "300", "not-known: not-an-amount"],
    ["USD", "$0.05 per sq ft", "at most", "300", "not-known: not-an-amount"],
    ["USD", "$200 + $10/kW over 25 kW (max $950)", "at least", "200", "not-known: not-an-amount"],
    ["USD", "$100 building; $75 electrical", "at most", "300", "not-known: not-an-amount"],
    ["USD", "Minimum $75", "at least", "50", "yes"],
    ["USD", "Minimum $75", "at most", "50", "no"],
    ["USD", "Minimum $75", "at most", "100", "not-known: limit-within-range"],
    ["USD", "$ 1.2 million", "at least", "1,200,000", "yes"],
    ["USD", "$ 1.2 million", "at least", "1200001", "no"],
    ["USD", "($50.00)", "at most", "300", "not-known: not-an-amount"],
    ["USD", "$1.000,00", "at most", "300", "not-known: not-an-amount"],
    ["days", "Same day", "at most", "7", "yes"],
    ["days", "Instant (automated)", "at most", "7", "yes"],
    ["days", "~15", "at most", "30", "not-known: not-an-amount"],
    ["days", "10 - 15 days", "between", "5 to 20", "yes"],
    ["days", "10 - 15 days", "between", "12 to 20", "not-known: limit-within-range"],
    ["days", "5 working days", "at most", "7", "not-known: other-unit"],
    ["days", "2 months", "at most", "7", "not-known: other-unit"],
    ["days", "3 weeks", "at most", "21", "yes"],
    ["days", "1,00 days", "at most", "7", "not-known: not-an-amount"],
    ["USD", "$0.25/kWh", "at most", "300", "not-known: other-unit"],
    ["kWh", "$40", "at least", "30", "not-known: other-unit"],
    ["kWh", "40 kWh per unit", "at least", "30", "not-known: not-an-amount"],
    ["days", "180 days (one 180-day extension allowed)", "at least", "30", "not-known: not-an-amount"],
    ["feet", `3'-6"`, "at most", "3.5", "yes"],
    ["feet", "10 feet side, 20 feet rear", "at most", "30", "not-known: not-an-amount"],
    ["kW", "2 MW", "at least", "2000", "yes"],
    ["kW", "7.6 kW DC", "at least", "5", "not-known: other-unit"],
    ["percent", "33", "at least", "33%", "yes"],
    ["USD", "$350", "is", "350", "yes"],
    ["USD", "$350", "is not", "350", "no"],
    ["USD", "$300 - $400", "is", "350", "not-known: limit-within-range"],
    ["USD", "$300 - $400", "is", "$300  - $400", "yes"],
    ["USD", "Varies", "is", "varies", "yes"],
    ["USD", "$350", "is", "Varies", "no"],
    ["date", "2026-07-01", "on or before", "July 1, 2026", "yes"],
    ["date", "July 2026", "on or before", "2026-07-15", "not-known: limit-within-range"],
    ["date", "7/1/26", "on or before", "2026-07-15", "not-known: not-a-date"],
  ])("%s: %j %s %j is %s", (unit, text, operator, operand, expected) => {
    expect(judge(unit, text, operator, operand)).toBe(expected);
  });
});

describe("a condition on yes and no, words or editions", () => {
  it.each<[unit: string, text: string | null, operator: string, operand: string, expected: string]>([
    ["boolean", "Required", "is yes", "", "yes"],
    ["boolean", "Not required", "is yes", "", "no"],
    ["boolean", "N", "is no", "", "yes"],
    ["boolean", "Yes with conditions: systems over 10 kW only", "is yes", "", "not-known: not-yes-or-no"],
    ["boolean", "N/A", "is no", "", "not-known: not-yes-or-no"],
    ["boolean", null, "is no", "", "not-known: no-value"],
    ["boolean", null, "has no value", "", "yes"],
    ["boolean", "Yes", "has no value", "", "no"],
    ["boolean", null, "has a value", "", "no"],
    ["text", "Online  Portal", "is", "online portal", "yes"],
    ["text", "Online portal", "contains", "PORTAL", "yes"],
    ["text", "By mail", "contains", "portal", "no"],
    ["text", null, "contains", "portal", "not-known: no-value"],
    ["code edition", "2023 NEC", "is", "NFPA 70, 2023 edition", "yes"],
    ["code edition", "NFPA 70, 2017 edition", "at most", "2017", "yes"],
    ["code edition", "NEC 2020", "at most", "2017 NEC", "no"],
    [
      "code edition",
      "2021 IBC with state amendments",
      "at least",
      "2018 IBC",
      "not-known: not-a-code-edition",
    ],
    ["code edition", "None adopted", "at least", "2018", "not-known: not-a-code-edition"],
    ["code edition", "2021 Uniform Mechanical Code", "at least", "2018 IMC", "not-known: other-code"],
    ["code edition", "2021 Uniform Mechanical Code", "is", "2021 IMC", "no"],
    ["code edition", "2021", "at least", "2018 IBC", "not-known: not-a-code-edition"],
    ["code edition", "ASHRAE 90.1-2019", "at least", "2016", "yes"],
    ["code edition", "NFPA 1 (2021)", "is", "2021 NFPA 1", "yes"],
  ])("%s: %j %s %j is %s", (unit, text, operator, operand, expected) => {
    expect(judge(unit, text, operator, operand)).toBe(expected);
  });
});

describe("a condition on the date of the last change", () => {
  it.each<[updated: string, operator: string, operand: string, expected: string]>([
    ["2026-01-31T00:00:00Z", "was updated before", "2026-01-31", "no"],
    ["2026-01-30T23:59:59Z", "was updated before", "2026-01-31", "yes"],
    ["2026-01-31T23:59:59Z", "was updated after", "2026-01-31", "no"],
    ["2026-02-01T00:00:00Z", "was updated after", "2026-01-31", "yes"],
    ["2025-11-25T00:00:00Z", "is older than", "12 months", "yes"],
    ["2025-11-26T00:00:00Z", "is older than", "1 year", "no"],
    ["2026-01-30T23:59:59Z", "is older than", "2026-01-31", "yes"],
    ["2026-01-31T00:00:00Z", "is older than", "2026-01-31", "no"],
    ["", "is older than", "1 year", "not-known: no-update-date"],
  ])("%j %s %j is %s", (updated, operator, operand, expected) => {
    expect(judge("USD", "$1", operator, operand, updated)).toBe(expected);
  });
});

it.each<[unit: string, operator: string, operand: string]>([
  ["USD", "at most", "cheap"],
  ["USD", "at most", "$45 - $70"],
  ["USD", "between", "300"],
  ["text", "at least", "3"],
  ["USD", "is yes", ""],
  ["code edition", "at least", "the new one"],
  ["text", "contains", "  "],
  ["text", "was updated before", "soon"],
  ["text", "is older than", "a while"],
])("the condition %s %s %j is refused, as it can't be used", (unit, operator, operand) => {
  expect(() => judge(unit, "$1", operator, operand, "2026-01-01T00:00:00Z")).toThrow(Failure);
});

it.each<[unit: string, operator: string, operand: string, sentence: string]>([
  ["USD", "at most", "cheap", "“cheap” can't be used with “at most”: write an amount in $, such as $30."],
  [
    "days",
    "at most",
    "5 business days",
    "“5 business days” can't be used with “at most”: write an amount in days or weeks, such as 30 days.",
  ],
  [
    "kWh",
    "at least",
    "much",
    "“much” can't be used with “at least”: write an amount in kWh, such as 30 kWh.",
  ],
  [
    "percent",
    "at least",
    "half",
    "“half” can't be used with “at least”: write an amount in percent, such as 30%.",
  ],
  ["count", "between", "few", "“few” can't be used with “between”: write amounts, such as 20 to 30."],
  [
    "days",
    "between",
    "few",
    "“few” can't be used with “between”: write amounts in days or weeks, such as 20 days to 30 days.",
  ],
  [
    "date",
    "on or before",
    "soon",
    "“soon” can't be used with “on or before”: write a day, such as 2026-01-31.",
  ],
])(
  "the refusal of the condition %s %s %j says how a value is written, with an example in the question's unit",
  (unit, operator, operand, sentence) => {
    expect(() => judge(unit, "1", operator, operand)).toThrow(
      expect.objectContaining({ detail: sentence }) as Error,
    );
  },
);

it.each([
  ["USD", "$30"],
  ["USD per kW", "$30 per kW"],
  ["days", "30 days"],
  ["kWh", "30 kWh"],
  ["percent", "30%"],
  ["count", "30"],
  ["feet", "30 feet"],
])("the example of a value, %s, is itself taken: %s", (unit, example) => {
  expect(judge(unit, example, "between", `${example.replace("30", "20")} to ${example}`)).toBe("yes");
});
