import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openCache } from "../../../src/engine/cache/cache";
import { createDisk } from "../../../src/engine/cache/store";
import { answer, IDBFactory, newPage, overwrite, storedAhjIds, storedRecords } from "./database";

const today = Date.now();
let factory: IDBFactory;
let onFailure: ReturnType<typeof vi.fn<() => void>>;

beforeEach(() => {
  factory = new IDBFactory();
  onFailure = vi.fn();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("the spaces of a disk", () => {
  it("are the ones that have any record, each once", async () => {
    const [documents, both, answers] = ["documents", "both", "answers"].map((space) =>
      newPage(factory, space),
    );
    for (const page of [documents!, both!])
      for (const name of ["a", "b", "c"]) page.documents.write(name, { fetchedAtMs: today, content: name });
    for (const page of [both!, answers!]) {
      page.answers.put(7, [
        [1001, answer("larger")],
        [1002, answer("larger")],
      ]);
      await page.flushed();
      page.answers.put(800, [[1001, answer("a shard of its own")]]);
    }
    await Promise.all([documents, both, answers].map((page) => page?.flushed()));
    await overwrite(factory, { store: "shards", key: ["damaged", 1], record: {} }, {});
    const keys = (await storedRecords(factory)).map(({ key }) => (key as [string])[0]);
    expect(keys.filter((space) => space === "both")).toHaveLength(3 + 2);
    const spaces = await createDisk({ indexedDB: factory }).spaces();
    expect(spaces.toSorted()).toEqual(["answers", "both", "damaged", "documents"]);
  });

  it("are none if nothing was ever kept, or if there is no disk, which is no failure", async () => {
    expect(await createDisk({ indexedDB: factory, onFailure }).spaces()).toEqual([]);
    expect(await createDisk({ onFailure }).spaces()).toEqual([]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it("are none if the disk does not open, and that failure is reported", async () => {
    const open = () => {
      throw new DOMException("No storage here.", "SecurityError");
    };
    expect(await createDisk({ indexedDB: { open }, onFailure }).spaces()).toEqual([]);
    expect(onFailure).toHaveBeenCalledTimes(1);
  });
});

describe("a disk", () => {
  it("without a name for its space is not touched", async () => {
    const nameless = Promise.reject<string>(new Error("no crypto"));
    const cache = openCache(createDisk({ indexedDB: factory, onFailure }), nameless);
    cache.answers.put(7, [[1001, answer("12 feet")]]);
    cache.documents.write("types", { fetchedAtMs: today, content: 1 });
    await cache.flushed();
    expect(onFailure).toHaveBeenCalledTimes(1);
    expect(await factory.databases()).toEqual([]);
  });

  it("that refuses new answers keeps the old ones", async () => {
    const before = newPage(factory);
    before.answers.put(7, [[1001, answer("old", 1_000)]]);
    await before.flushed();
    const records = await storedRecords(factory);
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("The disk is full.", "QuotaExceededError");
    });
    const page = openCache(createDisk({ indexedDB: factory, onFailure }), "space");
    page.answers.put(7, [[1001, answer("new", 2_000)]]);
    await page.flushed();
    expect(onFailure).toHaveBeenCalledTimes(1);
    expect(await storedRecords(factory)).toEqual(records);
    expect(page.answers.get(7, 1001)).toEqual(answer("new", 2_000));
  });
});

describe("documents on disk", () => {
  it("stay if they were fetched at this very moment", async () => {
    vi.spyOn(Date, "now").mockReturnValue(today);
    const page = newPage(factory);
    page.documents.write("now", { fetchedAtMs: today, content: 1 });
    page.documents.write("ahead", { fetchedAtMs: today + 1, content: 2 });
    // A page's first write looks for entries that are too old.
    await page.flushed();
    expect([...(await newPage(factory).documents.read(["now", "ahead"])).keys()]).toEqual(["now"]);
  });

  it("are written in groups of at most a million characters", async () => {
    const page = newPage(factory);
    page.answers.put(7, [[1001, answer("whatever is written first")]]);
    await page.flushed();
    const transactions = vi.spyOn(IDBDatabase.prototype, "transaction");
    // With their quotation marks, the first two texts have a million characters.
    const lengths = { a: 10, b: 999_986, c: 10 };
    for (const [name, length] of Object.entries(lengths))
      page.documents.write(name, { fetchedAtMs: today, content: "x".repeat(length) });
    await page.flushed();
    expect(transactions).toHaveBeenCalledTimes(2);
    transactions.mockRestore();
    const found = await newPage(factory).documents.read(["a", "b", "c"]);
    expect(Array.from(found.values(), ({ content }) => String(content).length)).toEqual(
      Object.values(lengths),
    );
  });

  it("are written even if one of them can't be, and that failure is reported", async () => {
    const endless = {
      toJSON() {
        throw new RangeError("Invalid string length");
      },
    };
    const page = openCache(createDisk({ indexedDB: factory, onFailure }), "space");
    page.documents.write("types", { fetchedAtMs: today, content: 1 });
    page.documents.write("snapshot", { fetchedAtMs: today, content: endless });
    page.documents.write("directory", { fetchedAtMs: today, content: 2 });
    page.answers.put(7, [[1001, answer("beside it")]]);
    await page.flushed();
    expect(onFailure).toHaveBeenCalledTimes(1);
    const found = await newPage(factory).documents.read(["types", "snapshot", "directory"]);
    expect([...found.keys()]).toEqual(["types", "directory"]);
    expect(await storedAhjIds(factory)).toEqual([7]);
  });
});
