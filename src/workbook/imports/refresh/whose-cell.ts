import type { Known } from "../../sheet/layout/answer-parts";
import { type CellDigests, serviceCellKey } from "../saved/cell-digests";
import type { ServicePlace } from "../saved/import-rows";
import type { Snapshot } from "../saved/snapshots";

/** The author of a cell's text: the add-in for the service, somebody who typed it, or unknown. */
export type Whose = "service" | "somebody" | "unknown";

/** The evidence by which a cell's author is told. */
export interface Witnesses {
  /** The workbook's digests of the cells that were written. They are stored in the workbook, so they outweigh `last`. */
  digests: CellDigests;
  /** The answers of the last run that this device has kept. */
  last: Snapshot | undefined;
}

/**
 * The author of what a cell holds, where that is not just the service's present answer. The add-in writes no formulas into its tables, so a
 * formula is somebody's, whatever it shows. If a later run was made on another device or was interrupted, this device's answers are
 * outdated. They then can only show that a text is the service's, never that somebody typed it, because it may be that run's text.
 */
export function whoseCell(
  place: ServicePlace,
  { digests, last }: Witnesses,
  doesShowKnown: (known: Known | null) => boolean,
): Whose {
  const { ahj, type, shown } = place;
  if (shown?.formula !== undefined) return "somebody";
  const isAsWritten = digests.isAsWritten(serviceCellKey(place), shown?.value);
  if (isAsWritten !== undefined) return isAsWritten ? "service" : "somebody";
  const known = type ? last?.get(ahj.id, type.id) : undefined;
  if (known === undefined) return "unknown";
  if (doesShowKnown(known)) return "service";
  return isOfLatestRun({ digests, last }) ? "somebody" : "unknown";
}

function isOfLatestRun({ digests, last }: Witnesses): boolean {
  return digests.stateId !== "" && last?.stateId === digests.stateId;
}
