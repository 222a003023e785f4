import { expect, it } from "vitest";
import { msOfSerial, serialOfMs } from "../../../../src/workbook/sheet/values/serial-date";

it.each([
  [1, "1899-12-31T00:00:00.000Z"],
  [25_569, "1970-01-01T00:00:00.000Z"],
  [45_623.5, "2024-11-27T12:00:00.000Z"],
  [2_958_465, "9999-12-31T00:00:00.000Z"],
])("Excel's %d is %s", (serial, iso) => {
  expect(new Date(msOfSerial(serial)).toISOString()).toBe(iso);
  expect(serialOfMs(Date.parse(iso))).toBe(serial);
});

it.each([0, -1, 2_958_466, 3e9, NaN])("%d is no date of Excel's", (serial) => {
  expect(msOfSerial(serial)).toBeNaN();
});
