import { groupBy } from "../lists";
import {
  type Amount,
  isOfAmounts,
  type PicturedAnswer,
  type PicturedQuestion,
  sortAnswers,
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
  /** The median amount, or the commonest kind and its part of the values; null without values. `length`: of its bar, 0 to 1. */
  typical: { text: string; length: number } | null;
}

export interface StateTable {
  of: "amounts" | "kinds";
  /** By postal code; those without a state come last. */
  rows: StateRow[];
}

export function stateTable(question: PicturedQuestion, answers: readonly PicturedAnswer[]): StateTable {
  const whole = sortAnswers(question, answers);
  const isAmounts = isOfAmounts(whole);
  const states = [...groupBy(answers, ({ ahj }) => ahj.state_code)].sort(([one], [other]) =>
    one === "" || other === "" ? other.length - one.length : one < other ? -1 : 1,
  );
  const amountsOf = groupBy(whole.amounts, ({ ahj }) => ahj.state_code);
  const medians = new Map(
    states.map(([state]): [string, Amount | undefined] => [state, medianOf(amountsOf.get(state) ?? [])]),
  );
  const sortedMedians = [...medians.values()]
    .filter((median) => median !== undefined)
    .sort((one, other) => one.value - other.value);
  const [smallest, largest] = [sortedMedians[0], sortedMedians.at(-1)];
  const textsOf = groupBy(whole.texts, ({ ahj }) => ahj.state_code);
  const typicalOf = (state: string, values: number): StateRow["typical"] => {
    const median = medians.get(state);
    if (isAmounts) {
      if (!median || !smallest || !largest) return null;
      const length = lengthOf(median, { smallest, largest }, whole.numberFormat ?? "");
      return { text: median.text, length };
    }
    const [commonest] = countKinds([...(textsOf.get(state) ?? []), ...(amountsOf.get(state) ?? [])]);
    return commonest ? { text: commonest.text, length: commonest.count / values } : null;
  };
  const rows = states.map(([state, own]) => {
    const values = own.filter(({ shown }) => typeof shown !== "string").length;
    return {
      ...{ state, jurisdictions: own.length, values, share: values / own.length },
      typical: typicalOf(state, values),
    };
  });
  return { of: isAmounts ? "amounts" : "kinds", rows };
}
