import { afterEach, describe, expect, it, vi } from "vitest";
import { countAnswers } from "../../../src/engine/cache/count";
import {
  absence,
  answer,
  IDBFactory,
  newPage,
  overwrite,
  requested,
  storedAhjIds,
  storedRecords,
} from "./database";

const space = Promise.resolve("space");
const { openKeyCursor } = IDBIndex.prototype;

afterEach(() => {
  vi.restoreAllMocks();
});

describe("counting the stored answers", () => {
  it("tells answers, jurisdictions and their ages, of one space only", async () => {
    const factory = new IDBFactory();
    const page = newPage(factory);
    page.answers.put(1, [
      [10, answer("old", 1_000)],
      [11, absence(5_000)],
    ]);
    page.answers.put(2, [[10, answer("older", 2_000)]]);
    page.answers.put(3, [[10, answer("of a clock that was ahead", Date.now() + 1_000_000)]]);
    page.answers.put(4, [
      [10, answer("ahead", Date.now() + 1_000_000)],
      [11, answer("newest", 7_000)],
    ]);
    page.documents.write("types", { fetchedAtMs: 1, content: [] });
    const other = newPage(factory, "space of another key");
    other.answers.put(1, [[10, answer("another's", 500)]]);
    await Promise.all([page.flushed(), other.flushed()]);
    expect(await countAnswers(space, factory)).toEqual({
      answers: 6,
      jurisdictions: 4,
      oldestMs: 2_000,
      newestMs: 7_000,
    });
  });

  it("tells nothing if nothing is kept, and leaves it to the cache to make the database", async () => {
    const factory = new IDBFactory();
    const nothing = { answers: 0, jurisdictions: 0, oldestMs: null, newestMs: null };
    expect(await countAnswers(space, factory)).toEqual(nothing);
    expect(await factory.databases()).toEqual([]);
    const page = newPage(factory);
    page.answers.put(1, [[10, answer("kept")]]);
    await page.flushed();
    expect(await storedAhjIds(factory)).toEqual([1]);
    expect(await countAnswers(space, factory)).toMatchObject({ answers: 1 });
  });

  it("tells nothing of an older version's answers", async () => {
    const factory = new IDBFactory();
    (await requested(factory.open("regdata", 1))).close();
    expect(await countAnswers(space, factory)).toMatchObject({ answers: 0, jurisdictions: 0 });
  });

  it("tells no age of answers written while the clock was ahead, except for this very moment", async () => {
    const factory = new IDBFactory();
    const nowMs = Date.now();
    for (const [ahjId, atMs] of [nowMs, nowMs + 1].entries()) {
      const clock = vi.spyOn(Date, "now").mockReturnValue(atMs);
      const page = newPage(factory);
      page.answers.put(ahjId, [[10, answer("kept", atMs)]]);
      await page.flushed();
      clock.mockRestore();
    }
    vi.spyOn(Date, "now").mockReturnValue(nowMs);
    expect(await countAnswers(space, factory)).toEqual({
      answers: 2,
      jurisdictions: 2,
      oldestMs: nowMs,
      newestMs: nowMs,
    });
  });

  it("is not in the way of a page of a newer version", async () => {
    const factory = new IDBFactory();
    const page = newPage(factory);
    for (let ahjId = 1; ahjId <= 50; ahjId += 1) page.answers.put(ahjId, [[10, answer("kept")]]);
    await page.flushed();
    const blocked = vi.fn();
    let opened: Promise<IDBDatabase> | undefined;
    vi.spyOn(IDBIndex.prototype, "openKeyCursor").mockImplementationOnce(function (this: IDBIndex, ...query) {
      const opening = factory.open("regdata", 4);
      opened = requested(opening);
      let isDone = false;
      const done = () => void (isDone = true);
      opening.onupgradeneeded = done;
      opening.onblocked = blocked.mockImplementation(done);
      // Keeps the transaction open until the other page has had its turn, or has to wait for this one.
      const hold = () => {
        if (!isDone) this.objectStore.count().onsuccess = hold;
      };
      hold();
      return openKeyCursor.apply(this, query);
    });
    expect(await countAnswers(space, factory)).toMatchObject({ jurisdictions: 50 });
    expect((await opened)?.version).toBe(4);
    expect(blocked).not.toHaveBeenCalled();
  });

  it("closes the database, even if it can't be read", async () => {
    const factory = new IDBFactory();
    const page = newPage(factory);
    page.answers.put(1, [[10, answer("kept")]]);
    await page.flushed();
    const seen: IDBDatabase[] = [];
    const watched: Pick<IDBFactory, "open"> = {
      open(name, version) {
        const request = factory.open(name, version);
        request.addEventListener("success", () => seen.push(request.result));
        return request;
      },
    };
    expect(await countAnswers(space, watched)).toMatchObject({ answers: 1 });
    vi.spyOn(IDBIndex.prototype, "openKeyCursor").mockImplementationOnce(() => {
      throw new DOMException("damaged", "UnknownError");
    });
    await expect(countAnswers(space, watched)).rejects.toThrow("damaged");
    expect(seen).toHaveLength(2);
    for (const database of seen) expect(() => database.transaction("shards")).toThrow(DOMException);
  });

  it("leaves a damaged shard out, and counts all others", async () => {
    const factory = new IDBFactory();
    const page = newPage(factory);
    page.answers.put(1, [
      [10, answer("kept")],
      [11, answer("kept")],
    ]);
    await page.flushed();
    page.answers.put(200, [[10, answer("damaged")]]);
    await page.flushed();
    const last = (await storedRecords(factory)).findLast(({ store }) => store === "shards");
    await overwrite(factory, last!, "damaged");
    expect(await countAnswers(space, factory)).toEqual({
      answers: 2,
      jurisdictions: 1,
      oldestMs: 1_000,
      newestMs: 1_000,
    });
  });

  it("fails if the disk does not open, or can't be read", async () => {
    const factory = new IDBFactory();
    (await requested(factory.open("regdata", 4))).close();
    const older = Object.assign(Object.create(factory) as IDBFactory, {
      open: (name: string) => factory.open(name, 3),
    });
    await expect(countAnswers(space, older)).rejects.toMatchObject({ name: "VersionError" });

    const damaged = new IDBFactory();
    const page = newPage(damaged);
    page.answers.put(1, [[10, answer("kept")]]);
    await page.flushed();
    vi.spyOn(IDBIndex.prototype, "openKeyCursor").mockImplementation(function (this: IDBIndex) {
      const transaction = this.objectStore.transaction as unknown as {
        _execRequestAsync(how: object): IDBRequest<IDBCursor | null>;
      };
      const operation = () => {
        throw new DOMException("damaged", "UnknownError");
      };
      return transaction._execRequestAsync({ source: this, operation });
    });
    await expect(countAnswers(space, damaged)).rejects.toThrow("damaged");
  });

  it("fails if the disk can't be had", async () => {
    const blocked = new IDBFactory();
    blocked.open = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    await expect(countAnswers(space, blocked)).rejects.toThrow("blocked");
  });
});
