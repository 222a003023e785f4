import { isDateFormat } from "../workbook/sheet/values/shown-number";
import { msOfSerial, serialOfMs } from "../workbook/sheet/values/serial-date";
import { decimalPlaces, shownText, type SortedAnswers, withPlaces } from "./pictured-answers";

/** Holds the amounts from `from` to below `to`. An open bin has null at its open end. */
export interface Bin {
  from: number | null;
  to: number | null;
  count: number;
  /** Such as "$100 to $199", "5.0% to 5.9%", "less than $100", "2026-01-01 to 2026-01-31". Both ends belong to the bin. */
  label: string;
}

export interface Histogram {
  bins: Bin[];
  /** The first and the last end of the bins that are not open, in words. */
  ends: { from: string; to: string };
}

/** Numbered marks at regular distances. */
interface Ruler {
  markBefore(value: number): number;
  at(mark: number): number;
  /** Decimal places that the marks need. */
  places: number;
}

const leastBins = 5;
const mostBins = 15;

/**
 * Bins of one round width: 1, 2 or 5 times a power of ten; a day, a week, a month, a quarter or some years. It is the smallest width for
 * which all amounts fit into the number of bins of Sturges' rule (log2 n + 1). Amounts beyond Tukey's outer fences (three times the
 * distance of the quartiles, beyond a quartile) don't count for the width and go into an open bin, because one odd amount must not press
 * all others into one bin.
 */
export function histogramOf(
  { amounts, numberFormat }: Pick<SortedAnswers, "amounts" | "numberFormat">,
  unitOfMeasure: string,
): Histogram | null {
  const values = amounts.map(({ value }) => value);
  const inside = withinFences(values);
  const [first, last] = [inside[0], inside.at(-1)];
  if (numberFormat === null || first === undefined || last === undefined) return null;
  if (first === last) {
    const label = amounts[0]?.text ?? "";
    const bin = { from: first, to: last, count: values.length, label };
    return { bins: [bin], ends: { from: label, to: label } };
  }
  const isDate = isDateFormat(numberFormat);
  const mostHere = Math.min(mostBins, Math.max(leastBins, Math.ceil(Math.log2(inside.length)) + 1));
  // The most decimal places of any amount; 0 if all are whole numbers.
  const finest = values.reduce((most, value) => Math.max(most, decimalPlaces(value)), 0);
  const rulers = isDate ? dateRulers() : numberRulers((last - first) / mostHere, finest);
  const { markBefore, at, places } = firstWithin(rulers, first, last, mostHere);
  const textOf = (value: number, decimals = finest) => {
    // A percentage is shown as a hundred times its number, so it needs two places less.
    const shown = numberFormat.includes("%") ? Math.max(0, decimals - 2) : decimals;
    return shownText({ value, numberFormat: withPlaces(numberFormat, shown) }, unitOfMeasure);
  };
  const start = markBefore(first);
  const ends = Array.from({ length: markBefore(last) - start + 2 }, (_, index) => at(start + index));
  const [from = first, to = last] = [ends[0], ends.at(-1)];
  const counts = new Map<number, number>();
  for (const value of values) {
    const mark = value < from ? -Infinity : value >= to ? Infinity : markBefore(value);
    counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  const closed = ends.slice(0, -1).map((begin, index) => {
    const end = ends[index + 1] ?? begin;
    const [lowest, highest] = [textOf(begin), textOf(end - 10 ** -finest)];
    const label = lowest === highest ? lowest : `${lowest} to ${highest}`;
    return { from: begin, to: end, count: counts.get(start + index) ?? 0, label };
  });
  const [below = 0, above = 0] = [counts.get(-Infinity), counts.get(Infinity)];
  const lower = { from: null, to: from, count: below, label: `before ${textOf(from)}` };
  const upper = { from: to, to: null, count: above, label: `${textOf(to)} or ${isDate ? "later" : "more"}` };
  if (!isDate) lower.label = `less than ${textOf(from)}`;
  return {
    bins: [...(below > 0 ? [lower] : []), ...closed, ...(above > 0 ? [upper] : [])],
    ends: { from: textOf(from, places), to: textOf(isDate ? to - 1 : to, places) },
  };
}

/** The position of a value among the bins: the number of its bin, and how far into the bin it is, from 0 to 1. */
export function placeIn({ bins }: Histogram, value: number): { bin: number; part: number } {
  const found = bins.findIndex(({ from, to }) => (from ?? -Infinity) <= value && value < (to ?? Infinity));
  const bin = Math.max(0, found);
  const { from = null, to = null } = bins[bin] ?? {};
  return { bin, part: from === null || to === null || to === from ? 0.5 : (value - from) / (to - from) };
}

/** The values within Tukey's outer fences; all values if half of them or more are the same. */
function withinFences(sorted: readonly number[]): readonly number[] {
  const lower = sorted[Math.floor((sorted.length - 1) / 4)] ?? 0;
  const upper = sorted[Math.ceil((3 * (sorted.length - 1)) / 4)] ?? 0;
  const reach = 3 * (upper - lower);
  return reach === 0 ? sorted : sorted.filter((value) => value >= lower - reach && value <= upper + reach);
}

function firstWithin(rulers: Iterable<Ruler>, first: number, last: number, most: number): Ruler {
  let widest: Ruler | undefined;
  for (const ruler of rulers) {
    widest = ruler;
    if (ruler.markBefore(last) - ruler.markBefore(first) < most) break;
  }
  if (!widest) throw new Error("no ruler");
  return widest;
}

/** Rulers whose marks have at most `finest` decimal places. */
function* numberRulers(leastStep: number, finest: number): Generator<Ruler> {
  for (let power = Math.max(-finest, Math.floor(Math.log10(leastStep))); ; power += 1)
    for (const factor of [1, 2, 5]) {
      const places = Math.max(0, -power);
      // Multiples of 0.1 and the like are not exact, so both are calculated in whole steps of a power of ten.
      const at = (mark: number) => (power < 0 ? (mark * factor) / 10 ** places : mark * factor * 10 ** power);
      const markBefore = (value: number) => {
        const mark = Math.floor(power < 0 ? (value * 10 ** places) / factor : value / (factor * 10 ** power));
        return at(mark + 1) <= value ? mark + 1 : at(mark) > value ? mark - 1 : mark;
      };
      yield { at, places, markBefore };
    }
}

const monthsOfDateRulers = [1, 3, 12, 24, 60, 120, 240, 600, 1_200, 12_000];

function* dateRulers(): Generator<Ruler> {
  // Excel's day 2 was a Monday.
  for (const days of [1, 7])
    yield {
      markBefore: (value) => Math.floor((value - 2) / days),
      at: (mark) => mark * days + 2,
      places: 0,
    };
  for (const months of monthsOfDateRulers)
    yield {
      markBefore: (value) => {
        const day = new Date(msOfSerial(value));
        return Math.floor((day.getUTCFullYear() * 12 + day.getUTCMonth()) / months);
      },
      at: (mark) => serialOfMs(monthStart(mark * months)),
      places: 0,
    };
}

/** Set in two steps, because the Date constructor takes a year below 100 for one of the last century. */
function monthStart(months: number): number {
  return new Date(0).setUTCFullYear(Math.floor(months / 12), months % 12, 1);
}
