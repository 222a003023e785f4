import { describe, expect, it } from "vitest";
import { noteText } from "../../../../src/workbook/sheet/layout/note-text";
import { notesOf } from "../../../../src/workbook/sheet/swap/notes";
import { type NoteOptions, type PlacedNote, writeNotes } from "../../../../src/workbook/sheet/tables/notes";
import { createWorkbook } from "../../../../src/workbook/sheet/workbook";
import { mustName } from "../played-sheet";

/** The part of Excel that notes need: one sheet's notes by address, and a table whose body begins in B3. */
function sheetWith(notes: Map<string, string>, failsAt = Infinity, most = Infinity) {
  let syncs = 0;
  let waiting: (() => void)[] = [];
  const noteAt = (address: string) => {
    let read: string | undefined;
    return {
      load(names: string) {
        mustName(names);
        waiting.push(() => (read = notes.get(address)));
        return this;
      },
      get isNullObject() {
        return read === undefined;
      },
      get content() {
        return read ?? "";
      },
      set content(text: string) {
        waiting.push(() => notes.set(address, text));
      },
      delete: () => void waiting.push(() => notes.delete(address)),
    };
  };
  const worksheet = {
    notes: {
      getItemOrNullObject: noteAt,
      add: (address: string, text: string) =>
        void waiting.push(() => {
          // Excel refuses a second note on a cell.
          if (notes.has(address)) throw new Error("refused");
          notes.set(address, text);
        }),
    },
  };
  const range = { address: "'My sheet'!B3:D9", load: mustName, worksheet };
  const context = {
    sync() {
      syncs += 1;
      const work = waiting;
      waiting = [];
      if (syncs === failsAt || work.length > most) return Promise.reject(new Error("refused"));
      try {
        for (const step of work) step();
      } catch (thrown) {
        return Promise.reject(thrown as Error);
      }
      return Promise.resolve();
    },
  };
  return { range: range as unknown as Excel.Range, context: context as unknown as Excel.RequestContext };
}

/** Writes notes on cells of a range, which stay in their rows. */
async function write(
  { context, range }: ReturnType<typeof sheetWith>,
  notes: readonly PlacedNote[],
  options?: NoteOptions,
) {
  const channel = await notesOf(context, range);
  return writeNotes<PlacedNote, PlacedNote>(
    context,
    (open) => Promise.resolve({ channel, places: [...open] }),
    notes,
    options,
  );
}

