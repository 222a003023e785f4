import { createDisk, type Disk, type DiskOptions } from "./store";

/** Creates the browser's own disk. Without one, all data stays in memory and `onFailure` is called. */
export function createBrowserDisk(onFailure: () => void): Disk {
  return createDisk({ indexedDB: browserIndexedDB(), onFailure });
}

function browserIndexedDB(): DiskOptions["indexedDB"] {
  try {
    return globalThis.indexedDB;
  } catch (thrown) {
    // Some browsers throw if a frame may not store anything. The frame may have been allowed to before, so this is a disk that does not
    // open rather than no disk.
    return {
      open() {
        throw thrown;
      },
    };
  }
}
