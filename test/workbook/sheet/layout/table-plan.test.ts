import { describe, expect, it } from "vitest";
import { textCell } from "../../../../src/workbook/sheet/values/cell-value";
import {
  answerCell,
  createAnswerCells,
  fitsSheet,
  listColumns,
  plainForm,
  planTableColumns,
  planTable,
  tableSize,
  isIdHeader,
  type PlannedColumn,
  uniqueHeaders,
  writePieces,
} from "../../../../src/workbook/sheet/layout/table-plan";
import type { PublishedAnswer } from "../../../../src/workbook/sheet/layout/answer-parts";
import { freeSheetName } from "../../../../src/workbook/sheet/layout/sheet-name";
import { setConfig } from "../../../play-config";

const alameda = { id: 7, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" };

function typesNamed(...names: string[]) {
  return names.map((name, index) => ({ id: index + 1, name, unit_of_measure: "USD" }));
}

describe("a table", () => {
  it("has headers that Excel takes: unique without regard to case, never empty", () => {
    const types = typesNamed("name", "Fee", "fee", "FEE", "");
    const { columns } = planTable({ ahjs: [], types, of: () => null }, plainForm);
    expect(columns.slice(4, -1).map(({ header }) => header)).toEqual([
      "name (2)",
      "Fee",
      "fee (2)",
      "FEE (3)",
      "Column",
    ]);
  });

  it("has headers unlike others that are taken, none longer than Excel takes, none cut within a character", () => {
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
  ])("with a column headed %j and said to hold %j is accepted as such: %s", (header, content, expected) => {
    expect(isIdHeader({ header, content } as PlannedColumn)).toBe(expected);
  });

  it("writes geoIDs as text, and leaves the cell of an AHJ without a geoID blank", () => {
    const utility = { ...alameda, geoid: null };
    const { rows } = planTable({ ahjs: [alameda, utility], types: [], of: () => null }, plainForm);
    expect(rows.map((row) => row[3])).toEqual([
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

  it("has a known size before it is there: a row for each AHJ, or at most one for each value", () => {
    const types = typesNamed("Fee", "Note", "Code");
    expect(tableSize(2, types, plainForm)).toEqual({ rows: 3, columns: 8 });
    expect(tableSize(2, types, { layout: "wide", hasCitations: true })).toEqual({ rows: 3, columns: 14 });
    expect(tableSize(2, types, { layout: "long", hasCitations: false })).toEqual({ rows: 7, columns: 9 });
    expect(tableSize(2, types, { layout: "long", hasCitations: true })).toEqual({ rows: 7, columns: 11 });
  });

  it("is not planned if a sheet could not hold it", () => {
    const table = { ahjs: [alameda], types: typesNamed("Fee", "Note"), of: () => null };
    const { columns } = planTable(table, plainForm);
    setConfig({ sheetColumns: columns.length, sheetRows: 2 });
    expect(planTable(table, plainForm).rows).toHaveLength(1);
    for (const tooSmall of [{ sheetColumns: columns.length - 1 }, { sheetRows: 1 }]) {
      setConfig({ sheetColumns: columns.length, sheetRows: 2, ...tooSmall });
      expect(() => planTable(table, plainForm)).toThrow(
        expect.objectContaining({ kind: "too-large" }) as Error,
      );
    }
  });

  const fee: PublishedAnswer = {
    value: "$350",
    reference: "City Code",
    section: "4-12-7",
    updatedAt: null,
    fetchedAtMs: 0,
  };
  const note: PublishedAnswer = {
    value: "=1+1",
    reference: null,
    section: null,
    updatedAt: null,
    fetchedAtMs: 0,
  };
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
        "Name",
        "State",
        "Type",
        "geoID",
        "Fee ($)",
        "Fee: Reference",
        "Fee: Section",
        "Note",
        "Note: Reference",
        "Note: Section",
        "AHJ ID",
      ],
      ["Alameda County", "CA", "county", "06001", 350, "City Code", "4-12-7", "=1+1", "", "", 7],
      ["Alpine County", "CA", "county", "06003", "", "", "", "", "", "", 8],
    ]);
  });

  it("that is long has a row for each value", () => {
    expect(shown(planTable(answered, { layout: "long", hasCitations: true }))).toEqual([
      [
        "Name",
        "State",
        "Type",
        "geoID",
        "Question",
        "Unit",
        "Value",
        "Reference",
        "Section",
        "AHJ ID",
        "Type ID",
      ],
      ["Alameda County", "CA", "county", "06001", "Fee", "USD", 350, "City Code", "4-12-7", 7, 1],
      ["Alameda County", "CA", "county", "06001", "Note", "USD", "=1+1", "", "", 7, 2],
    ]);
  });
});

