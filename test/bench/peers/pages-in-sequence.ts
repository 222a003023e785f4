import type { Ahj, DataPointValue, Page } from "../../../src/engine/api/schemas";
import type { Answer } from "../play/ask";
import { pageSize } from "../service/reference-data";
import { addressLength, cellKey, type Peer, type PeerWork, unique } from "./peer";
import type { ServiceCalls } from "./service-calls";

/**
 * (d) One list after the other, page by page, as Power Query's paging functions read: first the AHJs, filtered by state if there is one,
 * then the data points with both filters, in as few addresses as possible.
 */
export const pagesInSequence: Peer = {
  name: "pages-in-sequence",
  async answer(work, calls) {
    const ids = await readAhjIds(work, calls);
    const typeIds = unique(work.asks.map(({ typeId }) => typeId));
    const ahjIds = unique(work.asks.map(({ geoid }) => ids.get(geoid) ?? NaN));
    const values = new Map<string, Answer>();
    for (const path of addresses(ahjIds, typeIds)) {
      for (const point of await readInSequence<DataPointValue>(calls, path)) {
        values.set(cellKey(point.ahj.id, point.data_point_type.id), point.value);
      }
    }
    return work.asks.map(({ geoid, typeId }) => values.get(cellKey(ids.get(geoid) ?? NaN, typeId)) ?? null);
  },
};

/** AHJ ids by geoID: the user's own, or read from the list of AHJs, page after page. */
export async function readAhjIds(
  { known, state }: PeerWork,
  calls: ServiceCalls,
): Promise<ReadonlyMap<string, number>> {
  if (known) return known;
  const listed = await readInSequence<Ahj>(calls, state ? `/v1/ahjs?state_code=${state}&` : "/v1/ahjs?");
  return new Map(listed.map((ahj) => [ahj.geoid ?? "", ahj.id]));
}

async function readInSequence<Item>(calls: ServiceCalls, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const answer = await calls.get<Page<Item>>(`${path}page=${page}&page_size=${pageSize}`);
    items.push(...answer.items);
    last = answer.pagination.total_pages;
  }
  return items;
}

/** Characters for the base address and the paging. */
const besidesLists = 150;

function addresses(ahjIds: readonly number[], typeIds: readonly number[]): string[] {
  const types = typeIds.join(",");
  const perAddress = Math.floor((addressLength - besidesLists - types.length) / "99999,".length);
  return Array.from(
    { length: Math.ceil(ahjIds.length / perAddress) },
    (_, at) =>
      `/v1/data-points?ahj_ids=${ahjIds.slice(at * perAddress, (at + 1) * perAddress).join(",")}` +
      `&data_point_type_ids=${types}&`,
  );
}
