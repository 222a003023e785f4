import type { Ahj, Collection, DataPointType } from "../../../engine/api/schemas";
import type { SavedFind } from "../../../find/find-schema";

/** The question of an import: chosen types, or a saved collection, for the same jurisdictions. */
export type ImportQuestion = (
  | { kind: "matrix"; ahjs: readonly Ahj[]; types: readonly DataPointType[] }
  | { kind: "collection"; ahjs: readonly Ahj[]; collection: Collection }
) & {
  /** The find that gave the jurisdictions; a refresh runs it again. */
  find?: SavedFind | undefined;
};
