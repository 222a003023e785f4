import { orderMs } from "./age";
import { databaseName, factsOf } from "./store";

/** The number and age of the answers that one space has on disk. */
export interface CacheCount {
  /** Published values, and the service's statements that it has none. */
  answers: number;
  jurisdictions: number;
  /** The fetch times of the jurisdictions' newest answers: the earliest and the latest of them. Null if no time is known. */
  oldestMs: number | null;
  newestMs: number | null;
}

/** Counts the answers on disk without reading them. Fails if the disk can't be read. */
export async function countAnswers(
  space: Promise<string>,
  factory: Pick<IDBFactory, "open"> = globalThis.indexedDB,
): Promise<CacheCount> {
  const name = await space;
  const count: CacheCount = { answers: 0, jurisdictions: 0, oldestMs: null, newestMs: null };
  const database = await openExisting(factory);
  if (!database) return count;
  try {
    if (!database.objectStoreNames.contains("shards")) return count;
    const shards = await factsOf(database.transaction("shards").objectStore("shards"));
    for (const { answers, jurisdictions, oldestMs, newestMs } of shards.filter(
      ({ key }) => key[0] === name,
    )) {
      count.answers += answers;
      count.jurisdictions += jurisdictions;
      // An answer that was fetched while the clock was ahead has an unknown age.
      const known = [oldestMs, newestMs].filter((atMs) => orderMs(atMs) > 0);
      if (known.length === 0) continue;
      count.oldestMs = Math.min(count.oldestMs ?? Infinity, ...known);
      count.newestMs = Math.max(count.newestMs ?? 0, ...known);
    }
  } finally {
    database.close();
  }
  return count;
}

/** Resolves to undefined if the database does not exist. Only `createDisk` may create it, because it knows the stores. */
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
