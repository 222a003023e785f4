import { Failure } from "../errors";
import type { UserStorage } from "./connection";

/** The storages that a page has when Office is ready. */
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
 * The only access to the data that this user keeps on this device: the browser's storage under the partition's key if there is one,
 * otherwise Office's own storage, or the browser's if Office has none. Data from before there was a partition moves into it when it is
 * first read. Every call fails with storage-failed if the storage does.
 */
export function createUserStorage(ready: () => Promise<StorageHost>): UserStorage {
  /** The storage to use, the prefix for names in it, and the storage that was used before there was a partition. */
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
        // Something newer may have been stored meanwhile.
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
