import { describe, expect, it } from "vitest";
import { config } from "../../../src/config";
import {
  freezeFormulas,
  type SeenFormula,
  unfreezeFormulas,
} from "../../../src/workbook/cell-formulas/freeze";
import {
  frozenNamespace,
  frozenXml,
  type FrozenFormula,
} from "../../../src/workbook/cell-formulas/frozen-formulas";
import { fingerprint } from "../../../src/workbook/sheet/values/fingerprint";
import { findMoved } from "../../../src/workbook/cell-formulas/moved-formulas";
import { type PlainCells, placeOf } from "../../../src/workbook/sheet/cells/plain-cells";
import type { Scalar } from "../../../src/workbook/sheet/values/cell-value";
import { parseAddress } from "../../../workbench/address";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

const { namespace } = config;
const signal = new AbortController().signal;

async function openWith(formulas: Record<string, string[][]>): Promise<PlayedExcel> {
  const excel = openExcel({ excelApi: "1.12" });
  for (const [address, rows] of Object.entries(formulas)) excel.enter(address, rows);
  await inTime(excel.spreadsheet.idle());
  return excel;
}
async function freeze({ app: { workbook } }: PlayedExcel) {
  const found = await inTime(workbook.findFormulas("workbook", { namespace, canSeeSpills: true }));
  return inTime(freezeFormulas(found, workbook, { canSeeDataTypes: false, signal, onProgress() {} }));
}
const unfreeze = (
  { app }: PlayedExcel,
  seen: readonly SeenFormula[] = [],
  scope: "workbook" | "selection" = "workbook",
) => inTime(unfreezeFormulas(scope, app.workbook, { signal, namespace, calls: app, seen, onProgress() {} }));
const rectOf = (address: string) => parseAddress(address)!.rect;

/** Moves cells as a user cuts and pastes them: they leave blank cells, and replace the contents of their new place. */
function move({ spreadsheet }: PlayedExcel, from: string, to: string) {
  const [rect, target] = [rectOf(from), rectOf(to)];
  const aside = { row: 900, column: 50 };
  const sheet = { sheetId: "sheet-1" };
  spreadsheet.copy({ ...sheet, rect }, { ...sheet, ...aside });
  spreadsheet.clear("sheet-1", rect, { contents: true, formats: true });
  const copied = { ...rect, ...aside };
  spreadsheet.copy({ ...sheet, rect: copied }, { ...sheet, row: target.row, column: target.column });
  spreadsheet.clear("sheet-1", copied, { contents: true, formats: true });
}

/** Reorders rows of some columns, as sorting does. */
function sort(excel: PlayedExcel, rows: string[], order: number[]) {
  rows.forEach((row, index) => move(excel, row, `A${200 + index}:D${200 + index}`));
  order.forEach((from, index) => move(excel, `A${200 + from}:D${200 + from}`, rows[index]!));
}

const formulaAt = (excel: PlayedExcel, address: string) => String(excel.cells(address)[0]?.[0]?.formula);
const places = (cells: readonly { row: number; column: number; formula?: string }[]) =>
  cells.map(({ row, column, formula }) => [row, column, formula]);

/** Formulas for the fees of three counties, whose values differ. */
const fees = [["06001"], ["06073"], ["06085"]].map(([geoid]) => [`=REGDATA.VALUE("${geoid}", 1056)`]);

