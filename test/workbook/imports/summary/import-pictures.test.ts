import { describe, expect, it } from "vitest";
import { summarize } from "../../../../src/workbook/imports/summary/import-pictures";
import type { QuestionPicture } from "../../../../src/pictures/question-picture";
import type { KnownAhj } from "../../../../src/workbook/imports/summary/shown-answers";
import { createDigests } from "../../../../src/workbook/imports/saved/cell-digests";
import type { SavedImport } from "../../../../src/workbook/imports/saved/saved-import";
import type { TableColumns } from "../../../../src/workbook/sheet/tables/bound-table";
import { importCell } from "../../../../src/workbook/sheet/values/cell-value";
import { shownNumber } from "../../../../src/workbook/sheet/values/shown-number";
import { savedFees } from "../saved-fees";
import { finished } from "../finished";

const summaryOf = (
  saved: SavedImport,
  table: TableColumns,
  notRefreshed: ReadonlySet<number>,
  known: KnownAhj = () => undefined,
) => finished(summarize(saved, table, { notRefreshed, known, digests: createDigests() }));
const summarized = (...given: Parameters<typeof summaryOf>) => summaryOf(...given).pictures;

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

/** The smallest, median and largest amount of a question, as the summary words them. */
function amountsOf(picture: QuestionPicture | undefined): string[] | undefined {
  const { amounts } = picture ?? {};
  return amounts ? [amounts.smallest.text, amounts.median.text, amounts.largest.text] : undefined;
}

