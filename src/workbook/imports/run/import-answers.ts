import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import type { AnswerPart } from "../../../engine/cache/answer-part";
import type { Answered } from "../../sheet/layout/table-plan";

/** What the service said to an import's question: what its table is made of. */
export interface ImportAnswers extends Answered<Ahj, DataPointType> {
  /** See `ReadAnswers`; absent where the answers are not kept in parts. */
  copy?: ((ahjId: number, typeId: number, into: AnswerPart) => boolean) | undefined;
}
