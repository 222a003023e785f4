import { describe, expect, it } from "vitest";
import { addDates, newValues, rowlessAhjs } from "../../../../src/workbook/imports/refresh/new-values";
import type { Known } from "../../../../src/workbook/imports/saved/snapshots";
import { tableRows } from "../../../../src/workbook/sheet/layout/table-plan";
import { ahj, fee, playImport, playLookup, published, rule, type Said } from "../played-import";

const [alpha, beta, gamma] = [ahj(1, "Alpha"), ahj(2, "Beta"), ahj(3, "Gamma")];
const value = published("$30");

describe("an AHJ that has no row in a long table", () => {
  it("had no value at the last run, and has no row yet; all others were taken out or are there", () => {
    const last = new Map([
      ...[["1 10", null] as const, ["1 20", value] as const],
      ...[["2 10", value] as const, ["2 20", null] as const],
      ...[["3 10", null] as const, ["3 20", null] as const],
      ["4 10", null] as const,
    ]);
    expect(rowlessAhjs(last, new Map([[4, ahj(4, "Delta")]]))).toEqual([3]);
    expect(rowlessAhjs(undefined, new Map())).toEqual([]);
  });
});

/** Asks for the new values of a long table in which only Alpha's fee has a row. */
async function findNew(
  said: Said,
  {
    last,
    dates,
    mayLackRows = [1, 2],
  }: { last?: Record<string, Known | null>; dates?: Said; mayLackRows?: number[] },
) {
  const { saved } = await playImport({
    ahjs: [alpha],
    said: {},
    form: { layout: "long", hasCitations: false },
  });
  const service = playLookup(said, { dates, who: [beta] });
  const { answered, withoutRow } = await newValues(
    {
      saved,
      ahjs: new Map([[1, alpha]]),
      mayLackRows,
      rows: [{ row: 0, ahj: alpha, typeId: fee.id }],
      last: last && new Map(Object.entries(last)),
      published: (ahjId, typeId) => {
        const answer = said[`${ahjId} ${typeId}`];
        return typeof answer === "object" ? answer : null;
      },
    },
    service.lookup,
    {},
  );
  const rows = tableRows(answered, "long").map((row) => [row.ahj, row.type?.id]);
  return { rows, withoutRow, asked: service.asked };
}
const on = (updatedAt: string) => published("$30", { updatedAt });
/** The import ran on 2 January 2026. */
const runAt = "2026-01-02T00:00:00Z";

describe("a value without a row", () => {
  it("is new where there was none at the last run, whenever it was entered; one that there was is taken out", async () => {
    const said = { "1 10": value, "1 20": on("2026-03-01T00:00:00Z"), "2 20": on("2025-03-01T00:00:00Z") };
    const found = await findNew(said, { last: { "1 20": value, "2 20": null } });
    expect(found).toMatchObject({ rows: [[beta, rule.id]], withoutRow: 1, asked: { dated: [] } });
    const both = await findNew(said, { last: { "1 20": null, "2 20": null } });
    expect(both).toMatchObject({
      rows: [
        [alpha, rule.id],
        [beta, rule.id],
      ],
      withoutRow: 0,
    });
  });

  it.each<[string, string, number]>([
    ["after the last run is new", "2026-01-02T00:00:01Z", 1],
    ["at its very moment is not", runAt, 0],
    ["before it is not", "2025-12-31T23:59:59Z", 0],
  ])("of which this device knows nothing, dated %s", async (_, updatedAt, rows) => {
    const asked = await findNew({ "1 20": value }, { dates: { "1 20": on(updatedAt) } });
    expect([asked.rows.length, asked.withoutRow]).toEqual([rows, 1 - rows]);
    expect(asked.asked.dated).toEqual(["1 20"]);
    const told = await findNew({ "1 20": on(updatedAt) }, {});
    expect([told.rows.length, told.withoutRow, told.asked.dated]).toEqual([rows, 1 - rows, []]);
  });

  it("without a date is not new", async () => {
    expect(await findNew({ "1 20": value }, {})).toMatchObject({ rows: [], withoutRow: 1 });
  });

  it("has only who is not in the table yet, and gets a row, asked about", async () => {
    const last = { "1 20": null, "2 20": null, "3 20": null };
    const one = await findNew({ "1 20": value }, { last, mayLackRows: [1, 2, 3] });
    expect([one.rows, one.asked.ahjs]).toEqual([[[alpha, rule.id]], []]);
    const two = await findNew({ "1 20": value, "2 20": value }, { last, mayLackRows: [1, 2, 3] });
    expect(two.rows).toEqual([
      [alpha, rule.id],
      [beta, rule.id],
    ]);
    expect(two.asked.ahjs).toEqual([2]);
  });

  it("gets its row though nobody can say whose it is", async () => {
    const { rows } = await findNew({ "3 20": value }, { last: { "3 20": null }, mayLackRows: [3] });
    expect(rows).toEqual([[{ id: 3, name: "AHJ 3", type: "", state_code: "", geoid: null }, rule.id]]);
  });
});

describe("dates of values", () => {
  const change = (who: typeof alpha, after: Known | null) => ({ ahj: who, type: fee, after });
  const dated = "2026-02-01T00:00:00Z";

  it("are asked for where there is a value without one, and told of that value alone", async () => {
    const values = [
      change(alpha, value),
      change(beta, null),
      change(gamma, on("2025-05-05T00:00:00Z")),
      change(ahj(4, "Delta"), value),
      change(ahj(5, "Epsilon"), value),
    ];
    const { lookup, asked } = playLookup(
      { "1 10": value, "4 10": value },
      { dates: { "1 10": on(dated), "4 10": published("$99", { updatedAt: dated }), "5 10": "unreachable" } },
    );
    await addDates(values, lookup, {});
    expect(asked).toEqual({ values: [], dated: ["1 10", "4 10", "5 10"], ahjs: [] });
    expect(values.map(({ after }) => after?.updatedAt)).toEqual([
      ...[dated, undefined, "2025-05-05T00:00:00Z", null, null],
    ]);
    expect(values[0]?.after).toEqual({ ...value, updatedAt: dated });
  });

  it.each([
    [0, 0, 0],
    [1, 1, 1],
    [500, 500, 1],
    [501, 0, 0],
  ])("of %i values are asked for of %i", async (count, asked, requests) => {
    const service = playLookup({});
    const values = Array.from({ length: count }, (_, at) => change(ahj(at + 1, "One"), value));
    await addDates(values, service.lookup, {});
    expect(service.asked.dated).toHaveLength(asked);
    expect(service.options).toHaveLength(requests);
  });
});
