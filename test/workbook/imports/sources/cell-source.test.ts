import { describe, expect, it } from "vitest";
import {
  firstQuestion,
  mainSource,
  type SourceDependencies,
  sourcesOf,
} from "../../../../src/workbook/imports/sources/cell-source";
import type { SelectedCell } from "../../../../src/workbook/sheet/cells/selected-cell";

const namespace = "REGDATA";

/** The main source of the answer that a cell shows. */
async function sourceOf(cell: SelectedCell, dependencies: SourceDependencies) {
  const sources = await sourcesOf(cell, dependencies);
  return sources[mainSource(sources)] ?? null;
}

/** A sheet with one row for each address, and the addresses that were asked for. */
function sheetWith(cells: Record<string, unknown[][]> = {}) {
  const asked: string[][] = [];
  const workbook = {
    valuesAt(_: string, addresses: readonly string[]) {
      asked.push([...addresses]);
      return Promise.resolve(addresses.map((address) => cells[address] ?? null));
    },
  };
  return { asked, dependencies: { namespace, workbook, importOf: () => Promise.resolve(undefined) } };
}

function cellWith(formula: string, offset = { row: 0, column: 0 }): SelectedCell {
  const [row, column] = [9 + offset.row, 3 + offset.column];
  const address = `Sheet1!${"DEFGHIJKLM"[offset.column]}${row + 1}`;
  return {
    sheetId: "1",
    row,
    column,
    address,
    value: "",
    text: "",
    formula,
    offset,
    table: null,
    header: null,
  };
}

describe("the jurisdiction and question of a cell's answer", () => {
  it("are found by the spilled cell's place in a matrix, its switches in cells too", async () => {
    const { asked, dependencies } = sheetWith({
      "A1:A2": [["06001"], ["06037"]],
      B1: [[1056]],
      C1: [[false]],
    });
    const formula = "=REGDATA.MATRIX(A1:A2, B1, C1)";
    const found = await sourceOf(cellWith(formula, { row: 1, column: 2 }), dependencies);
    expect(found?.question).toEqual({ ahj: "06037", type: 1056 });
    expect(asked).toEqual([["A1:A2", "B1", "C1"]]);
  });

  it("are found by the texts that a formula joins, and by the cells of its own table row", async () => {
    const table = { tableId: "t", headers: ["City", "AHJ ID", "Question"], column: 2, values: [], row: 8 };
    const { asked, dependencies } = sheetWith({ C10: [[10243]], D10: [[1056]], A1: [["AHJ: "]] });
    const formula = '=REGDATA.VALUE("ahj:"&[@[AHJ ID]],[@question])';
    const found = await sourceOf({ ...cellWith(formula), table }, dependencies);
    expect(found?.question).toEqual({ ahj: 10243, type: 1056 });
    expect(found?.from).toMatchObject({ args: [{ text: '"ahj:"&[@[AHJ ID]]' }, { text: "[@question]" }] });
    const joined = await sourceOf(cellWith("=REGDATA.VALUE(A1&C10,D10)"), dependencies);
    expect(joined?.question).toEqual({ ahj: 10243, type: 1056 });
    expect(asked).toEqual([
      ["C10", "D10"],
      ["A1", "C10", "D10"],
    ]);
    for (const unknown of ["[@Nowhere]", "Other[@Question]", "[Question]", "[@[AHJ ID]:[Question]]&1"]) {
      const other = await sourceOf({ ...cellWith(`=REGDATA.VALUE(${unknown},1056)`), table }, dependencies);
      expect(other?.question ?? null).toBeNull();
    }
  });

  it("are found by the headers of a wide collection, and by the row of a long one", async () => {
    const wide = sheetWith({ "Sheet1!G10:G10": [["Permit fee"]] });
    const formula = '=REGDATA.COLLECTION("Solar", {"06001";"06037"})';
    const found = await sourceOf(cellWith(formula, { row: 2, column: 3 }), wide.dependencies);
    expect(found?.question).toEqual({ ahj: "06037", type: "Permit fee" });
    expect(
      (await sourceOf(cellWith(formula, { row: 2, column: 1 }), wide.dependencies))?.question,
    ).toBeNull();
    expect(
      (await sourceOf(cellWith(formula, { row: 0, column: 3 }), wide.dependencies))?.question,
    ).toBeNull();

    const long = sheetWith({ "Sheet1!F12:G12": [["06037", "Permit fee"]] });
    const longFormula = (names: string) => `=REGDATA.COLLECTION("Solar", ${names}, "long")`;
    const at = { row: 2, column: 4 };
    const named = await sourceOf(cellWith(longFormula('{"06001";"06037"}'), at), long.dependencies);
    expect(named?.question).toEqual({ ahj: "06037", type: "Permit fee" });
    // An AHJ that was asked for by its id may share its geoID with another.
    expect((await sourceOf(cellWith(longFormula('"ahj:7"'), at), long.dependencies))?.question).toBeNull();
  });

  it("are found by the geoID in the row of FIND's result, and by the columns that FIND was given", async () => {
    const formula = '=REGDATA.FIND("CA", A1:C2, {1056,1003}, TRUE)';
    const at = async (row: number, column: number) => {
      const { dependencies } = sheetWith({ "A1:C2": [[1057, "at most", 300]], "Sheet1!F12": [["06037"]] });
      return sourceOf(cellWith(formula, { row, column }), dependencies);
    };
    expect((await at(2, 4))?.question).toEqual({ ahj: "06037", type: 1003 });
    expect(await at(2, 0)).toMatchObject({ question: null, about: { ahj: "06037" } });
    expect(await at(0, 3)).toMatchObject({ question: null, about: { type: 1056 } });
    expect(await at(0, 1)).not.toHaveProperty("about");
  });

  it("are not guessed if they can't be found, but the formula is shown", async () => {
    const { dependencies } = sheetWith();
    for (const formula of ['=INDEX(REGDATA.AHJS("NV"), , 5)', "=REGDATA.VALUE(Names[geoID], 1003)"]) {
      const found = await sourceOf(cellWith(formula), dependencies);
      expect(found).toMatchObject({ question: null, refusal: null, from: { kind: "formula" } });
    }
    expect(await sourceOf(cellWith("=SUM(A1:A2)"), dependencies)).toBeNull();
  });
});

