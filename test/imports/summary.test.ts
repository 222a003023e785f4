import { describe, expect, it } from "vitest";
import { summarize } from "../../src/imports/summary";
import type { SavedImport } from "../../src/imports/saved-import";
import type { TableColumns } from "../../src/sheet/import-table";
import { importCell } from "../../src/sheet/cell-value";
import { shownNumber } from "../../src/sheet/shown-number";

const types = [
  { id: 1, name: "Fee", unit_of_measure: "USD" },
  { id: 2, name: "Code", unit_of_measure: "text" },
];

function saved(layout: "wide" | "long"): SavedImport {
  const answer = { of: "answer", part: "value" } as const;
  return {
    id: "one",
    name: "Fees",
    tableId: "{1}",
    service: "https://service.test",
    collection: null,
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
    lastRun: { atMs: 0, rows: 0, values: 0, notRefreshed: 0 },
  };
}

/** A table with these columns, of cells as an import writes them. */
function table(columns: Record<string, (number | string)[]>, unit = "USD"): TableColumns {
  const cells = Object.entries(columns).map(([header, texts]) => {
    const made = texts.map((text) =>
      typeof text === "number" ? { value: text, numberFormat: "0" } : importCell(text, unit),
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
    expect(summarize(saved("wide"), wide, new Set([16, 11]))).toEqual([
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

  it("of a long table counts a missing row as no value", () => {
    const long = table({ "AHJ ID": [11, 11, 12], "Type ID": [1, 2, 1], Value: ["$10", "A", "$20"] });
    const [fee, code] = summarize(saved("long"), long, new Set());
    expect(fee?.counts).toEqual({ value: 2, none: 0, noAccess: 0 });
    expect(fee?.numbers?.map(({ text }) => text)).toEqual(["$10", "$10", "$20"]);
    expect(code?.counts).toEqual({ value: 1, none: 1, noAccess: 0 });
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
