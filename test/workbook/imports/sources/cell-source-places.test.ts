import { describe, expect, it, vi } from "vitest";
import {
  firstQuestion,
  mainSource,
  type SourceDependencies,
  sourcesOf,
} from "../../../../src/workbook/imports/sources/cell-source";
import type { KeptImport } from "../../../../src/workbook/imports/saved/import-book";
import type { SelectedCell, TableRowHere } from "../../../../src/workbook/sheet/cells/selected-cell";

const namespace = "REGDATA";

/** The main source of the answer that a cell shows. */
async function sourceOf(cell: SelectedCell, dependencies: SourceDependencies) {
  const sources = await sourcesOf(cell, dependencies);
  return sources[mainSource(sources)] ?? null;
}

function dependenciesFor(cells: Record<string, unknown[][]> = {}, kept?: KeptImport) {
  const valuesAt = vi.fn((_: string, addresses: readonly string[]) =>
    Promise.resolve(addresses.map((address) => cells[address] ?? null)),
  );
  const importOf = vi.fn(() => Promise.resolve(kept));
  return { valuesAt, importOf, dependencies: { namespace, workbook: { valuesAt }, importOf } };
}

function cellAt(formula: string, row = 0, column = 0, table: TableRowHere | null = null): SelectedCell {
  const address = `Sheet1!${"DEFGHIJKLM"[column]}${10 + row}`;
  const place = { sheetId: "1", row: 9 + row, column: 3 + column, address };
  return { ...place, value: "", text: "", formula, offset: { row, column }, table, header: null };
}

const questionAt = async (
  formula: string,
  row: number,
  column: number,
  cells?: Record<string, unknown[][]>,
) => (await sourceOf(cellAt(formula, row, column), dependenciesFor(cells).dependencies))?.question ?? null;

const two = '{"06001";"06037"}';
const types = "{1003,1056}";

