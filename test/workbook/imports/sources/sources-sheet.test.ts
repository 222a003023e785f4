import { describe, expect, it } from "vitest";
import { planSources, type SourceCell } from "../../../../src/workbook/imports/sources/sources-sheet";
import { setConfig } from "../../../play-config";
import { finished } from "../finished";
import { valueCells } from "../../../../src/workbook/imports/run/value-cells";
import { planTable, type TableForm, tableRows } from "../../../../src/workbook/sheet/layout/table-plan";
import type { PublishedAnswer } from "../../../../src/workbook/sheet/layout/answer-parts";

const alameda = { id: 7, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" };
const alpine = { ...alameda, id: 8, name: "Alpine County", geoid: "06003" };
const type = (id: number, name: string) => ({
  id,
  name,
  description: "",
  unit_of_measure: "USD",
  data_type: "text",
  category_ids: [],
});
const types = [type(1, "Fee"), type(2, "Note")];
const jan2 = 46_024;

function published(change: Partial<PublishedAnswer> = {}): PublishedAnswer {
  const fetchedAtMs = Date.UTC(2026, 0, 2, 12);
  return { value: "$350", reference: "Code", section: "4-12-7", updatedAt: null, fetchedAtMs, ...change };
}

function sourcesOf(
  answers: Record<string, PublishedAnswer>,
  form: TableForm = { layout: "wide", hasCitations: false },
) {
  const answered = {
    ahjs: [alameda, alpine],
    types,
    of: (ahjId: number, typeId: number) => answers[`${ahjId} ${typeId}`] ?? null,
  };
  const table = planTable(answered, form);
  const cells = finished(valueCells(answered, table, tableRows(answered, form.layout)));
  return finished(planSources([{ cells, address: "Fees!C5:Z9" }]));
}

const referenceOf = (reference: string | null) => sourcesOf({ "7 1": published({ reference }) }).rows[0]?.[4];

const cellOf = (reference: string): SourceCell => ({
  ...{ row: 0, column: 0, ahj: alameda, type: type(1, "Fee") },
  answer: published({ reference }),
});

describe("the Sources sheet", () => {
  it("has a row for each value, with the cell that shows it in a wide table", () => {
    const { columns, rows } = sourcesOf({
      "7 1": published(),
      "8 1": published({ value: "=1+1", reference: null, section: null, updatedAt: "2026-01-02T06:00:00Z" }),
      "8 2": published({ value: "as adopted", updatedAt: "last year" }),
    });
    expect(columns.map(({ header }) => header)).toEqual([
      "Cell",
      "Jurisdiction",
      "Question",
      "Value",
      "Reference",
      "Section",
      "Updated (UTC)",
      "Retrieved (UTC)",
      "AHJ ID",
    ]);
    expect(rows.map((row) => row.map(({ value }) => value))).toEqual([
      ["Fees!G6", "Alameda County, CA", "Fee", "$350", "Code", "4-12-7", "", jan2 + 0.5, 7],
      ["Fees!G7", "Alpine County, CA", "Fee", "=1+1", "", "", jan2 + 0.25, jan2 + 0.5, 8],
      ["Fees!H7", "Alpine County, CA", "Note", "as adopted", "Code", "4-12-7", "last year", jan2 + 0.5, 8],
    ]);
    expect(rows.every((row) => row[3]?.numberFormat === "@")).toBe(true);
    const moments = rows.map((row) => [row[6]?.numberFormat, row[7]?.numberFormat]);
    const moment = "yyyy-mm-dd hh:mm:ss";
    expect(moments).toEqual([
      ["General", moment],
      [moment, moment],
      ["@", moment],
    ]);
  });

  it("leaves out rows without a jurisdiction or question", () => {
    const answered = { ahjs: [alameda], types, of: () => published() };
    for (const layout of ["wide", "long"] as const) {
      const form = { layout, hasCitations: false };
      const rows = tableRows(answered, form.layout);
      const cells = finished(valueCells(answered, planTable(answered, form), [null, ...rows, null]));
      expect(cells.map(({ row, type: { id } }) => [row, id])).toEqual(
        layout === "wide"
          ? [
              [1, 1],
              [1, 2],
            ]
          : [
              [1, 1],
              [2, 2],
            ],
      );
    }
  });

  it("names the cells of a long table and of one with citations beside", () => {
    const answers = { "7 1": published(), "7 2": published(), "8 2": published() };
    const cells = (form: TableForm) => sourcesOf(answers, form).rows.map((row) => row[0]?.value);
    expect(cells({ layout: "long", hasCitations: false })).toEqual(["Fees!I6", "Fees!I7", "Fees!I8"]);
    expect(cells({ layout: "wide", hasCitations: true })).toEqual(["Fees!G6", "Fees!J6", "Fees!J7"]);
  });

  it.each([
    ["https://code.example.gov/4-12", "https://code.example.gov/4-12"],
    ["See HTTP://example.gov/a(b)?c=1, section 4", "HTTP://example.gov/a(b)?c=1"],
    ["(https://example.gov/x).", "https://example.gov/x"],
    ["javascript:alert(1)", undefined],
    ["file:///etc/hosts", undefined],
    ["ftp://example.gov", undefined],
    ["https://", undefined],
    ["xhttps://example.gov", undefined],
    [`https://example.gov/${"x".repeat(2_000)}`, undefined],
    ["Title 24", undefined],
  ])("for a reference %s leads to %s, and shows it whole", (reference, link) => {
    expect(referenceOf(reference)).toEqual({
      value: reference,
      numberFormat: "@",
      ...(link !== undefined && { link }),
    });
  });

  it("holds as many values as a sheet has rows below the headers", () => {
    setConfig({ sheetRows: 3 });
    const two = { "7 1": published(), "8 1": published() };
    expect(sourcesOf(two).rows).toHaveLength(2);
    const cells = [cellOf("Code"), cellOf("Code")];
    const one = { cells: [cellOf("Code")], address: "Permits!A1" };
    expect(() => finished(planSources([{ cells, address: "Fees!A1" }, one]))).toThrow(
      expect.objectContaining({ kind: "too-large" }),
    );
  });

  it("leads to the cells of up to 1,000 values", () => {
    const placesOf = (count: number) => {
      const cells = Array<SourceCell>(count).fill(cellOf("Title 24"));
      return finished(planSources([{ cells, address: "'TX fees'!A1" }])).rows.map(([place]) => place);
    };
    expect(placesOf(1)).toEqual([
      { value: "''TX fees'!A2", numberFormat: "General", documentReference: "'TX fees'!A2" },
    ]);
    expect(placesOf(1_000).every((place) => place?.documentReference !== undefined)).toBe(true);
    expect(placesOf(1_001).some((place) => place?.documentReference !== undefined)).toBe(false);
  });

  it("leads to no more addresses than a sheet may hold links, and shows the others", () => {
    const reference = "https://code.example.gov/4-12";
    const [linked, plain] = [cellOf(reference), cellOf("Title 24")];
    const cells = [plain, ...Array<SourceCell>(65_001).fill(linked)];
    const { rows } = finished(planSources([{ cells, address: "Fees!A1" }]));
    expect(rows.map((row) => row[4]?.link !== undefined).indexOf(false, 1)).toBe(65_001);
    expect(rows[65_001]?.[4]).toEqual({ value: reference, numberFormat: "@" });
  });
});
