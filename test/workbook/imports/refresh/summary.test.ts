import { describe, expect, it } from "vitest";
import { summarize } from "../../../../src/workbook/imports/refresh/summary";
import type { SavedImport } from "../../../../src/workbook/imports/saved/saved-import";
import type { TableColumns } from "../../../../src/workbook/sheet/tables/bound-table";
import { importCell } from "../../../../src/workbook/sheet/values/cell-value";
import { shownNumber } from "../../../../src/workbook/sheet/values/number-format";
import { savedFees } from "../saved-fees";
import { finished } from "../finished";

const summarized = (...given: Parameters<typeof summarize>) => finished(summarize(...given));

const types = [
  { id: 1, name: "Fee", unit_of_measure: "USD" },
  { id: 2, name: "Code", unit_of_measure: "text" },
];

function saved(layout: "wide" | "long"): SavedImport {
  const answer = { of: "answer", part: "value" } as const;
  return savedFees({
    form: { layout, hasCitations: false },
    columns: [
      { header: "AHJ ID", content: { of: "ahj", field: "id" } },
      ...(layout === "wide"
        ? types.map(({ id, name }) => ({ header: name, content: { ...answer, typeId: id } }))
        : [
            { header: "Type ID", content: { of: "type", field: "id" } as const },
            { header: "Value", content: { ...answer, typeId: null } },
          ]),
    ],
    types,
  });
}

/** A table with these columns, of cells as an import writes them. */
function table(columns: Record<string, (number | string | boolean)[]>, unit = "USD"): TableColumns {
  const cells = Object.entries(columns).map(([header, texts]) => {
    const made = texts.map((text) =>
      typeof text === "string" ? importCell(text, unit) : { value: text, numberFormat: "0" },
    );
    return [
      header,
      { values: made.map(({ value }) => value), numberFormats: made.map((cell) => cell.numberFormat) },
    ] as const;
  });
  return {
    rowCount: Object.values(columns)[0]?.length ?? 0,
    headers: Object.keys(columns),
    columns: new Map(cells),
  };
}

