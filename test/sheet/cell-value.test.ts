import { describe, expect, it } from "vitest";
import { formulaValue, importCell, textCell } from "../../src/sheet/cell-value";
import { publishedValues } from "./published-values";

describe("a published value in a formula", () => {
  it.each(publishedValues)("$unit: $raw", ({ unit, raw, formulaCell }) => {
    expect(formulaValue(raw, unit)).toBe(formulaCell);
  });
});

describe("a published value in an import", () => {
  it.each(publishedValues)("$unit: $raw", ({ unit, raw, importedCell, numberFormat }) => {
    expect(importCell(raw, unit)).toEqual({ value: importedCell, numberFormat });
  });

  it.each([
    ["$12.50", "USD", 12.5, '"$"#,##0.00'],
    ["$10/kW", "USD per kW", 10, '"$"#,##0"/kW"'],
    ["$10 per kW", "USD per kW", 10, '"$"#,##0 "per kW"'],
    ["5,000 sq ft", "square feet", 5000, '#,##0 "sq ft"'],
    ["5.6%", "percent", 0.056, "0.0%"],
    ["10.50", "feet", 10.5, "0.00"],
    ["7.6kW", "kW", 7.6, '0.0"kW"'],
  ])("%s in %s keeps its look", (raw, unit, value, numberFormat) => {
    expect(importCell(raw, unit)).toEqual({ value, numberFormat });
  });
});

describe("what is not certain stays text", () => {
  it.each([
    ["007", "count"],
    ["-5", "feet"],
    ["1,00", "USD"],
    ["12,34,567", "USD"],
    ["10 days", "months"],
    ["$10", "feet"],
    ["$10/kWh", "USD per kW"],
    ["1234567890123456", "count"],
    ["1", "boolean"],
    ["Required.", "boolean"],
    ["DC", "kW"],
    ["5 working days of receipt", "days"],
    ["42", "parsecs"],
    ["42", "constructor"],
  ])("%s in %s", (raw, unit) => {
    expect(formulaValue(raw, unit)).toBe(raw);
    expect(importCell(raw, unit)).toEqual({ value: raw, numberFormat: "@" });
  });

  it("cuts at what a cell holds, with a mark", () => {
    const { value } = textCell("x".repeat(40_000));
    expect(value).toHaveLength(32_767);
    expect(value).toMatch(/… \[cut\]$/);
  });

  it("keeps a leading apostrophe that Excel would swallow", () => {
    expect(textCell("'tis")).toEqual({ value: "''tis", numberFormat: "@" });
  });
});
