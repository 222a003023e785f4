import { vi } from "vitest";
import { createDisk } from "../../src/engine/cache/store";
import { connectionStorageKey, storedForm, type UserStorage } from "../../src/settings/connection";
import { IDBFactory } from "../engine/cache/database";
import { memoryStorage } from "../settings/memory-storage";
import { baseUrl } from "../recorded-service";
import { key } from "./operations";
import { type ExpectedOutcomes, fails, type Outcome, right } from "./outcomes";
import type { Fault, Playing } from "./run";

type Open = IDBFactory["open"];

/** Plays the browser's database with its opening, or the opened database, changed. */
function onDisk(change: (factory: IDBFactory) => { open?: Open } | void, end?: () => void): () => Playing {
  return () => ({
    openDisk(onFailure) {
      const factory = new IDBFactory();
      const { open } = change(factory) ?? {};
      const indexedDB = open ? Object.assign(Object.create(factory) as IDBFactory, { open }) : factory;
      return createDisk({ indexedDB, onFailure });
    },
    ...(end && { end }),
  });
}

/** Changes the disk's records as they are read. */
const reading = (change: (record: unknown) => unknown): void => {
  const { get } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, "get").mockImplementation(function (this: IDBObjectStore, query) {
    const request = get.call(this, query);
    Object.defineProperty(request, "result", { get: () => change(query), set() {} });
    return request;
  });
};

const restore = (method: "get" | "put") => () => {
  vi.mocked(IDBObjectStore.prototype[method]).mockRestore();
};

/** Plays the storage of the key and the preferences, with some functions that fail. */
function storageWith(change: (kept: UserStorage) => Partial<UserStorage>): () => Playing {
  return () => {
    const kept = memoryStorage({ [connectionStorageKey]: storedForm({ baseUrl, key }) });
    let isOn = true;
    const changed = change(kept);
    const either =
      <Name extends keyof UserStorage>(name: Name) =>
      (...args: unknown[]) => {
        const work = (isOn && changed[name]) || kept[name];
        return (work as (...all: unknown[]) => Promise<never>)(...args);
      };
    return {
      storage: { getItem: either("getItem"), setItem: either("setItem"), removeItem: either("removeItem") },
      end: () => void (isOn = false),
    };
  };
}

const broken = () => Promise.reject(new DOMException("damaged", "UnknownError"));
const silent = () => new Promise<never>(() => {});
const storageFailed = (waitsS?: number) =>
  fails("storage-failed", { requests: 0, ...(waitsS && { waitsS }) });

const fault = (name: string, play: () => Playing, expected: ExpectedOutcomes): Fault => ({
  name,
  play,
  expected,
});
/** The same outcome for all operations but freezing, which needs neither key nor disk. */
const all = (outcome: Outcome, except: Partial<ExpectedOutcomes> = {}): ExpectedOutcomes => ({
  all: outcome,
  freeze: right(),
  ...except,
});

export const storeFaults: Fault[] = [
  fault(
    "There is no IndexedDB",
    () => ({ openDisk: (onFailure) => createDisk({ indexedDB: undefined, onFailure }) }),
    all(right()),
  ),
  fault(
    "IndexedDB is blocked: opening it never ends",
    onDisk(() => ({ open: () => new EventTarget() as IDBOpenDBRequest })),
    all(right({ waitsS: 5 })),
  ),
  fault(
    "IndexedDB is forbidden",
    onDisk(() => ({
      open() {
        throw new DOMException("No storage here.", "SecurityError");
      },
    })),
    all(right()),
  ),
  fault(
    "It is full",
    onDisk(() => {
      vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
        throw new DOMException("The disk is full.", "QuotaExceededError");
      });
    }, restore("put")),
    all(right()),
  ),
  fault(
    "What it holds is damaged",
    onDisk(
      () =>
        reading(() => ({
          format: 1,
          atMs: Date.now(),
          content: 42,
          typeIds: [1003],
          times: [],
          columns: {},
        })),
      restore("get"),
    ),
    all(right()),
  ),
  fault(
    "Reading it fails",
    onDisk(() => {
      vi.spyOn(IDBObjectStore.prototype, "get").mockImplementation(() => {
        throw new DOMException("damaged", "UnknownError");
      });
    }, restore("get")),
    all(right()),
  ),
  fault(
    "It is of a future version",
    onDisk((factory) => {
      factory.open("regdata", 99);
    }),
    all(right()),
  ),
  fault(
    "The storage is empty when the workbook opens",
    () => ({ storage: memoryStorage(), end: ({ app }) => app.connect(baseUrl, key) }),
    all(fails("no-key", { requests: 0 })),
  ),
  fault(
    "The storage can't be read",
    storageWith(() => ({ getItem: broken })),
    all(storageFailed()),
  ),
  fault(
    "The storage never answers",
    storageWith(() => ({ getItem: silent })),
    all(storageFailed(30)),
  ),
  fault(
    "The storage can't be written",
    storageWith(() => ({ setItem: broken, removeItem: broken })),
    all(right()),
  ),
  fault(
    "The storage is cleared meanwhile",
    () => {
      const storage = memoryStorage({ [connectionStorageKey]: storedForm({ baseUrl, key }) });
      return { storage, intercept: () => void storage.removeItem(connectionStorageKey) as undefined };
    },
    all(right()),
  ),
];
