import type { Client } from "../../api/client";
import { inShortAddresses, queryChunks } from "../../api/address-length";
import type { Collection } from "../../api/schemas";
import { config } from "../../../config";
import type { ExchangeOptions } from "../../transport/exchange";
import { mostGeoidCharacters } from "./geoid";

/** Why a geoID stands for no entitled AHJ. */
export type GeoidRefusal = "unknown-jurisdiction" | "outside-subscription";

/** The number of requests that `tellApart` takes for these geoIDs. */
export function requestsToTellApart(geoids: readonly string[]): number {
  return chunksOf(geoids, "0".repeat(mostGeoidCharacters)).length;
}

/**
 * Finds out why geoIDs are not in the directory, by running a collection on them: its warnings name the geoIDs that the service does not
 * know (docs/interface.md, "12. Run a collection"). GeoIDs that the warnings leave open are not in the result. `entitled` is a geoID of the
 * directory: with it, no request can be refused as a whole.
 */
export async function tellApart(
  geoids: readonly string[],
  { entitled, collection }: { entitled: string; collection: Collection },
  client: Client,
  options?: ExchangeOptions,
): Promise<Map<string, GeoidRefusal>> {
  const kinds = new Map<string, GeoidRefusal>();
  const tell = async (chunk: readonly string[]) => {
    const { warnings } = await client.runCollection(
      { collection_id: collection.id, geoids: [entitled, ...chunk], page: 1, page_size: 1 },
      options,
    );
    const unmatched = new Set(warnings.flatMap((warning) => warning.unmatched_geoids));
    const denied = new Set(warnings.flatMap((warning) => warning.excluded_ahj_ids));
    const others = chunk.filter((geoid) => !unmatched.has(geoid));
    for (const geoid of chunk) if (unmatched.has(geoid)) kinds.set(geoid, "unknown-jurisdiction");
    // A warning may give a number without ids, so the other geoIDs are denied only if the numbers agree.
    if (denied.size !== others.length) return;
    for (const geoid of others) kinds.set(geoid, "outside-subscription");
  };
  await Promise.all(chunksOf(geoids, entitled).map((chunk) => inShortAddresses(chunk, tell)));
  return kinds;
}

function chunksOf(geoids: readonly string[], entitled: string): string[][] {
  return queryChunks(geoids, config.maxBaseUrlLength + config.maxPathLength + entitled.length + 1);
}
