import { createDisk, type Disk, type DiskOptions } from "./store";

/** The browser's own disk; without one, all stays in memory and `onFailure` is told. */
export function createBrowserDisk(onFailure: () => void): Disk {
  return createDisk({ indexedDB: browserIndexedDB(), onFailure });
}

function browserIndexedDB(): DiskOptions["indexedDB"] {
  try {
    return globalThis.indexedDB;
  } catch (thrown) {
    // Some browsers throw where a frame may not store anything. It may have been allowed to before, so this is a
    // disk that does not open, not none.
    return {
      open() {
        throw thrown;
      },
    };
  }
}
