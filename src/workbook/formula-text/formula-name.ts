import type { Ahj } from "../../engine/api/schemas";
import { Failure } from "../../errors";
import type { Directory } from "../../engine/lookup/directory/directory";

/**
 * What a formula calls an AHJ: its geoID where that is known to stand for this AHJ, else `ahj:` and its id. Asks the
 * service for nothing.
 */
export async function nameInFormula(ahj: Ahj, directory: Pick<Directory, "resolve">): Promise<string> {
  const byId = `ahj:${ahj.id}`;
  if (ahj.geoid === null) return byId;
  const resolved = (await directory.resolve([ahj.geoid], { keptOnly: true })).get(ahj.geoid);
  return resolved && !(resolved instanceof Failure) && resolved.id === ahj.id ? ahj.geoid : byId;
}
