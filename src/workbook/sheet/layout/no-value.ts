import { blankCell, type FormattedCell } from "../values/cell-value";

/** The choice of a table's form on which it depends what stands for no value. */
interface NoValueForm {
  hasDashes?: boolean | null | undefined;
}

/** The text that stands for no value. Its format leaves numbers that somebody types over it numbers. */
const dashCell: FormattedCell = { value: "–", numberFormat: "General" };

/** The cell for a part of an answer of which the service has said that no value is recorded. */
export function cellOfNoValue(part: string, { hasDashes }: NoValueForm): FormattedCell {
  return part === "value" && hasDashes ? dashCell : blankCell;
}

/** True if what the cell of a part shows is no value: it is blank, or holds the dash that stands for no value in a table of this form. */
export function isNoValue(shown: unknown, part: string, form: NoValueForm): boolean {
  return shown === "" || shown === null || shown === undefined || shown === cellOfNoValue(part, form).value;
}
