import type { Ahj, Collection, DataPointType } from "../../../engine/api/schemas";
import type { SavedFind } from "../../../find/find-schema";

/** What an import asks: a comparison of chosen types, or a saved collection, for the same kind of jurisdictions. */
export type ImportQuestion = (
  | { kind: "matrix"; ahjs: readonly Ahj[]; types: readonly DataPointType[] }
  | { kind: "collection"; ahjs: readonly Ahj[]; collection: Collection }
) & {
  /** The find that gave the jurisdictions: a refresh asks it again. */
  find?: SavedFind | undefined;
};