describe("the note on a cell", () => {
  const published = {
    value: "$30",
    reference: "City Code",
    section: "4-12",
    updatedAt: null,
    fetchedAtMs: 0,
  };

  it("names reference, section and date as far as they are known, and is empty if none is", () => {
    expect(noteText(published)).toBe("City Code\n4-12");
    expect(noteText({ ...published, updatedAt: "2026-01-02T06:00:00Z", section: "" })).toBe(
      "City Code\nUpdated 2026-01-02",
    );
    expect(noteText({ ...published, reference: null, section: null })).toBeNull();
  });

  it("is added, changed or removed, while other notes stay", async () => {
    const notes = new Map([
      ["B3", "old"],
      ["D4", "gone"],
      ["A1", "mine"],
    ]);
    const { range, context } = sheetWith(notes);
    const outcome = await write({ context, range }, [
      { row: 0, column: 0, text: "new", written: "old" },
      { row: 1, column: 2, text: null, written: "gone" },
      { row: 2, column: 1, text: "added", written: null },
      { row: 3, column: 0, text: null, written: null },
    ]);
    expect(Object.fromEntries(notes)).toEqual({ B3: "new", A1: "mine", C5: "added" });
    expect(outcome).toEqual({ kept: [], replaced: [] });
  });

  it("stays where somebody has edited it, and is named", async () => {
    const notes = new Map([
      ["B3", "Code 4, says Ann"],
      ["B4", "Ann's own"],
      ["B5", "Code 6"],
    ]);
    const { range, context } = sheetWith(notes);
    const outcome = await write({ context, range }, [
      { row: 0, column: 0, text: "Code 5", written: "Code 4" },
      { row: 1, column: 0, text: "Code 5", written: null },
      { row: 2, column: 0, text: "Code 7", written: "Code 6" },
    ]);
    expect(Object.fromEntries(notes)).toEqual({ B3: "Code 4, says Ann", B4: "Ann's own", B5: "Code 7" });
    expect(outcome.kept).toEqual(["'My sheet'!B3", "'My sheet'!B4"]);
  });

  it("is replaced and named if its writer is unknown, and replaced without a word if the user gave it up", async () => {
    const notes = new Map([["B3", "Code 4"]]);
    const { range, context } = sheetWith(notes);
    const unknown = await write({ context, range }, [{ row: 0, column: 0, text: "Code 5" }]);
    expect(unknown.replaced).toEqual(["'My sheet'!B3"]);
    const same = await write({ context, range }, [{ row: 0, column: 0, text: "Code 5" }]);
    expect(same.replaced).toEqual([]);
    const all = [{ row: 0, column: 0, text: null, written: null }];
    const given = await write(
      { context, range },
      all.map((each) => ({ ...each, isGivenUp: true })),
    );
    expect([...notes, given.kept, given.replaced]).toEqual([[], []]);
  });

  it("is taken back if its row was another one by the time it was written", async () => {
    const notes = new Map([["B4", "old"]]);
    const { range, context } = sheetWith(notes);
    const moving = [
      { row: 0, column: 0, text: "new", written: null },
      { row: 1, column: 0, text: "new", written: "old" },
      { row: 2, column: 0, text: "new", written: null },
    ];
    // The rows of the first two move between the request that reads the notes and the one that writes them, and are found no more.
    const channel = await notesOf(context, range);
    let [looks, finds] = [0, 0];
    await writeNotes<PlacedNote, PlacedNote>(
      context,
      (open) => {
        finds += 1;
        return Promise.resolve({
          channel,
          places: open.map((note) => (finds === 1 ? note : undefined)),
          queueCheck: (part) => {
            const isFirst = looks++ === 0;
            return () => part.map(({ row }) => ({ isHere: isFirst || row === 2, now: undefined }));
          },
        });
      },
      moving,
    );
    expect([looks, finds]).toEqual([2, 2]);
    expect(Object.fromEntries(notes)).toEqual({ B4: "old", B5: "new" });
  });

  it("stays if somebody types it in the last moment, and is named", async () => {
    const notes = new Map([["B3", "old"]]);
    const { range, context } = sheetWith(notes);
    const { sync } = context;
    let syncs = 0;
    context.sync = () => {
      if (++syncs === 3) notes.set("B3", "says Ann").set("B4", "Ann's own");
      return sync();
    };
    const { kept } = await write({ context, range }, [
      { row: 0, column: 0, text: "new", written: "old" },
      { row: 2, column: 0, text: "new", written: null },
    ]);
    expect(Object.fromEntries(notes)).toEqual({ B3: "says Ann", B4: "Ann's own", B5: "new" });
    expect(kept).toEqual(["'My sheet'!B3"]);
  });

  it("goes to its own cell if rows are inserted above the table in between", async () => {
    const notes = new Map([["B6", "Ann's own"]]);
    const { range, context } = sheetWith(notes);
    const { sync } = context;
    let syncs = 0;
    context.sync = () => {
      if (++syncs === 2) Object.assign(range, { address: "'My sheet'!B5:D11" });
      return sync();
    };
    const { kept } = await write({ context, range }, [
      { row: 0, column: 0, text: "new", written: null },
      { row: 1, column: 0, text: "new", written: null },
    ]);
    expect(Object.fromEntries(notes)).toEqual({ B5: "new", B6: "Ann's own" });
    expect(kept).toEqual(["'My sheet'!B6"]);
  });

  it("is taken back from the cell above if its table moves down in between, with its rows in their order", async () => {
    const notes = new Map<string, string>();
    const { range, context } = sheetWith(notes);
    const { sync } = context;
    let syncs = 0;
    context.sync = () => {
      // The request that writes finds the table two rows further down.
      if (++syncs === 3) Object.assign(range, { address: "'My sheet'!B5:D11" });
      return sync();
    };
    await writeNotes<PlacedNote, PlacedNote>(
      context,
      async (open) => ({
        channel: await notesOf(context, range),
        places: [...open],
        // Each row has its place in the table, wherever the table is.
        queueCheck: (part) => () => part.map(({ cell }) => ({ isHere: true, now: cell })),
      }),
      [{ row: 0, column: 0, text: "new", written: null }],
    );
    expect(Object.fromEntries(notes)).toEqual({ B5: "new" });
  });

  it.each([3, 5])("is as it was if Excel refuses request %i", async (failsAt) => {
    const before = new Map([["B3", "old"]]);
    const notes = new Map(before);
    const { range, context } = sheetWith(notes, failsAt);
    const many = Array.from({ length: 300 }, (_, row) => ({ row, column: 0, text: "new" }));
    await expect(write({ context, range }, many)).rejects.toThrow("refused");
    expect(notes).toEqual(before);
  });

  it("keeps somebody's edit when the others are taken back", async () => {
    const notes = new Map<string, string>();
    const { range, context } = sheetWith(notes, 5);
    const { sync } = context;
    let syncs = 0;
    context.sync = () => {
      syncs += 1;
      if (syncs === 4) notes.set("B3", "new, says Ann");
      return sync();
    };
    const many = Array.from({ length: 300 }, (_, row) => ({ row, column: 0, text: "new" }));
    await expect(write({ context, range }, many)).rejects.toMatchObject({
      detail: "Somebody has changed cells meanwhile, and they were left as they are: 'My sheet'!B3.",
      cause: new Error("refused"),
    });
    expect(Object.fromEntries(notes)).toEqual({ B3: "new, says Ann" });
  });
});

