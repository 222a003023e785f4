/** The form that values of a unit have. */
export interface UnitForm {
  kind: "boolean" | "date" | "money" | "number" | "percent";
  /** Matches the words that may stand behind an amount and mean exactly this unit. */
  spelling: RegExp;
}

/** The units whose values are more than text, by the service's label. The spelling, if it is missing, is the label. */
const forms: [UnitForm["kind"], label: RegExp, spelling?: RegExp][] = [
  ["boolean", /^boolean$/i],
  ["date", /^date$/i],
  ["money", /^(usd|\$)$/i, /^usd$/i],
  ["money", /^usd per kw$/i, /^(\/ ?|per )kw$/i],
  ["money", /^usd per kwh$/i, /^(\/ ?|per )kwh$/i],
  ["money", /^usd per month$/i, /^(\/ ?|per )month$/i],
  ["money", /^usd per watt$/i, /^(\/ ?|per )w(att)?$/i],
  ["percent", /^(percent|%)$/i],
  ["number", /^(acres?|ac\.)$/i],
  ["number", /^business days?$/i],
  ["number", /^count$/i],
  ["number", /^(cubic yards?|cu yd|cu\. yd\.)$/i],
  ["number", /^dba$/i],
  ["number", /^days?$/i],
  ["number", /^(feet|foot|ft\.?|['’′])$/i],
  ["number", /^(hours?|hrs?)$/i],
  ["number", /^(inch(es)?|in\.?|["”″])$/i],
  ["number", /^kw$/i],
  ["number", /^kwh$/i],
  // Behind an amount, "Mb" are megabits and "mW" milliwatts.
  ["number", /^(megabytes?|mb)$/i, /^([Mm]ega[Bb]ytes?|MEGABYTES?|MB|mb)$/],
  ["number", /^(megawatts?|mw)$/i, /^([Mm]ega[Ww]atts?|MEGAWATTS?|M[Ww]|mw)$/],
  ["number", /^months?$/i],
  ["number", /^mph$/i],
  ["number", /^psf$/i],
  ["number", /^(square (feet|foot)|sq ft|sq\. ft\.)$/i],
  ["number", /^(volts?|v)$/i],
  ["number", /^years?$/i],
];

/** All known labels are shorter. */
const longestLabel = 40;

/** The forms that were looked up, because there are few units and each cell asks for one. */
const known = new Map<string, UnitForm | undefined>();

/** The form of a unit; undefined if its values are always text. */
export function unitForm(unitOfMeasure: string): UnitForm | undefined {
  if (unitOfMeasure.length > longestLabel) return undefined;
  if (!known.has(unitOfMeasure)) known.set(unitOfMeasure, findForm(unitOfMeasure));
  return known.get(unitOfMeasure);
}

function findForm(unitOfMeasure: string): UnitForm | undefined {
  const written = unitOfMeasure.trim();
  const form = forms.find(([, label]) => label.test(written));
  return form && { kind: form[0], spelling: form[2] ?? form[1] };
}

/** True for words that may stand behind an amount and mean a known unit. */
export function isUnitWords(words: string): boolean {
  return (
    words.length <= longestLabel &&
    forms.some(
      ([kind, label, spelling]) => isAmountKind(kind) && (label.test(words) || spelling?.test(words)),
    )
  );
}

const isAmountKind = (kind: UnitForm["kind"]) => kind !== "boolean" && kind !== "date";

/**
 * The unit as a column's header names it, such as "$", "$ per kW" or "days". Null if the values have no unit, or show it themselves as
 * percentages do.
 */
export function unitLabel(unitOfMeasure: string): string | null {
  const kind = unitForm(unitOfMeasure)?.kind;
  const written = unitOfMeasure.trim();
  if (kind === "money") return written.replace(/^usd/i, "$");
  return kind === "number" ? written : null;
}

/** Figures with their unit, for a place where no header names it: "1 day", "2 days". */
export function withUnit(figures: string, unitOfMeasure: string): string {
  const label = unitLabel(unitOfMeasure);
  if (label === null) return figures;
  if (label.startsWith("$")) return `$${figures}${label.slice(1)}`;
  return `${figures} ${figures === "1" ? singular(label, unitOfMeasure) : label}`;
}

/** The label in the singular, if the unit has such a spelling. */
function singular(label: string, unitOfMeasure: string): string {
  const ofOne = [label.replace(/es$/i, ""), label.replace(/s$/i, ""), label.replace(/ee(?=t$)/i, "oo")];
  return ofOne.find((word) => word !== label && unitForm(unitOfMeasure)?.spelling.test(word)) ?? label;
}
