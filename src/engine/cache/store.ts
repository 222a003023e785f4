import { withTimeout } from "../../async/timeout";
import { partsOf } from "../../lists";
import { type IDBPDatabase, type IDBPTransaction, unwrap, wrap } from "idb";
import { config } from "../../config";
import type { DiskRecord } from "./records";

export const databaseName = "regdata";
const stores = ["answers", "documents"] as const;
export type Store = (typeof stores)[number];

/** What becomes of a record: another takes its place, it goes (null), or it changes by what it is (or was not). */
export type Change = DiskRecord | null | ((stored: unknown) => DiskRecord);

type Space = string | Promise<string>;

/**
 * What the browser keeps for us: records by space, store and key. Nothing here ever rejects: where the disk fails,
 * there is nothing to read and nothing is kept.
 */
export interface Disk {
  /** Hands over those records that are there, one by one, in a single transaction. Some may come twice. */
  read<Key extends number | string>(
    store: Store,
    space: Space,
    keys: readonly Key[],
    take: (key: Key, record: unknown) => void,
  ): Promise<void>;
  /** Makes all the changes, each in one transaction with what it depends on; false where any failed. */
  change(store: Store, space: Space, changes: ReadonlyMap<number | string, Change>): Promise<boolean>;
  /** Removes all records of a space. True when none is there; false where the disk failed, as it may have some. */
  clear(space: Space): Promise<boolean>;
  /** The names of the spaces that have records; none where the disk fails. */
  spaces(): Promise<string[]>;
  /** Tells `onFailure` of what could not be made a record. */
  fail(): void;
}

export interface DiskOptions {
  /** The browser's; without it there is no disk. */
  indexedDB?: Pick<IDBFactory, "open"> | undefined;
  /** Called at the first failure: some or all of what is put will not be there after a restart. */
  onFailure?: (() => void) | undefined;
}

/** An opening that takes longer waits for another page that does not give way, or for ever. */
const openingMs = 5_000;
/** A transaction that takes longer waits for another page's, or for ever. */
const transactionMs = 10_000;
/** Requests made at once: of 1,000 the making alone holds up the page for 100 ms, of these for 10. */
const requestsAtOnce = 50;
/** Records that one transaction changes: a reading that comes meanwhile waits for these only, some 100 ms. */
const changesAtOnce = 200;

export function createDisk({ indexedDB: factory, onFailure }: DiskOptions = {}): Disk {
  let connection: Promise<IDBPDatabase> | undefined;
  let isGivenUp = false;
  let hasFailed = false;
  /** Answers written since the bounds were checked; the first write checks them. */
  let uncheckedAnswers = Infinity;

  function fail() {
    if (!hasFailed) onFailure?.();
    hasFailed = true;
  }

  function giveUp() {
    isGivenUp = true;
    fail();
  }

  /** Undefined where the transaction failed. */
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
        const [result] = await withTimeout(
          Promise.all([work(transaction), transaction.done]),
          transactionMs,
          () => new Error("The transaction does not end."),
        );
        return result;
      } catch (thrown) {
        // A full disk can still be read.
        if (isFull(thrown) || isFull(transaction?.error)) {
          fail();
          return undefined;
        }
        // Browsers close databases that are in use, Safari above all, and each says so in its own way.
        if (connection === opening) connection = undefined;
        if (isLastTry || !database) giveUp();
      }
    }
    return undefined;
  }

  /** The space's name; without one nothing can be kept. */
  async function nameOf(space: Space): Promise<string> {
    try {
      return await space;
    } catch {
      giveUp();
      return "";
    }
  }

  async function removeExcess() {
    const excess = await run(["answers"], "readonly", (transaction) =>
      beyondBound(unwrap(transaction.objectStore("answers").index("age"))),
    );
    if (excess && excess.keys.size > 0) {
      const { keys, newest } = excess;
      await run(["answers"], "readwrite", async (transaction) => {
        const answers = transaction.objectStore("answers");
        // Another page may have renewed some meanwhile.
        const old = await keysOf(answers.index("age"), [IDBKeyRange.upperBound(newest), inTheFuture()]);
        await inSlices(
          old.filter((key) => keys.has(String(key))),
          (key) => answers.delete(key),
        );
      });
    }
    await run(["documents"], "readwrite", async (transaction) => {
      const documents = transaction.objectStore("documents");
      const tooOld = IDBKeyRange.upperBound([Date.now() - config.documentAgeMs]);
      const old = await keysOf(documents.index("age"), [tooOld, inTheFuture()]);
      for (const key of old) await documents.delete(key);
    });
  }

  return {
    fail,

    async read(store, space, keys, take) {
      if (keys.length === 0) return;
      const name = await nameOf(space);
      await run([store], "readonly", async (transaction) => {
        const records = transaction.objectStore(store);
        await inSlices(keys, async (key) => {
          const record: unknown = await records.get([name, key]);
          if (record !== undefined) take(key, record);
        });
      });
    },
    async change(store, space, changes) {
      const name = await nameOf(space);
      let isDone = true;
      for (const part of partsOf([...changes], changesAtOnce)) {
        const written = await run([store], "readwrite", async (transaction) => {
          const records = transaction.objectStore(store);
          let answers = 0;
          await inSlices(part, async ([id, change]) => {
            const key = [name, id];
            if (change === null) return records.delete(key);
            const record = typeof change === "function" ? change(await records.get(key)) : change;
            await records.put(record, key);
            answers += record.count;
          });
          return answers;
        });
        uncheckedAnswers += written ?? 0;
        isDone &&= written !== undefined;
      }
      if (uncheckedAnswers > config.cachedAnswers / 10) {
        uncheckedAnswers = 0;
        await removeExcess();
      }
      return isDone;
    },
    async clear(space) {
      // Without a disk nothing was kept, nor without a name.
      const name = factory && (await Promise.resolve(space).catch(() => undefined));
      if (name === undefined) return true;
      const isCleared = await run(stores, "readwrite", async (transaction) => {
        const all = IDBKeyRange.bound([name], [name, []]);
        await Promise.all(stores.map((store) => transaction.objectStore(store).delete(all)));
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
            // An array comes after whatever else stands behind the space's name.
            cursor = await cursor.continue([name, []]);
          }
        }
        return [...found];
      });
      return names ?? [];
    },
  };
}

