import { groupBy } from "../lists";
import { isDateFormat, shownNumber, withoutUnit, wordsOf } from "../workbook/sheet/values/shown-number";
import { isNoWait } from "../workbook/sheet/values/no-wait";
import { unitForm, unitLabel, withUnit } from "../workbook/sheet/values/units";

export interface PicturedQuestion {
  id: number;
  name: string;
  unit_of_measure: string;
}

export interface PicturedAhj {
  id: number;
  name: string;
  type: string;
  state_code: string;
  geoid: string | null;
}

/** A value as a cell shows it. */
export interface ShownValue {
  value: number | string | boolean;
  numberFormat: string;
}

type Unit = Pick<PicturedQuestion, "unit_of_measure">;

/**
 * Stands for a value that is not there. "no value": the service said so; "not known": there is no answer; "edited": somebody has changed the
 * cell, so it does not show what the service said.
 */
export type Lacking = "no value" | "not known" | "edited";

/** One jurisdiction's answer. */
export interface PicturedAnswer {
  ahj: PicturedAhj;
  shown: ShownValue | Lacking;
}

/** A number as a cell shows it. */
export type ShownNumber = ShownValue & { value: number };

/** A number with the words for it, such as 1200 and "$1,200". */
export interface Amount {
  ahj: PicturedAhj;
  value: number;
  text: string;
}

/** The numbers of jurisdictions with a value, and of those without one by the reason. */
export interface AnswerCounts {
  value: number;
  none: number;
  unknown: number;
  edited: number;
}

export interface SortedAnswers {
  all: readonly PicturedAnswer[];
  counts: AnswerCounts;
  /** Sorted from the smallest on. All are of one unit, so that they can be compared. */
  amounts: Amount[];
  /** The format of these amounts; null if there are none. */
  numberFormat: string | null;
  /** All other values: texts, and amounts of another unit. */
  texts: { ahj: PicturedAhj; text: string }[];
}

/** Separates amounts from texts. Amounts of the commonest unit can be compared; amounts of other units are treated as texts. */
export function sortAnswers(question: Unit, all: readonly PicturedAnswer[]): SortedAnswers {
  const values = all.flatMap(({ ahj, shown }) =>
    typeof shown === "string" ? [] : [{ ahj, shown: countable(question, shown) }],
  );
  const { isAmount, textOf, numberFormat } = commonestUnit(
    question,
    values.map(({ shown }) => shown),
  );
  const amounts: Amount[] = [];
  const texts: SortedAnswers["texts"] = [];
  for (const { ahj, shown } of values) {
    if (isAmount(shown)) amounts.push({ ahj, value: shown.value, text: textOf(shown) });
    else texts.push({ ahj, text: textOf(shown) });
  }
  return {
    all,
    counts: countAnswers(all),
    amounts: amounts.sort((one, other) => one.value - other.value),
    numberFormat,
    texts,
  };
}

export function countAnswers(answers: readonly PicturedAnswer[]): AnswerCounts {
  const counts: AnswerCounts = { value: 0, none: 0, unknown: 0, edited: 0 };
  for (const { shown } of answers) counts[typeof shown === "string" ? countOf[shown] : "value"] += 1;
  return counts;
}

const countOf = { "no value": "none", "not known": "unknown", edited: "edited" } as const;

/** The jurisdictions without a value in words, by the reason, such as "3 no value" and "1 edited". */
export function lackingWords({ none, unknown, edited }: AnswerCounts): string[] {
  const counted = [
    [none, "no value"],
    [unknown, "not known"],
    [edited, "edited"],
  ] as const;
  return counted.flatMap(([count, words]) =>
    count > 0 ? [`${count.toLocaleString("en-US")} ${words}`] : [],
  );
}

/** A value as it is counted: "Same day" is no days, as it is for a find. */
export function countable({ unit_of_measure }: Unit, shown: ShownValue): ShownValue {
  const isZero = typeof shown.value === "string" && isNoWait(shown.value, unit_of_measure);
  return isZero ? { value: 0, numberFormat: "General" } : shown;
}

export interface CommonUnit {
  /** True for a number of this unit, which can be compared with the others. */
  isAmount(shown: ShownValue): shown is ShownNumber;
  /** A value in words. All amounts of the unit have the same number of decimal places. */
  textOf(shown: ShownValue): string;
  /** The format of the amounts, without their unit if it is the question's own; null if there are none. */
  numberFormat: string | null;
}

/** The unit that most numbers among the values have. It does not matter if a cell names it ("26 days") or only the question does (26). */
export function commonestUnit(question: Unit, values: readonly ShownValue[]): CommonUnit {
  const numbers = values.filter(({ value }) => typeof value === "number");
  const byForm = [...groupBy(numbers, ({ numberFormat }) => formOf(numberFormat, question))];
  const commonest = byForm.sort(([, one], [, other]) => other.length - one.length)[0]?.[1];
  return unitOfFormat(question, commonest ? commonFormat(commonest, question) : null);
}