describe("a cell of a spilled formula", () => {
  it.each([
    // Columns of names and states precede a matrix's answers, and headers stand above them.
    [`=REGDATA.MATRIX(${two}, ${types})`, 0, 2, null],
    [`=REGDATA.MATRIX(${two}, ${types})`, 1, 1, null],
    [`=REGDATA.MATRIX(${two}, ${types})`, 1, 0, null],
    [`=REGDATA.MATRIX(${two}, ${types})`, 1, 2, { ahj: "06001", type: 1003 }],
    [`=REGDATA.MATRIX(${two}, ${types})`, 2, 3, { ahj: "06037", type: 1056 }],
    [`=REGDATA.MATRIX(${two}, ${types}, TRUE)`, 2, 3, { ahj: "06037", type: 1056 }],
    [`=REGDATA.MATRIX(${two}, ${types}, 1)`, 1, 2, { ahj: "06001", type: 1003 }],
    [`=REGDATA.MATRIX(${two}, ${types}, "")`, 1, 2, { ahj: "06001", type: 1003 }],
    [`=REGDATA.MATRIX(${two}, ${types}, FALSE)`, 0, 2, { ahj: "06001", type: 1003 }],
    [`=REGDATA.MATRIX(${two}, ${types}, " false ")`, 1, 3, { ahj: "06037", type: 1056 }],
    [`=REGDATA.MATRIX(${two}, ${types}, 0)`, 1, 3, { ahj: "06037", type: 1056 }],
    // The switch needs a calculation, or refers to a cell that is not there.
    [`=REGDATA.MATRIX(${two}, ${types}, NOT(FALSE))`, 1, 2, null],
    [`=REGDATA.VALUE(${two}, ${types})`, 0, 0, { ahj: "06001", type: 1003 }],
    [`=REGDATA.VALUE(${two}, ${types})`, 1, 1, { ahj: "06037", type: 1056 }],
    // The place is beyond the result.
    [`=REGDATA.VALUE(${two}, ${types})`, 2, 0, null],
    [`=REGDATA.VALUE(${two}, ${types})`, 0, 2, null],
    // Inside another formula only a single answer is certain.
    [`=UPPER(REGDATA.VALUE("06001", 1003))`, 3, 1, { ahj: "06001", type: 1003 }],
    [`=SUM(REGDATA.VALUE(${two}, 1003))`, 0, 0, null],
    [`=SUM(REGDATA.VALUE("06001", ${types}))`, 0, 0, null],
    [`=SUM(REGDATA.VALUE(${two}, ${types}))`, 0, 0, null],
    [`=INDEX(REGDATA.MATRIX("06001", 1003), 2, 3)`, 0, 0, { ahj: "06001", type: 1003 }],
  ])(
    "gives the question of its answer, if it is certain: %s, %i down and %i across",
    async (formula, row, column, question) => {
      expect(await questionAt(formula, row, column)).toEqual(question);
    },
  );

  it.each([
    [1, 0, { ahj: "06001" }],
    [2, 1, { ahj: "06037" }],
    [0, 3, { type: 1056 }],
    [0, 0, undefined],
  ])(
    "beside or above the answers of a matrix names a jurisdiction or a question, %i down and %i across",
    async (row, column, about) => {
      const found = await sourceOf(
        cellAt(`=REGDATA.MATRIX(${two}, ${types})`, row, column),
        dependenciesFor().dependencies,
      );
      expect(found?.about).toEqual(about);
      expect(found?.question).toBeNull();
    },
  );

  it("belongs to the first call that answers questions", async () => {
    const found = await sourceOf(
      cellAt('=REGDATA.AHJS("NV")&REGDATA.VALUE("06001", 1003)'),
      dependenciesFor().dependencies,
    );
    expect(found).toMatchObject({
      question: { ahj: "06001", type: 1003 },
      from: { call: { name: "VALUE" } },
    });
  });

  it("asks the sheet for cells only if the formula names some", async () => {
    const { dependencies, valuesAt } = dependenciesFor({ A1: [["06001"]] });
    await sourceOf(cellAt('=REGDATA.VALUE("06001", 1003)'), dependencies);
    expect(valuesAt).not.toHaveBeenCalled();
    expect((await sourceOf(cellAt("=REGDATA.VALUE(A1, 1003)"), dependencies))?.question).toEqual({
      ahj: "06001",
      type: 1003,
    });
    expect(valuesAt.mock.calls).toEqual([["1", ["A1"]]]);
  });

  it("reads the cells of all calls together", async () => {
    const { dependencies, valuesAt } = dependenciesFor({ A1: [["06001"]], B1: [[1003]] });
    const cell = cellAt("=REGDATA.VALUE(A1, B1)&REGDATA.VALUE(A1, 1056)");
    expect((await sourcesOf(cell, dependencies)).map(({ question }) => question)).toEqual([
      { ahj: "06001", type: 1003 },
      { ahj: "06001", type: 1056 },
    ]);
    expect(valuesAt.mock.calls).toEqual([["1", ["A1", "B1"]]]);
  });

  it("takes an error's text that a user has typed as text", async () => {
    const found = await sourceOf(
      cellAt('=REGDATA.VALUE({"#N/A";"06001"}, 1003)', 1, 0),
      dependenciesFor().dependencies,
    );
    expect(found).toMatchObject({ refusal: null, question: { ahj: "06001" } });
  });
});

