import { forceCloseDatabase } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Cache, openCache } from "../../../src/engine/cache/cache";
import { createDisk } from "../../../src/engine/cache/store";
import { answer, IDBFactory, newPage, requested, storedRecords, withDatabase } from "./database";

const today = Date.now();
let factory: IDBFactory;
let onFailure: ReturnType<typeof vi.fn<() => void>>;

beforeEach(() => {
  factory = new IDBFactory();
  onFailure = vi.fn();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const pageOn = (indexedDB: IDBFactory | undefined) =>
  openCache(createDisk({ indexedDB, onFailure }), "space");

/** A factory that lists its connections, and whose way of opening a test may change. */
function factoryWith(change: {
  open?: IDBFactory["open"];
  see?: (database: IDBDatabase) => void;
}): IDBFactory {
  const open: IDBFactory["open"] = (name, version) => {
    const request = factory.open(name, version);
    request.addEventListener("success", () => change.see?.(request.result));
    return request;
  };
  return Object.assign(Object.create(factory), { open: change.open ?? open });
}

/** Expects that a page knows what it has put, drops entries and ends without an exception, whatever the disk does. */
async function expectToGoOn({ answers, documents, flushed, end }: Cache) {
  answers.put(7, [[1001, answer("12 feet")]]);
  answers.put(8, [[1001, answer("8 feet")]]);
  documents.write("types", { fetchedAtMs: today, content: 1 });
  await Promise.all([answers.load([7, 8]), documents.read(["types"]), flushed()]);
  await answers.load([7, 8]);
  expect(answers.get(7, 1001)).toEqual(answer("12 feet"));
  expect(await documents.read(["types"])).toEqual(new Map([["types", { fetchedAtMs: today, content: 1 }]]));
  answers.drop([7]);
  await answers.load([7, 8]);
  expect(answers.get(7, 1001)).toBeUndefined();
  expect(answers.get(8, 1001)).toEqual(answer("8 feet"));
  await end();
  await answers.load([8]);
  expect(answers.get(8, 1001)).toBeUndefined();
  expect(await documents.read(["types"])).toEqual(new Map());
}

describe("a disk that can't be had", () => {
  const openings: Record<string, () => IDBFactory | undefined> = {
    "is missing": () => undefined,
    "refuses to open": () =>
      factoryWith({
        open() {
          throw new DOMException("No storage here.", "SecurityError");
        },
      }),
    "is damaged": () =>
      factoryWith({
        open(name) {
          // A newer version makes later requests to open fail, as they do for a damaged database.
          factory.open(name, 99);
          return factory.open(name, 1);
        },
      }),
  };

  it.each(Object.entries(openings))(
    "because it %s: all goes on in memory at once, and the user is told once",
    async (_, indexedDB) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const disk = createDisk({ indexedDB: indexedDB(), onFailure });
      await expectToGoOn(openCache(disk, "one"));
      await expectToGoOn(openCache(disk, "two"));
      expect(onFailure).toHaveBeenCalledTimes(1);
    },
  );

  it("because a newer version's database is there: all goes on in memory, and that database is left alone", async () => {
    const newer = factory.open("regdata", 99);
    newer.onupgradeneeded = () => newer.result.createObjectStore("new");
    (await requested(newer)).close();
    await expectToGoOn(pageOn(factory));
    expect(onFailure).toHaveBeenCalledTimes(1);
    expect(
      await withDatabase(factory, ({ version, objectStoreNames }) => [version, ...objectStoreNames]),
    ).toEqual([99, "new"]);
  });

  it("because other stores are in it: all goes on in memory", async () => {
    (await requested(factory.open("regdata", 3))).close();
    await expectToGoOn(pageOn(factory));
    expect(onFailure).toHaveBeenCalledTimes(1);
  });

  it("because its space has no name: all goes on in memory", async () => {
    const nameless = Promise.reject<string>(new Error("no crypto"));
    await expectToGoOn(openCache(createDisk({ indexedDB: factory, onFailure }), nameless));
    expect(onFailure).toHaveBeenCalledTimes(1);
  });

  it("that is not used is no failure, even for a space without a name", async () => {
    const nameless = Promise.reject<string>(new Error("no crypto"));
    const { answers, documents } = openCache(createDisk({ indexedDB: factory, onFailure }), nameless);
    await answers.load([]);
    await documents.read([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(onFailure).not.toHaveBeenCalled();
  });

  it("because another page does not give way: after some seconds all goes on in memory", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await newPage(factory).answers.load([7]);
    const holding = await requested(factory.open("regdata"));
    factory.deleteDatabase("regdata");
    const late: IDBDatabase[] = [];
    const cache = pageOn(factoryWith({ see: (database) => late.push(database) }));
    cache.answers.put(7, [[1001, answer("12 feet")]]);
    const loaded = vi.fn();
    void cache.answers.load([7]).then(loaded);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(loaded).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(loaded).toHaveBeenCalled();
    await expectToGoOn(cache);
    expect(onFailure).toHaveBeenCalledTimes(1);

    // A connection that opens too late is closed, so that it blocks nobody.
    expect(late).toHaveLength(0);
    holding.close();
    await vi.waitFor(() => expect(late).toHaveLength(1));
    expect(() => late[0]?.transaction("shards")).toThrow(DOMException);
  });
});

describe("the end of a space reports that nothing is left", () => {
  async function written(): Promise<void> {
    const before = newPage(factory);
    before.answers.put(7, [[1001, answer("12 feet")]]);
    await before.flushed();
  }

  it("if that is true", async () => {
    await written();
    expect(await newPage(factory).end()).toBe(true);
    expect(await newPage(undefined).end()).toBe(true);
  });

  it("if its space has no name, as nothing was ever kept", async () => {
    const nameless = Promise.reject<string>(new Error("no crypto"));
    expect(await openCache(createDisk({ indexedDB: factory, onFailure }), nameless).end()).toBe(true);
  });

  it("but not if the disk does not open, as it may hold something", async () => {
    await written();
    const cache = pageOn(
      factoryWith({
        open() {
          throw new DOMException("No storage here.", "SecurityError");
        },
      }),
    );
    expect(await cache.end()).toBe(false);
  });

  it("but not if the disk fails to clear", async () => {
    await written();
    vi.spyOn(IDBObjectStore.prototype, "delete").mockImplementation(() => {
      throw new DOMException("damaged", "DataError");
    });
    const cache = pageOn(factory);
    cache.answers.put(8, [[1001, answer("8 feet")]]);
    expect(await cache.end()).toBe(false);
    await cache.flushed();
    // The disk holds at least no more records than before.
    const after = newPage(factory);
    await after.answers.load([7, 8]);
    expect([7, 8].filter((ahjId) => after.answers.get(ahjId, 1001))).toEqual([7]);
  });
});

describe("a transaction that does not end", () => {
  it("is given up after some seconds, so that nothing waits for ever", async () => {
    const cache = pageOn(factory);
    cache.answers.put(7, [[1001, answer("12 feet")]]);
    await cache.flushed();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isHolding = true;
    const holding = withDatabase(factory, (database) => {
      const store = database.transaction("shards", "readwrite").objectStore("shards");
      return new Promise<void>((resolve) => {
        const hold = () => {
          if (!isHolding) return resolve();
          store.count().onsuccess = hold;
        };
        hold();
      });
    });
    const page = pageOn(factory);
    const loaded = vi.fn();
    void page.answers.load([7]).then(loaded);
    for (let second = 0; second < 25; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(loaded).toHaveBeenCalled();
    expect(onFailure).toHaveBeenCalledTimes(1);
    isHolding = false;
    await holding;
    await expectToGoOn(page);
  });

  it("is waited for as long as its requests succeed, since a busy page takes long to read a country", async () => {
    const names = Array.from({ length: 400 }, (_, number) => `list ${number}`);
    const before = newPage(factory);
    for (const name of names) before.documents.write(name, { fetchedAtMs: today, content: name });
    await before.flushed();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const read = vi.fn<(found: ReadonlyMap<string, unknown>) => void>();
    void pageOn(factory).documents.read(names).then(read);
    let tenths = 0;
    for (; tenths < 1_000 && read.mock.calls.length === 0; tenths += 1) {
      await vi.advanceTimersByTimeAsync(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(tenths).toBeGreaterThan(200);
    expect([...(read.mock.calls[0]?.[0].keys() ?? [])]).toEqual(names);
    expect(onFailure).not.toHaveBeenCalled();
  });
});

const put = IDBObjectStore.prototype.put;
type Put = typeof put;
const refusals: Record<string, Put> = {
  "at once": () => {
    throw new DOMException("The disk is full.", "QuotaExceededError");
  },
  // Chromium fails when the transaction is about to complete; the stand-in can fail only here.
  "by a request": function (this: IDBObjectStore) {
    const transaction = this.transaction as unknown as { _execRequestAsync(how: object): IDBRequest };
    const operation = () => refusals["at once"]?.call(this, undefined);
    return transaction._execRequestAsync({ source: this, operation });
  },
  "at the end": function (this: IDBObjectStore, ...record) {
    const request = put.apply(this, record);
    const transaction = this.transaction as unknown as { _abort(name: string): void };
    request.addEventListener("success", () => transaction._abort("QuotaExceededError"));
    return request;
  },
  "in the middle": function (this: IDBObjectStore, ...record) {
    const request = put.apply(this, record);
    (this.transaction as unknown as { _abort(name: string): void })._abort("QuotaExceededError");
    return request;
  },
};

describe.each(Object.entries(refusals))("a full disk that says so %s", (_, refuse) => {
  it("leaves everything in memory, and the user is told once", async () => {
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(refuse);
    const disk = createDisk({ indexedDB: factory, onFailure });
    await expectToGoOn(openCache(disk, "space"));
    await expectToGoOn(openCache(disk, "space"));
    expect(onFailure).toHaveBeenCalledTimes(1);
  });

  it("keeps the documents that it has room for", async () => {
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
      this: IDBObjectStore,
      record: { content: unknown },
      key,
    ) {
      return record.content === '"large"' ? refuse.call(this, record, key) : put.call(this, record, key);
    });
    const { documents, flushed } = pageOn(factory);
    for (const name of ["one", "two", "three"]) {
      documents.write(name, { fetchedAtMs: today, content: name === "two" ? "large" : name });
    }
    await flushed();
    expect([...(await documents.read(["one", "two", "three"])).keys()].toSorted()).toEqual([
      "one",
      "three",
      "two",
    ]);
    const after = await newPage(factory).documents.read(["one", "two", "three"]);
    expect([...after.keys()]).toEqual(["one", "three"]);
    expect(onFailure).toHaveBeenCalledTimes(1);
  });

  it("can still be read, and dropped answers go, with the others in their shard", async () => {
    const before = newPage(factory);
    before.answers.put(800, [[1001, answer("8 feet")]]);
    before.answers.put(7, [[1001, answer("12 feet")]]);
    before.answers.put(6, [[1001, answer("6 feet")]]);
    await before.flushed();
    expect(await storedRecords(factory)).toHaveLength(2);
    const puts = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(refuse);
    const cache = pageOn(factory);
    cache.answers.drop([7]);
    cache.answers.put(9, [[1001, answer("9 feet")]]);
    await cache.flushed();
    await cache.answers.load([7, 800, 9]);
    expect(cache.answers.get(800, 1001)).toEqual(answer("8 feet"));

    puts.mockRestore();
    cache.answers.put(10, [[1001, answer("10 feet")]]);
    await cache.flushed();
    const after = newPage(factory);
    await after.answers.load([6, 7, 800, 9, 10]);
    expect([6, 7, 800, 9, 10].filter((ahjId) => after.answers.get(ahjId, 1001))).toEqual([800, 10]);
    expect(onFailure).toHaveBeenCalledTimes(1);
  });
});

describe("a database that the browser closes", () => {
  const closings: Record<string, (database: IDBDatabase) => void> = {
    "with a notice": (database) => forceCloseDatabase(database as never),
    "without one": (database) => database.close(),
  };

  it.each(Object.entries(closings))("%s is opened again, and nothing is lost", async (_, close) => {
    const open: IDBDatabase[] = [];
    const cache = pageOn(factoryWith({ see: (database) => open.push(database) }));
    cache.answers.put(7, [[1001, answer("12 feet")]]);
    await cache.flushed();
    for (const ahjId of [8, 9]) {
      close(open.at(-1)!);
      cache.answers.put(ahjId, [[1001, answer(`${ahjId} feet`)]]);
      await cache.flushed();
    }
    expect(open).toHaveLength(3);
    const after = newPage(factory);
    await after.answers.load([7, 8, 9]);
    expect([7, 8, 9].filter((ahjId) => after.answers.get(ahjId, 1001))).toEqual([7, 8, 9]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it.each(Object.entries(closings))("%s in the middle of a write is opened again", async (_, close) => {
    const open: IDBDatabase[] = [];
    const cache = pageOn(factoryWith({ see: (database) => open.push(database) }));
    await cache.answers.load([1]);
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementationOnce(function (
      this: IDBObjectStore,
      ...record
    ) {
      close(open[0]!);
      return put.apply(this, record);
    });
    cache.answers.put(7, [[1001, answer("12 feet")]]);
    await cache.flushed();
    const after = newPage(factory);
    await after.answers.load([7]);
    expect(after.answers.get(7, 1001)).toEqual(answer("12 feet"));
    expect(onFailure).not.toHaveBeenCalled();
  });

  it("as soon as it is open is given up the second time", async () => {
    const opened = vi.fn((database: IDBDatabase) => database.close());
    const cache = pageOn(factoryWith({ see: opened }));
    await expectToGoOn(cache);
    expect(opened).toHaveBeenCalledTimes(2);
    expect(onFailure).toHaveBeenCalledTimes(1);
  });
});

describe("a page of a newer version", () => {
  it("can open its database at once, and this one goes on in memory", async () => {
    const cache = pageOn(factory);
    cache.answers.put(7, [[1001, answer("12 feet")]]);
    await cache.flushed();
    const blocked = vi.fn();
    const newer = factory.open("regdata", 4);
    newer.onblocked = blocked;
    (await requested(newer)).close();
    expect(blocked).not.toHaveBeenCalled();
    await expectToGoOn(cache);
    expect(onFailure).toHaveBeenCalledTimes(1);
  });
});
