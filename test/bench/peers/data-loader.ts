import DataLoader from "dataloader";
import type { AhjDetail, DataPointValue } from "../../../src/engine/api/schemas";
import type { Answer } from "../play/ask";
import { readPages } from "../service/reference-data";
import { addressLength, cellKey, type Peer, resolveOnce, unique } from "./peer";
import type { ServiceCalls } from "./service-calls";

interface Cell {
  ahjId: number;
  typeId: number;
}

/**
 * (c) `dataloader` over `GET /v1/data-points`: the calls of one tick make a batch, which is cut by AHJ so that the addresses stay short;
 * all pages are read. A second loader asks for the geoIDs' AHJs.
 */
export const dataLoader: Peer = {
  name: "dataloader",
  answer({ asks, known }, calls) {
    const ahjs = new DataLoader<string, number>((geoids) =>
      Promise.all(geoids.map(async (geoid) => (await calls.get<AhjDetail>(`/v1/geoid/${geoid}`)).id)),
    );
    const resolve = resolveOnce(known, (geoid) => ahjs.load(geoid));
    const values = new DataLoader<Cell, Answer, string>((cells) => readCells(cells, calls), {
      cacheKeyFn: ({ ahjId, typeId }) => cellKey(ahjId, typeId),
    });
    return Promise.all(
      asks.map(async ({ geoid, typeId }) => values.load({ ahjId: await resolve(geoid), typeId })),
    );
  },
};

async function readCells(cells: readonly Cell[], calls: ServiceCalls): Promise<Answer[]> {
  const values = new Map<string, Answer>();
  await Promise.all(
    addresses(cells).map(async (address) => {
      for (const point of await readPages<DataPointValue>(calls, address)) {
        values.set(cellKey(point.ahj.id, point.data_point_type.id), point.value);
      }
    }),
  );
  return cells.map(({ ahjId, typeId }) => values.get(cellKey(ahjId, typeId)) ?? null);
}

/** Characters for the base address and the paging. */
const besidesLists = 100;

/** Adds AHJ after AHJ as long as the address stays short enough. */
function addresses(cells: readonly Cell[]): string[] {
  const typesByAhj = new Map<number, number[]>();
  for (const { ahjId, typeId } of cells) typesByAhj.set(ahjId, [...(typesByAhj.get(ahjId) ?? []), typeId]);
  const found: string[] = [];
  let ahjIds: number[] = [];
  let typeIds: number[] = [];
  for (const [ahjId, wanted] of typesByAhj) {
    const more = unique([...typeIds, ...wanted]);
    if (ahjIds.length > 0 && addressOf([...ahjIds, ahjId], more).length + besidesLists > addressLength) {
      found.push(addressOf(ahjIds, typeIds));
      ahjIds = [ahjId];
      typeIds = unique(wanted);
    } else {
      ahjIds.push(ahjId);
      typeIds = more;
    }
  }
  return ahjIds.length === 0 ? found : [...found, addressOf(ahjIds, typeIds)];
}

function addressOf(ahjIds: readonly number[], typeIds: readonly number[]): string {
  return `/v1/data-points?ahj_ids=${ahjIds.join(",")}&data_point_type_ids=${typeIds.join(",")}&`;
}
