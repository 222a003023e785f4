import { expect, it } from "vitest";
import { movedFormula } from "../../../src/workbook/formula-text/moved-references";

/** The formula as Excel writes it after it was copied, on a sheet named My sheet, two rows down and a column to the right. */
const copied = (formula: string) => movedFormula(formula, "My sheet", { rows: 2, columns: 1 });

it.each([
  ["=REGDATA.VALUE(A2,1003)", "=REGDATA.VALUE(B4,1003)"],
  ["=REGDATA.VALUE(A2:B9, $C$1)", "=REGDATA.VALUE(B4:C11, $C$1)"],
  ["=REGDATA.VALUE($A2,A$2)", "=REGDATA.VALUE($A4,B$2)"],
  ["=REGDATA.VALUE(A:A,2:2)", "=REGDATA.VALUE(B:B,4:4)"],
  ["=REGDATA.VALUE(A1#,'My sheet'!A1)", "=REGDATA.VALUE(B3#,'My sheet'!B3)"],
  ["=REGDATA.VALUE('MY SHEET'!A1,1)", "=REGDATA.VALUE('MY SHEET'!B3,1)"],
  ["=REGDATA.VALUE(Other!A1,1)", "=REGDATA.VALUE(Other!A1,1)"],
  ["=REGDATA.VALUE([1]Sheet1!A1,1)", "=REGDATA.VALUE([1]Sheet1!A1,1)"],
])("a formula with references, %s, becomes %s", (formula, expected) => {
  expect(copied(formula)).toEqual({ formula: expected, hasCells: true });
});

it.each([
  '=REGDATA.VALUE("A1", 1003)',
  "=REGDATA.VALUE({1;2}, Types[Id])",
  "=REGDATA.VALUE(Home, LOG10(10))",
])("a formula without references to cells stays as it is: %s", (formula) => {
  expect(copied(formula)).toEqual({ formula, hasCells: false });
});

it.each([
  ["=REGDATA.VALUE(A1,1)", { rows: -1, columns: 0 }],
  ["=REGDATA.VALUE(B1:C2,1)", { rows: 0, columns: -2 }],
  ["=REGDATA.VALUE(A1048576,1)", { rows: 1, columns: 0 }],
  ["=REGDATA.VALUE(XFD:XFD,1)", { rows: 0, columns: 1 }],
])("a reference can't leave the sheet: %s, moved by %j", (formula, by) => {
  expect(movedFormula(formula, "Sheet1", by)).toBeNull();
});
