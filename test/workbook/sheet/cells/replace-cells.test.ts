import { describe, expect, it } from "vitest";
import { type AreaChange, replaceCells } from "../../../../src/workbook/sheet/cells/replace-cells";
import { mustName } from "../played-sheet";

type Cells = Map<string, unknown>;

/**
 * Simulates sheets as a map from cells to contents and formats. A write fails if `refuses` is true for its sheet and the number of its
 * request. `puts` receives the areas that each request writes.
 */
function playSheets(
  cells: Cells,
  refuses: (sheetId: string, syncs: number) => boolean,
  puts: string[][] = [],
) {
  let queue: { sheetId: string; isWrite: boolean; act(): void }[] = [];
  let syncs = 0;
  let putting: string[] = [];
  const rangeAt = (sheetId: string, row: number, column: number, rows: number, columns: number) => {
    const write = (part: string) => (values: unknown[][]) =>
      queue.push({
        sheetId,
        isWrite: true,
        act: () =>
          values.forEach((line, down) =>
            line.forEach((value, across) => {
              if (value !== null) cells.set(`${sheetId} ${row + down} ${column + across} ${part}`, value);
            }),
          ),
      });
    const contents = (part: string, blank: unknown) =>
      Array.from({ length: rows }, (_, down) =>
        Array.from(
          { length: columns },
          (_, across) => cells.get(`${sheetId} ${row + down} ${column + across} ${part}`) ?? blank,
        ),
      );
    const range = {
      read: { formulas: [] as unknown[][], numberFormat: [] as unknown[][] },
      rowHidden: false,
      load(names: string) {
        mustName(names);
        // A request loads the state before the steps that follow it, as in Excel.
        const act = () => {
          range.read = { formulas: contents("content", ""), numberFormat: contents("format", "General") };
        };
        queue.push({ sheetId, isWrite: false, act });
        return range;
      },
      address: `${sheetId}!A${row + 1}`,
      get numberFormat() {
        return range.read.numberFormat;
      },
      set numberFormat(values: unknown[][]) {
        write("format")(values);
      },
      set formulas(values: unknown[][]) {
        putting.push(`${sheetId} ${row}+${rows} ${column}+${columns}`);
        write("content")(values);
      },
      get values() {
        return range.read.formulas.map((line) =>
          line.map((content) => (/^=[FG]\(/.test(String(content)) ? "result" : content)),
        );
      },
      get text() {
        return this.values.map((line) => line.map(String));
      },
      get formulas() {
        return range.read.formulas;
      },
    };
    return range;
  };
  const context = {
    workbook: {
      worksheets: {
        getItem: (sheetId: string) => ({ getRangeByIndexes: rangeAt.bind(null, sheetId) }),
      },
    },
    sync() {
      syncs += 1;
      if (putting.length > 0) puts.push(putting);
      putting = [];
      const actions = queue;
      queue = [];
      for (const { sheetId, isWrite, act } of actions) {
        if (isWrite && refuses(sheetId, syncs)) return Promise.reject(new Error("refused"));
        act();
      }
      return Promise.resolve();
    },
  };
  return context as unknown as Excel.RequestContext;
}

const change = (sheetId: string, row: number, formula: string, value: string): AreaChange => ({
  ...{ sheetId, row, column: 0, rows: 1, columns: 1 },
  before: [[{ content: formula, numberFormat: "General" }]],
  after: [[{ content: value, numberFormat: "@" }]],
});
const formulas = (count: number): Cells =>
  new Map(
    Array.from({ length: count }, (_, row) => [
      [`a ${row} 0 content`, `=F(${row})`] as const,
      [`a ${row} 0 format`, "General"] as const,
    ]).flat(),
  );
const long = "x".repeat(30_000);

describe("cells that are replaced", () => {
  it("hold the new contents and formats, and their number is reported", async () => {
    const cells = formulas(3);
    const done: number[] = [];
    const changes = [0, 1, 2].map((row) => change("a", row, `=F(${row})`, `v${row}`));
    await replaceCells(
      playSheets(cells, () => false),
      changes,
      { onReplaced: (count) => done.push(count) },
    );
    expect([0, 1, 2].map((row) => cells.get(`a ${row} 0 content`))).toEqual(["v0", "v1", "v2"]);
    expect(cells.get("a 1 0 format")).toBe("@");
    expect(done).toEqual([3]);
  });

  it("are as before if a later piece is refused, or the work is cancelled", async () => {
    const before = formulas(60);
    const changes = Array.from({ length: 60 }, (_, row) => change("a", row, `=F(${row})`, long));
    const cells = new Map(before);
    const failing = replaceCells(
      playSheets(cells, (_, syncs) => syncs === 4),
      changes,
      {},
    );
    await expect(failing).rejects.toThrow("refused");
    expect(cells).toEqual(before);

    const stop = new AbortController();
    const cancelled = replaceCells(
      playSheets(cells, () => false),
      changes,
      {
        signal: stop.signal,
        onReplaced: () => stop.abort(),
      },
    );
    await expect(cancelled).rejects.toMatchObject({ kind: "cancelled" });
    expect(cells).toEqual(before);
  });

  it("are written from the last row up, in pieces and requests small enough for Excel", async () => {
    const puts: string[][] = [];
    const changes = Array.from({ length: 60 }, (_, row) => change("a", row, `=F(${row})`, long));
    await replaceCells(
      playSheets(formulas(60), () => false, puts),
      changes,
      {},
    );
    // At three bytes for each character, 22 rows of 30,000 characters are less than two million bytes.
    expect(puts).toEqual([["a 38+22 0+1"], ["a 16+22 0+1"], ["a 0+16 0+1"]]);

    const far = Array.from({ length: 1_001 }, (_, index) => change("a", 2 * index, "", "x"));
    const others: string[][] = [];
    const done: number[] = [];
    const cells: Cells = new Map(far.map(({ row }) => [`a ${row} 0 content`, ""]));
    await replaceCells(
      playSheets(cells, () => false, others),
      far,
      { onReplaced: (count) => done.push(count) },
    );
    expect(others.map((put) => put.length)).toEqual([500, 500, 1]);
    expect(done).toEqual([500, 1_000, 1_001]);
  });

  it("are written as one rectangle, each cell with its own content", async () => {
    const puts: string[][] = [];
    const state = (content: string | number) => ({ content, numberFormat: "General" });
    const cells: Cells = new Map(
      ["0 0", "0 1", "1 0", "1 1"].map((place, index) => [`a ${place} content`, `old${index}`]),
    );
    const whole: AreaChange = {
      ...{ sheetId: "a", row: 0, column: 0, rows: 2, columns: 2 },
      before: [
        [state("old0"), state("old1")],
        [state("old2"), state("old3")],
      ],
      after: [
        [state("a"), state(1)],
        [state("c"), state("=D()")],
      ],
    };
    await replaceCells(
      playSheets(cells, () => false, puts),
      [whole],
      {},
    );
    expect(puts).toEqual([["a 0+2 0+2"]]);
    expect(["0 0", "0 1", "1 0", "1 1"].map((place) => cells.get(`a ${place} content`))).toEqual([
      "a",
      1,
      "c",
      "=D()",
    ]);
  });

  it("are left alone if somebody has changed one of them", async () => {
    const moved = new Map([...formulas(60), ["a 3 0 content", "mine"]]);
    const changes = Array.from({ length: 60 }, (_, row) => change("a", row, `=F(${row})`, long));
    const cells = new Map(moved);
    const sheets = playSheets(cells, () => false);
    await expect(replaceCells(sheets, changes, {})).rejects.toMatchObject({
      kind: "sheet-refused",
      detail: "Somebody has changed cells meanwhile, and they were left as they are: a!A4.",
    });
    expect(cells).toEqual(moved);
  });

  it("are left alone if somebody has changed one of several areas, or one cell of a row", async () => {
    for (const [place, there] of [
      ["a 9 0", "=F(1)"],
      ["a 0 1", "mine"],
    ] as const) {
      const moved: Cells = new Map<string, unknown>([
        ...([
          ["a 0 0 content", "=F(0)"],
          ["a 0 1 content", "x"],
          ["a 9 0 content", "=F(9)"],
        ] as const),
        [`${place} content`, there],
      ]);
      const pair = { ...change("a", 0, "=F(0)", "new"), columns: 2 };
      pair.before[0]?.push({ content: "x", numberFormat: "General" });
      pair.after[0]?.push({ content: "y", numberFormat: "General" });
      const cells = new Map(moved);
      const replaced = replaceCells(
        playSheets(cells, () => false),
        [pair, change("a", 9, "=F(9)", "new")],
        {},
      );
      await expect(replaced, place).rejects.toMatchObject({ kind: "sheet-refused" });
      expect(cells).toEqual(moved);
    }
  });

  it.each([
    ["a text with an apostrophe of its own is unchanged", "'06001", "'06001", "@", true],
    ["a text that has lost its apostrophe is changed", "06001", "'06001", "@", false],
    ["a text with an apostrophe inside is unchanged", "it's", "it's", "General", true],
    [
      "a text whose apostrophe was a prefix and is now displayed is changed",
      "'06001",
      "'06001",
      "General",
      false,
    ],
  ])("are compared before they are replaced: %s", async (_, there, content, numberFormat, isKnown) => {
    const cells: Cells = new Map([["a 0 0 content", there]]);
    const before = [[{ content, numberFormat }]];
    const replaced = replaceCells(
      playSheets(cells, () => false),
      [{ ...change("a", 0, "", "new"), before }],
      {},
    );
    expect(
      await replaced.then(
        () => true,
        () => false,
      ),
    ).toBe(isKnown);
  });

  it("are compared by their contents, except for cells that a formula spills into", async () => {
    const states = [
      ["06001", "'06001", "General", false],
      ["=1+1", "=1+1", "@", false],
      ["=F(1)", "=F(1)", "@", false],
      [7, 7, "General", false],
      ["anything", "", "General", true],
    ] as const;
    const cells: Cells = new Map(states.map(([there], row) => [`a ${row} 0 content`, there]));
    const changes = states.map(([, content, numberFormat, isSpilledInto], row) => ({
      ...change("a", row, "", "new"),
      before: [[{ content, numberFormat, isSpilledInto }]],
    }));
    const sheets = playSheets(cells, () => false);
    await replaceCells(sheets, changes, {});
    expect(states.map((_, row) => cells.get(`a ${row} 0 content`))).toEqual(states.map(() => "new"));
    const others = changes.map((each) =>
      replaceCells(sheets, [each], {}).then(
        () => "written",
        () => "refused",
      ),
    );
    expect(await Promise.all(others)).toEqual(["refused", "refused", "refused", "refused", "written"]);
  });

  it("are restored on all sheets if one sheet is protected, and only its refusal is reported", async () => {
    const before = new Map([...formulas(1), ["b 0 0 content", "=G()"], ["b 0 0 format", "General"]]);
    const cells = new Map(before);
    const changes = [change("a", 0, "=F(0)", "v"), change("b", 0, "=G()", "v")];
    await expect(
      replaceCells(
        playSheets(cells, (sheetId) => sheetId === "b"),
        changes,
        {},
      ),
    ).rejects.toThrow("refused");
    expect(cells).toEqual(before);
  });

  describe("of which one sheet refuses to be restored", () => {
    const state = (content: string) => ({ content, numberFormat: "General" });
    const before = [
      [state("=G(0)"), state("=G(1)")],
      [state("=G(2)"), state("")],
    ];
    const contentsOf = (cells: Cells) =>
      ["3 2", "3 3", "4 2", "4 3"].map((place) => cells.get(`a ${place} content`) ?? "");
    /** Replaces 2 × 2 cells of a sheet that refuses each request from `refusesFrom` on, and cells of a sheet that refuses only that one. */
    const replaceBoth = (after: typeof before, refusesFrom: number) => {
      const cells: Cells = new Map<string, unknown>([
        ...before.flatMap((row, down) =>
          row.map(({ content }, across) => [`a ${down + 3} ${across + 2} content`, content] as const),
        ),
        ["b 0 5 content", "=F(0)"],
        ["b 0 6 content", "x"],
      ]);
      const square = { ...{ sheetId: "a", row: 3, column: 2, rows: 2, columns: 2 }, before, after };
      // The change is too large for one request.
      const other: AreaChange = {
        ...{ sheetId: "b", row: 0, column: 5, rows: 1, columns: 2 },
        before: [[state("=F(0)"), state("x")]],
        after: [[state("x".repeat(700_000)), state("x")]],
      };
      const sheets = playSheets(
        cells,
        (sheetId, syncs) => syncs >= refusesFrom && (sheetId === "a" || syncs === refusesFrom),
      );
      return { cells, replaced: replaceCells(sheets, [square, other], {}) };
    };
    const after = (...places: number[]) =>
      before.map((row, down) =>
        row.map((cell, across) => (places.includes(2 * down + across) ? state("new") : cell)),
      );

    it("report only the refusal if none of them had been written", async () => {
      const { cells, replaced } = replaceBoth(after(0, 1, 2, 3), 2);
      await expect(replaced).rejects.toThrow("refused");
      expect(contentsOf(cells)).toEqual(["=G(0)", "=G(1)", "=G(2)", ""]);
    });

    it.each([0, 1, 2, 3])(
      "report that they could not be restored if one of them had been written: cell %i",
      async (place) => {
        const { cells, replaced } = replaceBoth(after(place), 4);
        await expect(replaced).rejects.toMatchObject({
          detail: "What had been written could not be taken back.",
        });
        expect(contentsOf(cells)[place]).toBe("new");
      },
    );
  });

  it("are restored in the opposite order, so that a spill's cells are blank again before its formula is back", async () => {
    const puts: string[][] = [];
    const cells = formulas(60);
    const changes = Array.from({ length: 60 }, (_, row) => change("a", row, `=F(${row})`, long));
    const sheets = playSheets(cells, (_, syncs) => syncs === 6, puts);
    await expect(replaceCells(sheets, changes, {})).rejects.toThrow("refused");
    const pieces = [["a 38+22 0+1"], ["a 16+22 0+1"], ["a 0+16 0+1"]];
    // The last piece was refused, so it need not be taken back.
    expect(puts).toEqual([...pieces, ...pieces.slice(0, 2).toReversed()]);
  });

  it("are written in pieces if the old contents were long, or the cells are many", async () => {
    const longBefore: string[][] = [];
    const cells: Cells = new Map(Array.from({ length: 30 }, (_, row) => [`a ${row} 0 content`, long]));
    const changes = Array.from({ length: 30 }, (_, row) => change("a", row, long, "x"));
    await replaceCells(
      playSheets(cells, () => false, longBefore),
      changes,
      {},
    );
    expect(longBefore).toEqual([["a 8+22 0+1"], ["a 0+8 0+1"]]);

    const manyCells: string[][] = [];
    const row = (content: string) => Array.from({ length: 20 }, () => ({ content, numberFormat: "General" }));
    const wide: AreaChange = {
      ...{ sheetId: "a", row: 0, column: 0, rows: 36, columns: 20 },
      before: Array.from({ length: 36 }, () => row("")),
      after: Array.from({ length: 36 }, () => row("x".repeat(1_000))),
    };
    const blank = wide.after.flatMap((cellsOfRow, down) =>
      cellsOfRow.map((_, across) => [`a ${down} ${across} content`, ""] as const),
    );
    await replaceCells(
      playSheets(new Map(blank), () => false, manyCells),
      [wide],
      {},
    );
    expect(manyCells).toEqual([["a 4+32 0+20"], ["a 0+4 0+20"]]);
  });

  it("report that they could not be restored", async () => {
    const cells = formulas(60);
    const changes = Array.from({ length: 60 }, (_, row) => change("a", row, `=F(${row})`, long));
    await expect(
      replaceCells(
        playSheets(cells, (_, syncs) => syncs >= 4),
        changes,
        {},
      ),
    ).rejects.toMatchObject({
      kind: "sheet-refused",
      detail: "What had been written could not be taken back.",
    });
  });
});
