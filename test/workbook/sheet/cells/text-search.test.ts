import { describe, expect, it } from "vitest";
import { readParts } from "../../../../src/workbook/sheet/parts/saved-parts";
import { searchTexts, type SearchOptions } from "../../../../src/workbook/sheet/cells/text-search";
import { loadable, mustName } from "../played-sheet";

const key = "marked-key-1234";

interface Played {
  /** By sheet: its cells, by `row column`. */
  sheets?: Record<string, Map<string, unknown>>;
  names?: { name: string; formula: string; comment: string }[];
  /** Of each sheet. */
  sheetNames?: { name: string; formula: string; comment: string }[];
  notes?: string[];
  comments?: { content: string; replies: string[] }[];
  parts?: Record<string, string>;
  title?: string;
  custom?: { key: string; value: unknown }[];
  settings?: { key: string; value: unknown }[];
  /** What Excel refuses when it is asked for: an XML part, an area of more cells, all names. */
  refuses?: { part?: string; cellsAbove?: number; names?: boolean };
}

/**
 * A workbook behind as much of Excel's API as the search asks. `read` are the areas whose cells were read, `asked` counts
 * places and XML parts that were asked for; `onSync` is told of each request.
 */
function play({ sheets = {}, refuses = {}, parts = {}, ...rest }: Played, onSync = () => {}) {
  const read: { rows: number; columns: number }[] = [];
  const asked = { places: 0, parts: 0 };
  let refusal: Error | undefined;
  const refuse = () => (refusal = new Error("Excel says no."));
  const list = <Item>(items: Item[], onLoad: () => void = () => undefined) => {
    const collection = {
      items,
      load(names: string) {
        mustName(names);
        onLoad();
        return collection;
      },
    };
    return collection;
  };
  const rangeIn = (
    cells: Map<string, unknown>,
    row: number,
    column: number,
    rows: number,
    columns: number,
  ) => {
    const isIn = (place: string) => {
      const [down = 0, across = 0] = place.split(" ").map(Number);
      return down >= row && down < row + rows && across >= column && across < column + columns;
    };
    const values = () =>
      Array.from({ length: rows }, (_, down) =>
        Array.from(
          { length: columns },
          (_unused, across) => cells.get(`${row + down} ${column + across}`) ?? "",
        ),
      );
    const range = {
      isNullObject: false,
      ...{ rowIndex: row, columnIndex: column, rowCount: rows, columnCount: columns },
      values: [] as unknown[][],
      formulas: [] as unknown[][],
      load(what: string) {
        mustName(what);
        if (!what.includes("values")) return range;
        if (rows * columns > (refuses.cellsAbove ?? Infinity)) refuse();
        else {
          read.push({ rows, columns });
          range.formulas = values();
          range.values = values().map((line) =>
            line.map((cell) =>
              String(cell).startsWith("=") ? (String(cell).startsWith("=IF(") ? "" : "shown") : cell,
            ),
          );
        }
        return range;
      },
      getUsedRangeOrNullObject(): object {
        const used = [...cells.keys()].filter(isIn).map((place) => place.split(" ").map(Number));
        if (used.length === 0) return loadable({ isNullObject: true });
        const [downs, acrosses] = [used.map(([down = 0]) => down), used.map(([, across = 0]) => across)];
        const [top, left] = [Math.min(...downs), Math.min(...acrosses)];
        return rangeIn(cells, top, left, Math.max(...downs) - top + 1, Math.max(...acrosses) - left + 1);
      },
    };
    return range;
  };
  const located = {
    getLocation() {
      asked.places += 1;
      return loadable({ rowIndex: 6, columnIndex: 1, worksheet: loadable({ id: "One", name: "One" }) });
    },
  };
  const worksheets = Object.entries(sheets).map(([name, cells]) => ({
    id: name,
    name,
    names: list(rest.sheetNames ?? []),
    notes: list((rest.notes ?? []).map((content) => ({ content, ...located }))),
    getUsedRangeOrNullObject: () => rangeIn(cells, 0, 0, 1_048_576, 16_384).getUsedRangeOrNullObject(),
    getRangeByIndexes: (...place: [number, number, number, number]) => rangeIn(cells, ...place),
  }));
  const partItems = Object.entries(parts).map(([id, xml]) => ({
    id,
    namespaceUri: `urn:${id}`,
    getXml() {
      asked.parts += 1;
      if (id === refuses.part) refuse();
      return { value: xml };
    },
  }));
  const context = {
    workbook: {
      worksheets: Object.assign(list(worksheets), {
        getItem: (id: string) => worksheets.find((sheet) => sheet.id === id),
      }),
      names: list(rest.names ?? [], () => refuses.names && refuse()),
      comments: list(
        (rest.comments ?? []).map(({ content, replies }) => ({
          content,
          replies: list(replies.map((reply) => ({ content: reply }))),
          ...located,
        })),
      ),
      customXmlParts: Object.assign(list(partItems), { getByNamespace: () => list(partItems) }),
      properties: loadable({ title: rest.title ?? "", custom: list(rest.custom ?? []) }),
      settings: list(rest.settings ?? []),
    },
    sync() {
      onSync();
      const [thrown] = [refusal];
      refusal = undefined;
      return thrown ? Promise.reject(thrown) : Promise.resolve();
    },
  } as unknown as Excel.RequestContext;
  return { context, read, asked };
}

