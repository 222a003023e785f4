import { describe, expect, it } from "vitest";
import { config } from "../../../src/config";
import {
  forgetGhosts,
  freezeFormulas,
  type SeenFormula,
  unfreezeFormulas,
} from "../../../src/workbook/cell-formulas/freeze";
import {
  frozenNamespace,
  frozenXml,
  type FrozenFormula,
} from "../../../src/workbook/cell-formulas/frozen-formulas";
import { findSorted } from "../../../src/workbook/cell-formulas/frozen-places";
import { cellKey } from "../../../src/workbook/sheet/cells/formula-search";
import { fingerprint } from "../../../src/workbook/sheet/values/fingerprint";
import { formatAddress, parseAddress } from "../../../workbench/address";
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

/** Inserts rows or columns of the whole sheet before this one, as a user does; a count below zero deletes them. */
function insertLines({ spreadsheet }: PlayedExcel, axis: "row" | "column", at: number, by: number) {
  const size = axis === "row" ? config.sheetColumns : config.sheetRows;
  spreadsheet.moveCells("sheet-1", { axis, at, by, strip: { from: 0, size } });
}

/** Moves cells without their names, as sorting does: they leave blank cells, and replace the contents of their new place. */
function carry({ spreadsheet }: PlayedExcel, from: string, to: string) {
  const [rect, target] = [rectOf(from), rectOf(to)];
  const aside = { row: 900, column: 50 };
  const sheet = { sheetId: "sheet-1" };
  spreadsheet.copy({ ...sheet, rect }, { ...sheet, ...aside });
  spreadsheet.clear("sheet-1", rect, { contents: true, formats: true });
  const copied = { ...rect, ...aside };
  spreadsheet.copy({ ...sheet, rect: copied }, { ...sheet, row: target.row, column: target.column });
  spreadsheet.clear("sheet-1", copied, { contents: true, formats: true });
}

/** Moves cells as a user cuts and pastes them: the references of names to cells that lie wholly within follow. */
function move(excel: PlayedExcel, from: string, to: string) {
  const { spreadsheet } = excel;
  carry(excel, from, to);
  const [rect, target] = [rectOf(from), rectOf(to)];
  const shifted = (reference: string) => {
    const area = parseAddress(reference);
    if (!area || area.sheetName !== "Sheet1") return reference;
    const { row, column, rows, columns } = area.rect;
    const isWithin =
      row >= rect.row &&
      column >= rect.column &&
      row + rows <= rect.row + rect.rows &&
      column + columns <= rect.column + rect.columns;
    if (!isWithin) return reference;
    const [down, across] = [target.row - rect.row, target.column - rect.column];
    const moved = { row: row + down, column: column + across, rows, columns };
    const address = formatAddress("Sheet1", moved).slice("Sheet1!".length);
    return `Sheet1!${address.replaceAll(/[A-Z]+|\d+/g, "$$$&")}`;
  };
  for (const name of spreadsheet.names()) {
    spreadsheet.deleteName(name);
    spreadsheet.addName({ ...name, formula: `=${name.formula.slice(1).split(",").map(shifted).join(",")}` });
  }
}

/** Reorders rows of some columns, as sorting does. */
function sort(excel: PlayedExcel, rows: string[], order: number[]) {
  rows.forEach((row, index) => carry(excel, row, `A${200 + index}:D${200 + index}`));
  order.forEach((from, index) => carry(excel, `A${200 + from}:D${200 + from}`, rows[index]!));
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
    insertLines(excel, "row", 0, 2);
    const report = await unfreeze(excel);
    expect([report.left, report.toBeSeen, report.changes]).toEqual([[], [], []]);
    expect(excel.cells("B4:B6").map(([cell]) => cell?.formula)).toEqual(fees.flat());
    expect(excel.values("B2:B3")).toEqual([[""], [""]]);
    expect(await unfreeze(excel)).toMatchObject({ back: [], left: [] });
  });

  it("beside a column that was inserted to their left", async () => {
    const excel = await openWith({ B2: fees, D2: [['=REGDATA.VALUE("06001", 1003)']] });
    await freeze(excel);
    insertLines(excel, "column", 1, 1);
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
      left: [{ row: 1, reason: "was moved to where its references would leave the sheet, or can't be read" }],
    });
  });
});