/** The unit of the numbers that have this format. */
export function unitOfFormat(question: Unit, numberFormat: string | null): CommonUnit {
  const form = numberFormat === null ? null : formOf(numberFormat, question);
  const places = placesOf(numberFormat ?? "");
  /** Results are remembered, because formats are few and answers many. */
  const known = new Map<string, string | null>();
  const formatFor = (own: string) => {
    let format = known.get(own);
    if (format === undefined)
      known.set(own, (format = formOf(own, question) === form ? withPlaces(own, places) : null));
    return format;
  };
  return {
    isAmount: (shown): shown is ShownNumber =>
      typeof shown.value === "number" && formatFor(shown.numberFormat) !== null,
    textOf({ value, numberFormat: own }) {
      const format = (typeof value === "number" && formatFor(own)) || own;
      return shownText({ value, numberFormat: format }, question.unit_of_measure);
    },
    numberFormat,
  };
}

/**
 * The median of numbers of one unit that are sorted from the smallest on, as Excel's MEDIAN calculates it: if their number is even, it is
 * the mean of the two in the middle. Its format has the decimal places that it needs; the median of days is a day.
 */
export function medianOf(sorted: readonly ShownNumber[], { unit_of_measure }: Unit): ShownNumber | undefined {
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (!low || !high || low.value === high.value) return low;
  const { numberFormat } = high;
  const mean = (low.value + high.value) / 2;
  if (isDateFormat(numberFormat)) return { value: Math.floor(mean), numberFormat };
  // A percentage is shown as a hundred times its number, so it needs two places less.
  const places = decimalPlaces(mean) - (numberFormat.includes("%") ? 2 : 0);
  // An amount of money has cents or none, and a mean of two prices is shown in whole cents.
  const isMoney = unitForm(unit_of_measure)?.currency !== undefined;
  const needed = places > 0 && isMoney ? 2 : places;
  return { value: mean, numberFormat: withPlaces(numberFormat, Math.max(needed, placesOf(numberFormat))) };
}

/** A value in words, with its unit if its format does not name one. */
export function shownText({ value, numberFormat }: ShownValue, unitOfMeasure: string): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value === "string") return value;
  const bare = withoutUnit(numberFormat, unitOfMeasure);
  const text = shownNumber(value, bare);
  const saysUnit = isDateFormat(bare) || wordsOf(bare) !== "";
  return saysUnit || unitLabel(unitOfMeasure)?.toLowerCase() === "count"
    ? text
    : withUnit(text, unitOfMeasure);
}

/** True if at least half of the values are amounts, so that the question is one of numbers. */
export function isOfAmounts({ amounts, texts }: Record<"amounts" | "texts", readonly unknown[]>): boolean {
  return amounts.length > 0 && amounts.length >= texts.length;
}

const figures = /(?:#,##0|0)(?:\.(0+))?/;

/** A format without its figures and its question's unit: the same for 26, "26 days" and "1 day", another for "5 working days". */
function formOf(numberFormat: string, { unit_of_measure }: Unit): string {
  if (isDateFormat(numberFormat)) return "date";
  const bare = withoutUnit(numberFormat, unit_of_measure);
  // "1 working day" has the unit of "2 working days".
  return bare === "General"
    ? ""
    : bare
        .replace(figures, "")
        .toLowerCase()
        .replace(/s(?="$)/, "");
}

/** A format in which all of these can be shown: it has the most decimal places of any of them. */
function commonFormat(numbers: readonly ShownValue[], { unit_of_measure }: Unit): string {
  let places = 0;
  for (const { value, numberFormat } of numbers) {
    const own = numberFormat === "General" ? decimalPlaces(Number(value)) : placesOf(numberFormat);
    places = Math.max(places, own);
  }
  return withPlaces(withoutUnit(numbers[0]?.numberFormat ?? "", unit_of_measure), places);
}

function placesOf(numberFormat: string): number {
  return figures.exec(numberFormat)?.[1]?.length ?? 0;
}

const mostPlaces = 8;

/** The number of decimal places that a number needs; beyond eight they are rounded off. */
export function decimalPlaces(value: number): number {
  if (Number.isInteger(value)) return 0;
  return /\.(\d*?)0*$/.exec(value.toFixed(mostPlaces))?.[1]?.length ?? 0;
}

/** The format of amounts with the most decimal places of these numbers, too. */
export function formatOfAll(numberFormat: string, numbers: readonly ShownNumber[]): string {
  const places = numbers.map((each) => placesOf(each.numberFormat));
  return withPlaces(numberFormat, Math.max(placesOf(numberFormat), ...places));
}

/** The format for round numbers beside amounts of this format, with this number of decimal places. */
export function withPlaces(numberFormat: string, places: number): string {
  const rounded = `#,##0${places > 0 ? `.${"0".repeat(places)}` : ""}`;
  if (isDateFormat(numberFormat)) return numberFormat;
  return numberFormat === "General" ? rounded : numberFormat.replace(figures, rounded);
}