describe("a cell of a spilled collection", () => {
  const collection = (...args: string[]) => `=REGDATA.COLLECTION(${['"Solar"', two, ...args].join(", ")})`;
  const headers = { "Sheet1!F10:F10": [["Permit fee"]], "Sheet1!G10:G10": [["Height"]] };

  it.each([
    ["wide", collection(), 1, 2, { ahj: "06001", type: "Permit fee" }],
    ["wide, said so", collection('" Wide "'), 2, 3, { ahj: "06037", type: "Height" }],
    ["its names", collection(), 1, 1, null],
    ["its headers", collection(), 0, 2, null],
    ["without headers, which alone tell the types", collection('"wide"', "FALSE"), 1, 2, null],
    ["a layout that takes a calculation", collection('LOWER("LONG")'), 1, 2, null],
    ["a switch that takes a calculation", collection('"wide"', "NOT(FALSE)"), 1, 2, null],
    ["within another formula", `=INDEX(REGDATA.COLLECTION("Solar", ${two}), 2, 3)`, 1, 2, null],
    ["jurisdictions that take a calculation", '=REGDATA.COLLECTION("Solar", LEFT("06001", 5))', 1, 2, null],
  ])(
    "gives the question of a wide result's answer, if it is certain: %s",
    async (_, formula, row, column, question) => {
      expect(await questionAt(formula, row, column, headers)).toEqual(question);
    },
  );

  const rows = {
    "Sheet1!F10:G10": [["06001", "Permit fee"]],
    "Sheet1!F11:G11": [["06037", "Height"]],
  };
  it.each([
    ["long", collection('" Long "'), 1, 4, { ahj: "06037", type: "Height" }],
    ["long, without headers", collection('"long"', "FALSE"), 0, 4, { ahj: "06001", type: "Permit fee" }],
    ["long, a switch that takes a calculation", collection('"long"', "NOT(FALSE)"), 1, 4, null],
    ["long, before its answers", collection('"long"'), 1, 3, null],
    ["long, its headers", collection('"long"'), 0, 4, null],
    ["long, in another column of the answers", collection('"long"'), 1, 6, { ahj: "06037", type: "Height" }],
  ])(
    "gives the question of a long result's answer, if it is certain: %s",
    async (_, formula, row, column, question) => {
      expect(await questionAt(formula, row, column, rows)).toEqual(question);
    },
  );

  it("belongs to nobody if the sheet does not give its names", async () => {
    expect(await questionAt(collection('"long"'), 1, 4)).toBeNull();
    expect(await questionAt(collection(), 1, 2)).toBeNull();
  });
});

describe("a cell of an import's table", () => {
  const column = (header: string, content: object) => ({ header, content });
  const wide = [
    column("AHJ ID", { of: "ahj", field: "id" }),
    column("Name", { of: "ahj", field: "name" }),
    column("Permit fee", { of: "answer", part: "value", typeId: 1056 }),
  ];
  const long = [
    column("AHJ ID", { of: "ahj", field: "id" }),
    column("Type", { of: "type", field: "name" }),
    column("Type ID", { of: "type", field: "id" }),
    column("Value", { of: "answer", part: "value" }),
  ];
  const keptWith = (columns: object[]) => ({ saved: { columns } }) as unknown as KeptImport;
  const rowOf = (columns: { header: string }[], values: unknown[], at: number) =>
    ({ headers: columns.map(({ header }) => header), values, column: at }) as unknown as TableRowHere;
  const found = async (columns: typeof wide, values: unknown[], at: number) => {
    const kept = keptWith(columns);
    const { dependencies } = dependenciesFor({}, kept);
    return { kept, source: await sourceOf(cellAt("", 0, 0, rowOf(columns, values, at)), dependencies) };
  };

  it("is identified by the AHJ id of its row, and by its column or the type id of its row", async () => {
    const ofWide = await found(wide, [17, "Alameda County", 450], 2);
    expect(ofWide.source).toEqual({
      question: { ahj: 17, type: 1056 },
      refusal: null,
      from: { kind: "import", kept: ofWide.kept, part: "value" },
    });
    expect((await found(long, ["17", "Permit fee", 1056, 450], 3)).source?.question).toEqual({
      ahj: 17,
      type: 1056,
    });
  });

  it("has no source if it shows no answer, or its ids are gone", async () => {
    expect((await found(wide, [17, "Alameda County", 450], 1)).source).toBeNull();
    expect((await found(wide, ["?", "Alameda County", 450], 2)).source).toBeNull();
    expect((await found(wide, ["", "Alameda County", 450], 2)).source).toBeNull();
    expect((await found(wide, [1.5, "Alameda County", 450], 2)).source).toBeNull();
    expect((await found(long, [17, "Permit fee", "", 450], 3)).source).toBeNull();
    expect((await found(wide.slice(1), ["Alameda County", 450], 1)).source).toBeNull();
  });

  it("belongs to nobody if the table is of no import; without a table nothing is asked", async () => {
    const other = dependenciesFor();
    expect(await sourceOf(cellAt("", 0, 0, rowOf(wide, [17, "", 1], 2)), other.dependencies)).toBeNull();
    expect(other.importOf).toHaveBeenCalledOnce();
    const none = dependenciesFor({}, keptWith(wide));
    expect(await sourceOf(cellAt("plain"), none.dependencies)).toBeNull();
    expect(none.importOf).not.toHaveBeenCalled();
  });
});

