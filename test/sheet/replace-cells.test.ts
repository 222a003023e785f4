import { describe, expect, it } from "vitest";
import { type AreaChange, replaceCells } from "../../src/sheet/replace-cells";
import { mustName } from "./played-sheet";

type Cells = Map<string, unknown>;

/** Sheets as maps from cells to contents and formats, whose requests fail as told; `puts` are the areas that each writes. */
function playSheets(
  cells: Cells,
  refuses: (sheetId: string, syncs: number) => boolean,
  puts: string[][] = [],
) {
  let queue: { sheetId: string; act(): void }[] = [];
  let syncs = 0;
  let putting: string[] = [];
  const rangeAt = (sheetId: string, row: number, column: number, rows: number, columns: number) => {
    const write = (part: string) => (values: unknown[][]) =>
      queue.push({
        sheetId,
        act: () =>
          values.forEach((line, down) =>
            line.forEach((value, across) => {
              if (value !== null) cells.set(`${sheetId} ${row + down} ${column + across} ${part}`, value);
            }),
          ),
      });
    const range = {
      load(names: string) {
        mustName(names);
        return range;
      },
      set numberFormat(values: unknown[][]) {
        write("format")(values);
      },
      set formulas(values: unknown[][]) {
        putting.push(`${sheetId} ${row}+${rows} ${column}+${columns}`);
        write("content")(values);
      },
      get values() {
        return this.formulas.map((line) =>
          line.map((content) => (String(content).startsWith("=F") ? "result" : content)),
        );
      },
      get formulas() {
        return Array.from({ length: rows }, (_, down) =>
          Array.from({ length: columns }, (_, across) =>
            cells.get(`${sheetId} ${row + down} ${column + across} content`),
          ),
        );
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
      for (const { sheetId, act } of actions) {
        if (refuses(sheetId, syncs)) return Promise.reject(new Error("refused"));
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
  it("hold what is given, and every piece is sent once", async () => {
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

  it("are as before when a later piece is refused, or it is cancelled", async () => {
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

  it("are sent lower rows first, in pieces and requests that Excel takes", async () => {
    const puts: string[][] = [];
    const changes = Array.from({ length: 60 }, (_, row) => change("a", row, `=F(${row})`, long));
    await replaceCells(
      playSheets(formulas(60), () => false, puts),
      changes,
      {},
    );
    // Three bytes a character make 22 rows of 30,000 characters less than two million.
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

  it("stand in rectangles, each cell with its own content", async () => {
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

  it("are left alone where something else stands there by now", async () => {
    const moved = new Map([...formulas(60), ["a 3 0 content", "mine"]]);
    const changes = Array.from({ length: 60 }, (_, row) => change("a", row, `=F(${row})`, long));
    const cells = new Map(moved);
    const sheets = playSheets(cells, () => false);
    await expect(replaceCells(sheets, changes, {})).rejects.toMatchObject({
      kind: "sheet-refused",
      detail: "Cells were changed or moved meanwhile.",
    });
    expect(cells).toEqual(moved);
  });

  it("are known by what they show where they hold no formula; what a formula spills into may show anything", async () => {
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

  it("are as before where one sheet is protected, and nothing more is said than that", async () => {
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

  it("say so where they can't be put back", async () => {
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
