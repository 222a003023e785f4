/** A currency, in which amounts and rates of money are. */
export interface Currency {
  /** Three letters, as the labels of the service's units begin: "USD per kW". */
  code: string;
  /** The sign before figures, one character, in published texts and in cells. */
  sign: string;
}

/** The currencies of the service's units. A further one takes an entry here and nothing else. */
const currencies: Currency[] = [{ code: "USD", sign: "$" }];

/** The text of a regular expression that matches any currency's sign. */
export const moneySign = `[${currencies.map(({ sign }) => sign).join("")}]`;
const moneyBefore = new RegExp(
  `^(?:${moneySign}|(?:${currencies.map(({ code }) => code).join("|")})(?![a-z])) ?`,
  "i",
);

/** The currency with this sign or code; undefined if there is none. */
export function currencyOf(signOrCode: string): Currency | undefined {
  const written = signOrCode.trim().toUpperCase();
  return currencies.find(({ code, sign }) => written === code || written === sign);
}

/** The currency that stands before an amount or a rate, if there is one, and the text without it. */
export function moneyIn(text: string): { currency: Currency | undefined; amount: string } {
  const [written = ""] = moneyBefore.exec(text) ?? [];
  return { currency: currencyOf(written), amount: text.slice(written.length) };
}

/** The units that money is paid per, in any currency, with their spellings behind an amount. */
const rates = { kw: "kw", kwh: "kwh", month: "month", watt: "w(att)?" };

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
    ["money", whole(`([${currency.sign}]|${currency.code})`), whole(currency.code), currency],
    ...Object.entries(rates).map(([rate, spelling]): (typeof forms)[number] => [
      ...([
        "money",
        whole(`${currency.code} per ${rate}`),
        whole(`(/ ?|per )${spelling}`),
        currency,
      ] as const),
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

function whole(text: string): RegExp {
  return new RegExp(`^${text}$`, "i");
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
