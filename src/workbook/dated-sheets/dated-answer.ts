import type { Scalar } from "../sheet/values/cell-value";
import { shownInCell } from "../sheet/values/shown-number";

/** The words of the column Standing: somebody has typed over the answer or cleared it, or the cell showed no value. */
export const standings = { edited: "edited", none: "no value", asGiven: "" } as const;

/** An imported answer as its cell showed it at some time, with its citation as far as that was known. */
export interface DatedAnswer {
  /** The name of the import; "" if it is not known. */
  importName: string;
  ahjId: number;
  /** The jurisdiction with its state: `Alameda County, CA`. */
  jurisdiction: string;
  typeId: number;
  question: string;
  /** The question's unit, "" if it has none; null if it is not known. */
  unit: string | null;
  /** The content that the cell showed; "" if it showed no value. */
  value: Scalar;
  numberFormat: string;
  standing: string;
  reference: string | null;
  section: string | null;
  /** The time or day of the answer's last change. */
  updatedAt: string | null;
  /** The time of which the answer was the service's present one; null if that is not known. */
  asOfMs: number | null;
}

export function hasValue({ value }: Pick<DatedAnswer, "value">): boolean {
  return value !== "";
}

/** The value with its unit, as a cell of an import shows it: `$300`; "no value" if there is none. */
export function valueText(answer: Pick<DatedAnswer, "value" | "numberFormat" | "unit">): string {
  const { value, numberFormat, unit } = answer;
  return hasValue(answer) ? shownInCell(value, numberFormat, unit || null) : "no value";
}

/** The value with its citation: `$300 (City Code, § 12)`, `$275 (edited)`, or "no value". */
export function answerText(answer: DatedAnswer | null): string {
  if (answer === null) return "no value";
  const { reference, section, standing } = answer;
  const facts = [reference, section, standing === standings.edited ? standing : null].filter(Boolean);
  return facts.length > 0 ? `${valueText(answer)} (${facts.join(", ")})` : valueText(answer);
}
