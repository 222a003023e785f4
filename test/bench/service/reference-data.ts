import type { Ahj, Collection, DataPointType, Page } from "../../../src/engine/api/schemas";
import type { Credentials } from "../../../src/engine/transport/exchange";
import { createServiceCalls, type ServiceCalls } from "../peers/service-calls";

/** The AHJs and types to ask about, read from the service before anything is measured. */
export interface ReferenceData {
  /** Every AHJ that a formula can name, by ascending id. Its geoID belongs to no other AHJ. */
  ahjs: readonly Ahj[];
  /** The number of all AHJs, those without a geoID included. */
  ahjsInAll: number;
  /** The number of AHJs by state code, those without a geoID included. */
  ahjsByState: ReadonlyMap<string, number>;
  types: readonly DataPointType[];
  /** The types recommended for residential solar, by ascending id. */
  residentialTypes: readonly DataPointType[];
}

/** The largest page (docs/interface.md, "Limits"). */
export const pageSize = 500;

export async function readReferenceData(credentials: Credentials): Promise<ReferenceData> {
  const calls = createServiceCalls(credentials);
  const [all, types, collections] = await Promise.all([
    readPages<Ahj>(calls, "/v1/ahjs?"),
    readPages<DataPointType>(calls, "/v1/data-points/types?"),
    readPages<Collection>(calls, "/v1/collections?"),
  ]);
  const timesByGeoid = countBy(all, (ahj) => ahj.geoid ?? "");
  const residential = collections.find((collection) => collection.name === "Residential solar");
  if (!residential) throw new Error("the service has no collection of the residential types");
  const isResidential = new Set(residential.data_point_type_ids);
  return {
    ahjs: all.filter(({ geoid }) => geoid !== null && timesByGeoid.get(geoid) === 1),
    ahjsInAll: all.length,
    ahjsByState: countBy(all, (ahj) => ahj.state_code),
    types,
    residentialTypes: types.filter((type) => isResidential.has(type.id)),
  };
}

/** Reads a whole list; `path` ends where the paging goes. Pages after the first come six at a time. */
export async function readPages<Item>(calls: ServiceCalls, path: string): Promise<Item[]> {
  const readPage = (page: number) => calls.get<Page<Item>>(`${path}page=${page}&page_size=${pageSize}`);
  const first = await readPage(1);
  const rest = Array.from({ length: Math.max(0, first.pagination.total_pages - 1) }, (_, at) =>
    readPage(at + 2),
  );
  return [first, ...(await Promise.all(rest))].flatMap((page) => page.items);
}

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}
