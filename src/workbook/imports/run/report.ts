import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import type { FailureKind } from "../../../errors";
import type { OldAnswers } from "../../../engine/lookup/old-answers";

/** What became of everything that was asked: nothing is left out in silence. */
export interface ImportReport {
  /** AHJs in the table. */
  rows: number;
  /** Cells with a value. */
  values: number;
  /** Asked for, but outside the subscription or no longer known: not in the table. */
  leftOut: { ahj: Ahj; kind: FailureKind }[];
  /** Asked for, but the import ended before all their answers had come: not in the table. */
  notRead: Ahj[];
  /** Questions with no value for some AHJs of the table: blank cells. */
  withoutValue: { type: DataPointType; ahjs: Ahj[] }[];
  /** Types the service does not know. */
  unknownTypes: { id: number; name: string }[];
  /** Values that the service counts but did not send: its list changed while it was read. */
  missingValues: number;
  /** Values that are older than the user wants, because the service could not be asked. */
  oldAnswers: OldAnswers | null;
}