describe("a column of amounts", () => {
  /** The header and the cells of a type's column. */
  function columnOf(unit_of_measure: string, texts: readonly (string | null)[], name = "Fee") {
    const type = { id: 1, name, unit_of_measure };
    const ahjs = texts.map((_, index) => ({ ...alameda, id: index + 1 }));
    const of = (ahjId: number): PublishedAnswer | null => {
      const value = texts[ahjId - 1] ?? null;
      return value === null
        ? null
        : { value, reference: null, section: null, updatedAt: null, fetchedAtMs: 0 };
    };
    const { columns, rows } = planTable({ ahjs, types: [type], of }, plainForm);
    return {
      ...{ header: columns[4]?.header, numberFormat: columns[4]?.numberFormat },
      cells: rows.map((row) => [row[4]?.value, row[4]?.numberFormat]),
    };
  }

  it.each([
    ["USD", ["$110.00", "$140", "65 USD"], "Fee ($)", [110, 140, 65], '"$"#,##0.00'],
    ["USD", ["$1,500", "$65"], "Fee ($)", [1500, 65], '"$"#,##0'],
    ["USD per kW", ["$5 per kW", "7.5"], "Fee ($ per kW)", [5, 7.5], '"$"#,##0.0'],
    ["days", ["27 days", "12"], "Fee (days)", [27, 12], "General"],
    ["kW", ["1,000 kW", "50 kW"], "Fee (kW)", [1000, 50], "#,##0"],
    ["kW", ["123456789", "50 kW"], "Fee (kW)", [123456789, 50], "0"],
    ["Percent", ["5%", "7.25%"], "Fee", [0.05, 0.0725], "0.00%"],
    ["date", ["2026-03-12", "March 12, 2026"], "Fee", [46093, 46093], "yyyy-mm-dd"],
    ["date", ["March 12, 2026", "March 13, 2026"], "Fee", [46093, 46094], "mmmm d, yyyy"],
  ])("in %s, published as %j, is headed %j and has one format", (unit, texts, header, values, format) => {
    expect(columnOf(unit, texts)).toEqual({
      ...{ header, numberFormat: format },
      cells: values.map((value) => [value, format]),
    });
  });

  it("of several units names the unit in each cell, also that of a bare number, because its header names none", () => {
    expect(columnOf("kW", ["50 kW", "20", "15 kW AC"])).toEqual({
      ...{ header: "Fee", numberFormat: '0 "kW"' },
      cells: [
        [50, '0 "kW"'],
        [20, '0 "kW"'],
        [15, '0 "kW AC"'],
      ],
    });
    // Hours in a column of days are a text, so that no sum adds them to days.
    expect(columnOf("days", ["1", "8.5", "5 working days", "2 hours"]).cells).toEqual([
      [1, '0.0 "day"'],
      [8.5, '0.0 "days"'],
      [5, '0 "working days"'],
      ["2 hours", "@"],
    ]);
  });

  it("leaves texts and blanks as they are, and needs no amount", () => {
    expect(columnOf("USD", ["See fee schedule", "$5", null])).toEqual({
      ...{ header: "Fee ($)", numberFormat: '"$"#,##0' },
      cells: [
        ["See fee schedule", "@"],
        [5, '"$"#,##0'],
        ["", "General"],
      ],
    });
    expect(columnOf("USD", ["See fee schedule"]).header).toBe("Fee");
    expect(columnOf("", ["42"])).toEqual({
      ...{ header: "Fee", numberFormat: undefined },
      cells: [["42", "@"]],
    });
  });

  it("with the unit in its name has it once, and a name that is too long keeps it", () => {
    expect(columnOf("kW", ["5"], "System Size (kW)").header).toBe("System Size (kW)");
    expect(columnOf("kW", ["5"], "x".repeat(300)).header).toBe(`${"x".repeat(240)} (kW)`);
  });
});

