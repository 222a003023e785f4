import type { Ahj } from "../../engine/api/schemas";
import { Failure } from "../../errors";
import type { Directory } from "../../engine/lookup/directory/directory";

/**
 * The text that names an AHJ in a formula: its geoID if that is known to stand for this AHJ, otherwise `ahj:` and its id. Uses only answers
 * that are already held, so it costs no request.
 */
export async function nameInFormula(ahj: Ahj, directory: Pick<Directory, "resolve">): Promise<string> {
  const byId = `ahj:${ahj.id}`;
  if (ahj.geoid === null) return byId;
  const resolved = (await directory.resolve([ahj.geoid], { keptOnly: true })).get(ahj.geoid);
  return resolved && !(resolved instanceof Failure) && resolved.id === ahj.id ? ahj.geoid : byId;
}
