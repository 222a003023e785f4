import { type Client, pages } from "../api/client";
import type { Collection, DataPointType, Page, Warning } from "../api/schemas";
import { sharedPromise } from "./shared-promise";

/** The service's global reference data and the organisation's collections; each is fetched once and kept. */
export interface Catalogue {
  /** Every data point type, ordered by id. */
  types(): Promise<DataPointType[]>;
  /** The organisation's collections, ordered by name. */
  collections(): Promise<Collection[]>;
}

export function createCatalogue(client: Client): Catalogue {
  return {
    types: sharedPromise(async () => {
      const types = await readAll(client.listTypes);
      return types.sort((a, b) => a.id - b.id);
    }),
    collections: sharedPromise(async () => {
      const collections = await readAll(client.listCollections);
      return collections.sort((a, b) => a.name.localeCompare(b.name));
    }),
  };
}

async function readAll<Item extends { id: number | string }>(
  list: (paging: { page: number; page_size: number }) => Promise<{ data: Page<Item>; warnings: Warning[] }>,
): Promise<Item[]> {
  const byId = new Map<number | string, Item>();
  for await (const { data } of pages(list)) {
    for (const item of data.items) byId.set(item.id, item);
  }
  return [...byId.values()];
}
