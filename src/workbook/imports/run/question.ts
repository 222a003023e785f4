import type { Ahj, Collection, DataPointType } from "../../../engine/api/schemas";
import type { SavedFind } from "../../../find/find-schema";

/** What an import asks: a comparison of chosen types, or a saved collection, for the same kind of jurisdictions. */
export type ImportQuestion =
  | {
      kind: "matrix";
      ahjs: readonly Ahj[];
      types: readonly DataPointType[];
      /** Where the jurisdictions are those that a find has found: the find. */
      find?: SavedFind | undefined;
    }
  | { kind: "collection"; ahjs: readonly Ahj[]; collection: Collection };
