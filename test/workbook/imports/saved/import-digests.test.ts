import { SheetFailure } from "../../../../src/sheet-failure";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../../src/errors";
import { createDigests, digestOf, storeDigests } from "../../../../src/workbook/imports/saved/cell-digests";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import { importXml, parseImportXml } from "../../../../src/workbook/imports/saved/saved-import";
import { jsonPart } from "../../../../src/workbook/sheet/parts/json-part";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { memoryParts } from "../memory-parts";
import { savedFees } from "../saved-fees";

const cell = { ahjId: 1, typeId: 10, part: "value" } as const;
const saved = savedFees({
  columns: [{ header: "AHJ ID", content: { of: "ahj", field: "id" } }],
  ...{ form: plainForm, types: [], lastRun: { atMs: 5, rows: 1, values: 1, notRefreshed: 0 } },
});

function digests(before: string, { after = before, stateId = "" } = {}) {
  const made = createDigests(stateId);
  made.set(cell, digestOf(cell, before), digestOf(cell, after));
  return made;
}

/** A workbook whose import has a cell that shows "now". */
async function opened(...xml: string[]) {
  const now = importXml({ ...saved, refreshes: [], digests: storeDigests(digests("now", { stateId: "s" })) });
  const parts = memoryParts(...(xml.length > 0 ? xml : [now]));
  const book = createImportBook(parts);
  /** Which of these texts the workbook knows as written, and false for one that somebody typed. */
  const known = async () => {
    const read = await book.digests("one");
    return ["now", "next", "typed"].map((text) => read.isAsWritten(cell, text));
  };
  /** Writes "next" into the cell, as a refresh does. */
  const write = async (work: () => Promise<object> = () => Promise.resolve({})) => {
    const kept = digests("now", { after: "next", stateId: (await book.digests("one")).stateId });
    return book.during("one", { kept, written: kept }, work);
  };
  return { parts, book, known, write };
}
const [ofNow, ofBoth, ofNext, ofNone] = [
  [true, false, false],
  [true, true, false],
  [false, true, false],
  [undefined, undefined, undefined],
];

