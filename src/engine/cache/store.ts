import { partsOf } from "../../lists";
import { type IDBPDatabase, type IDBPTransaction, unwrap, wrap } from "idb";
import { config } from "../../config";
import { orderMs } from "./age";
import { headOf, type StoredHead } from "./part-head";
import type { DocumentRecord } from "./records";

export const databaseName = "regdata";
/** The name of the object store that says what the parts hold. */
export const heads = "heads";
/** The key of each record is its space and a name or number within the space. */
const stores = ["documents", heads, "parts"] as const;
type Store = (typeof stores)[number];
/** Version 1 kept each AHJ's answers in a record of its own. */
const version = 2;

export type Space = string | Promise<string>;

/**
 * The browser's storage of documents and parts of answers, by space. No method ever rejects: if the disk fails, nothing is read and nothing
 * is kept.
 */
export interface Disk {
  /** Passes each document that exists to `take`, all in a single transaction. A document may come twice. */
  readDocuments(
    space: Space,
    names: readonly string[],
    take: (name: string, record: unknown) => void,
  ): Promise<void>;
  /** Writes all documents in one transaction. Resolves to false if that failed. */
  writeDocuments(space: Space, records: ReadonlyMap<string, DocumentRecord>): Promise<boolean>;
  /** Runs `work` on the parts of a space in one transaction, perhaps twice. Resolves to undefined if the disk failed. */
  withParts<Result>(
    space: Space,
    mode: "readonly" | "readwrite",
    work: (parts: Parts) => Promise<Result>,
  ): Promise<Result | undefined>;
  /** Removes all records of a space. Resolves to true if none is left, to false if the disk failed and may still have some. */
  clear(space: Space): Promise<boolean>;
  /** The names of the spaces that have records; none if the disk fails. */
  spaces(): Promise<string[]>;
  /** Reports to `onFailure` that something could not be made a record. */
  fail(): void;
}

/** The parts of a space during one transaction. `work` must await nothing else. A failed write fails the transaction. */
export interface Parts {
  /** All heads, with the numbers of their parts. */
  heads(): Promise<[id: number, head: unknown][]>;
  read(id: number): Promise<unknown>;
  put(id: number, head: StoredHead, part: unknown): void;
  putHead(id: number, head: StoredHead): void;
  delete(id: number): void;
}

export interface DiskOptions {
  /** The browser's IndexedDB. Without it there is no disk. */
  indexedDB?: Pick<IDBFactory, "open"> | undefined;
  /** Called at the first failure: some or all of what was put will be missing after a restart. */
  onFailure?: (() => void) | undefined;
}

/** The opening is given up after this time, because a page that does not give way could block it forever. */
const openingMs = 5_000;
/** A transaction is given up if none of its requests succeeds for this time, because another page's transaction could block it forever. */
const stalledMs = 10_000;
/** The number of requests made at once. Making 1,000 requests blocks the page for 100 ms, making this many for 10 ms. */
const requestsAtOnce = 50;

