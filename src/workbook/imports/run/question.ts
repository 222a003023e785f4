import type { Ahj, Collection, DataPointType } from "../../../engine/api/schemas";

/** What an import asks: a comparison of chosen types, or a saved collection, for the same kind of jurisdictions. */
export type ImportQuestion =
  | { kind: "matrix"; ahjs: readonly Ahj[]; types: readonly DataPointType[] }
  | { kind: "collection"; ahjs: readonly Ahj[]; collection: Collection };
