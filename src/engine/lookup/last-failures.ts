import { Failure, type FailureKind } from "../../errors";
import { leavesBlank } from "../absence";
import type { AhjName, Question } from "./wants";

/** The reasons why questions could not be answered, and jurisdictions not be told, when they were last asked for. */
export interface LastFailures {
  note(asked: Question | AhjName, outcome: unknown): void;
  of(asked: Question | AhjName): Failure | undefined;
}

/** If there are more failures than this, the oldest are forgotten. */
const mostFailures = 20_000;

/** Kinds of failure with which nothing was asked. */
const unasked = new Set<FailureKind>(["cancelled", "not-asked"]);

export function createLastFailures(): LastFailures {
  const failures = new Map<string, Failure>();
  const keyOf = (asked: Question | AhjName) =>
    JSON.stringify(typeof asked === "object" ? [asked.ahj, asked.type] : [asked]);
  return {
    note(asked, outcome) {
      const isFailure =
        outcome instanceof Failure && !unasked.has(outcome.kind) && !leavesBlank(outcome.kind);
      if (!isFailure && failures.size === 0) return;
      const key = keyOf(asked);
      failures.delete(key);
      if (!isFailure) return;
      failures.set(key, outcome);
      const [oldest] = failures.size > mostFailures ? failures.keys() : [];
      if (oldest !== undefined) failures.delete(oldest);
    },
    of: (asked) => failures.get(keyOf(asked)),
  };
}
