import { describe, expect, it } from "vitest";
import { createDigests, digestOf } from "../../../../src/workbook/imports/saved/cell-digests";
import type { NotRefreshed } from "../../../../src/workbook/imports/refresh/compare-answers";
import { type MissingFacts, planMissing } from "../../../../src/workbook/imports/summary/missing-sheet";
import type { SavedImport } from "../../../../src/workbook/imports/saved/saved-import";
import { finished } from "../finished";
import { code, fee, rows, wideImport, wideTable } from "./played-summary";

const facts = (report: Partial<NonNullable<MissingFacts["report"]>> = {}): MissingFacts => ({
  known: () => undefined,
  digests: createDigests(),
  report: { notRefreshed: [], unknownTypes: [], ...report },
});
/** The digests of a table in which Marin County had this fee. */
function marinWith(shown: string): MissingFacts["digests"] {
  const digests = createDigests();
  const cell = { ahjId: 13, typeId: fee.id, part: "value" } as const;
  digests.set(cell, digestOf(cell, shown), digestOf(cell, shown));
  return digests;
}
const texts = (given: MissingFacts, saved: SavedImport = wideImport(), table = wideTable()) =>
  finished(planMissing(saved, table, given)).rows.map((row) => row.map(({ value }) => value));

describe("what is missing, as a sheet", () => {
  it("has a row for each jurisdiction and question without a value, with ids and the reason", () => {
    expect(texts(facts())).toEqual([
      ["Marin County", "CA", "06041", 13, "Permit fee", 1056, "No value"],
      ["Clark County", "NV", "32003", 14, "Electrical code", 1003, "No value"],
    ]);
    const { columns, rows: cells } = finished(planMissing(wideImport(), wideTable(), facts()));
    expect(columns.map(({ header }) => header)).toEqual([
      ...["Name", "State", "geoID", "AHJ ID", "Question", "Question ID", "Reason"],
    ]);
    expect(cells[0]?.map(({ numberFormat }) => numberFormat)).toEqual(["@", "@", "@", "0", "@", "0", "@"]);
  });

  it("says what the last refresh has found out", () => {
    const reasonOf = (report: Parameters<typeof facts>[0]) => texts(facts(report)).map((row) => row.at(-1));
    const outside: NotRefreshed = {
      ahjId: 13,
      name: "Marin County",
      kind: "outside-subscription",
      places: [],
      values: 0,
    };
    expect(reasonOf({ notRefreshed: [outside] })).toEqual(["Outside your subscription", "No value"]);
    const gone: NotRefreshed = { ...outside, ahjId: 14, kind: "unknown-jurisdiction" };
    expect(reasonOf({ notRefreshed: [gone] })).toEqual(["No value", "Not refreshed: unknown jurisdiction"]);
    expect(reasonOf({ unknownTypes: [code] })).toEqual(["No value", "Unknown question"]);
  });

  it("says of which cells somebody has cleared the value, and not of those that were written blank", () => {
    const reasonsWith = (shown: string) =>
      texts({ ...facts(), digests: marinWith(shown) }).map((row) => row.at(-1));
    expect(reasonsWith("$410")).toEqual(["Cleared in the sheet", "No value"]);
    expect(reasonsWith("")).toEqual(["No value", "No value"]);
  });

  it("counts a dash that stands for no value as missing, and one that is typed over a value as cleared", () => {
    const dashed = wideImport({ form: { layout: "wide", hasCitations: false, hasDashes: true } });
    const withDash = rows.map(
      (row) => row.map((cell) => (cell === "" ? "–" : cell)) as unknown as (typeof rows)[number],
    );
    expect(texts(facts(), dashed, wideTable(withDash))).toEqual(texts(facts()));
    // Without the choice, the dash is somebody's text.
    expect(texts(facts(), wideImport(), wideTable(withDash))).toEqual([]);
    const typedOver = { ...facts(), digests: marinWith("$410") };
    const reasons = texts(typedOver, dashed, wideTable(withDash)).map((row) => row.at(-1));
    expect(reasons).toEqual(["Cleared in the sheet", "No value"]);
  });

  it("does not say that there is no value if an earlier refresh may not have been given it", () => {
    const saved = wideImport({ lastRun: { atMs: 0, rows: 5, values: 7, notRefreshed: 1 } });
    expect(texts({ ...facts(), report: undefined }, saved).map((row) => row.at(-1))).toEqual([
      "No value, or not refreshed",
      "No value, or not refreshed",
    ]);
    expect(texts(facts(), saved).map((row) => row.at(-1))).toEqual(["No value", "No value"]);
  });

  it("knows geoIDs and states that the table does not tell", () => {
    const known = (id: number) =>
      id === 13 ? { name: "Marin County", state_code: "CA", geoid: "06041" } : undefined;
    const table = wideTable(rows, ["State", "geoID"]);
    expect(texts({ ...facts(), known }, wideImport(), table)).toEqual([
      ["Marin County", "CA", "06041", 13, "Permit fee", 1056, "No value"],
      ["Clark County", "", "", 14, "Electrical code", 1003, "No value"],
    ]);
  });

  it("of a table with a row for each value names missing values that no row shows", () => {
    const answer = { of: "answer", part: "value", typeId: null } as const;
    const saved = wideImport({
      form: { layout: "long", hasCitations: false },
      columns: [
        { header: "Name", content: { of: "ahj", field: "name" } },
        { header: "Value", content: answer },
        { header: "AHJ ID", content: { of: "ahj", field: "id" } },
        { header: "Type ID", content: { of: "type", field: "id" } },
      ],
    });
    const column = (values: unknown[]) => ({ values, numberFormats: values.map(() => "@") });
    const table = {
      rowCount: 3,
      headers: ["Name", "Value", "AHJ ID", "Type ID"],
      columns: new Map([
        ["Name", column(["Kern County", "Kern County", "Marin County"])],
        ["Value", column(["$200", "NEC 2017", "NEC 2020"])],
        ["AHJ ID", column([12, 12, 13])],
        ["Type ID", column([fee.id, code.id, code.id])],
      ]),
    };
    expect(texts(facts(), saved, table)).toEqual([
      ["Marin County", "", "", 13, "Permit fee", 1056, "No value"],
    ]);
  });
});