describe("web addresses", () => {
  const portal = "https://permits.example.gov/start";
  const type = { id: 1, name: "Portal", unit_of_measure: "" };
  const tableOf = (count: number) =>
    planTable(
      {
        ahjs: Array.from({ length: count }, (_, index) => ({ ...alameda, id: index + 1 })),
        types: [type],
        of: (ahjId): PublishedAnswer => ({
          value: ahjId % 2 ? portal : `See ${portal}`,
          ...{ reference: portal, section: portal, updatedAt: null, fetchedAtMs: 0 },
        }),
      },
      { layout: "wide", hasCitations: true },
    );
  const linksOf = (count: number) =>
    tableOf(count).rows.map((row) => row.flatMap(({ link }, column) => (link === undefined ? [] : [column])));

  it("are links if an answer or a reference says nothing else", () => {
    expect(linksOf(2)).toEqual([[4, 5], [5]]);
    expect(tableOf(1).rows[0]?.[4]).toEqual({ value: portal, numberFormat: "@", link: portal });
  });

  it("stay texts if there are more than 1,000", () => {
    expect(linksOf(666).flat()).toHaveLength(999);
    expect(linksOf(667).flat()).toEqual([]);
  });
});

describe("columns beside a list", () => {
  const fee = { value: "$350", reference: "City Code", section: null, updatedAt: null, fetchedAtMs: 0 };
  const types = typesNamed("Fee");
  const form = { layout: "long", hasCitations: true } as const;

  it("are the answers and the AHJ's id, however long the table would be", () => {
    expect(listColumns(types, form)).toEqual([
      { header: "Fee", content: { of: "answer", part: "value", typeId: 1 } },
      { header: "Fee: Reference", content: { of: "answer", part: "reference", typeId: 1 } },
      { header: "Fee: Section", content: { of: "answer", part: "section", typeId: 1 } },
      { header: "AHJ ID", content: { of: "ahj", field: "id" } },
    ]);
  });

  it("have a row for each of the list's rows, blank if nobody was found, and headers of their own", () => {
    const { columns, rows } = planTableColumns(
      { ahjs: [alameda], types, of: () => fee },
      { form, rows: [null, alameda], taken: ["fee ($)", "geoID"] },
    );
    expect(columns.map(({ header }) => header)).toEqual([
      "Fee ($) (2)",
      "Fee: Reference",
      "Fee: Section",
      "AHJ ID",
    ]);
    const blank = { value: "", numberFormat: "General" };
    expect(rows).toEqual([
      [blank, blank, blank, blank],
      [
        expect.objectContaining({ value: 350 }) as object,
        { value: "City Code", numberFormat: "@" },
        blank,
        { value: 7, numberFormat: "0" },
      ],
    ]);
  });

  it("hold one part of an answer each", () => {
    expect(answerCell("value", fee, types[0]!)).toMatchObject({ value: 350 });
    expect(answerCell("reference", fee, types[0]!)).toMatchObject({ value: "City Code" });
    expect(answerCell("section", fee, types[0]!)).toMatchObject({ value: "" });
  });

  it.each([
    ["value", null, true, "–"],
    ["value", null, false, ""],
    ["value", undefined, true, ""],
    ["reference", null, true, ""],
    ["updatedAt", null, true, ""],
  ] as const)("show, for the %s of the answer %s, with dashes: %s, “%s”", (part, answer, hasDashes, text) => {
    const cellOf = createAnswerCells({ ...plainForm, hasDashes });
    expect(cellOf(part, answer, types[0]!)).toEqual({ value: text, numberFormat: "General" });
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
