import { createDisk, type Disk } from "./disk";

/** The browser's own disk; without one, all stays in memory and `onFailure` is told. */
export function createBrowserDisk(onFailure: () => void): Disk {
  return createDisk({ indexedDB: browserIndexedDB(), onFailure });
}

function browserIndexedDB(): IDBFactory | undefined {
  try {
    return globalThis.indexedDB;
  } catch {
    // Some browsers throw where a frame may not store anything.
    return undefined;
  }
}
