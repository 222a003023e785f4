import { Failure } from "../../../errors";
import type { StateRow, StateTable } from "../../../pictures/by-state";
import type { ShownValue } from "../../../pictures/pictured-answers";
import { type ColumnType, fitsSheet, type SheetTable } from "../../sheet/layout/table-plan";
import { blankCell, type FormattedCell, textCell } from "../../sheet/values/cell-value";
import { isDateFormat, wordsOf } from "../../sheet/values/shown-number";
import { unitLabel } from "../../sheet/values/units";
import type { QuestionByState } from "./state-summary";

const headers = [
  "Question",
  "State",
  "Jurisdictions",
  "With a value",
  "Edited",
  "Amounts",
  "Median",
  "Most common answer",
  "Share of most common",
  "Question ID",
];

/**
 * An import's answers by state, as a table of plain values: a row for each question and state. Amounts have a median, with the unit behind
 * the question's name, and other answers the most common one. Cells that somebody has edited are counted, and left out of the rest.
 * @throws Failure `too-large` if a sheet could not hold the rows.
 */
export function planSummarySheet(questions: readonly QuestionByState[]): SheetTable {
  const rows = questions.flatMap(({ question, byState }) =>
    byState.rows.map((row) => cellsOf(question, byState, row)),
  );
  if (!fitsSheet({ rows: rows.length + 1, columns: headers.length })) throw new Failure("too-large");
  return { columns: headers.map((header) => ({ header })), rows };
}

function cellsOf(
  { id, name, unit_of_measure }: ColumnType,
  { numberFormat }: StateTable,
  { state, jurisdictions, values, edited, amounts, median, commonest }: StateRow,
): FormattedCell[] {
  const medianCell = median ? { value: median.value, numberFormat: numberFormat ?? "General" } : blankCell;
  const unit = numberFormat === null ? "" : unitOf(numberFormat, unit_of_measure);
  const shown = median ? null : commonest;
  return [
    textCell(unit === "" ? name : `${name} (${unit})`),
    textCell(state),
    countCell(jurisdictions),
    countCell(values),
    countCell(edited),
    countCell(amounts),
    medianCell,
    shown ? answerCell(shown.shown) : blankCell,
    shown ? { value: shown.share, numberFormat: "0%" } : blankCell,
    countCell(id),
  ];
}

/** A cell as the import's table shows it: text stays text even if it looks like a number or a formula. */
function answerCell({ value, numberFormat }: ShownValue): FormattedCell {
  if (typeof value === "string") return textCell(value);
  return { value, numberFormat: typeof value === "number" ? numberFormat : "General" };
}

/** The unit of a number; "" if the number's format shows it already. */
export function unitOf(numberFormat: string, unitOfMeasure: string): string {
  const saysUnit = isDateFormat(numberFormat) || wordsOf(numberFormat) !== "" || numberFormat.includes("%");
  return saysUnit ? "" : (unitLabel(unitOfMeasure) ?? "");
}

function countCell(value: number): FormattedCell {
  return { value, numberFormat: "0" };
}
