import type { Known } from "../../sheet/layout/table-plan";
import type { CellDigests } from "../saved/cell-digests";
import type { AnswerPlace } from "../saved/import-rows";
import type { Snapshot } from "../saved/snapshots";

/** Who has written what a cell shows: the add-in, as the service's word, or somebody who typed it; or nobody knows. */
export type Whose = "service" | "somebody" | "unknown";

/** What tells it. */
export interface Witnesses {
  /** What the workbook knows of the cells that were written; it travels along, so that it has the last word. */
  digests: CellDigests;
  /** What this device knows of the last run. */
  last: Snapshot | undefined;
}

/**
 * Whose a cell's text is that is not the service's present answer. A device that knows nothing of a later run, on another
 * device or one that was interrupted, must not take that run's cells for somebody's: then its snapshot tells only what is the
 * service's.
 */
export function whoseCell(
  { ahj, type, part, shown }: AnswerPlace,
  { digests, last }: Witnesses,
  doesShowKnown: (known: Known | null) => boolean,
): Whose {
  const isAsWritten = digests.isAsWritten({ ahjId: ahj.id, typeId: type.id, part }, shown?.value);
  if (isAsWritten !== undefined) return isAsWritten ? "service" : "somebody";
  const known = last?.get(ahj.id, type.id);
  if (known === undefined) return "unknown";
  if (doesShowKnown(known)) return "service";
  return isOfLatestRun({ digests, last }) ? "somebody" : "unknown";
}

function isOfLatestRun({ digests, last }: Witnesses): boolean {
  return digests.stateId !== "" && last?.stateId === digests.stateId;
}
