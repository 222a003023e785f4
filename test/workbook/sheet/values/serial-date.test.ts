import { afterEach, expect, it } from "vitest";
import { useDateSystem } from "../../../../src/workbook/sheet/date-system";
import { importCell } from "../../../../src/workbook/sheet/values/cell-value";
import { msOfSerial, serialOfMs } from "../../../../src/workbook/sheet/values/serial-date";

afterEach(() => useDateSystem(false));

it.each([
  [1900, 1, "1899-12-31T00:00:00.000Z"],
  [1900, 25_569, "1970-01-01T00:00:00.000Z"],
  [1900, 45_623.5, "2024-11-27T12:00:00.000Z"],
  [1900, 2_958_465, "9999-12-31T00:00:00.000Z"],
  [1904, 1, "1904-01-02T00:00:00.000Z"],
  [1904, 44_161.5, "2024-11-27T12:00:00.000Z"],
  [1904, 2_957_003, "9999-12-31T00:00:00.000Z"],
])("in the date system of %d, %d is %s", (system, serial, iso) => {
  useDateSystem(system === 1904);
  expect(new Date(msOfSerial(serial)).toISOString()).toBe(iso);
  expect(serialOfMs(Date.parse(iso))).toBe(serial);
});

it.each([
  [1900, 0],
  [1900, -1],
  [1900, 2_958_466],
  [1900, 3e9],
  [1900, NaN],
  [1904, 0],
  [1904, -1],
  [1904, 2_957_004],
])("in the date system of %d, %d is no date", (system, serial) => {
  useDateSystem(system === 1904);
  expect(msOfSerial(serial)).toBeNaN();
});

it.each([
  [1900, "1899-12-30"],
  [1900, "+010000-01-01"],
  [1904, "1904-01-01"],
  [1904, "1903-12-31"],
  [1904, "+010000-01-01"],
])("in the date system of %d, %s has no number", (system, day) => {
  useDateSystem(system === 1904);
  expect(serialOfMs(Date.parse(day))).toBeNaN();
});

it("a day that the workbook can't count stays the published text", () => {
  const published = ["January 31, 1903", "1904-01-02"];
  const shown = () => published.map((text) => importCell(text, "date").value);
  expect(shown()).toEqual([1_127, 1_463]);
  useDateSystem(true);
  expect(shown()).toEqual([published[0], 1]);
});
