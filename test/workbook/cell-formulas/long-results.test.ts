import { describe, expect, it } from "vitest";
import { config } from "../../../src/config";
import {
  countFrozen,
  forgetGhosts,
  freezeFormulas,
  unfreezeFormulas,
} from "../../../src/workbook/cell-formulas/freeze";
import type { CellValue } from "../../../workbench/spreadsheet";
import { inTime } from "../../excel/in-time";
import { type ExcelOptions, openExcel, type PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

const { namespace } = config;
const signal = new AbortController().signal;
const formula = (name: string) => `=REGDATA.AHJS("${name}")`;

/** A workbook whose function AHJS gives a result of any size: its rows are told by their numbers, and by the time of the calculation. */
function open(size: { rows: number; columns: number }, options: ExcelOptions = {}) {
  const excel = openExcel({ excelApi: "1.16", ...options });
  const shown = { text: "result" };
  const rows = () =>
    Array.from({ length: size.rows }, (_, row) =>
      Array.from({ length: size.columns }, (__, column): CellValue =>
        column === 0 ? `0${row}` : column === 1 ? row : shown.text,
      ),
    );
  excel.spreadsheet.registerFunctions(
    [
      {
        ...{ id: "AHJS", name: "REGDATA.AHJS", description: "", usesDataTypes: false },
        parameters: [{ name: "name", description: "", dimensionality: "scalar", optional: false }],
      },
    ],
    {
      call: (calls) => excel.spreadsheet.settle(calls.map(({ id }) => ({ id, result: rows() }))),
      cancel() {},
    },
  );
  return { ...excel, shown, rows };
}

const found = ({ app }: PlayedExcel) =>
  inTime(app.workbook.findFormulas("workbook", { namespace, canSeeSpills: true }));
const freeze = async (excel: PlayedExcel) =>
  inTime(
    freezeFormulas(await found(excel), excel.app.workbook, {
      ...{ canSeeDataTypes: false, signal },
      onProgress() {},
    }),
  );
const unfreeze = ({ app }: PlayedExcel) =>
  inTime(
    unfreezeFormulas("workbook", app.workbook, { ...{ signal, namespace, calls: app }, onProgress() {} }),
  );
const parts = async ({ app }: PlayedExcel) =>
  (await inTime(app.workbook.readParts("urn:regdata:frozen"))).length;

const held = (excel: PlayedExcel, address: string, expected: readonly CellValue[][]) => {
  const cells = excel.cells(address);
  const other = cells.findIndex((row, at) =>
    row.some(({ value }, across) => value !== expected[at]?.[across]),
  );
  const formulas = cells.flat().filter((cell) => cell.formula !== cell.value);
  return { rows: cells.length, other, formulas: formulas.length };
};

describe("a long result", () => {
  it.each([
    [1, 3],
    [100, 3],
    [5_000, 3],
    [10_000, 3],
    [30_000, 1],
  ])(
    "of %i rows and %i columns is frozen and brought back whole, beside another on its sheet",
    async (rows, columns) => {
      const excel = open({ rows, columns });
      excel.enter("A1", [[formula("a")]]);
      excel.enter("E1", [[formula("b")]]);
      await inTime(excel.spreadsheet.idle());
      const areas = ["A", "E"].map(
        (at) => `${at}1:${String.fromCharCode(at.charCodeAt(0) + columns - 1)}${rows}`,
      );
      const expected = excel.rows();
      for (const area of areas) expect(held(excel, area, expected)).toEqual({ rows, other: -1, formulas: 1 });
      const done = await freeze(excel);
      expect([done.formulas.length, done.left]).toEqual([2, []]);
      for (const area of areas) expect(held(excel, area, expected)).toEqual({ rows, other: -1, formulas: 0 });
      const back = await unfreeze(excel);
      expect([back.back.length, back.left, back.changes?.length]).toEqual([2, [], 0]);
      await inTime(excel.spreadsheet.idle());
      for (const area of areas) expect(held(excel, area, expected)).toEqual({ rows, other: -1, formulas: 1 });
      expect(await parts(excel)).toBe(0);
      expect(excel.problems).toEqual([]);
    },
    240_000,
  );
});

/** Texts so long that a result is written in two requests. */
const longText = (text: string) => text.padEnd(1_150, "x");
const size = { rows: 600, columns: 3 };
const area = "A1:C600";
const works = [
  ["frozen", () => Promise.resolve(), freeze],
  ["brought back", freeze, unfreeze],
] as const;

/** Opens a workbook with a result, and does something at one request after the other until the work ends before that. */
async function atEachRequest(
  [prepare, work]: readonly [
    (excel: PlayedExcel) => Promise<unknown>,
    (excel: PlayedExcel) => Promise<unknown>,
  ],
  interfere: (excel: ReturnType<typeof open>) => void,
  look: (excel: ReturnType<typeof open>, said: string, when: string) => Promise<void> | void,
): Promise<void> {
  for (let at = 0, isHit = true; isHit; at += 1) {
    isHit = false;
    let requests = -Infinity;
    const excel = open(size, {
      onRequest: () => {
        if (requests++ !== at) return;
        isHit = true;
        interfere(excel);
      },
    });
    excel.shown.text = longText("result");
    excel.enter("A1", [[formula("a")]]);
    await inTime(excel.spreadsheet.idle());
    await prepare(excel);
    requests = 0;
    const said = await work(excel).then(
      (told) => JSON.stringify(told),
      (failure: Error) => failure.message,
    );
    requests = -Infinity;
    await inTime(excel.spreadsheet.idle());
    await look(excel, said, `request ${at}`);
    if (!isHit) expect(at).toBeGreaterThan(4);
  }
}

/** True if the result's formula is in its cell and fills the others, or if all of its values are there. */
const isWhole = (excel: ReturnType<typeof open>) => {
  const { other, formulas } = held(excel, area, excel.rows());
  return other === -1 && formulas <= 1;
};

describe.each(works)("while a long result is %s", (_, ...steps) => {
  it.each([
    ["whichever two requests Excel refuses", 2],
    ["wherever it ends", 1_000],
  ])(
    "its formula or all of its values are there, %s",
    async (__, times) => {
      await atEachRequest(
        steps,
        (excel) => excel.fail(7000, times, "workbook"),
        async (excel, said, when) => {
          const { other } = held(excel, area, excel.rows());
          const isThere = other === -1 || excel.cells("A1")[0]?.[0]?.formula === formula("a");
          expect(isThere, `${when}: ${said}`).toBe(true);
          expect(said, when).not.toContain("Somebody");
        },
      );
    },
    120_000,
  );

  it.each(["A1", "A2", "C599"])(
    "a note typed into %s at any request stays",
    async (cell) => {
      let hasNote = false;
      await atEachRequest(
        steps,
        (excel) => {
          hasNote = true;
          excel.enter(cell, [["Ann's note"]]);
        },
        (excel, said, when) => {
          const isKept = excel.values(cell)[0]?.[0] === "Ann's note" || said.includes("Ann's note");
          expect(isKept || !hasNote, `${when}: ${said}`).toBe(true);
          hasNote = false;
        },
      );
    },
    120_000,
  );
});

it("a result that is calculated again while it is frozen is whole, as a formula or as values, and nobody is blamed", async () => {
  let texts = 0;
  await atEachRequest(
    [works[0][1], works[0][2]],
    (excel) => {
      excel.shown.text = longText(`result ${(texts += 1)}`);
      excel.spreadsheet.recalculate("sheet-1");
    },
    (excel, said, when) => {
      const isFormula = excel.cells("A1")[0]?.[0]?.formula === formula("a");
      // Values that were frozen before the calculation are the earlier ones.
      if (!isFormula) excel.shown.text = String(excel.values("C1")[0]?.[0] ?? "");
      expect(isWhole(excel), `${when}: ${said}`).toBe(true);
      expect(said, when).not.toContain("Somebody");
    },
  );
}, 120_000);

it("a result without room, and one that is still awaited, stay formulas", async () => {
  const excel = open(size);
  excel.enter("A5", [["in the way"]]);
  excel.enter("A1", [[formula("a")]]);
  await inTime(excel.spreadsheet.idle());
  const blocked = await freeze(excel);
  expect([blocked.formulas, blocked.left.map(({ reason }) => reason)]).toEqual([[], ["shows #SPILL!"]]);
  expect(excel.cells("A1")[0]?.[0]).toMatchObject({ formula: formula("a"), value: "#SPILL!" });
  expect(excel.values("A5")).toEqual([["in the way"]]);
});

describe("a frozen formula whose cells hold something else", () => {
  async function withGhost() {
    const excel = open({ rows: 3, columns: 1 });
    excel.enter("A1", [[formula("a")]]);
    excel.enter("C1", [[formula("b")]]);
    await inTime(excel.spreadsheet.idle());
    await freeze(excel);
    excel.enter("A1", [["Name"]]);
    await inTime(excel.spreadsheet.idle());
    return excel;
  }
  const count = ({ app }: PlayedExcel) => inTime(countFrozen(app.workbook, namespace, signal));

  it("is told from those that can come back", async () => {
    const excel = await withGhost();
    expect(await count(excel)).toEqual({ frozen: 1, ghosts: 1, unreadable: 0 });
    const { back, left } = await unfreeze(excel);
    expect(back.map(({ column }) => column)).toEqual([2]);
    expect(left.map(({ reason, ghost }) => [reason, ghost?.formula])).toEqual([
      ["no longer shows what was frozen: it was changed or moved", formula("a")],
    ]);
  });

  it("is forgotten if the user gives it up, and the cells stay as they are", async () => {
    const excel = await withGhost();
    const { left } = await unfreeze(excel);
    const ghosts = left.flatMap(({ ghost }) => ghost ?? []);
    expect(await inTime(forgetGhosts(ghosts, excel.app.workbook, namespace))).toBe(1);
    expect(await count(excel)).toEqual({ frozen: 0, ghosts: 0, unreadable: 0 });
    expect(excel.values("A1:A2")).toEqual([["Name"], ["01"]]);
    expect(await parts(excel)).toBe(0);
  });

  it("is forgotten together with its twin that comes back", async () => {
    const excel = open({ rows: 3, columns: 1 });
    excel.enter("A1", [[formula("a")]]);
    await inTime(excel.spreadsheet.idle());
    await freeze(excel);
    const [{ xml } = { xml: "" }] = await inTime(excel.app.workbook.readParts("urn:regdata:frozen"));
    await inTime(excel.app.workbook.writePart(null, xml));
    expect(await count(excel)).toEqual({ frozen: 1, ghosts: 0, unreadable: 0 });
    expect(await unfreeze(excel)).toMatchObject({ back: [{ formula: formula("a") }], left: [] });
    expect(await parts(excel)).toBe(0);
  });
});
