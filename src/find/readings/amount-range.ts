import { isNoWait } from "../../workbook/sheet/values/no-wait";
import { formulaValue, importCell } from "../../workbook/sheet/values/cell-value";
import { readDay } from "../../workbook/sheet/values/date-text";
import { currencyOf, isUnitWords, moneyIn, unitForm, unitLabel } from "../../workbook/sheet/values/units";

/** The amounts that a text allows, both ends included; both are the same if the text names one. Days are their midnights in UTC. */
export interface AmountRange {
  min: number;
  max: number;
}

const lowerBound = /^(?:minimum|min\.?|at least|not less than|no less than)(?: of)? (.+)$/i;
const upperBound = /^(?:maximum|max\.?|up to|at most|within|not more than|no more than)(?: of)? (.+)$/i;
const lowerBoundBehind = /^(.+?),? (?:minimum|min\.?|or more)$/i;
const upperBoundBehind = /^(.+?),? (?:maximum|max\.?|or less)$/i;
const twoAmounts = /^(.+?) ?(?:-|–|—|\bto\b) ?(.+)$/i;

/**
 * Amounts in a unit that is an exact multiple of the question's: ten to a power times the question's unit, or `times` it. Powers of ten are
 * applied to the figures as text, which keeps decimals exact.
 */
const conversions: { unit: RegExp; other: string; text: RegExp; power?: number; times?: number }[] = [
  { unit: /^kw$/i, other: "MW", text: /^([\d,.]+) ?(?:M[Ww]|mw)$/, power: 3 },
  { unit: /^(megawatts?|mw)$/i, other: "kW", text: /^([\d,.]+) ?kw$/i, power: -3 },
  { unit: /^days?$/i, other: "weeks", text: /^([\d,]+) weeks?$/i, times: 7 },
  { unit: /^months?$/i, other: "years", text: /^([\d,]+) years?$/i, times: 12 },
];

