import { describe, expect, it } from "vitest";
import { textCell } from "../../../../src/workbook/sheet/values/cell-value";
import {
  answerCell,
  fitsSheet,
  listColumns,
  plainForm,
  planColumns,
  planTable,
  type Published,
  tableSize,
  isIdHeader,
  type PlannedColumn,
  uniqueHeaders,
  writePieces,
} from "../../../../src/workbook/sheet/layout/table-plan";
import { freeSheetName } from "../../../../src/workbook/sheet/tables/write-table";

const alameda = { id: 7, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" };

function typesNamed(...names: string[]) {
  return names.map((name, index) => ({ id: index + 1, name, unit_of_measure: "USD" }));
}

describe("a table", () => {
  it("has headers that Excel takes: unique without regard to case, never empty", () => {
    const types = typesNamed("name", "Fee", "fee", "FEE", "");
    const { columns } = planTable({ ahjs: [], types, of: () => null }, plainForm);
    expect(columns.slice(5).map(({ header }) => header)).toEqual([
      "name (2)",
      "Fee",
      "fee (2)",
      "FEE (3)",
      "Column",
    ]);
  });

  it("has headers beside others that are taken, none longer than Excel takes, none cut within a character", () => {
    const wanted = (header: string) => ({ header, content: { of: "ahj", field: "id" } }) as PlannedColumn;
    const headers = (texts: string[], taken?: string[]) =>
      uniqueHeaders(texts.map(wanted), taken).map(({ header }) => header);
    expect(headers(["Fee", "Stryker was here"], ["FEE"])).toEqual(["Fee (2)", "Stryker was here"]);
    expect(headers(["x".repeat(300), "x".repeat(301)])).toEqual(["x".repeat(245), `${"x".repeat(245)} (2)`]);
    expect(headers([`${"x".repeat(244)}😀`, `a😀${"x".repeat(300)}`])).toEqual([
      "x".repeat(244),
      `a😀${"x".repeat(242)}`,
    ]);
    expect(headers(["=1+1\r\nb", "\ud83d"])).toEqual(["=1+1\nb", "Column"]);
  });

  it.each([
    ["AHJ ID", { of: "ahj", field: "id" }, true],
    ["AHJ ID (2)", { of: "ahj", field: "id" }, true],
    ["AHJ ID (2) x", { of: "ahj", field: "id" }, false],
    ["My AHJ ID", { of: "ahj", field: "id" }, false],
    ["Type ID", { of: "ahj", field: "id" }, false],
    ["Type ID", { of: "type", field: "id" }, true],
    ["AHJ ID", { of: "type", field: "id" }, false],
    ["anything", { of: "ahj", field: "name" }, true],
    ["anything", { of: "type", field: "name" }, true],
    ["anything", { of: "answer", field: "value", typeId: 1 }, true],
  ])("believes a column headed %j that is said to hold %j: %s", (header, content, expected) => {
    expect(isIdHeader({ header, content } as PlannedColumn)).toBe(expected);
  });

  it("writes geoIDs as text, and leaves the cell of an AHJ without one blank", () => {
    const utility = { ...alameda, geoid: null };
    const { rows } = planTable({ ahjs: [alameda, utility], types: [], of: () => null }, plainForm);
    expect(rows.map((row) => row[4])).toEqual([
      { value: "06001", numberFormat: "@" },
      { value: "", numberFormat: "General" },
    ]);
  });

  it("that a sheet can't hold is refused", () => {
    const types = typesNamed(...Array.from({ length: 16_380 }, (_, index) => String(index)));
    expect(fitsSheet(tableSize(1_048_575, types.slice(1), plainForm))).toBe(true);
    expect(fitsSheet(tableSize(1_048_576, types.slice(0, 1), plainForm))).toBe(false);
    expect(fitsSheet(tableSize(1, types, plainForm))).toBe(false);
    expect(fitsSheet(tableSize(1_000, types.slice(0, 1_049), { layout: "long", hasCitations: false }))).toBe(
      false,
    );
  });

  it("has a size before it is there: a row for each AHJ, or at most one for each value", () => {
    const types = typesNamed("Fee", "Note", "Code");
    expect(tableSize(2, types, plainForm)).toEqual({ rows: 3, columns: 8 });
    expect(tableSize(2, types, { layout: "wide", hasCitations: true })).toEqual({ rows: 3, columns: 14 });
    expect(tableSize(2, types, { layout: "long", hasCitations: false })).toEqual({ rows: 7, columns: 9 });
    expect(tableSize(2, types, { layout: "long", hasCitations: true })).toEqual({ rows: 7, columns: 11 });
  });

  it("is not planned where a sheet could not hold it", () => {
    const types = typesNamed(...Array.from({ length: 16_380 }, (_, index) => String(index)));
    const none = { ahjs: [], of: () => null };
    expect(() => planTable({ ...none, types }, plainForm)).toThrow(
      expect.objectContaining({ kind: "too-large" }) as Error,
    );
  });

  const fee: Published = {
    value: "$350",
    reference: "City Code",
    section: "4-12-7",
    updatedAt: null,
    fetchedAtMs: 0,
  };
  const note: Published = { value: "=1+1", reference: null, section: null, updatedAt: null, fetchedAtMs: 0 };
  const answered = {
    ahjs: [alameda, { ...alameda, id: 8, name: "Alpine County", geoid: "06003" }],
    types: typesNamed("Fee", "Note"),
    of: (ahjId: number, typeId: number) => (ahjId === 8 ? null : typeId === 1 ? fee : note),
  };
  const shown = (plan: ReturnType<typeof planTable>) => [
    plan.columns.map(({ header }) => header),
    ...plan.rows.map((row) => row.map(({ value }) => value)),
  ];

  it("with citations has reference and section beside each value", () => {
    expect(shown(planTable(answered, { layout: "wide", hasCitations: true }))).toEqual([
      [
        "AHJ ID",
        "Name",
        "Type",
        "State",
        "geoID",
        "Fee",
        "Fee: Reference",
        "Fee: Section",
        "Note",
        "Note: Reference",
        "Note: Section",
      ],
      [7, "Alameda County", "county", "CA", "06001", 350, "City Code", "4-12-7", "=1+1", "", ""],
      [8, "Alpine County", "county", "CA", "06003", "", "", "", "", "", ""],
    ]);
  });

  it("that is long has a row for each value", () => {
    expect(shown(planTable(answered, { layout: "long", hasCitations: true }))).toEqual([
      [
        "AHJ ID",
        "Name",
        "Type",
        "State",
        "geoID",
        "Type ID",
        "Question",
        "Unit",
        "Value",
        "Reference",
        "Section",
      ],
      [7, "Alameda County", "county", "CA", "06001", 1, "Fee", "USD", 350, "City Code", "4-12-7"],
      [7, "Alameda County", "county", "CA", "06001", 2, "Note", "USD", "=1+1", "", ""],
    ]);
  });
});

describe("columns beside a list", () => {
  const fee = { value: "$350", reference: "City Code", section: null, updatedAt: null, fetchedAtMs: 0 };
  const types = typesNamed("Fee");
  const form = { layout: "long", hasCitations: true } as const;

  it("are the AHJ's id and the answers, however long the table would be", () => {
    expect(listColumns(types, form)).toEqual([
      { header: "AHJ ID", content: { of: "ahj", field: "id" } },
      { header: "Fee", content: { of: "answer", part: "value", typeId: 1 } },
      { header: "Fee: Reference", content: { of: "answer", part: "reference", typeId: 1 } },
      { header: "Fee: Section", content: { of: "answer", part: "section", typeId: 1 } },
    ]);
  });

  it("have a row for each of the list, blank where nobody was found, and headers of their own", () => {
    const { columns, rows } = planColumns(
      { ahjs: [alameda], types, of: () => fee },
      { form, rows: [null, alameda], taken: ["fee", "geoID"] },
    );
    expect(columns.map(({ header }) => header)).toEqual([
      "AHJ ID",
      "Fee (2)",
      "Fee: Reference",
      "Fee: Section",
    ]);
    const blank = { value: "", numberFormat: "General" };
    expect(rows).toEqual([
      [blank, blank, blank, blank],
      [
        { value: 7, numberFormat: "0" },
        expect.objectContaining({ value: 350 }) as object,
        { value: "City Code", numberFormat: "@" },
        blank,
      ],
    ]);
  });

  it("hold one part of an answer each", () => {
    expect(answerCell("value", fee, types[0]!)).toMatchObject({ value: 350 });
    expect(answerCell("reference", fee, types[0]!)).toMatchObject({ value: "City Code" });
    expect(answerCell("section", fee, types[0]!)).toMatchObject({ value: "" });
    expect(answerCell("value", null, types[0]!)).toEqual({ value: "", numberFormat: "General" });
  });
});

describe("the pieces of a write", () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => [
    textCell("x".repeat(1_000)),
    textCell(String(index)),
  ]);

  it("keep every row in order and stay below the size", () => {
    const pieces = writePieces(rows, 100_000);
    expect(pieces.flatMap((piece) => piece.rows)).toEqual(rows);
    let start = 0;
    for (const piece of pieces) {
      expect(piece.start).toBe(start);
      start += piece.rows.length;
      expect(JSON.stringify(piece.rows.map((row) => row.map(({ value }) => value))).length).toBeLessThan(
        100_000,
      );
    }
    expect(pieces.length).toBeGreaterThan(10);
  });

  it.each([
    [
      "a text: three bytes a character, its format, and what goes between",
      { value: "ab", numberFormat: "@" },
      17,
    ],
    ["a number", { value: 350, numberFormat: "0" }, 31],
    [
      "a text with a link, which is written again with its cell",
      { value: "ab", numberFormat: "@", link: "https://a.test" },
      565,
    ],
  ])("count %s", (_, cell, bytes) => {
    const two = [[cell], [cell]];
    expect(writePieces(two, 2 * bytes)).toEqual([{ start: 0, rows: two }]);
    expect(writePieces(two, 2 * bytes - 1).map(({ start }) => start)).toEqual([0, 1]);
    expect(writePieces([[cell, cell]], 1)).toHaveLength(1);
  });

  it("hold at least one row each, however large", () => {
    expect(writePieces(rows.slice(0, 3), 10).map(({ rows: { length } }) => length)).toEqual([1, 1, 1]);
  });
});

describe("a new sheet's name", () => {
  it.each([
    ["RegData matrix", [], "RegData matrix"],
    ["RegData matrix", ["regdata MATRIX"], "RegData matrix 2"],
    ['Fees: "a/b" [x]?', [], 'Fees  "a b"  x'],
    ["'quoted'", [], "quoted"],
    ["x".repeat(40), ["x".repeat(31)], `${"x".repeat(29)} 2`],
    ["///", [], "RegData"],
  ])("%s beside %j is %s", (wanted, taken, name) => {
    expect(freeSheetName(wanted, taken)).toBe(name);
  });
});