describe("frozen formulas whose arguments are written out come back where their values stand now", () => {
  it("below rows that were inserted", async () => {
    const excel = await openWith({ B2: fees });
    expect(new Set(excel.values("B2:B4").flat()).size).toBe(3);
    await freeze(excel);
    move(excel, "A1:D10", "A3:D12");
    const report = await unfreeze(excel);
    expect([report.left, report.toBeSeen, report.changes]).toEqual([[], [], []]);
    expect(excel.cells("B4:B6").map(([cell]) => cell?.formula)).toEqual(fees.flat());
    expect(excel.values("B2:B3")).toEqual([[""], [""]]);
    expect(await unfreeze(excel)).toMatchObject({ back: [], left: [] });
  });

  it("beside a column that was inserted to their left", async () => {
    const excel = await openWith({ B2: fees, D2: [['=REGDATA.VALUE("06001", 1003)']] });
    await freeze(excel);
    move(excel, "B1:F10", "C1:G10");
    const report = await unfreeze(excel);
    expect(report).toMatchObject({ left: [], toBeSeen: [] });
    expect(excel.cells("C2:C4").map(([cell]) => cell?.formula)).toEqual(fees.flat());
    expect(formulaAt(excel, "E2")).toBe('=REGDATA.VALUE("06001", 1003)');
  });

  it("in cells that were cut and pasted elsewhere, with all cells that a formula had filled", async () => {
    const filling = '=REGDATA.MATRIX({"06001";"06037"}, {1003,1056})';
    const excel = await openWith({ A1: [[filling]], F1: fees.slice(0, 1) });
    const filled = excel.values("A1:D3");
    await freeze(excel);
    move(excel, "A1:D3", "E20:H22");
    const report = await unfreeze(excel);
    expect(report).toMatchObject({ left: [], toBeSeen: [], changes: [] });
    expect(formulaAt(excel, "E20")).toBe(filling);
    expect(excel.values("E20:H22")).toEqual(filled);
    expect(formulaAt(excel, "F1")).toBe(fees[0]?.[0]);
  });

  it("in rows that were sorted, if no two show the same value", async () => {
    const excel = await openWith({ A1: [["Alameda"], ["San Diego"], ["Santa Clara"]], B1: fees });
    const values = excel.values("B1:B3").flat();
    await freeze(excel);
    sort(excel, ["A1:D1", "A2:D2", "A3:D3"], [2, 0, 1]);
    expect(excel.values("B1:B3").flat()).toEqual([values[2], values[0], values[1]]);
    const report = await unfreeze(excel);
    expect(report).toMatchObject({ left: [], toBeSeen: [], changes: [] });
    expect(excel.cells("B1:B3").map(([cell]) => cell?.formula)).toEqual([2, 0, 1].map((at) => fees[at]?.[0]));
  });

  it("in the selected cells, wherever they were frozen", async () => {
    const excel = await openWith({ B2: fees });
    await freeze(excel);
    move(excel, "B2:B4", "F12:F14");
    excel.spreadsheet.select("sheet-1", [rectOf("F13")]);
    const report = await unfreeze(excel, [], "selection");
    expect(places(report.back)).toEqual([[12, 5, fees[1]?.[0]]]);
    expect(report.left).toEqual([]);
    expect(formulaAt(excel, "F12")).not.toMatch(/^=/);
  });
});

describe("frozen formulas that refer to cells and were moved", () => {
  it("are shown first, with moved references, and come back once the user has seen them", async () => {
    const excel = await openWith({
      A1: [["'06001"], ["'06037"]],
      B1: [["=REGDATA.VALUE(A1, 1056)"], ["=REGDATA.VALUE($A$2, 1056)"]],
    });
    const values = excel.values("B1:B2");
    await freeze(excel);
    move(excel, "A1:B2", "A4:B5");
    const first = await unfreeze(excel);
    expect(first).toMatchObject({ back: [], left: [] });
    expect(
      first.toBeSeen.map(({ row, column, formula, from, doesMore }) => [
        row,
        column,
        formula,
        from,
        doesMore,
      ]),
    ).toEqual([
      [3, 1, "=REGDATA.VALUE(A4, 1056)", { row: 0, column: 1 }, false],
      [4, 1, "=REGDATA.VALUE($A$2, 1056)", { row: 1, column: 1 }, false],
    ]);
    expect(excel.cells("B4:B5").map(([cell]) => cell?.value)).toEqual(values.flat());
    const [wanted] = first.toBeSeen;
    const second = await unfreeze(excel, [wanted!]);
    expect(places(second.back)).toEqual([[3, 1, "=REGDATA.VALUE(A4, 1056)"]]);
    expect(places(second.toBeSeen)).toEqual([[4, 1, "=REGDATA.VALUE($A$2, 1056)"]]);
    expect(excel.values("B4")).toEqual([values[0]]);
  });

  it("do not come back if the user has seen another target", async () => {
    const excel = await openWith({ A1: [["'06001"]], B1: [["=REGDATA.VALUE(A1, 1056)"]] });
    await freeze(excel);
    move(excel, "A1:B1", "A4:B4");
    const { toBeSeen } = await unfreeze(excel);
    move(excel, "A4:B4", "A6:B6");
    expect(await unfreeze(excel, toBeSeen)).toMatchObject({
      back: [],
      toBeSeen: [{ row: 5, formula: "=REGDATA.VALUE(A6, 1056)" }],
    });
  });

  it("stay frozen if a reference would leave the sheet", async () => {
    const excel = await openWith({ A1: [["'06001"]], B3: [["=REGDATA.VALUE(A1, 1056)"]] });
    await freeze(excel);
    move(excel, "B3", "B2");
    expect(await unfreeze(excel)).toMatchObject({
      back: [],
      left: [{ row: 2, reason: "was moved to where its references would leave the sheet, or can't be read" }],
    });
  });
});