describe("notes on cells that can't be taken back", () => {
  it("are reported", async () => {
    const notes = new Map<string, string>();
    const { range, context } = sheetWith(notes, 5);
    const many = Array.from({ length: 300 }, (_, row) => ({ row, column: 0, text: "new" }));
    const { sync } = context;
    let syncs = 0;
    context.sync = () => ((syncs += 1) > 5 ? Promise.reject(new Error("gone")) : sync());
    await expect(write({ context, range }, many)).rejects.toMatchObject({
      kind: "sheet-refused",
      detail: "Notes that had been written could not be taken back.",
    });
  });
});

describe("the notes of an import that is cancelled", () => {
  it("are taken back in pieces that Excel takes", async () => {
    const notes = new Map([["B3", "old"]]);
    // Each of 200 notes is read and written.
    const { range, context } = sheetWith(notes, Infinity, 400);
    const many = Array.from({ length: 500 }, (_, row) => ({ row, column: 0, text: "new" }));
    const stop = new AbortController();
    let pieces = 0;
    const gate = () => {
      pieces += 1;
      if (pieces === 3) stop.abort();
      return Promise.resolve();
    };
    const cancelled = write({ context, range }, many, { signal: stop.signal, gate });
    await expect(cancelled).rejects.toMatchObject({ kind: "cancelled" });
    expect(Object.fromEntries(notes)).toEqual({ B3: "old" });
  });
});

describe("notes on cells", () => {
  it.each([
    [true, "1.18", { get: () => undefined }],
    [false, "1.17", { get: () => undefined }],
    [false, "1.18", undefined],
  ])("are offered: %s, with ExcelApi %s", (isThere, highest, notes) => {
    class Worksheet {}
    if (notes) Object.defineProperty(Worksheet.prototype, "notes", notes);
    const excel = () => ({ Worksheet }) as unknown as typeof Excel;
    expect(createWorkbook(excel, (version) => version <= highest).hasNotes()).toBe(isThere);
  });
});
