import { aboutOf } from "../../engine/absence";
import type { Ahj } from "../../engine/api/schemas";
import { stateGeoids } from "../../engine/lookup/directory/states";
import type { Lookup } from "../../engine/lookup/lookup";
import type { ExchangeOptions } from "../../engine/transport/exchange";
import { Failure } from "../../errors";

/** The states that the key's subscription includes. Fails with a Failure if the service can't be asked. */
export async function statesSeen(
  { directory }: Pick<Lookup, "directory">,
  options: ExchangeOptions = {},
): Promise<Ahj[]> {
  const resolved = await directory.resolve(stateGeoids, options);
  return stateGeoids.flatMap((geoid) => {
    const state = resolved.get(geoid);
    if (state === undefined) throw new Failure("unresolved-jurisdiction");
    if (!(state instanceof Failure)) return [state];
    if (aboutOf(state.kind) !== "ahj") throw state;
    return [];
  });
}