describe("a frozen formula stays frozen, and is still remembered,", () => {
  const reasonsOf = ({ left }: Awaited<ReturnType<typeof unfreeze>>) => left.map(({ reason }) => reason);
  const [fee] = fees as [string[]];
  const several = "has its values in several places";

  it("if somebody has changed its value", async () => {
    const excel = await openWith({ B1: fees });
    await freeze(excel);
    excel.enter("B2", [["about $100"]]);
    const report = await unfreeze(excel);
    expect(reasonsOf(report)).toEqual(["no longer shows what was frozen: it was changed or moved"]);
    expect([report.back.length, report.toBeSeen]).toEqual([2, []]);
    expect(excel.values("B2")).toEqual([["about $100"]]);
  });

  it("if its value was moved, and a user's own cell shows the same", async () => {
    const excel = await openWith({ B2: [fee] });
    const [[value = ""] = []] = excel.values("B2");
    await freeze(excel);
    move(excel, "B2", "B5");
    excel.enter("D8", [[value]]);
    expect(reasonsOf(await unfreeze(excel))).toEqual([several]);
    expect([formulaAt(excel, "B5"), formulaAt(excel, "D8")]).toEqual([String(value), String(value)]);
    expect(await unfreeze(excel)).toMatchObject({ left: [{ row: 1 }] });
  });

  it("until the user has seen it if its value was changed, and the user has noted the old value elsewhere", async () => {
    const excel = await openWith({ B2: [fee] });
    const [[value = ""] = []] = excel.values("B2");
    await freeze(excel);
    excel.enter("B2", [[1], [2]]);
    excel.enter("D8", [[value]]);
    const report = await unfreeze(excel);
    expect(report).toMatchObject({ back: [], left: [], toBeSeen: [{ row: 7, column: 3, from: { row: 1 } }] });
    expect(formulaAt(excel, "D8")).toBe(String(value));
  });

  it("if rows were sorted and it shows the same value as another", async () => {
    // Two formulas ask for the same county.
    const twice = ["06037", "06001", "06059"].map((geoid) => [`=REGDATA.VALUE("${geoid}", 1056)`]);
    const excel = await openWith({ A1: [["b"], ["a"], ["c"]], B1: twice });
    expect(excel.values("B1:B3").flat()).toEqual([75, 30, 75]);
    await freeze(excel);
    sort(excel, ["A1:D1", "A2:D2", "A3:D3"], [1, 0, 2]);
    const report = await unfreeze(excel);
    expect(report.back).toEqual([]);
    expect(places(report.toBeSeen)).toEqual([[0, 1, '=REGDATA.VALUE("06001", 1056)']]);
    expect(reasonsOf(report)).toEqual([several, several]);
  });

  it("until the user has seen it if cells were moved, and the value in its place may be another formula's", async () => {
    const [ask37, ask59] = ["06037", "06059"].map((geoid) => `=REGDATA.VALUE("${geoid}", 1056)`);
    const excel = await openWith({
      A1: [["'06037"], ["'06059"], ["'06001"]],
      B1: [[ask37!], [ask59!], ...fees],
      C1: [["=REGDATA.VALUE(A1, 1003)"], ["=REGDATA.VALUE(A2, 1003)"]],
    });
    await freeze(excel);
    // The first row goes to the end: the second, which shows the same value, takes its place.
    sort(excel, ["A1:D1", "A2:D2", "A3:D3"], [1, 2, 0]);
    const report = await unfreeze(excel);
    expect(places(report.toBeSeen)).toContainEqual([0, 1, ask37]);
    expect(places(report.back)).toContainEqual([0, 2, "=REGDATA.VALUE(A1, 1003)"]);
    expect(formulaAt(excel, "B1")).toBe("75");
    const { back } = await unfreeze(excel, report.toBeSeen);
    expect(places(back)).toContainEqual([0, 1, ask37]);
  });

  it("if it showed nothing, since blank cells are everywhere", async () => {
    const excel = await openWith({ B2: [['=REGDATA.VALUE("06001", 1056, "value", "")'], ...fees] });
    await freeze(excel);
    const blank: FrozenFormula = {
      ...{ sheetId: "sheet-1", sheetName: "Sheet1", row: 30, column: 1, rows: 1, columns: 1 },
      ...{ formula: '=REGDATA.VALUE("06001", 1)', shown: fingerprint([[""]]), numberFormats: "General" },
    };
    const [xml = ""] = frozenXml({ atMs: 1, formulas: [blank], unreadable: [] });
    await inTime(excel.app.workbook.writePart(null, xml));
    excel.enter("B31", [["a user's own"]]);
    const report = await unfreeze(excel);
    expect(reasonsOf(report)).toEqual(["no longer shows what was frozen: it was changed or moved"]);
  });

  it("if its values now belong to a live formula", async () => {
    const excel = await openWith({ B2: [fee] });
    await freeze(excel);
    excel.spreadsheet.clear("sheet-1", rectOf("B2"), { contents: true, formats: true });
    excel.enter("C3", [['=REGDATA.VALUE({"06001";"06037"}, 1056)']]);
    excel.enter("E3", [['=REGDATA.VALUE({"06037";"06001"}, 1056)']]);
    await inTime(excel.spreadsheet.idle());
    const report = await unfreeze(excel);
    expect(reasonsOf(report)).toEqual(["no longer shows what was frozen: it was changed or moved"]);
    expect(formulaAt(excel, "C3")).toMatch(/^=/);
    expect(excel.values("E4")).toEqual(excel.values("C3"));
  });

  it("if the sheet is too full to be searched", async () => {
    const excel = await openWith({ B2: [fee] });
    await freeze(excel);
    move(excel, "B2", "B5");
    excel.enter("ALM401", [["far away"]]);
    expect(reasonsOf(await unfreeze(excel))).toEqual(["its sheet is too full to look for its values"]);
  });
});

