import { describe, expect, it } from "vitest";
import {
  formattedValue,
  formulaValue,
  importCell,
  textCell,
} from "../../../../src/workbook/sheet/values/cell-value";
import { publishedValues } from "./published-values";
import { unitSpellings } from "./unit-spellings";

describe("a published value in a formula", () => {
  it.each(publishedValues)("$unit: $raw", ({ unit, raw, formulaCell }) => {
    expect(formulaValue(raw, unit)).toBe(formulaCell);
  });
});

describe("a published value in a formula that may send a number format", () => {
  it.each(publishedValues)("$unit: $raw", ({ unit, raw, formulaCell, numberFormat }) => {
    expect(formattedValue(raw, unit)).toEqual(
      typeof formulaCell === "number" ? { value: formulaCell, numberFormat } : null,
    );
  });
});

it.each([
  ["5 Mb", "megabytes"],
  ["5 mB", "megabytes"],
  ["5 mW", "megawatts"],
])("“%s” is no amount of %s: a prefix of another case means another unit", (text, unit) => {
  expect(formulaValue(text, unit)).toBe(text);
  expect(importCell(text, unit).value).toBe(text);
});

it.each([
  ["5 MB", "megabytes"],
  ["5 MW", "mw"],
  ["5 mw", "megawatts"],
  ["5 Megawatts", "MW"],
])("“%s” is an amount of %s", (text, unit) => {
  expect(formulaValue(text, unit)).toBe(5);
});

describe("a published value in an import", () => {
  it.each(publishedValues)("$unit: $raw", ({ unit, raw, importedCell, numberFormat }) => {
    const link = unit === "url" ? { link: raw } : {};
    expect(importCell(raw, unit)).toEqual({ value: importedCell, numberFormat, ...link });
  });
});

describe("an amount in the type's own unit is a number that keeps its look", () => {
  it.each([
    ["$12.50", "USD", 12.5, '"$"#,##0.00'],
    ["$1,234.5", "USD", 1234.5, '"$"#,##0.0'],
    ["$1234", "USD", 1234, '"$"#,##0'],
    ["$ 350", "USD", 350, '"$"#,##0'],
    ["USD350", "USD", 350, '"$"#,##0'],
    ["usd 350", "usd", 350, '"$"#,##0'],
    ["350 USD", "USD", 350, '"$"#,##0 "USD"'],
    ["$10 USD", "$", 10, '"$"#,##0 "USD"'],
    ["$1,000,000", "USD", 1_000_000, '"$"#,##0'],
    ["\u00a0$350\n", "USD", 350, '"$"#,##0'],
    ["$10/kW", "USD per kW", 10, '"$"#,##0"/kW"'],
    ["$5.00 / kW", "USD per kW", 5, '"$"#,##0.00 "/ kW"'],
    ["$10 per kW", "USD per kW", 10, '"$"#,##0 "per kW"'],
    ["0.105", "USD per kWh", 0.105, '"$"#,##0.000'],
    ["$0.25/W", "USD per watt", 0.25, '"$"#,##0.00"/W"'],
    ["$15.00 per month", "USD per month", 15, '"$"#,##0.00 "per month"'],
    ["33", "percent", 0.33, "0%"],
    ["33 percent", "percent", 0.33, "0%"],
    ["10 %", "percent", 0.1, "0%"],
    ["0.5 %", "percent", 0.005, "0.0%"],
    ["5.60%", "percent", 0.056, "0.00%"],
    ["1.005%", "percent", 0.01005, "0.000%"],
    ["150%", "percent", 1.5, "0%"],
    ["0", "count", 0, "General"],
    ["10.5", "feet", 10.5, "General"],
    ["1.005", "feet", 1.005, "General"],
    ["0.123456", "acres", 0.123456, "General"],
    ["10.50", "feet", 10.5, "0.00"],
    ["12345.6789", "feet", 12345.6789, "0.0000"],
    ["123456789012345", "count", 123456789012345, "0"],
    ["5,000", "square feet", 5000, "#,##0"],
    ["5,000 sq ft", "square feet", 5000, '#,##0 "sq ft"'],
    ["7.6kW", "kW", 7.6, '0.0"kW"'],
    ["1 Day", "days", 1, '0 "Day"'],
    ["3\u00a0feet", "feet", 3, '0 "feet"'],
    ["6'", "feet", 6, '0"\'"'],
    ["6’", "ft", 6, '0"’"'],
    ["36”", "inches", 36, '0"”"'],
    ['36 "', "inches", 36, '0 \\"'],
    ["240 V", "volts", 240, '0 "V"'],
    ["65 dBA", "dBA", 65, '0 "dBA"'],
    ["3 ac.", "Acres", 3, '0 "ac."'],
    ["10 business days", "business days", 10, '0 "business days"'],
  ])("%j in %s", (raw, unit, value, numberFormat) => {
    expect(formulaValue(raw, unit)).toBe(value);
    expect(formattedValue(raw, unit)).toEqual({ value, numberFormat });
    expect(importCell(raw, unit)).toEqual({ value, numberFormat });
  });

  it.each(unitSpellings.flatMap(({ unit, spellings }) => spellings.map((spelling) => ({ unit, spelling }))))(
    "$unit may be written $spelling",
    ({ unit, spelling }) => {
      expect(typeof formulaValue(`7 ${spelling}`, unit)).toBe("number");
      expect(typeof formulaValue(`7${spelling.toUpperCase()}`, ` ${unit.toUpperCase()} `)).toBe("number");
    },
  );
});

