import { describe, expect, it } from "vitest";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import {
  historyNamespace,
  mostHistoryBytes,
  type PastRefresh,
} from "../../../../src/workbook/imports/saved/refresh-history";
import { importXml } from "../../../../src/workbook/imports/saved/saved-import";
import { jsonPart } from "../../../../src/workbook/sheet/parts/json-part";
import { memoryParts, noteRefresh } from "../memory-parts";
import { savedFees } from "../saved-fees";

const change = (after: string, before: string | null = "$30") => ({
  ...{ ahjId: 1, typeId: 10, name: "Bibb County, AL", before, after },
});
const refresh = (atMs: number, changes: PastRefresh["changes"] = [change("$31")]): PastRefresh => ({
  ...{ atMs, changed: changes.length, changes },
});
const times = (refreshes: readonly PastRefresh[]) => refreshes.map(({ atMs }) => atMs);
const saved = savedFees({
  columns: [{ header: "AHJ ID", content: { of: "ahj", field: "id" } }],
  ...{ form: { layout: "wide", hasCitations: false }, types: [] },
});

/** A workbook with these parts, and the imports "one" and "two" unless parts are given. */
async function opened(...xml: string[]) {
  const parts = memoryParts(...xml);
  const book = createImportBook(parts);
  if (xml.length > 0) return { parts, book };
  await book.write(saved);
  await book.write({ ...saved, id: "two", tableId: "{2}" });
  return { parts, book };
}

describe("the history of refreshes", () => {
  it("has the refreshes of each import, newest first, as they were reported", async () => {
    const { book } = await opened();
    expect(await book.history("one")).toEqual([]);
    await noteRefresh(book, "one", refresh(5));
    await noteRefresh(book, "two", refresh(6, []));
    await noteRefresh(book, "one", refresh(7, [change("$32", null), { ...change("$33"), isUnsure: true }]));
    await book.update("one", { name: "Renamed" });
    expect(await book.history("one")).toEqual([
      refresh(7, [change("$32", null), { ...change("$33"), isUnsure: true }]),
      refresh(5),
    ]);
    expect(await book.history("two")).toEqual([refresh(6, [])]);
    await book.clearHistory("one");
    expect([await book.history("one"), await book.history("two")]).toEqual([[], [refresh(6, [])]]);
  });

  it("cuts long texts and long lists, and still says how many values changed", async () => {
    const { book } = await opened();
    const many = Array.from({ length: 600 }, () => change("x".repeat(1_000)));
    await noteRefresh(book, "one", refresh(5, many));
    const [kept] = await book.history("one");
    expect(kept?.changed).toBe(600);
    expect(kept?.changes).toHaveLength(500);
    expect(kept?.changes[0]?.after).toBe(`${"x".repeat(200)}…`);
  });

  it("stays within 250 kB for an import: the oldest refreshes go, and the newest stays whatever it takes", async () => {
    const { parts, book } = await opened();
    const some = Array.from({ length: 60 }, (_, at) => change(`${at} ${"é<".repeat(100)}`));
    for (let atMs = 1; atMs <= 8; atMs += 1) await noteRefresh(book, "one", refresh(atMs, some));
    const bytes = () => new TextEncoder().encode(parts.texts()[0]).length;
    expect(bytes()).toBeLessThanOrEqual(mostHistoryBytes + 2_000);
    const kept = times(await book.history("one"));
    expect(kept.length).toBeGreaterThan(1);
    expect(kept).toEqual(kept.map((_, index) => 8 - index));
    const many = Array.from({ length: 500 }, (_, at) => change(`${at} ${"é<".repeat(100)}`));
    await noteRefresh(book, "one", refresh(9, many));
    expect(times(await book.history("one"))).toEqual([9]);
  });

  it("joins two colleagues' histories that were written at once", async () => {
    const of = (...atMs: number[]) => importXml({ ...saved, refreshes: atMs.map((each) => refresh(each)) });
    const { parts, book } = await opened(of(5, 3), of(8, 3));
    expect(times(await book.history("one"))).toEqual([8, 5, 3]);
    await noteRefresh(book, "one", refresh(9));
    expect(parts.texts()).toHaveLength(1);
    expect(times(await book.history("one"))).toEqual([9, 8, 5, 3]);
  });

  it("of an earlier build, in a part of its own, is read once and joins the import's part", async () => {
    const part = (importId: string, atMs: number) =>
      jsonPart("history", historyNamespace, { version: 1, importId, refreshes: [refresh(atMs)] });
    const { parts, book } = await opened(importXml(saved), part("one", 4), part("two", 5), part("one", 6));
    expect(times(await book.history("one"))).toEqual([6, 4]);
    await noteRefresh(book, "one", refresh(9));
    expect(parts.texts()).toHaveLength(2);
    expect(parts.texts()[1]).toBe(part("two", 5));
    expect(times(await book.history("one"))).toEqual([9, 6, 4]);
  });

  it("that is damaged does not make its import unreadable", async () => {
    const damaged = `<history xmlns="${historyNamespace}">{"version":1,"importId":"one","refreshes":7}</history>`;
    const xml = importXml({ ...saved, refreshes: [] }).replace('"refreshes":[]', '"refreshes":7');
    const { parts, book } = await opened(xml, damaged);
    expect((await book.list()).imports).toHaveLength(1);
    expect(await book.history("one")).toEqual([]);
    await noteRefresh(book, "one", refresh(5));
    expect(times(await book.history("one"))).toEqual([5]);
    await book.forget("one");
    expect(parts.texts()).toEqual([damaged]);
  });
});