describe("a frozen formula stays frozen, and is still remembered,", () => {
  const reasonsOf = ({ left }: Awaited<ReturnType<typeof unfreeze>>) => left.map(({ reason }) => reason);
  const [fee] = fees as [string[]];
  const several = "has its values in several places";
  const changed = "no longer shows what was frozen: it was changed or moved";

  it("if somebody has changed its value", async () => {
    const excel = await openWith({ B1: fees });
    await freeze(excel);
    excel.enter("B2", [["about $100"]]);
    const report = await unfreeze(excel);
    expect(reasonsOf(report)).toEqual([changed]);
    expect([report.back.length, report.toBeSeen]).toEqual([2, []]);
    expect(excel.values("B2")).toEqual([["about $100"]]);
  });

  it("if its value was changed, wherever else a user has noted it", async () => {
    const excel = await openWith({ B2: [fee] });
    const [[value = ""] = []] = excel.values("B2");
    await freeze(excel);
    excel.enter("B2", [[1], [2]]);
    excel.enter("B8", [[value]]);
    const report = await unfreeze(excel);
    expect([report.back, report.toBeSeen, reasonsOf(report)]).toEqual([[], [], [changed]]);
    expect(formulaAt(excel, "B8")).toBe(String(value));
  });

  it("if its rows were deleted, and can be forgotten then", async () => {
    const excel = await openWith({ B2: fees });
    await freeze(excel);
    insertLines(excel, "row", 2, -1);
    const report = await unfreeze(excel);
    expect(excel.cells("B2:B3").map(([cell]) => cell?.formula)).toEqual([fees[0]?.[0], fees[2]?.[0]]);
    expect(report.left).toMatchObject([
      { reason: "its cells were deleted", ghost: { formula: fees[1]?.[0] } },
    ]);
    const ghosts = report.left.flatMap(({ ghost }) => ghost ?? []);
    expect(await inTime(forgetGhosts(ghosts, excel.app.workbook, namespace))).toBe(1);
    expect(excel.spreadsheet.names()).toEqual([]);
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
    // The last one stands in its place, but the first may have come there.
    expect(places(report.toBeSeen)).toEqual([
      [0, 1, '=REGDATA.VALUE("06001", 1056)'],
      [2, 1, '=REGDATA.VALUE("06059", 1056)'],
    ]);
    expect(reasonsOf(report)).toEqual([several]);
    expect((await unfreeze(excel, report.toBeSeen)).back).toHaveLength(2);
    // Only one place is left for the one that remains.
    expect(places((await unfreeze(excel)).toBeSeen)).toEqual([[1, 1, '=REGDATA.VALUE("06037", 1056)']]);
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
    expect(reasonsOf(report)).toEqual([changed]);
  });

  it("if its values now belong to a live formula", async () => {
    const excel = await openWith({ B2: [fee] });
    await freeze(excel);
    excel.spreadsheet.clear("sheet-1", rectOf("B2"), { contents: true, formats: true });
    excel.enter("C3", [['=REGDATA.VALUE({"06001";"06037"}, 1056)']]);
    excel.enter("E3", [['=REGDATA.VALUE({"06037";"06001"}, 1056)']]);
    await inTime(excel.spreadsheet.idle());
    const report = await unfreeze(excel);
    expect(reasonsOf(report)).toEqual([changed]);
    expect(formulaAt(excel, "C3")).toMatch(/^=/);
    expect(excel.values("E4")).toEqual(excel.values("C3"));
  });
});

it("rows that are inserted and deleted in a column of a few values bring each formula back to its own cell: 30 cases", async () => {
  let state = 20;
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  let back = 0;
  for (let at = 0; at < 30; at += 1) {
    const geoids = Array.from({ length: 12 }, () => ["06001", "06037", "06059"][below(3)]);
    const formulas = geoids.map((geoid) => `=REGDATA.VALUE("${geoid}", 1056)`);
    const excel = await openWith({ B1: formulas.map((formula) => [formula]) });
    await freeze(excel);
    /** The number of the formula that each row holds, as Excel carries it. */
    let rows: (number | null)[] = formulas.map((_, index) => index);
    for (let step = 0; step < 4; step += 1) {
      const [row, count] = [below(rows.length), 1 + below(2)];
      const isInserted = below(3) > 0;
      insertLines(excel, "row", row, isInserted ? count : -count);
      const inserted = isInserted ? Array.from({ length: count }, () => null) : [];
      rows = rows.toSpliced(row, isInserted ? 0 : count, ...inserted);
    }
    const report = await unfreeze(excel);
    const expected = rows.flatMap((index, row) => (index === null ? [] : [[row, 1, formulas[index]]]));
    expect(places(report.back), `case ${at}`).toEqual(expect.arrayContaining(expected));
    expect([report.back.length, report.toBeSeen], `case ${at}`).toEqual([expected.length, []]);
    back += expected.length;
  }
  expect(back).toBeGreaterThan(250);
});

