import { groupBy } from "../lists";
import {
  commonestUnit,
  countAnswers,
  countable,
  formatOfAll,
  isOfAmounts,
  medianOf,
  type PicturedAnswer,
  type PicturedQuestion,
  type ShownNumber,
  type ShownValue,
  unitOfFormat,
} from "./pictured-answers";
import { countKinds, lengthOf } from "./question-picture";

/** The answers of one state's jurisdictions. */
export interface StateRow {
  /** The state's postal code; "" if the jurisdictions have none. */
  state: string;
  jurisdictions: number;
  /** The number of these jurisdictions that have a value, and their share of those whose cells nobody has edited. */
  values: number;
  share: number;
  /** The number of these jurisdictions whose cells somebody has edited, so that they count for nothing else. */
  edited: number;
  /** The number of values that are amounts in the question's commonest unit. A median is taken from these. */
  amounts: number;
  /**
   * The median of these amounts; null unless most values of the question, and most of the state's, are such amounts. `length`: the length
   * of its bar, from 0 to 1.
   */
  median: { value: number; text: string; length: number } | null;
  /** The most common value, the first if several are, with its share of the values; null if there are no values. */
  commonest: { shown: ShownValue; text: string; share: number } | null;
}

/** The picture of a question by state, for the pane, a chart and a sheet. */
export interface StateTable {
  of: "amounts" | "kinds";
  /** The format of all medians, or of the amounts in the commonest unit if there are no medians; null if there are no amounts. */
  numberFormat: string | null;
  /** Sorted by postal code. The row without a state comes last. */
  rows: StateRow[];
}

export function stateTable(question: PicturedQuestion, answers: readonly PicturedAnswer[]): StateTable {
  const valuesOf = (some: readonly PicturedAnswer[]) =>
    some.flatMap(({ shown }) => (typeof shown === "string" ? [] : [countable(question, shown)]));
  const all = valuesOf(answers);
  const { isAmount, textOf, numberFormat } = commonestUnit(question, all);
  const isMostlyAmounts = (values: readonly ShownValue[]) =>
    isOfAmounts({ amounts: values.filter(isAmount), texts: values.filter((shown) => !isAmount(shown)) });
  const isAmounts = isMostlyAmounts(all);
  const states = [...groupBy(answers, ({ ahj }) => ahj.state_code)]
    .sort(([one], [other]) => (one === "" || other === "" ? other.length - one.length : one < other ? -1 : 1))
    .map(([state, own]) => {
      const values = valuesOf(own);
      const amounts = values.filter(isAmount).sort((one, other) => one.value - other.value);
      const median = isAmounts && isMostlyAmounts(values) ? medianOf(amounts, question) : undefined;
      return { state, own, values, amounts, median };
    });
  const medians = states.flatMap(({ median }) => median ?? []);
  const lengthIn = barLengths(medians, numberFormat);
  const medianFormat = numberFormat === null ? null : formatOfAll(numberFormat, medians);
  const medianText = unitOfFormat(question, medianFormat).textOf;
  const rows = states.map(({ state, own, values, amounts, median }): StateRow => {
    const [commonest] = countKinds(values, textOf);
    const { edited } = countAnswers(own);
    return {
      state,
      jurisdictions: own.length,
      values: values.length,
      share: values.length / Math.max(1, own.length - edited),
      edited,
      amounts: amounts.length,
      median: median ? { value: median.value, text: medianText(median), length: lengthIn(median) } : null,
      commonest: commonest
        ? {
            shown: {
              value: commonest.value,
              numberFormat:
                isAmount(commonest) && numberFormat !== null ? numberFormat : commonest.numberFormat,
            },
            text: textOf(commonest),
            share: commonest.count / values.length,
          }
        : null,
    };
  });
  return { of: isAmounts ? "amounts" : "kinds", numberFormat: medianFormat, rows };
}

/** Returns the length of a median's bar, compared with the bars of the other medians. */
function barLengths(
  medians: readonly ShownNumber[],
  numberFormat: string | null,
): (median: ShownNumber) => number {
  const sorted = [...medians].sort((one, other) => one.value - other.value);
  const [smallest, largest] = [sorted[0], sorted.at(-1)];
  return (median) => (smallest && largest ? lengthOf(median, { smallest, largest }, numberFormat ?? "") : 0);
}
