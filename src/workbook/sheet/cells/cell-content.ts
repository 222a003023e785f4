import { isError } from "../values/shown-value";
import type { Scalar } from "../values/cell-value";

/** A cell as Excel returns it. */
export interface CellContent {
  value: unknown;
  /** The formula; for a cell without one, the value again. */
  formula: unknown;
  numberFormat: string;
}

/** Content to enter into a cell. A text that begins with "=" becomes a formula, unless the format is "@". */
export interface Entry {
  value: Scalar;
  /** The format to set; null leaves it as it is. */
  numberFormat: string | null;
}

/** The content of the formula bar: the formula, or else the value. It is "" only for a blank cell. */
export function heldBy(content: Pick<CellContent, "value" | "formula">): unknown {
  return isFormula(content) ? content.formula : content.value;
}

/**
 * True if the cell holds everything that `expected` names. A value alone is a constant: a formula that shows the same is not what was
 * written, but somebody's own.
 */
export function holds(
  content: Pick<CellContent, "value" | "formula"> & { numberFormat: string | null },
  expected: Partial<CellContent>,
): boolean {
  if ("value" in expected && expected.formula === undefined && isFormula(content)) return false;
  return Object.entries(expected).every(([part, wanted]) => content[part as keyof CellContent] === wanted);
}

/**
 * True if the cell holds a formula. A text may look like one, because of an apostrophe or the text format: Excel returns it as both value
 * and formula, and no formula gives its own text.
 */
export function isFormula({ formula, value }: Pick<CellContent, "formula" | "value">): boolean {
  return typeof formula === "string" && formula.startsWith("=") && formula !== value;
}

/** True if this content becomes a formula where it is entered. */
export function becomesFormula(content: unknown, numberFormat: string | null): boolean {
  return typeof content === "string" && content.startsWith("=") && numberFormat !== "@";
}

/** An upper bound of what cells take in a request: three bytes for a character in UTF-8, and 30 for quotes, commas and a cell's format. */
export function bytesOfCells(contents: readonly unknown[]): number {
  return contents.reduce<number>((sum, content) => sum + String(content).length * 3 + 30, 0);
}

/** The content to expect of a cell after this was entered. */
export function contentAfter({ value, numberFormat }: Entry): Partial<CellContent> {
  if (typeof value !== "string" || numberFormat === "@") return { value };
  // Excel does not return a leading apostrophe.
  return becomesFormula(value, numberFormat) ? { formula: value } : { value: value.replace(/^'/, "") };
}

/** The entry that gives a cell this content again. */
export function entryOf(content: CellContent): Entry {
  const { value, formula, numberFormat } = content;
  // Excel would keep a formula as text in a cell with the text format.
  if (isFormula(content))
    return { value: String(formula), numberFormat: numberFormat === "@" ? "General" : numberFormat };
  const isText = typeof value === "string" && value !== "" && !isError(value);
  return { value: isText && numberFormat !== "@" ? `'${value}` : (value as Scalar), numberFormat };
}