export function createDisk({ indexedDB: factory, onFailure }: DiskOptions = {}): Disk {
  let connection: Promise<IDBPDatabase> | undefined;
  let isGivenUp = false;
  let hasFailed = false;
  /** Bytes of answers written since the limits were last checked. Infinity makes the first write check them. */
  let uncheckedBytes = Infinity;

  function fail() {
    if (!hasFailed) onFailure?.();
    hasFailed = true;
  }

  function giveUp() {
    isGivenUp = true;
    fail();
  }

  /** Runs `work` in a transaction. Resolves to undefined if the transaction failed. */
  async function run<Mode extends IDBTransactionMode, Result>(
    names: readonly Store[],
    mode: Mode,
    work: (transaction: IDBPTransaction<unknown, Store[], Mode>) => Promise<Result>,
  ): Promise<Result | undefined> {
    for (const isLastTry of [false, true]) {
      if (isGivenUp) return undefined;
      const opening = (connection ??= openDatabase(factory));
      const database = await opening.catch(() => undefined);
      let transaction: IDBPTransaction<unknown, Store[], Mode> | undefined;
      try {
        if (!database) throw new Error("The database can't be opened.");
        transaction = database.transaction([...names], mode, { durability: "relaxed" });
        const [result] = await unlessStalled(transaction, Promise.all([work(transaction), transaction.done]));
        return result;
      } catch (thrown) {
        abort(transaction);
        // A full disk can still be read.
        if (isFull(thrown) || isFull(transaction?.error)) {
          fail();
          return undefined;
        }
        // Browsers close databases that are in use, Safari above all, and each reports it with an error of its own.
        if (connection === opening) connection = undefined;
        if (isLastTry || !database) giveUp();
      }
    }
    return undefined;
  }

  /** The name of the space; "" if the name is not available, so that nothing can be kept. */
  async function nameOf(space: Space): Promise<string> {
    try {
      return await space;
    } catch {
      giveUp();
      return "";
    }
  }

  /** Removes the answers beyond the size limit, least recently used first, and the documents beyond the age limit. */
  async function removeExcess() {
    await run(["heads", "parts"], "readwrite", async (transaction) => {
      const [heads, parts] = [transaction.objectStore("heads"), transaction.objectStore("parts")];
      const [keys, records] = await Promise.all([heads.getAllKeys(), heads.getAll()]);
      const kept = keys.map((key, index) => ({
        key,
        ...(headOf(records[index]) ?? { bytes: 0, usedAtMs: 0 }),
      }));
      // A part whose time is in the future is removed first, because nobody knows when it was really used.
      const order = ({ usedAtMs }: { usedAtMs: number }) => orderMs(usedAtMs);
      kept.sort((one, other) => order(one) - order(other));
      let bytes = kept.reduce((sum, head) => sum + head.bytes, 0);
      for (const { key, ...head } of kept) {
        if (bytes <= config.keptBytes) break;
        bytes -= head.bytes;
        await Promise.all([heads.delete(key), parts.delete(key)]);
      }
    });
    await run(["documents"], "readwrite", async (transaction) => {
      const documents = transaction.objectStore("documents");
      const ages = documents.index("age");
      const ranges = [
        IDBKeyRange.upperBound(Date.now() - config.documentAgeMs),
        // A document that was fetched while the clock was ahead is removed as well, because nobody knows its age.
        IDBKeyRange.lowerBound(Date.now() + 1),
      ];
      const old = await Promise.all(ranges.map((range) => ages.getAllKeys(range)));
      for (const key of old.flat()) await documents.delete(key);
    });
  }

  async function checkBounds() {
    if (uncheckedBytes <= config.keptBytes / 10) return;
    uncheckedBytes = 0;
    await removeExcess();
  }

  return {
    fail,

    async readDocuments(space, names, take) {
      if (names.length === 0) return;
      const name = await nameOf(space);
      await run(["documents"], "readonly", async (transaction) => {
        const documents = transaction.objectStore("documents");
        for (const some of partsOf(names, requestsAtOnce)) {
          await Promise.all(
            some.map(async (key) => {
              const record: unknown = await documents.get([name, key]);
              if (record !== undefined) take(key, record);
            }),
          );
        }
      });
    },
    async writeDocuments(space, records) {
      const name = await nameOf(space);
      const isWritten = await run(["documents"], "readwrite", async (transaction) => {
        const documents = transaction.objectStore("documents");
        for (const some of partsOf([...records], requestsAtOnce))
          await Promise.all(some.map(async ([key, record]) => documents.put(record, [name, key])));
        return true;
      });
      await checkBounds();
      return isWritten ?? false;
    },
    async withParts(space, mode, work) {
      const name = await nameOf(space);
      let bytes = 0;
      const result = await run(["heads", "parts"], mode, async (transaction) => {
        bytes = 0;
        return work(partsIn(transaction, name, (put) => (bytes += put)));
      });
      uncheckedBytes += bytes;
      if (bytes > 0) await checkBounds();
      return result;
    },
    async clear(space) {
      // Without a disk or a name nothing was kept.
      const name = factory && (await Promise.resolve(space).catch(() => undefined));
      if (name === undefined) return true;
      const isCleared = await run(stores, "readwrite", async (transaction) => {
        await Promise.all(stores.map((store) => transaction.objectStore(store).delete(allOf(name))));
        return true;
      });
      return isCleared ?? false;
    },
    async spaces() {
      if (!factory) return [];
      const names = await run(stores, "readonly", async (transaction) => {
        const found = new Set<string>();
        for (const store of stores) {
          let cursor = await transaction.objectStore(store).openKeyCursor();
          while (cursor) {
            const [name] = cursor.key as [string];
            found.add(name);
            // An array sorts after any name or number, so this key skips the rest of the space.
            cursor = await cursor.continue([name, []]);
          }
        }
        return [...found];
      });
      return names ?? [];
    },
  };
}

