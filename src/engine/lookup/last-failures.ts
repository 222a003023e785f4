import { Failure, type FailureKind } from "../../errors";
import { leavesBlank } from "../absence";
import type { CellAnswer } from "./answers/kept-answers";

/** The reasons why questions could not be answered when they were last asked. */
export interface LastFailures<Question> {
  note(question: Question, answer: CellAnswer): void;
  of(question: Question): Failure | undefined;
}

/** If there are more failures than this, the oldest are forgotten. */
const mostFailures = 20_000;

/** Kinds of failure with which nothing was asked. */
const unasked = new Set<FailureKind>(["cancelled", "not-asked"]);

export function createLastFailures<
  Question extends { ahj: unknown; type: unknown },
>(): LastFailures<Question> {
  const failures = new Map<string, Failure>();
  const keyOf = ({ ahj, type }: Question) => JSON.stringify([ahj, type]);
  return {
    note(question, answer) {
      const isFailure = answer instanceof Failure && !unasked.has(answer.kind) && !leavesBlank(answer.kind);
      if (!isFailure && failures.size === 0) return;
      const key = keyOf(question);
      failures.delete(key);
      if (!isFailure) return;
      failures.set(key, answer);
      const [oldest] = failures.size > mostFailures ? failures.keys() : [];
      if (oldest !== undefined) failures.delete(oldest);
    },
    of: (question) => failures.get(keyOf(question)),
  };
}
