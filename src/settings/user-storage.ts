import { Failure } from "../errors";
import type { UserStorage } from "./connection";

/** What a page has of storage when Office is ready. */
export interface StorageHost {
  /**
   * `partitionKey` is a text where a browser shows the add-in inside several sites, as Excel on the web does. Elsewhere
   * it is missing, against its type (Microsoft, "Persist add-in state and settings").
   */
  Office: { context: { [Name in keyof Pick<Office.Context, "partitionKey">]?: unknown } };
  OfficeRuntime?: { storage: Pick<OfficeRuntime.Storage, keyof UserStorage> } | undefined;
  localStorage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

/**
 * The one door to what this user keeps on this device: the browser's storage behind the partition's key, where there
 * is one, else Office's own storage, or the browser's where Office has none. What was kept before there was a partition
 * moves into it when it is first read. Every call fails with storage-failed if the storage does.
 */
export function createUserStorage(ready: () => Promise<StorageHost>): UserStorage {
  /** Where to keep something, what to put before its name there, and where it lay before there was a partition. */
  async function places() {
    const host = await ready();
    const { partitionKey } = host.Office.context;
    const shared = host.OfficeRuntime?.storage ?? host.localStorage;
    return partitionKey && typeof partitionKey === "string"
      ? ([host.localStorage, partitionKey, shared] as const)
      : ([shared, "", shared] as const);
  }

  return {
    getItem: (name) =>
      orFail(async () => {
        const [own, partition, shared] = await places();
        const kept = await own.getItem(partition + name);
        if (kept !== null || !partition) return kept;
        const before = await shared.getItem(name);
        if (before === null) return null;
        // Meanwhile something newer may have been kept.
        const newer = await own.getItem(partition + name);
        if (newer === null) await own.setItem(partition + name, before);
        await shared.removeItem(name);
        return newer ?? before;
      }),
    setItem: (name, value) =>
      orFail(async () => {
        const [own, partition] = await places();
        await own.setItem(partition + name, value);
      }),
    removeItem: (name) =>
      orFail(async () => {
        const [own, partition, shared] = await places();
        await own.removeItem(partition + name);
        await shared.removeItem(name);
      }),
  };
}

async function orFail<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new Failure("storage-failed", { cause });
  }
}