/** Waits for a transaction's work. Fails if none of the transaction's requests succeeds for `stalledMs`. */
function unlessStalled<Result>(
  transaction: Pick<IDBTransaction, "addEventListener">,
  work: Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stall = () => reject(new Error("The transaction does not go on."));
    let timer = setTimeout(stall, stalledMs);
    const goOn = () => {
      clearTimeout(timer);
      timer = setTimeout(stall, stalledMs);
    };
    // A request's success does not bubble to its transaction, but can be captured there.
    transaction.addEventListener("success", goOn, { capture: true });
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Aborts a transaction, because half of its work would be worse than none. */
function abort(transaction: Pick<IDBTransaction, "abort"> | undefined): void {
  try {
    transaction?.abort();
  } catch {
    // The transaction has already ended.
  }
}

function partsIn<Mode extends "readonly" | "readwrite">(
  transaction: IDBPTransaction<unknown, Store[], Mode>,
  space: string,
  onPut: (bytes: number) => void,
): Parts {
  const [heads, parts] = [unwrap(transaction.objectStore("heads")), unwrap(transaction.objectStore("parts"))];
  const keyOf = (id: number) => [space, id];
  return {
    async heads() {
      const all = allOf(space);
      const [keys, records] = await Promise.all([wrap(heads.getAllKeys(all)), wrap(heads.getAll(all))]);
      return keys.map((key, index) => [(key as [string, number])[1], records[index]]);
    },
    read: (id) => wrap(parts.get(keyOf(id))),
    // A failed write ends the transaction, and the caller waits for the transaction's end.
    put(id, head, part) {
      heads.put(head, keyOf(id));
      parts.put(part, keyOf(id));
      onPut(head.bytes);
    },
    putHead: (id, head) => void heads.put(head, keyOf(id)),
    delete(id) {
      heads.delete(keyOf(id));
      parts.delete(keyOf(id));
    },
  };
}

/** The range of the keys of all records of a space. */
export const allOf = (space: string) => IDBKeyRange.bound([space], [space, []]);

function isFull(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}

function openDatabase(factory: DiskOptions["indexedDB"]): Promise<IDBPDatabase> {
  return new Promise((resolve, reject) => {
    if (!factory) throw new Error("There is no IndexedDB.");
    const request = factory.open(databaseName, version);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Error("The database does not open."));
    }, openingMs);
    request.onupgradeneeded = () => {
      const database = request.result;
      if (database.objectStoreNames.contains("answers")) database.deleteObjectStore("answers");
      if (database.objectStoreNames.contains("documents"))
        request.transaction?.objectStore("documents").deleteIndex("age");
      else database.createObjectStore("documents");
      request.transaction?.objectStore("documents").createIndex("age", "atMs");
      database.createObjectStore("heads");
      database.createObjectStore("parts");
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      const database = request.result;
      if (isLate) return database.close();
      // Another page wants to upgrade or delete the database.
      database.onversionchange = () => database.close();
      resolve(wrap(database));
    };
  });
}