describe("a summary", () => {
  it("counts values, gaps and what was not given; tells amounts as the cells show them, and the commonest texts", () => {
    const wide = table({
      "AHJ ID": [11, 12, 13, 14, 15, 16],
      Fee: ["$1,200", "$30.50", "varies", "$400", "", ""],
      Code: ["NEC 2020", "NEC 2017", "NEC 2020", "Own", "IRC", ""],
    });
    expect(summarized(saved("wide"), wide, new Set([16, 11]))).toEqual([
      {
        type: types[0],
        counts: { value: 4, none: 1, noAccess: 1 },
        numbers: [
          { label: "Smallest", text: "$30.50", share: 30.5 / 1_200 },
          { label: "Median", text: "$400", share: 1 / 3 },
          { label: "Largest", text: "$1,200", share: 1 },
        ],
        texts: 1,
        commonest: [{ text: "varies", count: 1, share: 1 / 4 }],
      },
      {
        type: types[1],
        counts: { value: 5, none: 0, noAccess: 1 },
        numbers: null,
        texts: 5,
        commonest: [
          { text: "NEC 2020", count: 2, share: 2 / 5 },
          { text: "NEC 2017", count: 1, share: 1 / 5 },
          { text: "Own", count: 1, share: 1 / 5 },
        ],
      },
    ]);
  });

  it("says the unit that the header of a column says for its cells", () => {
    const columns = saved("wide").columns.map((column) =>
      column.header === "Fee" ? { ...column, numberFormat: "#,##0.00" } : column,
    );
    const shown = table({ "AHJ ID": [11, 12, 13], Fee: [] as string[] });
    shown.columns.set("Fee", {
      values: [110, 140, 150],
      numberFormats: ["#,##0.00", "#,##0.00", '"$"#,##0'],
    });
    const [fee] = summarized({ ...saved("wide"), columns }, shown, new Set());
    expect(fee?.numbers?.map(({ text }) => text)).toEqual(["$110.00", "$140.00", "$150"]);
  });

  it("of a long table counts a missing row as no value", () => {
    const long = table({ "AHJ ID": [11, 11, 12], "Type ID": [1, 2, 1], Value: ["$10", "A", "$20"] });
    const [fee, code] = summarized(saved("long"), long, new Set());
    expect(fee?.counts).toEqual({ value: 2, none: 0, noAccess: 0 });
    expect(fee?.numbers?.map(({ text }) => text)).toEqual(["$10", "$10", "$20"]);
    expect(code?.counts).toEqual({ value: 1, none: 1, noAccess: 0 });
  });

  it("puts the commonest first, wherever they stand, and tells what the sheet takes for true and false", () => {
    const [, code] = summarized(
      saved("wide"),
      table({
        "AHJ ID": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        Fee: ["", "", "", "", "", "", "", "", "", ""],
        Code: ["rare", "seldom", true, false, true, false, true, "often", "often", false],
      }),
      new Set(),
    );
    expect(code?.texts).toBe(10);
    expect(code?.commonest).toEqual([
      { text: "TRUE", count: 3, share: 3 / 10 },
      { text: "FALSE", count: 3, share: 3 / 10 },
      { text: "often", count: 2, share: 2 / 10 },
    ]);
  });

  it("compares days with the first of them, and tells what is all alike as whole", () => {
    const sharesOf = (texts: string[], unit: string) => {
      const shown = table({ "AHJ ID": texts.map((_, row) => row + 1), Fee: texts }, unit);
      return summarized(saved("wide"), shown, new Set())[0]?.numbers?.map(({ text, share }) => [text, share]);
    };
    expect(sharesOf(["2026-01-05", "2026-01-01", "2026-01-02"], "date")).toEqual([
      ["2026-01-01", 0],
      ["2026-01-02", 1 / 4],
      ["2026-01-05", 1],
    ]);
    expect(sharesOf(["2026-01-05", "2026-01-05"], "date")).toEqual([
      ["2026-01-05", 1],
      ["2026-01-05", 1],
      ["2026-01-05", 1],
    ]);
    expect(sharesOf(["0", "0"], "count")).toEqual([
      ["0", 1],
      ["0", 1],
      ["0", 1],
    ]);
  });

  it("counts values, not their citations, and leaves out a question whose column is gone", () => {
    const { columns, ...rest } = saved("wide");
    const reference = {
      header: "Fee: Reference",
      content: { of: "answer", part: "reference", typeId: 1 },
    } as const;
    const cited: SavedImport = { ...rest, columns: [...columns, reference] };
    const shown = table({ "AHJ ID": [1, 2], Fee: ["$1", ""], "Fee: Reference": ["Chapter 1", "Chapter 2"] });
    const summaries = summarized(cited, shown, new Set());
    expect(summaries.map(({ type, counts, texts }) => [type.id, counts, texts])).toEqual([
      [1, { value: 1, none: 1, noAccess: 0 }, 0],
    ]);
  });

  it("of a long table tells of a question that nobody has a value of", () => {
    const long = table({ "AHJ ID": [11, 12], "Type ID": [1, 1], Value: ["$10", "$20"] });
    const [, code] = summarized(saved("long"), long, new Set([12]));
    expect(code).toEqual({
      type: types[1],
      counts: { value: 0, none: 1, noAccess: 1 },
      numbers: null,
      texts: 0,
      commonest: [],
    });
  });

  it.each([
    ["$1,250.00", "USD", "$1,250.00"],
    ["0.15/kWh", "USD per kWh", "$0.15/kWh"],
    ["7.5%", "percent", "7.5%"],
    ["10 working days", "days", "10 working days"],
    ["July 1, 2026", "date", "2026-07-01"],
    ["42", "count", "42"],
  ])("shows %s (%s) as its cell does: %s", (text, unit, shown) => {
    const { value, numberFormat } = importCell(text, unit);
    expect(shownNumber(Number(value), numberFormat)).toBe(shown);
  });
});
