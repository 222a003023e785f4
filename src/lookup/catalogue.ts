import { type Client, readAll } from "../api/client";
import type { Collection, DataPointType } from "../api/schemas";
import type { ExchangeOptions } from "../transport/transport";
import { createSharedWork } from "./shared-work";

/** The service's global reference data and the organisation's collections. */
export interface Catalogue {
  /** Every data point type, ordered by id. Fetched once and kept. */
  types(options?: ExchangeOptions): Promise<DataPointType[]>;
  /** The organisation's collections as they are now, ordered by name. */
  collections(options?: ExchangeOptions): Promise<Collection[]>;
}

export function createCatalogue(client: Client): Catalogue {
  const types = createSharedWork(async (options) => {
    const { items } = await readAll((paging) => client.listTypes(paging, options));
    return items.sort((a, b) => a.id - b.id);
  });
  return {
    types: types.join,
    async collections(options) {
      const { items } = await readAll((paging) => client.listCollections(paging, options));
      return items.sort((a, b) => a.name.localeCompare(b.name));
    },
  };
}
