import { Failure } from "../../../errors";
import { countedValues } from "../../../pictures/by-state";
import type { ShownValue } from "../../../pictures/pictured-answers";
import { medianOf } from "../../../pictures/question-picture";
import { fitsSheet, type SheetTable } from "../../sheet/layout/table-plan";
import { blankCell, type Cell, textCell } from "../../sheet/values/cell-value";
import { wordsOf } from "../../sheet/values/number-format";
import { unitLabel } from "../../sheet/values/units";
import type { StateSummary } from "./state-summary";

const headers = [
  "Question",
  "State",
  "Jurisdictions",
  "With a value",
  "Median",
  "Unit",
  "Commonest answer",
  "Share of the commonest",
  "Question ID",
];

/**
 * What an import's table shows by state, as a table of plain values: a row for each question and state.
 * @throws Failure `too-large` where a sheet could not hold it.
 */
export function planSummarySheet(summaries: readonly StateSummary[]): SheetTable {
  if (!fitsSheet({ rows: summaries.length + 1, columns: headers.length })) throw new Failure("too-large");
  const rows = summaries.map(({ type, state, jurisdictions, withValue, values, amounts }) => {
    const median = medianOf(amounts);
    const [commonest] = countedValues(values);
    return [
      textCell(type.name),
      textCell(state),
      countCell(jurisdictions),
      countCell(withValue),
      median ? heldCell(median) : blankCell,
      median ? textCell(unitOf(median, type.unit_of_measure)) : blankCell,
      commonest ? heldCell(commonest) : blankCell,
      commonest ? { value: commonest.count / values.length, numberFormat: "0%" } : blankCell,
      countCell(type.id),
    ];
  });
  return { columns: headers.map((header) => ({ header })), rows };
}

/** A cell like that of the import: text stays text, whatever it looks like. */
export function heldCell({ value, numberFormat }: ShownValue): Cell {
  if (typeof value === "string") return textCell(value);
  return { value, numberFormat: typeof value === "number" ? numberFormat : "General" };
}

/** The unit that only the header of the import's column says of a number. */
export function unitOf({ numberFormat }: ShownValue, unitOfMeasure: string): string {
  const saysUnit = wordsOf(numberFormat) !== "" || numberFormat.includes('"$"') || numberFormat.includes("%");
  return saysUnit ? "" : (unitLabel(unitOfMeasure) ?? "");
}

function countCell(value: number): Cell {
  return { value, numberFormat: "0" };
}