it.each([
  ["comes back, if it is about the cell beside it", "=REGDATA.VALUE(A1, 1003)", 1],
  ["stays, if what it is about is written out", '=REGDATA.VALUE("06001", 1003)', 0],
])(
  "a frozen formula that stands in its place, among others that were moved, and whose values stand elsewhere too, %s",
  async (_, formula, count) => {
    const excel = await openWith({ A1: [["'06001"]], B1: [[formula]], D5: fees.slice(0, 1) });
    await freeze(excel);
    move(excel, "D5", "D9");
    excel.enter("F1", [excel.values("B1")[0]!]);
    const report = await unfreeze(excel);
    expect(report.back.filter(({ column }) => column === 1)).toHaveLength(count);
    expect(report.left.map(({ reason }) => reason)).toEqual(
      count === 1 ? [] : ["has its values in several places"],
    );
  },
);

describe("among several places that show a frozen formula's value,", () => {
  /** A sheet with these constants, in which no cell is calculated. */
  const sheetOf = (cells: Record<string, Scalar>): PlainCells => {
    const places_ = Object.entries(cells).map(([address, value]) => {
      const { row, column } = rectOf(address);
      return { row, column, value };
    });
    const last = (of: "row" | "column") => Math.max(...places_.map((place) => place[of]));
    return {
      values: new Map(places_.map(({ row, column, value }) => [placeOf(row, column), value])),
      calculated: new Set(),
      used: { row: 0, column: 0, rows: last("row") + 1, columns: last("column") + 1 },
    };
  };
  const frozenAt = (address: string, value: Scalar): FrozenFormula => ({
    ...rectOf(address),
    ...{ sheetId: "s", sheetName: "Sheet1", formula: '=REGDATA.VALUE("06001", 1)', numberFormats: "General" },
    shown: fingerprint([[value]]),
  });
  const column = (name: string, first: number, values: string) =>
    Object.fromEntries([...values].map((value, index) => [`${name}${first + index}`, value]));
  /** The rows to which the formulas that showed these values have moved; null for one that is not found. */
  function rowsFound(before: Record<string, Scalar>, now: Record<string, Scalar>) {
    const frozen = Object.entries(before).map(([address, value]) => frozenAt(address, value));
    const standing = new Set(
      frozen.filter((_, index) => {
        const [address, value] = Object.entries(before)[index] ?? [""];
        return now[address] === value;
      }),
    );
    const found = findMoved(frozen, standing, sheetOf(now));
    return frozen.map((formula) => {
      const placing = found.get(formula);
      return placing?.status === "found" ? placing.row + 1 : null;
    });
  }

  it("the moves of all other formulas decide: a row was inserted above a column of Y and N", () => {
    expect(rowsFound(column("B", 1, "YYNYNNYY"), column("B", 2, "YYNYNNYY"))).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });

  it("the moves of distinguishable formulas decide, even if a user's own cell shows the same value", () => {
    const rows = rowsFound(column("B", 1, "aYbYcN"), { D1: "Y", E9: "N", ...column("B", 3, "aYbYcN") });
    expect(rows).toEqual([3, 4, 5, 6, 7, 8]);
  });

  it("the next formulas in the column decide if a row was inserted in its middle", () => {
    const now = { ...column("B", 1, "aYYb"), ...column("B", 6, "cYYd") };
    expect(rowsFound(column("B", 1, "aYYbcYYd"), now)).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
  });

  it("nothing decides if the next formulas went different ways", () => {
    const now = { ...column("B", 1, "abY"), ...column("B", 5, "Ycd") };
    expect(rowsFound(column("B", 1, "abYYcd"), now)[2]).toBe(3);
    const apart = { ...column("B", 1, "ab"), B3: "Y", B5: "Y", D9: "Y", ...column("B", 6, "cd") };
    expect(rowsFound(column("B", 1, "abYcd"), apart)).toEqual([1, 2, null, 6, 7]);
  });

  it("nothing decides if two formulas would come to the same place, or one to two places", () => {
    // One of the two rows that show Y was deleted.
    expect(rowsFound(column("B", 1, "abcYYdef"), column("B", 1, "abcYdef"))).toEqual([
      1,
      2,
      3,
      null,
      null,
      5,
      6,
      7,
    ]);
    // The user has inserted a Y of their own beside the two.
    expect(rowsFound(column("B", 1, "abcYYdef"), column("B", 1, "abcYYYdef"))).toEqual([
      1,
      2,
      3,
      null,
      null,
      7,
      8,
      9,
    ]);
  });

  it("blank cells, and cells of a formula, are no place for a result that showed blank cells", () => {
    const [two, blank]: FrozenFormula[] = [
      ["x", ""],
      ["", ""],
    ].map((values, index) => ({
      ...frozenAt(`A${10 + index}`, ""),
      ...{ columns: 2, shown: fingerprint([values]) },
    })) as [FrozenFormula, FrozenFormula];
    const sheet = sheetOf({ A1: "x", E1: "y" });
    const found = findMoved([two!, blank!], new Set(), sheet);
    expect([found.get(two!), found.get(blank!)]).toEqual([
      { status: "found", row: 0, column: 0, isSure: true },
      { status: "nowhere" },
    ]);
    sheet.calculated.add(placeOf(0, 1));
    expect(findMoved([two!], new Set(), sheet).get(two!)).toEqual({ status: "nowhere" });
  });

  it("a value inside a larger result belongs to that result", () => {
    const block = (address: string) => ({
      ...frozenAt(address, ""),
      ...{ columns: 2, shown: fingerprint([["p", "q"]]) },
    });
    const single = frozenAt("D1", "q");
    const found = findMoved([block("A10"), block("A20"), single], new Set(), sheetOf({ A1: "p", B1: "q" }));
    expect([...found.values()].map(({ status }) => status)).toEqual(["several", "several", "several"]);
  });

  it("a result that is too large to be searched for is in its old place, if its values stand there", () => {
    const values = Array.from({ length: 2_000 }, (_, row) => [row]);
    const large = { ...frozenAt("A1", ""), rows: 2_000, shown: fingerprint(values) };
    const single = frozenAt("C1", "q");
    const sheet = sheetOf(
      Object.fromEntries([...values.map(([row = 0]) => [`A${row + 1}`, row]), ["C5", "q"]]),
    );
    const found = findMoved([large, single], new Set([large]), sheet);
    expect([found.get(large), found.get(single)]).toEqual([
      { status: "found", row: 0, column: 0, isSure: true },
      { status: "found", row: 4, column: 2, isSure: true },
    ]);
    expect(findMoved([large], new Set(), sheet).get(large)).toEqual({ status: "not-searched" });
  });

  it("a changed value is not found where its neighbor went", () => {
    expect(rowsFound(column("B", 1, "aYYb"), column("B", 2, "axYb"))).toEqual([2, null, 4, 5]);
  });

  it("sorted rows are not taken for rows that moved together", () => {
    expect(rowsFound(column("B", 1, "aYbYcN"), column("B", 1, "abcNYY"))).toEqual([1, null, 2, null, 3, 4]);
    // The second Y now stands in the place of the first.
    expect(rowsFound(column("B", 1, "dYbYac"), column("B", 1, "abcdYY"))).toEqual([4, null, 2, null, 1, 3]);
    expect(rowsFound(column("B", 1, "YdbaY"), column("B", 1, "abdYY"))).toEqual([null, 3, 2, 1, null]);
  });
});

