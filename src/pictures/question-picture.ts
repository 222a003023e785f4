import { groupBy } from "../lists";
import { isDateFormat } from "../workbook/sheet/values/number-format";
import { type Histogram, histogramOf } from "./histogram";
import {
  type Amount,
  type PicturedAnswer,
  type PicturedQuestion,
  sortAnswers,
  type SortedAnswers,
} from "./pictured-answers";

/** All that is drawn of one question, besides its map. */
export interface QuestionPicture {
  question: PicturedQuestion;
  counts: SortedAnswers["counts"];
  /** Null where no value is an amount. */
  amounts: {
    smallest: Amount;
    median: Amount;
    largest: Amount;
    histogram: Histogram;
    /** Of all of them. */
    numberFormat: string;
  } | null;
  /** Values that are no amounts, or amounts of another unit. */
  kinds: Kinds;
}

export interface Kinds {
  /** The commonest first; the first of equals is the one that comes first among the answers. */
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
  const [smallest, median, largest] = [sorted.amounts[0], medianOf(sorted.amounts), sorted.amounts.at(-1)];
  const { numberFormat } = sorted;
  const histogram = histogramOf(sorted, question.unit_of_measure);
  if (!smallest || !median || !largest || !histogram || numberFormat === null) return null;
  return { smallest, median, largest, histogram, numberFormat };
}

/** Of amounts from the smallest on; of an even number the lower of the two in the middle, which is an answer. */
export function medianOf<Item>(amounts: readonly Item[]): Item | undefined {
  return amounts[Math.floor((amounts.length - 1) / 2)];
}

/** Shares are those of `values`, all values of the question. */
function kindsOf(texts: readonly { text: string }[], values: number): Kinds {
  const all = countKinds(texts, ({ text }) => text);
  const bars = all.slice(0, mostKinds).map(({ text, count }) => ({ text, count, share: count / values }));
  const shown = bars.reduce((sum, { count }) => sum + count, 0);
  return { bars, others: { values: texts.length - shown, kinds: all.length - bars.length } };
}

/** Each kind by its first item, with how many are of it: the commonest first, of equals the one that comes first. */
export function countKinds<Item extends object>(
  items: readonly Item[],
  kindOf: (item: Item) => string,
): (Item & { count: number })[] {
  return [...groupBy(items, kindOf).values()]
    .flatMap(([first, ...others]) => (first ? [{ ...first, count: 1 + others.length }] : []))
    .sort((one, other) => other.count - one.count);
}

/** How long the bar of an amount is, from 0 to 1: amounts are compared with nothing, days with the first of them. */
export function lengthOf(
  { value }: Pick<Amount, "value">,
  { smallest, largest }: Record<"smallest" | "largest", Pick<Amount, "value">>,
  numberFormat: string,
): number {
  const from = isDateFormat(numberFormat) ? smallest.value : Math.min(0, smallest.value);
  return largest.value > from ? (value - from) / (largest.value - from) : 1;
}
