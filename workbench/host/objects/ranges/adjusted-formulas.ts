import { sharedFormula, sharedFormulaAt } from "../../../../xlsx/formulas/shared-formula";
import { type CellValue, type CellView, formulaIn } from "../../../spreadsheet";
import type { Place } from "./joined-cells";

/** The entry of a cell for another one: the relative references of a formula go along, as when it is copied. */
export function entryAt(cell: CellView, from: Place, to: Place): CellValue {
  const formula = formulaIn(cell);
  if (formula === undefined) return constantEntry(cell);
  return sharedFormulaAt(sharedFormula(formula, from.row, from.column), to.row, to.column);
}

/** An entry that gives the value of a cell whatever its text looks like: "06001" stays a text. */
export function constantEntry({ value }: Pick<CellView, "value">): CellValue {
  return typeof value === "string" && value !== "" ? `'${value}` : value;
}
