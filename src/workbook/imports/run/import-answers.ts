import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import type { AnswerPart } from "../../../engine/cache/answer-part";
import type { TableAnswers } from "../../sheet/layout/table-plan";

/** The service's answers to an import's question, from which its table is made. */
export interface ImportAnswers extends TableAnswers<Ahj, DataPointType> {
  /** See `ReadAnswers`; undefined if the answers are not held in parts. */
  copy?: ((ahjId: number, typeId: number, into: AnswerPart) => boolean) | undefined;
}
