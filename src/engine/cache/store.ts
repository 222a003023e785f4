import { partsOf } from "../../lists";
import { type IDBPDatabase, type IDBPTransaction, unwrap, wrap } from "idb";
import { config } from "../../config";
import { orderMs } from "./age";
import type { DocumentRecord } from "./records";
import { factNames, type ShardFacts, shardFacts, type StoredShard } from "./shard";

export const databaseName = "regdata";
/** The key of each record is its space and a name or number within the space. */
const stores = ["documents", "shards"] as const;
type Store = (typeof stores)[number];
const version = 3;
/** The stores of answers in versions 1 and 2. */
const formerStores = ["answers", "heads", "parts"];

export type Space = string | Promise<string>;

/**
 * The browser's storage of documents and shards of answers, by space. No method ever rejects: if the disk fails, nothing is read and nothing
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
  /** Passes each shard that exists to `take`, all in a single transaction. A shard may come twice. */
  readShards(
    space: Space,
    shards: readonly number[],
    take: (shard: number, record: unknown) => void,
  ): Promise<void>;
  /**
   * Puts what `change` makes of a shard in its place, in one transaction: undefined stands for no shard. `change` may be called twice.
   * Resolves to false if the disk failed; the shard is then as before.
   */
  changeShard(
    space: Space,
    shard: number,
    change: (record: unknown) => StoredShard | undefined | "unchanged",
  ): Promise<boolean>;
  /** Removes all records of a space. Resolves to true if none is left, to false if the disk failed and may still have some. */
  clear(space: Space): Promise<boolean>;
  /** The names of the spaces that have records; none if the disk fails. */
  spaces(): Promise<string[]>;
  /** Reports to `onFailure` that something could not be made a record. */
  fail(): void;
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
    await run(["shards"], "readwrite", async (transaction) => {
      const shards = transaction.objectStore("shards");
      const kept = await factsOf(unwrap(shards));
      // A shard whose time is in the future is removed first, because nobody knows when it was really used.
      kept.sort((one, other) => orderMs(one.usedAtMs) - orderMs(other.usedAtMs));
      let bytes = kept.reduce((sum, shard) => sum + shard.bytes, 0);
      for (const shard of kept) {
        if (bytes <= config.keptBytes) break;
        bytes -= shard.bytes;
        await shards.delete(shard.key);
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

  /** Holds the limits, once much was written since they were last checked. */
  async function checkBounds(writtenBytes = 0) {
    uncheckedBytes += writtenBytes;
    if (uncheckedBytes <= config.keptBytes / 10) return;
    uncheckedBytes = 0;
    await removeExcess();
  }

  async function read<Name extends string | number>(
    store: Store,
    space: Space,
    names: readonly Name[],
    take: (name: Name, record: unknown) => void,
  ) {
    if (names.length === 0) return;
    const spaceName = await nameOf(space);
    await run([store], "readonly", async (transaction) => {
      const records = transaction.objectStore(store);
      for (const some of partsOf(names, requestsAtOnce)) {
        await Promise.all(
          some.map(async (name) => {
            const record: unknown = await records.get([spaceName, name]);
            if (record !== undefined) take(name, record);
          }),
        );
      }
    });
  }

  return {
    fail,

    readDocuments: (space, names, take) => read("documents", space, names, take),
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
    readShards: (space, shards, take) => read("shards", space, shards, take),
    async changeShard(space, shard, change) {
      const name = await nameOf(space);
      const key = [name, shard];
      const written = await run(["shards"], "readwrite", async (transaction) => {
        const shards = transaction.objectStore("shards");
        const changed = change(await shards.get(key));
        if (changed === "unchanged") return 0;
        await (changed ? shards.put(changed, key) : shards.delete(key));
        return changed?.bytes ?? 0;
      });
      if (written) await checkBounds(written);
      return written !== undefined;
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

/** The range of the keys of all records of a space. */
const allOf = (space: string) => IDBKeyRange.bound([space], [space, []]);

/** The facts of all shards, which are told without reading them. A damaged shard is left out. */
export async function factsOf(
  shards: IDBObjectStore,
): Promise<(ShardFacts & { key: [space: string, shard: number] })[]> {
  const found = [];
  let cursor = await wrap(shards.index("facts")).openKeyCursor();
  for (; cursor; cursor = await cursor.continue()) {
    const facts = shardFacts(cursor.key);
    if (facts) found.push({ ...facts, key: cursor.primaryKey as [string, number] });
  }
  return found;
}

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
      for (const store of formerStores)
        if (database.objectStoreNames.contains(store)) database.deleteObjectStore(store);
      if (database.objectStoreNames.contains("documents"))
        request.transaction?.objectStore("documents").deleteIndex("age");
      else database.createObjectStore("documents");
      request.transaction?.objectStore("documents").createIndex("age", "atMs");
      database.createObjectStore("shards").createIndex("facts", [...factNames]);
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