describe("a formula's first question", () => {
  const first = (formula: string, cells?: Record<string, unknown[][]>) =>
    firstQuestion(formula, "1", dependenciesFor(cells).dependencies);

  it("is none for a formula that is not the add-in's, or asks no questions", async () => {
    expect(await first("=SUM(1, 2)")).toBeNull();
    expect(await first('=REGDATA.AHJS("NV")')).toBeNull();
  });

  it("is refused with the sentence that the formula will show, and its size is told", async () => {
    const size = { jurisdictions: 1, types: 1 };
    expect(await first('=REGDATA.VALUE("Alameda County", 1003)')).toMatchObject({
      ...{ question: { ahj: "Alameda County", type: 1003 }, refusal: null, size },
    });
    expect(await first('=REGDATA.VALUE("County", 1003)')).toMatchObject({
      ...{ question: null, size },
      refusal: { kind: "invalid-argument", detail: expect.stringContaining('"County"') as string },
    });
    expect(await first('=REGDATA.VALUE("06001", -1)')).toMatchObject({
      ...{ question: null, size },
      refusal: { kind: "invalid-argument", detail: expect.stringContaining("-1") as string },
    });
    expect(await first('=REGDATA.VALUE("06001", 1003, "cite")')).toMatchObject({
      ...{ question: null, size: null },
      refusal: { kind: "invalid-argument" },
    });
  });

  it("is refused if a cell shows an error, whatever its sheet is called", async () => {
    const address = `'6" pipe'!A1`;
    expect(await first(`=REGDATA.VALUE(${address}, 1003)`, { [address]: [["#N/A"]] })).toMatchObject({
      refusal: { kind: "invalid-argument", detail: expect.stringContaining("shows #N/A itself") as string },
    });
  });

  it("comes from the first cells that are not blank", async () => {
    const cells = { "A1:A2": [[""], ["06001"]], "B1:C1": [["", 1003]] };
    const { question } = (await first("=REGDATA.VALUE(A1:A2, B1:C1)", cells)) ?? {};
    expect(question).toEqual({ ahj: "06001", type: 1003 });
  });

  it("is none if all cells are blank, or an argument is missing or needs a calculation", async () => {
    const size = { jurisdictions: 2, types: 1 };
    const { dependencies, valuesAt } = dependenciesFor({ "A1:A2": [[""], [""]] });
    const blank = await firstQuestion("=REGDATA.VALUE(A1:A2, 1003)", "7", dependencies);
    expect(valuesAt.mock.calls).toEqual([["7", ["A1:A2"]]]);
    expect(blank).toEqual({ question: null, refusal: null, size });
    const blankTypes = await first('=REGDATA.VALUE("06001", A1:A2)', { "A1:A2": [[""], [""]] });
    expect(blankTypes).toMatchObject({ question: null, refusal: null });
    const nothing = { question: null, refusal: null, size: null };
    expect(await first('=REGDATA.VALUE("06001")')).toEqual(nothing);
    expect(await first("=REGDATA.VALUE(, 1003)")).toEqual(nothing);
    expect(await first('=REGDATA.VALUE(LEFT("06001", 5), 1003)')).toEqual(nothing);
  });
});