it("rows that are inserted somewhere bring no formula to another's values: 300 cases", () => {
  let state = 20;
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  let found = 0;
  for (let at = 0; at < 300; at += 1) {
    const [rows, columns, kinds] = [2 + below(30), 1 + below(2), [2, 5, 100][below(3)] ?? 2];
    const [inserted, above] = [1 + below(3), below(rows + 1)];
    const frozen: FrozenFormula[] = [];
    const values = new Map<number, Scalar>();
    const rowNow = (row: number) => (row < above ? row : row + inserted);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const value = below(kinds);
        values.set(placeOf(rowNow(row), column), value);
        frozen.push({
          ...{ sheetId: "s", sheetName: "Sheet1", row, column, rows: 1, columns: 1 },
          ...{ formula: "", shown: fingerprint([[value]]), numberFormats: "General" },
        });
      }
    }
    const standing = new Set(
      frozen.filter(({ row, column, shown }) => {
        const value = values.get(placeOf(row, column));
        return value !== undefined && fingerprint([[value]]) === shown;
      }),
    );
    const used = { row: 0, column: 0, rows: rows + inserted, columns };
    for (const [formula, placing] of findMoved(frozen, standing, { values, calculated: new Set(), used })) {
      if (placing.status !== "found") continue;
      found += 1;
      expect([placing.row, placing.column], `case ${at}`).toEqual([rowNow(formula.row), formula.column]);
    }
  }
  expect(found).toBeGreaterThan(3_000);
});

