import { describe, expect, it } from "vitest";
import { countAnswers } from "../../src/cache/count";
import { absence, answer, IDBFactory, newPage, storedRecords } from "./database";

const space = Promise.resolve("space");

describe("counting what is kept", () => {
  it("tells answers, jurisdictions and their ages, of one space alone", async () => {
    const factory = new IDBFactory();
    const page = newPage(factory);
    page.answers.put(1, [
      [10, answer("old", 1_000)],
      [11, absence(5_000)],
    ]);
    page.answers.put(2, [[10, answer("older", 2_000)]]);
    page.answers.put(3, [[10, answer("of a clock that was ahead", Date.now() + 1_000_000)]]);
    page.documents.write("types", { fetchedAtMs: 1, content: [] });
    const other = newPage(factory, "space of another key");
    other.answers.put(1, [[10, answer("another's", 500)]]);
    await Promise.all([page.flushed(), other.flushed()]);
    expect(await countAnswers(space, factory)).toEqual({
      answers: 4,
      jurisdictions: 3,
      oldestMs: 2_000,
      newestMs: 5_000,
    });
  });

  it("tells nothing where nothing is kept, and leaves the making of the database to the cache", async () => {
    const factory = new IDBFactory();
    const nothing = { answers: 0, jurisdictions: 0, oldestMs: null, newestMs: null };
    expect(await countAnswers(space, factory)).toEqual(nothing);
    const page = newPage(factory);
    page.answers.put(1, [[10, answer("kept")]]);
    await page.flushed();
    expect(await storedRecords(factory)).toHaveLength(1);
    expect(await countAnswers(space, factory)).toMatchObject({ answers: 1 });
  });

  it("fails where the disk can't be had", async () => {
    const blocked = new IDBFactory();
    blocked.open = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    await expect(countAnswers(space, blocked)).rejects.toThrow("blocked");
  });
});
