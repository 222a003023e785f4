import { describe, expect, it } from "vitest";
import { createDigests, digestOf } from "../../../../src/workbook/imports/saved/cell-digests";
import { createDigestBook } from "../../../../src/workbook/imports/saved/digest-book";
import { memoryParts } from "../memory-parts";

const cell = { ahjId: 1, typeId: 10, part: "value" } as const;
function digests(text: string) {
  const made = createDigests();
  made.set(cell, digestOf(cell, text), digestOf(cell, text));
  return made;
}
const kept = (text: string) => ({ runsMs: [5, 7], digests: digests(text) });
const run = (atMs: number, id = "one") => ({ id, lastRun: { atMs, rows: 1, values: 1, notRefreshed: 0 } });

describe("the digests that a workbook keeps", () => {
  it("are those of the import, as they were written last, each time with another state", async () => {
    const parts = memoryParts();
    const book = createDigestBook(parts);
    await book.write("one", kept("before"));
    await book.write("two", kept("other"));
    const first = await book.read(run(5));
    await book.write("one", kept("after"));
    const second = await book.read(run(7));
    expect([first.isAsWritten(cell, "before"), second.isAsWritten(cell, "after")]).toEqual([true, true]);
    expect(new Set(["", first.stateId, second.stateId]).size).toBe(3);
    expect(parts.texts()).toHaveLength(2);
  });

  it("are none if another build has refreshed since, if there are two parts, and if the part is damaged", async () => {
    const parts = memoryParts();
    const book = createDigestBook(parts);
    expect((await book.read(run(5))).stateId).toBe("");
    await book.write("one", kept("text"));
    expect((await book.read(run(9))).isAsWritten(cell, "text")).toBeUndefined();
    const [xml = ""] = parts.texts();
    for (const others of [[xml, xml], [xml.slice(0, -9)], [xml.replace('"version":1', '"version":9')]]) {
      const read = await createDigestBook(memoryParts(...others)).read(run(5));
      expect([read.stateId, read.isAsWritten(cell, "text")]).toEqual(["", undefined]);
    }
  });

  it("go if Excel takes no new ones, since wrong ones would be worse", async () => {
    const parts = memoryParts();
    const book = createDigestBook(parts);
    await book.write("one", kept("text"));
    parts.excel.refuses = true;
    const next = kept("next");
    await book.write("one", next);
    expect([parts.texts(), next.digests.stateId]).toEqual([[], ""]);
  });

  it("go with the import", async () => {
    const parts = memoryParts();
    const book = createDigestBook(parts);
    await book.write("one", kept("text"));
    await book.forget("one");
    expect(parts.texts()).toEqual([]);
  });

  it("are none for an import whose id is not one of the add-in's", async () => {
    const parts = memoryParts();
    const book = createDigestBook(parts);
    await book.write('a "strange" id', kept("text"));
    await book.forget('a "strange" id');
    expect((await book.read(run(5, 'a "strange" id'))).stateId).toBe("");
    expect(parts.texts()).toEqual([]);
  });
});
