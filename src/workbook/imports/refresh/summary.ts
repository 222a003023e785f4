import { type QuestionPicture, questionPicture } from "../../../pictures/question-picture";
import { rowsRead } from "../../sheet/layout/row-keys";
import type { TableColumns, TableRows } from "../../sheet/tables/bound-table";
import { idHeaders } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import { answersOfImport, type ImportAnswers, type KnownAhj } from "../summary/shown-answers";

/** What an import's table shows. */
export interface ImportSummary extends Omit<ImportAnswers, "has"> {
  /** Of each question that has a column. */
  pictures: QuestionPicture[];
  /** The rows as they were read. */
  read: TableRows;
}

/**
 * Sums up what the table shows, question by question; `notRefreshed` are AHJs that the last refresh was not given. Pauses after
 * each question.
 */
export function* summarize(
  saved: SavedImport,
  table: TableColumns,
  facts: { notRefreshed: ReadonlySet<number>; known: KnownAhj },
): Generator<void, ImportSummary> {
  const { has, ...answers } = answersOfImport(saved, table, facts);
  const pictures: QuestionPicture[] = [];
  for (const question of saved.types) {
    yield;
    if (has(question)) pictures.push(questionPicture(question, answers.answersTo(question)));
  }
  return { ...answers, pictures, read: rowsRead(table, idHeaders(saved)) };
}
