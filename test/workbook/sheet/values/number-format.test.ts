import { expect, it } from "vitest";
import { importCell } from "../../../../src/workbook/sheet/values/cell-value";
import { isDateFormat, shownNumber } from "../../../../src/workbook/sheet/values/shown-number";

it.each([
  [1250.5, '"$"#,##0.00', "$1,250.50"],
  [1250, '"$"#,##0', "$1,250"],
  [1250.5, "0.0", "1250.5"],
  [1250, "#,##0", "1,250"],
  [0.055, "0.0%", "5.5%"],
  [0.5, "0%", "50%"],
  [30, '0" days"', "30 days"],
  [30, "0\\ ft", "30 ft"],
  [3.14159, "General", "3.14159"],
  [1234567.25, "General", "1,234,567.25"],
  [1, '0.00" of 5"', "1.00 of 5"],
  [45_623, "yyyy-mm-dd", "2024-11-27"],
  [0, "yyyy-mm-dd", "0"],
])("%d with the format %s is shown as %s", (value, format, text) => {
  expect(shownNumber(value, format)).toBe(text);
});

it.each([
  ["yyyy-mm-dd", true],
  ["YY", true],
  ['0" years"', false],
  ["0\\y", false],
  ["0.00", false],
  ["General", false],
])("%s is the format of a day: %s", (format, expected) => {
  expect(isDateFormat(format)).toBe(expected);
});

it.each([
  ["$1,250.50", "$"],
  ["$85", "$"],
  ["5.5%", "%"],
  ["30 days", "days"],
  ["10 business days", "days"],
  ["1,200", "sq ft"],
  ["2.50", "ft"],
])("%s with the unit %s is a number that its cell shows as it was published", (published, unit) => {
  const { value, numberFormat } = importCell(published, unit);
  expect(value).toBeTypeOf("number");
  expect(shownNumber(Number(value), numberFormat)).toBe(published);
});
