import { type QuestionPicture, questionPicture } from "../../../pictures/question-picture";
import { rowsRead } from "../../sheet/layout/row-keys";
import type { TableColumns, TableRows } from "../../sheet/tables/bound-table";
import { idHeaders } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import { answersOfImport, type ShownAnswers, type TableFacts } from "./shown-answers";

export { readToSummarize } from "./read-import";

/** The answers that an import's table shows, and their pictures. */
export interface ImportSummary extends Omit<ShownAnswers, "has"> {
  /** The picture of each question that has a column. */
  pictures: QuestionPicture[];
  /** The rows as they were read. */
  read: TableRows;
}

/**
 * Sums up the answers that the table shows, question by question. `notRefreshed` holds the AHJs that the last refresh was not given. Pauses
 * after each question.
 */
export function* summarize(
  saved: SavedImport,
  table: TableColumns,
  facts: TableFacts & { notRefreshed: ReadonlySet<number> },
): Generator<void, ImportSummary> {
  const { has, ...answers } = answersOfImport(saved, table, facts);
  const pictures: QuestionPicture[] = [];
  for (const question of saved.types) {
    yield;
    if (has(question)) pictures.push(questionPicture(question, answers.answersTo(question)));
  }
  return { ...answers, pictures, read: rowsRead(table, idHeaders(saved)) };
}
