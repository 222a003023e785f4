/** A currency, in which amounts and rates of money are. A further entry of `currencies` is all that another one takes. */
export interface Currency {
  /** Three letters, as the labels of the service's units begin: "USD per kW". */
  code: string;
  /** The sign before figures, in published texts and in cells. */
  sign: string;
  /** Its name in the plural, for a place that shows no sign. */
  words: string;
}

const currencies: Currency[] = [{ code: "USD", sign: "$", words: "US dollars" }];

/** The rates that every currency has: the end of the label, and the words behind an amount. */
const rates: [label: string, spelling: RegExp][] = [
  ["per kw", /^(\/ ?|per )kw$/i],
  ["per kwh", /^(\/ ?|per )kwh$/i],
  ["per month", /^(\/ ?|per )month$/i],
  ["per watt", /^(\/ ?|per )w(att)?$/i],
];

/** Regular expressions, as texts, that match any currency's sign, and its sign or code. */
export const moneySign = oneOf(currencies.map(({ sign }) => sign));
export const moneySignOrCode = oneOf(currencies.flatMap(({ code, sign }) => [sign, code]));

function oneOf(words: readonly string[]): string {
  return `(?:${words.map((word) => word.replace(/[$.*+?^(){}|[\]\\]/g, "\\$&")).join("|")})`;
}

const beginsWithMoney = new RegExp(`^${moneySignOrCode}(?=$|\\s)`, "i");

/** The currency with this sign or code; undefined if there is none. */
export function currencyOf(signOrCode: string): Currency | undefined {
  const written = signOrCode.trim().toUpperCase();
  return currencies.find(({ code, sign }) => written === code || written === sign);
}

/** A unit of money in words, such as "US dollars per kW"; any other unit as it is. */
export function moneyInWords(unitOfMeasure: string): string {
  return unitOfMeasure.replace(beginsWithMoney, (written) => currencyOf(written)?.words ?? written);
}

/** The form that values of a unit have. */
export interface UnitForm {
  kind: "boolean" | "date" | "money" | "number" | "percent";
  /** Matches the words that may stand behind an amount and mean exactly this unit. */
  spelling: RegExp;
  /** Set for money alone. */
  currency?: Currency | undefined;
}

/** The units whose values are more than text, by the service's label. The spelling, if it is missing, is the label. */
const forms: [UnitForm["kind"], label: RegExp, spelling?: RegExp, currency?: Currency][] = [
  ["boolean", /^boolean$/i],
  ["date", /^date$/i],
  ...currencies.flatMap((currency): typeof forms => [
    ["money", new RegExp(`^${oneOf([currency.code, currency.sign])}$`, "i"), wholly(currency.code), currency],
    ...rates.map(([rate, spelling]): (typeof forms)[number] => [
      ...(["money", wholly(`${currency.code} ${rate}`), spelling, currency] as const),
    ]),
  ]),
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

function wholly(label: string): RegExp {
  return new RegExp(`^${label}$`, "i");
}

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
  return form && { kind: form[0], spelling: form[2] ?? form[1], currency: form[3] };
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
  const { kind, currency } = unitForm(unitOfMeasure) ?? {};
  const written = unitOfMeasure.trim();
  if (currency) return written.replace(beginsWithMoney, () => currency.sign);
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
