import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import type { Answered } from "../../sheet/layout/table-plan";

/** What the service said to an import's question: what its table is made of. */
export type ImportAnswers = Answered<Ahj, DataPointType>;