const search = (context: Excel.RequestContext, options: Partial<SearchOptions> = {}) =>
  searchTexts(context, [["other-key"], [key]], { hasExcelApi: () => true, hasNotes: true, ...options });

describe("the search for a text in a workbook", () => {
  it.each<[string, Played, { what: string; row?: number }]>([
    ["cell", { sheets: { One: new Map([["2 1", `it is ${key}!`]]) } }, { what: "", row: 2 }],
    ["formula", { sheets: { One: new Map([["3 0", `=LEN("${key}")`]]) } }, { what: "", row: 3 }],
    [
      "formula that shows nothing",
      { sheets: { One: new Map([["4 0", `=IF(A1="${key}","","")`]]) } },
      { what: "", row: 4 },
    ],
    ["sheet's name", { sheets: { [key]: new Map() } }, { what: "the name of the sheet ••••" }],
    [
      "name",
      { names: [{ name: "Token", formula: `="${key}"`, comment: "" }] },
      { what: "the name Token, under Formulas, Name Manager" },
    ],
    [
      "name's comment",
      { names: [{ name: key, formula: "=1", comment: key }] },
      { what: "the name ••••, under Formulas, Name Manager" },
    ],
    ["note", { sheets: { One: new Map() }, notes: ["hello", key] }, { what: "a note on", row: 6 }],
    ["reply", { comments: [{ content: "What is it?", replies: [key] }] }, { what: "a comment on", row: 6 }],
    ["foreign XML part", { parts: { theirs: `<a key="${key}"/>` } }, { what: "the XML part urn:theirs" }],
    ["property", { title: key }, { what: "the document's property title" }],
    [
      "property of the user's",
      { custom: [{ key: "Key", value: key }] },
      { what: "the document's property Key" },
    ],
    [
      "setting",
      { settings: [{ key: "kept", value: { deep: [key] } }] },
      { what: "the add-in's setting kept" },
    ],
  ])("finds it in a %s, and does not say it", async (_, played, { what, row }) => {
    const { found, unsearched } = await search(play(played).context);
    expect(found).toMatchObject([
      { text: 1, what, cell: row === undefined ? null : { row, sheetName: "One" } },
    ]);
    expect(JSON.stringify(found)).not.toContain(key);
    expect(unsearched).toEqual([]);
    expect(
      (await searchTexts(play(played).context, [["other-key"]], { hasExcelApi: () => true, hasNotes: true }))
        .found,
    ).toEqual([]);
  });

  it("reads a large sheet in pieces, and nothing of what is empty between far cells", async () => {
    const cells = new Map<string, unknown>([
      ["0 0", 1],
      ["1048575 16383", key],
    ]);
    for (let row = 1_000; row < 31_000; row += 1) cells.set(`${row} 5`, row);
    const { context, read } = play({ sheets: { One: cells } });
    const { found } = await search(context);
    expect(found).toMatchObject([{ cell: { row: 1_048_575, column: 16_383 } }]);
    expect(Math.max(...read.map(({ rows, columns }) => rows * columns))).toBeLessThanOrEqual(10_000);
    expect(read.reduce((sum, { rows, columns }) => sum + rows * columns, 0)).toBeLessThan(60_000);
  });

  it("goes on in smaller pieces where Excel refuses one, and with the rest where it refuses a thing", async () => {
    const cells = new Map<string, unknown>(Array.from({ length: 64 }, (_, row) => [`${row} 0`, row]));
    cells.set("40 0", key);
    const { context } = play({
      sheets: { One: cells },
      parts: { large: "", theirs: key },
      refuses: { cellsAbove: 20, part: "large", names: true },
    });
    const { found, unsearched } = await search(context);
    expect(found.map(({ what, cell }) => [what, cell?.row])).toEqual([
      ["", 40],
      ["the XML part urn:theirs", undefined],
    ]);
    expect(unsearched).toEqual(["names", "the XML part urn:large"]);
  });

  it("halves a piece that Excel refuses along its longer side, down to single cells, none twice", async () => {
    const cells = new Map<string, unknown>();
    for (let row = 0; row < 3; row += 1)
      for (let column = 0; column < 5; column += 1) cells.set(`${row} ${column}`, `${key} ${row} ${column}`);
    const { context, read } = play({ sheets: { One: cells }, refuses: { cellsAbove: 2 } });
    const { found, cells: looked, unsearched } = await search(context);
    expect(found.map(({ cell }) => `${cell?.row} ${cell?.column}`).sort()).toEqual([...cells.keys()]);
    expect([looked, unsearched]).toEqual([15, []]);
    expect(read.every(({ rows, columns }) => rows * columns <= 2)).toBe(true);
  });

  it("reads a wide sheet in pieces, too", async () => {
    const cells = new Map<string, unknown>(Array.from({ length: 16_384 }, (_, column) => [`0 ${column}`, 1]));
    cells.set("0 12000", key);
    const { context, read } = play({ sheets: { One: cells } });
    expect((await search(context)).found).toMatchObject([{ cell: { row: 0, column: 12_000 } }]);
    expect(read.map(({ columns }) => columns)).toEqual([8_192, 8_192]);
  });

  it("says how far it has come, and counts the cells that it looked into", async () => {
    const cells = new Map<string, unknown>(Array.from({ length: 15_000 }, (_, row) => [`${row} 0`, row]));
    const progress: number[] = [];
    const { context } = play({ sheets: { One: cells, Two: new Map([["0 0", 1]]) } });
    const { cells: looked } = await search(context, { onProgress: (count) => progress.push(count) });
    expect(progress).toEqual([7_500, 15_000, 15_001]);
    expect(looked).toBe(15_001);
  });

  it("looks for each of a text's forms, and in the names of each sheet", async () => {
    const sheetNames = [{ name: "Local", formula: "=1", comment: "as marked%2Dkey" }];
    const { context } = play({ sheets: { One: new Map() }, sheetNames });
    const { found } = await searchTexts(context, [[key, "marked%2Dkey"]], {
      hasExcelApi: () => true,
      hasNotes: true,
    });
    expect(found).toEqual([{ text: 0, what: "the name Local, under Formulas, Name Manager", cell: null }]);
  });

  it("names a hundred places, and no more", async () => {
    const cells = new Map<string, unknown>(Array.from({ length: 150 }, (_, row) => [`${row} 0`, key]));
    expect((await search(play({ sheets: { One: cells } }).context)).found).toHaveLength(100);
  });

  it("asks where a note is only if it holds a text, and for XML parts together", async () => {
    const parts = Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`part${index}`, "<a/>"]));
    let syncs = 0;
    const { context, asked } = play(
      { sheets: { One: new Map() }, notes: ["hello", key, "you"], parts },
      () => (syncs += 1),
    );
    await search(context);
    expect(asked).toEqual({ places: 1, parts: 45 });
    const without = syncs;
    syncs = 0;
    await search(
      play({ sheets: { One: new Map() }, notes: ["hello", key, "you"] }, () => (syncs += 1)).context,
    );
    expect(without - syncs).toBe(3);
  });

  it("says which cell, which sheet's rest and which part Excel did not give, without the text", async () => {
    const one = play({ sheets: { [key]: new Map([["0 0", 1]]) }, refuses: { cellsAbove: 0 } });
    expect((await search(one.context)).unsearched).toEqual(["a cell of ••••"]);
    const cells = new Map<string, unknown>(Array.from({ length: 400 }, (_, row) => [`${row} 0`, row]));
    const many = play({ sheets: { [key]: cells }, refuses: { cellsAbove: 0 } });
    const { unsearched, cells: looked } = await search(many.context);
    expect(unsearched.at(-1)).toBe("the rest of ••••");
    expect(unsearched.slice(0, -1).every((each) => each === "a cell of ••••")).toBe(true);
    expect(unsearched.length).toBeLessThan(40);
    expect(looked).toBe(0);
    expect(many.read).toEqual([]);
  });

  it("says what it was whose request Excel refuses, whichever that is, and finds all else", async () => {
    const played: Played = {
      sheets: { One: new Map([["0 0", key]]) },
      ...{ names: [{ name: "Token", formula: key, comment: "" }], notes: [key], title: key },
      ...{ comments: [{ content: key, replies: [key] }], parts: { theirs: key } },
      settings: [{ key: "kept", value: key }],
    };
    const all = (await search(play(played).context)).found.length;
    expect(all).toBe(7);
    const told: string[][] = [];
    for (let refusedAt = 2; ; refusedAt += 1) {
      let syncs = 0;
      const refuse = () => {
        if ((syncs += 1) === refusedAt) throw new Error("Excel says no.");
      };
      const { found, unsearched } = await search(play(played, refuse).context);
      if (syncs < refusedAt) break;
      told.push(unsearched);
      // A thing that was seen without its place counts as found; one XML part is asked for once more.
      expect(found.length + unsearched.length, unsearched.join()).toBeGreaterThanOrEqual(all);
    }
    expect([...new Set(told.flat())]).toEqual([
      "cells of One",
      ...["a cell of One", "names", "notes", "comments", "XML parts"],
      ...["the document's properties", "the add-in's settings"],
    ]);
  });

  it("says what this Excel can't show", async () => {
    const { context } = play({ comments: [{ content: key, replies: [] }] });
    const { found, unsearched } = await search(context, { hasExcelApi: () => false, hasNotes: false });
    expect([found, unsearched]).toEqual([[], ["notes", "comments"]]);
  });

  it("ends wherever it is cancelled", async () => {
    const played: Played = {
      sheets: { One: new Map([["0 0", 1]]) },
      ...{ notes: [key], comments: [{ content: key, replies: [] }], parts: { theirs: key } },
    };
    let cancelledAt = 0;
    for (;;) {
      const stop = new AbortController();
      let syncs = 0;
      const { context } = play(played, () => (syncs += 1) === cancelledAt && stop.abort());
      if (cancelledAt === 0) stop.abort();
      const end = await search(context, { signal: stop.signal }).then(
        () => "found",
        (failure: unknown) => failure,
      );
      // What the last request brought is there.
      if (end === "found") break;
      expect(end, `request ${cancelledAt}`).toMatchObject({ kind: "cancelled" });
      cancelledAt += 1;
    }
    expect(cancelledAt).toBe(13);
  });
});

describe("the parts of a workbook", () => {
  it("are read where Excel gives all but one of them, and fail where it gives none", async () => {
    const parts = { large: "x", small: "<a/>" };
    expect(await readParts(play({ parts, refuses: { part: "large" } }).context, "urn:any")).toEqual([
      { id: "large", xml: "" },
      { id: "small", xml: "<a/>" },
    ]);
    const alone = play({ parts: { large: "x" }, refuses: { part: "large" } });
    await expect(readParts(alone.context, "urn:any")).rejects.toThrow("Excel says no.");
  });
});
