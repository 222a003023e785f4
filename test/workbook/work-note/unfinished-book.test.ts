import { SheetFailure } from "../../../src/sheet-failure";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/errors";
import { createUnfinishedBook } from "../../../src/workbook/work-note/unfinished-book";
import { unfinishedNamespace, type UnfinishedWork } from "../../../src/workbook/work-note/unfinished-work";

const work: UnfinishedWork = { kind: "freeze", frozenAtMs: 1, formulas: 2 };

/** The parts of a workbook, whose writes and deletions a test may refuse. */
function parts() {
  const held = new Map<string, string>();
  const refusals = { write: 0, delete: 0 };
  const refuse = (what: keyof typeof refusals) => {
    if (refusals[what] > 0) {
      refusals[what] -= 1;
      throw new SheetFailure("sheet-refused");
    }
  };
  let last = 0;
  const workbook = {
    readParts: (namespace: string) =>
      Promise.resolve(
        [...held].filter(([, xml]) => xml.includes(`"${namespace}"`)).map(([id, xml]) => ({ id, xml })),
      ),
    async writePart(id: string | null, xml: string) {
      await Promise.resolve();
      refuse("write");
      const partId = id !== null && held.has(id) ? id : `part ${(last += 1)}`;
      held.set(partId, xml);
      return partId;
    },
    async deletePart(id: string) {
      await Promise.resolve();
      refuse("delete");
      held.delete(id);
    },
  };
  return { held, refusals, workbook, open: () => createUnfinishedBook(workbook) };
}

describe("the notes of work under way", () => {
  it("are there while it runs, for other runtimes only, and gone when it is done", async () => {
    const { open, held } = parts();
    const book = open();
    const came = await book.during(async (note) => {
      expect(held.size).toBe(0);
      await note.begin(work);
      expect((await book.list()).works).toEqual([]);
      expect((await open().list()).works).toMatchObject([{ work }]);
      return "done";
    });
    expect(came).toBe("done");
    expect(held.size).toBe(0);
  });

  it("are one part, whatever is noted later", async () => {
    const { open, held } = parts();
    await open().during(async (note) => {
      await note.begin(work);
      await note.begin({ ...work, formulas: 7 });
      expect(held.size).toBe(1);
      expect((await open().list()).works).toMatchObject([{ work: { formulas: 7 } }]);
    });
    expect(held.size).toBe(0);
  });

  it("that can't be written fail the work before anything is written", async () => {
    const { open, refusals } = parts();
    refusals.write = 1;
    let hasWritten = false;
    const working = open().during(async (note) => {
      await note.begin(work);
      hasWritten = true;
    });
    await expect(working).rejects.toMatchObject({ kind: "sheet-refused" });
    expect(hasWritten).toBe(false);
  });

  it("go if the work has failed and was taken back", async () => {
    const { open, held } = parts();
    const working = open().during(async (note) => {
      await note.begin(work);
      throw new Failure("cancelled");
    });
    await expect(working).rejects.toMatchObject({ kind: "cancelled" });
    expect(held.size).toBe(0);
  });

  it.each(["thrown", "told"])(
    "stay, and are listed, if something could not be taken back: %s",
    async (how) => {
      const { open } = parts();
      const book = open();
      let told = 0;
      book.onChange(() => (told += 1));
      const failure = new SheetFailure("sheet-refused", { isPartlyWritten: true });
      const working = book.during(async (note) => {
        await note.begin(work);
        if (how === "thrown") throw failure;
        note.failed(failure);
      });
      await working.catch(() => undefined);
      expect((await book.list()).works).toMatchObject([{ work }]);
      expect(told).toBe(1);
    },
  );

  it("that can't be deleted are no failure: they are not listed, and are deleted by the next look", async () => {
    const { open, held, refusals } = parts();
    const book = open();
    refusals.delete = 3;
    await book.during((note) => note.begin(work));
    expect(held.size).toBe(1);
    expect((await book.list()).works).toEqual([]);
    expect((await book.list()).works).toEqual([]);
    expect(held.size).toBe(0);
  });

  it("end early if the rest need not be noted, and only once", async () => {
    const { open, held } = parts();
    await open().during(async (note) => {
      await note.begin(work);
      await note.end();
      expect(held.size).toBe(0);
    });
  });

  it("are told apart from unreadable notes, which are left as they are until they are forgotten", async () => {
    const { open, held, workbook } = parts();
    const xml = `<unfinished xmlns="${unfinishedNamespace}">{"version":9}</unfinished>`;
    const partId = await workbook.writePart(null, xml);
    const book = open();
    expect(await book.list()).toEqual({ works: [], unreadable: [{ partId }] });
    await book.forget(partId);
    expect(held.size).toBe(0);
  });
});
