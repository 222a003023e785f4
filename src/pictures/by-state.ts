import { groupBy } from "../lists";
import {
  commonestUnit,
  isOfAmounts,
  type PicturedAhj,
  type PicturedAnswer,
  type PicturedQuestion,
  type ShownNumber,
  type ShownValue,
} from "./pictured-answers";
import { countKinds, lengthOf, medianOf } from "./question-picture";

/** What one state's jurisdictions answer to a question. */
export interface StateValues {
  /** Its postal code; "" where it is not known. */
  state: string;
  jurisdictions: number;
  /** How many of them have a value. */
  withValue: number;
  /** In the order of the answers: several where a jurisdiction has several. */
  values: ShownValue[];
  /** Those in the question's commonest unit, the smallest first. */
  amounts: ShownNumber[];
}

/** The answers to one question by state, in the order of postal codes; those without a state come last. */
export function valuesByState(
  question: Pick<PicturedQuestion, "unit_of_measure">,
  answers: readonly { ahj: Pick<PicturedAhj, "id" | "state_code">; shown: PicturedAnswer["shown"] }[],
): StateValues[] {
  const valuesOf = (some: typeof answers) =>
    some.flatMap(({ shown }) => (typeof shown === "string" ? [] : [shown]));
  const { isAmount } = commonestUnit(question, valuesOf(answers));
  return [...groupBy(answers, ({ ahj }) => ahj.state_code)]
    .sort(([one], [other]) => (one === "" || other === "" ? other.length - one.length : one < other ? -1 : 1))
    .map(([state, own]) => {
      const values = valuesOf(own);
      const answered = own.filter(({ shown }) => typeof shown !== "string");
      return {
        ...{ state, values, amounts: values.filter(isAmount).sort((one, other) => one.value - other.value) },
        jurisdictions: new Set(own.map(({ ahj }) => ahj.id)).size,
        withValue: new Set(answered.map(({ ahj }) => ahj.id)).size,
      };
    });
}

/** Each value with how many cells hold it, the commonest first. */
export function countedValues(values: readonly ShownValue[]): (ShownValue & { count: number })[] {
  return countKinds(values, ({ value, numberFormat }) =>
    JSON.stringify([value, typeof value === "number" ? numberFormat : ""]),
  );
}

/** The answers of one state's jurisdictions. */
export interface StateRow {
  /** Its postal code; "" where the jurisdiction has none. */
  state: string;
  jurisdictions: number;
  /** How many of them have a value, and which part that is. */
  values: number;
  share: number;
  /** The median amount, or the commonest kind and its part of the values; null without values. `length`: of its bar, 0 to 1. */
  typical: { text: string; length: number } | null;
}

export interface StateTable {
  of: "amounts" | "kinds";
  /** By postal code; those without a state come last. */
  rows: StateRow[];
}

export function stateTable(question: PicturedQuestion, answers: readonly PicturedAnswer[]): StateTable {
  const states = valuesByState(question, answers);
  const [values, amounts] = [states.flatMap((each) => each.values), states.flatMap((each) => each.amounts)];
  const { isAmount, textOf, numberFormat } = commonestUnit(question, values);
  const isAmounts = isOfAmounts({ amounts, texts: values.filter((shown) => !isAmount(shown)) });
  const medians = states
    .flatMap((each) => medianOf(each.amounts) ?? [])
    .sort((one, other) => one.value - other.value);
  const [smallest, largest] = [medians[0], medians.at(-1)];
  const typicalOf = (own: StateValues): StateRow["typical"] => {
    const median = medianOf(own.amounts);
    if (isAmounts) {
      if (!median || !smallest || !largest) return null;
      const length = lengthOf(median, { smallest, largest }, numberFormat ?? "");
      return { text: textOf(median), length };
    }
    const [commonest] = countedValues(own.values);
    if (!commonest) return null;
    const text = textOf(commonest);
    return { text, length: commonest.count / own.values.length };
  };
  const rows = states.map((own) => ({
    ...{ state: own.state, jurisdictions: own.jurisdictions, values: own.withValue },
    ...{ share: own.withValue / own.jurisdictions, typical: typicalOf(own) },
  }));
  return { of: isAmounts ? "amounts" : "kinds", rows };
}
