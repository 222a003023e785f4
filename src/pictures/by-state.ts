import { groupBy } from "../lists";
import {
  commonestUnit,
  isOfAmounts,
  type PicturedAnswer,
  type PicturedQuestion,
  type ShownNumber,
  type ShownValue,
} from "./pictured-answers";
import { countKinds, lengthOf, medianOf } from "./question-picture";

/** The answers of one state's jurisdictions. */
export interface StateRow {
  /** Its postal code; "" where the jurisdiction has none. */
  state: string;
  jurisdictions: number;
  /** How many of them have a value, and which part that is. */
  values: number;
  share: number;
  /** How many of the values are amounts in the question's commonest unit: so many stand behind a median. */
  amounts: number;
  /** Of these; null unless most values of the question, and most of the state's, are such amounts. `length`: of its bar, 0 to 1. */
  median: { value: number; text: string; length: number } | null;
  /** The value that most of them have, of equals the first, with its part of the values; null without values. */
  commonest: { shown: ShownValue; text: string; share: number } | null;
}

/** What is said of a question by state: in the pane, in a chart and in a sheet. */
export interface StateTable {
  of: "amounts" | "kinds";
  /** Of all amounts in the commonest unit; null if there are none. */
  numberFormat: string | null;
  /** By postal code; those without a state come last. */
  rows: StateRow[];
}

export function stateTable(question: PicturedQuestion, answers: readonly PicturedAnswer[]): StateTable {
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
      const median = isAmounts && isMostlyAmounts(values) ? medianOf(amounts) : undefined;
      return { state, own, values, amounts, median };
    });
  const lengthIn = barLengths(
    states.flatMap(({ median }) => median ?? []),
    numberFormat,
  );
  const rows = states.map(({ state, own, values, amounts, median }): StateRow => {
    const [commonest] = countKinds(values, textOf);
    return {
      ...{ state, jurisdictions: own.length, values: values.length, share: values.length / own.length },
      amounts: amounts.length,
      median: median ? { value: median.value, text: textOf(median), length: lengthIn(median) } : null,
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
  return { of: isAmounts ? "amounts" : "kinds", numberFormat, rows };
}

function valuesOf(answers: readonly PicturedAnswer[]): ShownValue[] {
  return answers.flatMap(({ shown }) => (typeof shown === "string" ? [] : [shown]));
}

/** How long the bars of medians are, beside each other. */
function barLengths(
  medians: readonly ShownNumber[],
  numberFormat: string | null,
): (median: ShownNumber) => number {
  const sorted = [...medians].sort((one, other) => one.value - other.value);
  const [smallest, largest] = [sorted[0], sorted.at(-1)];
  return (median) => (smallest && largest ? lengthOf(median, { smallest, largest }, numberFormat ?? "") : 0);
}
