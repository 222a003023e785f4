/** How the unit a type is measured in may be written behind (or, for money, around) an amount. */
export interface UnitForm {
  kind: "money" | "number" | "percent";
  /** Spellings that mean exactly this unit, in lower case; "" is the bare number. */
  suffixes: readonly string[];
}

const money = (...per: string[]): UnitForm => ({
  kind: "money",
  suffixes: ["", ...per.flatMap((unit) => [`/${unit}`, `/ ${unit}`, `per ${unit}`])],
});
const number = (...spellings: string[]): UnitForm => ({ kind: "number", suffixes: ["", ...spellings] });

/** Units whose amounts are numbers, by the service's label in lower case. Any other unit is text. */
const forms: Record<string, UnitForm> = {
  usd: money(),
  $: money(),
  "usd per kw": money("kw"),
  "usd per kwh": money("kwh"),
  "usd per month": money("month"),
  "usd per watt": money("watt", "w"),
  percent: { kind: "percent", suffixes: ["", "%", "percent"] },
  "%": { kind: "percent", suffixes: ["", "%", "percent"] },
  acres: number("acres", "acre"),
  "business days": number("business days", "business day"),
  count: number(),
  "cubic yards": number("cubic yards", "cubic yard", "cu yd", "cu. yd."),
  dba: number("dba"),
  days: number("days", "day"),
  feet: number("feet", "foot", "ft", "ft."),
  ft: number("feet", "foot", "ft", "ft."),
  foot: number("feet", "foot", "ft", "ft."),
  hours: number("hours", "hour", "hrs", "hr"),
  inches: number("inches", "inch", "in", "in.", '"'),
  kw: number("kw"),
  kwh: number("kwh"),
  megabytes: number("megabytes", "megabyte", "mb"),
  megawatts: number("megawatts", "megawatt", "mw"),
  months: number("months", "month"),
  mph: number("mph"),
  psf: number("psf"),
  "square feet": number("square feet", "square foot", "sq ft", "sq. ft."),
  volts: number("volts", "volt", "v"),
  years: number("years", "year"),
};

export function unitForm(unitOfMeasure: string): UnitForm | undefined {
  return Object.hasOwn(forms, key(unitOfMeasure)) ? forms[key(unitOfMeasure)] : undefined;
}

export function isBooleanUnit(unitOfMeasure: string): boolean {
  return key(unitOfMeasure) === "boolean";
}

function key(unitOfMeasure: string): string {
  return unitOfMeasure.trim().toLowerCase();
}
