import type { Disk } from "../../src/engine/cache/store";

/** A disk that never fails, and a copy of all that is on it. */
export function memoryDisk(records = new Map<string, unknown>()): Disk & { copy(): Map<string, unknown> } {
  const keyOf = (store: string, space: string, key: number | string) => JSON.stringify([space, store, key]);
  return {
    async read(store, space, keys, take) {
      const name = await space;
      for (const key of keys) {
        const record = records.get(keyOf(store, name, key));
        if (record !== undefined) take(key, structuredClone(record));
      }
    },
    async change(store, space, changes) {
      const name = await space;
      for (const [key, change] of changes) {
        const place = keyOf(store, name, key);
        if (change === null) records.delete(place);
        else records.set(place, typeof change === "function" ? change(records.get(place)) : change);
      }
      return true;
    },
    async clear(space) {
      const start = `[${JSON.stringify(await space)},`;
      for (const key of records.keys()) if (key.startsWith(start)) records.delete(key);
      return true;
    },
    spaces: () =>
      Promise.resolve([...new Set([...records.keys()].map((key) => (JSON.parse(key) as string[])[0]!))]),
    fail() {},
    copy: () => structuredClone(records),
  };
}
