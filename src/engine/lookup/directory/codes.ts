import { Failure } from "../../../errors";
import type { Ahj } from "../../api/schemas";
import type { ExchangeOptions } from "../../transport/exchange";
import type { Directory } from "./directory";

/**
 * The text by which formulas name each AHJ: its geoID if that is known to stand for it, otherwise `ahj:` and its id. Uses only answers that
 * are already held, so it costs no request.
 */
export async function codesOf(
  ahjs: readonly Ahj[],
  directory: Pick<Directory, "resolve">,
  options: ExchangeOptions = {},
): Promise<string[]> {
  const geoids = ahjs.flatMap(({ geoid }) => geoid ?? []);
  const resolutions = await directory.resolve(geoids, { ...options, keptOnly: true });
  return ahjs.map(({ id, geoid }) => {
    const resolution = geoid === null ? undefined : resolutions.get(geoid);
    const isIts = resolution && !(resolution instanceof Failure) && resolution.id === id;
    return geoid !== null && isIts ? geoid : `ahj:${id}`;
  });
}

/** The same for one AHJ. */
export async function nameInFormula(ahj: Ahj, directory: Pick<Directory, "resolve">): Promise<string> {
  const [code = `ahj:${ahj.id}`] = await codesOf([ahj], directory);
  return code;
}