describe("a summary", () => {
  it("counts values, gaps and refusals; shows amounts in one format, and the most common texts", () => {
    const wide = table({
      "AHJ ID": [11, 12, 13, 14, 15, 16],
      Fee: ["$1,200", "$30.50", "varies", "$400", "", ""],
      Code: ["NEC 2020", "NEC 2017", "NEC 2020", "Own", "IRC", ""],
    });
    const [fee, code] = summarized(saved("wide"), wide, new Set([16, 11]));
    expect(fee?.question).toEqual(types[0]);
    expect(fee?.counts).toEqual({ value: 4, none: 1, unknown: 1, edited: 0 });
    expect(amountsOf(fee)).toEqual(["$30.50", "$400.00", "$1,200.00"]);
    expect(fee?.kinds.bars).toEqual([{ text: "varies", count: 1, share: 1 / 4 }]);
    expect(code?.question).toEqual(types[1]);
    expect(code?.counts).toEqual({ value: 5, none: 0, unknown: 1, edited: 0 });
    expect(amountsOf(code)).toBeUndefined();
    expect(code?.kinds.bars).toEqual([
      { text: "NEC 2020", count: 2, share: 2 / 5 },
      { text: "NEC 2017", count: 1, share: 1 / 5 },
      { text: "Own", count: 1, share: 1 / 5 },
      { text: "IRC", count: 1, share: 1 / 5 },
    ]);
  });

  it("counts a dash that stands for no value as a gap, and one in another import as a text", () => {
    const wide = table({ "AHJ ID": [11, 12, 13], Fee: ["$10", "–", ""], Code: ["–", "–", "IRC"] });
    const dashed = saved("wide");
    const form = { ...dashed.form, hasDashes: true };
    const [fee, code] = summarized({ ...dashed, form }, wide, new Set([13]));
    expect(fee?.counts).toEqual({ value: 1, none: 1, unknown: 1, edited: 0 });
    expect(code?.counts).toEqual({ value: 1, none: 2, unknown: 0, edited: 0 });
    expect(code?.kinds.bars).toEqual([{ text: "IRC", count: 1, share: 1 }]);
    const [, plain] = summarized(dashed, wide, new Set());
    expect(plain?.kinds.bars[0]).toEqual({ text: "–", count: 2, share: 2 / 3 });
  });

  it("says the unit that a column's header says for its cells", () => {
    const columns = saved("wide").columns.map((column) =>
      column.header === "Fee" ? { ...column, numberFormat: "#,##0.00" } : column,
    );
    const shown = table({ "AHJ ID": [11, 12, 13], Fee: [] as string[] });
    shown.columns.set("Fee", {
      values: [110, 140, 150],
      numberFormats: ["#,##0.00", "#,##0.00", "#,##0.00"],
    });
    const [fee] = summarized({ ...saved("wide"), columns }, shown, new Set());
    expect(amountsOf(fee)).toEqual(["$110.00", "$140.00", "$150.00"]);
  });

  it("of a long table counts a missing row as no value", () => {
    const long = table({ "AHJ ID": [11, 11, 12], "Type ID": [1, 2, 1], Value: ["$10", "A", "$20"] });
    const [fee, code] = summarized(saved("long"), long, new Set());
    expect(fee?.counts).toEqual({ value: 2, none: 0, unknown: 0, edited: 0 });
    expect(amountsOf(fee)).toEqual(["$10", "$15", "$20"]);
    expect(code?.counts).toEqual({ value: 1, none: 1, unknown: 0, edited: 0 });
  });

  it("puts the most common text first, wherever it stands, and reads the sheet's true and false", () => {
    const [, code] = summarized(
      saved("wide"),
      table({
        "AHJ ID": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        Fee: ["", "", "", "", "", "", "", "", "", ""],
        Code: ["rare", "seldom", true, false, true, false, true, "often", "often", false],
      }),
      new Set(),
    );
    expect(code?.kinds.bars.map(({ text, count }) => [text, count])).toEqual([
      ["TRUE", 3],
      ["FALSE", 3],
      ["often", 2],
      ["rare", 1],
      ["seldom", 1],
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
    expect(summaries.map(({ question, counts, kinds }) => [question.id, counts, kinds.bars])).toEqual([
      [1, { value: 1, none: 1, unknown: 0, edited: 0 }, []],
    ]);
  });

  it("of a long table includes a question without any value", () => {
    const long = table({ "AHJ ID": [11, 12], "Type ID": [1, 1], Value: ["$10", "$20"] });
    const [, code] = summarized(saved("long"), long, new Set([12]));
    expect(code?.question).toEqual(types[1]);
    expect(code?.counts).toEqual({ value: 0, none: 1, unknown: 1, edited: 0 });
    expect(code?.kinds.bars).toEqual([]);
  });

  it("finds the places of jurisdictions beside a list of geoIDs, even without their leading zeros", () => {
    const beside = { ...saved("wide"), listHeader: "County" };
    const wide = table({
      "AHJ ID": [11, 12, 13],
      Fee: ["$1", "$5", "$7"],
      Code: ["", "", ""],
    });
    wide.columns.set("County", { values: [6001, "48453", "Our town"], numberFormats: [] });
    const { answersTo } = summaryOf(beside, wide, new Set());
    const [fee] = types as [(typeof types)[0]];
    expect(answersTo(fee).map(({ ahj }) => [ahj.geoid, ahj.state_code])).toEqual([
      ["06001", "CA"],
      ["48453", "TX"],
      [null, ""],
    ]);
  });

  it("knows the states of jurisdictions beside a list of names from the directory, as the sheet by state does", () => {
    const wide = table({ "AHJ ID": [11, 12], Fee: ["$1", "$5"], Code: ["", ""] });
    const known: KnownAhj = (id) => (id === 11 ? { name: "Reno", state_code: "NV", geoid: null } : undefined);
    const { answersTo } = summaryOf(saved("wide"), wide, new Set(), known);
    expect(answersTo(types[0]!).map(({ ahj }) => ahj.state_code)).toEqual(["NV", ""]);
  });

  it("counts a jurisdiction with two rows once, by the first row that has a value, and knows that row's place", () => {
    const wide = table({
      "AHJ ID": [11, 12, 11],
      Fee: ["", "$5", "$7"],
      Code: ["", "", ""],
    });
    const { pictures, answersTo, answerOf, placeOf } = summaryOf(saved("wide"), wide, new Set());
    const [fee, code] = types as [(typeof types)[0], (typeof types)[0]];
    expect(pictures[0]?.counts).toEqual({ value: 2, none: 0, unknown: 0, edited: 0 });
    expect(answersTo(fee).map(({ ahj, shown }) => [ahj.id, shown])).toEqual([
      [11, { value: 7, numberFormat: '"$"#,##0' }],
      [12, { value: 5, numberFormat: '"$"#,##0' }],
    ]);
    expect(answerOf(code, 12)?.shown).toBe("no value");
    expect(answerOf(code, 99)).toBeNull();
    expect(placeOf(fee, 11)).toEqual({ row: 2, header: "Fee" });
    expect(placeOf(code, 11)).toEqual({ row: 0, header: "Code" });
    expect(placeOf(fee, 99)).toBeUndefined();
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
