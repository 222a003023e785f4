import type { Ahj } from "../../engine/api/schemas";
import type { Directory } from "../../engine/lookup/directory/directory";
import { Failure } from "../../errors";

/**
 * Returns a function that gives the text for a jurisdiction in a formula: its geoID if that stands for no other jurisdiction, otherwise
 * `ahj:` and its id.
 */
export function nameInFormulas(
  ahjs: readonly Ahj[],
  directory: Pick<Directory, "resolved">,
): (ahj: Ahj) => string {
  const lowest = new Map<string, number>();
  for (const { geoid, id } of ahjs)
    if (geoid !== null) lowest.set(geoid, Math.min(id, lowest.get(geoid) ?? Infinity));
  return ({ id, geoid }) => {
    const resolved = geoid === null ? undefined : directory.resolved(geoid);
    const isOwn =
      resolved === undefined || resolved instanceof Failure
        ? geoid !== null && lowest.get(geoid) === id
        : resolved.id === id;
    return geoid !== null && isOwn ? geoid : `ahj:${id}`;
  };
}
