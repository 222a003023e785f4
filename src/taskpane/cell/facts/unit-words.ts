import { moneyInWords } from "../../../workbook/sheet/values/units";

/** Units that say how an answer is written and not in which measure. */
const notMeasured = new Set(["", "text", "boolean", "code edition", "url", "date", "count"]);

/** A unit in words, such as "US dollars per kW"; "" if the answer has no measure. */
export function unitWords(unitOfMeasure: string): string {
  const unit = unitOfMeasure.trim();
  return notMeasured.has(unit.toLowerCase()) ? "" : moneyInWords(unit);
}

/** A published text, with its unit in words if it is a bare number. */
export function withUnitWords(value: string, unitOfMeasure: string): string {
  const words = unitWords(unitOfMeasure);
  return words !== "" && /^-?[\d,]+(\.\d+)?$/.test(value.trim()) ? `${value.trim()} ${words}` : value;
}
