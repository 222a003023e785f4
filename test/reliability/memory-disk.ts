import type { Disk } from "../../src/engine/cache/store";

/** A disk that never fails; `copy` returns all its records. */
export function memoryDisk(records = new Map<string, unknown>()): Disk & { copy(): Map<string, unknown> } {
  const placeOf = (store: string, space: string, key: number | string) => JSON.stringify([space, store, key]);
  const inSpace = (space: string, store?: string) => {
    const start = JSON.stringify(store === undefined ? [space] : [space, store]).replace(/]$/, ",");
    return [...records.keys()].filter((place) => place.startsWith(start));
  };
  /** Settles when the last transaction has ended: they run one after another. */
  let last: Promise<unknown> = Promise.resolve();
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
    async withParts(space, _mode, work) {
      const name = await space;
      const result = last.then(() =>
        work({
          async heads() {
            return inSpace(name, "heads").map((place) => [
              (JSON.parse(place) as [string, string, number])[2],
              structuredClone(records.get(place)),
            ]);
          },
          async read(id) {
            return structuredClone(records.get(placeOf("parts", name, id)));
          },
          put(id, head, part) {
            records.set(placeOf("heads", name, id), structuredClone(head));
            records.set(placeOf("parts", name, id), structuredClone(part));
          },
          putHead: (id, head) => void records.set(placeOf("heads", name, id), structuredClone(head)),
          delete(id) {
            records.delete(placeOf("heads", name, id));
            records.delete(placeOf("parts", name, id));
          },
        }),
      );
      last = result;
      return result;
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