describe("a qualified amount is text in a formula and keeps its qualifier in an import", () => {
  it.each([
    ["10 business days", "days", 10, '0 "business days"'],
    ["1 Working Day", "days", 1, '0 "Working Day"'],
    ["12 calendar months", "months", 12, '0 "calendar months"'],
    ["7,500.25 kW AC", "kW", 7500.25, '#,##0.00 "kW AC"'],
    ["2 MW dc", "megawatts", 2, '0 "MW dc"'],
    ["$10/kW DC", "USD per kW", 10, '"$"#,##0"/kW DC"'],
    ['36" DC', "inches", 36, '0\\" "DC"'],
  ])("%s in %s", (raw, unit, value, numberFormat) => {
    expect(formulaValue(raw, unit)).toBe(raw);
    expect(formattedValue(raw, unit)).toBeNull();
    expect(importCell(raw, unit)).toEqual({ value, numberFormat });
  });
});

describe("a date that can be read in one way only", () => {
  it.each([
    ["2026-07-01", 46204, "yyyy-mm-dd"],
    ["July 1, 2026", 46204, "mmmm d, yyyy"],
    ["Jul 1, 2026", 46204, "mmm d, yyyy"],
    ["Jul. 1, 2026", 46204, 'mmm"." d, yyyy'],
    ["1 July 2026", 46204, "d mmmm yyyy"],
    ["1 Jul 2026", 46204, "d mmm yyyy"],
    [" July\u00a01, 2026 ", 46204, "mmmm d, yyyy"],
    ["May 31, 2026", 46173, "mmmm d, yyyy"],
    ["1901-01-01", 367, "yyyy-mm-dd"],
    ["29 February 2028", 46812, "d mmmm yyyy"],
    ["December 31, 9999", 2_958_465, "mmmm d, yyyy"],
  ])("%j", (raw, value, numberFormat) => {
    expect(importCell(raw, "date")).toEqual({ value, numberFormat });
    expect(formattedValue(raw, " Date")).toEqual({ value, numberFormat });
    expect(formulaValue(raw, "date")).toBe(raw);
    expect(importCell(raw, "text")).toEqual({ value: raw, numberFormat: "@" });
  });
});

describe("words for yes and no", () => {
  it.each([
    ["yes", true],
    ["Y", true],
    ["REQUIRED", true],
    ["True", true],
    [" No ", false],
    ["n", false],
    ["NOT REQUIRED", false],
    ["Not\u00a0required", false],
    ["false", false],
  ])("%j", (raw, value) => {
    expect(formulaValue(raw, "Boolean")).toBe(value);
    expect(importCell(raw, "Boolean")).toEqual({ value, numberFormat: "General" });
    expect(formattedValue(raw, "Boolean")).toBeNull();
    expect(formulaValue(raw, "text")).toBe(raw);
  });
});

