import { groupBy } from "../lists";
import { isDateFormat } from "../workbook/sheet/values/shown-number";
import { type Histogram, histogramOf } from "./histogram";
import {
  type Amount,
  formatOfAll,
  medianOf,
  type PicturedAnswer,
  type PicturedQuestion,
  sortAnswers,
  type SortedAnswers,
  unitOfFormat,
} from "./pictured-answers";

/** Everything that is drawn for one question, except its map. */
export interface QuestionPicture {
  question: PicturedQuestion;
  counts: SortedAnswers["counts"];
  /** Null if no value is an amount. */
  amounts: {
    smallest: Amount;
    median: { value: number; text: string };
    largest: Amount;
    histogram: Histogram;
    /** The format of all amounts; a median may have more decimal places. */
    numberFormat: string;
  } | null;
  /** Values that are not amounts, or are amounts of another unit. */
  kinds: Kinds;
}

export interface Kinds {
  /** The most common kind first; kinds of the same count come in the order of their first answers. */
  bars: { text: string; count: number; share: number }[];
  /** Values and kinds without a bar. */
  others: { values: number; kinds: number };
}

const mostKinds = 6;

export function questionPicture(
  question: PicturedQuestion,
  answers: readonly PicturedAnswer[],
): QuestionPicture {
  const sorted = sortAnswers(question, answers);
  return {
    question,
    counts: sorted.counts,
    amounts: amountsPicture(sorted, question),
    kinds: kindsOf(sorted.texts, sorted.counts.value),
  };
}

function amountsPicture(sorted: SortedAnswers, question: PicturedQuestion): QuestionPicture["amounts"] {
  const { amounts, numberFormat } = sorted;
  const [smallest, largest] = [amounts[0], amounts.at(-1)];
  const histogram = histogramOf(sorted, question.unit_of_measure);
  if (!smallest || !largest || !histogram || numberFormat === null) return null;
  const median = medianOf(
    amounts.map(({ value }) => ({ value, numberFormat })),
    question,
  );
  if (!median) return null;
  // An answer's own words are in the singular for 1.
  const answer = amounts.find(({ value }) => value === median.value);
  const { textOf } = unitOfFormat(question, formatOfAll(numberFormat, [median]));
  return {
    ...{ smallest, largest, histogram, numberFormat },
    median: { value: median.value, text: answer?.text ?? textOf(median) },
  };
}

/** Counts equal texts. A share is a kind's part of `values`, the number of all values of the question. */
function kindsOf(texts: readonly { text: string }[], values: number): Kinds {
  const all = countKinds(texts, ({ text }) => text);
  const bars = all.slice(0, mostKinds).map(({ text, count }) => ({ text, count, share: count / values }));
  const shown = bars.reduce((sum, { count }) => sum + count, 0);
  return { bars, others: { values: texts.length - shown, kinds: all.length - bars.length } };
}

/**
 * Each kind's first item with the number of items of the kind. The most common kind comes first; kinds of the same count keep their order.
 */
export function countKinds<Item extends object>(
  items: readonly Item[],
  kindOf: (item: Item) => string,
): (Item & { count: number })[] {
  return [...groupBy(items, kindOf).values()]
    .flatMap(([first, ...others]) => (first ? [{ ...first, count: 1 + others.length }] : []))
    .sort((one, other) => other.count - one.count);
}

/**
 * The length of an amount's bar, from 0 to 1. A bar begins at zero, or at the smallest amount if that is below zero. A bar of a date begins
 * at the earliest date.
 */
export function lengthOf(
  { value }: Pick<Amount, "value">,
  { smallest, largest }: Record<"smallest" | "largest", Pick<Amount, "value">>,
  numberFormat: string,
): number {
  const from = isDateFormat(numberFormat) ? smallest.value : Math.min(0, smallest.value);
  return largest.value > from ? (value - from) / (largest.value - from) : 1;
}
