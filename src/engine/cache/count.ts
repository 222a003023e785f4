import { databaseName, type Store } from "./store";

/** What is kept on disk of one space. */
export interface CacheCount {
  /** Values, and what the service said it has none of. */
  answers: number;
  jurisdictions: number;
  /** When the jurisdiction that was asked about longest ago was last fetched, and the latest one; null where none was. */
  oldestMs: number | null;
  newestMs: number | null;
}

const store: Store = "answers";

/** Counts what is kept, without reading it. Fails where the disk can't be read. */
export async function countAnswers(
  space: Promise<string>,
  factory: Pick<IDBFactory, "open"> = globalThis.indexedDB,
): Promise<CacheCount> {
  const name = await space;
  const count: CacheCount = { answers: 0, jurisdictions: 0, oldestMs: null, newestMs: null };
  const database = await openExisting(factory);
  if (!database) return count;
  const nowMs = Date.now();
  try {
    await new Promise<void>((resolve, reject) => {
      // Of 30,000 jurisdictions their ages alone, which are in the index, come in a second.
      const request = database.transaction(store).objectStore(store).index("age").openKeyCursor();
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return resolve();
        const [ageSpace] = cursor.primaryKey as [string];
        if (ageSpace === name) {
          const [atMs, answers] = cursor.key as [number, number];
          count.answers += answers;
          count.jurisdictions += 1;
          // Fetched while the clock was ahead: nobody knows when.
          if (atMs > 0 && atMs <= nowMs) {
            count.oldestMs ??= atMs;
            count.newestMs = atMs;
          }
        }
        cursor.continue();
      };
    });
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