describe("a hostile part", () => {
  it("with 100,000 formulas of one value in a full sheet is searched in a moment", () => {
    const side = 400;
    const values = new Map<number, Scalar>();
    for (let row = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1) values.set(placeOf(row, column), "Yes");
    }
    const sheet = {
      values,
      calculated: new Set<number>(),
      used: { row: 0, column: 0, rows: side, columns: side },
    };
    const shown = fingerprint([["Yes"]]);
    const frozen = Array.from({ length: 100_000 }, (_, index): FrozenFormula => ({
      ...{
        sheetId: "s",
        sheetName: "Sheet1",
        row: 1_000 + index,
        column: 0,
        rows: 1 + (index % 50),
        columns: 1 + (index % 7),
      },
      ...{
        formula: '=REGDATA.VALUE("06001", 1)',
        shown: index % 3 === 0 ? shown : String(index),
        numberFormats: "General",
      },
    }));
    const found = findMoved(frozen, new Set(), sheet);
    expect([...found.values()].filter(({ status }) => status === "found")).toEqual([]);
  }, 30_000);

  it("leaves all formulas as they are except one, whose values are there", async () => {
    const excel = await openWith({ B2: fees });
    await freeze(excel);
    const formulas = Array.from({ length: 5_000 }, (_, index): FrozenFormula => ({
      ...{ sheetId: "sheet-1", sheetName: "Sheet1", row: index, column: 40, rows: 1, columns: 1 },
      ...{ formula: '=REGDATA.VALUE("06001", 1)', shown: fingerprint([["Yes"]]), numberFormats: "General" },
    }));
    for (const xml of frozenXml({ atMs: 1, formulas, unreadable: [] }))
      await inTime(excel.app.workbook.writePart(null, xml));
    excel.enter("H1", [["Yes"], ["Yes"]]);
    move(excel, "B2:B4", "B12:B14");
    const report = await unfreeze(excel);
    expect(report.back).toHaveLength(3);
    expect(report.left).toHaveLength(5_000);
    expect(excel.values("H1:H2")).toEqual([["Yes"], ["Yes"]]);
    expect((await inTime(excel.app.workbook.readParts(frozenNamespace))).length).toBe(1);
  });
});
