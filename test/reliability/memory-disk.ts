import type { Disk } from "../../src/engine/cache/store";

/** A disk that never fails; `copy` returns all its records. */
export function memoryDisk(records = new Map<string, unknown>()): Disk & { copy(): Map<string, unknown> } {
  const placeOf = (store: string, space: string, key: number | string) => JSON.stringify([space, store, key]);
  const inSpace = (space: string) => {
    const start = JSON.stringify([space]).replace(/]$/, ",");
    return [...records.keys()].filter((place) => place.startsWith(start));
  };
  return {
    async readDocuments(space, names, take) {
      const name = await space;
      for (const key of names) {
        const record = records.get(placeOf("documents", name, key));
        if (record !== undefined) take(key, structuredClone(record));
      }
    },
    async writeDocuments(space, documents) {
      const name = await space;
      for (const [key, record] of documents) records.set(placeOf("documents", name, key), record);
      return true;
    },
    async readShards(space, shards, take) {
      const name = await space;
      for (const shard of shards) {
        const record = records.get(placeOf("shards", name, shard));
        if (record !== undefined) take(shard, structuredClone(record));
      }
    },
    async changeShard(space, shard, change) {
      const place = placeOf("shards", await space, shard);
      const changed = change(structuredClone(records.get(place)));
      if (changed === undefined) records.delete(place);
      else if (changed !== "unchanged") records.set(place, structuredClone(changed));
      return true;
    },
    async clear(space) {
      for (const place of inSpace(await space)) records.delete(place);
      return true;
    },
    spaces: () =>
      Promise.resolve([...new Set([...records.keys()].map((place) => (JSON.parse(place) as string[])[0]!))]),
    fail() {},
    copy: () => structuredClone(records),
  };
}
