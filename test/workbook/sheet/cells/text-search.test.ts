import { describe, expect, it } from "vitest";
import { searchTexts, type SearchOptions } from "../../../../src/workbook/sheet/cells/text-search";
import { loadable, mustName } from "../played-sheet";

const key = "marked-key-1234";

/** A cell shows its formula's value; a single number or text stands for a constant. */
type Cell = string | number | { formula: string; value: string };
type DefinedName = { name: string; formula: string; comment: string };

interface Played {
  /** The cells of each sheet, by `row column`. */
  sheets?: Record<string, Record<string, Cell>>;
  names?: DefinedName[];
  namesOfSheets?: DefinedName[];
  parts?: Record<string, string>;
  /** Requests that Excel refuses: to read an XML part, or areas of more cells than this. */
  refusesPart?: string;
  refusesCellsAbove?: number;
}

/** A workbook with the part of Excel's API that the search uses. `read` lists the sizes of the areas that were read. */
function play(played: Played, onSync: () => void = () => undefined) {
  const { sheets = {}, names = [], namesOfSheets = [], parts = {} } = played;
  const read: number[] = [];
  let refusal: Error | undefined;
  const refuse = (code?: string) => (refusal = Object.assign(new Error("Excel says no."), { code }));
  const list = <Item>(items: Item[]) => loadable({ items });
  const rangeOf = (
    cells: Record<string, Cell>,
    row: number,
    column: number,
    rows: number,
    columns: number,
  ) => {
    const grid = (of: "formula" | "value") =>
      Array.from({ length: rows }, (_, down) =>
        Array.from({ length: columns }, (_unused, across) => {
          const cell = cells[`${row + down} ${column + across}`] ?? "";
          return typeof cell === "object" ? cell[of] : cell;
        }),
      );
    const range = {
      formulas: [] as unknown[][],
      values: [] as unknown[][],
      load(what: string) {
        mustName(what);
        if (rows * columns > (played.refusesCellsAbove ?? Infinity))
          refuse("ResponsePayloadSizeLimitExceeded");
        else {
          read.push(rows * columns);
          Object.assign(range, { formulas: grid("formula"), values: grid("value") });
        }
        return range;
      },
    };
    return range;
  };
  const usedOf = (cells: Record<string, Cell>) => {
    const used = Object.keys(cells).map((place) => place.split(" ").map(Number));
    if (used.length === 0) return loadable({ isNullObject: true });
    const [downs, acrosses] = [used.map(([down = 0]) => down), used.map(([, across = 0]) => across)];
    const [rowIndex, columnIndex] = [Math.min(...downs), Math.min(...acrosses)];
    return loadable({
      isNullObject: false,
      rowIndex,
      columnIndex,
      rowCount: Math.max(...downs) - rowIndex + 1,
      columnCount: Math.max(...acrosses) - columnIndex + 1,
    });
  };
  const worksheets = Object.entries(sheets).map(([name, cells]) => ({
    id: name,
    name,
    names: list(namesOfSheets),
    getUsedRangeOrNullObject: () => usedOf(cells),
    getRangeByIndexes: (...place: [number, number, number, number]) => rangeOf(cells, ...place),
  }));
  const context = {
    workbook: {
      worksheets: Object.assign(list(worksheets), {
        getItem: (id: string) => worksheets.find((sheet) => sheet.id === id),
      }),
      names: list(names),
      customXmlParts: list(
        Object.entries(parts).map(([id, xml]) => ({
          id,
          namespaceUri: `urn:${id}`,
          getXml() {
            if (id === played.refusesPart) refuse();
            return { value: xml };
          },
        })),
      ),
    },
    sync() {
      onSync();
      const thrown = refusal;
      refusal = undefined;
      return thrown ? Promise.reject(thrown) : Promise.resolve();
    },
  } as unknown as Excel.RequestContext;
  return { context, read };
}

const search = (context: Excel.RequestContext, options?: SearchOptions) =>
  searchTexts(context, [["other-key"], [key]], options);
const column = (length: number, cell: (row: number) => Cell) =>
  Object.fromEntries(Array.from({ length }, (_, row) => [`${row} 0`, cell(row)]));