function isFull(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}

function openDatabase(factory: DiskOptions["indexedDB"]): Promise<IDBPDatabase> {
  return new Promise((resolve, reject) => {
    if (!factory) throw new Error("There is no IndexedDB.");
    const request = factory.open(databaseName, 1);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Error("The database does not open."));
    }, openingMs);
    request.onupgradeneeded = () => {
      for (const store of stores)
        request.result.createObjectStore(store).createIndex("age", ["atMs", "count"]);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      const database = request.result;
      if (isLate) return database.close();
      // Another page wants a newer version, or none.
      database.onversionchange = () => database.close();
      resolve(wrap(database));
    };
  });
}

type Age = [atMs: number, count: number];

/** Fetched while the clock was ahead: nobody knows when, so this goes first. */
const inTheFuture = () => IDBKeyRange.lowerBound([Date.now() + 1]);

interface AgeIndex {
  getAllKeys(range: IDBKeyRange): Promise<IDBValidKey[]>;
}

async function keysOf(index: AgeIndex, ranges: IDBKeyRange[]): Promise<IDBValidKey[]> {
  return (await Promise.all(ranges.map((range) => index.getAllKeys(range)))).flat();
}

/** The oldest records, those that the bound leaves no room for: their keys as text, and the newest one's age. */
function beyondBound(index: IDBIndex): Promise<{ keys: Set<string>; newest: Age }> {
  return new Promise((resolve, reject) => {
    const keys = new Set<string>();
    let newest: Age = [0, 0];
    let room: number = config.cachedAnswers;
    const nowMs = Date.now();
    const future: { key: string; count: number }[] = [];
    function isExcess(count: number) {
      room -= count;
      return room < 0;
    }
    // Without promises 30,000 records take a second, with them nine.
    const request = index.openKeyCursor(null, "prev");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) {
        for (const { key, count } of future) if (isExcess(count)) keys.add(key);
        return resolve({ keys, newest });
      }
      const age = cursor.key as Age;
      const key = String(cursor.primaryKey);
      if (age[0] > nowMs) {
        future.push({ key, count: age[1] });
      } else if (isExcess(age[1])) {
        if (keys.size === 0) newest = age;
        keys.add(key);
      }
      cursor.continue();
    };
  });
}

async function inSlices<Item>(items: readonly Item[], handle: (item: Item) => Promise<void>): Promise<void> {
  for (const slice of partsOf(items, requestsAtOnce)) await Promise.all(slice.map(handle));
}
