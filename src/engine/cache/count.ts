import { orderMs } from "./age";
import { headOf } from "./part-head";
import { allOf, databaseName, heads } from "./store";

/** What is kept on disk of one space. */
export interface CacheCount {
  /** Values, and what the service said it has none of. */
  answers: number;
  jurisdictions: number;
  /** When the jurisdiction that was asked about longest ago was last fetched, and the latest one; null where none was. */
  oldestMs: number | null;
  newestMs: number | null;
}

/** Counts what is kept, without reading it. Fails where the disk can't be read. */
export async function countAnswers(
  space: Promise<string>,
  factory: Pick<IDBFactory, "open"> = globalThis.indexedDB,
): Promise<CacheCount> {
  const name = await space;
  const count: CacheCount = { answers: 0, jurisdictions: 0, oldestMs: null, newestMs: null };
  const database = await openExisting(factory);
  if (!database) return count;
  try {
    if (!database.objectStoreNames.contains(heads)) return count;
    const records = await new Promise<unknown[]>((resolve, reject) => {
      const request = database.transaction(heads).objectStore(heads).getAll(allOf(name));
      request.onerror = () => reject(request.error);
      request.onsuccess = () => resolve(request.result);
    });
    for (const { count: answers, newestMs } of records.flatMap((record) => headOf(record)?.rows ?? [])) {
      count.answers += answers;
      count.jurisdictions += 1;
      // Fetched while the clock was ahead: nobody knows when.
      if (orderMs(newestMs) === 0) continue;
      count.oldestMs = Math.min(count.oldestMs ?? newestMs, newestMs);
      count.newestMs = Math.max(count.newestMs ?? newestMs, newestMs);
    }
  } finally {
    database.close();
  }
  return count;
}

/** Undefined where there is none: to make it, with its stores, is the disk's. */
function openExisting(factory: Pick<IDBFactory, "open">): Promise<IDBDatabase | undefined> {
  return new Promise((resolve, reject) => {
    const request = factory.open(databaseName);
    let isNew = false;
    request.onupgradeneeded = () => {
      isNew = true;
      request.transaction?.abort();
    };
    request.onerror = () => (isNew ? resolve(undefined) : reject(request.error));
    request.onsuccess = () => {
      const database = request.result;
      database.onversionchange = () => database.close();
      resolve(database);
    };
  });
}
