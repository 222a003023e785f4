import type { Ahj, Collection, DataPointType } from "../api/schemas";

/** What an import asks: a comparison of chosen types, or a saved collection, for the same kind of jurisdictions. */
export type ImportQuestion =
  | { kind: "matrix"; ahjs: readonly Ahj[]; types: readonly DataPointType[] }
  | { kind: "collection"; ahjs: readonly Ahj[]; collection: Collection };

/**
 * The types a collection's definition names: listed, or in a listed category. An estimate: the interface leaves
 * open how the two filters combine, and only the service's answer tells.
 */
export function typesOfCollection(collection: Collection, types: readonly DataPointType[]): DataPointType[] {
  const listed = new Set(collection.data_point_type_ids);
  const categories = new Set(collection.category_ids);
  return types.filter((type) => listed.has(type.id) || type.category_ids.some((id) => categories.has(id)));
}