describe("the name whose geoID a cell shows", () => {
  const nameAt = async (formula: string, offset?: { row: number; column: number }) => {
    const { dependencies } = sheetWith({
      "A1:B2": squareOfNames,
      "A1:A2": [["Alameda County"], ["Kern"]],
      C1: [["CA"]],
    });
    const found = await sourceOf(cellWith(formula, offset), dependencies);
    return [found?.name, found?.question];
  };
  const squareOfNames = [
    ["Alameda County", "Kern County"],
    ["", 6001.5],
  ];

  it("is that of the cell's place in the range, with its state", async () => {
    expect(await nameAt('=REGDATA.GEOID(" Alameda County, CA ")')).toEqual(["Alameda County, CA", null]);
    const second = { row: 0, column: 1 };
    expect(await nameAt("=REGDATA.GEOID(A1:B2, C1)", second)).toEqual(["Kern County, CA", null]);
    expect(await nameAt('=REGDATA.GEOID(A1:A2, {"CA";"NV"})', { row: 1, column: 0 })).toEqual([
      "Kern, NV",
      null,
    ]);
    expect(await nameAt('=IFNA(REGDATA.GEOID("Kern", C1), "none")')).toEqual(["Kern, CA", null]);
    expect(await nameAt('=REGDATA.AHJ("Kern County, CA")&" has rules"')).toEqual(["Kern County, CA", null]);
    // A range of jurisdictions has a row for each, and a column for each field.
    const ofSecond = { row: 1, column: 1 };
    expect(await nameAt('=REGDATA.AHJ(A1:B2, {"name","state_code"})', ofSecond)).toEqual([
      "Kern County",
      null,
    ]);
  });

  it("is none if the cell is blank or no name, or if it can't be found without calculating", async () => {
    for (const offset of [
      { row: 1, column: 0 },
      { row: 1, column: 1 },
      { row: 2, column: 0 },
    ])
      expect(await nameAt("=REGDATA.GEOID(A1:B2)", offset)).toEqual([undefined, null]);
    for (const formula of [
      "=REGDATA.GEOID(Names[name])",
      "=REGDATA.GEOID(A1:A2, Names[state])",
      "=INDEX(REGDATA.GEOID(A1:A2), 2)",
    ])
      expect(await nameAt(formula)).toEqual([undefined, null]);
  });
});

describe("a formula's refusal of its arguments", () => {
  it.each([
    [
      '=REGDATA.VALUE("County", 1003)',
      /"County" is neither a geoID nor a name.*=REGDATA\.VALUE\("06001", 1003, "section"/,
    ],
    ['=REGDATA.VALUE("06001", -1)', /-1 is not a question id.*=REGDATA\.VALUE\("06001", 1003, "section"/],
    ['=REGDATA.VALUE("06001", 1003, "cite")', /"cite" is none of: value, text, reference/],
    ['=REGDATA.MATRIX("06001", 1003, "maybe")', /"maybe" is none of: true, false.*=REGDATA\.MATRIX\(A2/],
    [
      '=REGDATA.COLLECTION("Solar", "06001", "tall")',
      /"tall" is none of: wide, long.*=REGDATA\.COLLECTION\(/,
    ],
    ['=REGDATA.CHANGED("06001", 1003, "last week")', /"last week" is not a date.*=REGDATA\.CHANGED\(/],
    ["=REGDATA.VALUE(A1, 1003)", /A1 shows #N\/A itself/],
  ])("in %s says which argument and what to do", async (formula, sentence) => {
    const { dependencies } = sheetWith({ A1: [["#N/A"]] });
    const found = await sourceOf(cellWith(formula), dependencies);
    expect(found).toMatchObject({ question: null, refusal: { kind: "invalid-argument" } });
    expect(found?.refusal?.message).toMatch(sentence);
  });

  it.each([
    '=REGDATA.VALUE("06001", 1003, " Citation ", "#N/A")',
    '=REGDATA.MATRIX("06001", 1003, 0)',
    '=REGDATA.CHANGED("06001", 1003, 46000)',
    '=REGDATA.CHANGED("06001", 1003, "2026-03-01")',
  ])("does not occur in %s", async (formula) => {
    expect((await sourceOf(cellWith(formula), sheetWith().dependencies))?.refusal).toBeNull();
  });
});

describe("a formula's first question", () => {
  it("skips blank cells, and says how much the formula asks", async () => {
    const { dependencies } = sheetWith({ "A1:A3": [[""], ["06001"], ["06037"]], "B1:C1": [[1003, 1056]] });
    expect(await firstQuestion("=REGDATA.VALUE(A1:A3, B1:C1)", "1", dependencies)).toEqual({
      question: { ahj: "06001", type: 1003 },
      refusal: null,
      size: { jurisdictions: 3, types: 2 },
    });
    expect(await firstQuestion("=REGDATA.VALUE(A9, 1003)", "1", dependencies)).toMatchObject({ size: null });
  });
});
