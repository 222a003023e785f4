import { Failure, isUnavailable } from "../../errors";
import type { Found, Question, Wants } from "./lookup";

/** Why formulas were not answered the last time they asked: a cell in error shows no more than that it is. */
export interface FailedQuestions {
  /** What formulas were given. */
  told(wants: Wants, found: Found): void;
  /** Formulas were given nothing, for this reason. */
  failed(wants: Wants, failure: Failure): void;
  /** Why the service could not be asked; undefined where it was, or nobody asked. */
  of(question: Question): Failure | undefined;
}

/** Nobody looks at more cells, one by one. */
const mostRemembered = 10_000;

export function createFailedQuestions(): FailedQuestions {
  const failures = new Map<string, Failure>();
  const keyOf = ({ ahj, type }: Question) => JSON.stringify([ahj, type]);

  function note(question: Question, outcome: unknown) {
    const failure = outcome instanceof Failure && isUnavailable(outcome) ? outcome : undefined;
    if (!failure && failures.size === 0) return;
    const key = keyOf(question);
    failures.delete(key);
    if (!failure) return;
    failures.set(key, failure);
    const [oldest] = failures.keys();
    if (failures.size > mostRemembered && oldest !== undefined) failures.delete(oldest);
  }

  return {
    told: ({ questions }, { values }) =>
      questions?.forEach((question, index) => note(question, values[index])),
    failed: ({ questions }, failure) => questions?.forEach((question) => note(question, failure)),
    of: (question) => failures.get(keyOf(question)),
  };
}
