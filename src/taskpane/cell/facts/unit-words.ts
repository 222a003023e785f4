/** Units that say how an answer is written and not what it is measured in. */
const notMeasured = new Set(["", "text", "boolean", "code edition", "url", "date", "count"]);

/** A unit as people say it, such as "US dollars per kW"; empty where an answer has none. */
export function unitWords(unitOfMeasure: string): string {
  const unit = unitOfMeasure.trim();
  return notMeasured.has(unit.toLowerCase()) ? "" : unit.replace(/^(usd|\$)(?=$|\s)/i, "US dollars");
}

/** A published text, with its unit where it is a bare figure. */
export function withUnitWords(value: string, unitOfMeasure: string): string {
  const words = unitWords(unitOfMeasure);
  return words !== "" && /^-?[\d,]+(\.\d+)?$/.test(value.trim()) ? `${value.trim()} ${words}` : value;
}
