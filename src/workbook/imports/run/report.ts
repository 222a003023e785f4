import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import type { FailureKind } from "../../../errors";
import type { OldAnswers } from "../../../engine/lookup/old-answers";

/** The outcome of an import for everything that was asked: anything that is missing is named. */
export interface ImportReport {
  /** The number of AHJs in the table. */
  rows: number;
  /** The number of cells with a value. */
  values: number;
  /** AHJs that were asked for and are not in the table, because they are outside the subscription or no longer known. */
  leftOut: { ahj: Ahj; kind: FailureKind }[];
  /** AHJs that were asked for and are not in the table, because the import ended before all their answers had come. */
  notRead: Ahj[];
  /** Questions with no value for some AHJs of the table; their cells are blank. */
  withoutValue: { type: DataPointType; ahjs: Ahj[] }[];
  /** Types that the service does not know. */
  unknownTypes: { id: number; name: string }[];
  /** The number of values that the service counted but did not send, because its list changed while it was read. */
  missingValues: number;
  /** The values that are older than the user's preference, because the service could not be asked; null if there are none. */
  oldAnswers: OldAnswers | null;
}