describe("the search for a key in a workbook", () => {
  it.each<[string, Played, { what: string; row?: number }]>([
    ["text of a cell", { sheets: { One: { "2 1": `it is ${key}!` } } }, { what: "", row: 2 }],
    [
      "formula",
      { sheets: { One: { "3 0": { formula: `=IF(A1="${key}","","")`, value: "" } } } },
      { what: "", row: 3 },
    ],
    [
      "value of a formula",
      { sheets: { One: { "4 0": { formula: "=A1&A2", value: key } } } },
      { what: "", row: 4 },
    ],
    ["sheet's name", { sheets: { [key]: {} } }, { what: "the name of the sheet ••••" }],
    [
      "defined name's formula",
      { names: [{ name: "Token", formula: `="${key}"`, comment: "" }] },
      { what: "the name Token, under Formulas, Name Manager" },
    ],
    [
      "defined name and its comment",
      { names: [{ name: key, formula: "=1", comment: key }] },
      { what: "the name ••••, under Formulas, Name Manager" },
    ],
    [
      "name that a sheet defines",
      { sheets: { One: {} }, namesOfSheets: [{ name: "Local", formula: "=1", comment: key }] },
      { what: "the name Local, under Formulas, Name Manager" },
    ],
    [
      "XML part of another program",
      { parts: { theirs: `<a key="${key}"/>` } },
      { what: "the hidden data urn:theirs, under File, Info, Inspect Document" },
    ],
  ])("finds it in a %s, and names the place without the key", async (_, played, { what, row }) => {
    const { found, unsearched } = await search(play(played).context);
    expect(found).toMatchObject([
      { text: 1, what, cell: row === undefined ? null : { row, sheetName: "One" } },
    ]);
    expect(JSON.stringify(found)).not.toContain(key);
    expect(unsearched).toEqual([]);
    expect((await searchTexts(play(played).context, [["other-key"]])).found).toEqual([]);
  });

  it("finds each form of a key, on every sheet in turn, and counts the cells", async () => {
    const { context } = play({
      sheets: { One: { "0 0": "as a%2Bkey" }, Empty: {}, Two: { "5 5": "a+key" } },
    });
    const progress: number[] = [];
    const { found, cells } = await searchTexts(context, [["a+key", "a%2bkey"]], {
      onProgress: (count) => progress.push(count),
    });
    expect(found.map(({ cell }) => cell?.sheetName)).toEqual(["One", "Two"]);
    expect([cells, progress]).toEqual([2, [1, 2]]);
  });

  it("reads a large sheet in pieces that Excel on the web can answer", async () => {
    const { context, read } = play({
      sheets: { One: column(30_000, (row) => (row === 29_999 ? key : row)) },
    });
    const { found, cells } = await search(context);
    expect(found).toMatchObject([{ cell: { row: 29_999, column: 0 } }]);
    expect(cells).toBe(30_000);
    expect(read).toEqual([7_500, 7_500, 7_500, 7_500]);
  });

  it("halves a piece that Excel refuses until Excel gives it, and reads no cell twice", async () => {
    const { context, read } = play({
      sheets: { One: column(64, (row) => (row === 40 ? key : row)) },
      refusesCellsAbove: 20,
    });
    const { found, unsearched } = await search(context);
    expect(found).toMatchObject([{ cell: { row: 40 } }]);
    expect([unsearched, read]).toEqual([[], [16, 16, 16, 16]]);
  });

  it("lists a sheet that has too many cells as not searched, and searches the others", async () => {
    const sheets = { Large: { "0 0": key, "399 16383": key }, Small: { "0 0": key } };
    const { found, unsearched, cells } = await search(play({ sheets }).context);
    expect(found.map(({ cell }) => cell?.sheetName)).toEqual(["Small"]);
    expect([unsearched, cells]).toEqual([["Large, which has too many cells"], 1]);
  });

  it("gives a sheet up once Excel refuses a single cell of it, and does not repeat the key in the sheet's name", async () => {
    let syncs = 0;
    const sheets = { [key]: column(400, (row) => row) };
    const { context } = play({ sheets, refusesCellsAbove: 0 }, () => (syncs += 1));
    const { unsearched, cells } = await search(context);
    expect([unsearched, cells]).toEqual([["some or all cells of ••••"], 0]);
    expect(syncs).toBeLessThan(20);
  });

  it("lists everything that Excel refuses, whichever request it is, and finds all else", async () => {
    const played: Played = {
      sheets: { One: { "0 0": key }, Two: { "0 0": key } },
      names: [{ name: "Token", formula: key, comment: "" }],
      parts: { theirs: key, others: key },
    };
    const told: string[] = [];
    for (let refusedAt = 2; ; refusedAt += 1) {
      let syncs = 0;
      const refuse = () => {
        if ((syncs += 1) === refusedAt) throw new Error("Excel says no.");
      };
      const { found, unsearched } = await search(play(played, refuse).context);
      if (syncs < refusedAt) break;
      expect(unsearched).toHaveLength(1);
      expect(found).toHaveLength(unsearched[0] === "hidden data" ? 3 : 4);
      told.push(...unsearched);
    }
    expect([...new Set(told)]).toEqual([
      "some or all cells of One",
      "some or all cells of Two",
      "the names in the Name Manager",
      "hidden data",
      "the hidden data urn:theirs, under File, Info, Inspect Document",
      "the hidden data urn:others, under File, Info, Inspect Document",
    ]);
  });

  it("names a hundred places, and no more", async () => {
    const { context } = play({ sheets: { One: column(150, () => key) } });
    expect((await search(context)).found).toHaveLength(100);
  });

  it("ends at any request at which it is cancelled", async () => {
    const played: Played = { sheets: { One: { "0 0": 1 } }, parts: { theirs: key } };
    let requests = 0;
    await search(play(played, () => (requests += 1)).context);
    expect(requests).toBe(6);
    for (let cancelledAt = 0; cancelledAt < requests; cancelledAt += 1) {
      const stop = new AbortController();
      let syncs = 0;
      const { context } = play(played, () => (syncs += 1) === cancelledAt && stop.abort());
      if (cancelledAt === 0) stop.abort();
      await expect(search(context, { signal: stop.signal })).rejects.toMatchObject({ kind: "cancelled" });
      expect(syncs).toBe(cancelledAt);
    }
  });
});
