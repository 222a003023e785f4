import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import type { CachedAnswer } from "../../../src/engine/cache/cached-answer";
import { type Cache, openCache } from "../../../src/engine/cache/cache";
import { createDisk } from "../../../src/engine/cache/store";

// IndexedDB's classes stay for `instanceof`. A database on the global object would be open to every other file's pages.
Reflect.deleteProperty(globalThis, "indexedDB");

export { IDBFactory };

export function answer(value: string, fetchedAtMs = 1_000): CachedAnswer {
  return { fetchedAtMs, value, reference: "City Code", section: "§ 12", updatedAt: "2026-03-01T12:00:00Z" };
}

export function absence(fetchedAtMs = 1_000): CachedAnswer {
  return { fetchedAtMs, absence: "no-value" };
}

/** A newly opened page. */
export function newPage(indexedDB: IDBFactory | undefined, space: string | Promise<string> = "space"): Cache {
  return openCache(createDisk({ indexedDB }), space);
}

export function requested<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Opens the cache's database directly, without the cache. */
export async function withDatabase<Result>(
  factory: IDBFactory,
  work: (database: IDBDatabase) => Result | Promise<Result>,
): Promise<Result> {
  const database = await requested(factory.open("regdata"));
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

export interface StoredRecord {
  store: string;
  key: IDBValidKey;
  record: Record<string, unknown>;
}

/** All that is on the disk. */
export function storedRecords(factory: IDBFactory): Promise<StoredRecord[]> {
  return withDatabase(factory, async (database) => {
    const found: StoredRecord[] = [];
    for (const store of database.objectStoreNames) {
      const records = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([
        requested(records.getAllKeys()),
        requested(records.getAll()),
      ]);
      keys.forEach((key, index) => found.push({ store, key, record: values[index] }));
    }
    return found;
  });
}

/** Replaces a record with another content. */
export function overwrite(
  factory: IDBFactory,
  { store, key }: StoredRecord,
  record: unknown,
): Promise<unknown> {
  return withDatabase(factory, (database) =>
    requested(database.transaction(store, "readwrite").objectStore(store).put(record, key)),
  );
}

/** The AHJs that the disk has answers of, in all spaces. */
export async function storedAhjIds(factory: IDBFactory): Promise<number[]> {
  const shards = (await storedRecords(factory)).filter(({ store }) => store === "shards");
  return shards
    .flatMap(({ record }) => [...(record.ahjIds as Float64Array)])
    .sort((one, other) => one - other);
}