it("formulas about their own rows come back to sorted rows once the user has seen them, alike or not", async () => {
  const ids = ["06001", "06037", "06059", "06073", "06085"];
  const excel = await openWith({
    A1: ids.map((id) => [`'${id}`]),
    B1: ids.map((_, row) => [`=REGDATA.VALUE(A${row + 1}, 1056)`]),
  });
  const values = excel.values("B1:B5").flat();
  expect(new Set(values).size).toBeLessThan(values.length);
  await freeze(excel);
  const rows = ids.map((_, row) => `A${row + 1}:D${row + 1}`);
  sort(excel, rows, [4, 2, 3, 0, 1]);
  const report = await unfreeze(excel);
  expect(report.left).toEqual([]);
  const { back, left, changes } = await unfreeze(excel, report.toBeSeen);
  expect([report.back.length + back.length, left, changes]).toEqual([5, [], []]);
  const now = excel.cells("B1:B5").map(([cell]) => cell?.formula);
  expect(now).toEqual(ids.map((_, row) => `=REGDATA.VALUE(A${row + 1}, 1056)`));
  expect(excel.spreadsheet.names()).toEqual([]);
});

describe("the hidden names by which Excel follows frozen cells", () => {
  it("are found in a sheet that was renamed and is as full as can be, and go with the last formula", async () => {
    const excel = await openWith({ B2: fees });
    excel.spreadsheet.addName({ name: "Mine", formula: "=Sheet1!$B$2", comment: "", sheetId: null });
    await freeze(excel);
    const [, track] = excel.spreadsheet.names();
    expect(track).toMatchObject({ isHidden: true, formula: "=Sheet1!$B$2,Sheet1!$B$3,Sheet1!$B$4" });
    move(excel, "B2:B4", "B5:B7");
    excel.enter("ALM401", [["far away"]]);
    excel.spreadsheet.select("sheet-1", [rectOf("B6")]);
    expect((await unfreeze(excel, [], "selection")).back).toHaveLength(1);
    expect(excel.spreadsheet.names()).toHaveLength(2);
    excel.spreadsheet.renameSheet("sheet-1", "Fees, of ‘26’ and '27");
    expect((await unfreeze(excel)).back).toHaveLength(2);
    expect(excel.spreadsheet.names()).toMatchObject([{ name: "Mine" }]);
  });

  it("may be missing: a formula then comes back where it was frozen", async () => {
    const excel = await openWith({ B2: fees });
    await freeze(excel);
    for (const name of excel.spreadsheet.names()) excel.spreadsheet.deleteName(name);
    expect(await unfreeze(excel)).toMatchObject({ back: [{ row: 1 }, { row: 2 }, { row: 3 }], left: [] });
  });

  it("are never a user's own, even if a part says so", async () => {
    const excel = await openWith({ B2: fees });
    excel.spreadsheet.addName({ name: "Mine", formula: "=Sheet1!$D$9", comment: "", sheetId: null });
    await freeze(excel);
    const { workbook } = excel.app;
    for (const { id, xml } of await inTime(workbook.readParts(frozenNamespace)))
      await inTime(workbook.writePart(id, xml.replaceAll(/"name":"[^"]*"/g, '"name":"Mine"')));
    expect((await unfreeze(excel)).back).toHaveLength(3);
    expect(excel.spreadsheet.names()).toContainEqual(expect.objectContaining({ name: "Mine" }));
  });
});

describe("a hostile part", () => {
  it("with 100,000 formulas of one value in one column is looked at in a moment", () => {
    const shown = fingerprint([["Yes"]]);
    const frozen = Array.from({ length: 100_000 }, (_, row): FrozenFormula => ({
      ...{ sheetId: "s", sheetName: "Sheet1", row, column: 0, rows: 1, columns: 1 },
      ...{ formula: `=REGDATA.VALUE("0${6_000 + row}", 1)`, shown, numberFormats: "General" },
    }));
    const standing = new Set(frozen.filter(({ row }) => row % 2 === 0));
    const contents = new Map(
      [...standing, ...frozen.slice(0, 1_001)].map(({ row }) => [
        cellKey("s", row, 0),
        { value: "Yes", formula: "Yes", numberFormat: "General" },
      ]),
    );
    const sorted = findSorted(frozen, standing, [], contents);
    expect([...sorted.values()].filter((each) => !("reason" in each || each.isDoubtful))).toEqual([]);
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
