import { isError } from "../values/shown-value";
import type { Scalar } from "../values/cell-value";

/** A cell as Excel tells of it. */
export interface CellContent {
  value: unknown;
  /** The formula, or the value again. */
  formula: unknown;
  numberFormat: string;
}

/** A text that begins with "=" becomes a formula, unless the format is "@". */
export interface Entry {
  value: Scalar;
  /** Null leaves the format as it is. */
  numberFormat: string | null;
}

/** Whether the cell holds what is expected, as far as something is expected. */
export function holds(content: CellContent, expected: Partial<CellContent>): boolean {
  return Object.entries(expected).every(([part, wanted]) => content[part as keyof CellContent] === wanted);
}

/** Whether a formula stands in the cell: a text that begins with "=" is told as value and formula alike. */
export function isFormula({ formula, value }: CellContent): boolean {
  return typeof formula === "string" && formula.startsWith("=") && formula !== value;
}

/** Expected of a cell after this was entered. */
export function contentAfter({ value, numberFormat }: Entry): Partial<CellContent> {
  if (typeof value !== "string" || numberFormat === "@") return { value };
  // Excel keeps a leading apostrophe to itself.
  return value.startsWith("=") ? { formula: value } : { value: value.replace(/^'/, "") };
}

/** Gives a cell this content again. */
export function entryOf(content: CellContent): Entry {
  const { value, formula, numberFormat } = content;
  // In the format of texts, a formula would be entered as a text.
  if (isFormula(content))
    return { value: String(formula), numberFormat: numberFormat === "@" ? "General" : numberFormat };
  const isText = typeof value === "string" && value !== "" && !isError(value);
  return { value: isText && numberFormat !== "@" ? `'${value}` : (value as Scalar), numberFormat };
}

/** Queues the writing of contents that were read from a range of the same size; blank cells stay as they are. */
export function enterAgain(
  range: Excel.Range,
  { values, formulas, numberFormat }: Pick<Excel.Range, "values" | "formulas" | "numberFormat">,
): void {
  const entries = values.map((line: unknown[], row) =>
    line.map((value, column) => {
      const formula = formulas[row]?.[column] as unknown;
      return value === ""
        ? null
        : entryOf({ value, formula, numberFormat: String(numberFormat[row]?.[column]) });
    }),
  );
  range.numberFormat = entries.map((line) => line.map((entry) => entry?.numberFormat ?? null));
  range.values = entries.map((line) => line.map((entry) => entry?.value ?? null));
}
