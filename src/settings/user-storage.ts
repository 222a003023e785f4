import type { UserStorage } from "./connection";

/** What a page has of storage when Office is ready. */
export interface StorageHost {
  /**
   * `partitionKey` is a text where a browser shows the add-in inside several sites, as Excel on the web does. Elsewhere
   * it is missing, against its type (Microsoft, "Persist add-in state and settings").
   */
  Office: { context: { partitionKey?: unknown } };
  OfficeRuntime?: { storage: UserStorage } | undefined;
  localStorage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

/**
 * The one door to what this user keeps on this device: the browser's storage behind the partition's key, where there
 * is one, else Office's own storage, or the browser's where Office has none. What was kept before there was a partition
 * moves into it when it is first read. Every call fails where the storage does.
 */
export function createUserStorage(ready: () => Promise<StorageHost>): UserStorage {
  async function places() {
    const host = await ready();
    const { partitionKey } = host.Office.context;
    const partition = typeof partitionKey === "string" ? partitionKey : "";
    const shared = host.OfficeRuntime?.storage ?? host.localStorage;
    return { partition, shared, own: partition ? host.localStorage : shared };
  }

  return {
    async getItem(key) {
      const { partition, shared, own } = await places();
      const kept = await own.getItem(partition + key);
      if (kept !== null || !partition) return kept;
      const before = await shared.getItem(key);
      if (before !== null) {
        await own.setItem(partition + key, before);
        await shared.removeItem(key);
      }
      return before;
    },
    async setItem(key, value) {
      const { partition, own } = await places();
      await own.setItem(partition + key, value);
    },
    async removeItem(key) {
      const { partition, shared, own } = await places();
      await own.removeItem(partition + key);
      await shared.removeItem(key);
    },
  };
}