const feetUnit = /^(feet|foot|ft\.?|['’′])$/i;
const inchesUnit = /^(inch(es)?|in\.?|["”″])$/i;
const feetAndInches =
  /^(\d{1,4})(?: ?(?:'|’|′) ?-? ?| (?:ft\.?|feet|foot) )(\d|1[01])(?: ?(?:"|”|″)| (?:in\.?|inch|inches))$/i;

/**
 * The amounts that a text certainly states in a unit of measure: one amount, two as a range, or a bound. Null if anything else is in it: a
 * second amount, a rate, another unit, a condition, "about".
 */
export function readAmountRange(raw: string, unitOfMeasure: string): AmountRange | null {
  const text = raw.replace(/\s+/g, " ").trim();
  const kind = unitForm(unitOfMeasure)?.kind;
  if (kind === undefined || kind === "boolean") return null;
  if (kind === "date") return readDays(text);
  const one = readAmount(text, unitOfMeasure);
  if (one !== null) return { min: one, max: one };
  const [, atLeast] = lowerBound.exec(text) ?? lowerBoundBehind.exec(text) ?? [];
  const [, atMost] = upperBound.exec(text) ?? upperBoundBehind.exec(text) ?? [];
  if (atLeast !== undefined && atMost === undefined)
    return bounded(readAmount(atLeast, unitOfMeasure), "min");
  if (atMost !== undefined && atLeast === undefined) return bounded(readAmount(atMost, unitOfMeasure), "max");
  return readTwoAmounts(text, unitOfMeasure);
}

/** The units in which amounts of a question's unit are read, such as "days or weeks"; "" if only figures are read. */
export function unitsRead(unitOfMeasure: string): string {
  const unit = unitOfMeasure.trim();
  if (unitForm(unit)?.kind === "percent") return "percent";
  const label = unitLabel(unit);
  if (label === null || /^count$/i.test(unit)) return "";
  const { other } = conversions.find((each) => each.unit.test(unit)) ?? {};
  if (feetUnit.test(unit) || inchesUnit.test(unit)) return `${label}, or feet and inches`;
  return other === undefined ? label : `${label} or ${other}`;
}

/** Units of answers that no question is asked in. */
const otherUnits = /^((working|calendar) days?|weeks?|minutes?|yards?|miles?|watts?|meters?)$/i;

/**
 * True if a text is one amount that is not certainly in the question's unit, such as "5 working days" or "3 months" if days are asked for.
 * The text must give no range: see `readAmountRange`.
 */
export function isInAnotherUnit(raw: string, unitOfMeasure: string): boolean {
  const text = raw.replace(/\s+/g, " ").trim();
  // An import writes "7.6 kW DC" as an amount of kW whose number format says "DC".
  if (typeof importCell(text, unitOfMeasure).value === "number") return true;
  const { currency, amount } = moneyIn(text);
  const [, rest] = /^[\d,]{1,15}(?:\.\d{1,6})? ?(.{0,40})$/.exec(amount) ?? [];
  if (rest === undefined || (unitForm(unitOfMeasure)?.spelling.test(rest) ?? true)) return false;
  const words = currency ? `${currency.code} ${rest.replace(/^\/ ?/, "per ")}`.trim() : rest;
  return isUnitWords(words) || otherUnits.test(words);
}

function bounded(amount: number | null, end: "min" | "max"): AmountRange | null {
  if (amount === null) return null;
  return end === "min" ? { min: amount, max: Infinity } : { min: -Infinity, max: amount };
}

/** `10 - 15 days`, `$150 - $300`, `3% to 5%`: the first amount may leave the unit to the second. */
function readTwoAmounts(text: string, unitOfMeasure: string): AmountRange | null {
  const [, first = "", second = ""] = twoAmounts.exec(text.replace(/^between (.+) and /i, "$1 to ")) ?? [];
  const max = readAmount(second, unitOfMeasure);
  const from = (written: string) => {
    const min = readAmount(written, unitOfMeasure);
    return min !== null && max !== null && min < max ? { min, max } : null;
  };
  const full = withUnitOf(second, first);
  // "$1 - $2 million" leaves "million" to the second amount, "$500,000 - $2 million" does not.
  return from(full) ?? (moneyIn(first).currency ? from(first) : null);
}

/** The first of two amounts, with the unit that it leaves to the second: "5 kW" of "5 - 5,500 kW". */
export function withUnitOf(second: string, first: string): string {
  const [, unit = ""] = /^[\d,.]+( ?[a-z%][^\d]*)$/i.exec(moneyIn(second).amount) ?? [];
  return /^[\d,.]+$/.test(moneyIn(first).amount) ? first + unit : first;
}

/** One amount, which is all of the text. */
function readAmount(text: string, unitOfMeasure: string): number | null {
  const value = formulaValue(text, unitOfMeasure);
  if (typeof value === "number") return value;
  const unit = unitOfMeasure.trim();
  if (isNoWait(text, unit)) return 0;
  if (feetUnit.test(unit) || inchesUnit.test(unit)) {
    const [, feet, inches] = feetAndInches.exec(text) ?? [];
    if (feet === undefined) return null;
    const all = Number(feet) * 12 + Number(inches);
    return feetUnit.test(unit) ? all / 12 : all;
  }
  const { currency, amount } = moneyIn(text);
  const [, millions] = /^([\d,.]+) ?million$/i.exec(amount) ?? [];
  if (millions && currency && currency === currencyOf(unit)) return scaled(millions, 6);
  for (const { unit: asked, text: written, power = 0, times = 1 } of conversions) {
    const [, figures] = (asked.test(unit) && written.exec(text)) || [];
    if (figures) return scaled(figures, power, times);
  }
  return null;
}

/** Figures times a power of ten, without the error of a multiplication; null if they are not written as Americans do. */
function scaled(figures: string, power: number, times = 1): number | null {
  const isPlain = /^(?:\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.\d{1,6})?$/.test(figures);
  return isPlain ? Number(`${figures.replaceAll(",", "")}e${power}`) * times : null;
}

const monthNames =
  "january february march april may june july august september october november december".split(" ");

/** One day, or all days of a month that is named without a day. */
function readDays(text: string): AmountRange | null {
  const day = readDay(text);
  if (day) return { min: day.ms, max: day.ms };
  const [, name = "", year = ""] = /^(\w{3,9})\.? ((?:19|20)\d\d)$/.exec(text) ?? [];
  const month = monthNames.findIndex((full) => [full, full.slice(0, 3)].includes(name.toLowerCase()));
  if (month < 0) return null;
  return { min: Date.UTC(Number(year), month, 1), max: Date.UTC(Number(year), month + 1, 0) };
}
