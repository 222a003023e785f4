import { type StateTable, stateTable } from "../../../pictures/by-state";
import type { ColumnType } from "../../sheet/layout/table-plan";
import type { ShownAnswers } from "./shown-answers";

/** The answers to one question in an import's table, by state. */
export interface QuestionByState {
  question: ColumnType;
  byState: StateTable;
}

/**
 * Sums up the answers that the table shows, question by question in the import's order. A question whose column is gone is left out. Pauses
 * after each question.
 */
export function* summarizeByState(
  questions: readonly ColumnType[],
  answers: Pick<ShownAnswers, "has" | "answersTo">,
): Generator<void, QuestionByState[]> {
  const summed: QuestionByState[] = [];
  for (const question of questions) {
    yield;
    if (answers.has(question))
      summed.push({ question, byState: stateTable(question, answers.answersTo(question)) });
  }
  return summed;
}
