import { expect, it } from "vitest";
import { cellAddress, holdsCell } from "../../../../src/workbook/sheet/layout/cell-address";

it.each([
  ["Sheet1!A1:J10", 0, 0, "Sheet1!A1"],
  ["'RegData matrix'!A1:AB200", 11, 26, "'RegData matrix'!AA12"],
  ["'It''s: B2!C3'!Y7:AZ9", 1, 2, "'It''s: B2!C3'!AA8"],
  ["Sheet1!$ZZ$5:$AAB$9", 0, 1, "Sheet1!AAA5"],
  ["Fees!B4", 3, 701, "Fees!AAA7"],
  ["Fees!Z12", 0, 0, "Fees!Z12"],
  ["A1:B2", 1, 1, "B2"],
])("of the table at %s, row %i, column %i is %s", (table, row, column, address) => {
  expect(cellAddress(table, row, column)).toBe(address);
});

it.each([
  ["B2:D5", [1, 1], true],
  ["B2:D5", [4, 3], true],
  ["$D$5:$B$2", [2, 2], true],
  ["b2:d5", [2, 2], true],
  ["B2:D5", [0, 1], false],
  ["B2:D5", [5, 1], false],
  ["B2:D5", [1, 0], false],
  ["B2:D5", [1, 4], false],
  ["AB12", [11, 27], true],
  ["AB12", [11, 26], false],
  ["AB12", [10, 27], false],
  ["B:C", [99_999, 2], true],
  ["B:C", [0, 3], false],
  ["3:10", [9, 500], true],
  ["3:10", [1, 500], false],
] as const)("%s holds the cell at %j: %s", (address, [row, column], expected) => {
  expect(holdsCell(address, { row, column })).toBe(expected);
});