describe("an uncertain value stays text", () => {
  it.each([
    // Signs, zeros, separators and digits that may mean something else.
    ["007", "count"],
    ["00", "count"],
    ["-5", "feet"],
    ["−5", "feet"],
    ["+5", "feet"],
    ["5-", "feet"],
    ["5+", "count"],
    ["1.", "feet"],
    [".5", "feet"],
    ["1,00", "USD"],
    ["1 000", "USD"],
    ["1'000", "USD"],
    ["12,34,567", "USD"],
    ["1234,567", "USD"],
    ["0,123", "feet"],
    ["1.234.567", "feet"],
    ["1e3", "count"],
    ["0x10", "count"],
    ["Infinity", "count"],
    ["NaN", "count"],
    ["１０", "count"],
    ["½", "feet"],
    ["1½", "feet"],
    ["1/2", "feet"],
    ["1 1/2", "feet"],
    ["1.2.3", "count"],
    ["#5", "count"],
    ["1234567890123456", "count"],
    ["1234567890.123456", "count"],
    ["0.1234567", "count"],
    // Other units and scales.
    ["$10", "feet"],
    ["$10", "percent"],
    ["10%", "USD"],
    ["€10", "USD"],
    ["10 CAD", "USD"],
    ["$1.5M", "USD"],
    ["$5k", "USD"],
    ["$10/kWh", "USD per kW"],
    ["$10/kW", "USD"],
    ["$10/kW-month", "USD per kW"],
    ["10 days", "months"],
    ["10 days", "business days"],
    ["10 working days", "business days"],
    ["5 weeks", "days"],
    ["24 hours", "days"],
    ["5 kWh", "kW"],
    ["5 W", "kW"],
    ["42", "parsecs"],
    ["42", "constructor"],
    ["42", ""],
    ["42", "text"],
    // Notes, bounds, several amounts.
    ["5 days max", "days"],
    ["5 days*", "days"],
    ["5 days.", "days"],
    ["5*", "days"],
    ["<5", "days"],
    ["≤ 5", "days"],
    ["5 or more", "count"],
    ["10 (20)", "count"],
    ["2 (two)", "count"],
    ["two", "count"],
    ["3 inspections", "count"],
    ["240/120 V", "volts"],
    ["240 VAC", "volts"],
    ["10 kWdc", "kW"],
    ["33% DC", "percent"],
    ["33 percent AC", "percent"],
    ["5 ac", "USD"],
    ["5 DC", "kW"],
    ["DC", "kW"],
    ["5 working", "days"],
    ["5  AC", "kW"],
    ["6' 6\"", "feet"],
    ["6''", "inches"],
    ["10\n20", "count"],
    ["10 days\n5 days", "days"],
    ["5 working days of receipt", "days"],
    ["None", "count"],
    ["No limit", "count"],
    ["n/a", "USD"],
    ["=1+1", "count"],
    ["", "count"],
    // Neither yes nor no.
    ["1", "boolean"],
    ["0", "boolean"],
    ["Yes.", "boolean"],
    ["Yes*", "boolean"],
    ["Yes, if over 10 kW", "boolean"],
    ["Required.", "boolean"],
    ["Not required.", "boolean"],
    ["Not required unless over 10 kW", "boolean"],
    ["Not  required", "boolean"],
    ["Yes/No", "boolean"],
    ["None", "boolean"],
    ["constructor", "boolean"],
    // Days that can be read in two ways, or do not exist.
    ["7/1/26", "date"],
    ["7/1/2026", "date"],
    ["07-01-2026", "date"],
    ["2026-7-1", "date"],
    ["20260701", "date"],
    ["July 2026", "date"],
    ["2026-07", "date"],
    ["2026", "date"],
    ["46204", "date"],
    ["July 1", "date"],
    ["July 1, 26", "date"],
    ["February 30, 2026", "date"],
    ["2026-02-29", "date"],
    ["2026-13-01", "date"],
    ["2026-00-10", "date"],
    ["2026-04-00", "date"],
    ["31 April 2026", "date"],
    ["1900-12-31", "date"],
    ["July 1, 1900", "date"],
    ["July 1, 12026", "date"],
    ["july 1, 2026", "date"],
    ["Julyy 1, 2026", "date"],
    ["Juli 1, 2026", "date"],
    ["Ju 1, 2026", "date"],
    ["July 1, 2026.", "date"],
    ["by July 1, 2026", "date"],
    ["July 1, 2026 (amended)", "date"],
    ["July 1, 2026 and July 1, 2027", "date"],
    ["July 1st, 2026", "date"],
    ["Monday, July 6, 2026", "date"],
    ["2026-07-01T00:00:00Z", "date"],
    ["July 1, 2026 10:00", "date"],
    ["Not announced", "date"],
  ])("%j in %s", (raw, unit) => {
    expect(formulaValue(raw, unit)).toBe(raw);
    expect(formattedValue(raw, unit)).toBeNull();
    expect(importCell(raw, unit)).toEqual({ value: raw, numberFormat: "@" });
  });

  it("a long text is cut at the length of a cell, with a mark", () => {
    const { value } = textCell("x".repeat(40_000));
    expect(value).toHaveLength(32_767);
    expect(value).toMatch(/… \[cut\]$/);
  });

  it("a text keeps a leading apostrophe that Excel would hide", () => {
    expect(textCell("'tis")).toEqual({ value: "''tis", numberFormat: "General" });
  });
});
