import { expect, it } from "vitest";
import { cellAddress } from "../../src/sheet/cell-address";

it.each([
  ["Sheet1!A1:J10", 0, 0, "Sheet1!A1"],
  ["'RegData matrix'!A1:AB200", 11, 26, "'RegData matrix'!AA12"],
  ["'It''s: B2!C3'!Y7:AZ9", 1, 2, "'It''s: B2!C3'!AA8"],
  ["Sheet1!$ZZ$5:$AAB$9", 0, 1, "Sheet1!AAA5"],
  ["Fees!B4", 3, 701, "Fees!AAA7"],
])("of the table at %s, row %i, column %i is %s", (table, row, column, address) => {
  expect(cellAddress(table, row, column)).toBe(address);
});
