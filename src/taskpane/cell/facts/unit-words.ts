import { type Currency, moneyIn } from "../../../workbook/sheet/values/units";

/** Units that say how an answer is written and not in which measure. */
const notMeasured = new Set(["", "text", "boolean", "code edition", "url", "date", "count"]);

/** A unit in words, such as "US dollars per kW"; "" if the answer has no measure. */
export function unitWords(unitOfMeasure: string): string {
  const unit = unitOfMeasure.trim();
  if (notMeasured.has(unit.toLowerCase())) return "";
  const { currency, amount } = moneyIn(unit);
  return currency ? `${pluralName(currency)} ${amount}`.trim() : unit;
}

function pluralName({ code }: Currency): string {
  const format = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: code,
    currencyDisplay: "name",
  });
  return format.formatToParts(2).find(({ type }) => type === "currency")?.value ?? code;
}

/** A published text, with its unit in words if it is a bare number. */
export function withUnitWords(value: string, unitOfMeasure: string): string {
  const words = unitWords(unitOfMeasure);
  return words !== "" && /^-?[\d,]+(\.\d+)?$/.test(value.trim()) ? `${value.trim()} ${words}` : value;
}
