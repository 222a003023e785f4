import { moneyIn, unitForm } from "./units";

/**
 * The unit as a column's header names it, such as "$", "$ per kW" or "days". Null if the values have no unit, or show it themselves as
 * percentages do.
 */
export function unitLabel(unitOfMeasure: string): string | null {
  const { kind, currency } = unitForm(unitOfMeasure) ?? {};
  const written = unitOfMeasure.trim();
  if (currency) return `${currency.sign} ${moneyIn(written).amount}`.trim();
  return kind === "number" ? written : null;
}

/** Figures with their unit, for a place where no header names it: "1 day", "2 days". */
export function withUnit(figures: string, unitOfMeasure: string): string {
  const label = unitLabel(unitOfMeasure);
  if (label === null) return figures;
  const sign = unitForm(unitOfMeasure)?.currency?.sign;
  if (sign !== undefined) return `${sign}${figures}${label.slice(sign.length)}`;
  return `${figures} ${figures === "1" ? singular(label, unitOfMeasure) : label}`;
}

/** The label in the singular, if the unit has such a spelling. */
function singular(label: string, unitOfMeasure: string): string {
  const ofOne = [label.replace(/es$/i, ""), label.replace(/s$/i, ""), label.replace(/ee(?=t$)/i, "oo")];
  return ofOne.find((word) => word !== label && unitForm(unitOfMeasure)?.spelling.test(word)) ?? label;
}
