import { blankCell, type FormattedCell, textCell } from "./cell-value";

/** The cell of an id. */
export const idCell = (id: number): FormattedCell => ({ value: id, numberFormat: "0" });

/** A text that stays text; a blank cell if there is none. */
export const textOrBlank = (text: string | null | undefined): FormattedCell =>
  text ? textCell(text) : blankCell;
