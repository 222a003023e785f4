import { groupBy } from "../lists";
import { isDateFormat, shownNumber, wordsOf } from "../workbook/sheet/values/number-format";
import { unitLabel, withUnit } from "../workbook/sheet/values/units";

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

/** What is known of one jurisdiction: "no value" was said, "not known" was not. */
export interface PicturedAnswer {
  ahj: PicturedAhj;
  shown: ShownValue | "no value" | "not known";
}

/** A number with the words for it, such as 1200 and "$1,200". */
export interface Amount {
  ahj: PicturedAhj;
  value: number;
  text: string;
}

export interface SortedAnswers {
  all: readonly PicturedAnswer[];
  counts: { value: number; none: number; unknown: number };
  /** The smallest first. All of one unit, so that they can be compared. */
  amounts: Amount[];
  /** Of these; null if there is none. */
  numberFormat: string | null;
  /** All other values: texts, and amounts of another unit. */
  texts: { ahj: PicturedAhj; text: string }[];
}

/** Tells amounts from texts. Amounts of the commonest unit are compared; those of any other are told as texts. */
export function sortAnswers(
  { unit_of_measure }: Pick<PicturedQuestion, "unit_of_measure">,
  all: readonly PicturedAnswer[],
): SortedAnswers {
  const values = all.flatMap(({ ahj, shown }) => (typeof shown === "string" ? [] : [{ ahj, ...shown }]));
  const { isAmount, numberFormat } = commonestUnit(values);
  const amounts: Amount[] = [];
  const texts: SortedAnswers["texts"] = [];
  for (const { ahj, ...shown } of values) {
    const text = shownText(shown, unit_of_measure);
    if (isAmount(shown)) amounts.push({ ahj, value: shown.value, text });
    else texts.push({ ahj, text });
  }
  const unknown = all.filter(({ shown }) => shown === "not known").length;
  return {
    all,
    counts: { value: values.length, none: all.length - values.length - unknown, unknown },
    amounts: amounts.sort((one, other) => one.value - other.value),
    numberFormat,
    texts,
  };
}

/** A number as a cell shows it. */
export type ShownNumber = ShownValue & { value: number };

/** Tells the numbers of the commonest unit, which can be compared, from all other values; `numberFormat`: that of the first of them. */
export function commonestUnit(values: readonly ShownValue[]): {
  isAmount(shown: ShownValue): shown is ShownNumber;
  numberFormat: string | null;
} {
  const numbers = values.filter(({ value }) => typeof value === "number");
  const byForm = [...groupBy(numbers, ({ numberFormat }) => formOf(numberFormat))];
  const commonest = byForm.sort(([, one], [, other]) => other.length - one.length)[0];
  return {
    isAmount: (shown): shown is ShownNumber =>
      typeof shown.value === "number" && formOf(shown.numberFormat) === commonest?.[0],
    numberFormat: commonest?.[1][0]?.numberFormat ?? null,
  };
}

/** A value in words, with its unit where its format does not say that. */
export function shownText({ value, numberFormat }: ShownValue, unitOfMeasure: string): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value === "string") return value;
  const text = shownNumber(value, numberFormat);
  const saysUnit = isDateFormat(numberFormat) || wordsOf(numberFormat) !== "";
  return saysUnit || unitLabel(unitOfMeasure)?.toLowerCase() === "count"
    ? text
    : withUnit(text, unitOfMeasure);
}

/** At least half of the values are amounts: then the question is one of numbers. */
export function isOfAmounts({ amounts, texts }: Record<"amounts" | "texts", readonly unknown[]>): boolean {
  return amounts.length > 0 && amounts.length >= texts.length;
}

const figures = /(?:#,##0|0)(?:\.0+)?/;

/** A format without its figures, the same for "$1,200" and "$30.50". */
function formOf(numberFormat: string): string {
  if (isDateFormat(numberFormat)) return "date";
  return numberFormat === "General" ? "" : numberFormat.replace(figures, "");
}

/** The format for round numbers beside amounts of this one: with so many decimal places. */
export function withPlaces(numberFormat: string, places: number): string {
  const rounded = `#,##0${places > 0 ? `.${"0".repeat(places)}` : ""}`;
  if (isDateFormat(numberFormat)) return numberFormat;
  return numberFormat === "General" ? rounded : numberFormat.replace(figures, rounded);
}