describe("the digests of an import's cells", () => {
  it("are of both texts while cells are written, and then come with all that the work found, in one write", async () => {
    const { parts, book, known, write } = await opened();
    expect(await known()).toEqual(ofNow);
    const states = [(await book.digests("one")).stateId];
    const lastRun = { ...saved.lastRun, atMs: 7 };
    const refresh = { atMs: 7, changed: 0, changes: [] };
    await write(async () => {
      expect(await known()).toEqual(ofBoth);
      expect(await book.read("one")).toMatchObject({ lastRun: { atMs: 5 }, refreshes: [] });
      states.push((await book.digests("one")).stateId);
      return { change: { lastRun }, refresh };
    });
    states.push((await book.digests("one")).stateId);
    expect(await known()).toEqual(ofNext);
    expect(await book.read("one")).toMatchObject({ lastRun, refreshes: [refresh] });
    expect(new Set(states).size).toBe(3);
    expect(parts.texts()).toHaveLength(1);
  });

  it.each([
    ["as they were, with their state, if the work failed and nothing was written", false, ofNow],
    ["of both texts if some cells may have been written", true, ofBoth],
  ])("are %s", async (_, isPartlyWritten, expected) => {
    const { book, known, write } = await opened();
    const failure = new SheetFailure("sheet-refused", { isPartlyWritten });
    await expect(write(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(await known()).toEqual(expected);
    expect((await book.digests("one")).stateId === "s").toBe(!isPartlyWritten);
  });

  it("are unknown if a colleague has written cells of the import meanwhile, whose other choices stay", async () => {
    const { parts, known, write } = await opened();
    const colleagues = createImportBook(parts);
    await write(async () => {
      const theirs = digests("theirs", { stateId: (await colleagues.digests("one")).stateId });
      const change = { name: "Renamed" };
      await colleagues.during("one", { kept: theirs, written: theirs }, () => Promise.resolve({ change }));
      return { change: { lastRun: { ...saved.lastRun, atMs: 7 } } };
    });
    expect(await known()).toEqual(ofNone);
    expect(parts.texts().map(parseImportXml)).toMatchObject([{ name: "Renamed", lastRun: { atMs: 7 } }]);
    // Texts that are written from now on are known again.
    await write();
    expect(await known()).toEqual(ofNext);
  });

  it("are unknown if two colleagues have each written a part at once", async () => {
    const of = (text: string) => importXml({ ...saved, refreshes: [], digests: storeDigests(digests(text)) });
    const { parts, book, known } = await opened(of("now"), of("next"));
    expect(await known()).toEqual(ofNone);
    await book.update("one", { name: "Renamed" });
    expect([parts.texts().length, await known()]).toEqual([1, ofNone]);
  });

  it("are of both texts, and it is said that the refresh is not remembered, if Excel refuses the last write", async () => {
    const { parts, known, write } = await opened();
    const { notRemembered } = await write(() => {
      parts.excel.refuses = () => true;
      return Promise.resolve({ change: { name: "Renamed" } });
    });
    expect(notRemembered).toBeInstanceOf(Failure);
    expect(await known()).toEqual(ofBoth);
  });

  it("are unknown rather than wrong if Excel takes no part of their size, and the rest is written", async () => {
    const { parts, book, known, write } = await opened();
    parts.excel.refuses = (xml) => xml.includes('"after"');
    await book.update("one", { name: "Renamed" });
    parts.excel.refuses = () => false;
    expect([await known(), (await book.read("one"))?.name]).toEqual([ofNone, "Renamed"]);
    expect((await book.digests("one")).stateId).toBe("s");
    await write();
    expect(await known()).toEqual(ofNext);
  });

  it("are right, and the refresh stands once in the history, if Excel carries out a write that it says it refused", async () => {
    const { parts, book } = await opened();
    let refusals = 0;
    const unsure = createImportBook({
      ...parts,
      async writePart(id, xml) {
        const written = await parts.writePart(id, xml);
        if ((refusals += 1) % 4 !== 0) throw new Error("refused");
        return written;
      },
    });
    const kept = digests("now", { after: "next", stateId: "s" });
    const refresh = { atMs: 7, changed: 0, changes: [] };
    await unsure.during("one", { kept, written: kept }, () => Promise.resolve({ refresh }));
    const read = await book.digests("one");
    expect([read.stateId, read.isAsWritten(cell, "next")]).toEqual([kept.stateId, true]);
    expect(await book.history("one")).toEqual([refresh]);
  });

  it("let no cell be written if Excel takes nothing at all", async () => {
    const { parts, known, write } = await opened();
    parts.excel.refuses = () => true;
    let isBegun = false;
    await expect(write(() => Promise.resolve({ isBegun: (isBegun = true) }))).rejects.toThrow();
    expect([isBegun, await known()]).toEqual([false, ofNow]);
  });

  it("of an earlier build, in a part of their own, are read if they are of the last run, and join the import's part", async () => {
    const part = (runsMs: number[]) =>
      jsonPart("digests", "urn:regdata:digests:one", {
        ...{ version: 1, runsMs },
        ...storeDigests(digests("now", { stateId: "s" })),
      });
    const xml = importXml({ ...saved, refreshes: [] });
    const { parts, book, known, write } = await opened(xml, part([4, 5]));
    expect(await known()).toEqual(ofNow);
    await book.update("one", { name: "Renamed" });
    expect([parts.texts().length, await known()]).toEqual([1, ofNow]);
    await write();
    expect(await known()).toEqual(ofNext);
    for (const others of [[part([4])], [part([5]), part([5])], [part([5]).slice(0, -9)]]) {
      const other = await opened(xml, ...others);
      expect(await other.known()).toEqual(ofNone);
      await other.book.update("one", { name: "Renamed" });
      expect(other.parts.texts()).toHaveLength(1);
    }
  });

  it("of an import that was forgotten meanwhile bring nothing back", async () => {
    const { parts, book, write } = await opened();
    await write(() => book.forget("one").then(() => ({})));
    expect(parts.texts()).toEqual([]);
  });
});
